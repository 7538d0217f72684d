"""Chances to win where the game is too large to solve for them: from margins, by approximation.

A margin table says of a position what margin is still to come and its standard deviation.  With the
worms that lie in the stacks already that is the final margin, which is taken for normal: the chance
to win is ``Phi(final margin / deviation)``.
"""

from __future__ import annotations

from math import erf, sqrt

from pickomino.game.model import Bank, Model
from pickomino.game.table import GameTable
from pickomino.position import Position


class NormalChances:
    """Chances to win from a margin table, for :mod:`pickomino.game.worth`."""

    def __init__(self, table: GameTable) -> None:
        """Take a table of ``margin``."""
        spec = table.spec
        self.table = table
        self.model = Model(spec.model.start, spec.rules, "win", spec.depth)

    @property
    def name(self) -> str:
        """What is answered for."""
        return f"approximate: win chances by a normal approximation from margins, {self.table.name}"

    def in_play(self, position: Position) -> tuple[Position, Bank]:
        """The position with the player to move first."""
        return self.table.in_play(position)

    def value_of(self, position: Position, banked: Bank | None = None) -> float:
        """The chance to win of the player to move.

        Args:
            position: The position.
            banked: What else lies too deep to be lost.
        """
        mover, other = position.mover, 1 - position.mover
        lead = position.worms(mover) - position.worms(other) + (banked.lead if banked else 0)
        place = self.table.place(position)
        margin, deviation = lead + self.table.value[place], self.table.deviation[place]
        if deviation == 0:
            return 0.5 if margin == 0 else float(margin > 0)
        return (1 + erf(margin / deviation / sqrt(2))) / 2
