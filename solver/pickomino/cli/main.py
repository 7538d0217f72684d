"""The ``pickomino`` command: a thin layer that reads words, calls the library and prints."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import sys
import threading
from collections.abc import Iterator
from importlib import import_module
from io import TextIOWrapper
from typing import ClassVar

import click

from pickomino._checks import cut
from pickomino._runtime.streams import occupy_streams, say, told
from pickomino._version import __version__
from pickomino.cli.options import in_options
from pickomino.errors import PickominoError

__all__ = ["LazyGroup", "cli", "run"]

MOST_OF_A_SENTENCE = 300
"""Characters of a sentence of click's, which shows all that was typed."""


class LazyGroup(click.Group):
    """Loads a command only when it is asked for, so that the others start fast."""

    homes: ClassVar[dict[str, str]] = {
        "best": "best",
        "game": "game",
        "match": "match",
        "odds": "best",
        "play": "play",
        "review": "review",
        "rules": "rules",
        "tables": "tables",
        "turn": "turn",
    }

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, by name."""
        return sorted(self.homes)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command, from its module."""
        if cmd_name not in self.homes:
            return None
        module = import_module(f"pickomino.cli.{self.homes[cmd_name]}")
        command: click.Command = getattr(module, cmd_name)
        return command


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=False,
    invoke_without_command=True,
)
@click.version_option(__version__, message="pickomino %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Exact optimal play of Pickomino (Heckmeck, Regenwormen).

    \b
    pickomino best --own 25 --opponent 24 --kept "3 3 3" --roll "1 3 4 4 W"
    pickomino odds --opponent 21,30 --reach
    pickomino turn
    pickomino rules bga

    Tiles are lists and ranges (21-23,26), stacks go from bottom to top, dice are written with or
    without spaces, and the worm is W, w or 6. You are player 1 and to move; opponents are numbered
    in the order given, and without --opponent there is nobody to steal from.
    """  # noqa: D301
    if context.invoked_subcommand is None:
        print(context.get_help())


def run(arguments: list[str] | None = None) -> None:
    """The ``pickomino`` command: print one sentence and exit with 2 on bad input."""
    occupy_streams()
    if "_PICKOMINO_COMPLETE" in os.environ:
        from pickomino.cli.completion import complete_in_bash

        complete_in_bash()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        with _ended_by_signals(), told():
            code = cli.main(arguments, prog_name="pickomino", standalone_mode=False)
            if sys.stdout is not None:
                sys.stdout.flush()
    except click.ClickException as error:
        say(f"error: {cut(error.format_message(), MOST_OF_A_SENTENCE)}")
        code = 2
    except PickominoError as error:
        say(f"error: {in_options(str(error))}")
        code = 2
    except (click.Abort, KeyboardInterrupt):
        say()
        code = 130
        # An interrupt within code that a library ran by exec() is remembered until the next one,
        # and Python would end itself by the signal in place of the exit code.
        exec("")
    except (MemoryError, OSError, ImportError, RuntimeError) as error:
        code = 1
        if _wants_memory(error):
            say("error: the memory is not enough for this: ask for less, or free some")
        elif not isinstance(error, OSError) or error.errno is None:
            raise
        elif error.filename is not None:
            say(f"error: {error.filename}: {error.strerror}")
        else:
            # Writing names no file: nobody reads the answer any more, or the disk is full.
            sys.stdout = None  # Python would try once more at its end
            if error.errno != errno.EPIPE:
                say(f"error: the answer cannot be written: {error.strerror}")
    sys.exit(code)


def _wants_memory(error: Exception) -> bool:
    """Whether there is too little memory, be it for a library, a thread or an array."""
    signs = ("start new thread", "map segment", "load shared object", "allocate memory")
    lacks = isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM
    return lacks or any(sign in str(error) for sign in signs)


@contextlib.contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Let the signals that end a process end it tidily: what is begun is put away first."""

    def leave(number: int, frame: object) -> None:
        raise SystemExit(128 + number)

    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {}
    if threading.current_thread() is threading.main_thread():
        for number in (getattr(signal, name) for name in names):
            if signal.getsignal(number) is signal.SIG_DFL:
                before[number] = signal.signal(number, leave)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
