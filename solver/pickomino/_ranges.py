"""Lists of tile numbers as people write them: ``21-23,26``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pickomino._checks import shown
from pickomino.errors import PositionError

_RANGE = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?")
_MOST = 10_000
"""There are no more numbers of four digits; a text of a few pages could name a billion."""


def parse_ranges(text: str) -> tuple[int, ...]:
    """Read numbers and ranges, in the order given.

    Args:
        text: Such as ``"21-23,26"`` or ``"30 25"``; commas and spaces separate, and ``""`` or
            ``"-"`` is the empty list.

    Raises:
        PositionError: A part that is neither a number nor an ascending range.
    """
    text = text.strip()
    if text in ("", "-"):
        return ()
    numbers: list[int] = []
    for part in re.split(r"\s*,\s*|\s+", text):
        match = _RANGE.fullmatch(part)
        if match is None:
            raise PositionError(
                f"{shown(part)} in {shown(text)} is no tile: write numbers and ranges as 21-23,26"
            )
        first = int(match[1])
        last = int(match[2] or first)
        if len(numbers) > _MOST:
            raise PositionError(f"{shown(text)} names tiles more than once: name each once")
        if last < first:
            raise PositionError(f"the range {part} runs backwards: write {last}-{first}")
        numbers.extend(range(first, last + 1))
    return tuple(numbers)


def format_ranges(numbers: Sequence[int]) -> str:
    """Print numbers as :func:`parse_ranges` reads them, runs of three or more as ranges."""
    runs: list[list[int]] = []
    for n in numbers:
        if runs and n == runs[-1][-1] + 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    parts = (f"{r[0]}-{r[-1]}" if len(r) > 2 else ",".join(map(str, r)) for r in runs)
    return ",".join(parts) or "-"
