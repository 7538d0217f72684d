"""Checking a table of turns: every byte, every shape, and a sample solved again in rationals."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pickomino._storage.arrays import check_bytes, sample_rows
from pickomino._storage.manifest import damaged
from pickomino.errors import TableError
from pickomino.tables.table import TurnTable
from pickomino.turn.rational import RationalSolution

__all__ = ["turn_error", "verify_turns"]


def verify_turns(folder: Path | str, *, sample: int = 3) -> TurnTable:
    """Check a table of turns against its checksums, its automaton and the rational solver.

    Args:
        folder: The table.
        sample: How many turns to solve again, chosen by the manifest's checksum.

    Returns:
        The table, if all is well.

    Raises:
        TableError: The first thing that is not as it was built, or a sample below 0.
    """
    table = TurnTable.open(folder)
    check_bytes(table.folder, table.spec, table.manifest)
    made = table.spec.keys
    for name in ("step", "symbol"):
        if not np.array_equal(getattr(table.keys, name), getattr(made, name)):
            raise damaged(table.folder, f"{name}.npy", table.spec)
    for turn in sample_rows(table.folder, len(table.value), sample):
        error = turn_error(table, turn)
        if not error <= table.spec.bound:
            raise TableError(
                f"turn {turn} in {folder} is off by {error:.1e}, more than the stated "
                f"{table.spec.bound:.1e}: build the table again with {table.spec.command}"
            )
    return table


def turn_error(table: TurnTable, turn: int) -> float:
    """The largest difference of one turn's stored numbers from the rational solution."""
    keys, graph = table.keys, table.graph
    vector, stake = divmod(turn, len(keys.stakes))
    exact = RationalSolution(keys.payoffs(vector, keys.stakes[stake]))
    ours = [table.value[turn : turn + 1], table.distribution[turn]]
    theirs = [[exact.value()], list(exact.distribution())]
    if not table.spec.values_only:
        rolled = exact.rolled_values()
        states = (a[graph.first_rolling :].tolist() for a in (graph.mask, graph.left, graph.total))
        ours.append(table.rolled[turn])
        theirs.append([rolled[state] for state in zip(*states, strict=True)])
    expected = np.array([float(x) for part in theirs for x in part])
    return float(np.abs(np.concatenate(ours).astype(np.float64) - expected).max())
