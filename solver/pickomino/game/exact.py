"""Solving a two-player game from a position, with full stacks: exactly, and with bounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pickomino.errors import PositionError
from pickomino.game.graph import (
    MAX_STATES,
    GameGraph,
    GameObjective,
    game_graph,
    seen_by_mover,
)
from pickomino.game.stochastic import Policy, Solution, evaluate, levels, solve
from pickomino.objectives import Outcome, turn_problem
from pickomino.position import Position
from pickomino.rules import Rules
from pickomino.turn import solve as solve_turn_problem


@dataclass(frozen=True, eq=False)
class GameSolution:
    """A solved game.

    Attributes:
        graph: Its positions.
        objective: What both players play for.
        solution: Values, bounds and residual in the unit of :mod:`pickomino.game.graph`.
    """

    graph: GameGraph
    objective: GameObjective
    solution: Solution

    @property
    def value(self) -> float:
        """The value of the position asked about: a chance to win, or a margin in worms.

        The margin is what is still to be won: worms that lie in the stacks already do not count.
        """
        return self.value_of(self.graph.positions[0])

    @property
    def lower(self) -> float:
        """What the mover can be sure of."""
        return self._in_units(float(self.solution.lower[0]))

    @property
    def upper(self) -> float:
        """What the opponent can hold the mover to."""
        return self._in_units(float(self.solution.upper[0]))

    def value_of(self, position: Position) -> float:
        """The value of any position of the game to its player to move.

        Raises:
            PositionError: A position that the game does not lead to.
        """
        seen = seen_by_mover(position)
        number = self.graph.index.get((seen.grill, seen.stacks))
        if number is None or seen.equipment != self.graph.positions[0].equipment:
            raise PositionError(f"{str(position)!r} does not come up in this game: solve from it")
        return self._in_units(float(self.solution.value[number]))

    def worth(self, before: Position, after: Position) -> float:
        """What a position is worth to the player who led to it from another.

        Args:
            before: A position of the game.
            after: What a claim or a bust made of it.

        Returns:
            A chance to win, or the worms won by the turn and still to be won, less the opponent's.
        """
        mover, other = before.mover, after.mover
        if self.objective == "win":
            if not after.is_over:
                return 1 - self.value_of(after)
            winners = after.winners(self.graph.rules)
            return (mover in winners) / len(winners)
        won = after.worms(mover) - before.worms(mover)
        lost = after.worms(other) - before.worms(other)
        return won - lost - (0 if after.is_over else self.value_of(after))

    def _in_units(self, value: float) -> float:
        return (1 + value) / 2 if self.objective == "win" else value


def solve_game(
    position: Position,
    rules: Rules | str = Rules(),
    objective: GameObjective = "margin",
    max_states: int = MAX_STATES,
) -> GameSolution:
    """Solve the two-player game from a position, both sides playing best for an objective.

    Args:
        position: Where to begin: two players; stacks count in full.
        rules: The rule set, or its text.
        objective: ``win``, the chance to win with a shared win counting half, or ``margin``, the
            expected worms of the mover minus the opponent's, from here on.
        max_states: How many positions to take on at most; 200,000 take some two minutes.

    Returns:
        The value of every position that play can lead to, with bounds for the one asked about.

    Raises:
        PositionError: Another number of players, or too many positions.
        GameOverError: The grill is empty.
        ObjectiveError: Another objective.
    """
    graph = game_graph(position, Rules.of(rules), objective, max_states)
    return GameSolution(graph, objective, solve(graph))


def game_payoff(solved: GameSolution, position: Position) -> Callable[[Outcome], float]:
    """What the outcomes of a turn are worth in a solved game: a payoff for ``advise`` and ``odds``.

    Args:
        solved: The game.
        position: A position of it, to whose player to move the outcomes are worth that.
    """

    def payoff(outcome: Outcome) -> float:
        rules, claim = solved.graph.rules, outcome.claim
        after = position.after_claim(claim) if claim else position.after_bust(rules)
        return solved.worth(position, after)

    return payoff


def one_turn_policy(graph: GameGraph, objective: str) -> Policy:
    """How a player plays who looks only at the turn, in every position of a game.

    Args:
        graph: The game.
        objective: A named objective of :mod:`pickomino.objectives`.

    Returns:
        The policy; ties are decided by the rule of :mod:`pickomino.turn`.
    """
    share = np.zeros((graph.states, graph.classes))
    chosen = np.zeros((graph.states, graph.classes), dtype=np.int64)
    _, totals = np.unique(graph.class_of, return_index=True)
    for number, position in enumerate(graph.positions):
        problem = turn_problem(position, graph.rules, objective)
        ended = np.array(solve_turn_problem(problem.payoffs).distribution())
        np.add.at(share[number], graph.class_of, ended)
        for kind, total in enumerate(totals.tolist()):
            claims = position.claims(total, graph.rules) if kind else ()
            place = claims.index(problem.claims[total]) if claims else 0
            chosen[number, kind] = graph.start[number * graph.classes + kind] + place
    return graph.policy(share, chosen)


def optimal_policy(solved: GameSolution, graph: GameGraph | None = None) -> Policy:
    """How both sides play in a solved game, in every position.

    Args:
        solved: The game, which may be solved for another objective than the policy is judged by.
        graph: The same game with the rewards that the policy is judged by; None for its own.
    """
    own = solved.graph
    _, share, chosen = own.best_turns(np.arange(own.states), solved.solution.value)
    return (graph or own).policy(share, chosen)


def policy_values(graph: GameGraph, mine: Policy, theirs: Policy) -> tuple[float, float]:
    """What one policy gets against another, exactly, as a Markov chain.

    Args:
        graph: A game; its objective sets the unit: 1, 0, -1 for ``win``, worms for ``margin``.
        mine: The first player's policy in every position.
        theirs: The second player's.

    Returns:
        The first player's value when moving first, and when moving second.
    """
    first, second = np.zeros(graph.states), np.zeros(graph.states)
    for inside in levels(graph):
        rows = [Policy(p.move[inside], p.reward[inside]) for p in (mine, theirs)]
        first[inside], second[inside] = evaluate(rows[0], rows[1], inside, (first, second))
    return float(first[0]), -float(second[0])
