"""Driving an engine and ours side by side, up to the first difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

from pickomino._checks import shown
from pickomino._ranges import format_ranges
from pickomino.dice import Dice
from pickomino.errors import GameError, PickominoError
from pickomino.play.engine import Action, GameState, Keep, Roll
from pickomino.position import Position
from pickomino.testing._kinds import differences, kind_of
from pickomino.testing.adapter import Adapter, Inexpressible, Observation, SetUpAdapter

__all__ = ["UNREADABLE", "Choose", "Script", "begin", "follow", "scripted"]

Choose = Callable[[GameState], Iterable[Action]]


@dataclass(frozen=True)
class Script:
    """A way to a difference, to be followed by hand.

    Attributes:
        kind: A short name for the difference.
        start: The state in which it begins.
        actions: What is done, dice included; the last action shows the difference.
        expected: The state afterwards by the rules.
        got: What the engine shows instead; text if it raised an error.
    """

    kind: str
    start: GameState
    actions: tuple[Action, ...]
    expected: GameState
    got: Observation | str

    def states(self) -> list[GameState]:
        """The states by the rules, one more than actions."""
        states = [self.start]
        for action in self.actions:
            states.append(states[-1].apply(action))
        return states

    def turns(self) -> list[tuple[GameState, list[Action]]]:
        """Each turn's first state and its actions; the last turn need not have ended."""
        turns: list[tuple[GameState, list[Action]]] = []
        state, begins = self.start, True
        for action in self.actions:
            if begins:
                turns.append((state, []))
            turns[-1][1].append(action)
            state, end = state.play(action)
            begins = end is not None
        return turns

    def __str__(self) -> str:
        """A line for the start and each turn, then what was expected and what was got."""
        lines: list[str] = []
        for state, actions in self.turns():
            lines.append(f"in        {state.position}")
            for action in actions:
                # A roll and what is kept of it are read together.
                if isinstance(action, Keep) and lines[-1].startswith("roll"):
                    lines[-1] += f", {action}"
                elif isinstance(action, Roll) and action.dice is not None:
                    lines.append(f"roll      {action.dice}")
                else:
                    lines.append(f"{action}")
        expected, got = _shown(self.expected, self.got)
        lines = lines or [f"in        {self.start.position}"]
        return "\n".join([*lines, f"expected  {expected}", f"got       {got}"])


def _shown(state: GameState, got: Observation | str) -> tuple[str, str]:
    """Both in the notation of states, followed by what it does not hold if that differs."""
    if isinstance(got, str):
        return str(state), got
    stacks = None if got.stacks is None else "/".join(map(format_ranges, got.stacks))
    words = [
        "?" if got.grill is None else format_ranges(sorted(got.grill)),
        stacks or "?",
        "?" if got.mover is None else str(got.mover + 1),
    ]
    if got.kept is not None and Dice.of(got.kept).number:
        words.append(f"kept={str(Dice.of(got.kept)).replace(' ', '')}")
    if (
        state.roll is not None
        and "kept" not in differences(state, got)
        and state.mover == got.mover
    ):
        words.append(str(state).split()[-1])
    ours = str(state)
    for name, pair in differences(state, got).items():
        if name in ("over", "legal", "winners"):
            a, b = (_word(value) for value in pair)
            ours, words = f"{ours}; {name}: {a}", [*words, f"; {name}: {b}"]
    return ours, " ".join(words).replace(" ;", ";")


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(str(player + 1) for player in value) or "nobody"
    return ", ".join(value) or "nothing"


def follow(
    adapter: Adapter,
    start: GameState,
    choose: Choose,
    limit: int,
    unsaid: Counter[str] | None = None,
) -> tuple[int, Script | None]:
    """Drive an engine and ours through the same dice and choices.

    Args:
        adapter: The engine.
        start: The first state.
        choose: The actions that may be done in a state, the first that can be said is.
        limit: After how many actions to end.
        unsaid: Counts what cannot be said.

    Returns:
        How many observations told something, and the way to the first difference, if there is one.

    Raises:
        GameError: The adapter observes something else than an :class:`Observation`.
    """
    done: list[Action] = []
    state, compared = start, 0
    try:
        begin(adapter, start.position)
        got = adapter.observe()
    except GameError:
        raise
    except Exception as error:  # whatever an engine raises is a finding, not a failure
        text = f"{type(error).__name__}: {_said(error)}"
        return 0, Script(f"the start raises {type(error).__name__}", start, (), start, text)
    seen = _observed(got)
    if kind := _compared(lambda: _start_kind(start, seen)):
        return 0, Script(kind, start, (), start, _readable(kind, start, seen))
    while not state.is_over and len(done) < limit:
        for action in choose(state):
            try:
                after, end = state.play(action)
            except PickominoError:
                return compared, None
            try:
                adapter.step(action)
                got = adapter.observe()
            except Inexpressible as why:
                if unsaid is not None:
                    unsaid[str(why) or str(action).split()[0]] += 1
                continue
            except Exception as error:  # as above
                text = f"{type(error).__name__}: {_said(error)}"
                kind = f"{str(action).split()[0]} raises {type(error).__name__}"
                return compared, Script(kind, start, (*done, action), after, text)
            break
        else:
            return compared, None
        done.append(action)
        seen = _observed(got)
        compared += any(getattr(seen, f.name) is not None for f in fields(seen))
        before = state
        if kind := _compared(lambda: kind_of(before, done[-1], after, end, seen)):  # noqa: B023
            return compared, Script(kind, start, tuple(done), after, _readable(kind, after, seen))
        state = after
    return compared, None


def _said(error: Exception) -> str:
    """The text of an error, which may have none."""
    try:
        return str(error)
    except Exception:  # of the engine's own making
        return "no text"


UNREADABLE = "unreadable observation"


def _start_kind(start: GameState, got: Observation) -> str | None:
    found = differences(start, got)
    return f"at the start: other {next(iter(found))}" if found else None


def _compared(compare: Callable[[], str | None]) -> str | None:
    """The kind of a difference; an observation that cannot be compared is one of its own."""
    try:
        return compare()
    except Exception:  # what the engine shows may be of any kind, and have code of its own
        return UNREADABLE


def _readable(kind: str, start: GameState, got: Observation) -> Observation | str:
    """What a script shows of an observation: as it is, if it cannot be read."""
    try:
        if kind != UNREADABLE:
            _shown(start, got)
            return got
    except Exception:  # as above
        pass
    return shown(got)


def _observed(got: object) -> Observation:
    if not isinstance(got, Observation):
        raise GameError(f"the adapter observes {shown(got)}: return an Observation")
    return got


def begin(adapter: Adapter, position: Position) -> None:
    """Begin a game, or a turn in any other position if the engine offers that."""
    players = len(position.stacks)
    if position == Position.start(players, equipment=position.equipment):
        adapter.reset(players)
    elif isinstance(adapter, SetUpAdapter):
        adapter.set_up(position)
    else:
        raise GameError(f"the adapter cannot begin in {shown(str(position))}: give it set_up")


def scripted(actions: Sequence[Action]) -> Choose:
    """Do these actions one after the other."""
    left: Iterator[Action] = iter(actions)

    def choose(_state: GameState) -> list[Action]:
        action = next(left, None)
        return [] if action is None else [action]

    return choose
