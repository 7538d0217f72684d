"""Building a table of turns: blocks of turns solved in parallel, and written as they come.

Blocks are written at their place in the arrays; the journal, replaced after their bytes are on
disk, has the numbers of those that are finished, and their checksums.
"""

from __future__ import annotations

import io
import time
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pickomino._checks import given
from pickomino._runtime.files import check_regular, fsync
from pickomino._runtime.jobs import Run, progress_bar, workers
from pickomino._storage.building import BuildReport, Built, Journal, put_table
from pickomino.tables.spec import TurnSpec

__all__ = ["BLOCKS_A_STEP", "BuildReport", "build_turns", "solve_block", "turn_blocks"]

BLOCK_TURNS = 512
"""Turns solved by one call: some 20 to 50 ms with eight dice.  Handing them out costs little beside
that, and no core waits long for the others.
"""

BLOCKS_A_STEP = 16
"""Blocks solved between two writes: some 90 MB with 512 turns of eight dice each."""


def turn_blocks(spec: TurnSpec) -> list[tuple[int, int]]:
    """The first vector of each block of turns, and the first of the next."""
    size, vectors = max(1, BLOCK_TURNS // len(spec.keys.stakes)), len(spec.keys.symbol)
    return [(first, min(first + size, vectors)) for first in range(0, vectors, size)]


def solve_block(spec: TurnSpec, first: int, last: int) -> dict[str, NDArray[Any]]:
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


def build_turns(
    spec: TurnSpec,
    out: Path | str,
    *,
    jobs: int = -1,
    scheduler: str | None = None,
    progress: bool = True,
) -> BuildReport:
    """Build a table of turns, or finish one that was interrupted.

    Args:
        spec: What the table is of.
        out: The folder of tables, made if need be.
        jobs: How many threads solve; -1 for one a core.
        scheduler: The address of a Dask scheduler whose workers solve instead.
        progress: Whether to show on standard error how far it is: a bar, or a line a minute.

    Returns:
        What was done.  The table's bytes depend on neither ``jobs`` nor ``scheduler``.

    Raises:
        TableError: A folder that cannot be written, a disk that is too small, no such scheduler,
            or another number of jobs.
    """

    def build(work: Path) -> Built:
        with workers(jobs, scheduler) as run:
            return _Build(spec, work).run(run, progress)

    return put_table(given("spec", spec, TurnSpec), out, build)


class _Build:
    """One build under its lock."""

    def __init__(self, spec: TurnSpec, work: Path) -> None:
        self.spec, self.data = spec, work / "table"
        self.stakes, self.blocks = len(spec.keys.stakes), turn_blocks(spec)
        self.journal = Journal(work, spec, blocks=len(self.blocks))
        self.files = {
            name: ArrayFile(self.data / f"{name}.npy", *array)
            for name, array in spec.arrays.items()
        }

    def run(self, run: Run, progress: bool) -> Built:
        """Solve what is missing."""
        finished = self._resume()
        todo = [b for b in range(len(self.blocks)) if b not in finished]
        rows, solved = self.spec.rows, self._turns(todo)
        solving = writing = 0.0
        with progress_bar("solve", rows, progress, unit="turn", done=rows - solved) as bar:
            for at in range(0, len(todo), BLOCKS_A_STEP):
                step = todo[at : at + BLOCKS_A_STEP]
                start = time.perf_counter()
                results = run(solve_block, [(self.spec, *self.blocks[b]) for b in step])
                middle = time.perf_counter()
                for b, result in zip(step, results, strict=True):
                    self._write(self.blocks[b][0] * self.stakes, result)
                    finished[b] = _checksum(array.data for array in result.values())
                self._sync(finished)
                solving += middle - start
                writing += time.perf_counter() - middle
                bar.update(self._turns(step))
        return Built(self.data, {"bound": self.spec.bound}, solved, solving, writing)

    def _turns(self, blocks: list[int]) -> int:
        return sum(self.blocks[b][1] - self.blocks[b][0] for b in blocks) * self.stakes

    def _resume(self) -> dict[int, int]:
        """The checksums of the blocks that an interrupted build finished, by their numbers.

        Without such a build the arrays are made, full of zeros.
        """
        journal = self.journal.read()
        finished: dict[int, int] = {}
        if journal is not None and all(file.is_whole() for file in self.files.values()):
            stated = {int(block): check for check, block in journal}
            numbers = range(len(self.blocks))
            finished = {b: stated[b] for b in numbers if stated.get(b) == self._stored(b)}
        else:
            self.journal.begin()
            self.data.mkdir()
            for file in self.files.values():
                file.create()
        self._write(0, {"step": self.spec.keys.step, "symbol": self.spec.keys.symbol})
        return finished

    def _stored(self, block: int) -> int:
        """The checksum of a block as it lies on disk."""
        first, last = (vector * self.stakes for vector in self.blocks[block])
        names = ("value", "distribution", "rolled")
        return _checksum(self.files[n].read(first, last) for n in names if n in self.files)

    def _write(self, row: int, arrays: dict[str, NDArray[Any]]) -> None:
        for name, array in arrays.items():
            self.files[name].write(row, array)

    def _sync(self, finished: dict[int, int]) -> None:
        """Put all bytes on disk, then say so in the journal."""
        for file in self.data.iterdir():
            fsync(file)
        self.journal.write([(check, block) for block, check in sorted(finished.items())])


def _checksum(arrays: Iterable[bytes | memoryview]) -> int:
    """The CRC-32 of the rows of a block, array after array."""
    check = 0
    for array in arrays:
        check = zlib.crc32(array, check)
    return check


class ArrayFile:
    """An array on disk that is written some rows at a time.

    Plain writes, not mapped memory, as a full disk then is an error and not a crash.
    """

    def __init__(self, path: Path, dtype: str, shape: tuple[int, ...]) -> None:
        """Say what the array is; its file need not be there yet."""
        self.path, self.dtype = path, np.dtype(dtype)
        header = io.BytesIO()
        fields = {"descr": dtype, "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(header, fields)
        self._header = header.getvalue()
        self._row_size = self.dtype.itemsize * int(np.prod(shape[1:], dtype=np.int64))
        self._size = len(self._header) + shape[0] * self._row_size

    def create(self) -> None:
        """Make the file, full of zeros that take no room yet."""
        with self.path.open("wb") as file:
            file.write(self._header)
            file.truncate(self._size)

    def is_whole(self) -> bool:
        """Whether the file is there with its header and all its rows."""
        try:
            check_regular(self.path)
            with self.path.open("rb") as file:
                begins = file.read(len(self._header)) == self._header
            return begins and self.path.stat().st_size == self._size
        except OSError:
            return False

    def read(self, first: int, last: int) -> bytes:
        """The bytes of rows first to last - 1."""
        with self.path.open("rb") as file:
            file.seek(len(self._header) + first * self._row_size)
            return file.read((last - first) * self._row_size)

    def write(self, row: int, rows: NDArray[Any]) -> None:
        """Write rows from one on."""
        with self.path.open("r+b") as file:
            file.seek(len(self._header) + row * self._row_size)
            file.write(np.ascontiguousarray(rows, self.dtype).data)
