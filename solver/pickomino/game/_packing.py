"""How a position of two players is packed into three integers, and read again.

Seen by the player to move they are

    own      the mover's stack in play, four bits a tile, the top one lowest
    other    the opponent's
    rest     bits 0-15   the grill, one bit a tile
                 16-19   how many tiles ``own`` holds
                 20-23   how many ``other`` holds
                 24-29   the height of the highest banked tile, 0 if none is banked
                 30      whether the mover banked that one
                 32-63   the worms banked by the mover, less the opponent's

What the numbers mean is said in :mod:`pickomino.game.model`.  The functions take integers and NumPy
arrays alike, and :mod:`pickomino.game._moves` compiles those of ``COMPILED``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

TILE_BITS = 4
TILE = (1 << TILE_BITS) - 1
GRILL = 0xFFFF
OWN_SIZE, OTHER_SIZE, SIZE = 16, 20, 15
HEIGHT_AT, HEIGHT = 24, 63
HOLDS_AT = 30
LEAD_AT = 32


def grill(rest: Any) -> Any:
    """The tiles on the grill, one bit each."""
    return rest & GRILL


def lies_on(grill_or_rest: Any, tile: Any) -> Any:
    """1 if a tile lies on the grill, else 0."""
    return grill_or_rest >> tile & 1


def with_flipped(grill_or_rest: Any, tile: Any) -> Any:
    """The same with a tile taken off the grill, or laid on it."""
    return grill_or_rest ^ 1 << tile


def below(grill: Any, tile: Any) -> Any:
    """Those of the tiles on a grill that are lower than a tile."""
    return grill & (1 << tile) - 1


def highest(grill_or_rest: Any, tiles: Any) -> Any:
    """The highest of the tiles that lies on a grill, which is not empty."""
    tile = tiles - 1
    while not lies_on(grill_or_rest, tile):
        tile -= 1
    return tile


def own_size(rest: Any) -> Any:
    """How many tiles the mover's stack holds."""
    return rest >> OWN_SIZE & SIZE


def other_size(rest: Any) -> Any:
    """How many tiles the opponent's stack holds."""
    return rest >> OTHER_SIZE & SIZE


def one_more_own(rest: Any) -> Any:
    """The third integer when the mover's stack holds one more tile."""
    return rest + (1 << OWN_SIZE)


def one_more_other(rest: Any) -> Any:
    """The third integer when the opponent's stack holds one more tile."""
    return rest + (1 << OTHER_SIZE)


def banked_height(rest: Any) -> Any:
    """The height of the highest banked tile; 0 if none is banked."""
    return rest >> HEIGHT_AT & HEIGHT


def banked_by_mover(rest: Any) -> Any:
    """1 if the mover banked the highest banked tile, else 0."""
    return rest >> HOLDS_AT & 1


def banked_lead(rest: Any) -> Any:
    """The worms banked by the mover, less the opponent's."""
    return rest >> LEAD_AT


def pack_rest(grill: Any, own: Any, other: Any, height: Any, by_mover: Any, lead: Any) -> Any:
    """The third integer.

    Args:
        grill: The tiles on the grill, one bit each.
        own: How many tiles the mover's stack holds.
        other: How many the opponent's holds.
        height: The height of the highest banked tile; 0 if none is banked.
        by_mover: 1 if the mover banked it, else 0.
        lead: The worms banked by the mover, less the opponent's.
    """
    sizes = own << OWN_SIZE | other << OTHER_SIZE
    return (grill | sizes | height << HEIGHT_AT | by_mover << HOLDS_AT) + (lead << LEAD_AT)


def tile_at(stack: Any, place: Any) -> Any:
    """A tile of a stack; place 0 is the top."""
    return stack >> TILE_BITS * place & TILE


def put_on(stack: Any, tile: Any) -> Any:
    """A stack with one more tile on top."""
    return stack << TILE_BITS | tile


def without_top(stack: Any) -> Any:
    """A stack without its top tile."""
    return stack >> TILE_BITS


def cut_to(stack: Any, size: Any) -> Any:
    """The top tiles of a stack."""
    return stack & (1 << TILE_BITS * size) - 1


def pack_grill(tiles: Iterable[int]) -> int:
    """The tiles on a grill, one bit each."""
    return sum(1 << tile for tile in tiles)


def pack_stack(tiles: Iterable[int]) -> int:
    """A stack of some tiles, the top one first."""
    return sum(tile << TILE_BITS * place for place, tile in enumerate(tiles))


COMPILED = (
    grill,
    lies_on,
    with_flipped,
    highest,
    own_size,
    other_size,
    one_more_own,
    one_more_other,
    banked_height,
    banked_by_mover,
    banked_lead,
    pack_rest,
    tile_at,
    put_on,
    without_top,
    cut_to,
)
"""What compiled code may call too."""
