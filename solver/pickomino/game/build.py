"""Building a game table: level after level of positions, resumed after a kill."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pickomino._storage.building import put_table
from pickomino._storage.files import remove_tree, replace_file
from pickomino._storage.jobs import Run, progress_bar, workers
from pickomino._storage.manifest import Json, finish_table
from pickomino.errors import TableError
from pickomino.game.iteration import Policy, accumulate, levels, solve_level
from pickomino.game.listing import GameListing, list_game
from pickomino.game.spec import GameSpec
from pickomino.turn.graph import FloatArray, IntArray

JOURNAL = "finished.json"


@dataclass(frozen=True)
class GameReport:
    """What a build did.

    Attributes:
        folder: Where the table is.
        positions: How many positions it holds.
        solved: How many of them this build solved; the others were there already.
        seconds: The time it took.
    """

    folder: Path
    positions: int
    solved: int
    seconds: float


def build_game(
    spec: GameSpec,
    out: Path | str,
    *,
    jobs: int = -1,
    scheduler: str | None = None,
    progress: bool = True,
) -> GameReport:
    """Build a game table, or finish one that was interrupted.

    Args:
        spec: What the table is of.
        out: The folder of tables, made if need be.
        jobs: How many threads solve; -1 for one a core.
        scheduler: The address of a Dask scheduler whose workers solve the turns instead.
        progress: Whether to show a progress bar if standard error is a terminal.

    Returns:
        What was done.  The table's bytes depend on neither ``jobs`` nor ``scheduler``.

    Raises:
        TableError: A folder that cannot be written, or memory or a disk that is too small.
    """
    start, out = time.perf_counter(), Path(out)
    solved = 0

    def build(folder: Path, work: Path) -> None:
        nonlocal solved
        with workers(jobs, scheduler) as run:
            solved = _Build(spec, work, run).run(folder, progress)

    check_memory(spec, out)
    folder = put_table(spec, out, build)
    return GameReport(folder, spec.ranking.states, solved, time.perf_counter() - start)


def check_memory(spec: GameSpec, out: Path) -> None:
    """Refuse a table whose build does not fit into the memory that is free.

    Args:
        spec: What the table is of.
        out: The folder of tables; one that is there already needs no memory.

    Raises:
        TableError: It does not, with the figures.
    """
    import psutil

    free = psutil.virtual_memory().available
    if spec.memory > free and not (out / spec.name).exists():
        raise TableError(
            f"{spec.ranking.states:,} positions take some {spec.memory / 1e9:,.1f} GB of memory, "
            f"but {free / 1e9:.1f} GB are free: free some, use fewer tiles"
            f"{', or a lower --depth' * (spec.objective == 'margin')}"
        )


class _Build:
    """One build under its lock."""

    def __init__(self, spec: GameSpec, work: Path, solve: Run) -> None:
        self.spec, self.work, self.solve = spec, work, solve
        self.residuals: list[float] = []

    def run(self, folder: Path, progress: bool) -> int:
        """Solve what is missing, then put the table in its place; how many were missing."""
        self._resume()
        states, solved = self.spec.ranking.states, 0
        with progress_bar("list", states, progress) as bar:
            graph = self._graph(lambda count: bar.update(count - bar.n))
        arrays = (
            *(np.zeros(states) for _ in range(3)),
            *[np.zeros(states)] * (self.spec.objective == "margin"),
        )
        with progress_bar("solve", states, progress) as bar:
            for number, (inside, circular) in enumerate(levels(graph)):
                part = self._load(number, (len(arrays), len(inside)))
                if part is not None:
                    for array, values in zip(arrays, part, strict=True):
                        array[inside] = values
                else:
                    del self.residuals[number:]  # what follows a damaged level is solved again
                    residual = _solve(graph, inside, circular, arrays)
                    self._save(number, np.array([array[inside] for array in arrays]), residual)
                    solved += len(inside)
                bar.update(len(inside))
        self._finish(graph, arrays, folder)
        return solved

    def _graph(self, found: Callable[[int], object]) -> GameListing:
        states = self.spec.ranking.states
        listing = list_game(self.spec.model, states, self.solve, every=True, found=found)
        assert listing is not None  # as many positions as were counted
        return listing

    def _plan(self) -> Json:
        from pickomino._version import __version__

        return {"table": self.spec.to_json(), "solver": __version__}

    def _resume(self) -> None:
        """Find the levels that an interrupted build of the same table finished."""
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
            journal: Json = json.loads((self.work / JOURNAL).read_text())
            self.residuals = [0.0 + residual for residual in journal.pop("residuals")]
            if journal == self._plan():
                return
        remove_tree(self.work)
        self.work.mkdir(parents=True)
        self.residuals = []

    def _save(self, number: int, part: FloatArray, residual: float) -> None:
        content = io.BytesIO()
        np.save(content, part)
        replace_file(self._file(number), content.getvalue())
        self.residuals.append(residual)
        journal = {**self._plan(), "residuals": self.residuals}
        replace_file(self.work / JOURNAL, json.dumps(journal).encode())

    def _load(self, number: int, shape: tuple[int, int]) -> FloatArray | None:
        """What an interrupted build found for a level; None if nothing, or nothing sound."""
        if number >= len(self.residuals):
            return None
        try:
            part = np.load(self._file(number), allow_pickle=False)
        except Exception:  # NumPy raises a dozen kinds of error on a file that is none
            return None
        sound = isinstance(part, np.ndarray) and part.shape == shape and part.dtype == np.float64
        return part if sound and np.isfinite(part).all() else None

    def _file(self, number: int) -> Path:
        return self.work / f"level-{number:05}.npy"

    def _finish(self, graph: GameListing, arrays: tuple[FloatArray, ...], folder: Path) -> None:
        data = self.work / "table"
        shutil.rmtree(data, ignore_errors=True)
        data.mkdir()
        value, lower, upper = arrays[:3]
        stored = {"value": value}
        if len(arrays) == 4:
            stored["deviation"] = np.sqrt(np.maximum(arrays[3] - value**2, 0.0))
        place = self.spec.ranking.of(graph.words)
        for name, array in stored.items():
            placed = np.empty(len(array), dtype=self.spec.arrays[name][0])
            placed[place] = array
            np.save(data / f"{name}.npy", placed)
        facts = {
            "bound": float((upper - lower).max()),
            "residual": max(self.residuals),
            "first": self.spec.model.in_units(value[0]),
        }
        finish_table(self.spec, data, folder, facts)


def _solve(
    graph: GameListing, inside: IntArray, circular: bool, arrays: tuple[FloatArray, ...]
) -> float:
    """Solve a level: values, bounds, and the mean square of the rest of the game."""
    residual = solve_level(graph, inside, circular, arrays[:3])  # type: ignore[arg-type]
    if len(arrays) == 4:
        value, square = arrays[0], arrays[3]
        play = graph.play(inside, value)
        move = graph.policy_of(inside, play).move
        accumulate(Policy(move, graph.second_moment(inside, play, value)), inside, square)
    return residual
