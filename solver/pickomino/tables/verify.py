"""Checking a table: every byte, every shape, and a sample of turns solved again in rationals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pickomino._storage.manifest import (
    CHECKSUM,
    MANIFEST,
    AnySpec,
    Json,
    damaged,
    file_sha256,
    map_array,
    unreadable,
)
from pickomino.errors import TableError
from pickomino.tables.table import Table
from pickomino.turn.rational import RationalSolution


def verify_table(folder: Path, sample: int = 3) -> Table:
    """Check a table against its checksums, its automaton and the rational solver.

    Args:
        folder: The table.
        sample: How many turns to solve again, chosen by the manifest's checksum.

    Returns:
        The table, if all is well.

    Raises:
        TableError: The first thing that is not as it was built.
    """
    table = Table.open(folder)
    verify_bytes(folder, table.spec, table.manifest)
    made = table.spec.keys
    for name in ("step", "symbol"):
        if not np.array_equal(getattr(table.keys, name), getattr(made, name)):
            raise damaged(folder, f"{name}.npy", table.spec)
    for turn in sample_of(folder, len(table.value), sample):
        error = turn_error(table, turn)
        if not error <= table.spec.bound:
            raise TableError(
                f"turn {turn} in {folder} is off by {error:.1e}, more than the stated "
                f"{table.spec.bound:.1e}: build the table again with {table.spec.command}"
            )
    return table


def verify_bytes(folder: Path, spec: AnySpec, manifest: Json) -> None:
    """Check that a table holds its files only, with the checksums, dtypes and shapes stated.

    Raises:
        TableError: The first thing that is not as it was built.
    """
    names = {f"{name}.npy" for name in spec.arrays}
    for path in sorted(folder.iterdir()):
        if path.name not in {*names, MANIFEST, CHECKSUM}:
            raise TableError(f"{path.name} in {folder} is no part of the table: remove it")
    for name in sorted(names):
        try:
            found = file_sha256(folder / name)
        except PermissionError:
            raise unreadable(folder / name) from None
        except OSError:
            found = ""
        if found != manifest["files"][name]["sha256"]:
            raise damaged(folder, name, spec)
    for name, (dtype, shape) in spec.arrays.items():
        fields = manifest["files"][f"{name}.npy"]
        array = map_array(folder, name, spec, manifest)
        real = array.dtype.kind == "f"
        if fields["dtype"] != dtype or array.shape != shape or (real and not _finite(array)):
            raise damaged(folder, f"{name}.npy", spec)


def sample_of(folder: Path, rows: int, sample: int) -> list[int]:
    """Some of a table's rows, chosen by its manifest's checksum."""
    seed = int((folder / CHECKSUM).read_bytes()[:16], 16)
    chosen: list[int] = sorted(np.random.default_rng(seed).permutation(rows)[:sample].tolist())
    return chosen


def turn_error(table: Table, turn: int) -> float:
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


def _finite(array: NDArray[Any]) -> bool:
    """Whether all numbers are, looked at in parts that fit into memory."""
    step = max(1, 2**24 // max(1, array[:1].size))
    return all(np.isfinite(array[at : at + step]).all() for at in range(0, len(array), step))
