"""The turn in compiled code: lanes that do not mix, and what is refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pickomino import ObjectiveError
from pickomino.turn.batch import LANES, solve_batch
from pickomino.turn.payoffs import TurnPayoffs
from pickomino.turn.solve import solve

AGREE = 1e-12


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


@pytest.mark.parametrize("least", [5e-324, 1e-310, 1e-101, 1e-99])
def test_tiny_payoffs_lose_no_digits(least):
    """Down to the least double, the values of a batch are those of larger payoffs."""
    hit = np.array([0.0] * 15 + [1.0, 0.0, 0.0, 1.0, 0.0, 1.0])
    plain = solve_batch(hit, [True] * 21, distribution=True, rolled=True)
    tiny = solve_batch(hit * least, [True] * 21, distribution=True, rolled=True)
    assert tiny.value == pytest.approx(plain.value * least, rel=1e-12, abs=0)
    assert np.array_equal(tiny.distribution, plain.distribution)
    assert tiny.rolled == pytest.approx(plain.rolled * least, rel=1e-12, abs=0)


@pytest.mark.parametrize(
    ("by_total", "may_stop", "message"),
    [
        ([0.0] * 40, [True] * 40, r"shape \(1, 40\) fit no dice: give 5 times the dice plus 1"),
        ([0.0], [True], "fit no dice"),
        ([[[0.0] * 6]], [True] * 6, "fit no dice"),
        ([0.0] * 6, [True] * 5, r"may_stop of shape \(5,\) does not fit"),
        (["x"] * 6, [True] * 6, "the payoffs are .*: give an array"),
        ([0.0] * 5 + [float("nan")], [True] * 6, "a payoff is beyond"),
    ],
)
def test_batches_that_are_no_payoffs_are_refused(by_total, may_stop, message):
    """Shapes and numbers are checked before anything is computed."""
    with pytest.raises(ObjectiveError, match=message):
        solve_batch(by_total, may_stop)
