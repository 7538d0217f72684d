"""Writing files so that nothing half-written is ever left in their place."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def replace_file(path: Path, content: bytes) -> None:
    """Write a file as a whole or not at all.

    Args:
        path: Where it goes.  A file that is there is replaced once the new bytes are on disk, and
            keeps its mode; a link is followed; a device or a pipe is written to.
        content: Its bytes.

    Raises:
        OSError: The file cannot be written; it is named in the error.
    """
    try:
        _replace(path, content)
    except OSError as error:
        error.filename = str(path)
        raise


def _replace(path: Path, content: bytes) -> None:
    place = Path(os.path.realpath(path))
    if not place.name:
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    try:
        mode = place.stat().st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        with place.open("wb", buffering=0) as file:
            file.write(content)
        return
    beside = place.with_name(f".{place.name[:100]}.{os.getpid()}.new")
    try:
        with beside.open("wb") as file:
            if mode is not None:
                os.chmod(beside, stat.S_IMODE(mode))
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(place)
    finally:
        beside.unlink(missing_ok=True)


def check_regular(path: Path) -> None:
    """Refuse what is no file, such as a device or a pipe, which opening might wait for.

    Raises:
        OSError: No regular file, or none at all.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "it is no file", str(path))


def fsync(path: Path) -> None:
    """Put a file's bytes, or a folder's names, on disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
