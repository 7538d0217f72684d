"""The options that several commands take."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from pickomino._storage.folders import folder_of
from pickomino.equipment import EQUIPMENT as KNOWN_EQUIPMENT
from pickomino.game.budgets import PER_ANSWER
from pickomino.rules import PRESETS

__all__ = [
    "EQUIPMENT",
    "EXACT",
    "FOLDER",
    "JSON",
    "RULES",
    "TABLES",
    "completer",
    "in_options",
    "max_states_option",
    "question_options",
]

Command = TypeVar("Command", bound=Callable[..., Any])


def completer(words: Callable[[], Iterator[str]]) -> Callable[..., list[str]]:
    """Completion of an option's value from a list of words."""
    return lambda ctx, param, incomplete: [w for w in words() if w.startswith(incomplete)]


class FolderType(click.ParamType):  # type: ignore[type-arg]  # not generic before click 8.3
    """A folder that need not be there."""

    name = "folder"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path of the folder, or a usage error."""
        return value if isinstance(value, Path) else folder_of(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Left to the shell."""
        return [CompletionItem(incomplete, type="dir")]


FOLDER = FolderType()
JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
RULES = click.option("--rules", metavar="RULES", default="rulebook", show_default=True)
EQUIPMENT = click.option("--equipment", metavar="NAME", default="standard", show_default=True)
TABLES = click.option(
    "--tables",
    metavar="[DIR]",
    is_flag=False,
    flag_value="",
    help="Answer from the tables of DIR, or of the usual places, and from nothing else.",
)


def max_states_option(
    default: int = PER_ANSWER,
    what: str = "The largest game to solve for win or margin, in positions.",
) -> Callable[[Command], Command]:
    """The option that says how large a game may be that is solved on the spot."""
    return click.option(
        "--max-states",
        metavar="N",
        type=click.IntRange(min=1),
        default=default,
        show_default=True,
        help=what,
    )


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
        shell_complete=completer(lambda: iter(KNOWN_EQUIPMENT)),
    ),
    click.option("--kept", metavar="DICE", default="", help="Dice kept so far, such as 33W."),
    click.option(
        "--rules",
        metavar="RULES",
        default="rulebook",
        show_default=True,
        help="A preset, with changes as rulebook,steal=mandatory.",
        shell_complete=completer(lambda: iter(PRESETS)),
    ),
    click.option(
        "--objective",
        metavar="NAME",
        default="worms",
        show_default=True,
        help="worms, swing, total, reach:N or exactly:N; win or margin of a whole game.",
        shell_complete=completer(lambda: iter(["worms", "swing", "total", "reach:", "exactly:"])),
    ),
]
EXACT = click.option("--exact", is_flag=True, help="Add the value as a fraction; takes a second.")


def question_options(command: Command) -> Command:
    """Add the options that state a position and the dice kept."""
    for option in reversed(_QUESTION):
        command = option(command)
    return command


_ARGUMENTS = (
    "depth|dtype|equipment|exact|games|jobs|max_states|objective|opponents|out|reach|sample|scheduler|"
    "seed|tables|values_only"
)
_WITH_VALUE = re.compile(rf"\b({_ARGUMENTS})=(?=\S)")
_ALONE = re.compile(rf"\b({_ARGUMENTS})=|\b(max_states|values_only)\b")


def in_options(sentence: str) -> str:
    """A sentence of the library with its arguments as options: ``depth=2`` is ``--depth 2``.

    An argument is told from a word of the sentence by its equals sign, or by an underscore.
    """
    sentence = _WITH_VALUE.sub(lambda found: f"{_option(found[1])} ", sentence)
    return _ALONE.sub(lambda found: _option(found[1] or found[2]), sentence)


def _option(argument: str) -> str:
    return f"--{argument.replace('_', '-')}"
