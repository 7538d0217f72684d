"""Positions: where the tiles are and whose turn it is, and what a turn does to them.

The notation is one line of three fields, and a fourth if the equipment is not the standard one:

    21-23,26-28,32-36 25,30/24,29/31 1
    |                 |              '- the player to move, counted from 1
    |                 '- one stack per player, bottom to top, separated by /
    '- the grill; tiles named nowhere are face down

An empty grill or stack is ``-``.  The rules about tiles are here: what a total may claim, what a
bust moves, who wins.  :mod:`pickomino.game._moves` and :mod:`pickomino.tables.keys` repeat them on
packed numbers, and are tested against this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pickomino._checks import count, cut, given, items_of, shown, whole_number, whole_numbers
from pickomino._layout import html_table
from pickomino._ranges import format_ranges, parse_ranges
from pickomino.equipment import STANDARD, Equipment
from pickomino.errors import GameOverError, PositionError
from pickomino.rules import Rules

__all__ = ["MAX_PLAYERS", "Claim", "Position"]

MAX_PLAYERS = 7


@dataclass(frozen=True)
class Claim:
    """A tile that ends a turn well.

    Attributes:
        tile: Its number.
        victim: The index of the player it is stolen from; None if it comes from the grill.

    Raises:
        ArgumentError: Numbers that no tile or player has.
    """

    tile: int
    victim: int | None = None

    def __post_init__(self) -> None:
        # A game makes millions of these, nearly all of plain numbers.
        if type(self.tile) is not int or not 0 <= self.tile <= Equipment.MAX_TILE:
            object.__setattr__(self, "tile", count("tile", self.tile, Equipment.MAX_TILE))
        if self.victim is not None:
            object.__setattr__(self, "victim", count("victim", self.victim, MAX_PLAYERS - 1))


@dataclass(frozen=True)
class Position:
    """A table before a turn.

    Attributes:
        grill: The face-up tiles; their order does not matter and they are kept ascending.
        stacks: One stack per player, bottom to top.
        mover: The index of the player to move.
        equipment: The dice and tiles of the game.

    Raises:
        PositionError: A tile that is nowhere in the set or in two places, or a number of players
            or a mover that the game does not have.
    """

    grill: tuple[int, ...]
    stacks: tuple[tuple[int, ...], ...]
    mover: int = 0
    equipment: Equipment = STANDARD

    def __post_init__(self) -> None:
        object.__setattr__(self, "grill", tuple(sorted(_tiles(self.grill))))
        object.__setattr__(self, "stacks", _stacks(self.stacks, "a tuple for each player"))
        object.__setattr__(self, "equipment", Equipment.of(self.equipment))
        mover = whole_number(self.mover)
        if mover is None:
            raise PositionError(f"mover={shown(self.mover)} is no player: give an index from 0")
        object.__setattr__(self, "mover", mover)
        players = len(self.stacks)
        if not 1 <= players <= MAX_PLAYERS:
            raise PositionError(
                f"{players} players cannot play: name 1 to {MAX_PLAYERS} stacks, - for an empty one"
            )
        if not 0 <= self.mover < players:
            raise PositionError(
                f"player {shown(self.mover + 1)} is to move, but there are {players}: "
                f"name a player from 1 to {players}"
            )
        known = frozenset(self.equipment.tiles)
        seen: dict[int, str] = {}
        places = [("on the grill", self.grill)]
        places += [(f"in the stack of player {p + 1}", s) for p, s in enumerate(self.stacks)]
        for place, tiles in places:
            for tile in tiles:
                if tile not in known:
                    raise PositionError(
                        f"tile {shown(tile)} is not in the set: use "
                        f"{cut(format_ranges(self.equipment.tiles))}"
                    )
                if seen.get(tile) == place:
                    raise PositionError(f"tile {tile} is named twice {place}: name it once")
                if tile in seen:
                    raise PositionError(
                        f"tile {tile} is {seen[tile]} and {place}: leave it in one place"
                    )
                seen[tile] = place

    @classmethod
    def start(cls, players: int = 2, *, equipment: Equipment | str = "standard") -> Position:
        """The first turn of a game: all tiles on the grill, nobody has any.

        Args:
            players: How many play, 1 to 7.
            equipment: The dice and tiles of the game, or their text.

        Raises:
            PositionError: A number of players that is not 1 to 7.
            RulesError: Equipment that does not exist.
        """
        box, number = Equipment.of(equipment), whole_number(players)
        if number is None or not 1 <= number <= MAX_PLAYERS:
            raise PositionError(
                f"{shown(players)} players cannot play: use a whole number from 1 to {MAX_PLAYERS}"
            )
        return cls(box.tiles, ((),) * number, 0, box)

    @classmethod
    def seen(
        cls,
        own: Sequence[int] = (),
        opponents: Sequence[Sequence[int]] = (),
        grill: Sequence[int] | None = None,
        *,
        equipment: Equipment | str = "standard",
    ) -> Position:
        """A position as the player to move sees it; that player is number 1.

        Args:
            own: The mover's stack, bottom to top.
            opponents: The other players' stacks, bottom to top, in turn order.
            grill: The face-up tiles; None for every tile that nobody holds.
            equipment: The dice and tiles of the game, or their text.

        Raises:
            PositionError: As for the class.
            RulesError: Equipment that does not exist.
        """
        box = Equipment.of(equipment)
        others = _stacks(opponents, "a list of stacks, one for each opponent, such as [[24, 29]]")
        stacks = (_tiles(own), *others)
        held = {tile for stack in stacks for tile in stack}
        face_up = [tile for tile in box.tiles if tile not in held] if grill is None else grill
        return cls(_tiles(face_up), stacks, 0, box)

    @classmethod
    def parse(cls, text: str) -> Position:
        """Read the notation described in this module; ``str(position)`` prints it.

        Raises:
            PositionError: Text that is not a position, with what is wrong.
        """
        parts = given("text", text, str).split()
        if len(parts) not in (3, 4):
            raise PositionError(
                f"{shown(text)} is no position: write grill, stacks and mover as in "
                "'21-23,26-28 25,30/24 1'"
            )
        if not re.fullmatch("[0-9]{1,4}", parts[2]):
            raise PositionError(f"{shown(parts[2])} is no player: write a number from 1")
        grill = parse_ranges(parts[0])
        stacks = tuple(parse_ranges(stack) for stack in parts[1].split("/"))
        equipment = Equipment.parse(parts[3]) if len(parts) == 4 else STANDARD
        return cls(grill, stacks, int(parts[2]) - 1, equipment)

    @classmethod
    def of(cls, position: Position | str) -> Position:
        """The position itself, or as :meth:`parse` reads it."""
        if isinstance(position, str):
            return cls.parse(position)
        if not isinstance(position, Position):
            raise PositionError(
                f"{shown(position)} is no position: give a Position, or its notation such "
                "as '21-36 -/- 1'"
            )
        return position

    def __repr__(self) -> str:
        return f"Position({str(self)!r})"

    def _repr_html_(self) -> str:
        rows = [("grill", format_ranges(self.grill))]
        for p, stack in enumerate(self.stacks):
            to_move = ", to move" if p == self.mover else ""
            rows.append((f"player {p + 1}{to_move}", format_ranges(stack)))
        return html_table(("place", "tiles"), rows)

    def __str__(self) -> str:
        stacks = "/".join(format_ranges(stack) for stack in self.stacks)
        parts = [format_ranges(self.grill), stacks, str(self.mover + 1)]
        if self.equipment != STANDARD:
            parts.append(str(self.equipment))
        return " ".join(parts)

    @property
    def own(self) -> tuple[int, ...]:
        """The mover's stack."""
        return self.stacks[self.mover]

    @property
    def opponents(self) -> tuple[int, ...]:
        """The indices of the other players, in the order of the stacks."""
        return tuple(p for p in range(len(self.stacks)) if p != self.mover)

    def source(self, claim: Claim) -> str | int:
        """Where a claim takes its tile from.

        Returns:
            ``"grill"``, or the number of the opponent, counted from 1 in the order of the stacks
            with the mover left out.
        """
        if given("claim", claim, Claim).victim is None:
            return "grill"
        if claim.victim not in self.opponents:
            raise self._no_victim(claim)
        return self.opponents.index(claim.victim) + 1

    def _no_victim(self, claim: Claim) -> PositionError:
        return PositionError(
            f"tile {shown(claim.tile)} is not on top of an opponent's stack at player "
            f"{shown((claim.victim or 0) + 1)}: claim another"
        )

    def describe(self, claim: Claim) -> str:
        """A claim in words, such as ``"24 from opponent 1"``."""
        source = self.source(claim)
        return f"{claim.tile} from {'the grill' if source == 'grill' else f'opponent {source}'}"

    @property
    def is_over(self) -> bool:
        """Whether no face-up tile is left on the grill."""
        return not self.grill

    def check_not_over(self) -> None:
        """Refuse to go on when the game is over.

        Raises:
            GameOverError: The grill is empty.
        """
        if self.is_over:
            raise GameOverError(
                f"the game is over in {shown(str(self))}, as the grill is empty: name the "
                "face-up tiles"
            )

    def claims(self, total: int, rules: Rules | str) -> tuple[Claim, ...]:
        """What a turn that ends with a worm and this total may take.

        Args:
            total: The sum of the kept dice.
            rules: The rule set, or its text.

        Returns:
            The claims among which the player chooses, highest tile first; empty for a bust.
        """
        asked, total = Rules.of(rules), count("total", total)
        lower = [Claim(tile) for tile in reversed(self.grill) if tile < total]
        if asked.grill_claim == "next_lower":
            lower = lower[:1]
        steals = [
            Claim(total, p)
            for p in self.opponents
            if self.stacks[p] and self.stacks[p][-1] == total
        ]
        exact = [Claim(total)] if total in self.grill else []
        if steals and asked.steal == "mandatory":
            return tuple(steals)
        if exact and asked.grill_claim != "any_leq":
            return tuple(exact)
        return (*steals, *exact, *lower)

    def after_claim(self, claim: Claim) -> Position:
        """The position after the mover takes a tile.

        Args:
            claim: One of :meth:`claims`; whether a total allows it is not checked.

        Returns:
            The next player's turn.

        Raises:
            PositionError: The tile is not where the claim says.
        """
        grill, stacks = self.grill, list(self.stacks)
        if given("claim", claim, Claim).victim is None:
            if claim.tile not in grill:
                raise PositionError(
                    f"tile {shown(claim.tile)} is not on the grill {shown(list(grill))}: claim "
                    "another"
                )
            grill = tuple(t for t in grill if t != claim.tile)
        else:
            if claim.victim not in self.opponents or stacks[claim.victim][-1:] != (claim.tile,):
                raise self._no_victim(claim)
            stacks[claim.victim] = stacks[claim.victim][:-1]
        stacks[self.mover] = (*stacks[self.mover], claim.tile)
        return self._next(grill, stacks)

    def bust_tiles(self, rules: Rules | str) -> tuple[int | None, int | None]:
        """The tiles that a bust of the mover moves.

        Args:
            rules: The rule set, or its text.

        Returns:
            The tile that returns to the grill, and the tile that is then flipped, which may be the
            same; None for none.
        """
        asked = Rules.of(rules)
        returned = self.own[-1] if self.own else None
        if returned is None and not asked.flip_without_tile:
            return None, None
        highest = max((*self.grill, *self.own[-1:]), default=None)
        if asked.flip == "unless_returned_highest" and returned == highest:
            return returned, None
        return returned, highest

    def after_bust(self, rules: Rules | str) -> Position:
        """The position after the mover takes nothing: a tile returns, one may be flipped.

        Args:
            rules: The rule set, or its text.

        Returns:
            The next player's turn; the game is over if its grill is empty.
        """
        _, flipped = self.bust_tiles(rules)
        grill = tuple(t for t in (*self.grill, *self.own[-1:]) if t != flipped)
        stacks = list(self.stacks)
        stacks[self.mover] = self.own[:-1]
        return self._next(grill, stacks)

    def _next(self, grill: Iterable[int], stacks: Iterable[tuple[int, ...]]) -> Position:
        """The next turn; what the rules move needs no checks, and games make millions."""
        after = object.__new__(type(self))
        after.__dict__.update(
            grill=tuple(sorted(grill)),
            stacks=tuple(stacks),
            mover=(self.mover + 1) % len(self.stacks),
            equipment=self.equipment,
        )
        return after

    def worms(self, player: int) -> int:
        """The worms on a player's whole stack."""
        stack = self.stacks[count("player", player, len(self.stacks) - 1)]
        return sum(map(self.equipment.worms_on, stack))

    def winners(self, rules: Rules | str) -> tuple[int, ...]:
        """Who is ahead as the tiles lie, which is who wins if the game is over.

        Args:
            rules: The rule set, or its text.

        Returns:
            The indices of the players with most worms; a tie is broken by the highest tile under
            ``highest_tile``, and otherwise, or if nobody has a tile, shared.
        """
        decides = Rules.of(rules).tie_break == "highest_tile"

        def score(player: int) -> tuple[int, int]:
            highest = max(self.stacks[player], default=0)
            return self.worms(player), (highest if decides else 0)

        players = range(len(self.stacks))
        best = max(map(score, players))
        return tuple(p for p in players if score(p) == best)


def _tiles(tiles: Iterable[int]) -> tuple[int, ...]:
    found = whole_numbers(tiles)
    if found is None:
        raise PositionError(
            f"{shown(tiles)} are no tiles: give a list of whole numbers such as [25, 30]"
        )
    return found


def _stacks(stacks: Iterable[Iterable[int]], wanted: str) -> tuple[tuple[int, ...], ...]:
    listed = items_of(stacks)
    if listed is None:
        raise PositionError(f"{shown(stacks)} are no stacks: give {wanted}")
    for stack in listed:
        if isinstance(stack, str) or not isinstance(stack, Iterable):
            raise PositionError(f"{shown(stack)} is no stack: give {wanted}")
    return tuple(_tiles(stack) for stack in listed)
