"""The ``pickomino play`` command: a game in the terminal."""

from __future__ import annotations

import contextlib
import secrets
from pathlib import Path

import click
import numpy as np

from pickomino._checks import cut
from pickomino._layout import table
from pickomino._runtime.streams import check_conversation
from pickomino._words.report import keep_text, stop_text
from pickomino.ask.advisor import advise
from pickomino.cli.options import EQUIPMENT, FILE, PLAYER_NAMES, RULES
from pickomino.cli.records import write_record
from pickomino.errors import GameError, PickominoError
from pickomino.play.engine import Action, GameState, Roll, TurnEnd, throw
from pickomino.play.record import GameRecord, read_action

__all__ = ["PLAY_HELP", "play"]

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
    help="Once per opponent: random, cautious, worms, swing, reach:N, table, game ...",
    shell_complete=PLAYER_NAMES,
)
@RULES
@EQUIPMENT
@click.option("--seed", metavar="S", type=click.IntRange(min=0), help="Makes the dice known.")
@click.option("--record", metavar="FILE", type=FILE, help="Keep the game.")
def play(
    names: tuple[str, ...], rules: str, equipment: str, seed: int | None, record: Path | None
) -> None:
    """Play a game in the terminal against players that the library knows.

    \b
    pickomino play --against worms --against cautious --record game.json
    """  # noqa: D301
    from pickomino.play.match import check_players
    from pickomino.play.players import make_player

    opponents = [make_player(name) for name in names]
    start = GameState.start(1 + len(names), rules=rules, equipment=equipment)
    check_players(opponents, start)
    chance = np.random.default_rng(secrets.randbits(64) if seed is None else seed)
    states = [start]
    actions: list[Action] = []
    check_conversation()
    names_by_seat = ("you", *(p.name for p in opponents))
    if record is not None and (record.is_file() or not record.exists()):
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
            after, end = state.play(action)
            states.append(after)
            actions.append(action)
            _tell(state.mover, action, end)
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
        raise GameError(f"{cut(words)} is not legal: type {', '.join(map(str, state.actions))}")
    return action


def _hint(state: GameState) -> str:
    position, kept, rules = state.position, state.kept, state.rules
    if state.ended:
        from pickomino.play.players import best_claim

        return f"{best_claim(state, 'worms')} wins most worms."
    if state.roll is not None:
        return keep_text(advise(position, kept, state.roll, rules=rules, with_odds=True), position)
    return stop_text(advise(position, kept, rules=rules, with_odds=True))


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


def _tell(seat: int, action: Action, end: TurnEnd | None) -> None:
    """Say what an opponent did, and how a turn ended."""
    who = "You" if seat == 0 else f"Player {seat + 1}"
    if seat:
        click.echo(f"{who}: {action}")
    if end is None:
        return
    if end.claim is not None:
        click.echo(f"{who} took {end.claim.tile}.")
    else:
        lost = "" if end.returned is None else f" and lost {end.returned}"
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
