"""The commands about whole games: ``match``, ``review`` and ``game``; see also ``cli_play``."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from pickomino._layout import table
from pickomino.cli.options import EQUIPMENT, JSON, RULES, max_states_option
from pickomino.equipment import STANDARD
from pickomino.errors import GameError, PositionError
from pickomino.game.budgets import PER_MOVE, PER_VALUE
from pickomino.objectives import GameObjective
from pickomino.play.engine import GameRecord
from pickomino.position import Position
from pickomino.rules import Rules

if TYPE_CHECKING:
    from pickomino.play.players import Player

_SEED = click.option(
    "--seed", metavar="S", type=click.IntRange(min=0), help="Where chance begins [default: 0]."
)


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="A B [C ...]")
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
        click.echo(json.dumps({"schema": "pickomino.play.match/1", **settings, **asdict(result)}))
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


@click.command()
@click.argument("file", metavar="GAME")
@click.option(
    "--objective",
    metavar="NAME",
    default="worms",
    show_default=True,
    help="An objective of a turn, or win or margin of the game.",
)
@max_states_option()
@click.option("--all", "every", is_flag=True, help="List every decision, not just the worst.")
@JSON
def review(file: str, objective: str, max_states: int, every: bool, as_json: bool) -> None:
    """Review a recorded game: regret, luck, and the worst decisions of each player.

    \b
    pickomino review game.json
    pickomino review game.json --objective win
    """  # noqa: D301
    from pickomino.play.review import review_game

    found = review_game(read_record(file), objective=objective, max_states=max_states)
    if as_json:
        click.echo(json.dumps({"schema": "pickomino.play.review/1", **asdict(found)}))
        return
    head = ("player", "decisions", "regret", "luck")
    rows = [(s.name, s.decisions, f"{s.regret:.4f}", f"{s.luck:+.4f}") for s in found.summaries]
    click.echo(table([head, *rows], "<>>>"))
    worst = [d for s in found.summaries for d in s.worst]
    shown = found.decisions if every else sorted(worst, key=lambda d: -d.regret)
    by = {model: f"[{number}]" for number, model in enumerate(found.models, 1)}
    lines = [
        (
            d.number,
            found.summaries[d.seat].name,
            d.action,
            d.best,
            f"{d.regret:.4f}",
            *([by[d.model]] if by else []),
            d.state,
        )
        for d in shown
    ]
    if lines:
        names = ("action", "player", "done", "best", "regret", *(["by"] if by else []), "state")
        click.echo(f"\n{table([names, *lines], '><<<>' + '<' * (len(names) - 5))}")
    if by:
        models = [(number, model) for model, number in by.items()]
        click.echo(f"\nvalued by\n{table(models)}")


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
@click.option("--objective", metavar="NAME", default="margin", show_default=True, help="or win")
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
        "states": solved.graph.states,
        "model": solved.label,
    }
    if as_json:
        click.echo(json.dumps(answer))
        return
    unit = "chance to win" if objective == "win" else "worms"
    click.echo(f"{solved.value:.9f} {unit} for player {start.mover + 1}")
    click.echo(f"proven: its bounds are {solved.upper - solved.lower:.0e} apart")
    click.echo(f"{solved.graph.states:,} positions; {solved.label}")


def read_record(file: str) -> GameRecord:
    """Read a game from a file, ``-`` for standard input.

    Raises:
        GameError: A file that cannot be read or holds no game.
    """
    try:
        if file == "-" and sys.stdin is None:
            raise GameError("standard input is closed: name a file")
        text: str = sys.stdin.read() if file == "-" else Path(file).read_text("utf-8-sig")
        fields: Any = json.loads(text)
    except OSError as error:
        raise GameError(f"{file} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise GameError(f"{file} holds no game, as it is not JSON: {error}") from None
    return GameRecord.from_json(fields)


def write_record(path: Path, record: GameRecord) -> None:
    """Write a game to a file, as a whole or not at all.

    Raises:
        GameError: A file that cannot be written.
    """
    from pickomino._storage.files import replace_file

    try:
        replace_file(path, (json.dumps(record.to_json(), indent=1) + "\n").encode())
    except OSError as error:
        raise GameError(f"{path} cannot be written: {error.strerror}") from None
