"""The layout of packed positions: what is packed is read again, by integers, arrays and kernels."""

import numba
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pickomino.game import _moves  # noqa: F401  compiled code may call the functions then
from pickomino.game import _packing as packing

FIELDS = st.tuples(
    st.integers(0, 2**16 - 1),
    st.integers(0, 15),
    st.integers(0, 15),
    st.integers(0, 63),
    st.integers(0, 1),
    st.integers(-(2**31), 2**31 - 1),
)


def read(rest):
    """All that the third integer holds."""
    return (
        packing.grill(rest),
        packing.own_size(rest),
        packing.other_size(rest),
        packing.banked_height(rest),
        packing.banked_by_mover(rest),
        packing.banked_lead(rest),
    )


@numba.njit
def packed_and_read(grill, own, other, height, by_mover, lead):
    """The third integer, and its parts, in compiled code."""
    rest = packing.pack_rest(grill, own, other, height, by_mover, lead)
    return rest, (
        packing.grill(rest),
        packing.own_size(rest),
        packing.other_size(rest),
        packing.banked_height(rest),
        packing.banked_by_mover(rest),
        packing.banked_lead(rest),
    )


@given(FIELDS)
def test_the_third_integer_holds_six_numbers(fields):
    """Each is read as it was packed, the whole fits 64 bits, and compiled code agrees."""
    rest = packing.pack_rest(*fields)
    assert read(rest) == fields
    assert packed_and_read(*fields) == (rest, fields)
    assert [a.tolist() for a in read(np.array([rest, 0]))] == [[field, 0] for field in fields]


@given(st.lists(st.integers(0, 15), max_size=15), st.integers(0, 15))
def test_a_stack_is_read_from_the_top(tiles, size):
    """Tiles lie in order, and one put on and taken off again leaves the stack as it was."""
    stack = packing.pack_stack(tiles)
    assert [packing.tile_at(stack, place) for place in range(len(tiles))] == tiles
    assert packing.cut_to(stack, size) == packing.pack_stack(tiles[:size])
    more = packing.put_on(stack, 7)
    assert (packing.tile_at(more, 0), packing.without_top(more)) == (7, stack)


@given(st.sets(st.integers(0, 15)), st.integers(0, 15))
def test_a_grill_is_a_set_of_tiles(tiles, tile):
    """A flipped tile is on it if it was not, and lower ones are counted as they lie."""
    grill = packing.pack_grill(tiles)
    assert packing.lies_on(grill, tile) == (tile in tiles)
    assert packing.with_flipped(grill, tile) == packing.pack_grill(tiles ^ {tile})
    assert packing.below(grill, tile) == packing.pack_grill(t for t in tiles if t < tile)


@given(FIELDS)
def test_one_more_tile_changes_one_size(fields):
    """Nothing but the size of the stack that grows."""
    grill, own, other, *banked = fields
    rest = packing.pack_rest(grill, min(own, 14), min(other, 14), *banked)
    mine, theirs = read(packing.one_more_own(rest)), read(packing.one_more_other(rest))
    assert mine == (grill, min(own, 14) + 1, min(other, 14), *banked)
    assert theirs == (grill, min(own, 14), min(other, 14) + 1, *banked)
