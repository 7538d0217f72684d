"""The three solvers of one recursion against each other and against brute force."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import strategies
from brute import brute_value
from pickomino import PRESETS, Dice, Equipment, ObjectiveError, Position, Rules
from pickomino.objectives import turn_problem
from pickomino.turn.batch import LANES, solve_batch
from pickomino.turn.payoffs import TurnPayoffs, first_best, rank
from pickomino.turn.rational import ExactSolution
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
SMALL = Equipment(5, tuple(range(11, 21)), (1, 1, 1, 2, 2, 2, 3, 3, 4, 4))
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
    numpy, exact = solve(payoffs), ExactSolution(payoffs)
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
        SMALL_POSITIONS, SMALL, ["worms", "swing", "reach:15", "exactly:13", "total"]
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
    numpy, exact = solve(payoffs), ExactSolution(payoffs)
    assert numpy.rank(kept, roll) == exact.rank(kept, roll)
    assert numpy.then(kept) == exact.then(kept)
    assert numpy.distribution(kept) == pytest.approx([float(p) for p in exact.distribution(kept)])
    for name in ("value", "roll_value", "stop_value"):
        here, there = getattr(numpy, name)(kept), getattr(exact, name)(kept)
        assert (here is None) == (there is None)
        assert here is None or here == pytest.approx(float(there), abs=AGREE)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(strategies.payoffs(max_dice=4, values=st.integers(-5, 5)))
def test_rationals_equal_brute_force(payoffs):
    """Enumerating all 6^n ordered rolls gives the same fraction, for 1-4 dice."""
    assert ExactSolution(payoffs).value() == brute_value(payoffs)


@pytest.mark.parametrize("preset", PRESETS)
def test_all_solvers_equal_brute_force_on_a_small_game(preset):
    """Four dice, tiles 8-16, one tile at stake and one to steal, under each preset."""
    box = Equipment(4, tuple(range(8, 17)), (1, 1, 1, 2, 2, 2, 3, 3, 4))
    for text in ("8-16 - 1", "8,9,12-14,16 10/15/11 1", "12,13 8/- 2"):
        for objective in ("worms", "swing", "total"):
            problem = turn_problem(Position.parse(f"{text} {box}"), Rules.preset(preset), objective)
            value = brute_value(problem.payoffs)
            assert ExactSolution(problem.payoffs).value() == value
            assert solve(problem.payoffs).value() == pytest.approx(float(value), abs=AGREE)


@settings(max_examples=20)
@given(st.data())
def test_a_batch_solves_each_of_its_payoffs(data):
    """Lanes do not mix, whatever the batch's size and the dice."""
    dice = data.draw(st.integers(1, 4))
    size = data.draw(st.sampled_from([1, 2, LANES - 1, LANES, LANES + 1, 2 * LANES + 3]))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    by_total = rng.integers(-3, 4, (size, 5 * dice + 1)).astype(float)
    may_stop = rng.random(by_total.shape) < 0.7
    by_total[:, 1:5], may_stop[:, 1:5] = by_total[:, :1], may_stop[:, :1]
    batch = solve_batch(by_total, may_stop, distribution=True)
    for i in {0, size // 2, size - 1}:
        alone = solve(TurnPayoffs(tuple(by_total[i].tolist()), tuple(may_stop[i].tolist())))
        assert batch.value[i] == pytest.approx(alone.value(), abs=AGREE)
        assert batch.distribution[i] == pytest.approx(alone.distribution(), abs=AGREE)


@pytest.mark.parametrize(
    ("by_total", "may_stop", "message"),
    [
        ([0.0] * 40, [True] * 40, r"shape \(1, 40\) fit no dice: give 5 times the dice plus 1"),
        ([0.0], [True], "fit no dice"),
        ([[[0.0] * 6]], [True] * 6, "fit no dice"),
        ([0.0] * 6, [True] * 5, r"may_stop of shape \(5,\) does not fit"),
        (["x"] * 6, [True] * 6, "are no array of numbers"),
        ([0.0] * 5 + [float("nan")], [True] * 6, "a payoff is beyond"),
    ],
)
def test_batches_that_are_no_payoffs_are_refused(by_total, may_stop, message):
    """Shapes and numbers are checked before anything is computed."""
    with pytest.raises(ObjectiveError, match=message):
        solve_batch(by_total, may_stop)


def test_a_large_constant_in_the_payoffs_costs_no_digits():
    """Payoffs of 10^9 and 10^9 + 1 give the policy and distribution of 0 and 1."""
    plain = turn_problem(Position.start(), Rules(), "reach:25").payoffs
    moved = TurnPayoffs(tuple(10**9 + x for x in plain.by_total), plain.may_stop)
    assert solve(moved).distribution() == solve(plain).distribution()
    assert solve(moved).value() == 1e9 + solve(plain).value()


def test_tie_rule():
    """A later choice displaces the one held only if worth more by over the tolerance."""
    assert first_best([1, 1, 1], 0) == 0
    assert first_best([1, 1 + 1e-13, 2], 1e-12) == 2
    assert first_best([1, 1 + 1e-13], 1e-12) == 0
    assert first_best([Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**30)], 0) == 1
    assert rank({3: 0.5, 0: 1.0, 5: 1.0, 1: 0.5}, 1e-12) == (
        (0, True),
        (5, True),
        (3, False),
        (1, False),
    )


def test_stop_goes_before_roll_when_they_tie():
    """With constant payoffs a turn stops as soon as it may."""
    payoffs = TurnPayoffs((2,) * 16, (True,) * 16)
    for solution in (solve(payoffs), ExactSolution(payoffs)):
        assert solution.then(Dice.parse("3")) == "stop"
        assert solution.then(Dice()) == "roll"
        assert solution.stop_value(Dice()) is None


@settings(max_examples=60)
@given(strategies.payoffs(max_dice=5), st.data())
def test_mean_of_the_payoff_over_the_distribution_is_the_value(payoffs, data):
    """From any dice kept; the distribution sums to 1.  True for every payoff and rule."""
    kept = data.draw(strategies.kept_dice(payoffs.dice))
    solution = solve(payoffs)
    distribution = solution.distribution(kept)
    assert sum(distribution) == pytest.approx(1, abs=1e-12)
    mean = sum(p * float(x) for p, x in zip(distribution, payoffs.by_total, strict=True))
    scale = max(1.0, *(abs(float(x)) for x in payoffs.possible))
    assert mean == pytest.approx(solution.value(kept), abs=1e-11 * scale)
    assert min(distribution) >= 0


@given(strategies.payoffs(max_dice=5), st.data())
def test_values_lie_between_the_least_and_the_greatest_payoff(payoffs, data):
    """In every state, for every payoff and rule."""
    value = ExactSolution(payoffs).value(data.draw(strategies.kept_dice(payoffs.dice)))
    assert min(payoffs.possible) <= value <= max(payoffs.possible)


@given(strategies.payoffs(max_dice=4), st.data())
def test_a_larger_payoff_never_lowers_the_value(payoffs, data):
    """With the rules of stopping unchanged; from any dice kept."""
    at = data.draw(st.sampled_from([0, *range(5, len(payoffs.by_total))]))
    more = data.draw(st.integers(0, 3))
    raised = list(payoffs.by_total)
    raised[at] = Fraction(raised[at]) + more
    kept = data.draw(strategies.kept_dice(payoffs.dice))
    better = TurnPayoffs(tuple(raised), payoffs.may_stop, payoffs.keep_sum)
    assert ExactSolution(better).value(kept) >= ExactSolution(payoffs).value(kept)
