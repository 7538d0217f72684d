"""The commands about whole games: ``play``, ``match``, ``review`` and ``game``."""

from __future__ import annotations

import contextlib
import json
import secrets
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
import numpy as np

from pickomino.advice import advise
from pickomino.engine import Action, GameRecord, GameState, Roll, read_action, throw
from pickomino.errors import GameError, PickominoError, PositionError
from pickomino.position import Position
from pickomino.ranges import parse_ranges
from pickomino.report import keep_text, stop_text, table
from pickomino.rules import STANDARD, Equipment, Rules

_RULES = click.option("--rules", metavar="RULES", default="rulebook", show_default=True)
_EQUIPMENT = click.option("--equipment", metavar="NAME", default="standard", show_default=True)
_SEED = click.option(
    "--seed", metavar="S", type=click.IntRange(min=0), help="Where chance begins [default: 0]."
)
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")

PLAY_HELP = """\
roll, stop, keep FACE and take TILE play; a face or a tile alone is enough, Enter rolls.
hint says what is best for this turn, undo takes your last action back, quit leaves."""


@click.command()
@click.option(
    "--against",
    "names",
    metavar="PLAYER",
    multiple=True,
    default=("worms",),
    show_default=True,
    help="Once per opponent: random, cautious, worms, swing, reach:N, table ...",
)
@_RULES
@_EQUIPMENT
@click.option("--seed", metavar="S", type=click.IntRange(min=0), help="Makes the dice known.")
@click.option("--record", metavar="FILE", type=click.Path(path_type=Path), help="Keep the game.")
def play(
    names: tuple[str, ...], rules: str, equipment: str, seed: int | None, record: Path | None
) -> None:
    """Play a game in the terminal against players that the library knows.

    \b
    pickomino play --against worms --against cautious --record game.json
    """  # noqa: D301
    from pickomino.players import make_player

    opponents = [make_player(name) for name in names]
    start = GameState.start(1 + len(names), Rules.parse(rules), Equipment.parse(equipment))
    chance = np.random.default_rng(secrets.randbits(64) if seed is None else seed)
    states = [start]
    actions: list[Action] = []
    if sys.stdin is None:
        raise GameError("standard input is closed: run pickomino play in a terminal")
    names_by_seat = ("you", *(p.name for p in opponents))
    if record is not None:
        write_record(record, GameRecord(start, (), names_by_seat))  # before it is too late
    click.echo(f"You are player 1. {PLAY_HELP}\n")
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (gives input() its line editing)
    try:
        while not states[-1].is_over:
            state = states[-1]
            if state.mover:
                action = opponents[state.mover - 1].choose(state, chance)
            else:
                asked = _ask(state)
                if asked is None:
                    break
                if asked == "undo":
                    _undo(states, actions)
                    continue
                action = asked  # type: ignore[assignment]
            if isinstance(action, Roll):
                action = Roll(throw(state.dice_left, chance))
            states.append(state.apply(action))
            actions.append(action)
            _tell(state, action, states[-1])
        if states[-1].is_over:
            _tell_end(states[-1], names_by_seat)
    finally:
        if record is not None:
            write_record(record, GameRecord(start, tuple(actions), names_by_seat))


def _ask(state: GameState) -> Action | str | None:
    """What the user does: an action, ``undo``, or None to leave."""
    _show(state)
    while True:
        legal = ", ".join(map(str, state.actions))
        try:
            words = input(f"{legal}> ").strip()
        except EOFError:
            click.echo()
            return None
        command = words.lower()
        if command in ("quit", "q", "exit"):
            return None
        if command in ("undo", "u"):
            return "undo"
        if command in ("help", "h", "?"):
            click.echo(PLAY_HELP)
        elif command == "hint":
            click.echo(_hint(state))
        else:
            try:
                return _understand(state, command)
            except PickominoError as error:
                click.echo(error)


def _understand(state: GameState, words: str) -> Action:
    """An action as people type it.

    Raises:
        GameError: Words that are no legal action here.
    """
    if words in ("", "roll", "r") and Roll() in state.actions:
        return Roll()
    if words in ("stop", "s"):
        words = "stop"
    elif state.roll is not None and not words.startswith("keep"):
        words = f"keep {words}"
    elif state.ended and not words.startswith("take"):
        words = f"take {words}"
    action = read_action(state, words)
    if action not in state.actions:
        raise GameError(f"{words} is not legal: type {', '.join(map(str, state.actions))}")
    return action


def _hint(state: GameState) -> str:
    position, kept, rules = state.position, state.kept, state.rules
    if state.ended:
        from pickomino.players import best_claim

        return f"{best_claim(state, 'worms')} wins most worms."
    if state.roll is not None:
        return keep_text(advise(position, kept, state.roll, rules, with_odds=True), position)
    return stop_text(advise(position, kept, None, rules, with_odds=True))


def _show(state: GameState) -> None:
    """The table as the user sees it at the start of the turn, and the dice."""
    if state.roll is None and not state.kept.number:
        position = state.position
        rows: list[tuple[object, object]] = [("grill", _tiles(position.grill))]
        for seat, stack in enumerate(position.stacks):
            name = "you" if seat == 0 else f"player {seat + 1}"
            rows.append((name, f"{_tiles(stack)}  ({position.worms(seat)} worms)"))
        click.echo(f"\n{table(rows)}")
    elif state.roll is not None:
        click.echo(f"kept {str(state.kept) or '-'}   roll {state.roll}")
    elif state.ended:
        click.echo(f"The turn ends with {state.kept.final}.")
    else:
        click.echo(f"kept {state.kept}, total {state.kept.total}")


def _tiles(tiles: tuple[int, ...]) -> str:
    return " ".join(map(str, tiles)) or "-"


def _tell(before: GameState, action: Action, after: GameState) -> None:
    """Say what an action brought about, if a turn ended or an opponent acted."""
    who = "You" if before.mover == 0 else f"Player {before.mover + 1}"
    if isinstance(action, Roll) and before.mover == 0 and after.position is before.position:
        return
    if before.mover:
        click.echo(f"{who}: {action}")
    if after.position is not before.position:
        old, new = before.position.own, after.position.stacks[before.mover]
        if len(new) > len(old):
            click.echo(f"{who} took {new[-1]}.")
        else:
            lost = f" and lost {old[-1]}" if old else ""
            click.echo(f"{who} went bust{lost}.")


def _tell_end(state: GameState, names: tuple[str, ...]) -> None:
    rows = [
        (name, state.position.worms(seat), "wins" if seat in state.winners else "")
        for seat, name in enumerate(names)
    ]
    click.echo(f"\nThe game is over.\n{table([('player', 'worms', ''), *rows], '<><')}")


def _undo(states: list[GameState], actions: list[Action]) -> None:
    """Go back to the user's last moment of choice, over what the opponents did since."""
    at = len(states) - 2
    while at >= 0 and (states[at].mover != 0 or len(states[at].actions) < 2):
        at -= 1
    if at < 0:
        click.echo("There is nothing to undo.")
        return
    del states[at + 1 :], actions[at:]


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="A B [C ...]")
@click.option("--games", metavar="N", type=int, default=1000, show_default=True)
@_RULES
@_EQUIPMENT
@_SEED
@click.option("--jobs", metavar="N", type=int, default=-1, help="Processes [default: all cores].")
@_JSON
def match(
    names: tuple[str, ...],
    games: int,
    rules: str,
    equipment: str,
    seed: int | None,
    jobs: int,
    as_json: bool,
) -> None:
    """Let players play many games: random, cautious, worms, swing, reach:N, table ...

    \b
    pickomino match worms cautious --games 1000 --seed 1
    pickomino match worms swing random --rules bga
    """  # noqa: D301
    from pickomino.match import play_match
    from pickomino.players import make_player

    if jobs == 0 or jobs < -1:
        raise GameError(f"--jobs {jobs} plays nothing: use -1 or at least 1")
    result = play_match(
        [make_player(name) for name in names],
        games,
        rules=Rules.parse(rules),
        equipment=Equipment.parse(equipment),
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


@click.command()
@click.argument("file", metavar="GAME")
@click.option("--objective", metavar="NAME", default="worms", show_default=True)
@click.option("--all", "every", is_flag=True, help="List every decision, not just the worst.")
@_JSON
def review(file: str, objective: str, every: bool, as_json: bool) -> None:
    """Review a recorded game: regret, luck, and the worst decisions of each player.

    \b
    pickomino review game.json
    """  # noqa: D301
    from pickomino.review import review_game

    found = review_game(read_record(file), objective)
    if as_json:
        click.echo(json.dumps({"schema": "pickomino.review/1", **asdict(found)}))
        return
    head = ("player", "decisions", "regret", "luck")
    rows = [(s.name, s.decisions, f"{s.regret:.4f}", f"{s.luck:+.4f}") for s in found.summaries]
    click.echo(table([head, *rows], "<>>>"))
    worst = [d for s in found.summaries for d in s.worst]
    shown = found.decisions if every else sorted(worst, key=lambda d: -d.regret)
    lines = [
        (d.number, found.summaries[d.seat].name, d.action, d.best, f"{d.regret:.4f}", d.state)
        for d in shown
    ]
    if lines:
        names = ("action", "player", "done", "best", "regret", "state")
        click.echo(f"\n{table([names, *lines], '><<<><')}")


@click.group()
def game() -> None:
    """Solve the two-player game exactly, where its positions can be listed.

    \b
    pickomino game value --tiles 21-24 --objective win
    """  # noqa: D301


@game.command()
@click.option("--tiles", metavar="TILES", help="The only tiles of the game, all on the grill.")
@click.option("--position", metavar="NOTATION", help="Or a position of two players.")
@_RULES
@click.option("--objective", metavar="NAME", default="margin", show_default=True, help="or win")
@click.option("--max-states", metavar="N", type=int, default=200_000, show_default=True)
@_JSON
def value(
    tiles: str | None,
    position: str | None,
    rules: str,
    objective: str,
    max_states: int,
    as_json: bool,
) -> None:
    """The value of a game to the player to move, both sides playing best, with bounds.

    The margin counts worms from here on; win is the chance to win, a shared win counting half.

    \b
    pickomino game value --tiles 21,24,27,30,33 --rules bga --json
    pickomino game value --position "21,36 22/24,23 1" --objective win
    """  # noqa: D301
    from pickomino.game import solve_game

    if (tiles is None) == (position is None):
        raise PositionError("give either --tiles or --position, to say which game is meant")
    if position is None:
        start = Position.start(2, STANDARD.only(parse_ranges(tiles or "")))
    else:
        start = Position.parse(position)
    solved = solve_game(start, Rules.parse(rules), objective, None, max_states)  # type: ignore[arg-type]
    answer = {
        "schema": "pickomino.game-value/1",
        "rules": str(Rules.parse(rules)),
        "objective": objective,
        "position": str(start),
        "value": solved.value,
        "lower": solved.lower,
        "upper": solved.upper,
        "states": solved.graph.states,
        "model": "exact: full stacks",
    }
    if as_json:
        click.echo(json.dumps(answer))
        return
    unit = "chance to win" if objective == "win" else "worms"
    click.echo(f"{solved.value:.9f} {unit} for player {start.mover + 1}")
    click.echo(f"proven to lie between {solved.lower:.9f} and {solved.upper:.9f}")
    click.echo(f"{solved.graph.states:,} positions, full stacks")


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
    from pickomino.files import replace_file

    try:
        replace_file(path, (json.dumps(record.to_json(), indent=1) + "\n").encode())
    except OSError as error:
        raise GameError(f"{path} cannot be written: {error.strerror}") from None
