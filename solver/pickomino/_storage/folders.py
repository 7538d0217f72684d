"""Where tables lie: finding them, and removing them.

A folder is a table, sound or not, if it holds the checksum of a manifest, or a manifest that reads
as one of a table.  So a table that lacks either of the two is still found, told and removed, and a
``manifest.json`` of something else is left alone.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections.abc import Collection
from pathlib import Path

from pickomino._checks import shown
from pickomino._runtime.files import read_regular
from pickomino._storage.manifest import (
    CHECKSUM,
    MANIFEST,
    is_checksum,
    kind_of,
    load_manifest,
    parse_manifest,
)
from pickomino.errors import TableError

MOST_OF_A_NAME, MOST_OF_A_PATH = 255, 4096
"""Bytes that the name of a file, and all of its path, may have on the systems in use."""

JOURNAL = "finished.json"
_BEGUN = r"\.[a-z0-9.-]+\.new"
_ARRAY = r"[a-z]+\.npy"
_WORK_FILES = re.compile(rf"part-\d{{5}}\.npy|{JOURNAL}|{_BEGUN}")
_DATA_FILES = re.compile(rf"{_ARRAY}|{MANIFEST}|{CHECKSUM}|{_BEGUN}")
"""What lies in the folder of a build, and in that of its arrays."""


def folder_of(path: object, what: str = "folder") -> Path:
    """A folder, or another place, that somebody named; ``~`` is the user's home.

    Raises:
        TableError: What names none.
    """
    if isinstance(path, (str, os.PathLike)):
        named = os.fspath(path)
        if isinstance(named, str) and named.strip():
            _check_path(named, what)
            with contextlib.suppress(RuntimeError):  # a user that does not exist: no home is meant
                return Path(named).expanduser()
            return Path(named)
    raise TableError(f"{shown(path)} is no {what}: give the path of one")


def _check_path(name: str, what: str) -> None:
    """Refuse what no file can be called.

    Raises:
        TableError: A name that is too long, or has signs that no name has.
    """
    try:
        parts = os.fsencode(name).split(os.fsencode(os.sep))
    except UnicodeEncodeError:
        parts = [b"\0"]
    if any(b"\0" in part for part in parts):
        raise TableError(f"{shown(name)} has a sign that no {what} has: give the path of one")
    if max(map(len, parts)) > MOST_OF_A_NAME or len(name) >= MOST_OF_A_PATH:
        raise TableError(f"{shown(name)} is too long a name for a {what}: use a shorter one")


def usual_folder() -> Path | None:
    """Where tables lie: ``$PICKOMINO_TABLES``, else the user's cache directory, if there is one."""
    if place := os.environ.get("PICKOMINO_TABLES"):
        return folder_of(place)
    import platformdirs

    try:
        cache = Path(platformdirs.user_cache_dir("pickomino"))
    except (RuntimeError, KeyError, OSError):  # nobody knows the user or the user's home
        return None
    return cache / "tables" if cache.is_absolute() else None


def default_folder() -> Path:
    """Where tables lie and are built.

    Raises:
        TableError: There is no such place.
    """
    folder = usual_folder()
    if folder is None:
        raise TableError(
            "there is no home folder to keep tables in: name a folder in $PICKOMINO_TABLES"
        )
    return folder


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
    usual = (usual_folder(), shipped_folder())
    places = [place for place in usual if place] if path is None else [folder_of(path)]
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
    with contextlib.suppress(OSError):
        if is_checksum(read_regular(folder / CHECKSUM)):
            return True
    with contextlib.suppress(OSError):
        return parse_manifest(read_regular(folder / MANIFEST)) is not None
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
    if tables == [place]:
        return tables
    return tables + sorted(rest for rest in place.glob(".*.building") if rest.is_dir())


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
        parts = [name for name in load_manifest(folder)["files"] if re.fullmatch(_ARRAY, name)]
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


def remove_work(work: Path) -> None:
    """Remove the folder of what a build has not finished, if nothing else is in it.

    Raises:
        TableError: Something else is.
    """
    if work.is_symlink():
        work.unlink()
    if work.exists() and not work.is_dir():
        raise TableError(f"{work} is no folder of a build: move it elsewhere first")
    data = work / "table"
    for folder, names in ((work, _WORK_FILES), (data, _DATA_FILES)):
        for path in folder.iterdir() if folder.is_dir() else ():
            if path != data and (path.is_dir() or not names.fullmatch(path.name)):
                raise TableError(f"{path} is no part of a build: move it elsewhere first")
    if work.is_dir():
        shutil.rmtree(work)


def _remove_rest(work: Path) -> None:
    import filelock  # only builds and their rests need it

    name = work.name.removeprefix(".").removesuffix(".building")
    lock = lock_file(work.parent, name)
    try:
        with filelock.FileLock(lock, timeout=0):
            remove_work(work)
            lock.unlink(missing_ok=True)
    except filelock.Timeout:
        raise TableError(f"{name} is being built: stop that build, then remove it") from None
