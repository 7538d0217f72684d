"""Payoffs of every number type, with or without a large constant in all of them."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from pickomino import ObjectiveError, TurnPayoffs, advise, odds, play_game, review_game, solve_batch

PLACE = "21-23,26-36 25/24 1"
FAR = 10**17


def regrets(objective, **settings):
    """What each keep of a roll loses."""
    options = advise(PLACE, "3 3 3", "1 3 4 4 W", objective=objective, **settings).options
    return [float(option.regret) for option in options]


def near(outcome):
    """The total of a turn that claims a tile."""
    return outcome.total if outcome.claim else 0


@pytest.mark.parametrize(
    "far",
    [
        lambda o: FAR + near(o),
        lambda o: FAR + near(o) if o.claim else float(FAR),
        lambda o: Decimal(FAR) + near(o),
        lambda o: Fraction(FAR) + np.int64(near(o)),
        lambda o: np.longdouble(FAR) + near(o),
    ],
    ids=["int", "mixed", "decimal", "fraction", "longdouble"],
)
def test_a_constant_costs_no_digit(far):
    """Whatever type it has, and whatever was asked before."""
    assert regrets(far) == pytest.approx(regrets(near), abs=1e-9)
    assert float(odds(PLACE, objective=far).variance) == pytest.approx(
        float(odds(PLACE, objective=near).variance)
    )


def test_fractions_of_decimals_are_exact():
    """A tenth is a tenth."""
    tenth = odds("21-36 - 1", objective=lambda o: Decimal("0.1") * o.total, exact=True)
    assert (
        tenth.value
        == odds("21-36 - 1", objective=lambda o: Fraction(o.total, 10), exact=True).value
    )


def test_a_review_loses_no_digit_either():
    """Regret, luck and best moves are those without the constant."""
    record = play_game(["random", "random"], seed=3, equipment="4d:9x1,10x2,12x1,14x3").record
    plain = review_game(record, objective=near)
    far = review_game(record, objective=lambda o: FAR + near(o))
    for a, b in zip(plain.summaries, far.summaries, strict=True):
        assert (b.regret, b.luck) == pytest.approx((a.regret, a.luck), abs=1e-9)
    assert [d.best for d in far.decisions] == [d.best for d in plain.decisions]


@pytest.mark.parametrize(
    "value", ["3", b"3", 1j, np.complex64(1), None, [], np.array([1]), 10**400]
)
def test_what_is_no_number_is_no_payoff(value):
    """Neither of an outcome nor in a list of payoffs."""
    with pytest.raises(ObjectiveError, match="the payoff of "):
        odds(PLACE, objective=lambda o: value)
    with pytest.raises(ObjectiveError, match="is no payoff"):
        TurnPayoffs((value,) + (0,) * 5, (True,) * 6)


@pytest.mark.parametrize(
    ("payoffs", "stops"),
    [
        (np.arange(6.0), ["no"] * 6),
        (np.arange(6.0), [float("nan")] * 6),
        (np.arange(6.0), [[True], [True, False]]),
        (np.arange(6) * (1 + 1j), [True] * 6),
        (np.arange(6).astype("datetime64[D]"), [True] * 6),
        (np.ma.masked_array(np.arange(6.0)), [True] * 6),
        ("x" * 5000, [True] * 6),
        (np.arange(6) + 2**62, [True] * 6),
        ([2**80 + x for x in range(6)], [True] * 6),
        (np.arange(6) + np.longdouble(2) ** 63, [True] * 6),
    ],
)
def test_batches_take_numbers_and_flags(payoffs, stops):
    """Text, dates, complex and masked numbers are neither."""
    with pytest.raises(ObjectiveError) as error:
        solve_batch(payoffs, stops)
    assert len(str(error.value)) < 200


def test_numpy_numbers_do_not_wrap():
    """As they become Python's."""
    narrow = TurnPayoffs(tuple(np.array([-100] * 5 + [100], np.int8)), (True,) * 6)
    assert narrow == TurnPayoffs((-100,) * 5 + (100,), (True,) * 6)
    assert narrow.tolerance > 0
