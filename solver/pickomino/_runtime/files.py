"""Writing files so that nothing half-written is ever left in their place."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
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
        found = path.stat()
    except FileNotFoundError:
        found = None
    if found is not None and not stat.S_ISREG(found.st_mode):
        with path.open("wb", buffering=0) as file:
            file.write(content)
        return
    if found is not None and (handle := _open_as(found)) is not None:
        with os.fdopen(os.dup(handle), "wb") as file:
            file.write(content)
        return
    mode = None if found is None else found.st_mode
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


def _open_as(found: os.stat_result) -> int | None:
    """Which of the standard streams goes to a file, as that must not be replaced beneath it."""
    for handle, stream in ((1, sys.stdout), (2, sys.stderr)):
        with contextlib.suppress(OSError):
            if stream is not None and os.path.samestat(found, os.fstat(handle)):
                stream.flush()
                return handle
    return None


def check_regular(path: Path) -> None:
    """Refuse what is no file, such as a device or a pipe, which opening might wait for.

    Raises:
        OSError: No regular file, or none at all.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "it is no file", str(path))


def read_regular(path: Path) -> bytes:
    """The bytes of a file, refused as :func:`check_regular` does if it is none."""
    check_regular(path)
    return path.read_bytes()


def fsync(path: Path) -> None:
    """Put a file's bytes, or a folder's names, on disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
