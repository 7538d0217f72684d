"""Chances to win where the game is too large to solve for them: from margins, by approximation.

A margin table says of a position what margin ``V`` is still to come, with what standard deviation
``s``.  With the worms ``L`` by which the mover leads, the final margin is taken for normal, and the
chance to win is

    Phi(k (L + V) / s)

with a factor ``k`` by the number of face-up tiles: to depth 1 covered tiles count as safe, so that
the table is too sure of itself.  ``docs/players.md`` says how the factors were found.

Before that is asked the turns ahead are solved on the real stacks, as many as fit: two at the
start of a game, seven or more when one tile is left.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy.special import erf

from pickomino.game import _moves as moves
from pickomino.game import _packing as packing
from pickomino.game.evaluator import ClaimPayoff, Source, by_seat, payoff_of_turn, position_after
from pickomino.game.listing import GameListing, empty_list
from pickomino.game.model import Model, seen_by_mover
from pickomino.game.table import GameTable
from pickomino.position import Claim, Position
from pickomino.turn.graph import FloatArray, IntArray

__all__ = ["AHEAD", "FACTORS", "Chances"]

FACTORS = np.array([0.0, 0.51, 0.56, 0.58, 0.59, 0.60])
"""``k`` by the number of tiles on the grill, the last for all larger ones."""

AHEAD = 2000
"""How many positions ahead are looked at."""


class Chances:
    """Chances to win from a margin table; an :class:`~pickomino.game.evaluator.Evaluator`."""

    def __init__(self, table: GameTable, ahead: int = AHEAD) -> None:
        """Look ahead and then into a table.

        Args:
            table: A table of ``margin``.
            ahead: How many positions to look at before the formula is asked.
        """
        self.table, self.ahead = table, ahead

    @property
    def label(self) -> str:
        """What it answers for, in words."""
        return f"approximate: win chances by a normal approximation from a {self.table.label}"

    @property
    def source(self) -> Source:
        """Where its values are from."""
        return "table"

    def values(self, position: Position) -> tuple[float, ...]:
        """Each seat's chance to win; see :class:`pickomino.game.evaluator.Evaluator`."""
        model, graph, values = self._look_ahead(position)
        chance = model.in_units(graph.values(np.array([0]), values)[0])
        return by_seat(position, chance, "win")

    def payoff(self, position: Position) -> ClaimPayoff:
        """The chance to win by each claim; see :class:`pickomino.game.evaluator.Evaluator`."""
        model, graph, values = self._look_ahead(position)
        here = seen_by_mover(position)

        def value_after(claim: Claim | None) -> float:
            then = position_after(here, claim, model.rules)
            return model.in_units(values[graph.number(model.pack(then))])

        return payoff_of_turn(position, model.rules, "win", value_after)

    def _look_ahead(self, position: Position) -> tuple[Model, GameListing, FloatArray]:
        """The positions some turns ahead with their values; the first is not valued itself."""
        self.table.place(position)  # refuses other equipment
        model = Model(position, self.table.spec.rules, "win")
        graph, ends = _positions_ahead(model, self.ahead)
        values = self.approximate(model, graph.words)
        for begin, end in reversed(list(pairwise(ends[1:-1]))):
            values[begin:end] = graph.values(np.arange(begin, end), values)
        return model, graph, values

    def approximate(self, model: Model, words: IntArray) -> FloatArray:
        """The formula.

        Args:
            model: A model with full stacks, whose tiles the table has.
            words: ``(n, 3)`` its positions, packed.

        Returns:
            ``(n,)`` values as ``win`` counts them, from -1 to 1: twice the chance to win, less 1.

        Raises:
            TableError: Numbers in the table that cannot be.
        """
        tiles = self.table.spec.equipment.tiles
        names = np.array([tiles.index(tile) for tile in model.tiles])
        ranking = self.table.spec.ranking
        seen, lead = moves.seen_to_depth(words, model.code, names, ranking.depth)
        place = ranking.of(seen)
        value, deviation = self.table.value.take(place), self.table.deviation.take(place)
        grill = np.bitwise_count(packing.grill(words[:, 2]))
        factor = FACTORS[np.minimum(grill, len(FACTORS) - 1)]
        z = factor * (lead + value) / np.maximum(deviation, 1e-3)
        value_of_win: FloatArray = erf(z / np.sqrt(2))
        return value_of_win


def _positions_ahead(model: Model, most: int) -> tuple[GameListing, list[int]]:
    """The positions some whole turns ahead, and where in their list each further turn begins.

    The first turn is always among them; those of the last have no successors.
    """
    code = model.code
    listed, successor = empty_list(model, most + 2 * (code.tiles + 2))
    count, ends = 1, [0, 1]
    while ends[-2] < ends[-1]:
        at, count = moves.expand(listed, successor, ends[-2], count, code, ends[-1])
        if at < ends[-1]:
            break  # no room for the whole turn
        ends.append(count)
    count = ends[-1]
    return GameListing(model, listed.words[:count], successor[:count], listed.slots), ends
