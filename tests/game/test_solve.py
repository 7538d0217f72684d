"""The two-player game: published values, bounds, and a second look."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from pickomino import (
    Dice,
    Equipment,
    GameOverError,
    ObjectiveError,
    Position,
    PositionError,
    Rules,
    advise,
    solve_turn,
)
from pickomino.game.solve import solve_game
from pickomino.game.verify import bellman_residual
from samples import FOUR_TILES, START, facts, game_of

DATA = facts("games.json")


TINY = Equipment(3, (7, 8, 10, 12), (1, 2, 1, 3))


small_games = given(
    strategies.positions(st.just(TINY), min_grill=1).filter(lambda p: len(p.stacks) == 2),
    strategies.rules,
    st.sampled_from(["win", "margin"]),
    st.sampled_from([1, 2, None]),
)


@pytest.mark.parametrize("game", DATA["games"], ids=str)
def test_published_values(game):
    """Margin and win of fifteen games to 1e-8, and proven to 1e-9."""
    tiles, rules, *values = game
    for objective, value in zip(("margin", "win"), values, strict=True):
        solved = solve_game(game_of(*tiles), rules=rules, objective=objective)
        assert solved.value == pytest.approx(value, abs=1e-8)
        assert solved.lower <= solved.value <= solved.upper
        assert solved.upper - solved.lower <= 1e-9
        assert solved.proven.residual <= 1e-12


@pytest.mark.parametrize(
    ("game", "places"), list(zip(DATA["depths"]["games"], (8, 3), strict=True)), ids=str
)
def test_published_depths(game, places):
    """Margins when only the top tiles of a stack can be lost, and with full stacks."""
    tiles, rules, values = game
    for depth, value in enumerate(values, 1):
        solved = solve_game(
            game_of(*tiles), rules=rules, depth=depth if depth < len(values) else None
        )
        assert round(solved.value, places) == pytest.approx(value, abs=1.1e-8)
        assert solved.upper - solved.lower <= 1e-9


def test_one_tile_by_hand():
    """Whoever reaches the 21 first has it: with chance p a turn, p / (2 - p) and 1 / (2 - p)."""
    p = solve_turn(Position.start(), rules=Rules(), objective="reach:21", exact=True).value(Dice())
    assert solve_game(game_of(21), objective="margin").value == pytest.approx(float(p / (2 - p)))
    assert solve_game(game_of(21), objective="win").value == pytest.approx(float(1 / (2 - p)))


def test_where_plain_value_iteration_creeps():
    """With only 33-36 both sides mostly pass: the bounds hold all the same."""
    for objective in ("margin", "win"):
        solved = solve_game(game_of(33, 34, 35, 36), rules="rulebook", objective=objective)
        assert solved.upper - solved.lower <= 1e-9
        assert bellman_residual(solved) <= 1e-11


@settings(max_examples=30)
@small_games
def test_any_position_and_rules(position, rules, objective, depth):
    """Bounds hold the value, and a second look by other code finds no residual, state by state."""
    solved = solve_game(position, rules=rules, objective=objective, depth=depth)
    assert solved.lower <= solved.value <= solved.upper
    assert solved.upper - solved.lower <= 1e-9
    assert bellman_residual(solved) <= 1e-11
    if objective == "win":
        assert 0 <= solved.value <= 1


def test_passing_for_ever_is_worth_nothing_more():
    """A tile out of reach for both: nobody can win it, and the game never ends."""
    box = Equipment(2, (11,), (4,))
    assert solve_game(Position.start(2, equipment=box)).value == 0
    assert solve_game(Position.start(2, equipment=box), objective="win").value == 0.5
    ahead = Position((11,), ((7,), ()), 0, Equipment(2, (7, 11), (1, 4)))
    solved = solve_game(ahead, objective="win")
    assert solved.lower <= solved.value <= solved.upper
    assert bellman_residual(solved) <= 1e-12


def test_values_do_not_depend_on_who_is_called_player_1():
    """A position and its mirror image, with the other player to move, have one value."""
    solved = solve_game(game_of(21, 24, 30))
    mirrored = replace(game_of(21, 24, 30), mover=1)
    assert solve_game(mirrored).value == solved.value == solved.value_to_mover(mirrored)
    with pytest.raises(PositionError, match="does not come up in this game"):
        solved.value_to_mover(Position.start())


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: solve_game(Position.start(3)),
            PositionError,
            "has 3 players: games are solved for two",
        ),
        (lambda: solve_game(Position.start(1)), PositionError, "has 1 player: games are solved"),
        (lambda: solve_game(Position.parse("- 21/- 1")), GameOverError, "the game is over"),
        (lambda: solve_game(game_of(21), objective="worms"), ObjectiveError, "use win or margin"),
        (
            lambda: solve_game(game_of(21), depth=0),
            PositionError,
            "depth=0 is no number of tiles that can",
        ),
        (
            lambda: solve_game(Position.start(), max_states=1000),
            PositionError,
            "leads to more than 1,000 positions",
        ),
    ],
)
def test_games_that_cannot_be_solved_are_refused(call, error, message):
    """Three players, a game that is over, another objective, or too many positions."""
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("objective", ["win", "margin"])
def test_the_turn_on_top_of_a_solved_game_is_worth_the_game(objective):
    """For any depth, and stacks deeper than it: the turn's value is the position's."""
    for depth in (1, 2, None):
        for position in (
            START,
            Position((9, 14), ((10,), (12,)), 1, FOUR_TILES),
            Position((9,), ((10, 12), (14,)), 0, FOUR_TILES),
            Position((14,), ((), (9, 12, 10)), 1, FOUR_TILES),
        ):
            solved = solve_game(position, rules=Rules(), objective=objective, depth=depth)
            turn = advise(position, "", None, rules=Rules(), objective=solved.payoff(position))
            assert turn.value == pytest.approx(solved.value, abs=1e-11)
