"""One table on disk, and a turn read from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pickomino._storage.manifest import Json, damaged, map_array, read_manifest
from pickomino.dice import Dice, keep_order
from pickomino.position import Position
from pickomino.tables.keys import MISSING, Keys, masks, stake
from pickomino.tables.spec import Spec
from pickomino.turn.graph import FloatArray, TurnGraph, turn_graph
from pickomino.turn.payoffs import TIE, Number, TurnPayoffs, beats, rank
from pickomino.turn.solve import Then, TurnSolution


@dataclass(frozen=True, eq=False)
class Table:
    """One table on disk, mapped when it is first probed.

    Attributes:
        folder: Where it is.
        spec: What it is of.
        manifest: What its manifest says.
    """

    folder: Path
    spec: Spec
    manifest: Json

    @classmethod
    def open(cls, folder: Path | str) -> Table:
        """Open a table by its folder.

        Raises:
            TableError: A manifest that is missing, damaged or of another version.
        """
        return cls(Path(folder), *read_manifest(Path(folder), Spec))

    @cached_property
    def graph(self) -> TurnGraph:
        """The turn graph of the table's dice."""
        return turn_graph(self.spec.equipment.dice)

    @cached_property
    def keys(self) -> Keys:
        """The automaton, on the mapped arrays."""
        spec = self.spec
        step, symbol = self._map("step"), self._map("symbol")
        if step.shape[1:] != (3,) or step.min() < MISSING:
            raise damaged(self.folder, "step.npy", spec)
        if symbol.shape[1:] != (spec.equipment.max_total + 1,) or symbol.max() >= len(
            spec.scale.worth
        ):
            raise damaged(self.folder, "symbol.npy", spec)
        return Keys(step, symbol, spec.scale, spec.rules, spec.equipment.tiles)

    @cached_property
    def value(self) -> FloatArray:
        """``(turns,)`` the value of each turn from the empty hand."""
        return self._map("value")

    @cached_property
    def distribution(self) -> NDArray[np.floating[Any]]:
        """``(turns, totals)`` the probability of each final total."""
        return self._map("distribution")

    @cached_property
    def rolled(self) -> NDArray[np.floating[Any]]:
        """``(turns, rolling states)`` the value of rolling; not in a table of values only."""
        return self._map("rolled")

    def _map(self, name: str) -> NDArray[Any]:
        return map_array(self.folder, name, self.spec, self.manifest)

    @cached_property
    def tolerance(self) -> float:
        """Values this close are ties where rounding to float32 may have parted them; else 0."""
        return 2 * self.spec.bound if self.spec.dtype == "float32" else 0.0

    def solution(self, position: Position) -> TableSolution | None:
        """The turn of a position; None if the table does not cover its opponents' tops."""
        try:
            vector = self.keys.vector(*masks(position))
        except IndexError:
            raise damaged(self.folder, "step.npy", self.spec) from None
        if vector >= len(self.keys.symbol):
            raise damaged(self.folder, "step.npy", self.spec)
        return None if vector == MISSING else TableSolution(self, vector, stake(position))


class TableSolution:
    """A turn read from a table; see :class:`pickomino.turn.solve.Solution` for the methods."""

    def __init__(self, table: Table, vector: int, at_stake: int) -> None:
        """Point at a turn; its values are read when they are asked for."""
        self.table, self.vector, self.at_stake = table, vector, at_stake
        keys = table.keys
        self._turn = vector * len(keys.stakes) + keys.stake_index(at_stake)
        self._graph = table.graph
        self._symbols = keys.symbol[vector].tobytes()
        self._rules = table.spec.rules
        self._choices: dict[tuple[int, ...], tuple[float | None, float | None]] = {}

    @cached_property
    def payoffs(self) -> TurnPayoffs:
        return self.table.keys.payoffs(self.vector, self.at_stake)

    @cached_property
    def tolerance(self) -> float:
        """Choices that differ by at most this are ties."""
        spread = self.table.keys.spread(self._symbols, self.at_stake)
        return max(float(TIE) * spread, self.table.tolerance)

    @cached_property
    def _rolled(self) -> NDArray[np.floating[Any]]:
        row: NDArray[np.floating[Any]] = self.table.rolled[self._turn]
        return row

    def _choice(self, kept: Dice | str) -> tuple[float | None, float | None]:
        """The values of rolling and of ending the turn, each None where not legal."""
        kept = Dice.of(kept)
        if kept.counts not in self._choices:
            final, graph = kept.final, self._graph
            state = graph.state(kept) - graph.first_rolling
            may_stop = state < 0 or self._rules.may_stop(final, self._symbols[final] > 0)
            rolled = None
            if not kept.number:
                rolled = self.table.value.item(self._turn)
            elif state >= 0:
                rolled = self._rolled.item(state)
            self._choices[kept.counts] = (
                rolled,
                (self.end_value(final) if kept.number and may_stop else None),
            )
        return self._choices[kept.counts]

    def value(self, kept: Dice | str = "") -> float:
        rolled, stopped = self._choice(kept)
        if rolled is None or stopped is None:
            return stopped if rolled is None else rolled  # type: ignore[return-value]
        return max(rolled, stopped)

    def roll_value(self, kept: Dice | str) -> float | None:
        return self._choice(kept)[0]

    def stop_value(self, kept: Dice | str) -> float | None:
        return self._choice(kept)[1]

    def then(self, kept: Dice | str) -> Then:
        rolled, stopped = self._choice(kept)
        if rolled is None:
            return "end"
        return "roll" if stopped is None or beats(rolled, stopped, self.tolerance) else "stop"

    def rank(self, kept: Dice | str, roll: Dice | str) -> tuple[tuple[int, bool], ...]:
        kept, roll = Dice.of(kept), Dice.of(roll)
        values: dict[int, Number] = {
            f: self.value(kept.plus(f, roll.counts[f])) for f in keep_order(roll, kept.mask)
        }
        return rank(values, self.tolerance)

    def end_value(self, total: int) -> float:
        return float(self.table.keys.payoff(self._symbols[total], total, self.at_stake))

    def distribution(self, kept: Dice | str = "") -> tuple[float, ...]:
        if not Dice.of(kept).number:
            return tuple(self.table.distribution[self._turn].tolist())
        return self.whole.distribution(kept)

    @cached_property
    def whole(self) -> TurnSolution:
        """The turn in the arrays of the solver, for distributions from the middle of it."""
        graph, payoffs = self._graph, self.payoffs
        by_total = np.array(payoffs.by_total, dtype=float)
        end = by_total[graph.final]
        stopped = np.where(np.array(payoffs.may_stop)[graph.final], end, -np.inf)
        stopped[: graph.first_rolling] = end[: graph.first_rolling]
        stopped[graph.root] = -np.inf
        rolled = np.full(graph.states, -np.inf)
        rolled[graph.first_rolling :] = self._rolled
        above = np.maximum(rolled, stopped)
        return TurnSolution(graph, payoffs, 0.0, self.tolerance, above, rolled, stopped)
