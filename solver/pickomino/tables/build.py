"""Building a table: blocks of turns solved in parallel, written as they come, resumed after a kill.

Everything happens in a hidden folder beside the table's place, under a lock, so that two builds of
one table take turns and the second finds it done.  Blocks are written at their place in the arrays;
a journal, replaced after their bytes are on disk, says which are finished.  The last step renames
the folder, so that a table is either whole or not there.
"""

from __future__ import annotations

import contextlib
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pickomino._storage.building import put_table
from pickomino._storage.files import fsync, remove_tree, replace_file
from pickomino._storage.jobs import workers
from pickomino._storage.manifest import Json, finish_table
from pickomino.tables.spec import Spec

BLOCK_TURNS = 512
"""Turns solved by one call: some 20 to 50 ms with eight dice.  Handing them out costs little beside
that, and no core waits long for the others.
"""

BLOCKS_A_STEP = 16
"""Blocks solved between two writes: some 90 MB with 512 turns of eight dice each."""


@dataclass(frozen=True)
class BuildReport:
    """What a build did.

    Attributes:
        folder: Where the table is.
        turns: How many turns it holds.
        solved: How many of them this build solved; the others were there already.
        solve_seconds: The time spent on solving.
        write_seconds: The time spent on writing and checksums.
        size: The bytes on disk.
    """

    folder: Path
    turns: int
    solved: int
    solve_seconds: float
    write_seconds: float
    size: int


def solve_block(spec: Spec, first: int, last: int) -> dict[str, NDArray[Any]]:
    """Solve the turns of vectors ``first`` to ``last - 1``; the unit of parallel work."""
    from pickomino.turn.batch import solve_batch

    by_total, may_stop = spec.keys.arrays(first, last)
    solved = solve_batch(
        by_total,
        may_stop,
        keep_sum=spec.rules.keeps_sum,
        distribution=True,
        rolled=not spec.values_only,
    )
    arrays = {"value": solved.value, "distribution": solved.distribution, "rolled": solved.rolled}
    return {
        name: np.ascontiguousarray(array, dtype=spec.arrays[name][0])
        for name, array in arrays.items()
        if array is not None
    }


def build_table(
    spec: Spec, out: Path, *, jobs: int = -1, scheduler: str | None = None, progress: bool = True
) -> BuildReport:
    """Build a table, or finish one that was interrupted.

    Args:
        spec: What the table is of.
        out: The folder of tables, made if need be.
        jobs: How many threads solve; -1 for one a core.
        scheduler: The address of a Dask scheduler whose workers solve instead.
        progress: Whether to show a progress bar if standard error is a terminal.

    Returns:
        What was done.  The table's bytes depend on neither ``jobs`` nor ``scheduler``.

    Raises:
        TableError: A folder that cannot be written or a disk that is too small.
    """
    solved: list[BuildReport] = []

    def build(folder: Path, work: Path) -> None:
        solved.append(_Build(spec, folder, work).run(jobs, scheduler, progress))

    folder = put_table(spec, out, build)
    there = BuildReport(folder, spec.arrays["value"][1][0], 0, 0.0, 0.0, spec.size)
    return solved[0] if solved else there


class _Build:
    """One build under its lock."""

    def __init__(self, spec: Spec, folder: Path, work: Path) -> None:
        self.spec, self.folder, self.work = spec, folder, work
        self.data = work / "table"
        self.offsets: dict[str, int] = {}
        self.journal = work / "finished.json"
        stakes = len(spec.keys.stakes)
        size = max(1, BLOCK_TURNS // stakes)
        vectors = len(spec.keys.symbol)
        self.blocks = [(a, min(a + size, vectors)) for a in range(0, vectors, size)]
        self.stakes = stakes

    def run(self, jobs: int, scheduler: str | None, progress: bool) -> BuildReport:
        """Solve what is missing, then put the table in its place."""
        from tqdm import tqdm

        finished = self._resume()
        todo = [b for b in range(len(self.blocks)) if b not in finished]
        turns = self.spec.arrays["value"][1][0]
        bar = tqdm(
            total=turns,
            initial=turns - self._turns(todo),
            unit="turn",
            unit_scale=True,
            disable=None if progress else True,
        )
        solving = writing = 0.0
        with bar, workers(jobs, scheduler) as run:
            for at in range(0, len(todo), BLOCKS_A_STEP):
                step = todo[at : at + BLOCKS_A_STEP]
                start = time.perf_counter()
                results = run(solve_block, [(self.spec, *self.blocks[b]) for b in step])
                middle = time.perf_counter()
                for b, result in zip(step, results, strict=True):
                    self._write(self.blocks[b][0], result)
                finished.update(step)
                self._sync(finished)
                solving += middle - start
                writing += time.perf_counter() - middle
                bar.update(self._turns(step))
        start = time.perf_counter()
        finish_table(self.spec, self.data, self.folder, {"bound": self.spec.bound})
        writing += time.perf_counter() - start
        size = sum(file.stat().st_size for file in self.folder.iterdir())
        return BuildReport(self.folder, turns, self._turns(todo), solving, writing, size)

    def _turns(self, blocks: list[int]) -> int:
        return sum(self.blocks[b][1] - self.blocks[b][0] for b in blocks) * self.stakes

    def _resume(self) -> set[int]:
        """The blocks that an interrupted build of the same table finished; else empty arrays."""
        plan = self._plan(set())
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
            journal: Json = json.loads(self.journal.read_text())
            if {**journal, "finished": []} == plan and self._arrays_are_whole():
                return set(journal["finished"])
        remove_tree(self.work)
        self.data.mkdir(parents=True)
        keys = self.spec.keys
        for name, (dtype, shape) in self.spec.arrays.items():
            with (self.data / f"{name}.npy").open("wb") as file:
                header = {"descr": dtype, "fortran_order": False, "shape": shape}
                np.lib.format.write_array_header_1_0(file, header)
                file.truncate(file.tell() + np.dtype(dtype).itemsize * int(np.prod(shape)))
        self._write(0, {"step": keys.step, "symbol": keys.symbol})
        return set()

    def _plan(self, finished: set[int]) -> Json:
        from pickomino._version import __version__

        return {
            "table": self.spec.to_json(),
            "solver": __version__,
            "blocks": len(self.blocks),
            "finished": sorted(finished),
        }

    def _arrays_are_whole(self) -> bool:
        return all(
            (self.data / f"{name}.npy").stat().st_size
            == self._offset(name, 0) + np.dtype(dtype).itemsize * int(np.prod(shape))
            for name, (dtype, shape) in self.spec.arrays.items()
        )

    def _offset(self, name: str, row: int) -> int:
        """Where a row of an array begins in its file."""
        if name not in self.offsets:
            with (self.data / f"{name}.npy").open("rb") as file:
                np.lib.format.read_magic(file)
                np.lib.format.read_array_header_1_0(file)
                self.offsets[name] = file.tell()
        dtype, shape = self.spec.arrays[name]
        return self.offsets[name] + row * np.dtype(dtype).itemsize * int(np.prod(shape[1:]))

    def _write(self, first: int, arrays: dict[str, NDArray[Any]]) -> None:
        # Plain writes, as a full disk then is an error and not a crash of the mapped memory.
        for name, array in arrays.items():
            with (self.data / f"{name}.npy").open("r+b") as file:
                file.seek(self._offset(name, first * self.stakes))
                file.write(np.ascontiguousarray(array, self.spec.arrays[name][0]).data)

    def _sync(self, finished: set[int]) -> None:
        """Put all bytes on disk, then say so in the journal."""
        for file in self.data.iterdir():
            fsync(file)
        replace_file(self.journal, json.dumps(self._plan(finished)).encode())
