"""A network that values positions for every seat at once: two hidden layers, in NumPy alone.

For ``win`` it gives each seat's share of the win, which sum to 1; for ``margin`` the worms that
each seat still wins, less the mean of the others', which sum to 0.  One network plays games of any
number of players: those of fewer use the first inputs and outputs only.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pickomino.estimate.inputs import Float32Array, width
from pickomino.objectives import GameObjective
from pickomino.position import MAX_PLAYERS

__all__ = ["HIDDEN", "Layers", "Network"]

HIDDEN = (256, 64)
"""How many units the two hidden layers have."""

WORMS = 10
"""The unit of the outputs for ``margin``, so that they are about 1."""


@dataclass(frozen=True, eq=False)
class Network:
    """The weights, and what they are for.

    Attributes:
        objective: ``win`` or ``margin``.
        first: ``(inputs + 1, units)`` weights of the first layer, the last row for what is always
            there; so for the others.
        second: ``(units + 1, units)``.
        last: ``(units + 1, seats)``.
    """

    objective: GameObjective
    first: Float32Array
    second: Float32Array
    last: Float32Array

    @classmethod
    def untrained(cls, objective: GameObjective, rng: np.random.Generator) -> Network:
        """Random weights (He and others, 2015), and outputs near 0."""
        sizes = [width(MAX_PLAYERS), *HIDDEN, MAX_PLAYERS]
        weights = []
        for rows, units in pairwise(sizes):
            # Of the first inputs only some fifty are not 0 at a time.
            spread = np.sqrt(2 / min(rows, 64)) * (0.1 if units == MAX_PLAYERS else 1)
            layer = rng.normal(0, spread, (rows + 1, units))
            layer[-1] = 0
            weights.append(layer.astype(np.float32))
        return cls(objective, *weights)

    @property
    def weights(self) -> tuple[Float32Array, ...]:
        """The three layers' weights."""
        return self.first, self.second, self.last

    def values(self, seen: Float32Array, players: int) -> Float32Array:
        """What positions are worth to each seat, from the player to move on.

        Args:
            seen: ``(n, width(players))`` the positions as :mod:`pickomino.estimate.inputs` says.
            players: How many play.

        Returns:
            ``(n, players)``.
        """
        return self.forward(seen, players)[-1]

    def forward(self, seen: Float32Array, players: int) -> Layers:
        """The hidden layers and the values, for training."""
        one = np.maximum(seen @ self.first[: seen.shape[1]] + self.first[-1], 0)
        two = np.maximum(one @ self.second[:-1] + self.second[-1], 0)
        out = two @ self.last[:-1, :players] + self.last[-1, :players]
        if self.objective == "win":
            out -= out.max(axis=1, keepdims=True)
            np.exp(out, out=out)
            out /= out.sum(axis=1, keepdims=True)
        else:
            out -= out.mean(axis=1, keepdims=True)
            out *= WORMS
        return one, two, out

    def gradients(
        self, seen: Float32Array, players: int, target: Float32Array
    ) -> tuple[tuple[Float32Array, ...], float]:
        """How the weights change the loss: cross-entropy for ``win``, squares for ``margin``.

        Args:
            seen: ``(n, width(players))`` positions.
            players: How many play.
            target: ``(n, players)`` what their values should be.

        Returns:
            Of each layer the sum over the positions, in the shape of the layer, and the sum of the
            squares by which the values miss the targets.
        """
        one, two, out = self.forward(seen, players)
        miss = out - target
        slope = miss if self.objective == "win" else miss / WORMS
        last, second, first = (np.zeros_like(layer) for layer in reversed(self.weights))
        last[:-1, :players], last[-1, :players] = two.T @ slope, slope.sum(axis=0)
        back = (slope @ self.last[:-1, :players].T) * (two > 0)
        second[:-1], second[-1] = one.T @ back, back.sum(axis=0)
        back = (back @ self.second[:-1].T) * (one > 0)
        first[: seen.shape[1]], first[-1] = seen.T @ back, back.sum(axis=0)
        return (first, second, last), float((miss * miss).sum())


Layers = tuple[Float32Array, Float32Array, Float32Array]
"""The units of the two hidden layers, and the values."""
