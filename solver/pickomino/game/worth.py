"""What a turn is worth on top of the values of the positions that it leads to."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Protocol

from pickomino.game.model import Bank, Model
from pickomino.objectives import Outcome
from pickomino.position import Claim, Position
from pickomino.rules import Rules


class Valued(Protocol):
    """Whatever knows the value of positions: a solved game, or a table of one."""

    @property
    def model(self) -> Model:
        """What it answers for."""

    @property
    def name(self) -> str:
        """The same in words."""

    def in_play(self, position: Position) -> tuple[Position, Bank]:
        """What a turn can change: a position with the player to move first, and what is banked."""

    def value_of(self, position: Position, banked: Bank | None = None) -> float:
        """The value of a position to its player to move: a chance to win, or worms to come.

        Args:
            position: The position; what its stacks hold too deep to be lost counts as banked.
            banked: What else is, seen by the player to move.
        """


def game_payoff(valued: Valued, position: Position) -> Callable[[Outcome], float]:
    """What the outcomes of a turn are worth: a payoff for ``advise`` and ``odds``.

    Args:
        valued: Who knows the value of the next positions.
        position: Where the turn begins.

    Returns:
        For each outcome, to the position's player to move, a chance to win, or the worms won by the
        turn and still to be won, less the opponent's.
    """
    rules, objective = valued.model.rules, valued.model.objective
    mover, other = position.mover, 1 - position.mover
    here, banked = valued.in_play(position)

    @cache
    def after(claim: Claim | None) -> float:
        then = position.after_claim(claim) if claim else position.after_bust(rules)
        value = 0.0 if then.is_over else valued.value_of(_next(here, claim, rules), -banked)
        if objective == "margin":
            won = then.worms(mover) - position.worms(mover)
            return won - (then.worms(other) - position.worms(other)) - value
        winners = then.winners(rules)
        return (mover in winners) / len(winners) if then.is_over else 1 - value

    return lambda outcome: after(outcome.claim)


def _next(here: Position, claim: Claim | None, rules: Rules) -> Position:
    """The position after the turn of the first of two players."""
    if claim is None:
        return here.after_bust(rules)
    return here.after_claim(Claim(claim.tile, None if claim.victim is None else 1))
