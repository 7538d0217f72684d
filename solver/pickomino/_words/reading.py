"""Text from outside: the lines of a file or of standard input, and the JSON objects in it."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from io import TextIOWrapper
from typing import Any

from pickomino._checks import cut, shown
from pickomino.errors import PickominoError

MOST_DIGITS = 18
"""Far more than any number of the game has; Python itself refuses to read 4,301."""


def lines_of(file: str) -> Iterator[str]:
    """The lines of a text in UTF-8, with or without a byte-order mark, as they come.

    Lines end as on any system, so that a lone carriage return ends one.

    Bytes that are not UTF-8 become lone surrogates, which :func:`object_of` refuses, so that they
    spoil no line but their own.

    Args:
        file: Its path, or ``-`` for standard input.

    Raises:
        PickominoError: A file that cannot be read, or standard input that is closed.
    """
    try:
        if file != "-":
            with open(file, encoding="utf-8-sig", errors="surrogateescape") as stream:
                yield from stream
            return
        if sys.stdin is None:
            raise PickominoError("standard input is closed: name a file")
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8-sig", errors="surrogateescape", newline=None)
        yield from sys.stdin
    except OSError as error:
        raise PickominoError(f"{shown(file)} cannot be read: {error.strerror}") from None
    except ValueError as error:
        if isinstance(error, PickominoError):
            raise
        raise PickominoError(f"{shown(file)} is no file: {error}") from None  # a NUL in it


def object_of(text: str) -> dict[str, Any]:
    """The object that a JSON text holds.

    Args:
        text: The text, as :func:`lines_of` reads it.

    Raises:
        PickominoError: Text that is not UTF-8 or no JSON, that holds no object or the same key
            twice, or a number that is too long.
    """
    stray = re.search("[\ud800-\udfff]", text)
    if stray is not None:
        what = f"byte 0x{ord(stray[0]) & 0xFF:02x}" if "\udc80" <= stray[0] <= "\udcff" else "sign"
        raise PickominoError(
            f"the {what} at character {stray.start() + 1} of {shown(text.strip())} is not UTF-8: "
            "save the text as UTF-8"
        )
    try:
        found = json.loads(text, object_pairs_hook=_once_each, parse_int=_whole)
    except json.JSONDecodeError as error:
        raise PickominoError(f"{shown(text.strip())} is not JSON: {error}") from None
    except RecursionError:
        raise PickominoError(
            f"{shown(text.strip())} is nested too deeply: write an object of texts and lists"
        ) from None
    if not isinstance(found, dict):
        raise PickominoError(f"{shown(text.strip())} is no object: write the fields as one")
    return found


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of its keys, each of them there once; Python would take the last."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise PickominoError(f"the key {shown(key)} is given twice: give it once")
        found[key] = value
    return found


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise PickominoError(
            f"the number {cut(digits)} is too long: write {MOST_DIGITS} digits or less"
        )
    return int(digits)
