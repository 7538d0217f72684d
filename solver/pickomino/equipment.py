"""The equipment: the dice and tiles in the box, as data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import ClassVar

from pickomino._checks import cut, given, one_of, shown, whole_number, whole_numbers
from pickomino._ranges import format_ranges, parse_ranges
from pickomino.dice import MAX_DICE, PIPS, WORM
from pickomino.errors import RulesError

__all__ = ["EQUIPMENT", "JUNIOR", "STANDARD", "Equipment"]

_PART = "[0-9]{1,4}(?:-[0-9]{1,4})?x[0-9]{1,4}"
_DESCRIPTION = re.compile(f"([0-9]{{1,4}})d:({_PART}(?:,{_PART})*)")


@dataclass(frozen=True)
class Equipment:
    """The dice and tiles in the box; the pips of a die are 1-5 and the worm's 5 in every edition.

    Attributes:
        dice: How many dice, 1 to 10.
        tiles: The tile numbers, ascending.
        worms: What each tile scores, in the order of ``tiles``.

    Raises:
        RulesError: Numbers that make no game.
    """

    dice: int
    tiles: tuple[int, ...]
    worms: tuple[int, ...]

    MAX_DICE: ClassVar[int] = MAX_DICE
    MAX_WORMS: ClassVar[int] = 1000
    MAX_TILE: ClassVar[int] = 9999

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, _integers(field.name, getattr(self, field.name)))
        if not 1 <= self.dice <= self.MAX_DICE:
            raise RulesError(f"{shown(self.dice)} dice cannot be played: use 1 to {self.MAX_DICE}")
        if not self.tiles:
            raise RulesError("a game without tiles cannot be played: name at least one tile")
        if any(a >= b for a, b in zip(self.tiles, self.tiles[1:], strict=False)):
            raise RulesError(
                f"the tiles {shown(list(self.tiles))} do not ascend: name each once, in order"
            )
        if self.tiles[0] < 1 or self.tiles[-1] > self.MAX_TILE:
            wrong = self.tiles[0] if self.tiles[0] < 1 else self.tiles[-1]
            raise RulesError(f"{shown(wrong)} is no tile: use 1 to {self.MAX_TILE}")
        if len(self.worms) != len(self.tiles):
            raise RulesError(
                f"{len(self.worms)} worm counts do not fit {len(self.tiles)} tiles: give one each"
            )
        for worms in self.worms:
            if not 0 <= worms <= self.MAX_WORMS:
                raise RulesError(
                    f"a tile cannot score {shown(worms)} worms: use 0 to {self.MAX_WORMS}"
                )

    @property
    def max_total(self) -> int:
        """The highest total: every die shows 5 or the worm."""
        return PIPS[WORM] * self.dice

    def worms_on(self, tile: int) -> int:
        """The worms that one tile of this set scores."""
        try:
            return self.worms[self.tiles.index(tile)]
        except ValueError:  # of an array, that it is neither true nor false
            raise self._not_in_set(tile) from None

    def _not_in_set(self, tile: object) -> RulesError:
        tiles = cut(format_ranges(self.tiles))
        return RulesError(f"tile {shown(tile)} is not in the set: use {tiles}")

    def only(self, tiles: Iterable[int] | str) -> Equipment:
        """The same dice with only some of the tiles.

        Args:
            tiles: Their numbers, or text such as ``"21-24,30"``.

        Raises:
            RulesError: A tile that is not in the set, or none.
            PositionError: Text that is no list of tiles.
        """
        named = parse_ranges(tiles) if isinstance(tiles, str) else whole_numbers(tiles)
        if named is None:
            raise RulesError(f"{shown(tiles)} are no tiles: give a list of whole numbers, or text")
        wanted = sorted(named)
        return Equipment(self.dice, tuple(wanted), tuple(map(self.worms_on, wanted)))

    @classmethod
    def parse(cls, text: str) -> Equipment:
        """Read a name or ``"6d:16-18x1,19-21x2"``: six dice, tiles 16-18 with one worm each, ...

        Raises:
            RulesError: Neither a known name nor such a description.
        """
        if given("text", text, str) in EQUIPMENT:
            return EQUIPMENT[text]
        match = _DESCRIPTION.fullmatch(",".join(part.strip() for part in text.split(",")))
        if match is None:
            raise RulesError(
                f"{shown(text)} is no equipment: use {one_of(tuple(EQUIPMENT))}, "
                "or dice, tiles and worms as in 6d:16-18x1,19-21x2"
            )
        tiles: dict[int, int] = {}
        for part in match[2].split(","):
            numbers, _, worms = part.partition("x")
            for tile in parse_ranges(numbers):
                if tile in tiles:
                    raise RulesError(f"tile {tile} appears twice in {shown(text)}: name it once")
                tiles[tile] = int(worms)
        return cls(int(match[1]), tuple(sorted(tiles)), tuple(tiles[t] for t in sorted(tiles)))

    @classmethod
    def of(cls, equipment: Equipment | str) -> Equipment:
        """The equipment itself, or as :meth:`parse` reads it."""
        if isinstance(equipment, str):
            return cls.parse(equipment)
        if not isinstance(equipment, Equipment):
            raise RulesError(f"{shown(equipment)} is no equipment: give Equipment or its text")
        return equipment

    def __repr__(self) -> str:
        return f"Equipment({str(self)!r})"

    def __str__(self) -> str:
        """The name of a known set, else the description that :meth:`parse` reads."""
        for name, known in EQUIPMENT.items():
            if self == known:
                return name
        groups: list[tuple[int, list[int]]] = []
        for tile, worms in zip(self.tiles, self.worms, strict=True):
            if not groups or groups[-1][0] != worms:
                groups.append((worms, []))
            groups[-1][1].append(tile)
        parts = (f"{run}x{w}" for w, tiles in groups for run in format_ranges(tiles).split(","))
        return f"{self.dice}d:{','.join(parts)}"


def _integers(name: str, value: object) -> int | tuple[int, ...]:
    if name == "dice":
        dice = whole_number(value)
        if dice is not None:
            return dice
    else:
        numbers = whole_numbers(value)
        if numbers is not None:
            return numbers
    raise RulesError(f"{name}={shown(value)} does not count: use whole numbers")


STANDARD = Equipment(8, tuple(range(21, 37)), tuple(w for w in (1, 2, 3, 4) for _ in range(4)))
"""The standard game: eight dice, tiles 21-36 with 1 to 4 worms."""

JUNIOR = Equipment(6, tuple(range(16, 28)), tuple(w for w in (1, 2, 3, 4) for _ in range(3)))
"""A smaller game: six dice and twelve tiles, 16-27, which are as hard to reach."""

EQUIPMENT: Mapping[str, Equipment] = MappingProxyType({"standard": STANDARD, "junior": JUNIOR})
"""Every named equipment."""
