"""A game looked back on: every decision against the best, and what was luck.

A decision's *regret* is what it loses in expected payoff against the best choice at that moment,
looking one turn ahead, or for ``win`` and ``margin`` to the end of the game.  *Luck* is what the
dice gave: the value of a roll, best play assumed, minus the value of rolling before it fell.  Luck
and regret add up to the result of a game if one model of it values all positions, as the exact one.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from pickomino._checks import given
from pickomino.advice import SolvedTurn
from pickomino.ask.advisor import Advisor, Answer
from pickomino.dice import FACES
from pickomino.game.budgets import PER_ANSWER
from pickomino.objectives import Objective, Outcome, game_objective, payoff_of
from pickomino.play.engine import Action, GameState, Roll, Stop, Take
from pickomino.play.record import GameRecord
from pickomino.turn.payoffs import Number, dead_total
from pickomino.turn.solve import stop_ties

__all__ = ["Decision", "Review", "Summary", "review_game"]

WORST = 3
"""How many of a player's decisions a summary shows."""


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

    def __repr__(self) -> str:
        lost = ", ".join(f"{s.name} {s.regret:.4g}" for s in self.summaries)
        return f"Review({len(self.decisions)} decisions, regret: {lost})"


def review_game(
    record: GameRecord, *, objective: Objective = "worms", max_states: int = PER_ANSWER
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
        PositionError: ``win`` or ``margin`` of other than two players.
    """
    states = given("record", record, GameRecord).states()
    advisor = Advisor(
        rules=record.start.rules, objective=objective, max_states=max_states, progress=True
    )
    ask = cache(advisor.ask)
    # What is wrong with the question is said of a game of no actions, too.
    if isinstance(objective, str) and game_objective(objective) is None:
        payoff_of(objective, record.start.position)
    if not record.start.is_over:
        ask(record.start.position)
    players = len(record.start.position.stacks)
    luck = [0.0] * players
    decisions: list[Decision] = []
    models: dict[str, None] = {}
    for number, (state, action) in enumerate(zip(states, record.actions, strict=False), 1):
        answer = ask(state.position)
        if answer.label:
            models[answer.label] = None
        decision = _decision(number, state, action, answer)
        if decision is not None:
            decisions.append(decision)
        if isinstance(action, Roll):
            luck[state.mover] += _luck(state, action, answer)
    summaries = tuple(_summary(record, seat, decisions, luck[seat]) for seat in range(players))
    return Review(tuple(decisions), summaries, tuple(models))


def _decision(number: int, state: GameState, action: Action, answer: Answer) -> Decision | None:
    """What an action lost; None if there was no choice."""
    values = _values(state, answer.turn)
    if len(values) < 2:
        return None
    best = max(values, key=lambda text: values[text])
    done = "roll" if isinstance(action, Roll) else str(action)
    regret = max(0.0, values[best] - values[done])
    best = best if regret else done
    return Decision(number, state.mover, str(state), done, best, regret, answer.label)


def _summary(record: GameRecord, seat: int, decisions: list[Decision], luck: float) -> Summary:
    """One player's game."""
    own = [d for d in decisions if d.seat == seat]
    worst = sorted((d for d in own if d.regret > 0), key=lambda d: -d.regret)[:WORST]
    name = record.players[seat] if seat < len(record.players) else f"player {seat + 1}"
    return Summary(seat, name, len(own), sum(d.regret for d in own), luck, tuple(worst))


def _values(state: GameState, turn: SolvedTurn) -> dict[str, float]:
    """What each legal action is worth above the solution's floor, for what is alike the same."""
    solution = turn.solution
    if state.ended:
        payoff = payoff_of(turn.problem.objective, state.position)
        takes = [a for a in state.actions if isinstance(a, Take)]
        ends = {str(t): payoff(Outcome(state.kept.final, t.claim)) for t in takes}
        return {name: _above(end, solution.floor) for name, end in ends.items()}
    if state.roll is not None:
        keeps = solution.keeps(state.kept, state.roll)
        best = float(keeps[0].choice.value)
        return {f"keep {FACES[f]}": best if tie else float(c.value) for f, tie, c in keeps}
    going = solution.choice(state.kept)
    tie = stop_ties(going, solution.tolerance)
    values: dict[str, float] = {}
    for action in state.actions:
        value = going.stop_value if isinstance(action, Stop) else going.roll_value
        values[str(action)] = float(going.value if tie or value is None else value)
    return values


def _above(payoff: Number, floor: Number) -> float:
    """A payoff above the floor, rounded once."""
    return float(Fraction(payoff) - Fraction(floor))


def _luck(state: GameState, action: Roll, answer: Answer) -> float:
    """The value of a roll, dead or not, above the value of rolling."""
    solution = answer.turn.solution
    before = solution.choice(state.kept).roll_value
    if before is None or action.dice is None:
        return 0.0
    keeps = solution.keeps(state.kept, action.dice)
    if keeps:
        return float(keeps[0].choice.value - before)
    dead = solution.end_value(dead_total(state.kept.final, state.rules.keeps_sum))
    return _above(dead, solution.floor) - float(before)
