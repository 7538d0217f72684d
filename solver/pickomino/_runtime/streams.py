"""What is said beside the answer: on standard error, which may be closed, full or a file.

Saying something never stops the work, and nothing said goes to standard output.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from functools import cache
from typing import Any

from pickomino.errors import PickominoError

PATIENCE = 2.0
"""Seconds after which whoever waits is told what for."""

LINE_SECONDS = 60.0
"""Seconds between two lines of progress where standard error is no terminal."""

_telling = 0


def occupy_streams() -> None:
    """Put the null device in the place of standard streams that are closed.

    Else the next file that is opened takes such a place, and what is meant for the stream is
    written into it.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            with contextlib.suppress(OSError):
                os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free


class Aside:
    """Standard error as it is now: it takes text and raises nothing."""

    def write(self, text: str) -> int:
        """Write as far as possible."""
        with contextlib.suppress(OSError, ValueError):
            if sys.stderr is not None:
                sys.stderr.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush as far as possible."""
        with contextlib.suppress(OSError, ValueError):
            if sys.stderr is not None:
                sys.stderr.flush()

    def isatty(self) -> bool:
        """Whether a terminal shows it."""
        with contextlib.suppress(OSError, ValueError, AttributeError):
            return sys.stderr.isatty()
        return False

    def __getattr__(self, name: str) -> Any:
        """Whatever else a library wants to know of the stream, such as its encoding."""
        return getattr(sys.stderr, name)


class Lines(Aside):
    """For a progress bar that no terminal shows: each state of it is a line."""

    def write(self, text: str) -> int:
        """Write a state of the bar, which begins by going back to the start of its line."""
        shown = text.strip("\r\n ")
        if shown:
            super().write(f"{shown}\n")
        return len(text)


def check_conversation() -> None:
    """Refuse to ask and answer without both streams.

    Raises:
        PickominoError: Standard input or output is closed.
    """
    for name, stream in (("input", sys.stdin), ("output", sys.stdout)):
        if stream is None:
            raise PickominoError(f"standard {name} is closed: use a terminal")


def say(text: str = "") -> None:
    """Say a line beside the answer."""
    aside = Aside()
    aside.write(f"{text}\n")
    aside.flush()


@contextlib.contextmanager
def told() -> Iterator[None]:
    """While it is entered, somebody wants to be told by :func:`note` and :func:`waiting`."""
    global _telling
    _telling += 1
    try:
        yield
    finally:
        _telling -= 1


def note(text: str) -> None:
    """Say something that does not belong to the answer, if somebody wants to be told."""
    if _telling:
        say(f"note: {text}")


@cache
def _say_once(text: str) -> None:
    say(text)


@contextlib.contextmanager
def waiting(what: str) -> Iterator[None]:
    """Say what is waited for, if it takes long and somebody wants to be told.

    Args:
        what: What is done, such as ``"compiling, once"``.
    """
    if not _telling:
        yield
        return
    timer = threading.Timer(PATIENCE, _say_once, [f"{what} ..."])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
