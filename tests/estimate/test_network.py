"""The network: what its outputs are, and that its gradients are those of its loss."""

import numpy as np
import pytest

from pickomino.estimate.inputs import width
from pickomino.estimate.network import Network


def network(objective):
    """One with outputs that differ."""
    rng = np.random.default_rng(1)
    made = Network.untrained(objective, rng)
    last = rng.normal(0, 0.3, made.last.shape).astype(np.float32)
    return Network(objective, made.first, made.second, last)


def some_positions(players, number=20):
    """Inputs that need not be of any game."""
    rng = np.random.default_rng(2)
    return (rng.random((number, width(players))) < 0.2).astype(np.float32)


@pytest.mark.parametrize("players", [2, 4, 7])
@pytest.mark.parametrize(("objective", "total"), [("win", 1), ("margin", 0)])
def test_values_of_all_seats_add_up(objective, total, players):
    """Shares to 1, margins to 0."""
    values = network(objective).values(some_positions(players), players)
    assert values.shape == (20, players)
    assert values.sum(axis=1) == pytest.approx(total, abs=1e-4)
    assert np.ptp(values) > 0.01


@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize("objective", ["win", "margin"])
def test_gradients_are_those_of_the_loss(objective, players):
    """Compared with differences, in double precision, at the steepest weights of each layer."""
    single, seen = network(objective), some_positions(players)
    target = network(objective).values(some_positions(players)[::-1], players)
    weights = [layer.astype(np.float64) for layer in single.weights]
    gradients, squares = Network(objective, *weights).gradients(seen, players, target)

    def loss(layers):
        values = Network(objective, *layers).values(seen, players)
        if objective == "win":
            return -(target * np.log(values)).sum()
        return ((values - target) ** 2).sum() / 2 / 100  # in units of ten worms

    values = Network(objective, *weights).values(seen, players)
    assert squares == pytest.approx(((values - target) ** 2).sum())
    for number, gradient in enumerate(gradients):
        for flat in np.argsort(-abs(gradient), axis=None)[:5]:
            at = np.unravel_index(flat, gradient.shape)
            step = np.zeros_like(weights[number])
            step[at] = 1e-6
            up, down = (
                loss([w + sign * step if n == number else w for n, w in enumerate(weights)])
                for sign in (1, -1)
            )
            assert (up - down) / 2e-6 == pytest.approx(gradient[at], rel=1e-3)
