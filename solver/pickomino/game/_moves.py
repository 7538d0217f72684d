"""The moves of a game on packed positions, in compiled code; see :mod:`pickomino.game._packing`.

A state has one *option* for each tile that a turn may take from the grill, one for a steal, and the
bust:

    option    0 ... tiles - 1     tiles     tiles + 1
              from the grill      steal     bust

Its successor is the number of the next state, or says how the game ends.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pickomino._runtime.compiled import kernel
from pickomino.game import _packing as packing
from pickomino.game.code import Code, best_claim
from pickomino.turn.graph import FloatArray, IntArray

SHARED, WON, LOST, NONE = -1, -2, -3, -4
"""Successors that are none: how the game ends for the mover, and an option that there is not."""

Successors = NDArray[np.int32]
jit = kernel((*packing.COMPILED, best_claim))


class Listed(NamedTuple):
    """States by number and numbers by state.

    Attributes:
        words: ``(room, 3)`` the states, packed; the first ones are in use.
        slots: ``(power of two,)`` the hash table: numbers of states, -1 where there is none.
    """

    words: IntArray
    slots: Successors


@jit
def _worms_in(stack: int, size: int, code: Code) -> int:
    """The worms on the tiles of a stack."""
    worms = 0
    for place in range(size):
        worms += code.worms[packing.tile_at(stack, place)]
    return worms


@jit
def _height_of(stack: int, size: int) -> int:
    """The height of a stack's highest tile; 0 if it is empty."""
    height = 0
    for place in range(size):
        height = max(height, 2 * packing.tile_at(stack, place) + 2)
    return height


@jit
def _result(own: int, other: int, rest: int, code: Code) -> int:
    """Who is ahead: the first player, the second, or neither, as a successor for the first."""
    mine, theirs = packing.own_size(rest), packing.other_size(rest)
    lead = packing.banked_lead(rest) + _worms_in(own, mine, code) - _worms_in(other, theirs, code)
    if lead == 0 and code.highest:
        high, low = _height_of(own, mine), _height_of(other, theirs)
        if packing.banked_by_mover(rest):
            high = max(high, packing.banked_height(rest))
        else:
            low = max(low, packing.banked_height(rest))
        lead = high - low
    return WON if lead > 0 else LOST if lead < 0 else SHARED


@jit
def _after(own: int, other: int, rest: int, option: int, code: Code) -> tuple[int, int, int]:
    """The next state, seen by the player who moves then."""
    grill, stack, rival = packing.grill(rest), own, other
    mine, theirs = packing.own_size(rest), packing.other_size(rest)
    height, by_mover = packing.banked_height(rest), packing.banked_by_mover(rest)
    lead = packing.banked_lead(rest)
    if option == code.tiles + 1:
        flips = code.bare
        if mine:
            tile = packing.tile_at(stack, 0)
            stack, mine = packing.without_top(stack), mine - 1
            grill = packing.with_flipped(grill, tile)
            flips = not (code.spares and tile == packing.highest(grill, code.tiles))
        if flips:
            grill = packing.with_flipped(grill, packing.highest(grill, code.tiles))
    else:
        tile = option
        if option == code.tiles:
            tile = packing.tile_at(rival, 0)
            rival, theirs = packing.without_top(rival), theirs - 1
        else:
            grill = packing.with_flipped(grill, tile)
        stack, mine = packing.put_on(stack, tile), mine + 1
        if mine > code.depth:
            mine -= 1
            bottom = packing.tile_at(stack, mine)
            stack = packing.cut_to(stack, mine)
            if code.win:
                lead += code.worms[bottom]
                if 2 * bottom + 2 > height:
                    height, by_mover = 2 * bottom + 2, 1
    return rival, stack, _swapped(packing.pack_rest(grill, mine, theirs, height, by_mover, lead))


@jit
def _swapped(rest: int) -> int:
    """The third integer as the other player sees it."""
    height = packing.banked_height(rest)
    by_other = 1 - packing.banked_by_mover(rest) if height else 0
    mine, theirs = packing.own_size(rest), packing.other_size(rest)
    lead = packing.banked_lead(rest)
    swapped: int = packing.pack_rest(packing.grill(rest), theirs, mine, height, by_other, -lead)
    return swapped


@jit
def _is_open(other: int, rest: int, option: int, code: Code) -> bool:
    """Whether some turn can end in an option."""
    if option == code.tiles + 1:
        return True
    if option == code.tiles:
        return bool(packing.other_size(rest) > 0 and packing.tile_at(other, 0) < code.reach)
    return bool(packing.lies_on(rest, option) == 1 and option < code.reach)


@jit
def _place(listed: Listed, own: int, other: int, rest: int) -> int:
    """Where in the hash table a state is, or would be."""
    words, slots = listed
    mask = len(slots) - 1
    mixed = (own * 0x1E3779B97F4A7C15 + other) * 0x2545F4914F6CDD1D + rest
    mixed = (mixed ^ mixed >> 29) * 0x369DEA0F31A53F85
    place = (mixed ^ mixed >> 32) & mask
    while True:
        x = slots[place]
        if x < 0 or (words[x, 0] == own and words[x, 1] == other and words[x, 2] == rest):
            return place
        place = place + 1 & mask


@jit
def _number(listed: Listed, count: int, own: int, other: int, rest: int) -> int:
    """The number of a state; ``count``, which it then gets, if it is new."""
    words, slots = listed
    place = _place(listed, own, other, rest)
    if slots[place] < 0:
        slots[place] = count
        words[count, 0], words[count, 1], words[count, 2] = own, other, rest
    number: int = slots[place]
    return number


@jit
def rehash(listed: Listed, count: int) -> None:
    """Enter the first states into an empty hash table."""
    for x in range(count):
        own, other, rest = listed.words[x]
        listed.slots[_place(listed, own, other, rest)] = x


@jit
def lookup(words: IntArray, slots: Successors, own: int, other: int, rest: int) -> int:
    """The number of a state; -1 if it is not there."""
    number: int = slots[_place(Listed(words, slots), own, other, rest)]
    return number


@jit
def spread(listed: Listed, at: int, count: int, code: Code) -> tuple[int, int]:
    """Number every state there can be: move tiles from the grill to a stack, or out of play.

    Goes on from state ``at`` of ``count`` as long as there is room; returns both.
    """
    words, _ = listed
    x, known = at, count
    while x < known and known + 3 * code.tiles <= len(words):
        own, other, rest = words[x]
        for tile in range(code.tiles):
            less = packing.with_flipped(rest, tile)
            if packing.lies_on(rest, tile) and packing.grill(less):
                known = max(known, 1 + _number(listed, known, own, other, less))
                if packing.own_size(rest) < code.depth:
                    more, then = packing.put_on(own, tile), packing.one_more_own(less)
                    known = max(known, 1 + _number(listed, known, more, other, then))
                if packing.other_size(rest) < code.depth:
                    more, then = packing.put_on(other, tile), packing.one_more_other(less)
                    known = max(known, 1 + _number(listed, known, own, more, then))
        x += 1
    return x, known


@jit
def expand(
    listed: Listed, successor: Successors, at: int, count: int, code: Code, end: int
) -> tuple[int, int]:
    """Number the states that others lead to.

    Args:
        listed: The states found so far.
        successor: ``(room, options)`` filled in.
        at: The first state whose successors are not known.
        count: How many states there are.
        code: The model.
        end: The state to stop before.

    Returns:
        The new ``at`` and ``count``: it goes on as long as there is room.
    """
    words, _ = listed
    x, known = at, count
    while x < min(known, end) and known + code.tiles + 2 <= len(words):
        own, other, rest = words[x]
        for option in range(code.tiles + 2):
            successor[x, option] = NONE
            if _is_open(other, rest, option, code):
                mine, theirs, then = _after(own, other, rest, option, code)
                if packing.grill(then):
                    number = _number(listed, known, mine, theirs, then)
                    known = max(known, number + 1)
                else:
                    number = SHARED
                    if code.win:
                        number = _result(theirs, mine, _swapped(then), code)
                successor[x, option] = number
        x += 1
    return x, known


@jit
def rewards(words: IntArray, successor: Successors, code: Code) -> FloatArray:
    """What each option wins at once.

    Args:
        words: ``(n, 3)`` states.
        successor: ``(n, options)`` what they lead to.
        code: The model.
    """
    bust = code.tiles + 1
    reward = np.zeros(successor.shape)
    for x in range(len(words)):
        if code.win:
            for option in range(bust + 1):
                ends = successor[x, option]
                reward[x, option] = 1.0 if ends == WON else -1.0 if ends == LOST else 0.0
            continue
        for tile in range(code.tiles):
            reward[x, tile] = code.worms[tile]
        reward[x, code.tiles] = 2 * code.worms[packing.tile_at(words[x, 1], 0)]
        if packing.own_size(words[x, 2]):
            reward[x, bust] = -code.worms[packing.tile_at(words[x, 0], 0)]
    return reward


@jit
def choose(
    words: IntArray, successor: Successors, worth: FloatArray, code: Code
) -> tuple[FloatArray, NDArray[np.int8]]:
    """The best option of each state at each class of totals.

    Args:
        words: ``(n, 3)`` states.
        successor: ``(n, options)`` what they lead to.
        worth: ``(n, options)`` what each option is worth.
        code: The model.

    Returns:
        ``(n, classes)`` the worth of the best, and which it is; of equals the steal, then the
        highest tile.
    """
    steal, bust = code.tiles, code.tiles + 1
    by_class = np.empty((len(words), len(code.exact)))
    chosen = np.empty(by_class.shape, dtype=np.int8)
    for x in range(len(words)):
        top, rest = packing.tile_at(words[x, 1], 0), words[x, 2]
        for c in range(len(code.exact)):
            exact = code.exact[c]
            steals = exact >= 0 and successor[x, steal] != NONE and top == exact
            claimed = steal if steals else bust
            best = best_claim(
                rest, exact, code.below[c], claimed, bust, worth, x, code.mandatory, code.grill
            )
            by_class[x, c] = worth[x, best]
            chosen[x, c] = best
    return by_class, chosen


@jit
def seen_to_depth(
    words: IntArray, code: Code, names: IntArray, depth: int
) -> tuple[IntArray, IntArray]:
    """States as a table to a depth knows them, and the lead that it does not.

    Args:
        words: ``(n, 3)`` states of a model with full stacks.
        code: That model.
        names: ``(tiles,)`` the number in the table of each of its tiles.
        depth: The table's.

    Returns:
        ``(n, 3)`` the states with the table's numbers of tiles, and ``(n,)`` the mover's worms less
        the other's.
    """
    seen = np.zeros_like(words)
    lead = np.zeros(len(words), dtype=np.int64)
    for x in range(len(words)):
        own, other, rest = words[x]
        mine, theirs = packing.own_size(rest), packing.other_size(rest)
        lead[x] = _worms_in(own, mine, code) - _worms_in(other, theirs, code)
        mine, theirs = min(mine, depth), min(theirs, depth)
        seen[x, 0], seen[x, 1] = _renamed(own, mine, names), _renamed(other, theirs, names)
        grill = 0
        for tile in range(code.tiles):
            if packing.lies_on(rest, tile):
                grill = packing.with_flipped(grill, names[tile])
        seen[x, 2] = packing.pack_rest(grill, mine, theirs, 0, 0, 0)
    return seen, lead


@jit
def _renamed(stack: int, size: int, names: IntArray) -> int:
    """The top tiles of a stack by other numbers."""
    renamed = 0
    for place in range(size - 1, -1, -1):
        renamed = packing.put_on(renamed, names[packing.tile_at(stack, place)])
    return renamed
