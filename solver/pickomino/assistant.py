"""An assistant for the table: it is told each roll as it falls and says what to do."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from pickomino.advice import advise
from pickomino.dice import ALL_FACES, Dice, check_kept, check_roll, keep
from pickomino.errors import DiceError
from pickomino.objectives import TurnProblem
from pickomino.report import keep_text, stop_text

HELP = """\
Type a roll as its faces (1344W), a face to keep it, or Enter to follow the advice.
stop ends the turn, undo takes the last step back, quit leaves."""


@dataclass(frozen=True)
class _Moment:
    """A moment of the turn: dice kept, a roll on the table or none, and whether it has ended."""

    kept: Dice
    roll: Dice | None = None
    ended: bool = False


def run_turn(problem: TurnProblem, objective: str, kept: Dice) -> None:
    """Advise one turn on the terminal until it ends or the user leaves.

    Args:
        problem: The turn; its position and rules are advised on.
        objective: What to maximise.
        kept: The dice kept so far.
    """
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (gives input() its line editing)
    check_kept(problem.position.equipment.dice, kept)
    print(f"{HELP}\n")
    history = [_Moment(kept)]
    while True:
        now = history[-1]
        prompt = _show(problem, objective, now)
        try:
            words = input(prompt).strip().lower()
        except EOFError:
            print()
            return
        if words in ("quit", "q", "exit"):
            return
        if words in ("help", "h", "?"):
            print(f"{HELP}\n")
        elif words in ("undo", "u"):
            if len(history) > 1:
                history.pop()
            else:
                print("There is nothing to undo.\n")
        elif now.ended:
            if not words:
                return
            print("The turn is over: press Enter to leave, or undo.\n")
        else:
            try:
                history.append(_step(problem, objective, now, words))
            except DiceError as error:
                print(f"{error}\n")


def _show(problem: TurnProblem, objective: str, now: _Moment) -> str:
    """Print the advice for a moment; the prompt for what may be typed."""
    position, rules = problem.position, problem.rules
    if now.roll is not None:
        advice = advise(position, now.kept, now.roll, rules, objective, with_odds=True)
        print(f"\n{keep_text(advice)}\n")
        return f"keep [{advice.best.face}]> " if advice.best else "Enter to leave, or undo> "
    if now.ended:
        final = now.kept.total if now.kept.counts[-1] else 0
        claim = problem.claims[final]
        print(f"\nThe turn ends: {f'take {claim}' if claim else 'a bust'}.\n")
        return "Enter to leave, or undo> "
    left = position.equipment.dice - now.kept.number
    if now.kept.number:
        stop = advise(position, now.kept, None, rules, objective, with_odds=True)
        print(f"\nkept {now.kept}, total {now.kept.total}\n{stop_text(stop)}\n")
        if stop.then == "stop":
            return f"roll {left} dice, or stop [stop]> "
    return f"roll {left} dice> "


def _step(problem: TurnProblem, objective: str, now: _Moment, words: str) -> _Moment:
    """The moment after what was typed.

    Raises:
        DiceError: Words that are no legal step here.
    """
    position, rules = problem.position, problem.rules
    dice = position.equipment.dice
    if now.roll is None:
        advice = advise(position, now.kept, None, rules, objective)
        if words == "stop" or (not words and advice.then == "stop"):
            if advice.stop_value is None:
                raise DiceError("The turn may not stop here: type a roll")
            return _Moment(now.kept, ended=True)
        roll = Dice.parse(words)
        check_roll(dice, now.kept, roll)
        dead = not roll.mask & ~now.kept.mask
        return _Moment(now.kept, roll, ended=dead)
    best = advise(position, now.kept, now.roll, rules, objective).best
    kept = keep(now.kept, now.roll, words or (best.face if best else ""))
    return _Moment(kept, ended=kept.number == dice or kept.mask == ALL_FACES)
