"""The command ``turn``: an assistant that is told each roll as it falls and says what to do."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any

import click

from pickomino._runtime.streams import check_conversation
from pickomino._words.question import Question, answer_of, title
from pickomino._words.report import keep_text, stop_text
from pickomino.advice import DeadRoll, SolvedTurn
from pickomino.cli.options import max_states_option, question_options
from pickomino.dice import Dice, check_kept, check_roll, keep
from pickomino.errors import DiceError

__all__ = ["HELP", "run_turn", "turn"]

HELP = """\
Type a roll as its faces (1344W), then a face to keep, or Enter for the one in brackets.
stop ends the turn, undo takes the last step back, help repeats this, quit leaves."""


@click.command()
@question_options
@max_states_option()
def turn(**words: Any) -> None:
    """Play a turn at the table: type each roll as it falls, and be told what to do.

    \b
    pickomino turn --own 25 --opponent 24,29
    """  # noqa: D301
    check_conversation()
    question = Question(**words)
    answer = answer_of(question)
    check_kept(question.board.equipment.dice, question.dice)
    print(title(question, answer))
    run_turn(answer.turn, question.dice)


@dataclass(frozen=True)
class _Moment:
    """A moment of the turn: dice kept, a roll on the table or none, and whether it has ended."""

    kept: Dice
    roll: Dice | None = None
    ended: bool = False


def run_turn(turn: SolvedTurn, kept: Dice) -> None:
    """Advise one turn on the terminal until it ends or the user leaves.

    Args:
        turn: The turn, solved.
        kept: The dice kept so far.
    """
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (gives input() its line editing)
    print(f"{HELP}\n")
    history = [_Moment(kept, ended=kept.is_spent(turn.problem.position.equipment.dice))]
    prompt = _show(turn, history[-1])
    while True:
        now = history[-1]
        try:
            words = input(prompt).strip()
        except EOFError:
            print()
            return
        command = words.lower()
        if command in ("quit", "q", "exit") or (now.ended and not words):
            return
        if command in ("help", "h", "?"):
            print(HELP)
        elif command in ("undo", "u") and len(history) > 1:
            history.pop()
            prompt = _show(turn, history[-1])
        elif command in ("undo", "u"):
            print("There is nothing to undo.")
        else:
            try:
                history.append(_step(turn, now, words))
                prompt = _show(turn, history[-1])
            except DiceError as error:
                print(error)


def _show(turn: SolvedTurn, now: _Moment) -> str:
    """Print the advice for a moment; the prompt for what may be typed."""
    position = turn.problem.position
    if now.roll is not None:
        advice = turn.keep(now.kept, now.roll, with_odds=True)
        print(f"\n{keep_text(advice, position)}\n")
        dead = isinstance(advice, DeadRoll)
        return "Enter to leave, or undo> " if dead else f"keep [{advice.best.face}]> "
    if now.ended:
        claim = turn.problem.claims[now.kept.final]
        print(f"\nThe turn ends: {f'take {position.describe(claim)}' if claim else 'a bust'}.\n")
        return "Enter to leave, or undo> "
    left = position.equipment.dice - now.kept.number
    if now.kept.number:
        stop = turn.stop(now.kept, with_odds=True)
        print(f"\nkept {now.kept}, total {now.kept.total}\n{stop_text(stop)}\n")
        if stop.then == "stop":
            return f"roll {left} dice, or stop [stop]> "
    return f"roll {left} dice> "


def _step(turn: SolvedTurn, now: _Moment, words: str) -> _Moment:
    """The moment after what was typed.

    Raises:
        DiceError: Words that are no legal step here.
    """
    dice = turn.problem.position.equipment.dice
    if now.ended:
        raise DiceError("The turn is over: press Enter to leave, or type undo")
    if now.roll is None:
        advice = turn.stop(now.kept)
        if words.lower() == "stop" or (not words and advice.then == "stop"):
            if advice.stop_value is None:
                raise DiceError("The turn may not stop here: type a roll")
            return _Moment(now.kept, ended=True)
        if not words:
            raise DiceError(f"Roll {dice - now.kept.number} dice and type their faces")
        roll = Dice.parse(words)
        check_roll(dice, now.kept, roll)
        dead = not roll.mask & ~now.kept.mask
        return _Moment(now.kept, roll, ended=dead)
    kept = keep(now.kept, now.roll, words or turn.keep(now.kept, now.roll).best.face)
    return _Moment(kept, ended=kept.is_spent(dice))
