"""Checking arguments, and wording what is allowed."""

from __future__ import annotations


def word_of(value: object) -> str:
    """A value as the command line writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def one_of(values: tuple[str | bool, ...]) -> str:
    """The values as a choice, such as ``"a, b or c"``."""
    words = [word_of(v) for v in values]
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]
