"""The options that several commands take."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar, get_args

import click
from click.shell_completion import CompletionItem

from pickomino._storage.folders import folder_of
from pickomino.equipment import EQUIPMENT as KNOWN_EQUIPMENT
from pickomino.game.budgets import PER_ANSWER
from pickomino.objectives import OBJECTIVES, GameObjective
from pickomino.rules import PRESETS

__all__ = [
    "EQUIPMENT",
    "EXACT",
    "FILE",
    "FOLDER",
    "JSON",
    "OBJECTIVE",
    "OF_A_GAME",
    "PLAYER_NAMES",
    "RULES",
    "RULE_SETS",
    "TABLES",
    "completer",
    "in_options",
    "max_states_option",
    "question_options",
]

Command = TypeVar("Command", bound=Callable[..., Any])


def completer(words: Callable[[], Iterable[str]]) -> Callable[..., list[str]]:
    """Completion of an option's value from a list of words, whose N is left to be typed."""
    return lambda ctx, param, incomplete: [
        typed for w in words() if (typed := w.removesuffix("N")).startswith(incomplete)
    ]


class PlaceType(click.ParamType):  # type: ignore[type-arg]  # not generic before click 8.3
    """A folder or a file that need not be there."""

    def __init__(self, name: str) -> None:
        """Say which of the two."""
        self.name = name

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path, or a usage error."""
        return value if isinstance(value, Path) else folder_of(value, self.name)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Left to the shell."""
        return [CompletionItem(incomplete, type={"folder": "dir"}.get(self.name, self.name))]


FOLDER, FILE = PlaceType("folder"), PlaceType("file")


def _player_names() -> Iterator[str]:
    from pickomino.play.players import PLAYERS  # which loads what no other completion needs

    for name in PLAYERS:
        yield name
        more = {"game": get_args(GameObjective), "table": OBJECTIVES}.get(name, ())
        yield from (f"{name}:{objective}" for objective in more)
    yield from OBJECTIVES


OF_A_GAME = completer(lambda: get_args(GameObjective))
OF_A_TURN_OR_GAME = completer(lambda: (*OBJECTIVES, *get_args(GameObjective)))
PLAYER_NAMES = completer(_player_names)
RULE_SETS = completer(lambda: PRESETS)
_BOXES = completer(lambda: KNOWN_EQUIPMENT)

JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
RULES = click.option(
    "--rules",
    metavar="RULES",
    default="rulebook",
    show_default=True,
    help="A preset, with changes as rulebook,steal=mandatory.",
    shell_complete=RULE_SETS,
)
_BOX: dict[str, Any] = {
    "metavar": "NAME",
    "help": f"{', '.join(KNOWN_EQUIPMENT)}, or dice, tiles and worms as 6d:16-18x1,19-21x2.",
    "shell_complete": _BOXES,
}
EQUIPMENT = click.option("--equipment", default="standard", show_default=True, **_BOX)
OBJECTIVE = click.option(
    "--objective",
    metavar="NAME",
    default="worms",
    show_default=True,
    help=f"{', '.join(OBJECTIVES[:-1])} or {OBJECTIVES[-1]}; win or margin of a whole game.",
    shell_complete=OF_A_TURN_OR_GAME,
)
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
    click.option("--equipment", **_BOX),
    click.option("--kept", metavar="DICE", default="", help="Dice kept so far, such as 33W."),
    RULES,
    OBJECTIVE,
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
