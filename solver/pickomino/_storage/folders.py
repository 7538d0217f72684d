"""Where tables lie: finding them, and removing them.

A folder is a table, sound or not, if it holds the checksum of a manifest, or a manifest that reads
as one of a table.  So a table that lacks either of the two is still found, told and removed, and a
``manifest.json`` of something else is left alone.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection
from pathlib import Path

from pickomino._storage.manifest import (
    CHECKSUM,
    MANIFEST,
    kind_of,
    load_manifest,
    parse_manifest,
)
from pickomino.errors import TableError


def default_folder() -> Path:
    """Where tables lie: ``$PICKOMINO_TABLES``, else the user's cache directory."""
    if place := os.environ.get("PICKOMINO_TABLES"):
        return Path(place)
    import platformdirs

    return Path(platformdirs.user_cache_dir("pickomino")) / "tables"


def shipped_folder() -> Path:
    """The tables that come with the package: inside a wheel, or in the checkout."""
    package = Path(__file__).parent.parent
    inside = package / "_tables"
    return inside if inside.is_dir() else package.parent.parent / "tables"


def work_folder(out: Path, name: str) -> Path:
    """Where a build of a table keeps what is not finished."""
    return out / f".{name}.building"


def lock_file(out: Path, name: str) -> Path:
    """What a build of a table holds while it runs."""
    return out / f".{name}.lock"


def find_tables(path: Path | str | None = None) -> list[Path]:
    """The folders of tables at a place, of any kind.

    Args:
        path: A table, or a folder of tables; None for the default folder and what is shipped.

    Returns:
        Tables, sound or not, sorted.

    Raises:
        TableError: A folder that cannot be read.
    """
    places = [default_folder(), shipped_folder()] if path is None else [Path(path)]
    found = []
    for place in places:
        try:
            if _is_table(place):
                found.append(place)
            elif place.is_dir():
                found += sorted(child for child in place.iterdir() if _is_table(child))
        except OSError as error:
            raise TableError(f"{place} cannot be read: {error.strerror}") from None
    return found


def _is_table(folder: Path) -> bool:
    if folder.name.startswith(".") and folder.name != "..":
        return False  # what a build has not finished
    if (folder / CHECKSUM).is_file():
        return True
    try:
        return parse_manifest((folder / MANIFEST).read_bytes()) is not None
    except OSError:
        return False


def stated_kind(folder: Path) -> str | None:
    """The kind that a table's manifest states; None if the manifest is missing or damaged.

    An empty word stands for a manifest that states none.
    """
    try:
        return kind_of(load_manifest(folder))
    except TableError:
        return None


def removable(place: Path) -> list[Path]:
    """The tables at a place, damaged ones too, and what interrupted builds left there."""
    place = place.absolute()
    tables = find_tables(place)
    rests = [] if tables == [place] else sorted(place.glob(".*.building"))
    return tables + rests


def remove_tables(folders: list[Path], arrays: Collection[str] = ()) -> None:
    """Remove folders that :func:`removable` found.

    Args:
        folders: The folders.
        arrays: The names of arrays that may be in a table whose manifest does not say so any more.

    Raises:
        TableError: A folder that cannot be removed, holds other files, or is being built.
    """
    for folder in folders:
        try:
            if folder.is_symlink():
                folder.unlink()
            elif folder.name.startswith("."):
                _remove_rest(folder)
            else:
                _remove_table(folder, arrays)
        except OSError as error:
            raise TableError(f"{folder} cannot be removed: {error.strerror}") from None


def _remove_table(folder: Path, arrays: Collection[str]) -> None:
    try:
        parts = [*load_manifest(folder)["files"]]
    except TableError:
        parts = [f"{name}.npy" for name in arrays]
    # The checksum goes first, so that what a kill leaves is no sound table, and the manifest last,
    # so that it is found.
    known = [CHECKSUM, *parts, MANIFEST]
    for path in sorted(folder.iterdir()):
        if path.name not in known or path.is_dir():
            raise TableError(f"{path} is no part of a table: move it elsewhere first")
    for path in sorted(folder.iterdir(), key=lambda path: known.index(path.name)):
        path.unlink()
    folder.rmdir()


def _remove_rest(work: Path) -> None:
    import filelock  # only builds and their rests need it

    name = work.name.removeprefix(".").removesuffix(".building")
    lock = lock_file(work.parent, name)
    try:
        with filelock.FileLock(lock, timeout=0):
            shutil.rmtree(work)
            lock.unlink(missing_ok=True)
    except filelock.Timeout:
        raise TableError(f"{name} is being built: stop that build, then remove it") from None
