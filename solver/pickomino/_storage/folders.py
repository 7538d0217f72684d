"""Where tables lie: finding them, and removing them."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from pickomino._storage.manifest import CHECKSUM, MANIFEST
from pickomino.errors import TableError

_TURNS = re.compile(r".+_k[0-6]_float(32|64)(_values)?")
_GAMES = re.compile(r"(win|margin)_.+_(d[0-9]+|full)")
_ARRAYS = ("step", "symbol", "value", "distribution", "rolled", "deviation")


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
    """The folders of tables at a place.

    Args:
        path: A table, or a folder of tables; None for the default folder and what is shipped.

    Returns:
        Folders that are tables by their checksum or by their name, sound or not, sorted.

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
        return False
    named = any(kind.fullmatch(folder.name) for kind in (_TURNS, _GAMES)) and folder.is_dir()
    return named or ((folder / CHECKSUM).is_file() and (folder / MANIFEST).is_file())


def is_game(folder: Path) -> bool:
    """Whether a table is of a whole game, not of turns: by its name, or what its manifest says."""
    if _TURNS.fullmatch(folder.name) or _GAMES.fullmatch(folder.name):
        return _GAMES.fullmatch(folder.name) is not None
    try:
        return b'"kind": "game"' in (folder / MANIFEST).read_bytes()
    except OSError:
        return False


def removable(place: Path) -> list[Path]:
    """The tables at a place, damaged ones too, and what interrupted builds left there."""
    place = place.absolute()
    tables = find_tables(place)
    rests = [] if tables == [place] else sorted(place.glob(".*.building"))
    return tables + rests


def remove_tables(folders: list[Path]) -> None:
    """Remove folders that :func:`removable` found.

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
                _check_only_a_table(folder)
                # The checksum goes first: what is left of a table after a kill is none.
                for name in (CHECKSUM, MANIFEST, *(f"{array}.npy" for array in _ARRAYS)):
                    (folder / name).unlink(missing_ok=True)
                folder.rmdir()
        except OSError as error:
            raise TableError(f"{folder} cannot be removed: {error.strerror}") from None


def _check_only_a_table(folder: Path) -> None:
    known = {CHECKSUM, MANIFEST, *(f"{array}.npy" for array in _ARRAYS)}
    for path in sorted(folder.iterdir()):
        if path.name not in known or path.is_dir():
            raise TableError(f"{path} is no part of a table: move it elsewhere first")


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
