"""A game looked back on: every decision against the best, and what was luck.

A decision's *regret* is what it loses in expected payoff against the best choice at that moment,
looking one turn ahead, or for ``win`` and ``margin`` to the end of the game.  *Luck* is what the
dice gave: the value of a roll, best play assumed, minus the value of rolling before it fell.  Luck
and regret add up to the result of a game if one model of it values all positions, as the exact one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import get_args

from pickomino.advice import advise
from pickomino.objectives import GameObjective, Objective, Outcome, payoff_of
from pickomino.play.engine import GameRecord, GameState, Roll, Stop, Take
from pickomino.position import Position


@dataclass(frozen=True)
class Decision:
    """One decision of a game.

    Attributes:
        number: The number of the action in the record, from 1.
        seat: The index of the player who made it.
        state: The moment, in the notation of states.
        action: What was done, such as ``keep 4``.
        best: What was best.
        regret: What that lost, in the objective's unit; 0 for the best or a tie.
        model: What the position was valued by, for ``win`` and ``margin``.
    """

    number: int
    seat: int
    state: str
    action: str
    best: str
    regret: float
    model: str = ""


@dataclass(frozen=True)
class Summary:
    """One player's game.

    Attributes:
        seat: The index of the player.
        name: The player's name, if the record has it.
        decisions: How many decisions with a choice were made.
        regret: What all of them lost.
        luck: What the dice gave against expectation.
        worst: The three decisions that lost most, those that lost nothing left out.
    """

    seat: int
    name: str
    decisions: int
    regret: float
    luck: float
    worst: tuple[Decision, ...]


@dataclass(frozen=True)
class Review:
    """A game looked back on.

    Attributes:
        decisions: Every decision with a choice, in order.
        summaries: One for each player, by seat.
        models: What the positions were valued by, for ``win`` and ``margin``; in order of use.
    """

    decisions: tuple[Decision, ...]
    summaries: tuple[Summary, ...]
    models: tuple[str, ...] = ()


def review_game(
    record: GameRecord, objective: Objective = "worms", max_states: int | None = None
) -> Review:
    """Look back on a game.

    Args:
        record: The game; it need not be finished.
        objective: What the decisions are measured by; ``win`` and ``margin`` are of a game of two.
        max_states: For those, how many positions to solve on the spot at most.

    Returns:
        Decisions with their regret, and a summary for each player.

    Raises:
        GameError: A record with an illegal action.
        ObjectiveError: An unknown objective or an unusable payoff.
        MissingTableError: A game that is too large to solve, and no table of it.
        PositionError: ``win`` or ``margin`` of another number of players than two.
    """
    states = record.states()
    objective_of = _objectives(record, objective, max_states)
    players = len(record.start.position.stacks)
    luck = [0.0] * players
    decisions: list[Decision] = []
    models: list[str] = []
    for number, (state, action) in enumerate(zip(states, record.actions, strict=False), 1):
        objective, model = objective_of(state.position)
        if model and model not in models:
            models.append(model)
        values = _values(state, objective)
        best = max(values, key=lambda text: values[text])
        done = "roll" if isinstance(action, Roll) else str(action)
        if len(values) > 1:
            regret = max(0.0, values[best] - values[done])
            best = done if regret == 0 else best
            seat, moment = state.mover, str(state)
            decisions.append(Decision(number, seat, moment, done, best, regret, model))
        if isinstance(action, Roll):
            luck[state.mover] += _luck(state, action, objective)
    summaries = []
    for seat in range(players):
        own = [d for d in decisions if d.seat == seat]
        worst = sorted((d for d in own if d.regret > 0), key=lambda d: -d.regret)[:3]
        name = record.players[seat] if seat < len(record.players) else f"player {seat + 1}"
        regret = sum(d.regret for d in own)
        summaries.append(Summary(seat, name, len(own), regret, luck[seat], tuple(worst)))
    return Review(tuple(decisions), tuple(summaries), tuple(models))


def _objectives(
    record: GameRecord, objective: Objective, max_states: int | None
) -> Callable[[Position], tuple[Objective, str]]:
    """What each position's turn is measured by, and the model of the game behind that."""
    if objective not in get_args(GameObjective):
        return lambda position: (objective, "")
    from pickomino.game.judge import BUDGET, Judge  # with SciPy, so only if asked

    budget = BUDGET if max_states is None else max_states
    judge = Judge(record.start.rules, objective, budget, progress=True)  # type: ignore[arg-type]

    @cache
    def of(position: Position) -> tuple[Objective, str]:
        verdict = judge.verdict(position)
        return verdict.payoff(position), verdict.valued.name

    return of


def _values(state: GameState, objective: Objective) -> dict[str, float]:
    """What each legal action is worth; values that tie with the best are equal to it."""
    position, rules = state.position, state.rules
    if state.ended:
        payoff = payoff_of(objective, position)
        takes = [a for a in state.actions if isinstance(a, Take)]
        return {str(t): float(payoff(Outcome(state.kept.final, t.claim))) for t in takes}
    if state.roll is not None:
        keeps = advise(position, state.kept, state.roll, rules, objective)
        return {f"keep {o.face}": float(keeps.value if o.tie else o.value) for o in keeps.options}
    going = advise(position, state.kept, None, rules, objective)
    values: dict[str, float] = {}
    for action in state.actions:
        value = going.stop_value if isinstance(action, Stop) else going.roll_value
        values[str(action)] = float(going.value if going.tie or value is None else value)
    return values


def _luck(state: GameState, action: Roll, objective: Objective) -> float:
    """The value of a roll, dead or not, above the value of rolling."""
    position, rules = state.position, state.rules
    before = advise(position, state.kept, None, rules, objective).roll_value
    if before is None or action.dice is None:
        return 0.0
    after = advise(position, state.kept, action.dice, rules, objective)
    return float(after.value) - float(before)
