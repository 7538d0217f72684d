"""What a turn is worth by how it ends, and when one choice is better than another.

Choices that differ by at most 1e-12 of the payoff range are ties.  Every implementation scans
choices in one order (stop before roll; fewest dice, then lowest face, W last; highest tile) and a
later one displaces the one held only if it :func:`beats` it.  Where none beats the other they tie.

:func:`beats`, :func:`rolls_on` and :func:`dead_total` take numbers and arrays, and compiled code
compiles these very functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pickomino._checks import flag, is_flag, listed, shown
from pickomino.dice import LEAST_TOTAL, MAX_DICE, PIPS, WORM
from pickomino.errors import ObjectiveError

__all__ = [
    "MAX_PAYOFF",
    "MIN_SPREAD",
    "TIE",
    "Number",
    "TurnPayoffs",
    "beats",
    "dead_total",
    "exact_number",
    "final_of_total",
    "first_best",
    "of_one_kind",
    "rank",
    "rolls_on",
    "tie_tolerance",
]

Number = float | Fraction

MAX_PAYOFF = 1e100
"""Payoffs stay below this in size, so that no difference or sum of them overflows."""

DIGITS = 10_000
"""Places that a ``Decimal`` may have on either side, so that its fraction stays small."""

MIN_SPREAD = 1e-100
"""Payoffs that are not all equal spread further than this, so that no product of a probability and
a difference of them falls below the least double that has all its digits.
"""

TIE = Fraction(1, 10**12)
"""Choices this close, as a fraction of the payoff range, are ties."""


def exact_number(value: object) -> Number | None:
    """A payoff as an ``int``, ``float`` or ``Fraction`` without loss; None if it is no number.

    NumPy's numbers, ``Decimal`` and booleans are numbers; text, complex and infinite ones are not.
    """
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    number: Number | None = None
    if isinstance(value, (int, float, Fraction)) and not is_flag(value):
        number = float(value) if isinstance(value, float) else value
    elif is_flag(value):
        number = int(bool(value))
    elif isinstance(value, Rational):
        number = Fraction(int(value.numerator), int(value.denominator))
    elif isinstance(value, np.floating) and np.isfinite(value):
        number = Fraction(*value.as_integer_ratio())  # a longdouble has more digits than a float
    elif isinstance(value, Decimal) and value.is_finite() and abs(value.adjusted()) <= DIGITS:
        number = Fraction(value)
    fits = number is not None and -MAX_PAYOFF <= number <= MAX_PAYOFF  # which NaN does not
    return number if fits else None


def of_one_kind(numbers: Sequence[Number]) -> tuple[Number, ...]:
    """The numbers themselves; fractions if floats are mixed with others.

    A difference of a float and a fraction would be rounded as both are, not as it is.
    """
    floats = sum(isinstance(number, float) for number in numbers)
    if floats in (0, len(numbers)):
        return tuple(numbers)
    return tuple([Fraction(number) for number in numbers])


def tie_tolerance(payoffs: Sequence[Number]) -> Number:
    """How far apart choices may be worth and still tie; exact if the payoffs are."""
    return Fraction(max(payoffs) - min(payoffs)) * TIE


def final_of_total(totals: int) -> NDArray[np.int64]:
    """``(totals,)`` the final total that each place of an array by totals stands for.

    Totals that cannot occur stand for 0, so that arrays can be indexed by the total itself.
    """
    total = np.arange(totals)
    return np.where(total < LEAST_TOTAL, 0, total)


def beats(value: Any, held: Any, tolerance: Any) -> Any:
    """Whether a choice is worth more than the one held, by more than the tolerance."""
    return value > held + tolerance


def rolls_on(rolled: Any, stopped: Any, tolerance: Any) -> Any:
    """Whether to roll where a stop is legal: on equal worth the turn is stopped."""
    return rolled > stopped + tolerance  # as beats() says, without the time of a call


def dead_total(final: Any, keep_sum: bool) -> Any:
    """The final total after a dead roll; :mod:`pickomino.play.engine` ends played turns so, too.

    Args:
        final: The final total that a stop before the roll would have ended the turn with.
        keep_sum: Whether a dead roll ends the turn with the sum so far; else it ends it with 0.
    """
    return final * keep_sum


def first_best(values: Sequence[Number], tolerance: Number) -> int:
    """The index of the best choice under the tie rule, for choices in the order of the rule."""
    held = 0
    for i in range(1, len(values)):
        if beats(values[i], values[held], tolerance):
            held = i
    return held


@dataclass(frozen=True)
class TurnPayoffs:
    """What a turn is worth by how it ends.

    Attributes:
        by_total: The payoff of each final total 0 to five times the dice; 0 stands for a turn
            without a worm or ended by a dead roll that is a bust, and totals 1-4 cannot occur.
        may_stop: Whether the turn may be ended on purpose at each final total.
        keep_sum: Whether a dead roll ends the turn with the sum so far instead of 0.

    Raises:
        ObjectiveError: Lists of other lengths, or payoffs that are no numbers or beyond 1e100.
    """

    by_total: tuple[Number, ...]
    may_stop: tuple[bool, ...]
    keep_sum: bool = False

    def __post_init__(self) -> None:
        for name in ("by_total", "may_stop"):
            object.__setattr__(self, name, listed(name, getattr(self, name)))
        flag("keep_sum", self.keep_sum)
        totals = len(self.by_total)
        if totals not in range(6, PIPS[WORM] * MAX_DICE + 2, PIPS[WORM]):
            raise ObjectiveError(
                f"{totals} payoffs fit no dice: give 5 times the dice plus 1, for 1 to {MAX_DICE}"
            )
        if len(self.may_stop) != totals or not all(map(is_flag, self.may_stop)):
            raise ObjectiveError(
                f"may_stop={shown(self.may_stop)} does not fit {totals} payoffs: give a flag each"
            )
        numbers = [exact_number(value) for value in self.by_total]
        found = [number for number in numbers if number is not None]
        if len(found) < totals:
            wrong = self.by_total[numbers.index(None)]
            raise ObjectiveError(
                f"{shown(wrong)} is no payoff: give numbers up to {MAX_PAYOFF:g} in size"
            )
        object.__setattr__(self, "by_total", of_one_kind(found))

    @property
    def dice(self) -> int:
        """The dice a turn begins with."""
        return len(self.by_total) // PIPS[WORM]

    @property
    def possible(self) -> tuple[Number, ...]:
        """The payoffs of the final totals that can occur."""
        return self.by_total[:1] + self.by_total[LEAST_TOTAL:]

    @property
    def floor(self) -> Number:
        """The least payoff."""
        return min(self.possible)

    @property
    def tolerance(self) -> Number:
        """Choices that differ by at most this are ties; exact if the payoffs are."""
        return tie_tolerance(self.possible)


def rank(values: dict[int, Number], tolerance: Number) -> tuple[tuple[int, bool], ...]:
    """Order faces by applying the tie rule again and again; see :meth:`Solution.rank`."""
    faces, order = list(values), []
    while len(faces) > 1:
        order.append(faces.pop(first_best([values[f] for f in faces], tolerance)))
    order += faces
    return tuple([(f, not beats(values[order[0]], values[f], tolerance)) for f in order])
