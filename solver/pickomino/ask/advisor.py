"""Answers for every objective: who values what follows, and the turn solved on top of that.

An objective of the turn (``worms``, a payoff of one's own, ...) needs nobody else.  For ``win`` and
``margin`` :mod:`pickomino.ask.evaluators` finds who values the positions after the turn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, overload

from pickomino._checks import flag, shown
from pickomino.advice import KeepAdvice, Odds, SolvedTurn, StopAdvice, solved
from pickomino.dice import Dice
from pickomino.errors import ArgumentError, ObjectiveError, TableError
from pickomino.game.budgets import PER_ANSWER, check_max_states
from pickomino.objectives import (
    GameObjective,
    Objective,
    check_objective,
    game_objective,
    turn_problem,
)
from pickomino.position import Position
from pickomino.rules import Rules
from pickomino.turn.payoffs import Number
from pickomino.turn.solve import Solution, TurnSolution

if TYPE_CHECKING:  # a turn needs none of these, and the command line starts in a moment
    from pickomino.ask.evaluators import Evaluators
    from pickomino.game.evaluator import Evaluator, Source
    from pickomino.turn.rational import RationalSolution

__all__ = ["Advisor", "Answer", "advise", "odds", "reach_chances", "solve_turn"]


@dataclass(frozen=True, eq=False)
class Answer:
    """A position's turn, solved, and where its numbers are from.

    Attributes:
        turn: What the turn's solution says about any dice.
        source: ``solver``, or ``table`` where a table was asked.
        evaluator: Who values the positions after the turn; None if the turn is all that counts.
    """

    turn: SolvedTurn
    source: Source = "solver"
    evaluator: Evaluator | None = None

    @property
    def label(self) -> str:
        """What the positions after the turn are valued by; empty if the turn is all that counts."""
        return self.evaluator.label if self.evaluator else ""


class Advisor:
    """Answers under one rule set and objective; remembers what it solved and opened."""

    def __init__(
        self,
        *,
        rules: Rules | str = "rulebook",
        objective: Objective = "worms",
        max_states: int = PER_ANSWER,
        depths: bool = True,
        exact: bool = False,
        progress: bool = False,
        warn: Callable[[TableError], object] | None = None,
    ) -> None:
        """Say what is asked for.

        Args:
            rules: The rule set, or its text.
            objective: What is maximised.
            max_states: For ``win`` and ``margin``: how many positions to solve on the spot at most.
            depths: For these: whether models to a depth may answer.
            exact: Whether to compute in rationals.
            progress: Whether to show a progress bar while a game is solved.
            warn: Called when a table is damaged that is not needed.

        Raises:
            RulesError: Rules that do not exist.
            PositionError: A budget below 1.
            ObjectiveError: An unknown objective, or a fraction asked of a whole game.
        """
        check_objective(objective)
        self.rules, self.objective = Rules.of(rules), objective
        self.max_states, self.exact = check_max_states(max_states), flag("exact", exact)
        depths, progress = flag("depths", depths), flag("progress", progress)
        if warn is not None and not callable(warn):
            raise ArgumentError(f"warn={shown(warn)} cannot be called: give a function")
        game = game_objective(objective)
        self.evaluators: Evaluators | None = None
        if game is not None:
            from pickomino.ask.evaluators import Evaluators

            if exact:
                raise ObjectiveError(f"{game} has no fraction: leave exact= out")
            self.evaluators = Evaluators(
                self.rules, game, self.max_states, depths=depths, progress=progress, warn=warn
            )

    def __repr__(self) -> str:
        return f"Advisor({str(self.rules)!r}, {self.objective!r})"

    def ask(self, position: Position | str) -> Answer:
        """The turn of a position, solved.

        Args:
            position: Where the tiles are, or its notation.

        Raises:
            GameOverError: The grill is empty.
            ObjectiveError: An unknown objective or an unusable payoff.
            PositionError: A game asked of other than two players.
            MissingTableError: A game that is too large to solve, and no table of it.
            TableError: A table that is needed and damaged.
        """
        asked = Position.of(position)
        if self.evaluators is None:
            problem = turn_problem(asked, self.rules, self.objective, exact=self.exact)
            return Answer(solved(problem))
        return self._ask_on(asked, self.evaluators.find(asked))

    def ask_shallower(self, position: Position | str) -> Answer | None:
        """The answer of the model of one depth less; None where no model to a depth answers."""
        asked = Position.of(position)
        model = None if self.evaluators is None else self.evaluators.shallower(asked)
        return None if model is None else self._ask_on(asked, model)

    def _ask_on(self, position: Position, evaluator: Evaluator) -> Answer:
        """The turn of a position on top of the values of one who knows what follows."""
        problem = turn_problem(position, self.rules, evaluator.payoff(position))
        return Answer(solved(problem), evaluator.source, evaluator)


@lru_cache(maxsize=8)
def _advisor(rules: Rules, objective: GameObjective, max_states: int) -> Advisor:
    """One advisor for calls that ask about the same game, so that it is solved once."""
    return Advisor(rules=rules, objective=objective, max_states=max_states)


def _ask(
    position: Position | str, rules: Rules | str, objective: Objective, max_states: int, exact: bool
) -> Answer:
    game = game_objective(objective)
    if game is not None and not flag("exact", exact):
        return _advisor(Rules.of(rules), game, check_max_states(max_states)).ask(position)
    advisor = Advisor(rules=rules, objective=objective, max_states=max_states, exact=exact)
    return advisor.ask(position)


@overload
def advise(
    position: Position | str,
    kept: Dice | str = ...,
    roll: None = ...,
    *,
    rules: Rules | str = ...,
    objective: Objective = ...,
    max_states: int = ...,
    with_odds: bool = ...,
    exact: Literal[False] = ...,
) -> StopAdvice[float]: ...
@overload
def advise(
    position: Position | str,
    kept: Dice | str = ...,
    *,
    roll: Dice | str,
    rules: Rules | str = ...,
    objective: Objective = ...,
    max_states: int = ...,
    with_odds: bool = ...,
    exact: Literal[False] = ...,
) -> KeepAdvice[float]: ...
@overload
def advise(
    position: Position | str,
    kept: Dice | str,
    roll: Dice | str,
    *,
    rules: Rules | str = ...,
    objective: Objective = ...,
    max_states: int = ...,
    with_odds: bool = ...,
    exact: Literal[False] = ...,
) -> KeepAdvice[float]: ...
@overload
def advise(
    position: Position | str,
    kept: Dice | str = ...,
    roll: None = ...,
    *,
    rules: Rules | str = ...,
    objective: Objective = ...,
    max_states: int = ...,
    with_odds: bool = ...,
    exact: Literal[True],
) -> StopAdvice[Fraction]: ...
@overload
def advise(
    position: Position | str,
    kept: Dice | str = ...,
    *,
    roll: Dice | str,
    rules: Rules | str = ...,
    objective: Objective = ...,
    max_states: int = ...,
    with_odds: bool = ...,
    exact: Literal[True],
) -> KeepAdvice[Fraction]: ...
@overload
def advise(
    position: Position | str,
    kept: Dice | str,
    roll: Dice | str,
    *,
    rules: Rules | str = ...,
    objective: Objective = ...,
    max_states: int = ...,
    with_odds: bool = ...,
    exact: Literal[True],
) -> KeepAdvice[Fraction]: ...
@overload
def advise(
    position: Position | str,
    kept: Dice | str = ...,
    roll: Dice | str | None = ...,
    *,
    rules: Rules | str = ...,
    objective: Objective = ...,
    max_states: int = ...,
    with_odds: bool = ...,
    exact: bool = ...,
) -> KeepAdvice[Number] | StopAdvice[Number]: ...
def advise(
    position: Position | str,
    kept: Dice | str = "",
    roll: Dice | str | None = None,
    *,
    rules: Rules | str = "rulebook",
    objective: Objective = "worms",
    max_states: int = PER_ANSWER,
    with_odds: bool = False,
    exact: bool = False,
) -> KeepAdvice[Number] | StopAdvice[Number]:
    """The best move.

    Args:
        position: Where the tiles are, or its notation; the player to move is advised.
        kept: The dice kept so far in this turn, such as ``"3 3 3"``.
        roll: The roll to choose from, such as ``"1 3 4 4 W"``; None to choose between rolling
            and stopping.
        rules: The rule set, or its text such as ``"rulebook,steal=mandatory"``.
        objective: What to maximise; see :mod:`pickomino.objectives`.
        max_states: For ``win`` and ``margin``: how many positions to solve on the spot at most.
        with_odds: Whether to add how the turn ends after each choice.
        exact: Whether to compute in rationals, which takes about a second.

    Returns:
        With a roll every legal keep with its value, the best one first, or a ``DeadRoll``; without
        one what rolling and stopping are worth.

    Raises:
        DiceError: Dice that cannot lie on the table.
        GameOverError: The grill is empty.
        ObjectiveError: An unknown objective or an unusable payoff.
        PositionError: Text that is no position, or a game asked of other than two players.
        MissingTableError: A game that is too large to solve, and no table of it.
    """
    answer = _ask(position, rules, objective, max_states, exact)
    return answer.turn.advise(kept, roll, with_odds=with_odds)


@overload
def odds(
    position: Position | str,
    kept: Dice | str = ...,
    *,
    rules: Rules | str = ...,
    objective: Objective = ...,
    max_states: int = ...,
    exact: Literal[False] = ...,
) -> Odds[float]: ...
@overload
def odds(
    position: Position | str,
    kept: Dice | str = ...,
    *,
    rules: Rules | str = ...,
    objective: Objective = ...,
    max_states: int = ...,
    exact: Literal[True],
) -> Odds[Fraction]: ...
@overload
def odds(
    position: Position | str,
    kept: Dice | str = ...,
    *,
    rules: Rules | str = ...,
    objective: Objective = ...,
    max_states: int = ...,
    exact: bool = ...,
) -> Odds[Number]: ...
def odds(
    position: Position | str,
    kept: Dice | str = "",
    *,
    rules: Rules | str = "rulebook",
    objective: Objective = "worms",
    max_states: int = PER_ANSWER,
    exact: bool = False,
) -> Odds[Number]:
    """How the turn ends under one optimal policy; mid-turn, from the better of roll and stop.

    Args:
        position: Where the tiles are, or its notation.
        kept: The dice kept so far in this turn.
        rules: The rule set, or its text.
        objective: What the policy maximises.
        max_states: For ``win`` and ``margin``: how many positions to solve on the spot at most.
        exact: Whether to compute in rationals.

    Returns:
        Value and variance of the payoff, and the probabilities of claims, bust and totals.

    Raises:
        DiceError: More dice kept than the game has.
        GameOverError: The grill is empty.
        ObjectiveError: An unknown objective or an unusable payoff.
        PositionError: Text that is no position, or a game asked of other than two players.
        MissingTableError: A game that is too large to solve, and no table of it.
    """
    return _ask(position, rules, objective, max_states, exact).turn.odds(kept)


def reach_chances(
    position: Position | str,
    kept: Dice | str = "",
    *,
    rules: Rules | str = "rulebook",
    exact: bool = False,
) -> dict[int, Number]:
    """The best chance to end the turn with a worm and at least each tile's number.

    Each is the value of its own objective ``reach:N``: no single policy attains them all.

    Args:
        position: Where the tiles are, or its notation.
        kept: The dice kept so far in this turn.
        rules: The rule set, or its text.
        exact: Whether to compute in rationals.

    Returns:
        The probability for each tile of the equipment, ascending.

    Raises:
        DiceError: More dice kept than the game has.
        GameOverError: The grill is empty.
    """
    table = Position.of(position)
    chances: dict[int, Number] = dict.fromkeys(table.equipment.tiles, 0)
    for tile in chances:
        if tile <= table.equipment.max_total:
            solution = solve_turn(table, rules=rules, objective=f"reach:{tile}", exact=exact)
            chances[tile] = solution.value(kept)
    return chances


@overload
def solve_turn(
    position: Position | str,
    *,
    rules: Rules | str = ...,
    objective: Objective = ...,
    max_states: int = ...,
    exact: Literal[False] = ...,
) -> TurnSolution: ...
@overload
def solve_turn(
    position: Position | str,
    *,
    rules: Rules | str = ...,
    objective: Objective = ...,
    max_states: int = ...,
    exact: Literal[True],
) -> RationalSolution: ...
@overload
def solve_turn(
    position: Position | str,
    *,
    rules: Rules | str = ...,
    objective: Objective = ...,
    max_states: int = ...,
    exact: bool = ...,
) -> Solution: ...
def solve_turn(
    position: Position | str,
    *,
    rules: Rules | str = "rulebook",
    objective: Objective = "worms",
    max_states: int = PER_ANSWER,
    exact: bool = False,
) -> Solution:
    """The solved turn itself: values, decisions and distributions for any dice.

    Args:
        position: Where the tiles are, or its notation.
        rules: The rule set, or its text.
        objective: What to maximise.
        max_states: For ``win`` and ``margin``: how many positions to solve on the spot at most.
        exact: Whether to compute in rationals.

    Returns:
        The solution, whose methods take the dice kept, or their text.

    Raises:
        GameOverError: The grill is empty.
        ObjectiveError: An unknown objective or an unusable payoff.
        PositionError: Text that is no position, or a game asked of other than two players.
        MissingTableError: A game that is too large to solve, and no table of it.
    """
    return _ask(position, rules, objective, max_states, exact).turn.solution
