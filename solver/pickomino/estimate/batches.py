"""What a network sees of boards, in compiled code; see :mod:`pickomino.estimate.inputs`."""

from __future__ import annotations

import numpy as np

from pickomino.estimate.inputs import (
    GAME,
    PER_SEAT,
    SCALE,
    TILES,
    Float32Array,
    inputs_of_game,
    width,
)
from pickomino.game import _packing as packing
from pickomino.game.boards import Boards, jit, size
from pickomino.turn.graph import IntArray

__all__ = ["inputs_of_boards"]


def inputs_of_boards(boards: Boards, words: IntArray) -> Float32Array:
    """``(n, width)`` what a network sees of some boards."""
    seen = np.zeros((len(words), width(boards.seats)), dtype=np.float32)
    seen[:, :GAME] = inputs_of_game(boards.rules, boards.seats)
    _fill(words, boards.code.worms, SCALE, seen)
    return seen


@jit
def _fill(words: IntArray, worms: IntArray, scale: Float32Array, seen: Float32Array) -> None:
    """Fill in what differs from board to board."""
    for x in range(len(words)):
        rest = words[x, -1]
        for tile in range(len(worms)):
            seen[x, GAME + tile] = packing.lies_on(rest, tile)
        for seat in range(words.shape[1] - 1):
            at, stack, tiles = GAME + TILES + PER_SEAT * seat, words[x, seat], size(rest, seat)
            if tiles == 0:
                seen[x, at + PER_SEAT - 1] = 1
                continue
            seen[x, at + packing.tile_at(stack, 0)] = 1
            if tiles > 1:
                seen[x, at + TILES + packing.tile_at(stack, 1)] = 1
            held, high = 0, 0
            for place in range(tiles):
                tile = packing.tile_at(stack, place)
                held += worms[tile]
                high = max(high, tile + 1)
            at += 2 * TILES
            seen[x, at], seen[x, at + 1] = held / scale[0], tiles / scale[1]
            seen[x, at + 2] = high / scale[2]
