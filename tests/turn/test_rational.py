"""The turn in rationals: against brute force, and what holds for any payoffs."""

from fractions import Fraction

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import strategies
from brute import brute_value
from pickomino.turn.payoffs import TurnPayoffs
from pickomino.turn.rational import RationalSolution


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(strategies.payoffs(max_dice=4, values=st.integers(-5, 5)))
def test_rationals_equal_brute_force(payoffs):
    """Enumerating all 6^n ordered rolls gives the same fraction, for 1-4 dice."""
    assert RationalSolution(payoffs).value() == brute_value(payoffs)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(strategies.payoffs(max_dice=4, values=st.sampled_from([0, 1, 2, 10**13, -(10**40)])))
def test_what_nearly_ties_is_told_apart(payoffs):
    """Beside a huge payoff the others differ by less than any tolerance of floats."""
    solved = RationalSolution(payoffs)
    assert solved.value() == brute_value(payoffs)
    mean = sum(p * x for p, x in zip(solved.distribution(), payoffs.by_total, strict=True))
    assert solved.value() == mean  # the policy is that of the value


@given(strategies.payoffs(max_dice=5), st.data())
def test_values_lie_between_the_least_and_the_greatest_payoff(payoffs, data):
    """In every state, for every payoff and rule."""
    value = RationalSolution(payoffs).value(data.draw(strategies.kept_dice(payoffs.dice)))
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
    assert RationalSolution(better).value(kept) >= RationalSolution(payoffs).value(kept)
