"""Mapping a table's arrays into memory, and checking every byte of them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pickomino._checks import whole_number
from pickomino._storage.manifest import CHECKSUM, MANIFEST, damaged, file_sha256, unreadable
from pickomino._storage.spec import AnySpec, Json
from pickomino.errors import TableError

NUMBERS_A_STEP = 2**24
"""How many numbers are looked at at once: 128 MB of float64."""


def map_array(folder: Path, name: str, spec: AnySpec, manifest: Json) -> NDArray[Any]:
    """Map one array of a table into memory, checking its size, byte order, dtype and shape.

    Raises:
        TableError: A file that is missing or does not hold what the manifest says.
    """
    path = folder / f"{name}.npy"
    fields = manifest["files"][path.name]
    dtype = np.dtype(fields["dtype"])
    try:
        whole = path.stat().st_size == fields["bytes"]
        array = np.load(path, mmap_mode="r", allow_pickle=False) if whole else None
    except PermissionError:
        raise unreadable(path) from None
    except Exception:  # NumPy raises a dozen kinds of error on a header that is none
        array = None
    if not isinstance(array, np.ndarray):
        raise damaged(folder, path.name, spec)
    if array.dtype != dtype and array.dtype.newbyteorder("<") == dtype:
        raise TableError(
            f"{path.name} in {folder} has a foreign byte order: remove the table with pickomino "
            f"tables remove and build it again with {spec.command}"
        )
    shape = tuple(fields["shape"])
    if array.dtype != dtype or array.shape != shape or not array.flags.c_contiguous:
        raise damaged(folder, path.name, spec)
    array = np.asarray(array)  # the same memory, without the cost of a subclass
    return array if sys.byteorder == "little" else array.astype(array.dtype.newbyteorder("="))


def check_bytes(folder: Path, spec: AnySpec, manifest: Json) -> None:
    """Check that a table holds its files only, with the checksums, dtypes and shapes stated.

    Raises:
        TableError: The first thing that is not as it was built.
    """
    names = {f"{name}.npy" for name in spec.arrays}
    for path in sorted(folder.iterdir()):
        if path.name not in {*names, MANIFEST, CHECKSUM}:
            raise TableError(f"{path.name} in {folder} is no part of the table: remove it")
    for name in sorted(names):
        try:
            found = file_sha256(folder / name)
        except PermissionError:
            raise unreadable(folder / name) from None
        except OSError:
            found = ""
        if found != manifest["files"][name]["sha256"]:
            raise damaged(folder, name, spec)
    for name, (dtype, shape) in spec.arrays.items():
        fields = manifest["files"][f"{name}.npy"]
        array = map_array(folder, name, spec, manifest)
        real = array.dtype.kind == "f"
        if fields["dtype"] != dtype or array.shape != shape or (real and not _all_finite(array)):
            raise damaged(folder, f"{name}.npy", spec)


def sample_rows(folder: Path, rows: int, sample: int) -> list[int]:
    """Some of a table's rows, chosen by its manifest's checksum.

    Args:
        folder: The table.
        rows: How many it has.
        sample: How many are wanted; all of them if there are no more.

    Raises:
        TableError: A sample that is no whole number, or below 0.
    """
    wanted = whole_number(sample)
    if wanted is None or wanted < 0:
        raise TableError(f"sample={sample!r} is no number of rows: use 0 or more")
    seed = int((folder / CHECKSUM).read_bytes()[:16], 16)
    chosen: list[int] = sorted(np.random.default_rng(seed).permutation(rows)[:wanted].tolist())
    return chosen


def _all_finite(array: NDArray[Any]) -> bool:
    """Whether all numbers are, looked at in parts that fit into memory."""
    step = max(1, NUMBERS_A_STEP // max(1, array[:1].size))
    return all(np.isfinite(array[at : at + step]).all() for at in range(0, len(array), step))
