"""The tiles and rules of a game as compiled code takes them, by the number of a tile.

Tiles are numbered from the lowest.  Final totals fall into *classes*: totals that match the same
tile, or lie between the same two, claim alike.  Class 0 claims nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Any, NamedTuple, get_args

import numpy as np

from pickomino._runtime.shared import freeze
from pickomino.dice import LEAST_TOTAL
from pickomino.equipment import Equipment
from pickomino.game import _packing as packing
from pickomino.rules import GrillClaim, Rules
from pickomino.turn.graph import IntArray

__all__ = ["MAX_TILES", "Code", "best_claim", "class_of_total", "make_code"]

MAX_TILES = 16
"""How many tiles can be in play: a packed tile has four bits."""


class Code(NamedTuple):
    """A game as compiled code takes it.

    Attributes:
        tiles: How many tiles are in play.
        depth: How many tiles of a stack can be lost.
        win: Whether the objective is ``win``.
        spares: Whether a returned tile that is the highest is not followed by a flip.
        bare: Whether a bust without a tile flips one.
        highest: Whether the highest tile breaks a tie.
        mandatory: Whether a steal must be made.
        grill: The index of the rule of grill claims.
        reach: How many of the tiles are within the dice's highest total.
        worms: ``(tiles,)`` the worms of each.
        exact: ``(classes,)`` the tile that a class of totals matches; -1 for none.
        below: ``(classes,)`` how many tiles lie below those totals.
    """

    tiles: int
    depth: int
    win: bool
    spares: bool
    bare: bool
    highest: bool
    mandatory: bool
    grill: int
    reach: int
    worms: IntArray
    exact: IntArray
    below: IntArray


def class_of_total(tiles: tuple[int, ...], equipment: Equipment) -> IntArray:
    """``(totals,)`` the class of each final total; 0 is a turn without a worm.

    Args:
        tiles: The tiles in play, ascending.
        equipment: The dice and tiles of the game.
    """
    lowest = max(LEAST_TOTAL, tiles[0])
    kinds = [
        (bisect_left(tiles, t), t in tiles) if t >= lowest else (-1, False)
        for t in range(equipment.max_total + 1)
    ]
    names = sorted({(-1, False), *kinds})
    classes = np.array([names.index(kind) for kind in kinds])
    classes.setflags(write=False)
    return classes


def best_claim(
    rest: Any,
    exact: Any,
    below: Any,
    steal: Any,
    bust: Any,
    worth: Any,
    row: Any,
    mandatory: Any,
    grill: Any,
) -> Any:
    """The best option at a class of totals; compiled code compiles this very function.

    It takes numbers where it could take a :class:`Code` and a row of what options are worth, as to
    hand those over for each class takes longer than the choice.

    Args:
        rest: The integer of a packed position that holds the grill.
        exact: The tile that the totals match; -1 for none.
        below: How many tiles lie below them.
        steal: The option that steals that tile; ``bust`` where none does.
        bust: The option of a bust.
        worth: ``(n, options)`` what each is worth.
        row: The row of the position.
        mandatory: Whether a steal must be made.
        grill: The index of the rule of grill claims.

    Returns:
        The option; of equals the steal, then the highest tile.
    """
    best, tile = steal, below - 1 if exact < 0 else exact
    if mandatory and steal != bust:
        return steal
    while tile >= 0:
        if packing.lies_on(rest, tile):
            if best == bust or worth[row, tile] > worth[row, best]:
                best = tile
            # An exact match is the only claim, and of lower ones the next may be.
            if grill == 0 or (grill == 1 and tile == exact):
                break
        tile -= 1
    return best


def make_code(
    tiles: tuple[int, ...], equipment: Equipment, rules: Rules, depth: int, win: bool
) -> Code:
    """A game as compiled code takes it.

    Args:
        tiles: The tiles in play, ascending.
        equipment: The dice and tiles of the game.
        rules: The rule set.
        depth: How many tiles of a stack can be lost.
        win: Whether the objective is ``win``.
    """
    _, totals = np.unique(class_of_total(tiles, equipment), return_index=True)
    code = Code(
        len(tiles),
        depth,
        win,
        rules.flip == "unless_returned_highest",
        rules.flip_without_tile,
        rules.tie_break == "highest_tile",
        rules.steal == "mandatory",
        get_args(GrillClaim).index(rules.grill_claim),
        sum(tile <= equipment.max_total for tile in tiles),
        np.array([equipment.worms_on(tile) for tile in tiles]),
        np.array([tiles.index(t) if t in tiles else -1 for t in totals.tolist()]),
        np.array([bisect_left(tiles, total) for total in totals.tolist()]),
    )
    freeze(code)
    return code
