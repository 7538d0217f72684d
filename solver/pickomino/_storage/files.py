"""Writing files so that nothing half-written is ever left in their place."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from pathlib import Path


def replace_file(path: Path, content: bytes) -> None:
    """Write a file as a whole or not at all.

    Args:
        path: Where it goes; what is there is replaced once the new bytes are on disk.
        content: Its bytes.

    Raises:
        OSError: The file cannot be written.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
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


def remove_tree(path: Path) -> None:
    """Remove a folder with all that is in it, or whatever else is in its place."""
    if path.is_symlink() or path.is_file():
        path.unlink()
    shutil.rmtree(path, ignore_errors=True)
