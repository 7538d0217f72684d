"""Checking a table of turns: every byte, every number, and a sample solved again in rationals."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pickomino._runtime.jobs import progress_bar, workers
from pickomino._storage.arrays import check_bytes, sample_rows
from pickomino._storage.manifest import damaged
from pickomino.errors import TableError
from pickomino.tables.build import BLOCKS_A_STEP, solve_block, turn_blocks
from pickomino.tables.table import TurnTable
from pickomino.turn.rational import RationalSolution

__all__ = ["turn_error", "verify_turns"]


def verify_turns(
    folder: Path | str, *, sample: int = 3, seed: int | None = None, progress: bool = False
) -> TurnTable:
    """Check a table of turns: its bytes, its automaton, every number, and a sample in rationals.

    Each value is compared with the mean of the payoffs under the stored distribution, and all
    numbers with those of turns solved again, which takes as long as building the table.

    Args:
        folder: The table.
        sample: How many turns to solve in rationals.
        seed: What draws them, a whole number from 0; None to draw others each time.
        progress: Whether to show on standard error how far it is: a bar, or a line a minute.

    Returns:
        The table, if all is well.

    Raises:
        TableError: The first thing that is not as it was built, or a sample or seed that is none.
    """
    table = TurnTable.open(folder)
    rows = sample_rows(table.spec.rows, sample, seed)
    check_bytes(table.folder, table.spec, table.manifest)
    made = table.spec.keys
    for name in ("step", "symbol"):
        if not np.array_equal(getattr(table.keys, name), getattr(made, name)):
            raise damaged(table.folder, f"{name}.npy", table.spec)
    blocks = turn_blocks(table.spec)
    with workers() as run, progress_bar("verify", table.spec.rows, progress, unit="turn") as bar:
        for at in range(0, len(blocks), BLOCKS_A_STEP):
            step = blocks[at : at + BLOCKS_A_STEP]
            errors = run(_block_error, [(table, *block) for block in step])
            for (first, last), error in zip(step, errors, strict=True):
                _check(table, f"a turn of vectors {first} to {last - 1}", error)
            bar.update((step[-1][1] - step[0][0]) * len(made.stakes))
    for turn in rows:
        _check(table, f"turn {turn}", turn_error(table, turn))
    return table


def _check(table: TurnTable, what: str, error: float) -> None:
    """Refuse a table whose numbers are off by more than it states.

    Raises:
        TableError: They are.
    """
    if not error <= table.spec.bound:
        raise TableError(
            f"{what} in {table.folder} is off by {error:.1e}, more than the stated "
            f"{table.spec.bound:.1e}: build the table again with {table.spec.command}"
        )


def _block_error(table: TurnTable, first: int, last: int) -> float:
    """The largest error in the turns of vectors ``first`` to ``last - 1``."""
    keys = table.keys
    payoffs, _ = keys.arrays(first, last)
    rows = slice(first * len(keys.stakes), last * len(keys.stakes))
    solved = solve_block(table.spec, first, last)
    stored = {name: getattr(table, name).whole()[rows] for name in solved}
    mean = (stored["distribution"].astype(float) * payoffs).sum(axis=1)
    errors = [mean - stored["value"], *(solved[name] - stored[name] for name in solved)]
    return max(float(abs(error).max()) for error in errors)


def turn_error(table: TurnTable, turn: int) -> float:
    """The largest difference of one turn's stored numbers from the rational solution."""
    keys, graph = table.keys, table.graph
    vector, stake = divmod(turn, len(keys.stakes))
    exact = RationalSolution(keys.payoffs(vector, keys.stakes[stake]))
    ours = [[table.value[turn]], table.distribution[turn]]
    theirs = [[exact.value()], list(exact.distribution())]
    if not table.spec.values_only:
        rolled = exact.rolled_values()
        states = (a[graph.first_rolling :].tolist() for a in (graph.mask, graph.left, graph.total))
        ours.append(table.rolled[turn])
        theirs.append([rolled[state] for state in zip(*states, strict=True)])
    expected = np.array([float(x) for part in theirs for x in part])
    return float(np.abs(np.concatenate(ours).astype(np.float64) - expected).max())
