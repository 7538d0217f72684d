"""Putting a table in its place: whole or not at all, one build at a time, resumed after a kill."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from pickomino._storage.files import remove_tree
from pickomino._storage.folders import lock_file, work_folder
from pickomino._storage.manifest import AnySpec, read_manifest
from pickomino.errors import TableError


def put_table(spec: AnySpec, out: Path, build: Callable[[Path, Path], None]) -> Path:
    """Build a table in its place unless it is there.

    Args:
        spec: What the table is of.
        out: The folder of tables, made if need be.
        build: Takes the table's folder and one for what is not finished, and makes the first.

    Returns:
        The table's folder.

    Raises:
        TableError: A folder that cannot be written or a disk that is too small.
    """
    folder, work = out / spec.name, work_folder(out, spec.name)
    try:
        out.mkdir(parents=True, exist_ok=True)
        with _locked(lock_file(out, spec.name)) as lock:
            if folder.exists():
                read_manifest(folder, type(spec))  # refuses a folder that is no sound table
            elif folder.is_symlink():
                raise TableError(f"{folder} is a link to nothing: remove it, then build again")
            else:
                if not work.is_dir():
                    _check_space(spec, out)
                try:
                    build(folder, work)
                finally:
                    if not work.exists():
                        lock.unlink(missing_ok=True)  # nothing was begun
            # Whoever waits for the lock finds the table and does the same.
            remove_tree(work)
            lock.unlink(missing_ok=True)
            return folder
    except OSError as error:
        raise TableError(
            f"{out} cannot take the table: {error.strerror or error}; free the disk or the folder, "
            "or name another one with --out"
        ) from None


def _check_space(spec: AnySpec, out: Path) -> None:
    free = shutil.disk_usage(out).free
    if free < spec.size:
        raise TableError(
            f"the table takes {spec.size / 1e9:.2f} GB, but {out} has {free / 1e9:.2f} GB free: "
            "free some, or name another folder with --out"
        )


@contextlib.contextmanager
def _locked(lock: Path) -> Iterator[Path]:
    """Hold the lock of a table's build, waiting for another build of the same table."""
    import filelock

    with filelock.FileLock(lock):
        yield lock
