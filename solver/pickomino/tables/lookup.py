"""Looking up: open tables by mapping them, and answer what a fresh solve would answer.

A table opened is read-only memory shared by all threads and processes that open it, so probing is
safe from several threads at once and costs no memory of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import TypeVar, cast, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pickomino._storage.folders import find_tables, is_game
from pickomino.advice import KeepAdvice, Odds, SolvedTurn, StopAdvice
from pickomino.dice import Dice
from pickomino.equipment import Equipment
from pickomino.errors import MissingTableError, PositionError, TableError
from pickomino.objectives import TurnProblem
from pickomino.position import Position
from pickomino.rules import Rules
from pickomino.tables.spec import DType, Spec, missing
from pickomino.tables.table import Table, TableSolution
from pickomino.turn.graph import FloatArray
from pickomino.turn.payoffs import Number

Default = TypeVar("Default")


@dataclass(frozen=True, eq=False)
class Decisions:
    """What to do with many rolls.

    Attributes:
        face: ``(n,)`` the face to keep, 0-4 for 1-5 and 5 for the worm; -1 for a dead roll.
        stop: ``(n,)`` whether the turn then ends, by a stop or because dice or faces are spent.
        value: ``(n,)`` the expected payoff with the roll on the table.
    """

    face: NDArray[np.int8]
    stop: NDArray[np.bool_]
    value: FloatArray


class Tables:
    """All tables of one question: a rule set, equipment and objective; see :func:`open_tables`.

    Safe to probe from several threads, and to open in several processes at once.
    """

    def __init__(self, tables: list[Table], spec: Spec, place: Path | None = None) -> None:
        """Take tables of this specification, the most useful first, and where they lie."""
        self.tables, self.spec, self._place = tables, spec, place
        self._closed = False

    def __enter__(self) -> Tables:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the mapped files; probing afterwards is an error."""
        self.tables, self._closed = [], True

    def solution(self, position: Position, *, whole_turn: bool = False) -> TableSolution:
        """The turn of a position, as :func:`pickomino.advice.solve_turn` gives it.

        Args:
            position: Where the tiles are.
            whole_turn: Whether only the turn from the empty hand will be asked about.

        Raises:
            MissingTableError: No table covers the position.
            GameOverError: The grill is empty.
            PositionError: Other equipment than the tables'.
        """
        self._check_open()
        position.check_not_over()
        if position.equipment != self.spec.equipment:
            raise PositionError(
                f"the position is of {position.equipment}, but the tables are of "
                f"{self.spec.equipment}: open tables of that equipment"
            )
        for table in self.tables:
            if whole_turn or not table.spec.values_only:
                solution = table.solution(position)
                if solution is not None:
                    return solution
        tops = sum(1 for p in position.opponents if position.stacks[p])
        covered = any(tops <= table.spec.opponents for table in self.tables)
        why = "no table answers in the middle of a turn"
        why = why if covered else f"no table covers {tops} opponents' tops"
        raise self._missing(tops, why)

    def _check_open(self) -> None:
        if self._closed:
            raise TableError("these tables are closed: open them again")

    def _missing(self, opponents: int, why: str) -> MissingTableError:
        return missing(replace(self.spec, opponents=opponents), why, self._place)

    def turn(self, position: Position, *, whole_turn: bool = False) -> SolvedTurn:
        """The turn of a position, looked up; Args and Raises as for :meth:`solution`."""
        problem = TurnProblem(position, self.spec.rules, self.spec.objective)
        return SolvedTurn(problem, self.solution(position, whole_turn=whole_turn))

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
        """The best move from the table: what :func:`pickomino.advise` gives from a fresh solve.

        Args:
            position: Where the tiles are, or its notation; the player to move is advised.
            kept: The dice kept so far in this turn.
            roll: The roll to choose from; None to choose between rolling and stopping.
            with_odds: Whether to add how the turn ends after each choice.

        Returns:
            The same advice, to 1e-12 or the table's stated bound.

        Raises:
            MissingTableError: No table covers the position; the sentence names the command that
                builds one.
            DiceError: Dice that cannot lie on the table.
            GameOverError: The grill is empty.
        """
        dice = Dice.of(kept)
        whole = roll is None and not dice.number
        turn = self.turn(Position.of(position), whole_turn=whole)
        return turn.advise(dice, roll, with_odds=with_odds)

    def odds(self, position: Position | str, kept: Dice | str = "") -> Odds[float]:
        """How the turn ends: what :func:`pickomino.odds` gives from a fresh solve.

        Args and Raises as for :meth:`probe`.
        """
        dice = Dice.of(kept)
        turn = self.turn(Position.of(position), whole_turn=not dice.number)
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

    def probe_many(
        self,
        grill: ArrayLike,
        at_stake: ArrayLike,
        tops: ArrayLike,
        kept: ArrayLike,
        roll: ArrayLike,
    ) -> Decisions:
        """The best moves for many rolls at once.

        Args:
            grill: ``(n,)`` the grill tiles as bitmasks, the lowest tile the lowest bit.
            at_stake: ``(n,)`` the worms that a bust costs.
            tops: ``(n,)`` the opponents' tops as bitmasks.
            kept: ``(n, 6)`` how many dice of each face are kept, in the order 1-5, W.
            roll: ``(n, 6)`` how many dice of the roll show each face.

        Returns:
            What to keep, whether to stop then, and what that is worth.

        Raises:
            MissingTableError: No table covers a row.
            TableError: A row whose numbers make no position and roll; the sentence names it.
        """
        from pickomino.tables._bulk import UncoveredRowError, decide

        self._check_open()
        lacking = self._missing(0, "no table answers in the middle of a turn")
        for table in self.tables:
            if not table.spec.values_only:
                try:
                    return Decisions(*decide(table, grill, at_stake, tops, kept, roll))
                except UncoveredRowError as error:
                    lacking = self._missing(error.tops, str(error))
        raise lacking


def open_tables(
    path: Path | str | None = None,
    *,
    rules: Rules | str = "rulebook",
    equipment: Equipment | str = "standard",
    objective: str = "worms",
    dtype: DType | None = None,
) -> Tables:
    """Open the tables that answer one question.

    Args:
        path: A table, or a folder of tables; None for ``$PICKOMINO_TABLES`` or the user's cache
            directory, and the tables that come with the package.
        rules: The rule set, or its text; switches that no turn depends on do not matter.
        equipment: The dice and tiles, or their text.
        objective: The name of the objective.
        dtype: Which tables to take; None for all, exact ones first.

    Returns:
        A context manager that is probed.

    Raises:
        MissingTableError: No table of this rule set, equipment and objective is there.
        TableError: None is there, but one that is damaged or of another format.
    """
    wanted = Spec(Rules.of(rules), Equipment.of(equipment), objective)
    tables, bad = [], []
    folders = [place for place in find_tables(path) if not is_game(place)]
    for folder in folders:
        try:
            tables.append(Table.open(folder))
        except TableError as error:
            bad.append(error)
    asked = (wanted.rules, wanted.equipment, wanted.objective)
    fitting = [
        t
        for t in tables
        if (t.spec.rules, t.spec.equipment, t.spec.objective) == asked
        and dtype in (None, t.spec.dtype)
    ]
    place = None if path is None else Path(path)
    if place is not None and folders == [place]:
        place = place.absolute().parent
    if not fitting and bad:
        raise bad[0]  # it may be the table that was asked for
    if not fitting:
        where = "" if path is None else f" in {path}"
        others = ", ".join(sorted({t.spec.name for t in tables})) or "none"
        raise missing(
            wanted,
            f"no table of {objective} under {Rules.of(rules)} with {equipment} equipment is "
            f"there{where} (found: {others})",
            place,
        )
    # Whole turns before values only, exact before rounded, and then the widest.
    fitting.sort(key=lambda t: (t.spec.values_only, t.spec.dtype != "float64", -t.spec.opponents))
    return Tables(fitting, wanted, place)
