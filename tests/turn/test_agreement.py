"""The three solvers of one recursion against each other."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from pickomino import PRESETS, Equipment, Position, Rules
from pickomino.objectives import turn_problem
from pickomino.turn.batch import solve_batch
from pickomino.turn.rational import RationalSolution
from pickomino.turn.solve import solve

AGREE = 1e-12


POSITIONS = [
    "21-36 - 1",
    "21-23,26-28,32-36 25,30/24,29/31 1",
    "21,22,26,28,31-36 23/24/29 1",
    "31,33 25/21/36 1",
    "36 21,22/33,34 2",
    "21-24 36/35,30/29 3",
]


OBJECTIVES = ["worms", "swing", "reach:25", "exactly:24", "total"]


TEN_TILES = Equipment(5, tuple(range(11, 21)), (1, 1, 1, 2, 2, 2, 3, 3, 4, 4))


SMALL_POSITIONS = ["11-20 -/- 1", "11,12,15-18 13,14/19/20 1", "17,19 11/18,12 2", "11 20/13 1"]


def grid(positions, equipment, objectives):
    """The distinct turns of all presets."""
    return {
        turn_problem(
            Position.parse(f"{text} {equipment}"), Rules.preset(name), objective
        ).payoffs: f"{name} {text} {objective}"
        for name in PRESETS
        for text in positions
        for objective in objectives
    }


def assert_solvers_agree(payoffs):
    """Values of the root and distributions agree; so do the rolled values of every state."""
    scale = max(1.0, *(abs(float(x)) for x in payoffs.possible))
    numpy, exact = solve(payoffs), RationalSolution(payoffs)
    batch = solve_batch(
        [[float(x) for x in payoffs.by_total]] * 2,
        payoffs.may_stop,
        keep_sum=payoffs.keep_sum,
        distribution=True,
        rolled=True,
    )
    value = float(exact.value())
    assert abs(numpy.value() - value) <= AGREE * scale
    assert abs(batch.value - value).max() <= AGREE * scale
    rolled = numpy.rolled[numpy.graph.first_rolling :] + numpy.floor
    assert abs(batch.rolled - rolled).max() <= AGREE * scale
    expected = np.array([float(p) for p in exact.distribution()])
    assert abs(expected - numpy.distribution()).max() <= AGREE
    assert abs(expected - batch.distribution).max() <= AGREE


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_solvers_agree_on_a_grid_of_standard_positions(objective):
    """All presets on six positions (every second one unless for worms), eight dice."""
    for payoffs in grid(POSITIONS[:: 1 if objective == "worms" else 2], "standard", [objective]):
        assert_solvers_agree(payoffs)


def test_solvers_agree_on_a_grid_of_small_positions():
    """All presets and objectives on four positions, five dice."""
    for payoffs in grid(
        SMALL_POSITIONS, TEN_TILES, ["worms", "swing", "reach:15", "exactly:13", "total"]
    ):
        assert_solvers_agree(payoffs)


@settings(max_examples=150)
@given(strategies.payoffs(max_dice=5))
def test_solvers_agree_on_any_payoffs(payoffs):
    """Whatever the payoffs and stopping rules, whole, fractional or floating."""
    assert_solvers_agree(payoffs)


@given(strategies.payoffs(max_dice=5, values=st.sampled_from([0, 1])), st.data())
def test_solvers_agree_in_every_decision(payoffs, data):
    """Payoffs of 0 and 1 tie often, and yet all keeps, stops and tie marks are the same."""
    kept, roll = data.draw(strategies.kept_and_roll(payoffs.dice))
    numpy, exact = solve(payoffs), RationalSolution(payoffs)
    ours, theirs = numpy.keeps(kept, roll), exact.keeps(kept, roll)
    assert [keep[:2] for keep in ours] == [keep[:2] for keep in theirs]
    assert [keep.choice.then for keep in ours] == [keep.choice.then for keep in theirs]
    assert [keep.choice.value + numpy.floor for keep in ours] == pytest.approx(
        [float(keep.choice.value) for keep in theirs], abs=AGREE
    )
    assert numpy.then(kept) == exact.then(kept)
    assert numpy.distribution(kept) == pytest.approx([float(p) for p in exact.distribution(kept)])
    for name in ("value", "roll_value", "stop_value"):
        here, there = getattr(numpy, name)(kept), getattr(exact, name)(kept)
        assert (here is None) == (there is None)
        assert here is None or here == pytest.approx(float(there), abs=AGREE)
