"""What a turn is worth on top of the values of the positions that it leads to."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Protocol

from pickomino.game.model import Model
from pickomino.objectives import Outcome
from pickomino.position import Claim, Position
from pickomino.rules import Rules


class Valued(Protocol):
    """Whatever knows the value of positions: a solved game, a table of one, an approximation."""

    @property
    def model(self) -> Model:
        """What it answers for."""

    @property
    def name(self) -> str:
        """What it answers for, in words."""

    @property
    def source(self) -> str:
        """``solver`` or ``table``."""

    def look(self, position: Position) -> tuple[Position, Callable[[Position], float]]:
        """What a turn can make of a position.

        Args:
            position: Of two players, the game not over.

        Returns:
            The position as the model sees it, with the player to move first, and the value of any
            position that the turn leads to, to the player who moves there: a chance to win, or
            worms to come.
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
    here, value_of = valued.look(position)

    @cache
    def after(claim: Claim | None) -> float:
        then = position.after_claim(claim) if claim else position.after_bust(rules)
        value = 0.0 if then.is_over else value_of(_next(here, claim, rules))
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
