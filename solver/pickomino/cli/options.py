"""The options that several commands take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from pickomino.game.budgets import PER_ANSWER

Command = TypeVar("Command", bound=Callable[..., Any])

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
