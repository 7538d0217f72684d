"""The command ``match``: many games between players."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, get_args

import click

from pickomino._layout import table
from pickomino.cli.options import EQUIPMENT, JSON, PLAYER_NAMES, RULES, max_states_option
from pickomino.game.budgets import PER_MOVE
from pickomino.objectives import GameObjective
from pickomino.rules import Rules

if TYPE_CHECKING:
    from pickomino.play.players import Player

__all__ = ["match"]

_SEED = click.option(
    "--seed", metavar="S", type=click.IntRange(min=0), help="Where chance begins [default: 0]."
)


@click.command()
@click.argument(
    "names", nargs=-1, required=True, metavar="A B [C ...]", shell_complete=PLAYER_NAMES
)
@click.option("--games", metavar="N", type=int, default=1000, show_default=True)
@RULES
@EQUIPMENT
@_SEED
@click.option("--jobs", metavar="N", type=int, default=-1, help="Processes [default: all cores].")
@click.option(
    "--objective",
    type=click.Choice(get_args(GameObjective)),
    default="win",
    show_default=True,
    help="What game plays for.",
)
@max_states_option(PER_MOVE, "The largest game that game solves on the spot, in positions.")
@JSON
def match(
    names: tuple[str, ...],
    games: int,
    rules: str,
    equipment: str,
    seed: int | None,
    jobs: int,
    objective: GameObjective,
    max_states: int,
    as_json: bool,
) -> None:
    """Let players play many games: random, cautious, worms, swing, reach:N, table, game ...

    \b
    pickomino match worms cautious --games 1000 --seed 1
    pickomino match worms swing random --rules bga
    pickomino match game worms --objective margin
    """  # noqa: D301
    from pickomino.play.match import play_match

    players = [_player(name, objective, max_states) for name in names]
    result = play_match(
        players,
        games,
        rules=rules,
        equipment=equipment,
        seed=seed or 0,
        jobs=jobs,
    )
    if as_json:
        settings = {"rules": str(Rules.parse(rules)), "seed": seed or 0}
        click.echo(json.dumps({"schema": "pickomino.match/1", **settings, **asdict(result)}))
        return
    head = ("player", "wins", "95%", "worms", "busts", "steals")
    rows = [
        (
            s.name,
            f"{s.share:.1%}",
            "-" if s.error is None else f"+-{s.error:.1%}",
            f"{s.worms:.2f}",
            f"{s.busts:.2f}",
            f"{s.steals:.2f}",
        )
        for s in result.standings
    ]
    click.echo(table([head, *rows], "<>>>>>"))
    click.echo(f"\n{result.games} games of {result.turns:.1f} turns; {result.ties:.1%} shared")


def _player(name: str, objective: GameObjective, max_states: int) -> Player:
    """A player by name; ``game`` plays for the objective that is asked for."""
    from pickomino.play.players import GamePlayer, make_player

    player = make_player(f"game:{objective}" if name == "game" else name)
    return GamePlayer(player.objective, max_states) if isinstance(player, GamePlayer) else player
