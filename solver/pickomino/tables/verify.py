"""Checking a table: every byte, every shape, and a sample of turns solved again in rationals."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pickomino.errors import TableError
from pickomino.exact import ExactSolution
from pickomino.tables.store import CHECKSUM, MANIFEST, damaged, file_sha256, map_array
from pickomino.tables.table import Table


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
    names = {f"{name}.npy" for name in table.spec.arrays}
    for path in sorted(folder.iterdir()):
        if path.name not in {*names, MANIFEST, CHECKSUM}:
            raise TableError(f"{path.name} in {folder} is no part of the table: remove it")
    for name in sorted(names):
        fields = table.manifest["files"].get(name, {})
        if not (folder / name).exists() or file_sha256(folder / name) != fields.get("sha256"):
            raise damaged(folder, name, table.spec)
    for name, (dtype, shape) in table.spec.arrays.items():
        fields = table.manifest["files"][f"{name}.npy"]
        array = map_array(folder, name, table.spec, table.manifest)
        if fields["dtype"] != dtype or array.shape != shape:
            raise damaged(folder, f"{name}.npy", table.spec)
    made = table.spec.keys
    for name in ("step", "symbol"):
        if not np.array_equal(getattr(table.keys, name), getattr(made, name)):
            raise damaged(folder, f"{name}.npy", table.spec)
    seed = int((folder / CHECKSUM).read_bytes()[:16], 16)
    turns = np.random.default_rng(seed).permutation(len(table.value))[:sample]
    for turn in sorted(turns.tolist()):
        error = turn_error(table, turn)
        if error > table.spec.bound:
            raise TableError(
                f"turn {turn} in {folder} is off by {error:.1e}, more than the stated "
                f"{table.spec.bound:.1e}: build the table again with {table.spec.command}"
            )
    return table


def turn_error(table: Table, turn: int) -> float:
    """The largest difference of one turn's stored numbers from the rational solution."""
    keys, graph = table.keys, table.graph
    vector, stake = divmod(turn, len(keys.stakes))
    exact = ExactSolution(keys.payoffs(vector, keys.stakes[stake]))
    pairs = [(table.value[turn], exact.value())]
    pairs += zip(table.distribution[turn], exact.distribution(), strict=True)
    if not table.spec.values_only:
        rolled = exact.rolled_values()
        states = zip(graph.mask, graph.left, graph.total, strict=True)
        rolling = list(states)[graph.first_rolling :]
        pairs += [
            (ours, rolled[int(m), int(n), int(t)])
            for ours, (m, n, t) in zip(table.rolled[turn], rolling, strict=True)
        ]
    return max(abs(float(ours) - float(theirs)) for ours, theirs in pairs)
