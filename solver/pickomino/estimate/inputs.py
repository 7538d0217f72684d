"""What a network sees of a position: numbers from 0 to about 1, laid out here.

=====================  =============================================================================
``0 ... 8``            the rule switches, one number for each value that is not its first
``9 ... 14``           one-hot: how many play, 2 to 7
``15 ... 30``          the grill, one number a tile
from 31 on, 36 a seat  one-hot 16: its top; one-hot 16: the tile below it; worms / 10; tiles / 8;
                       highest tile / 16, counted from 1; 1 if it has none
=====================  =============================================================================

Seats follow in turn order from the player to move on, so that a game of fewer players takes the
first numbers only.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pickomino.position import MAX_PLAYERS, Position
from pickomino.rules import SWITCHES, Rules

__all__ = [
    "GAME",
    "PER_SEAT",
    "SCALE",
    "TILES",
    "Float32Array",
    "inputs",
    "inputs_of_game",
    "width",
]

Float32Array = NDArray[np.float32]

TILES = 16
PER_SEAT = 2 * TILES + 4
_VALUES = [(switch, value) for switch, values in SWITCHES.items() for value in values[1:]]
GAME = len(_VALUES) + MAX_PLAYERS - 1
"""How many numbers are the same in all positions of a game."""

SCALE = np.array([10, 8, TILES], dtype=np.float32)
"""What worms, tiles and the highest tile are divided by."""


def width(players: int) -> int:
    """How many numbers a network sees of a game of some players."""
    return GAME + TILES + PER_SEAT * players


def inputs_of_game(rules: Rules, players: int) -> Float32Array:
    """``(GAME,)`` the numbers that say which game it is."""
    seen = np.zeros(GAME, dtype=np.float32)
    seen[: len(_VALUES)] = [getattr(rules, switch) == value for switch, value in _VALUES]
    seen[len(_VALUES) + players - 2] = 1
    return seen


def inputs(positions: Sequence[Position], rules: Rules) -> Float32Array:
    """``(n, width)`` what a network sees of some positions of one game."""
    players = len(positions[0].stacks)
    seen = np.zeros((len(positions), width(players)), dtype=np.float32)
    seen[:, :GAME] = inputs_of_game(rules, players)
    for row, position in zip(seen, positions, strict=True):
        number = {tile: i for i, tile in enumerate(position.equipment.tiles)}
        for tile in position.grill:
            row[GAME + number[tile]] = 1
        for seat in range(players):
            player = (position.mover + seat) % players
            stack = position.stacks[player]
            at = GAME + TILES + PER_SEAT * seat
            if not stack:
                row[at + PER_SEAT - 1] = 1
                continue
            row[at + number[stack[-1]]] = 1
            if len(stack) > 1:
                row[at + TILES + number[stack[-2]]] = 1
            facts = position.worms(player), len(stack), 1 + number[max(stack)]
            row[at + 2 * TILES : at + PER_SEAT - 1] = facts / SCALE
    return seen
