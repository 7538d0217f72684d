"""A question in the words of a user, and its answer from a table or from the solver."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache, cached_property
from textwrap import shorten
from typing import TYPE_CHECKING, TypeVar, get_args

from pickomino._ranges import parse_ranges
from pickomino._words.report import (
    Json,
    keep_json,
    keep_text,
    odds_json,
    odds_text,
    stop_json,
    stop_text,
)
from pickomino.advice import KeepAdvice, StopAdvice, advise, odds, reach_chances
from pickomino.dice import Dice
from pickomino.equipment import STANDARD, Equipment
from pickomino.errors import (
    MissingTableError,
    ObjectiveError,
    PickominoError,
    PositionError,
    TableError,
)
from pickomino.objectives import GameObjective, Objective
from pickomino.position import Position
from pickomino.rules import Rules
from pickomino.tables.lookup import Tables, open_tables

if TYPE_CHECKING:
    from pickomino.game.judge import Verdict

Answer = TypeVar("Answer")


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
    max_states: str | int = 20_000

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
                equipment or STANDARD,
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
                f"--position is of {position.equipment}, not of {equipment}: drop --equipment"
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

    @property
    def of_game(self) -> bool:
        """Whether the objective looks to the end of the game."""
        return self.objective in get_args(GameObjective)

    @cached_property
    def verdict(self) -> Verdict | None:
        """Who values the positions after the turn; None if the turn is all that counts."""
        if not self.of_game:
            return None
        from pickomino.game.judge import Judge  # with SciPy, so only if asked

        if not re.fullmatch("[0-9]*[1-9][0-9]*", str(self.max_states)):
            raise PositionError(
                f"--max-states {self.max_states} is no budget: use a whole number from 1"
            )
        budget = int(self.max_states)
        judge = Judge(self.rule_set, self.objective, budget, progress=True, warn=_warn)  # type: ignore[arg-type]
        return judge.verdict(self.board)

    @cached_property
    def payoff(self) -> Objective:
        """What is maximised: the objective's name, or for a whole game its value after the turn."""
        return self.verdict.payoff(self.board) if self.verdict else self.objective

    @cached_property
    def shallower(self) -> tuple[str, Objective] | None:
        """The model of one depth less, and its payoff, to show how the answer moves."""
        if self.verdict is None or self.verdict.compare is None:
            return None
        from pickomino.game.worth import game_payoff

        valued = self.verdict.compare()
        return valued.name, game_payoff(valued, self.board)

    def header(self, command: str, source: str) -> Json:
        """The fields of a JSON answer that repeat the question, and where the answer is from."""
        model = {}
        if self.verdict is not None:
            model, source = {"model": self.verdict.valued.name}, self.verdict.valued.source
        return {
            "schema": f"pickomino.{command}/1",
            "rules": str(self.rule_set),
            "objective": self.objective,
            "position": str(self.board),
            "kept": str(self.dice),
            "source": source,
            **model,
        }

    def title(self) -> str:
        """The lines of a readable answer that repeat the question."""
        kept = f"{self.dice}   total {self.dice.total}" if self.dice.number else "-"
        lines = [
            f"position   {self.board}",
            f"rules      {self.rule_set}   objective {self.objective}",
            f"kept       {kept}",
        ]
        if self.thrown is not None:
            lines.append(f"roll       {self.thrown}")
        if self.verdict is not None:
            lines.append(f"model      {self.verdict.valued.name}")
        return "\n".join(lines) + "\n"


@cache
def _tables(rules: Rules, objective: str, equipment: Equipment) -> Tables | None:
    """The tables in their usual places that answer as exactly as the solver."""
    try:
        return open_tables(None, rules, objective, equipment, "float64")
    except (MissingTableError, ObjectiveError):
        return None  # not built, or not a question for tables; the solver says what is wrong
    except TableError as error:
        _warn(error)
        return None


def _warn(error: TableError) -> None:
    print(f"warning: {error}; solving afresh", file=sys.stderr)


def _from_table(question: Question, exact: bool, ask: Callable[[Tables], Answer]) -> Answer | None:
    """What a table answers; None if none does, or a fraction is wanted, which no table holds."""
    if exact:
        if question.of_game:
            raise ObjectiveError(f"{question.objective} has no fraction: leave out --exact")
        return None
    tables = _tables(question.rule_set, question.objective, question.board.equipment)
    try:
        return None if tables is None else ask(tables)
    except MissingTableError:
        return None
    except TableError as error:
        _warn(error)
        return None


def best_answer(question: Question, exact: bool = False) -> tuple[Json, str]:
    """The best move.

    Args:
        question: What is asked.
        exact: Whether to add the value as a fraction, which no table holds.

    Returns:
        The answer as JSON and as text.

    Raises:
        PickominoError: A question that cannot be answered.
    """
    position, kept, roll = question.board, question.dice, question.thrown
    source = "table"
    advice: KeepAdvice | StopAdvice | None = _from_table(
        question, exact, lambda tables: tables.get(position, kept, roll, with_odds=True)
    )
    if advice is None:
        source = "solver"
        advice = advise(
            position,
            kept,
            roll,
            question.rule_set,
            question.payoff,
            with_odds=True,
            exact=exact,
        )
    answer = question.header("best", source)
    if isinstance(advice, StopAdvice):
        answer |= stop_json(advice)
        text = stop_text(advice)
    else:
        answer |= {"roll": str(roll), **keep_json(advice)}
        text = keep_text(advice, position)
    if question.shallower is not None:
        model, payoff = question.shallower
        other = advise(position, kept, roll, question.rule_set, payoff)
        answer["shallower"] = {"model": model, "value": other.value, "reason": other.reason}
        text += f"\n\n{model}:\n{other.reason}"
    return answer, _text(question, text, answer)


def odds_answer(question: Question, reach: bool = False, exact: bool = False) -> tuple[Json, str]:
    """How the turn ends.

    Args:
        question: What is asked; a roll is ignored.
        reach: Whether to add the best chance to reach each tile's number.
        exact: Whether to add the value as a fraction, which no table holds.

    Returns:
        The answer as JSON and as text.

    Raises:
        PickominoError: A question that cannot be answered.
    """
    position, kept, rules = question.board, question.dice, question.rule_set
    source = "table"
    found = _from_table(question, exact, lambda tables: tables.odds(position, kept))
    if found is None:
        source = "solver"
        found = odds(position, kept, rules, question.payoff, exact=exact)
    chances = reach_chances(position, kept, rules) if reach else None
    answer = {**question.header("odds", source), **odds_json(found, position, chances)}
    text = odds_text(found, position, chances)
    if question.shallower is not None:
        model, payoff = question.shallower
        value = odds(position, kept, rules, payoff).value
        answer["shallower"] = {"model": model, "value": value}
        text += f"\n\n{model}:\nworth {value:.4f}"
    return answer, _text(question, text, answer)


def _text(question: Question, text: str, answer: Json) -> str:
    exact = f"\n\nexactly {answer['exact']}" if "exact" in answer else ""
    return f"{question.title()}\n{text}{exact}"


_KEYS = [field.name for field in fields(Question)]


def answer_line(line: str, defaults: Json, exact: bool = False) -> Json:
    """The answer to one line of a batch.

    Args:
        line: A JSON object whose keys are fields of a question.
        defaults: The fields that the line need not set.
        exact: Whether to add the value as a fraction.

    Returns:
        The answer as JSON; ``{"error": sentence}`` if there is none.
    """
    try:
        try:
            asked = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise PickominoError(f"{shorten(line, 80)!r} is not JSON: {error}") from None
        if not isinstance(asked, dict):
            raise PickominoError(f"{shorten(line, 80)!r} is no object: write the options as one")
        for key in asked:
            if key not in _KEYS:
                raise PickominoError(f"no option is called {key!r}: use {', '.join(_KEYS)}")
        given = {key: _words(key, value) for key, value in asked.items() if value is not None}
        return best_answer(Question(**{**defaults, **given}), exact)[0]
    except PickominoError as error:
        return {"error": str(error)}


def _words(key: str, value: object) -> object:
    """A JSON value as the command line would give it: numbers as text, lists of them joined."""
    if key == "opponent":
        stacks = [value] if isinstance(value, str) else value
        if not isinstance(stacks, list):
            raise PickominoError(f"opponent={value!r} are no stacks: give a list of them")
        return tuple(_words("stack", stack) for stack in stacks)
    if isinstance(value, list) and all(isinstance(v, (int, str)) for v in value):
        if key in ("kept", "roll") and any(len(str(v)) != 1 for v in value):
            raise PickominoError(f"{key}={value!r} has more than one die in an item: split it")
        return ",".join(map(str, value))
    if isinstance(value, (int, str)) and not isinstance(value, bool):
        return str(value)
    raise PickominoError(f"{key}={value!r} is no text: write it as on the command line")
