"""Game tables looked up, against fresh solves and played games."""

import re
import shutil
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from pickomino import (
    MissingTableError,
    Position,
    PositionError,
    Rules,
    TableError,
    advise,
    open_tables,
)
from pickomino.game.solve import solve_game
from pickomino.game.table import GameTable, open_game
from pickomino.play.engine import GameState, Roll, throw
from pickomino.play.players import GamePlayer
from samples import FOUR_TILES, GAMES, rewrite

positions = strategies.positions(st.just(FOUR_TILES), min_grill=1).filter(
    lambda p: len(p.stacks) == 2
)


@settings(max_examples=60)
@given(positions, strategies.kept_and_roll(dice=4), st.sampled_from(GAMES))
def test_probing_is_solving(game_tables, position, case, spec):
    """Values, decisions and the cost of each alternative are those of the game solved afresh."""
    (kept, roll), objective = case, spec.objective
    with open_game(
        game_tables, rules=spec.rules, objective=objective, equipment=FOUR_TILES, depth=spec.depth
    ) as table:
        assert table.spec == spec
        solved = solve_game(position, rules=spec.rules, objective=objective, depth=spec.depth)
        assert table.value_to_mover(position) == pytest.approx(solved.value, abs=1e-11)
        if max(map(len, position.stacks)) <= spec.ranking.depth:
            assert table.probe(position).value == pytest.approx(solved.value, abs=1e-11)
            assert table.odds(position).value == pytest.approx(solved.value, abs=1e-11)
            payoff = solved.payoff(position)
            ours = table.probe(position, kept, roll)
            theirs = advise(position, kept, roll, rules=spec.rules, objective=payoff)
            assert [o.value for o in ours.options] == pytest.approx(
                [o.value for o in theirs.options], abs=1e-10
            )
            assert sorted(o.regret for o in ours.options) == pytest.approx(
                sorted(o.regret for o in theirs.options), abs=1e-10
            )


def test_deviation_is_that_of_played_games(game_tables):
    """Mean and deviation of the further margin against 4,000 games by the exact player."""
    position = Position((10, 12), ((9,), (14,)), 0, FOUR_TILES)
    with open_game(
        game_tables, rules="rulebook", objective="margin", equipment=FOUR_TILES
    ) as table:
        mean, deviation = table.value_to_mover(position), table.deviation_of(position)
    rng, player = np.random.default_rng(1), GamePlayer("margin")

    @cache  # the exact player does the same whenever it meets a state again
    def choice(state):
        return player.choose(state, rng)

    margins = []
    for _ in range(4000):
        state = GameState(position, Rules())
        while not state.is_over:
            action = choice(state)
            state = state.apply(
                Roll(throw(state.dice_left, rng)) if isinstance(action, Roll) else action
            )
        margins.append(state.position.worms(0) - state.position.worms(1) - (1 - 3))
    assert abs(np.mean(margins) - mean) < 4 * deviation / 4000**0.5
    # A sample's deviation has a standard error of its own, by the fourth moment.
    fourth = np.mean((np.array(margins) - mean) ** 4)
    error = ((fourth - deviation**4) / 4000) ** 0.5 / (2 * deviation)
    assert abs(np.std(margins) - deviation) < 4 * error


def test_numbers_that_cannot_be_are_noticed(game_tables, tmp_path):
    """A win beyond 1, a deviation below 0, no number: the sentence names the table."""
    for spec, name, wrong in ((GAMES[2], "value", 7.0), (GAMES[0], "deviation", -1.0)):
        table = GameTable.open(game_tables / spec.name)
        for bad in (wrong, np.nan, np.inf):
            copy = tmp_path / f"{name}{bad}"
            shutil.copytree(table.folder, copy)
            rewrite(copy, lambda array, bad=bad: np.full_like(array, bad), name)
            asked = GameTable.open(copy)
            with pytest.raises(TableError, match=re.escape(f"in {copy} is damaged")):
                (asked.values if name == "value" else asked.deviation_of)(
                    Position.start(2, equipment=FOUR_TILES)
                )
    with pytest.raises(TableError, match="is of win and has no deviations: open one of margin"):
        GameTable.open(game_tables / GAMES[2].name).deviation_of(
            Position.start(2, equipment=FOUR_TILES)
        )


def test_a_missing_table_names_the_command(game_tables):
    """Other rules, and the whole game."""
    with pytest.raises(MissingTableError, match=r"build it with pickomino .* --rules tag"):
        open_game(game_tables, rules="tag", objective="margin", equipment=FOUR_TILES)
    with pytest.raises(MissingTableError, match=r"--objective margin --depth 1 --out"):
        open_game(game_tables, rules="rulebook", objective="win")


def test_positions_that_no_game_table_has(game_tables):
    """Three players, other equipment, a game that is over, a closed table."""
    with open_game(
        game_tables, rules="rulebook", objective="margin", equipment=FOUR_TILES
    ) as table:
        for position, message in (
            (Position.start(3, equipment=FOUR_TILES), "has 3 players: games are solved for two"),
            ("x", "'x' is no position"),
            (Position.start(2), "the position is of standard, but the table is of"),
            (Position((), ((9,), ()), 0, FOUR_TILES), "the game is over"),
        ):
            with pytest.raises(PositionError, match=message):
                table.probe(position)
    with pytest.raises(TableError, match="this table is closed"):
        table.probe(Position.start(2, equipment=FOUR_TILES))


def test_the_deepest_table_answers(game_tables):
    """Without a depth, that of full stacks is taken; turn tables are not mixed up with it."""
    assert (
        open_game(
            game_tables, rules="rulebook", objective="margin", equipment=FOUR_TILES
        ).spec.depth
        is None
    )
    assert (
        open_game(
            game_tables, rules="rulebook", objective="margin", equipment=FOUR_TILES, depth=1
        ).spec.depth
        == 1
    )
    with pytest.raises(MissingTableError, match=r"no table of worms .*\(found: none\)"):
        open_tables(game_tables, rules="rulebook", objective="worms", equipment=FOUR_TILES)
