"""Building a game table: level after level of positions, resumed after a kill.

What a level's positions are worth is written to a file of its own; the journal has the checksum and
the residual of each level that is finished.
"""

from __future__ import annotations

import io
import shutil
import time
import zlib
from pathlib import Path

import numpy as np

from pickomino._checks import given
from pickomino._runtime.files import read_regular, replace_file
from pickomino._runtime.jobs import Run, progress_bar, workers
from pickomino._runtime.limits import check_memory
from pickomino._storage.building import BuildReport, Built, Journal, put_table
from pickomino._storage.folders import folder_of
from pickomino.game.iteration import Policy, accumulate, solve_level
from pickomino.game.levels import levels
from pickomino.game.listing import GameListing, list_game
from pickomino.game.spec import GameSpec
from pickomino.turn.graph import FloatArray, IntArray

__all__ = [
    "BuildReport",
    "build_game",
    "check_fits",
    "deviation_of",
    "empty_parts",
    "list_all",
    "solve_part",
]


def build_game(
    spec: GameSpec,
    out: Path | str,
    *,
    jobs: int = -1,
    scheduler: str | None = None,
    progress: bool = True,
) -> BuildReport:
    """Build a game table, or finish one that was interrupted.

    Args:
        spec: What the table is of.
        out: The folder of tables, made if need be.
        jobs: How many threads solve; -1 for one a core.
        scheduler: The address of a Dask scheduler whose workers solve the turns instead.
        progress: Whether to show on standard error how far it is: a bar, or a line a minute.

    Returns:
        What was done.  The table's bytes depend on neither ``jobs`` nor ``scheduler``.

    Raises:
        TableError: A folder that cannot be written, memory or a disk that is too small, no such
            scheduler, or another number of jobs.
    """

    def build(work: Path) -> Built:
        with workers(jobs, scheduler) as run:
            return _Build(spec, work, run).run(progress)

    check_fits(given("spec", spec, GameSpec), out)
    return put_table(spec, out, build)


def check_fits(spec: GameSpec, out: Path | str) -> None:
    """Refuse a table whose build does not fit into the memory that is free.

    Args:
        spec: What the table is of.
        out: The folder of tables; one that is there already needs no memory.

    Raises:
        TableError: It does not, with the figures.
    """
    if not (folder_of(out) / spec.name).exists():
        smaller = (
            "use fewer tiles" if spec.objective == "win" else "use fewer tiles or a lower depth="
        )
        check_memory(spec.memory, f"{spec.rows:,} positions", smaller)


def list_all(spec: GameSpec, run: Run, progress: bool) -> GameListing:
    """List all positions of a table.

    Args:
        spec: What the table is of.
        run: Who is to solve the turns.
        progress: Whether to show on standard error how far it is: a bar, or a line a minute.
    """
    with progress_bar("list", spec.rows, progress) as bar:
        listing = list_game(
            spec.model,
            spec.rows,
            run,
            every=True,
            found=lambda count: bar.update(count - bar.n),
        )
    assert listing is not None  # as many positions as were counted
    return listing


def empty_parts(spec: GameSpec) -> tuple[FloatArray, ...]:
    """Room for values, bounds, and for margins the mean squares that deviations follow from."""
    return tuple(np.zeros(spec.rows) for _ in range(4 if spec.objective == "margin" else 3))


class _Build:
    """One build under its lock."""

    def __init__(self, spec: GameSpec, work: Path, solve: Run) -> None:
        self.spec, self.work, self.solve = spec, work, solve
        self.journal = Journal(work, spec)
        self.finished: list[tuple[int, float]] = []
        self.solved = 0
        self.writing = 0.0

    def run(self, progress: bool) -> Built:
        """Solve what is missing."""
        start = time.perf_counter()
        self._resume()
        listing = list_all(self.spec, self.solve, progress)
        arrays = empty_parts(self.spec)
        with progress_bar("solve", self.spec.rows, progress) as bar:
            for number, (inside, circular) in enumerate(levels(listing)):
                self._fill(listing, number, inside, circular, arrays)
                bar.update(len(inside))
        begin = time.perf_counter()
        data = self._store(listing, arrays)
        end = time.perf_counter()
        value, lower, upper = arrays[:3]
        facts = {
            "bound": float((upper - lower).max()),
            "residual": max(residual for _, residual in self.finished),
            "first": self.spec.model.in_units(value[0]),
        }
        solving = begin - start - self.writing
        return Built(data, facts, self.solved, solving, self.writing + end - begin)

    def _resume(self) -> None:
        """Find the levels that an interrupted build of the same table finished."""
        finished = self.journal.read()
        if finished is None:
            self.journal.begin()
        self.finished = finished or []

    def _fill(
        self,
        listing: GameListing,
        number: int,
        inside: IntArray,
        circular: bool,
        arrays: tuple[FloatArray, ...],
    ) -> None:
        """Find a level's numbers: in what an interrupted build left, or by solving it."""
        part = self._load(number, (len(arrays), len(inside)))
        if part is not None:
            for array, values in zip(arrays, part, strict=True):
                array[inside] = values
            return
        del self.finished[number:]  # what follows a damaged level is solved again
        residual = solve_part(listing, inside, circular, arrays)
        start = time.perf_counter()
        self._save(number, np.array([array[inside] for array in arrays]), residual)
        self.writing += time.perf_counter() - start
        self.solved += len(inside)

    def _save(self, number: int, part: FloatArray, residual: float) -> None:
        content = io.BytesIO()
        np.save(content, part)
        replace_file(self.journal.part(number), content.getvalue())
        self.finished.append((zlib.crc32(content.getvalue()), residual))
        self.journal.write(self.finished)

    def _load(self, number: int, shape: tuple[int, int]) -> FloatArray | None:
        """What an interrupted build found for a level; None if nothing, or nothing sound."""
        if number >= len(self.finished):
            return None
        try:
            content = read_regular(self.journal.part(number))
            part: FloatArray = np.load(io.BytesIO(content), allow_pickle=False)
        except Exception:  # NumPy raises a dozen kinds of error on bytes that are no array
            return None
        sound = zlib.crc32(content) == self.finished[number][0]
        return part if sound and (part.dtype, part.shape) == (np.dtype(float), shape) else None

    def _store(self, listing: GameListing, arrays: tuple[FloatArray, ...]) -> Path:
        """Write the arrays of the table; the folder that they are in."""
        data = self.work / "table"
        shutil.rmtree(data, ignore_errors=True)
        data.mkdir()
        value = arrays[0]
        stored = {"value": value}
        if self.spec.objective == "margin":
            stored["deviation"] = deviation_of(value, arrays[3])
        place = self.spec.ranking.of(listing.words)
        for name, array in stored.items():
            placed = np.empty(len(array), dtype=self.spec.arrays[name][0])
            placed[place] = array
            np.save(data / f"{name}.npy", placed)
        return data


def deviation_of(value: FloatArray, square: FloatArray) -> FloatArray:
    """The standard deviation, from the mean and the mean square."""
    return np.sqrt(np.maximum(square - value**2, 0.0))


def solve_part(
    listing: GameListing, inside: IntArray, circular: bool, arrays: tuple[FloatArray, ...]
) -> float:
    """Solve a level: values, bounds, and for margins the mean square of the rest of the game.

    Args:
        listing: The game.
        inside: The positions of the level.
        circular: Whether they lead to each other.
        arrays: ``(positions,)`` four times, or three times for chances to win; filled in.

    Returns:
        The residual.
    """
    value, lower, upper = arrays[:3]
    residual = solve_level(listing, inside, circular, (value, lower, upper))
    if len(arrays) == 4:
        play = listing.play(inside, value)
        move = listing.policy_of(inside, play).move
        accumulate(Policy(move, listing.second_moment(inside, play, value)), inside, arrays[3])
    return residual
