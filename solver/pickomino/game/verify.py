"""A slow second look at a solved game, state by state; only the rules are shared."""

from __future__ import annotations

from pickomino.game.exact import GameSolution
from pickomino.position import Position
from pickomino.turn import TurnPayoffs, solve


def bellman_residual(solved: GameSolution) -> float:
    """The largest difference between a position's value and that of its turn on the next values.

    Args:
        solved: A solved game; every position is looked at, some 1,500 a second.

    Returns:
        The difference, a probability for ``win`` and worms for ``margin``.
    """
    return max(
        abs(turn_value(solved, position) - solved.value_of(position))
        for position in solved.graph.positions
    )


def turn_value(solved: GameSolution, position: Position) -> float:
    """The value of a position's turn, if what follows is worth what the solution says."""
    rules = solved.graph.rules
    bust = _worth(solved, position, position.after_bust(rules))
    by_total, claimed = [bust] * 5, [False] * 5
    for total in range(5, position.equipment.max_total + 1):
        claims = position.claims(total, rules)
        after = [position.after_claim(claim) for claim in claims]
        by_total.append(max((_worth(solved, position, a) for a in after), default=bust))
        claimed.append(bool(claims))
    may_stop = {
        "any_time": [True] * len(by_total),
        "worm_required": [total >= 5 for total in range(len(by_total))],
        "claim_required": claimed,
    }[rules.stop]
    payoffs = TurnPayoffs(tuple(by_total), tuple(may_stop), rules.dead_roll == "keep_sum")
    return solve(payoffs).value()


def _worth(solved: GameSolution, before: Position, after: Position) -> float:
    """What a next position is worth to the player who moved."""
    mover, other = before.mover, after.mover
    if solved.objective == "win":
        if not after.is_over:
            return 1 - solved.value_of(after)
        winners = after.winners(solved.graph.rules)
        return (mover in winners) / len(winners)
    won = after.worms(mover) - before.worms(mover) - (after.worms(other) - before.worms(other))
    return won - (0 if after.is_over else solved.value_of(after))
