"""One table of turns on disk, and a turn read from it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pickomino._checks import count
from pickomino._storage.arrays import StoredArray
from pickomino._storage.manifest import damaged
from pickomino._storage.opening import build_it
from pickomino._storage.table import StoredTable, check_position
from pickomino.advice import SolvedTurn
from pickomino.dice import ALL_FACES, PIPS, WORM, Dice, check_kept, check_roll, keep_order
from pickomino.errors import MissingTableError
from pickomino.objectives import TurnProblem
from pickomino.position import Position
from pickomino.tables.keys import MISSING, Keys, stake
from pickomino.tables.spec import TurnSpec, default_dtype
from pickomino.turn.graph import TurnGraph, turn_graph
from pickomino.turn.payoffs import TIE, TurnPayoffs, rolls_on
from pickomino.turn.solve import Choice, RankedKeep, Then, TurnSolution, ranked

__all__ = ["TableSolution", "TurnTable", "missing_table", "missing_turn", "tops_of"]

_TIE = float(TIE)


class TurnTable(StoredTable[TurnSpec]):
    """One table of turns; see :func:`pickomino.open_tables`, which opens all of one question."""

    spec_type: ClassVar[type[TurnSpec]] = TurnSpec
    mapped: ClassVar[tuple[str, ...]] = ("keys", "value", "distribution", "rolled")

    @property
    def label(self) -> str:
        """What it answers for, in words."""
        return f"table of {self.spec.summary}"

    @cached_property
    def graph(self) -> TurnGraph:
        """The turn graph of the table's dice."""
        return turn_graph(self.spec.equipment.dice)

    @cached_property
    def keys(self) -> Keys:
        """The automaton, on the mapped arrays."""
        spec, step, symbol = self.spec, self._map("step").whole(), self._map("symbol").whole()
        return Keys(step, symbol, spec.scale, spec.rules, spec.equipment.tiles)

    @cached_property
    def value(self) -> StoredArray:
        """``(turns,)`` the value of each turn from the empty hand."""
        return self._map("value")

    @cached_property
    def distribution(self) -> StoredArray:
        """``(turns, totals)`` the probability of each final total."""
        return self._map("distribution")

    @cached_property
    def rolled(self) -> StoredArray:
        """``(turns, rolling states)`` the value of rolling; not in a table of values only."""
        if self.spec.values_only:
            what = "the table is of whole turns only"
            raise missing_table(what, self.spec, self.spec.opponents, self.folder.parent)
        return self._map("rolled")

    @cached_property
    def tolerance(self) -> float:
        """Values this close are ties where rounding to float32 may have parted them; else 0."""
        return 2 * self.spec.bound if self.spec.dtype == "float32" else 0.0

    def turn(self, position: Position | str, *, whole_turn: bool = False) -> SolvedTurn:
        """The turn of a position, looked up; see :meth:`Probed.turn`."""
        place = Position.of(position)
        check_position(place, self.spec)
        solution = self.solution(place, whole_turn=whole_turn)
        if solution is None:
            home = self.folder.absolute().parent
            raise missing_turn([self], self.spec, tops_of(place), home)
        return SolvedTurn(TurnProblem(place, self.spec.rules, self.spec.objective), solution)

    def solution(self, position: Position, *, whole_turn: bool = False) -> TableSolution | None:
        """The solved turn of a position of the table's equipment.

        Args:
            position: Where the tiles are; the game is not over.
            whole_turn: Whether only the turn from the empty hand will be asked about.

        Returns:
            The turn; None if the table does not cover the opponents' tops, or has values only and
            more is asked for.
        """
        if self.spec.values_only and not whole_turn:
            return None
        try:
            vector = self.keys.vector_of(position)
        except IndexError:  # a node that there is not
            raise damaged(self.folder, "step.npy", self.spec) from None
        if vector == MISSING:
            return None
        if vector >= len(self.keys.symbol):
            raise damaged(self.folder, "step.npy", self.spec)
        return TableSolution(self, vector, stake(position))


def missing_turn(
    tables: Iterable[TurnTable], spec: TurnSpec, tops: int, home: Path | None
) -> MissingTableError:
    """The error for a turn that none of some tables answers.

    Args:
        tables: The tables.
        spec: What they are of.
        tops: How many opponents' tops the turn shows.
        home: The folder of tables; None for the default one.
    """
    if any(tops <= table.spec.opponents for table in tables):
        return missing_table("no table answers in the middle of a turn", spec, tops, home)
    opponents = f"{tops} opponent{'s' if tops > 1 else ''}"
    return missing_table(f"no table covers the tops of {opponents}", spec, tops, home)


def missing_table(why: str, spec: TurnSpec, tops: int, home: Path | None) -> MissingTableError:
    """An error with the command that builds a table for so many tops and all of a turn."""
    wanted = replace(spec, opponents=tops, dtype=default_dtype(tops), values_only=False)
    return MissingTableError(f"{why}: {build_it(wanted, home)}")


def tops_of(position: Position) -> int:
    """How many opponents have a tile."""
    return sum(1 for player in position.opponents if position.stacks[player])


class TableSolution:
    """A turn read from a table; see :class:`pickomino.turn.solve.Solution` for the methods."""

    def __init__(self, table: TurnTable, vector: int, at_stake: int) -> None:
        """Point at a turn; its values are read when they are asked for."""
        self.table, self.vector, self.at_stake = table, vector, at_stake
        keys = table.keys
        self._turn = vector * len(keys.stakes) + keys.stake_index(at_stake)
        # Choices that differ by at most this are ties.
        self.tolerance = max(_TIE * keys.spread(vector, at_stake), table.tolerance)

    floor = 0.0

    def __repr__(self) -> str:
        return f"TableSolution({self.table!r}, turn {self._turn})"

    def __reduce__(self) -> tuple[object, tuple[TurnTable, int, int]]:
        return TableSolution, (self.table, self.vector, self.at_stake)

    @property
    def payoffs(self) -> TurnPayoffs:
        return self.table.keys.payoffs(self.vector, self.at_stake)

    def value(self, kept: Dice | str = "") -> float:
        return self.choice(kept).value

    def roll_value(self, kept: Dice | str) -> float | None:
        return self.choice(kept).roll_value

    def stop_value(self, kept: Dice | str) -> float | None:
        return self.choice(kept).stop_value

    def then(self, kept: Dice | str) -> Then:
        return self.choice(kept).then

    def choice(self, kept: Dice | str) -> Choice[float]:
        dice = Dice.of(kept)
        check_kept(self.table.graph.dice, dice)
        if not dice.number:
            rolled = self.table.value.item(self._turn)
            return Choice(rolled, "roll", rolled, None)
        left = self.table.graph.dice - dice.number
        return self._choice(self.table.rolled[self._turn], dice.mask, left, dice.total)

    def _choice(
        self, row: NDArray[np.floating[Any]], mask: int, left: int, total: int
    ) -> Choice[float]:
        """The choice in a state of the turn graph that is not the empty hand.

        Args:
            row: ``(rolling states,)`` the values of rolling.
            mask: The faces kept, as bits.
            left: The dice left.
            total: The total.
        """
        table, final = self.table, total if mask >> WORM else 0
        keys, graph = table.keys, table.graph
        symbol = keys.symbol.item(self.vector, final)
        end = float(keys.payoff(symbol, final, self.at_stake))
        if left == 0 or mask == ALL_FACES:
            return Choice(end, "end", None, end)
        state = graph.state_index.item(mask, left, total) - graph.first_rolling
        rolled = row.item(state)
        if not keys.rules.may_stop(final, symbol > 0):
            return Choice(rolled, "roll", rolled, None)
        if rolls_on(rolled, end, self.tolerance):
            return Choice(rolled, "roll", rolled, end)
        return Choice(max(rolled, end), "stop", rolled, end)

    def keeps(self, kept: Dice | str, roll: Dice | str) -> tuple[RankedKeep[float], ...]:
        before, thrown = Dice.of(kept), Dice.of(roll)
        check_roll(self.table.graph.dice, before, thrown)
        row, choices = self.table.rolled[self._turn], {}
        for face in keep_order(thrown, before.mask):
            count = thrown.counts[face]
            mask, total = before.mask | 1 << face, before.total + count * PIPS[face]
            choices[face] = self._choice(row, mask, thrown.number - count, total)
        return ranked(choices, self.tolerance)

    def end_value(self, total: int) -> float:
        keys = self.table.keys
        total = count("total", total, keys.symbol.shape[1] - 1)
        return float(keys.payoff(keys.symbol.item(self.vector, total), total, self.at_stake))

    def distribution(self, kept: Dice | str = "") -> tuple[float, ...]:
        if not Dice.of(kept).number:
            return tuple(self.table.distribution[self._turn].tolist())
        return self.whole.distribution(kept)

    @cached_property
    def whole(self) -> TurnSolution:
        """The turn in the arrays of the solver, for distributions from the middle of it."""
        graph, payoffs = self.table.graph, self.payoffs
        by_total = np.array(payoffs.by_total, dtype=float)
        end = by_total[graph.final]
        stopped = np.where(np.array(payoffs.may_stop)[graph.final], end, -np.inf)
        stopped[: graph.first_rolling] = end[: graph.first_rolling]
        stopped[graph.root] = -np.inf
        rolled = np.full(graph.states, -np.inf)
        rolled[graph.first_rolling :] = self.table.rolled[self._turn]
        above = np.maximum(rolled, stopped)
        return TurnSolution(graph, payoffs, 0.0, self.tolerance, above, rolled, stopped)
