"""Which game is solved, and what its positions are.

Stacks count to a *depth*: only the top ``depth`` tiles of each can be lost, and what is covered
more deeply is banked, worms that never come back.  Without a depth stacks count in full, which is
the game itself.  A state is always seen by the player to move, and is three integers, as
:mod:`pickomino.game._packing` lays them out.

Tiles are numbered from the lowest that is in play, on the grill or in a stack to its depth; those
face down never come back and count for nothing.  The height of tile ``i`` is ``2 i + 2``, that of
one between two in play is odd, and 0 says that none is banked.  Only ``win`` asks what is banked;
for ``margin`` that is left out.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import cached_property

from pickomino._checks import shown, whole_number
from pickomino.errors import PositionError, TooManyPositionsError
from pickomino.game import _packing as packing
from pickomino.game.code import MAX_TILES, Code, class_of_total, make_code
from pickomino.objectives import GameObjective, check_game_objective
from pickomino.position import Position
from pickomino.rules import Rules
from pickomino.turn.graph import IntArray

__all__ = [
    "MAX_DEPTH",
    "Bank",
    "Model",
    "Words",
    "check_two_players",
    "seen_by_mover",
    "tiles_in_play",
]

MAX_DEPTH = 15
"""How deep a stack can be while the game goes on: one tile then lies on the grill."""

Words = tuple[int, int, int]


@dataclass(frozen=True)
class Model:
    """A two-player game to be solved.

    Attributes:
        start: A position with the player to move as player 1, which says what tiles there are.
        rules: The rule set.
        objective: What both play for.
        depth: How many tiles of a stack can be lost; None for all, which is exact.

    Raises:
        PositionError: Not two players, or a depth that is not 1 to 15.
        TooManyPositionsError: More than 16 tiles in play.
        GameOverError: The grill is empty.
        ObjectiveError: An objective that is neither ``win`` nor ``margin``.
    """

    start: Position
    rules: Rules = Rules()
    objective: GameObjective = "margin"
    depth: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", Position.of(self.start))
        check_game_objective(self.objective)
        if self.depth is not None:
            depth = whole_number(self.depth)
            if depth is None or not 1 <= depth <= MAX_DEPTH:
                raise PositionError(
                    f"depth={shown(self.depth)} is no number of tiles that can be lost: use 1 to "
                    f"{MAX_DEPTH}, or None for all"
                )
            object.__setattr__(self, "depth", depth)
        check_two_players(self.start)
        self.start.check_not_over()
        object.__setattr__(self, "start", seen_by_mover(self.start))
        if len(self.tiles) > MAX_TILES:
            raise TooManyPositionsError(
                f"{len(self.tiles)} tiles are in play in {shown(str(self.start))}: games are "
                f"solved for up to {MAX_TILES}, so ask about fewer"
            )

    @property
    def label(self) -> str:
        """What is answered for, in words."""
        if self.depth is None:
            return "exact: full stacks"
        tiles = "tile" if self.depth == 1 else f"{self.depth} tiles"
        return f"depth {self.depth}: only the top {tiles} of a stack can be lost"

    def in_units(self, value: float) -> float:
        """A value as a chance to win, for ``win``, or as worms."""
        if self.objective == "win":
            return min(max((1 + float(value)) / 2, 0.0), 1.0)  # rounding may pass a sure thing
        return float(value)

    @cached_property
    def tiles(self) -> tuple[int, ...]:
        """The tiles in play, ascending."""
        return tiles_in_play(self.start, self.depth)

    def in_play(self, stack: tuple[int, ...]) -> tuple[int, ...]:
        """The tiles of a stack that can be lost."""
        return stack if self.depth is None else stack[-self.depth :]

    def holds(self, position: Position) -> bool:
        """Whether all tiles of a position that can be taken are in play in this game."""
        return {*tiles_in_play(position, self.depth)} <= {*self.tiles}

    @cached_property
    def class_of(self) -> IntArray:
        """``(totals,)`` the class of each final total, see :mod:`pickomino.game.code`."""
        return class_of_total(self.tiles, self.start.equipment)

    @cached_property
    def code(self) -> Code:
        """The model as compiled code takes it."""
        depth, win = min(self.depth or MAX_DEPTH, MAX_DEPTH), self.objective == "win"
        return make_code(self.tiles, self.start.equipment, self.rules, depth, win)

    def pack(self, position: Position, banked: Bank | None = None) -> Words:
        """A position as three integers.

        Args:
            position: One with tiles of this model only, whoever is to move.
            banked: What else lies covered beneath the mover's and the other's stack.

        Raises:
            PositionError: A tile that is not in play here.
        """
        seen = seen_by_mover(position)
        own, other = (self.in_play(stack) for stack in seen.stacks)
        index = {tile: i for i, tile in enumerate(self.tiles)}
        try:
            grill = packing.pack_grill(index[tile] for tile in seen.grill)
            mine, theirs = (
                packing.pack_stack(index[tile] for tile in reversed(stack))
                for stack in (own, other)
            )
        except KeyError as error:
            raise PositionError(
                f"tile {error} is not in play in this game: solve from {shown(str(position))}"
            ) from None
        bank = banked or Bank()
        for stack, sign in zip(seen.stacks, (1, -1), strict=True):
            for tile in stack[: len(stack) - len(self.in_play(stack))]:
                height = 2 * bisect_left(self.tiles, tile) + 1 + (tile in index)
                bank = bank.plus(sign * seen.equipment.worms_on(tile), height, tile, sign == 1)
        if self.objective != "win":
            bank = Bank()
        kept = bank.height, int(bank.mine), bank.lead
        return mine, theirs, packing.pack_rest(grill, len(own), len(other), *kept)

    def unpack(self, words: Words) -> tuple[Position, Bank]:
        """The position that three integers stand for, and what is banked beneath its stacks."""
        own, other, rest = (int(word) for word in words)
        grill = tuple(tile for i, tile in enumerate(self.tiles) if packing.lies_on(rest, i))
        stacks = tuple(
            tuple(self.tiles[packing.tile_at(stack, place)] for place in reversed(range(size)))
            for stack, size in ((own, packing.own_size(rest)), (other, packing.other_size(rest)))
        )
        mine = bool(packing.banked_by_mover(rest))
        bank = Bank(packing.banked_lead(rest), packing.banked_height(rest), mine)
        return Position(grill, stacks, 0, self.start.equipment), bank


@dataclass(frozen=True)
class Bank:
    """Tiles that lie too deep to be lost.

    Attributes:
        lead: The mover's worms in them, less the opponent's.
        height: The height of the highest; 0 if there is none.
        mine: Whether that one is the mover's.
        tile: Its number, if it is known.
    """

    lead: int = 0
    height: int = 0
    mine: bool = False
    tile: int = 0

    def __neg__(self) -> Bank:
        """The same as the opponent sees it."""
        return replace(self, lead=-self.lead, mine=bool(self.height) and not self.mine)

    def plus(self, worms: int, height: int, tile: int, mine: bool) -> Bank:
        """The bank with one more tile, whose worms count for the mover if positive."""
        lead = self.lead + worms
        if (height, tile) > (self.height, self.tile):
            return Bank(lead, height, mine, tile)
        return replace(self, lead=lead)


def tiles_in_play(position: Position, depth: int | None) -> tuple[int, ...]:
    """The tiles that can still be taken, ascending: on the grill, or in a stack down to a depth."""
    stacks = (stack if depth is None else stack[-depth:] for stack in position.stacks)
    return tuple(sorted((*position.grill, *(tile for stack in stacks for tile in stack))))


def check_two_players(position: Position) -> None:
    """Refuse a position that is not of two players.

    Raises:
        PositionError: There are more, or fewer.
    """
    players = len(position.stacks)
    if players != 2:
        noun = "player" if players == 1 else "players"
        raise PositionError(
            f"{shown(str(position))} has {players} {noun}: games are solved for two, so give two "
            "stacks, empty or not"
        )


def seen_by_mover(position: Position) -> Position:
    """The same position with the player to move as player 1."""
    return (
        position
        if position.mover == 0
        else replace(position, stacks=position.stacks[::-1], mover=0)
    )
