"""Faces, dice on the table, and what may be kept of a roll."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pickomino._checks import count as checked_count
from pickomino._checks import cut, given, shown, whole_numbers
from pickomino.errors import DiceError

__all__ = [
    "ALL_FACES",
    "FACES",
    "LEAST_TOTAL",
    "MAX_DICE",
    "MOST_OF_A_FACE",
    "PIPS",
    "WORM",
    "Dice",
    "check_kept",
    "check_roll",
    "final_totals",
    "keep",
    "keep_order",
]

FACES = "12345W"
PIPS = (1, 2, 3, 4, 5, 5)
WORM = 5
ALL_FACES = 0b111111

MAX_DICE = 10
"""The most dice that a game can have; ten make 3,657 states of a turn."""

MOST_OF_A_FACE = 100
"""Far more dice than any game has, so that sums and texts of them stay small."""

LEAST_TOTAL = PIPS[WORM]
"""The least final total of a turn that ends with a worm kept; 0 is the one without."""


def final_totals(dice: int) -> tuple[int, ...]:
    """The final totals that a turn can end with, ascending.

    Args:
        dice: How many dice a turn begins with.

    Returns:
        0, which stands for a turn without a worm or ended by a dead roll that is a bust, and every
        number from the least total to five times the dice; 1 to 4 cannot occur.
    """
    return (0, *range(LEAST_TOTAL, PIPS[WORM] * dice + 1))


@dataclass(frozen=True)
class Dice:
    """Some dice on the table, rolled or kept.

    Attributes:
        counts: How many show each face, in the order 1, 2, 3, 4, 5, W.
        number: How many dice these are.
        total: The sum of their pips, a worm counting 5.
        mask: The faces among them as bits, face 1 the lowest.

    Raises:
        DiceError: Not six counts of zero or more.
    """

    counts: tuple[int, ...] = (0,) * 6
    number: int = field(init=False, repr=False, compare=False)
    total: int = field(init=False, repr=False, compare=False)
    mask: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Written out, as lookups in a table make many of these and read all three.
        counts = self.counts
        try:
            plain = type(counts) is tuple and len(counts) == 6 and type(sum(counts)) is int
        except TypeError:
            plain = False
        if not plain:
            counts = _six_counts(counts)
            object.__setattr__(self, "counts", counts)
        a, b, c, d, e, w = counts
        if min(counts) < 0 or max(counts) >= MOST_OF_A_FACE:
            raise _no_dice(counts)
        number = a + b + c + d + e + w
        mask = (a > 0) | (b > 0) << 1 | (c > 0) << 2 | (d > 0) << 3 | (e > 0) << 4 | (w > 0) << 5
        values = {
            "number": number,
            "total": a + 2 * b + 3 * c + 4 * d + 5 * e + 5 * w,
            "mask": mask,
        }
        self.__dict__.update(values)

    @classmethod
    def parse(cls, text: str) -> Dice:
        """Read faces such as ``"1 3 4 4 W"``, ``"1344w"`` or ``"1,3,4,4,6"``, in any order.

        Raises:
            DiceError: A character that is neither a face nor a separator.
        """
        counts = [0] * 6
        letters = re.sub(r"[\s,;]", "", given("text", text, str))
        if len(letters) >= MOST_OF_A_FACE:
            raise DiceError(f"{shown(text)} has too many dice: write at most ten")
        for letter in letters:
            face = FACES.find("W" if letter in "w6" else letter)
            if face < 0:
                raise DiceError(
                    f"{shown(letter)} in {shown(text)} is no face: write 1-5, and W for the worm"
                )
            counts[face] += 1
        return cls(tuple(counts))

    @classmethod
    def of(cls, dice: Dice | str) -> Dice:
        """The dice themselves, or as :meth:`parse` reads them."""
        if isinstance(dice, str):
            return cls.parse(dice)
        if not isinstance(dice, Dice):
            raise DiceError(f"{shown(dice)} are no dice: give Dice or text such as '3 3 W'")
        return dice

    @property
    def final(self) -> int:
        """The final total of a turn that ends with these: the total if a worm is among them."""
        return self.total if self.counts[WORM] else 0

    def is_spent(self, dice: int) -> bool:
        """Whether they end a turn that began with ``dice`` dice: none or no face is left."""
        return self.number == checked_count("dice", dice) or self.mask == ALL_FACES

    def plus(self, face: int, count: int) -> Dice:
        """These dice and ``count`` more of one face, an index from 0 to 5."""
        counts = list(self.counts)
        counts[checked_count("face", face, WORM)] += checked_count("count", count)
        return Dice(tuple(counts))

    def __repr__(self) -> str:
        return f"Dice({str(self)!r})"

    def __str__(self) -> str:
        return " ".join(FACES[f] for f, c in enumerate(self.counts) for _ in range(c))


def _six_counts(counts: object) -> tuple[int, ...]:
    """Six counts of any whole numbers, in any kind of list."""
    found = whole_numbers(counts)
    if found is None or len(found) != 6:
        raise _no_dice(counts)
    return found


def _no_dice(counts: object) -> DiceError:
    return DiceError(f"{shown(counts)} are no dice: give six counts, of the faces 1-5 and W")


def keep_order(roll: Dice, kept_mask: int) -> tuple[int, ...]:
    """The faces of a roll that may be kept, in the order that breaks ties.

    Returns:
        Face indices 0-5: fewest dice first, then the lowest face; empty for a dead roll.
    """
    legal = (f for f in range(6) if roll.counts[f] and not kept_mask >> f & 1)
    return tuple(sorted(legal, key=lambda f: (roll.counts[f], f)))


def keep(kept: Dice | str, roll: Dice | str, face: str) -> Dice:
    """Set aside all dice of one face.

    Args:
        kept: The dice kept before, or their text.
        roll: The roll on the table, or its text.
        face: ``1``-``5`` or ``W``; ``w`` and ``6`` are read as ``W``.

    Returns:
        The dice kept afterwards.

    Raises:
        DiceError: A face that is not in the roll, or is kept already.
    """
    before, thrown = Dice.of(kept), Dice.of(roll)
    legal = [FACES[f] for f in keep_order(thrown, before.mask)]
    wanted = Dice.parse(face)
    at = wanted.mask.bit_length() - 1
    if wanted.mask.bit_count() != 1:
        why = f"{shown(face)} is not one face"
    elif not thrown.counts[at]:
        why = f"no {FACES[at]} was rolled ({cut(str(thrown))})"
    elif before.counts[at]:
        why = f"{FACES[at]} is kept already ({cut(str(before))})"
    else:
        return before.plus(at, thrown.counts[at])
    raise DiceError(f"{why}: keep {' or '.join(sorted(legal)) or 'nothing, the roll is dead'}")


def check_kept(dice: int, kept: Dice) -> None:
    """Refuse more kept dice than the game has.

    Raises:
        DiceError: Too many.
    """
    if kept.number > dice:
        raise DiceError(f"{kept.number} dice are kept ({cut(str(kept))}): the game has {dice}")


def check_roll(dice: int, kept: Dice, roll: Dice) -> None:
    """Refuse a roll that cannot fall after these dice are kept.

    Args:
        dice: How many dice the game has.
        kept: The dice kept before.
        roll: The roll.

    Raises:
        DiceError: Too many dice are kept, the turn is over, or the roll has not the dice left.
    """
    check_kept(dice, kept)
    left = dice - kept.number
    if kept.is_spent(dice):
        spent = "all dice" if left == 0 else "all six faces"
        raise DiceError(
            f"{spent} are kept ({cut(str(kept))}), so nothing is rolled: leave out the roll"
        )
    if roll.number != left:
        raise DiceError(
            f"the roll {shown(str(roll))} has {roll.number} dice, but {left} of {dice} are left "
            f"to roll: name {left}"
        )
