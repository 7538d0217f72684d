"""The place of a position in a table of all positions of some tiles.

Positions lie by grill as a number whose bits are tiles; then by the sizes of the mover's and of the
other's stack; then by the tiles in the stacks, the mover's top first, each counted among those not
named before: the first of ``m`` tiles takes a place from 0 to ``m - 1``, the next from 0 to
``m - 2`` and so on.  With tiles 0, 1, 2 and the grill {0}, the mover's stack 2 and the other's 1 is
the second of the two positions with these sizes, as 2 is the second of the tiles 1 and 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import perm

import numpy as np

from pickomino.game import _packing as packing
from pickomino.game.model import MAX_DEPTH, Words
from pickomino.turn.graph import IntArray

__all__ = ["Ranking"]


@dataclass(frozen=True)
class Ranking:
    """All positions of some tiles, with stacks up to a depth.

    Attributes:
        tiles: How many tiles there are, 1 to 16.
        depth: How many tiles of a stack are in play.
    """

    tiles: int
    depth: int = MAX_DEPTH

    @property
    def states(self) -> int:
        """How many positions there are with a tile on the grill."""
        return int(self._by_grill[-1])

    @cached_property
    def _by_size(self) -> IntArray:
        """``(tiles + 1, sizes, sizes)`` where positions with those stacks begin, by tiles left.

        The last place of all is how many there are.
        """
        sizes = range(min(self.depth, self.tiles) + 1)
        counts = [
            [perm(m, a + b) if a + b <= m else 0 for a in sizes for b in sizes]
            for m in range(self.tiles + 1)
        ]
        return np.cumsum(np.pad(counts, ((0, 0), (1, 0))), axis=1)

    @cached_property
    def _by_grill(self) -> IntArray:
        """``(grills + 1,)`` where the positions with each grill begin; an empty one has none."""
        left = self.tiles - np.bitwise_count(np.arange(1, 1 << self.tiles)).astype(np.int64)
        return np.append([0, 0], np.cumsum(self._by_size[left, -1]))

    def of(self, words: IntArray) -> IntArray:
        """The places of packed positions.

        Args:
            words: ``(n, 3)`` the positions, as :mod:`pickomino.game._packing` says.
        """
        rest = words[:, 2]
        grill = packing.grill(rest)
        sizes = packing.own_size(rest), packing.other_size(rest)
        free = packing.pack_grill(range(self.tiles)) ^ grill
        left = np.bitwise_count(free).astype(np.int64)
        width = min(self.depth, self.tiles) + 1
        place = self._by_grill[grill] + self._by_size[left, sizes[0] * width + sizes[1]]
        within = np.zeros(len(words), dtype=np.int64)
        for word, size in zip((words[:, 0], words[:, 1]), sizes, strict=True):
            for i in range(int(size.max(initial=0))):
                named = i < size
                tile = packing.tile_at(word, i)
                lower = np.bitwise_count(packing.below(free, tile)).astype(np.int64)
                within = np.where(named, within * left + lower, within)
                left = left - named
                free = np.where(named, packing.with_flipped(free, tile), free)
        found: IntArray = place + within
        return found

    def words(self, place: int) -> Words:
        """The packed position at a place."""
        grill = int(np.searchsorted(self._by_grill, place, side="right")) - 1
        rest = place - int(self._by_grill[grill])
        free = [tile for tile in range(self.tiles) if not packing.lies_on(grill, tile)]
        starts = self._by_size[len(free)]
        pair = int(np.searchsorted(starts, rest, side="right")) - 1
        rest -= int(starts[pair])
        own, other = divmod(pair, min(self.depth, self.tiles) + 1)
        digits = []
        for left in range(len(free) - own - other + 1, len(free) + 1):
            rest, digit = divmod(rest, left)
            digits.append(digit)
        named = [free.pop(digit) for digit in reversed(digits)]
        mine, theirs = packing.pack_stack(named[:own]), packing.pack_stack(named[own:])
        return mine, theirs, packing.pack_rest(grill, own, other, 0, 0, 0)
