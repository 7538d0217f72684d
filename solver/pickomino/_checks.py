"""Checking arguments, and wording what is given and what is allowed."""

from __future__ import annotations

import reprlib
from math import log10
from operator import index


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
    if isinstance(value, bool) or type(value).__name__ == "bool":  # NumPy's is no bool
        return None
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


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
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
