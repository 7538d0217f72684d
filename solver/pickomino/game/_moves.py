"""The moves of a game on packed positions, in compiled code; see :mod:`pickomino.game.model`.

A state has one *option* for each tile that a turn may take from the grill, one for a steal, and the
bust:

    option    0 ... tiles - 1     tiles     tiles + 1
              from the grill      steal     bust

Its successor is the number of the next state, or says how the game ends.
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from pickomino.game.model import Code
from pickomino.turn.graph import FloatArray, IntArray

SHARED, WON, LOST, NONE = -1, -2, -3, -4
"""Successors that are none: how the game ends for the mover, and an option that there is not."""

Successors = NDArray[np.int32]
jit = numba.njit(cache=True, nogil=True)


@jit
def _result(own: int, other: int, rest: int, code: Code) -> int:
    """Who is ahead: the first player, the second, or neither, as a successor for the first."""
    lead = rest >> 32
    high, low = 0, 0
    for i in range(rest >> 16 & 15):
        tile = own >> 4 * i & 15
        lead += code.worms[tile]
        high = max(high, 2 * tile + 2)
    for i in range(rest >> 20 & 15):
        tile = other >> 4 * i & 15
        lead -= code.worms[tile]
        low = max(low, 2 * tile + 2)
    if lead == 0 and code.highest:
        height = rest >> 24 & 63
        if rest >> 30 & 1:
            high = max(high, height)
        else:
            low = max(low, height)
        lead = high - low
    return WON if lead > 0 else LOST if lead < 0 else SHARED


@jit
def _after(own: int, other: int, rest: int, option: int, code: Code) -> tuple[int, int, int]:
    """The next state, seen by the player who moves then."""
    grill, mine, theirs = rest & 0xFFFF, rest >> 16 & 15, rest >> 20 & 15
    height, holds, lead = rest >> 24 & 63, rest >> 30 & 1, rest >> 32
    if option == code.tiles + 1:
        flips = code.bare
        if mine:
            tile = own & 15
            own, mine = own >> 4, mine - 1
            grill |= 1 << tile
            flips = not (code.spares and grill >> tile == 1)
        if flips:
            top = 0
            while grill >> top + 1:
                top += 1
            grill ^= 1 << top
    else:
        tile = option
        if option == code.tiles:
            tile = other & 15
            other, theirs = other >> 4, theirs - 1
        else:
            grill ^= 1 << tile
        own, mine = own << 4 | tile, mine + 1
        if mine > code.depth:
            mine -= 1
            bottom = own >> 4 * mine & 15
            own &= (1 << 4 * mine) - 1
            if code.win:
                lead += code.worms[bottom]
                if 2 * bottom + 2 > height:
                    height, holds = 2 * bottom + 2, 1
    holds = 1 - holds if height else 0
    rest = grill | theirs << 16 | mine << 20 | height << 24 | holds << 30
    return other, own, rest + (-lead << 32)


@jit
def _is_open(own: int, other: int, rest: int, option: int, code: Code) -> bool:
    """Whether some turn can end in an option."""
    if option == code.tiles + 1:
        return True
    if option == code.tiles:
        return rest >> 20 & 15 > 0 and other & 15 < code.reach
    return rest >> option & 1 == 1 and option < code.reach


@jit
def _place(words: IntArray, slots: Successors, own: int, other: int, rest: int) -> int:
    """Where in the hash table a state is, or would be."""
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
def _number(words: IntArray, slots: Successors, count: int, own: int, other: int, rest: int) -> int:
    """The number of a state; ``count``, which it then gets, if it is new."""
    place = _place(words, slots, own, other, rest)
    if slots[place] < 0:
        slots[place] = count
        words[count, 0], words[count, 1], words[count, 2] = own, other, rest
    number: int = slots[place]
    return number


@jit
def rehash(words: IntArray, slots: Successors, count: int) -> None:
    """Enter the first states into an empty hash table."""
    for x in range(count):
        slots[_place(words, slots, words[x, 0], words[x, 1], words[x, 2])] = x


@jit
def lookup(words: IntArray, slots: Successors, own: int, other: int, rest: int) -> int:
    """The number of a state; -1 if it is not there."""
    number: int = slots[_place(words, slots, own, other, rest)]
    return number


@jit
def spread(words: IntArray, slots: Successors, at: int, count: int, code: Code) -> tuple[int, int]:
    """Number every state there can be: move tiles from the grill to a stack, or out of play.

    Goes on from state ``at`` of ``count`` as long as there is room; returns both.
    """
    while at < count and count + 3 * code.tiles <= len(words):
        own, other, rest = words[at]
        for tile in range(code.tiles):
            grill = rest ^ 1 << tile
            if rest >> tile & 1 and grill & 0xFFFF:
                count = max(count, 1 + _number(words, slots, count, own, other, grill))
                if rest >> 16 & 15 < code.depth:
                    taken = own << 4 | tile
                    more = grill + (1 << 16)
                    count = max(count, 1 + _number(words, slots, count, taken, other, more))
                if rest >> 20 & 15 < code.depth:
                    taken = other << 4 | tile
                    more = grill + (1 << 20)
                    count = max(count, 1 + _number(words, slots, count, own, taken, more))
        at += 1
    return at, count


@jit
def expand(
    words: IntArray,
    slots: Successors,
    successor: Successors,
    at: int,
    count: int,
    code: Code,
    end: int,
) -> tuple[int, int]:
    """Number the states that others lead to.

    Args:
        words: ``(room, 3)`` the states found so far.
        slots: Their hash table.
        successor: ``(room, options)`` filled in.
        at: The first state whose successors are not known.
        count: How many states there are.
        code: The model.
        end: The state to stop before.

    Returns:
        The new ``at`` and ``count``: it goes on as long as there is room.
    """
    while at < min(count, end) and count + code.tiles + 2 <= len(words):
        own, other, rest = words[at]
        for option in range(code.tiles + 2):
            successor[at, option] = NONE
            if _is_open(own, other, rest, option, code):
                mine, theirs, then = _after(own, other, rest, option, code)
                if then & 0xFFFF:
                    number = _number(words, slots, count, mine, theirs, then)
                    count = max(count, number + 1)
                else:
                    number = SHARED
                    if code.win:
                        number = _result(theirs, mine, _swapped(then), code)
                successor[at, option] = number
        at += 1
    return at, count


@jit
def _swapped(rest: int) -> int:
    """The third word as the other player sees it."""
    holds = 1 - (rest >> 30 & 1) if rest >> 24 & 63 else 0
    sizes = (rest >> 20 & 15) << 16 | (rest >> 16 & 15) << 20
    low = rest & 0xFFFF | sizes | (rest >> 24 & 63) << 24 | holds << 30
    return low + (-(rest >> 32) << 32)


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
        reward[x, code.tiles] = 2 * code.worms[words[x, 1] & 15]
        if words[x, 2] >> 16 & 15:
            reward[x, bust] = -code.worms[words[x, 0] & 15]
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
        for c in range(len(code.exact)):
            best, exact = bust, code.exact[c]
            if exact >= 0 and successor[x, steal] != NONE and words[x, 1] & 15 == exact:
                best = steal
            if c > 0 and not (best == steal and code.mandatory):
                tile = code.below[c] - 1 if exact < 0 else exact
                while tile >= 0:
                    if words[x, 2] >> tile & 1:
                        if best == bust or worth[x, tile] > worth[x, best]:
                            best = tile
                        # An exact match is the only claim, and of lower ones the next may be.
                        if code.grill == 0 or (code.grill == 1 and tile == exact):
                            break
                    tile -= 1
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
        rest = words[x, 2]
        for tile in range(code.tiles):
            if rest >> tile & 1:
                seen[x, 2] |= 1 << names[tile]
        for side in range(2):
            size = rest >> 16 + 4 * side & 15
            for i in range(size):
                tile = words[x, side] >> 4 * i & 15
                lead[x] += code.worms[tile] if side == 0 else -code.worms[tile]
                if i < depth:
                    seen[x, side] |= names[tile] << 4 * i
            seen[x, 2] |= min(size, depth) << 16 + 4 * side
    return seen, lead
