"""A slow second look at a solved game, state by state; only the rules are shared."""

from __future__ import annotations

from pickomino.game.exact import GameSolution
from pickomino.game.model import Bank
from pickomino.position import Position
from pickomino.turn import TurnPayoffs, solve


def bellman_residual(solved: GameSolution) -> float:
    """The largest difference between a position's value and that of its turn on the next values.

    Args:
        solved: A solved game; every position is looked at, some 1,500 a second.

    Returns:
        The difference, a probability for ``win`` and worms for ``margin``.
    """
    model = solved.model
    states = [model.unpack(words) for words in solved.graph.words.tolist()]
    return max(abs(turn_value(solved, *s) - solved.value_of(*s)) for s in states)


def turn_value(solved: GameSolution, position: Position, banked: Bank) -> float:
    """The value of a position's turn, if what follows is worth what the solution says.

    Args:
        solved: The solution.
        position: A position of it with what its stacks have in play, the first player to move.
        banked: What lies beneath.
    """
    rules = solved.model.rules
    bust = _worth(solved, position, position.after_bust(rules), banked)
    by_total, claimed = [bust] * 5, [False] * 5
    for total in range(5, position.equipment.max_total + 1):
        claims = position.claims(total, rules)
        after = [position.after_claim(claim) for claim in claims]
        by_total.append(max((_worth(solved, position, a, banked) for a in after), default=bust))
        claimed.append(bool(claims))
    may_stop = {
        "any_time": [True] * len(by_total),
        "worm_required": [total >= 5 for total in range(len(by_total))],
        "claim_required": claimed,
    }[rules.stop]
    payoffs = TurnPayoffs(tuple(by_total), tuple(may_stop), rules.dead_roll == "keep_sum")
    return solve(payoffs).value()


def _worth(solved: GameSolution, before: Position, after: Position, banked: Bank) -> float:
    """What a next position is worth to the player who moved, number 1."""
    if solved.model.objective == "margin":
        won = after.worms(0) - before.worms(0) - (after.worms(1) - before.worms(1))
        return won - (0 if after.is_over else solved.value_of(after))
    if not after.is_over:
        theirs = Bank(-banked.lead, banked.height, bool(banked.height) and not banked.mine)
        return 1 - solved.value_of(after, theirs)
    heights = [
        max([2 * solved.model.tiles.index(t) + 2 for t in stack], default=0)
        for stack in after.stacks
    ]
    heights[not banked.mine] = max(heights[not banked.mine], banked.height)
    lead = after.worms(0) - after.worms(1) + banked.lead
    if lead == 0 and solved.model.rules.tie_break == "highest_tile":
        lead = heights[0] - heights[1]
    return 0.5 if lead == 0 else float(lead > 0)
