"""Looking up: open all tables of a question, and answer what a fresh solve would answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pickomino._checks import given, listed
from pickomino._storage.opening import build_it, find_kind
from pickomino._storage.probed import Probed
from pickomino._storage.table import check_position
from pickomino.advice import SolvedTurn
from pickomino.equipment import Equipment
from pickomino.errors import TableError
from pickomino.objectives import TurnProblem
from pickomino.position import Position
from pickomino.rules import Rules
from pickomino.tables.spec import DType, TurnSpec
from pickomino.tables.table import TableSolution, TurnTable, missing_table, missing_turn, tops_of
from pickomino.turn.graph import FloatArray

__all__ = ["Decisions", "Tables", "open_tables"]


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


class Tables(Probed):
    """All tables of one question: a rule set, equipment and objective; see :func:`open_tables`.

    Safe to probe from several threads, and to open in several processes at once.

    Attributes:
        tables: The tables, the most useful first.
        spec: What they are of, as far as they agree.
        home: The folder of tables that another one would be built in; None for the default one.
    """

    def __init__(
        self, tables: Sequence[TurnTable], spec: TurnSpec, home: Path | None = None
    ) -> None:
        """Take tables of this specification, the most useful first, and where they lie."""
        self.tables: tuple[TurnTable, ...] = listed("tables", tables)
        self.spec, self.home = spec, home
        for table in self.tables:
            given("tables", table, TurnTable)
        given("spec", spec, TurnSpec)
        self._closed = False

    def __repr__(self) -> str:
        return f"Tables({', '.join(repr(str(table.folder)) for table in self.tables)})"

    @property
    def label(self) -> str:
        """What they answer for, in words."""
        return f"tables of {self.spec.objective} under {self.spec.rules}"

    def close(self) -> None:
        """Let go of the mapped files; probing afterwards is an error."""
        for table in self.tables:
            table.close()
        self._closed = True

    def turn(self, position: Position | str, *, whole_turn: bool = False) -> SolvedTurn:
        """The turn of a position, looked up; see :meth:`Probed.turn`."""
        place = Position.of(position)
        solution = self.solution(place, whole_turn=whole_turn)
        return SolvedTurn(TurnProblem(place, self.spec.rules, self.spec.objective), solution)

    def solution(self, position: Position, *, whole_turn: bool = False) -> TableSolution:
        """The solved turn of a position, from the first table that has it.

        Args and Raises as for :meth:`turn`.
        """
        self._check_open()
        check_position(position, self.spec)
        for table in self.tables:
            solution = table.solution(position, whole_turn=whole_turn)
            if solution is not None:
                return solution
        raise missing_turn(self.tables, self.spec, tops_of(position), self.home)

    def _check_open(self) -> None:
        if self._closed:
            raise TableError("these tables are closed: open them again")

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
        lacking = missing_turn(self.tables, self.spec, 0, self.home)
        for table in self.tables:
            if not table.spec.values_only:
                try:
                    return Decisions(*decide(table, grill, at_stake, tops, kept, roll))
                except UncoveredRowError as error:
                    lacking = missing_table(str(error), self.spec, error.tops, self.home)
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
        MissingTableError: No table of this rule set, equipment and objective is there; the
            sentence names the command that builds one.
        TableError: None is there, but one that is damaged or of another format.
    """
    asked = Rules.of(rules)
    wanted = TurnSpec(
        asked, Equipment.of(equipment), objective, dtype="float64" if dtype is None else dtype
    )
    found = find_kind(path, TurnTable)
    fitting = [t for t in found.fitting(wanted) if dtype in (None, t.spec.dtype)]
    if not fitting:
        raise found.refusal(asked, wanted.equipment, objective, build_it(wanted, found.home))
    # Whole turns before values only, exact before rounded, and then the widest.
    fitting.sort(key=lambda t: (t.spec.values_only, t.spec.dtype != "float64", -t.spec.opponents))
    return Tables(fitting, wanted, found.home)
