"""What an engine must offer to be checked: start a game, take an action, say what it sees.

An engine that is checked need not be written in this way; a few lines around it translate.  What
the engine cannot tell stays None and is not compared.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from pickomino.dice import Dice
from pickomino.play.engine import Action
from pickomino.position import Position

__all__ = ["Adapter", "Inexpressible", "Observation", "SetUpAdapter"]


class Inexpressible(Exception):  # noqa: N818  # it is no error, but an answer
    """Raised by :meth:`Adapter.step` for an action that the engine has no way to say.

    Its text is counted in the report, and another action is tried in its place.  It must be raised
    before anything has changed.
    """


@dataclass(frozen=True)
class Observation:
    """What an engine shows after an action; None is what it cannot tell, or not yet.

    Attributes:
        grill: The face-up tiles, in any order.
        stacks: One stack per player, bottom to top.
        mover: The index of the player to act.
        kept: The dice kept in this turn, as :class:`pickomino.Dice` or text such as ``"3 3 W"``.
        legal: The legal actions, a roll with its dice open, as actions or their text: ``"roll"``,
            ``"stop"``, ``"keep W"``, ``"take 25"``.
        over: Whether the game is over.  Once it is, the mover, the kept dice and the legal actions
            are not looked at.
        winners: The indices of those who won; looked at only once the game is over.
    """

    grill: Collection[int] | None = None
    stacks: Sequence[Sequence[int]] | None = None
    mover: int | None = None
    kept: Dice | str | None = None
    legal: Collection[Action | str] | None = None
    over: bool | None = None
    winners: Collection[int] | None = None


class Adapter(Protocol):
    """Someone else's engine, as :func:`pickomino.testing.check_conformance` drives it.

    The actions are those of :mod:`pickomino.play.engine`, one at a time: ``Roll(dice)`` with the
    dice as they fall, ``Keep(face)``, ``Stop()``, and ``Take(claim)`` where several are open.  A
    dead roll, a turn that claims nothing and a single claim are settled without an action.  An
    engine that wants two of them at once, such as a face and whether to roll on, may hold the first
    back and observe nothing meanwhile.
    """

    def reset(self, players: int) -> None:
        """Begin a new game with all tiles on the grill."""

    def step(self, action: Action) -> None:
        """Do what the action says; raise :class:`Inexpressible` if there is no way to say it."""

    def observe(self) -> Observation:
        """Tell what the engine shows."""


@runtime_checkable
class SetUpAdapter(Adapter, Protocol):
    """An adapter that can also begin from any position, so that scripts become short."""

    def set_up(self, position: Position) -> None:
        """Begin a turn of the mover of the position."""
