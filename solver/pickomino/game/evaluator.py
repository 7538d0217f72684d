"""Whoever knows what the positions of a game are worth, and what that makes a turn worth.

A solved game is one, so is a table of one, and an approximation.  All answer in one way: ``values``
has a number for each seat, and ``payoff`` says what the ways to end the mover's turn are worth, so
that the turn can be solved exactly on top of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from pickomino.dice import final_totals
from pickomino.objectives import GameObjective, Outcome
from pickomino.position import Claim, Position
from pickomino.rules import Rules

__all__ = ["ClaimPayoff", "Evaluator", "Source", "by_seat", "payoff_of_turn", "position_after"]

Source = Literal["solver", "table"]


class Evaluator(Protocol):
    """Whoever knows what positions are worth, under one rule set and objective."""

    @property
    def label(self) -> str:
        """What it answers for, in words, such as ``"exact: full stacks"``."""

    @property
    def source(self) -> Source:
        """Where its numbers are from."""

    def values(self, position: Position) -> tuple[float, ...]:
        """What a position is worth to each seat, in the order of the stacks.

        Args:
            position: The game is not over there.

        Returns:
            For ``win`` each seat's chance to win, a shared win counting its part; for ``margin``
            the worms it still wins, less the mean of the others'.
        """

    def payoff(self, position: Position) -> ClaimPayoff:
        """What the ways to end a position's turn are worth to its mover.

        Args:
            position: The game is not over there.

        Returns:
            For each outcome the chance to win, or the worms won by the turn and after it.
        """


def by_seat(position: Position, value: float, objective: GameObjective) -> tuple[float, ...]:
    """The values of both seats of a position of two, from that of the mover."""
    other = 1 - value if objective == "win" else -value
    return (value, other) if position.mover == 0 else (other, value)


@dataclass(frozen=True)
class ClaimPayoff:
    """What a turn is worth by the claim that ends it: a payoff for ``advise`` and ``odds``.

    Attributes:
        by_claim: The value of each claim that some total can make, and of a bust (None).
    """

    by_claim: dict[Claim | None, float]

    def __call__(self, outcome: Outcome) -> float:
        """The value of an outcome of the turn."""
        return self.by_claim[outcome.claim]


def payoff_of_turn(
    position: Position,
    rules: Rules,
    objective: GameObjective,
    value_after: Callable[[Claim | None], float],
) -> ClaimPayoff:
    """What the ways to end a turn are worth, given the values of the positions that follow.

    Args:
        position: Where the turn begins: two players.
        rules: The rule set.
        objective: What both play for.
        value_after: The value of the position that a claim leads to, or a bust (None), to the
            player who moves there.  It is not asked about positions where the game is over.

    Returns:
        For each claim, to the position's player to move, a chance to win, or the worms won by the
        turn and still to be won, less the opponent's.
    """
    mover, other = position.mover, 1 - position.mover
    totals = final_totals(position.equipment.dice)
    claims = dict.fromkeys(c for total in totals for c in position.claims(total, rules))
    by_claim: dict[Claim | None, float] = {}
    for claim in (None, *claims):
        then = position_after(position, claim, rules)
        value = 0.0 if then.is_over else value_after(claim)
        if objective == "margin":
            won = then.worms(mover) - position.worms(mover)
            by_claim[claim] = won - (then.worms(other) - position.worms(other)) - value
        elif then.is_over:
            winners = then.winners(rules)
            by_claim[claim] = (mover in winners) / len(winners)
        else:
            by_claim[claim] = 1 - value
    return ClaimPayoff(by_claim)


def position_after(position: Position, claim: Claim | None, rules: Rules) -> Position:
    """The position after a claim, or after a bust (None).

    Args:
        position: Where the turn began.
        claim: The tile taken.  If it was stolen in a game of two, the victim is whoever is not to
            move, so that the claim may come from the same position with the seats changed.
        rules: The rule set.
    """
    if claim is None:
        return position.after_bust(rules)
    victim = None if claim.victim is None else position.opponents[0]
    return position.after_claim(Claim(claim.tile, victim))
