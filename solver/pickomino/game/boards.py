"""Positions of many games at once, for any number of players, and what turns make of them.

A board is a row of integers, seen by the player to move; the seats follow in turn order:

    0 ... seats - 1   each seat's stack, four bits a tile, the top one lowest
    seats             bits 0-15 the grill, one bit a tile; from 16 on five bits a seat: how many
                      tiles it holds

A turn has one *option* for each tile, taken from wherever it lies open, and the bust as the last.
All rules about tiles are :mod:`pickomino.position`'s; here they are repeated on numbers, and tested
against that module.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pickomino._checks import count
from pickomino._runtime.compiled import kernel
from pickomino.equipment import Equipment
from pickomino.errors import PositionError
from pickomino.game import _packing as packing
from pickomino.game.code import MAX_TILES, Code, best_claim, class_of_total, make_code
from pickomino.position import MAX_PLAYERS, Position
from pickomino.rules import Rules
from pickomino.turn.graph import FloatArray, IntArray

__all__ = ["CLOSED", "LIVE", "OVER", "Boards", "Kinds"]

CLOSED, LIVE, OVER = 0, 1, 2
"""What an option leads to: nothing, as no turn ends so; the next turn; or the end of the game."""

Kinds = NDArray[np.int8]

SIZE_AT, SIZE_BITS, SIZE = 16, 5, 31


def size(rest: Any, seat: Any) -> Any:
    """How many tiles a seat holds."""
    return rest >> SIZE_AT + SIZE_BITS * seat & SIZE


def one(seat: Any) -> Any:
    """What the last integer grows by when a seat gets a tile."""
    return 1 << SIZE_AT + SIZE_BITS * seat


jit = kernel((*packing.COMPILED, best_claim, size, one))


@dataclass(frozen=True)
class Boards:
    """One kind of game: what its boards are and how they go on.

    Attributes:
        rules: The rule set.
        equipment: The dice and tiles; no more than 16.
        seats: How many play, 1 to 7.

    Raises:
        PositionError: More tiles than can be packed, or a number of seats that no game has.
    """

    rules: Rules
    equipment: Equipment
    seats: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", Rules.of(self.rules))
        object.__setattr__(self, "equipment", Equipment.of(self.equipment))
        object.__setattr__(self, "seats", count("seats", self.seats, MAX_PLAYERS))
        if len(self.tiles) > MAX_TILES:
            raise PositionError(
                f"{len(self.tiles)} tiles cannot be packed: use up to {MAX_TILES} tiles"
            )

    @property
    def tiles(self) -> tuple[int, ...]:
        """The tiles, ascending."""
        return self.equipment.tiles

    @property
    def bust(self) -> int:
        """The option that is a bust; those before it take the tile of their number."""
        return len(self.tiles)

    @cached_property
    def class_of(self) -> IntArray:
        """``(totals,)`` the class of each final total, see :mod:`pickomino.game.code`."""
        return class_of_total(self.tiles, self.equipment)

    @cached_property
    def code(self) -> Code:
        """The game as compiled code takes it."""
        return make_code(self.tiles, self.equipment, self.rules, MAX_TILES, True)

    def pack(self, positions: Sequence[Position]) -> IntArray:
        """Positions as boards, ``(n, seats + 1)``, seen by whoever is to move."""
        words = np.zeros((len(positions), self.seats + 1), dtype=np.int64)
        number = {tile: i for i, tile in enumerate(self.tiles)}
        for row, position in zip(words, positions, strict=True):
            row[-1] = packing.pack_grill(number[tile] for tile in position.grill)
            for seat in range(self.seats):
                stack = position.stacks[(position.mover + seat) % self.seats]
                row[seat] = packing.pack_stack(number[tile] for tile in reversed(stack))
                row[-1] += len(stack) * one(seat)
        return words

    def unpack(self, words: IntArray, mover: int = 0) -> Position:
        """The position that a board stands for.

        Args:
            words: ``(seats + 1,)`` the board.
            mover: The index of the player to move.
        """
        *packed, rest = (int(word) for word in words)
        stacks: list[tuple[int, ...]] = [()] * self.seats
        for seat, stack in enumerate(packed):
            places = reversed(range(size(rest, seat)))
            held = tuple(self.tiles[packing.tile_at(stack, place)] for place in places)
            stacks[(mover + seat) % self.seats] = held
        grill = tuple(tile for i, tile in enumerate(self.tiles) if packing.lies_on(rest, i))
        return Position(grill, tuple(stacks), mover, self.equipment)

    def start(self, games: int) -> IntArray:
        """``(games, seats + 1)`` the first turn of some games."""
        first = Position.start(self.seats, equipment=self.equipment)
        return np.repeat(self.pack([first]), games, axis=0)

    def after(self, words: IntArray) -> tuple[IntArray, Kinds]:
        """What each option of a turn leads to.

        Args:
            words: ``(n, seats + 1)`` boards.

        Returns:
            ``(n, options, seats + 1)`` the next boards, seen by who moves then, and
            ``(n, options)`` whether they are live, over or closed.
        """
        then = np.zeros((len(words), self.bust + 1, self.seats + 1), dtype=np.int64)
        kinds: Kinds = np.zeros(then.shape[:2], dtype=np.int8)
        _after(words, self.code, then, kinds)
        return then, kinds

    def choose(
        self, words: IntArray, kinds: Kinds, worth: FloatArray
    ) -> tuple[FloatArray, NDArray[np.int8]]:
        """The best option at each class of totals.

        Args:
            words: ``(n, seats + 1)`` boards.
            kinds: ``(n, options)`` as from :meth:`after`.
            worth: ``(n, options)`` what each option is worth to the mover.

        Returns:
            ``(n, classes)`` the worth of the best, and which it is; of equals the steal, then the
            highest tile.
        """
        by_class = np.empty((len(words), len(self.code.exact)))
        chosen = np.empty(by_class.shape, dtype=np.int8)
        _choose(words, kinds, worth, self.code, by_class, chosen)
        return by_class, chosen

    def worms(self, words: IntArray) -> IntArray:
        """``(n, seats)`` the worms that each seat holds."""
        held = np.zeros((len(words), self.seats), dtype=np.int64)
        _worms(words, self.code, held)
        return held

    def shares(self, words: IntArray) -> FloatArray:
        """``(n, seats)`` each seat's share of the win, as the tiles lie."""
        share = np.zeros((len(words), self.seats))
        _shares(words, self.code, self.worms(words), share)
        return share

    def tops(self, words: IntArray) -> IntArray:
        """``(n, seats)`` the tile on top of each seat's stack; -1 where it is empty."""
        places = np.arange(self.seats)
        return np.where(size(words[:, -1:], places), words[:, :-1] & packing.TILE, -1)


@jit
def _after(words: IntArray, code: Code, then: IntArray, kinds: Kinds) -> None:
    """Fill in the next boards; see :meth:`Boards.after`."""
    seats, bust = words.shape[1] - 1, code.tiles
    board = np.empty(seats + 1, dtype=np.int64)
    for x in range(len(words)):
        for option in range(bust + 1):
            board[:] = words[x]
            rest = board[seats]
            if option == bust:
                flips = code.bare
                if size(rest, 0):
                    tile = packing.tile_at(board[0], 0)
                    board[0] = packing.without_top(board[0])
                    rest = packing.with_flipped(rest, tile) - one(0)
                    flips = not (code.spares and tile == packing.highest(rest, bust))
                if flips and packing.grill(rest):
                    rest = packing.with_flipped(rest, packing.highest(rest, bust))
            else:
                if option >= code.reach:
                    continue
                if packing.lies_on(rest, option):
                    rest = packing.with_flipped(rest, option)
                else:
                    victim = _holder(words[x], option)
                    if victim < 0:
                        continue
                    board[victim] = packing.without_top(board[victim])
                    rest -= one(victim)
                board[0] = packing.put_on(board[0], option)
                rest += one(0)
            kinds[x, option] = LIVE if packing.grill(rest) else OVER
            turned = packing.grill(rest)
            for seat in range(seats):
                after = (seat + 1) % seats
                then[x, option, seat] = board[after]
                turned += size(rest, after) * one(seat)
            then[x, option, seats] = turned


@jit
def _holder(board: IntArray, tile: int) -> int:
    """Which opponent has a tile on top; -1 for none."""
    seats = len(board) - 1
    for seat in range(1, seats):
        if size(board[seats], seat) and packing.tile_at(board[seat], 0) == tile:
            return seat
    return -1


@jit
def _choose(
    words: IntArray,
    kinds: Kinds,
    worth: FloatArray,
    code: Code,
    by_class: FloatArray,
    chosen: NDArray[np.int8],
) -> None:
    """Fill in the best options; see :meth:`Boards.choose`."""
    bust = code.tiles
    for x in range(len(words)):
        rest = words[x, -1]
        for c in range(len(code.exact)):
            exact = code.exact[c]
            # An exact tile that is open and not on the grill lies on an opponent's stack.
            steals = exact >= 0 and kinds[x, exact] != CLOSED and not packing.lies_on(rest, exact)
            claimed = exact if steals else bust
            best = best_claim(
                rest, exact, code.below[c], claimed, bust, worth, x, code.mandatory, code.grill
            )
            by_class[x, c] = worth[x, best]
            chosen[x, c] = best


@jit
def _worms(words: IntArray, code: Code, held: IntArray) -> None:
    """Fill in the worms of each seat; see :meth:`Boards.worms`."""
    for x in range(len(words)):
        for seat in range(held.shape[1]):
            for place in range(size(words[x, -1], seat)):
                held[x, seat] += code.worms[packing.tile_at(words[x, seat], place)]


@jit
def _shares(words: IntArray, code: Code, held: IntArray, share: FloatArray) -> None:
    """Fill in who has won; see :meth:`Boards.shares`."""
    for x in range(len(words)):
        best, winners = -1, 0
        for seat in range(held.shape[1]):
            score = held[x, seat] * (code.tiles + 1)
            if code.highest:
                high = 0
                for place in range(size(words[x, -1], seat)):
                    high = max(high, packing.tile_at(words[x, seat], place) + 1)
                score += high
            if score > best:
                best, winners = score, 0
                share[x] = 0.0
            if score == best:
                share[x, seat] = 1.0
                winners += 1
        share[x] /= winners
