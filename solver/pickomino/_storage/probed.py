"""What answers questions about turns: probed, then closed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self, TypeVar, cast, overload

from pickomino.advice import KeepAdvice, Odds, SolvedTurn, StopAdvice
from pickomino.dice import Dice
from pickomino.errors import MissingTableError
from pickomino.position import Position
from pickomino.turn.payoffs import Number

Default = TypeVar("Default")


class Probed(ABC):
    """A table, or several of them, and what every kind does alike: a context manager to probe."""

    @property
    @abstractmethod
    def label(self) -> str:
        """What it answers for, in words."""

    @abstractmethod
    def turn(self, position: Position | str, *, whole_turn: bool = False) -> SolvedTurn:
        """The turn of a position, looked up.

        Args:
            position: Where the tiles are, or its notation; the game is not over.
            whole_turn: Whether only the turn from the empty hand will be asked about.

        Raises:
            MissingTableError: No table covers the position; the sentence names the command that
                builds one.
            PositionError: A position that no such table has, such as one of other equipment.
            GameOverError: The grill is empty.
            TableError: A table that is damaged or closed.
        """

    @abstractmethod
    def close(self) -> None:
        """Let go of the mapped files; probing afterwards is an error."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @overload
    def probe(
        self,
        position: Position | str,
        kept: Dice | str = ...,
        roll: None = ...,
        *,
        with_odds: bool = ...,
    ) -> StopAdvice[float]: ...
    @overload
    def probe(
        self,
        position: Position | str,
        kept: Dice | str = ...,
        *,
        roll: Dice | str,
        with_odds: bool = ...,
    ) -> KeepAdvice[float]: ...
    @overload
    def probe(
        self,
        position: Position | str,
        kept: Dice | str,
        roll: Dice | str,
        *,
        with_odds: bool = ...,
    ) -> KeepAdvice[float]: ...
    def probe(
        self,
        position: Position | str,
        kept: Dice | str = "",
        roll: Dice | str | None = None,
        *,
        with_odds: bool = False,
    ) -> KeepAdvice[Number] | StopAdvice[Number]:
        """The best move and what each alternative costs: what :func:`pickomino.advise` gives.

        Args:
            position: Where the tiles are, or its notation; the player to move is advised.
            kept: The dice kept so far in this turn.
            roll: The roll to choose from; None to choose between rolling and stopping.
            with_odds: Whether to add how the turn ends after each choice.

        Returns:
            The same advice as from a fresh solve, to 1e-12 or the table's stated bound.

        Raises:
            MissingTableError: No table covers the position; the sentence names the command that
                builds one.
            PositionError: A position that no such table has, such as one of other equipment.
            DiceError: Dice that cannot lie on the table.
            GameOverError: The grill is empty.
            TableError: A table that is damaged or closed.
        """
        dice = Dice.of(kept)
        turn = self.turn(position, whole_turn=roll is None and not dice.number)
        return turn.advise(dice, roll, with_odds=with_odds)

    def odds(self, position: Position | str, kept: Dice | str = "") -> Odds[float]:
        """How the turn ends: what :func:`pickomino.odds` gives from a fresh solve.

        Args and Raises as for :meth:`probe`.
        """
        dice = Dice.of(kept)
        turn = self.turn(position, whole_turn=not dice.number)
        return cast("Odds[float]", turn.odds(dice))

    def get(
        self,
        position: Position | str,
        kept: Dice | str = "",
        roll: Dice | str | None = None,
        *,
        default: Default | None = None,
        with_odds: bool = False,
    ) -> KeepAdvice[float] | StopAdvice[float] | Default | None:
        """Like :meth:`probe`, but ``default`` where no table covers the position."""
        try:
            if roll is None:
                return self.probe(position, kept, with_odds=with_odds)
            return self.probe(position, kept, roll, with_odds=with_odds)
        except MissingTableError:
            return default
