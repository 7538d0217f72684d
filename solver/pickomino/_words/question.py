"""A question in the words of a user, and its answer as text and as JSON."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from pickomino._checks import cut, shown
from pickomino._ranges import parse_ranges
from pickomino._runtime.streams import say
from pickomino._words.reading import object_of
from pickomino._words.report import (
    Json,
    keep_json,
    keep_text,
    odds_json,
    odds_text,
    stop_json,
    stop_text,
)
from pickomino.advice import StopAdvice
from pickomino.ask.advisor import Advisor, Answer, reach_chances
from pickomino.dice import Dice
from pickomino.equipment import STANDARD, Equipment
from pickomino.errors import ObjectiveError, PickominoError, PositionError, TableError
from pickomino.game.budgets import PER_ANSWER, check_max_states
from pickomino.position import Position
from pickomino.rules import Rules

if TYPE_CHECKING:
    from pickomino.tables.lookup import Tables


@dataclass(frozen=True)
class Question:
    """What is asked about; the fields are the command line's options and a batch's keys."""

    grill: str | None = None
    own: str | None = None
    opponent: tuple[str, ...] = ()
    position: str | None = None
    equipment: str | None = None
    kept: str = ""
    roll: str | None = None
    rules: str = "rulebook"
    objective: str = "worms"
    max_states: str | int = PER_ANSWER

    @cached_property
    def board(self) -> Position:
        """The position asked about."""
        parts = {"--grill": self.grill, "--own": self.own, "--opponent": self.opponent or None}
        equipment = None if self.equipment is None else Equipment.parse(self.equipment)
        if self.position is None:
            return Position.seen(
                parse_ranges(self.own or ""),
                [parse_ranges(stack) for stack in self.opponent],
                None if self.grill is None else parse_ranges(self.grill),
                equipment=equipment or STANDARD,
            )
        for option, value in parts.items():
            if value is not None:
                raise PositionError(f"--position already says what {option} says: drop one")
        text = self.position
        if equipment is not None and len(text.split()) == 3:
            text = f"{text} {equipment}"
        position = Position.parse(text)
        if equipment not in (None, position.equipment):
            raise PositionError(
                f"--position is of {cut(str(position.equipment))}, not of "
                f"{cut(str(equipment))}: drop --equipment"
            )
        return position

    @cached_property
    def rule_set(self) -> Rules:
        """The rules asked about."""
        return Rules.parse(self.rules)

    @cached_property
    def dice(self) -> Dice:
        """The dice kept."""
        return Dice.parse(self.kept)

    @cached_property
    def thrown(self) -> Dice | None:
        """The roll on the table."""
        return None if self.roll is None else Dice.parse(self.roll)

    @cached_property
    def budget(self) -> int:
        """The most positions to solve on the spot; a batch may give it as text."""
        text = str(self.max_states)
        if not re.fullmatch("[0-9]{1,18}", text):
            raise PositionError(f"max_states={shown(text)} is no budget: use a whole number from 1")
        return check_max_states(int(text))


def answer_of(question: Question, *, exact: bool = False, tables: str | None = None) -> Answer:
    """The turn that is asked about, solved or looked up.

    Args:
        question: What is asked.
        exact: Whether to compute in rationals.
        tables: Where the tables lie that are to answer, empty for the usual places; None to solve.

    Raises:
        PickominoError: A question that cannot be answered.
    """
    position, rules, objective = question.board, question.rule_set, question.objective
    if tables is None:
        return _advisor(rules, objective, question.budget, exact).ask(position)
    if exact:
        raise ObjectiveError("no table holds fractions: leave exact= or tables= out")
    opened = _tables(tables, rules, objective, position.equipment)
    whole = question.thrown is None and not question.dice.number
    return Answer(opened.turn(position, whole_turn=whole), "table")


@lru_cache(maxsize=8)
def _advisor(rules: Rules, objective: str, max_states: int, exact: bool) -> Advisor:
    return Advisor(
        rules=rules,
        objective=objective,
        max_states=max_states,
        exact=exact,
        progress=True,
        warn=_warn,
    )


@lru_cache(maxsize=8)
def _tables(place: str, rules: Rules, objective: str, equipment: Equipment) -> Tables:
    from pickomino.tables.lookup import open_tables

    return open_tables(place or None, rules=rules, objective=objective, equipment=equipment)


def _warn(error: TableError) -> None:
    say(f"warning: {error}; solving afresh")


def _shallower(question: Question, tables: str | None) -> Answer | None:
    """The same from the model of one depth less, to show how the answer moves."""
    if tables is not None:
        return None
    asked = (question.rule_set, question.objective, question.budget, False)
    return _advisor(*asked).ask_shallower(question.board)


def _header(question: Question, answer: Answer, command: str) -> Json:
    """The fields of a JSON answer that repeat the question, and where the answer is from."""
    fields: Json = {
        "schema": f"pickomino.{command}/1",
        "rules": str(question.rule_set),
        "objective": question.objective,
        "position": str(question.board),
        "kept": str(question.dice),
        "source": answer.source,
    }
    return {**fields, "model": answer.label} if answer.label else fields


def title(question: Question, answer: Answer) -> str:
    """The lines of a readable answer that repeat the question."""
    dice = question.dice
    lines = [
        f"position   {question.board}",
        f"rules      {question.rule_set}   objective {question.objective}",
        f"kept       {f'{dice}   total {dice.total}' if dice.number else '-'}",
    ]
    if question.thrown is not None:
        lines.append(f"roll       {question.thrown}")
    if answer.label:
        lines.append(f"model      {answer.label}")
    return "\n".join(lines) + "\n"


def best_answer(
    question: Question, *, exact: bool = False, tables: str | None = None
) -> tuple[Json, str]:
    """The best move.

    Args:
        question: What is asked.
        exact: Whether to add the value as a fraction.
        tables: Where the tables lie that are to answer, empty for the usual places; None to solve.

    Returns:
        The answer as JSON and as text.

    Raises:
        PickominoError: A question that cannot be answered.
    """
    kept, roll = question.dice, question.thrown
    answer = answer_of(question, exact=exact, tables=tables)
    advice = answer.turn.advise(kept, roll, with_odds=True)
    fields = _header(question, answer, "best")
    if isinstance(advice, StopAdvice):
        fields |= stop_json(advice)
        text = stop_text(advice)
    else:
        fields |= {"roll": str(roll), **keep_json(advice)}
        text = keep_text(advice, question.board)
    shallower = _shallower(question, tables)
    if shallower is not None:
        other = shallower.turn.advise(kept, roll)
        fields["shallower"] = {
            "model": shallower.label,
            "value": other.value,
            "reason": other.reason,
        }
        text += f"\n\n{shallower.label}:\n{other.reason}"
    return fields, _text(question, answer, text, fields)


def odds_answer(
    question: Question, *, reach: bool = False, exact: bool = False, tables: str | None = None
) -> tuple[Json, str]:
    """How the turn ends.

    Args:
        question: What is asked; a roll is ignored.
        reach: Whether to add the best chance to reach each tile's number.
        exact: Whether to add the value as a fraction.
        tables: Where the tables lie that are to answer, empty for the usual places; None to solve.

    Returns:
        The answer as JSON and as text.

    Raises:
        PickominoError: A question that cannot be answered.
    """
    position, kept = question.board, question.dice
    if reach and tables is not None:
        raise ObjectiveError("no table holds what reach= asks for: leave reach= or tables= out")
    answer = answer_of(question, exact=exact, tables=tables)
    found = answer.turn.odds(kept)
    chances = reach_chances(position, kept, rules=question.rule_set) if reach else None
    fields = {**_header(question, answer, "odds"), **odds_json(found, position, chances)}
    text = odds_text(found, position, chances)
    shallower = _shallower(question, tables)
    if shallower is not None:
        value = shallower.turn.odds(kept).value
        fields["shallower"] = {"model": shallower.label, "value": value}
        text += f"\n\n{shallower.label}:\nworth {value:.4f}"
    return fields, _text(question, answer, text, fields)


def _text(question: Question, answer: Answer, text: str, fields: Json) -> str:
    exact = f"\n\nexactly {fields['exact']}" if "exact" in fields else ""
    return f"{title(question, answer)}\n{text}{exact}"


_KEYS = [field.name for field in fields(Question)]


def answer_line(
    line: str, defaults: Json, *, exact: bool = False, tables: str | None = None
) -> Json:
    """The answer to one line of a batch.

    Args:
        line: A JSON object whose keys are fields of a question.
        defaults: The fields that the line need not set.
        exact: Whether to add the value as a fraction.
        tables: Where the tables lie that are to answer, empty for the usual places; None to solve.

    Returns:
        The answer as JSON; ``{"error": sentence}`` if there is none.
    """
    try:
        asked = object_of(line)
        for key in asked:
            if key not in _KEYS:
                raise PickominoError(f"no option is called {shown(key)}: use {', '.join(_KEYS)}")
        given = {key: _words(key, value) for key, value in asked.items() if value is not None}
        question = Question(**{**defaults, **given})
        return best_answer(question, exact=exact, tables=tables)[0]
    except PickominoError as error:
        return {"error": str(error)}
    except Exception as error:  # the lines after it are answered, whatever this one does
        return {"error": f"this line cannot be answered: {type(error).__name__}: {cut(str(error))}"}


def _words(key: str, value: object) -> object:
    """A JSON value as the command line would give it: numbers as text, lists of them joined."""
    if key == "opponent":
        stacks = [value] if isinstance(value, str) else value
        if not isinstance(stacks, list):
            raise PickominoError(f"opponent={shown(value)} are no stacks: give a list of them")
        return tuple(_words("stack", stack) for stack in stacks)
    if isinstance(value, list) and all(isinstance(v, (int, str)) for v in value):
        if key in ("kept", "roll") and any(len(str(v)) != 1 for v in value):
            raise PickominoError(f"{key}={shown(value)} has more than one die in an item: split it")
        return ",".join(map(str, value))
    if isinstance(value, (int, str)) and not isinstance(value, bool):
        return str(value)
    raise PickominoError(f"{key}={shown(value)} is no text: write it as on the command line")
