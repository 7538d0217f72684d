"""The turn in NumPy: against brute force, played turns, and its own distributions."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from brute import brute_value
from pickomino import PRESETS, Dice, Equipment, Position, Rules, solve_turn
from pickomino.dice import FACES
from pickomino.objectives import turn_problem
from pickomino.turn.payoffs import TurnPayoffs
from pickomino.turn.rational import RationalSolution
from pickomino.turn.solve import solve
from samples import TABLE

AGREE = 1e-12


@pytest.mark.parametrize("preset", PRESETS)
def test_all_solvers_equal_brute_force_on_a_small_game(preset):
    """Four dice, tiles 8-16, one tile at stake and one to steal, under each preset."""
    box = Equipment(4, tuple(range(8, 17)), (1, 1, 1, 2, 2, 2, 3, 3, 4))
    for text in ("8-16 - 1", "8,9,12-14,16 10/15/11 1", "12,13 8/- 2"):
        for objective in ("worms", "swing", "total"):
            problem = turn_problem(Position.parse(f"{text} {box}"), Rules.preset(preset), objective)
            value = brute_value(problem.payoffs)
            assert RationalSolution(problem.payoffs).value() == value
            assert solve(problem.payoffs).value() == pytest.approx(float(value), abs=AGREE)


def test_a_large_constant_in_the_payoffs_costs_no_digits():
    """Payoffs of 10^9 and 10^9 + 1 give the policy and distribution of 0 and 1."""
    plain = turn_problem(Position.start(), Rules(), "reach:25").payoffs
    moved = TurnPayoffs(tuple(10**9 + x for x in plain.by_total), plain.may_stop)
    assert solve(moved).distribution() == solve(plain).distribution()
    assert solve(moved).value() == 1e9 + solve(plain).value()


def test_stop_goes_before_roll_when_they_tie():
    """With constant payoffs a turn stops as soon as it may."""
    payoffs = TurnPayoffs((2,) * 16, (True,) * 16)
    for solution in (solve(payoffs), RationalSolution(payoffs)):
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


@pytest.mark.parametrize(
    ("preset", "objective", "kept"),
    [("rulebook", "worms", ""), ("bga-literal", "swing", ""), ("tag", "worms", "3 3")],
)
def test_playing_the_policy_gives_the_solved_distribution(preset, objective, kept):
    """4,000 turns with seeded dice: every final total's share within 5 standard errors.

    If the solver is right a share strays that far with a chance of 6e-7, so that any of some 30
    totals does so with less than 2e-5.
    """
    turns, rng = 4000, np.random.default_rng(20)
    problem = turn_problem(TABLE, Rules.preset(preset), objective)
    solution = solve_turn(TABLE, rules=Rules.preset(preset), objective=objective)
    expected = solution.distribution(Dice.parse(kept))
    ended = Counter(played_turn(solution, problem, Dice.parse(kept), rng) for _ in range(turns))
    assert set(ended) <= {t for t, p in enumerate(expected) if p > 0}
    for total, p in enumerate(expected):
        error = (p * (1 - p) / turns) ** 0.5
        assert ended[total] / turns == pytest.approx(p, abs=5 * error + 1e-12)


def played_turn(solution, problem, kept, rng):
    """The final total of one turn played with the policy; the rules of dice spelled out here."""
    while solution.then(kept) == "roll":
        faces = rng.choice(list(FACES), problem.position.equipment.dice - kept.number)
        roll = Dice.parse("".join(faces))
        if not set(faces) - set(str(kept)):
            return kept.total if problem.payoffs.keep_sum and "W" in str(kept) else 0
        face = solution.keeps(kept, roll)[0].face
        kept = kept.plus(face, roll.counts[face])
    return kept.total if "W" in str(kept) else 0
