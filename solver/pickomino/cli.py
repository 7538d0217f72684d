"""The command line: a thin layer that reads words, calls the library and prints."""

from __future__ import annotations

import errno
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from io import TextIOWrapper
from textwrap import shorten
from typing import Any, TextIO, TypeVar

import click

from pickomino import __version__
from pickomino.advice import advise, odds, reach_chances
from pickomino.dice import Dice, check_kept
from pickomino.errors import PickominoError
from pickomino.objectives import turn_problem
from pickomino.position import Position
from pickomino.ranges import parse_ranges
from pickomino.report import (
    Json,
    exact_text,
    keep_json,
    keep_text,
    odds_json,
    odds_text,
    presets_text,
    rules_json,
    rules_text,
    stop_json,
    stop_text,
)
from pickomino.rules import EQUIPMENT, PRESETS, STANDARD, Equipment, Rules

Command = TypeVar("Command", bound=Callable[..., None])


@dataclass(frozen=True)
class Question:
    """What is asked about, in the words of the user; the fields are the options' names."""

    grill: str | None = None
    own: str | None = None
    opponent: tuple[str, ...] = ()
    position: str | None = None
    equipment: str | None = None
    kept: str = ""
    roll: str | None = None
    rules: str = "rulebook"
    objective: str = "worms"

    @cached_property
    def table(self) -> Position:
        """The position asked about."""
        parts = {"--grill": self.grill, "--own": self.own, "--opponent": self.opponent or None}
        equipment = None if self.equipment is None else Equipment.parse(self.equipment)
        if self.position is None:
            return Position.seen(
                parse_ranges(self.own or ""),
                [parse_ranges(stack) for stack in self.opponent],
                None if self.grill is None else parse_ranges(self.grill),
                equipment or STANDARD,
            )
        for option, value in parts.items():
            if value is not None:
                raise click.UsageError(f"--position already says what {option} says: drop one.")
        text = self.position
        if equipment is not None and len(text.split()) == 3:
            text = f"{text} {equipment}"
        position = Position.parse(text)
        if equipment not in (None, position.equipment):
            raise click.UsageError(
                f"--position is of {position.equipment}, not of {equipment}: drop --equipment."
            )
        return position

    @cached_property
    def rule_set(self) -> Rules:
        """The rules asked about."""
        return Rules.parse(self.rules)

    @cached_property
    def dice(self) -> Dice:
        """The dice kept."""
        return Dice.parse(self.kept)

    def header(self, command: str) -> Json:
        """The fields of a JSON answer that repeat the question."""
        return {
            "schema": f"pickomino.{command}/1",
            "rules": str(self.rule_set),
            "objective": self.objective,
            "position": str(self.table),
            "kept": str(self.dice),
        }

    def title(self) -> str:
        """The lines of a readable answer that repeat the question."""
        kept = f"{self.dice}   total {self.dice.total}" if self.dice.number else "-"
        lines = [
            f"position   {self.table}",
            f"rules      {self.rule_set}   objective {self.objective}",
            f"kept       {kept}",
        ]
        if self.roll is not None:
            lines.append(f"roll       {Dice.parse(self.roll)}")
        return "\n".join(lines) + "\n"


_KEYS = [field.name for field in fields(Question)]


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
        help="worms, swing, total, reach:N or exactly:N.",
        shell_complete=_completer(lambda: iter(["worms", "swing", "total", "reach:", "exactly:"])),
    ),
]
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
_EXACT = click.option("--exact", is_flag=True, help="Add the value as a fraction; takes a second.")


def question_options(command: Command) -> Command:
    """Add the options that state a position and the dice kept."""
    for option in reversed(_QUESTION):
        command = option(command)
    return command


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=False,
    invoke_without_command=True,
)
@click.version_option(__version__, message="pickomino %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Exact optimal play for a turn of Pickomino (Heckmeck, Regenwormen).

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
@_EXACT
@_JSON
def best(batch: str | None, exact: bool, as_json: bool, **words: Any) -> None:
    """Say which face to keep, and whether to roll on or stop.

    \b
    pickomino best --grill 21-23,26-28 --own 25 --opponent 24 --kept 333 --roll 1344W
    pickomino best --kept "2 3 3 4 4 W"

    A line of a batch is an object that states a position and a roll by the names of these options;
    options given on the command line hold for every line that does not set them.
    """  # noqa: D301
    question = Question(**words)
    if batch is not None:
        with _open(batch) as lines:
            for line in lines:
                if line.strip():
                    print(json.dumps(_answer_line(line, words, exact)), flush=True)
        return
    fields, text = _best(question, exact)
    print(json.dumps(fields) if as_json else text)


@cli.command(name="odds")
@question_options
@click.option("--reach", is_flag=True, help="Add the best chance to reach each tile's number.")
@_EXACT
@_JSON
def odds_command(reach: bool, exact: bool, as_json: bool, **words: Any) -> None:
    """Say what the turn is worth and how it ends under optimal play.

    \b
    pickomino odds --own 25 --opponent 24,29
    pickomino odds --kept "3 3 3 W W" --json
    """  # noqa: D301
    question = Question(**words)
    position, kept, rules = question.table, question.dice, question.rule_set
    answer = odds(position, kept, rules, question.objective, exact=exact)
    chances = reach_chances(position, kept, rules) if reach else None
    if as_json:
        print(json.dumps({**question.header("odds"), **odds_json(answer, position, chances)}))
        return
    print(f"{question.title()}\n{odds_text(answer, position, chances)}")
    if isinstance(answer.value, Fraction):
        print(f"\nexactly {exact_text(answer.value)}")


@cli.command(name="rules")
@click.argument(
    "name", required=False, metavar="[RULES]", shell_complete=_completer(lambda: iter(PRESETS))
)
@_JSON
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
def turn(**words: Any) -> None:
    """Play a turn at the table: type each roll as it falls, and be told what to do.

    \b
    pickomino turn --own 25 --opponent 24,29
    """  # noqa: D301
    from pickomino.assistant import run_turn

    question = Question(**words)
    if sys.stdin is None:
        raise click.UsageError("standard input is closed: run pickomino turn in a terminal.")
    problem = turn_problem(question.table, question.rule_set, question.objective)
    check_kept(question.table.equipment.dice, question.dice)
    print(question.title())
    run_turn(problem, question.objective, question.dice)


def _best(question: Question, exact: bool) -> tuple[Json, str]:
    """The answer to ``best`` as JSON and as text."""
    position, kept = question.table, question.dice
    asked = (question.rule_set, question.objective)
    fields = question.header("best")
    if question.roll is None:
        stop = advise(position, kept, None, *asked, with_odds=True, exact=exact)
        fields |= stop_json(stop)
        text = stop_text(stop)
    else:
        roll = Dice.parse(question.roll)
        keep = advise(position, kept, roll, *asked, with_odds=True, exact=exact)
        fields |= {"roll": str(roll), **keep_json(keep)}
        text = keep_text(keep, position)
    text = f"{question.title()}\n{text}"
    return fields, f"{text}\nexactly {fields['exact']}" if exact else text


def _answer_line(line: str, words: Json, exact: bool) -> Json:
    """The answer to one line of a batch, or its error."""
    try:
        try:
            asked = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise click.UsageError(f"{shorten(line, 80)!r} is not JSON: {error}.") from None
        if not isinstance(asked, dict):
            raise click.UsageError(f"{shorten(line, 80)!r} is no object: write the options as one.")
        for key in asked:
            if key not in _KEYS:
                raise click.UsageError(f"no option is called {key!r}: use {', '.join(_KEYS)}.")
        set_here = {key: _words(key, value) for key, value in asked.items() if value is not None}
        given = {**words, **set_here}
        return _best(Question(**given), exact)[0]
    except click.ClickException as error:
        return {"error": error.message}
    except PickominoError as error:
        return {"error": str(error)}


def _words(key: str, value: object) -> object:
    """A JSON value as the command line would give it: numbers as text, lists of them joined."""
    if key == "opponent":
        stacks = [value] if isinstance(value, str) else value
        if not isinstance(stacks, list):
            raise click.UsageError(f"opponent={value!r} are no stacks: give a list of them.")
        return tuple(_words("stack", stack) for stack in stacks)
    if isinstance(value, list) and all(isinstance(v, (int, str)) for v in value):
        if key in ("kept", "roll") and any(len(str(v)) != 1 for v in value):
            raise click.UsageError(f"{key}={value!r} has more than one die in an item: split it.")
        return ",".join(map(str, value))
    if isinstance(value, (int, str)) and not isinstance(value, bool):
        return str(value)
    raise click.UsageError(f"{key}={value!r} is no text: write it as on the command line.")


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
