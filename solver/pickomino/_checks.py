"""Checking arguments, and wording what is given and what is allowed."""

from __future__ import annotations

import reprlib
from itertools import islice
from math import log10
from operator import index
from typing import Any, TypeVar

from pickomino.errors import ArgumentError, printable

T = TypeVar("T")


def word_of(value: object) -> str:
    """A value as the command line writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, str) else shown(value)


def one_of(values: tuple[str | bool, ...]) -> str:
    """The values as a choice, such as ``"a, b or c"``."""
    words = [word_of(v) for v in values]
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def whole_number(value: object) -> int | None:
    """A whole number, NumPy's integers among them, as an ``int``; None for anything else.

    Booleans and floats are none, as they stand for something else than a count.
    """
    if is_flag(value):
        return None
    try:
        return index(value)  # type: ignore[arg-type]
    except Exception:  # whatever the value's own code raises, it is none
        return None


MOST_ITEMS = 10**6
"""More than any list of a game has; what goes on beyond may never end."""


def items_of(values: object) -> tuple[Any, ...] | None:
    """What a list, an array or another iterable holds; None for anything else, text among it."""
    if isinstance(values, (str, bytes)):
        return None
    try:
        found = tuple(islice(iter(values), MOST_ITEMS + 1))  # type: ignore[call-overload]
    except TypeError:  # a NumPy scalar has an __iter__, too
        return None
    return found if len(found) <= MOST_ITEMS else None


def whole_numbers(values: object) -> tuple[int, ...] | None:
    """Some whole numbers as a tuple; None for anything else, text among it."""
    items = items_of(values)
    if items is None:
        return None
    numbers = tuple([whole_number(value) for value in items])
    found = tuple([number for number in numbers if number is not None])
    return found if len(found) == len(numbers) else None


def is_flag(value: object) -> bool:
    """Whether a value is a boolean, be it Python's or NumPy's."""
    return isinstance(value, bool) or type(value).__name__ in ("bool", "bool_")


def flag(name: str, value: object) -> bool:
    """A boolean argument.

    Raises:
        ArgumentError: A value of another kind.
    """
    if not is_flag(value):
        raise ArgumentError(f"{name}={shown(value)} is no switch: use True or False")
    return bool(value)


def given(name: str, value: object, kind: type[T]) -> T:
    """An argument that has to be of a class.

    Raises:
        ArgumentError: A value of another kind.
    """
    if not isinstance(value, kind):
        wanted = "text" if kind is str else f"a {kind.__name__}"
        raise ArgumentError(f"{name}={shown(value)} is of the wrong kind: give {wanted}")
    return value


def listed(name: str, value: object) -> tuple[Any, ...]:
    """An argument that lists something.

    Raises:
        ArgumentError: A value of another kind, text among them.
    """
    items = items_of(value)
    if items is None:
        raise ArgumentError(f"{name}={shown(value)} lists nothing: give a tuple")
    return items


def count(name: str, value: object, most: int | None = None) -> int:
    """An argument that counts something from 0.

    Raises:
        ArgumentError: No whole number, or one that is below 0 or above the most.
    """
    number = value if type(value) is int else whole_number(value)
    if number is None or number < 0 or (most is not None and number > most):
        wanted = "from 0" if most is None else f"from 0 to {most}"
        raise ArgumentError(f"{name}={shown(value)} does not count: use a whole number {wanted}")
    return number


MOST_SHOWN = 100
"""Characters of a value that a sentence shows; a position of the standard game fits."""


class _Short(reprlib.Repr):
    """Python's notation, without what does not fit in a sentence."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = MOST_SHOWN
        self.maxlist = self.maxtuple = 10
        self.maxlevel = 3

    def repr_int(self, x: int, level: int) -> str:
        """Python prints no integer of more than 4,300 digits, and a sentence needs none of 30."""
        if abs(x) < 10**30:
            return repr(x)
        return f"about {'-' if x < 0 else ''}10^{round(x.bit_length() * log10(2))}"


_SHORT = _Short()


def shown(value: object) -> str:
    """A value as a sentence shows it: in Python's notation, on one line, and cut where long."""
    try:
        return cut(_SHORT.repr(value))
    except Exception:  # the value's own, which is no reason not to say what is wrong with it
        return f"<{type(value).__name__}>"


def cut(text: str, most: int = MOST_SHOWN) -> str:
    """A text on one line, without control characters, its middle left out where it is long."""
    if len(text) > most:
        head = (most - 3) // 2
        text = f"{text[:head]}...{text[len(text) - (most - 3 - head) :]}"
    return printable(text)
