"""Players: legal, as exact as they say, and known by name."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from pickomino import (
    DeadRoll,
    Dice,
    Equipment,
    MissingTableError,
    ObjectiveError,
    PositionError,
    Rules,
    advise,
)
from pickomino.errors import GameError
from pickomino.objectives import Outcome, payoff_of
from pickomino.play.engine import GameState, Keep, Roll, Stop
from pickomino.play.match import play_game
from pickomino.play.players import ExactPlayer, GamePlayer, make_player
from pickomino.play.record import GameRecord
from pickomino.tables.build import build_turns
from pickomino.tables.spec import TurnSpec
from samples import FOUR_TILES, SIX_TILES

RNG = np.random.default_rng(0)


@settings(max_examples=150)
@given(
    strategies.positions(st.just(SIX_TILES), min_grill=1),
    strategies.kept_and_roll(dice=4),
    strategies.rules,
    st.sampled_from(["worms", "swing", "total", "reach:11"]),
)
def test_exact_players_do_what_is_advised(position, case, rules, objective):
    """Keeps and stops are the advice's best, and claims those of highest payoff."""
    kept, roll = case
    player = ExactPlayer(objective)
    advice = advise(position, kept, roll, rules=rules, objective=objective)
    if not isinstance(advice, DeadRoll):
        state = GameState(position, rules, kept, roll)
        assert player.choose(state, RNG) == Keep(advice.best.face)
    then = advise(position, kept, None, rules=rules, objective=objective).then
    state = GameState(position, rules, kept)
    assert player.choose(state, RNG) == {"roll": Roll(), "stop": Stop()}[then]
    for total in range(8, 21):
        claims = position.claims(total, rules)
        if len(claims) > 1:
            payoff = payoff_of(objective, position)
            worth = {c: payoff(Outcome(total, c)) for c in claims}
            chosen = player.choose(ended_with(position, rules, total), RNG)
            assert worth[chosen.claim] == max(worth.values())


def ended_with(position, rules, total):
    """A turn that ended with a worm and a total, its claim open."""
    for fives in range(4):
        rest = total - 5 * fives - 5
        if 0 < rest < 5 and fives < 3:
            kept = Dice.parse("W" + "5" * fives + str(rest))
            return GameState(position, rules, kept, None, True)
        if rest == 0:
            return GameState(position, rules, Dice.parse("W" + "5" * fives), None, True)
    raise AssertionError(total)


@pytest.mark.parametrize("name", ["random", "cautious", "worms", "swing", "total", "reach:13"])
@pytest.mark.parametrize("rules", ["rulebook", "bga-literal", "tag", "septaseven"])
def test_players_finish_games_legally(name, rules):
    """Every choice is legal, for 2 to 4 players, and the record replays."""
    for players in (2, 3, 4):
        result = play_game(
            [make_player(name)] * players, rules=rules, equipment=SIX_TILES, seed=players
        )
        assert GameRecord.from_json(result.record.to_json()) == result.record
        assert result.record.states()[-1].winners == result.winners
        assert sum(result.busts) <= result.turns
        assert sum(result.worms) <= sum(SIX_TILES.worms)


def test_a_table_player_plays_like_the_solver(tmp_path, monkeypatch):
    """Move by move; without a table it names the command that builds one."""
    monkeypatch.setenv("PICKOMINO_TABLES", str(tmp_path))
    build_turns(TurnSpec(equipment=SIX_TILES, opponents=1), tmp_path)
    games = [
        play_game(
            [make_player(name)] * 2, rules="rulebook", equipment=SIX_TILES, seed=4
        ).record.actions
        for name in ("worms", "table")
    ]
    assert games[0] == games[1]
    with pytest.raises(
        MissingTableError, match=r"no table of swing under bga .* pickomino tables build"
    ):
        play_game([make_player("table:swing")] * 2, rules="bga", equipment=SIX_TILES)


def test_a_table_alone_is_for_worms():
    """Whether its name ends in a colon or not."""
    assert make_player("table:").name == make_player("table").name == "table:worms"


@pytest.mark.parametrize("name", ["", "deep-blue", "reach", "reach:1.5", "table:win"])
def test_unknown_players_are_refused(name):
    """With the names that there are."""
    with pytest.raises(GameError, match=f"no player is called '{name}': use random, cautious"):
        make_player(name)


def test_the_game_player_uses_a_table(game_tables, monkeypatch):
    """Without a budget the player's choices come from the table, and are those of the solver."""
    monkeypatch.setenv("PICKOMINO_TABLES", str(game_tables))
    by_table, by_solver = GamePlayer("margin", max_states=1), GamePlayer("margin")
    others = [make_player("worms"), make_player("swing")]
    for seed in range(3):
        games = [
            play_game([p, others[seed % 2]], rules="rulebook", equipment=FOUR_TILES, seed=seed)
            for p in (by_table, by_solver)
        ]
        assert games[0].record.actions == games[1].record.actions


def test_players_by_name():
    """game plays for the win unless told otherwise; two players only."""
    assert make_player("game") == GamePlayer("win")
    assert make_player("game:margin").name == "game:margin"
    with pytest.raises(PositionError, match="has 3 players: games are solved for two"):
        play_game([make_player("game")] * 3, rules=Rules(), equipment=FOUR_TILES)


def test_records_of_the_game_player_are_whole():
    """A record read back plays to the same end."""
    result = play_game(
        [make_player("game"), make_player("worms")], rules=Rules(), equipment=FOUR_TILES, seed=3
    )
    again = GameRecord.from_json(json.loads(json.dumps(result.record.to_json())))
    assert again.states()[-1].winners == result.winners
    assert np.isclose(sum(result.worms), sum(again.states()[-1].position.worms(p) for p in (0, 1)))


def test_exact_players_play_any_equipment():
    """Seventeen tiles, more than any table takes: what the player does is what is advised."""
    box = Equipment.parse("8d:20-36x1")
    state = GameState.start(2, equipment=box).apply(Roll(Dice.parse("1344W555")))
    with pytest.raises(ObjectiveError, match="reach:99 is out of reach: use a total from 0 to 40"):
        make_player("reach:99").choose(state, RNG)
    nine = GameState.start(2, equipment="9d:21-45x3").apply(Roll(Dice.parse("1344W5551")))
    assert make_player("reach:43").choose(nine, RNG) == Keep(
        advise(nine.position, "", nine.roll, objective="reach:43").best.face
    )
    for player in ("worms", "swing", "reach:30", "total"):
        keep = make_player(player).choose(state, RNG)
        advice = advise(state.position, "", state.roll, objective=player)
        assert keep == Keep(advice.best.face)
    assert play_game(["worms", "total"], equipment=box, seed=2).turns > 8
