"""Checking arguments, and wording what is allowed."""

from __future__ import annotations

from operator import index


def word_of(value: object) -> str:
    """A value as the command line writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


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
