"""The command line: a thin layer that reads words, calls the library and prints."""

from __future__ import annotations

import errno
import json
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from io import TextIOWrapper
from typing import Any, ClassVar, TextIO, TypeVar

import click

from pickomino._version import __version__
from pickomino._words.question import (
    Question,
    answer_line,
    answer_of,
    best_answer,
    odds_answer,
    title,
)
from pickomino._words.report import presets_text, rules_json, rules_text
from pickomino.cli.options import JSON, TABLES, max_states_option
from pickomino.dice import check_kept
from pickomino.equipment import EQUIPMENT
from pickomino.errors import PickominoError
from pickomino.rules import PRESETS, Rules

Command = TypeVar("Command", bound=Callable[..., None])


def _completer(words: Callable[[], Iterator[str]]) -> Callable[..., list[str]]:
    return lambda ctx, param, incomplete: [w for w in words() if w.startswith(incomplete)]


_QUESTION = [
    click.option("--grill", metavar="TILES", help="Face-up tiles [default: all nobody holds]."),
    click.option("--own", metavar="TILES", help="Your stack, bottom to top [default: none]."),
    click.option(
        "--opponent",
        metavar="TILES",
        multiple=True,
        help='An opponent\'s stack, bottom to top; "" for none. Once per opponent.',
    ),
    click.option("--position", metavar="NOTATION", help="The position in one line instead."),
    click.option(
        "--equipment",
        metavar="NAME",
        help="standard, junior, or dice, tiles and worms as 6d:16-18x1,19-21x2.",
        shell_complete=_completer(lambda: iter(EQUIPMENT)),
    ),
    click.option("--kept", metavar="DICE", default="", help="Dice kept so far, such as 33W."),
    click.option(
        "--rules",
        metavar="RULES",
        default="rulebook",
        show_default=True,
        help="A preset, with changes as rulebook,steal=mandatory.",
        shell_complete=_completer(lambda: iter(PRESETS)),
    ),
    click.option(
        "--objective",
        metavar="NAME",
        default="worms",
        show_default=True,
        help="worms, swing, total, reach:N or exactly:N; win or margin of a whole game.",
        shell_complete=_completer(lambda: iter(["worms", "swing", "total", "reach:", "exactly:"])),
    ),
]
_EXACT = click.option("--exact", is_flag=True, help="Add the value as a fraction; takes a second.")


def question_options(command: Command) -> Command:
    """Add the options that state a position and the dice kept."""
    for option in reversed(_QUESTION):
        command = option(command)
    return command


class LazyGroup(click.Group):
    """Loads rarer commands only when they are asked for, so that the others start fast."""

    elsewhere: ClassVar[dict[str, str]] = {
        "game": "pickomino.cli.games",
        "match": "pickomino.cli.games",
        "play": "pickomino.cli.play",
        "review": "pickomino.cli.games",
        "tables": "pickomino.cli.tables",
    }

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, by name."""
        return sorted([*super().list_commands(ctx), *self.elsewhere])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command, from its module if it lives elsewhere."""
        if cmd_name not in self.elsewhere:
            return super().get_command(ctx, cmd_name)
        command: click.Command = getattr(import_module(self.elsewhere[cmd_name]), cmd_name)
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


@cli.command()
@question_options
@click.option("--roll", metavar="DICE", help="The roll; without it, roll is weighed against stop.")
@click.option(
    "--batch", metavar="FILE", help="Answer each JSON line of FILE, - for standard input."
)
@max_states_option()
@TABLES
@_EXACT
@JSON
def best(batch: str | None, tables: str | None, exact: bool, as_json: bool, **words: Any) -> None:
    """Say which face to keep, and whether to roll on or stop.

    \b
    pickomino best --grill 21-23,26-28 --own 25 --opponent 24 --kept 333 --roll 1344W
    pickomino best --kept "2 3 3 4 4 W"

    A line of a batch is an object that states a position and a roll by the names of these options;
    options given on the command line hold for every line that does not set them.
    """  # noqa: D301
    if batch is not None:
        with _open(batch) as lines:
            for line in lines:
                if line.strip():
                    found = answer_line(line, words, exact=exact, tables=tables)
                    print(json.dumps(found), flush=True)
        return
    answer, text = best_answer(Question(**words), exact=exact, tables=tables)
    print(json.dumps(answer) if as_json else text)


@cli.command(name="odds")
@question_options
@click.option("--reach", is_flag=True, help="Add the best chance to reach each tile's number.")
@max_states_option()
@TABLES
@_EXACT
@JSON
def odds_command(reach: bool, tables: str | None, exact: bool, as_json: bool, **words: Any) -> None:
    """Say what the turn is worth and how it ends under optimal play.

    \b
    pickomino odds --own 25 --opponent 24,29
    pickomino odds --kept "3 3 3 W W" --json
    """  # noqa: D301
    answer, text = odds_answer(Question(**words), reach=reach, exact=exact, tables=tables)
    print(json.dumps(answer) if as_json else text)


@cli.command(name="rules")
@click.argument(
    "name", required=False, metavar="[RULES]", shell_complete=_completer(lambda: iter(PRESETS))
)
@JSON
def rules_command(name: str | None, as_json: bool) -> None:
    """List the rule sets, or show one with its switches and source.

    \b
    pickomino rules
    pickomino rules bga
    pickomino rules rulebook,steal=mandatory --json
    """  # noqa: D301
    if name is None:
        presets = [rules_json(preset.rules) for preset in PRESETS.values()]
        print(json.dumps(presets) if as_json else presets_text())
    else:
        rules = Rules.parse(name)
        print(json.dumps(rules_json(rules)) if as_json else rules_text(rules))


@cli.command()
@question_options
@max_states_option()
def turn(**words: Any) -> None:
    """Play a turn at the table: type each roll as it falls, and be told what to do.

    \b
    pickomino turn --own 25 --opponent 24,29
    """  # noqa: D301
    from pickomino.cli.assistant import run_turn

    question = Question(**words)
    if sys.stdin is None:
        raise click.UsageError("standard input is closed: run pickomino turn in a terminal.")
    answer = answer_of(question)
    check_kept(question.board.equipment.dice, question.dice)
    print(title(question, answer))
    run_turn(answer.turn, question.dice)


def _open(path: str) -> TextIO:
    if path == "-":
        if sys.stdin is None:
            raise click.UsageError("standard input is closed: name a file.")
        return sys.stdin
    try:
        return open(path, encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise click.UsageError(f"{path!r} cannot be read: {error.strerror}.") from None


def run(arguments: list[str] | None = None) -> None:
    """The ``pickomino`` command: print one sentence and exit with 2 on bad input."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        code = cli.main(arguments, prog_name="pickomino", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.ClickException as error:
        print(f"error: {error.format_message()}", file=sys.stderr)
        code = 2
    except PickominoError as error:
        print(f"error: {error}", file=sys.stderr)
        code = 2
    except (click.Abort, KeyboardInterrupt):
        print(file=sys.stderr)
        code = 130
    except OSError as error:
        # Nobody reads any more, or the disk is full; Python would try once more at its end.
        sys.stdout = None
        if error.errno != errno.EPIPE:
            print(f"error: the answer cannot be written: {error.strerror}", file=sys.stderr)
        code = 1
    sys.exit(code)
