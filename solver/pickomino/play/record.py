"""Games as they were played: actions in text, and records that replay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pickomino._checks import given, listed, shown
from pickomino.dice import Dice
from pickomino.errors import GameError, PickominoError
from pickomino.play.engine import Action, GameState, Keep, Roll, Stop, Take

__all__ = ["GameRecord", "read_action"]


def read_action(state: GameState, text: str) -> Action:
    """Read an action of a record, such as ``roll 11234W``, ``keep W``, ``stop`` or ``take 25``.

    Raises:
        GameError: Text that is no action, or a claim that is not open.
    """
    word, _, rest = text.strip().partition(" ")
    try:
        if word == "roll" and rest.strip():
            return Roll(Dice.parse(rest))
        if word == "keep" and Dice.parse(rest).number == 1:
            return Keep(str(Dice.parse(rest)))
        if word == "stop" and not rest:
            return Stop()
        if word == "take":
            open_claims = {a.claim.tile: a for a in state.actions if isinstance(a, Take)}
            return open_claims[int(rest)]
    except (PickominoError, ValueError, KeyError):
        pass
    raise GameError(
        f"{shown(text)} is no action in {shown(str(state))}: write roll with dice, keep with a "
        "face, stop, or take with an open claim's tile"
    )


@dataclass(frozen=True)
class GameRecord:
    """A game as it was played.

    Attributes:
        start: The first state.
        actions: What was done, dice included.
        players: The players' names, by seat; may be empty.

    Raises:
        GameError, ArgumentError: Something else.
    """

    start: GameState
    actions: tuple[Action, ...] = ()
    players: tuple[str, ...] = ()

    SCHEMA = "pickomino.game/1"

    def __post_init__(self) -> None:
        given("start", self.start, GameState)
        for name, kind in (("actions", Action), ("players", str)):
            items = listed(name, getattr(self, name))
            object.__setattr__(self, name, items)
            for item in items:
                if not isinstance(item, kind):
                    raise GameError(f"{shown(item)} cannot stand in the record's {name}")
        seats = len(self.start.position.stacks)
        if len(self.players) not in (0, seats):
            raise GameError(
                f"players={shown(self.players)} are no names of {seats} players: name each or none"
            )
        if not all(name.isprintable() for name in self.players):
            raise GameError(f"players={shown(self.players)} cannot be printed: use letters")

    def __repr__(self) -> str:
        return f"GameRecord({str(self.start)!r}, {len(self.actions)} actions, {self.players})"

    def states(self) -> list[GameState]:
        """All states from the first to the last, one more than actions.

        Raises:
            GameError: An action that is not legal where it stands, with its number.
        """
        states = [self.start]
        for number, action in enumerate(self.actions, 1):
            try:
                states.append(states[-1].apply(action))
            except PickominoError as error:
                raise GameError(f"action {number}: {error}") from None
        return states

    def to_json(self) -> dict[str, Any]:
        """The record as one JSON object; see ``docs/formats.md``."""
        return {
            "schema": self.SCHEMA,
            "rules": str(self.start.rules),
            "players": list(self.players),
            "start": str(self.start),
            "actions": [str(action) for action in self.actions],
            **_ending(self.states()[-1]),
        }

    @classmethod
    def from_json(cls, fields: object) -> GameRecord:
        """Read a record and replay it.

        Args:
            fields: What :meth:`to_json` gave, read from JSON.

        Raises:
            PickominoError: Fields that are no record, rules or a state that do not exist, or the
                first action that is not legal, with its number.
        """
        if not isinstance(fields, dict) or fields.get("schema") != cls.SCHEMA:
            raise GameError(f"the record is not of schema {cls.SCHEMA}: write one of that schema")
        names, texts = fields.get("players", []), fields.get("actions")
        rules = fields.get("rules", "rulebook")
        if not _is_texts([rules, fields.get("start")]) or not _is_texts(texts):
            raise GameError("the record lacks start, rules or actions as text: give all three")
        state = start = GameState.parse(fields["start"], rules=rules)
        if not _is_texts(names):
            raise GameError(f"players={shown(names)} are no names: give a list of texts")
        cls(start, (), tuple(names))  # refuses names before the actions
        actions: list[Action] = []
        for number, text in enumerate(texts or (), 1):
            try:
                actions.append(read_action(state, text))
                state = state.apply(actions[-1])
            except PickominoError as error:
                raise GameError(f"action {number}: {error}") from None
        for name, value in _ending(state).items():
            if fields.get(name, value) != value:
                raise GameError(
                    f"the record has {name}={shown(fields[name])}, but leads to {shown(value)}"
                )
        return cls(start, tuple(actions), tuple(names))


def _ending(last: GameState) -> dict[str, Any]:
    """What a record says of the last state."""
    return {
        "end": str(last),
        "worms": [last.position.worms(p) for p in range(len(last.position.stacks))],
        "winners": [p + 1 for p in last.winners],
    }


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
