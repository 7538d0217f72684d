"""What a turn is worth on top of the values of the positions that it leads to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from pickomino.game.model import Bank, Model
from pickomino.objectives import Outcome
from pickomino.position import Position


class Valued(Protocol):
    """Whatever knows the value of positions: a solved game, or a table of one."""

    @property
    def model(self) -> Model:
        """What it answers for."""

    def value_of(self, position: Position, banked: Bank | None = None) -> float:
        """The value of a position to its player to move: a chance to win, or worms to come.

        Args:
            position: The position; what its stacks hold too deep to be lost counts as banked.
            banked: What else is, seen by the player to move.
        """


def worth(valued: Valued, before: Position, after: Position) -> float:
    """What a position is worth to the player who led to it from another.

    Args:
        valued: Who knows the value of the second.
        before: A position.
        after: What a claim or a bust made of it.

    Returns:
        A chance to win, or the worms won by the turn and still to be won, less the opponent's.
    """
    mover, other = before.mover, after.mover
    if valued.model.objective == "win":
        return end_worth(valued, mover, after) if after.is_over else 1 - valued.value_of(after)
    won = after.worms(mover) - before.worms(mover)
    lost = after.worms(other) - before.worms(other)
    return won - lost - (0 if after.is_over else valued.value_of(after))


def end_worth(valued: Valued, mover: int, after: Position) -> float:
    """The win, its half or none that the end of the game is to a player."""
    winners = after.winners(valued.model.rules)
    return (mover in winners) / len(winners)


def game_payoff(valued: Valued, position: Position) -> Callable[[Outcome], float]:
    """What the outcomes of a turn are worth: a payoff for ``advise`` and ``odds``.

    Args:
        valued: Who knows the value of the next positions.
        position: Where the turn begins; the outcomes are worth that to its player to move.
    """
    found: dict[object, float] = {}

    def payoff(outcome: Outcome) -> float:
        claim = outcome.claim
        if claim not in found:
            rules = valued.model.rules
            after = position.after_claim(claim) if claim else position.after_bust(rules)
            found[claim] = worth(valued, position, after)
        return found[claim]

    return payoff
