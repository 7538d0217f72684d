"""Putting a table in its place: whole or not at all, one build at a time, resumed after a kill.

Everything happens in a hidden folder beside the table's place, under a lock, so that two builds of
one table take turns and the second finds it done.  A journal in that folder says what is finished,
and for which plan, with a checksum of each part, so that a part that is damaged meanwhile is solved
again.  The last step renames a folder, so that a table is either whole or not there.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import stat
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pickomino._layout import byte_size
from pickomino._runtime.files import read_regular, replace_file
from pickomino._storage.folders import JOURNAL, folder_of, lock_file, remove_work, work_folder
from pickomino._storage.manifest import finish_table, read_manifest
from pickomino._storage.spec import AnySpec, Json
from pickomino._version import __version__
from pickomino.errors import TableError


@dataclass(frozen=True)
class BuildReport:
    """What a build did.

    Attributes:
        folder: Where the table is.
        rows: How many turns or positions it holds.
        solved: How many of them this build solved; the others were there already.
        solve_seconds: The time spent on solving.
        write_seconds: The time spent on writing and checksums.
        size: The bytes on disk.
    """

    folder: Path
    rows: int
    solved: int
    solve_seconds: float
    write_seconds: float
    size: int


@dataclass(frozen=True)
class Built:
    """What the arrays of a table took to build.

    Attributes:
        data: The folder with the arrays, and nothing else.
        facts: What the manifest states beside the specification, the bound of the values among it.
        solved: How many rows were solved, not found finished.
        solve_seconds: The time spent on solving.
        write_seconds: The time spent on writing.
    """

    data: Path
    facts: Json
    solved: int
    solve_seconds: float
    write_seconds: float


class Journal:
    """What of a table is finished, for whoever goes on after a kill."""

    def __init__(self, work: Path, spec: AnySpec, **plan: int) -> None:
        """Keep a journal of a build.

        Args:
            work: The folder for what is not finished.
            spec: What the table is of.
            plan: What else must be as it was for the finished parts to be of use.
        """
        self.work = work
        self._file = work / JOURNAL
        self._plan = {"table": spec.to_json(), "solver": __version__, **plan}

    def part(self, number: int) -> Path:
        """The file of a finished part that is kept by itself."""
        return self.work / f"part-{number:05}.npy"

    def read(self) -> list[tuple[int, float]] | None:
        """What a build by the same plan wrote last; None if there is nothing of use."""
        try:
            if not all(map(_is_own, self.work.rglob("*"))):
                return None
            journal = json.loads(read_regular(self._file))
            stated = journal.pop("finished")
            sound = journal.pop("crc32") == _crc32(stated) and journal == self._plan
            return [(int(check), 0 + number) for check, number in stated] if sound else None
        except Exception:  # whatever is wrong with it, it is not what was written
            return None

    def write(self, finished: Sequence[tuple[int, float]]) -> None:
        """State what is finished.

        Args:
            finished: For each part, whose bytes must be on disk, their CRC-32 and a number.
        """
        stated = [list(part) for part in finished]
        journal = {**self._plan, "finished": stated, "crc32": _crc32(stated)}
        replace_file(self._file, json.dumps(journal).encode())

    def begin(self) -> None:
        """Leave nothing of an earlier build."""
        remove_work(self.work)
        self.work.mkdir(parents=True)


def _crc32(finished: object) -> int:
    """The checksum of what a journal states."""
    return zlib.crc32(json.dumps(finished).encode())


def _is_own(path: Path) -> bool:
    """Whether a build wrote this: it makes files and a folder, no links and no pipes."""
    return stat.S_ISREG(mode := path.lstat().st_mode) or stat.S_ISDIR(mode)


def put_table(spec: AnySpec, out: Path | str, build: Callable[[Path], Built]) -> BuildReport:
    """Build a table in its place unless it is there.

    Args:
        spec: What the table is of.
        out: The folder of tables, made if need be.
        build: Takes the folder for what is not finished, and makes the arrays there.

    Returns:
        What was done.

    Raises:
        TableError: A folder that cannot be written or a disk that is too small.
    """
    home = folder_of(out)
    folder, work = home / spec.name, work_folder(home, spec.name)
    try:
        home.mkdir(parents=True, exist_ok=True)
        with _locked(lock_file(home, spec.name)) as lock:
            try:
                report = _put(spec, folder, work, build)
                remove_work(work)
            finally:
                if not work.exists():
                    # Done, or nothing was begun: whoever waits for the lock finds the same.
                    lock.unlink(missing_ok=True)
            return report
    except OSError as error:
        if error.errno is None:  # no file's, but a library's that cannot be loaded
            raise
        raise TableError(
            f"{home} cannot take the table: {error.strerror}; free the disk or the "
            "folder, or name another one with out="
        ) from None


def folder_size(folder: Path) -> int:
    """The bytes of a folder's files."""
    return sum(file.stat().st_size for file in folder.iterdir() if file.is_file())


def _put(spec: AnySpec, folder: Path, work: Path, build: Callable[[Path], Built]) -> BuildReport:
    """Build a table under its lock, unless it is there."""
    if folder.exists():
        found, _ = read_manifest(folder, type(spec))  # refuses a folder that is no sound table
        if found != spec:
            raise TableError(
                f"{folder} holds another table than its name says: move it elsewhere first"
            )
        return BuildReport(folder, spec.rows, 0, 0.0, 0.0, folder_size(folder))
    if folder.is_symlink():
        raise TableError(f"{folder} is a link to nothing: remove it, then build again")
    if not work.is_dir():
        _check_space(spec, folder.parent)
    return _finish(spec, build(work), folder)


def _finish(spec: AnySpec, built: Built, folder: Path) -> BuildReport:
    start = time.perf_counter()
    finish_table(spec, built.data, folder, built.facts)
    writing = built.write_seconds + time.perf_counter() - start
    size = folder_size(folder)
    return BuildReport(folder, spec.rows, built.solved, built.solve_seconds, writing, size)


def _check_space(spec: AnySpec, out: Path) -> None:
    free = shutil.disk_usage(out).free
    if free < spec.size:
        raise TableError(
            f"the table takes {byte_size(spec.size)}, but {out} has {byte_size(free)} free: free "
            "some, or name another folder with out="
        )


@contextlib.contextmanager
def _locked(lock: Path) -> Iterator[Path]:
    """Hold the lock of a table's build, waiting for another build of the same table."""
    import filelock

    with filelock.FileLock(lock):
        yield lock
