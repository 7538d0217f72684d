"""The command ``game``: whole games of two, solved."""

from __future__ import annotations

import json

import click

from pickomino.cli.options import JSON, OF_A_GAME, RULES, max_states_option
from pickomino.equipment import STANDARD
from pickomino.errors import PositionError
from pickomino.game.budgets import PER_VALUE
from pickomino.position import Position
from pickomino.rules import Rules

__all__ = ["game", "value"]


@click.group()
def game() -> None:
    """Solve the two-player game exactly, where its positions can be listed.

    \b
    pickomino game value --tiles 21-24 --objective win
    """  # noqa: D301


@game.command()
@click.option("--tiles", metavar="TILES", help="The only tiles of the game, all on the grill.")
@click.option("--position", metavar="NOTATION", help="Or a position of two players.")
@RULES
@click.option(
    "--objective",
    metavar="NAME",
    default="margin",
    show_default=True,
    help="or win",
    shell_complete=OF_A_GAME,
)
@click.option("--depth", metavar="D", type=int, help="Tiles of a stack that can be lost [all].")
@max_states_option(PER_VALUE)
@JSON
def value(
    tiles: str | None,
    position: str | None,
    rules: str,
    objective: str,
    depth: int | None,
    max_states: int,
    as_json: bool,
) -> None:
    """The value of a game to the player to move, both sides playing best, with bounds.

    The margin counts worms from here on; win is the chance to win, a shared win counting half.

    \b
    pickomino game value --tiles 21,24,27,30,33 --rules bga --json
    pickomino game value --position "21,36 22/24,23 1" --objective win
    pickomino game value --tiles 21-36 --depth 1 --max-states 10000000
    """  # noqa: D301
    from pickomino.game.solve import solve_game

    if (tiles is None) == (position is None):
        raise PositionError("give either --tiles or --position, to say which game is meant")
    if position is None:
        start = Position.start(2, equipment=STANDARD.only(tiles or ""))
    else:
        start = Position.parse(position)
    solved = solve_game(
        start,
        rules=rules,
        objective=objective,  # type: ignore[arg-type]  # others are refused there
        depth=depth,
        max_states=max_states,
        progress=True,
    )
    answer = {
        "schema": "pickomino.game-value/1",
        "rules": str(Rules.parse(rules)),
        "objective": objective,
        "position": str(start),
        "value": solved.value,
        "lower": solved.lower,
        "upper": solved.upper,
        "states": solved.states,
        "model": solved.label,
    }
    if as_json:
        click.echo(json.dumps(answer))
        return
    unit = "chance to win" if objective == "win" else "worms"
    click.echo(f"{solved.value:.9f} {unit} for player {start.mover + 1}")
    click.echo(f"proven: its bounds are {solved.upper - solved.lower:.0e} apart")
    click.echo(f"{solved.states:,} positions; {solved.label}")
