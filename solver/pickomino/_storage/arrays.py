"""The arrays of a table: mapped into memory, and no number used before it is checked.

A block is some rows of an array.  The manifest has a checksum of each, and a block is checked when
a row of it is first touched, so that opening a large table takes no longer than a small one.  A
block whose bytes are right still has to hold numbers that such a table can have.
"""

from __future__ import annotations

import hashlib
import secrets
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pickomino._checks import shown, whole_number
from pickomino._runtime.files import check_regular
from pickomino._storage.manifest import CHECKSUM, MANIFEST, block_rows, damaged, unreadable
from pickomino._storage.spec import AnySpec, Json
from pickomino.errors import TableError

AT_ONCE = 2**20
"""Bytes of an array up to which it is checked when it is opened: that takes half a millisecond."""

CHECKED, UNCHECKED, WANTED = range(3)
"""What is known of a block; compiled code, which cannot check one, marks those that it wants."""


class StoredArray:
    """One array of a table.

    Attributes:
        data: The mapped memory, read-only.  Only rows of checked blocks may be used.
        block_rows: How many rows make a block.
        blocks: ``(blocks,)`` what is known of each block.
    """

    def __init__(self, folder: Path, name: str, spec: AnySpec, manifest: Json) -> None:
        """Map an array and compare its size, byte order, dtype and shape with the manifest.

        Args:
            folder: The table.
            name: The name of the array.
            spec: What the table is of.
            manifest: What its manifest says.

        Raises:
            TableError: A file that is missing or does not hold what the manifest says.
        """
        self._folder, self._file, self._spec = folder, f"{name}.npy", spec
        fields = manifest["files"][self._file]
        self._sums, self._limits = fields["crc32"], spec.limits(name)
        self.data = self._map(np.dtype(fields["dtype"]), tuple(fields["shape"]), fields["bytes"])
        self.block_rows = block_rows(self.data.dtype, self.data.shape)
        self.blocks = np.full(len(self._sums) // 8, UNCHECKED, dtype=np.uint8)
        if self.data.nbytes <= AT_ONCE:
            self.check(range(len(self.blocks)))
        if sys.byteorder != "little":
            self.check(range(len(self.blocks)))
            self.data = self.data.astype(self.data.dtype.newbyteorder("="))

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, row: int) -> Any:
        """A row, or the number there if rows are numbers."""
        if self.blocks[row // self.block_rows]:
            self.check([row // self.block_rows])
        return self.data[row]

    def item(self, row: int, *place: int) -> float:
        """One number."""
        if self.blocks[row // self.block_rows]:
            self.check([row // self.block_rows])
        number: float = self.data.item(row, *place)
        return number

    def take(self, rows: NDArray[np.int64]) -> NDArray[Any]:
        """Some rows, in a new array."""
        blocks = np.unique(rows // self.block_rows)
        self.check(blocks[self.blocks[blocks] != CHECKED])
        return self.data[rows]

    def whole(self) -> NDArray[Any]:
        """All rows."""
        self.check(np.flatnonzero(self.blocks))
        return self.data

    def check(self, blocks: Any) -> None:
        """Check blocks.

        Args:
            blocks: Their numbers.

        Raises:
            TableError: Bytes that are not those that were built, or numbers that cannot be.
        """
        low, high = self._limits
        for block in blocks:
            rows = self.data[block * self.block_rows : (block + 1) * self.block_rows]
            sound = f"{zlib.crc32(rows.data):08x}" == self._sums[8 * block : 8 * block + 8]
            # Written so that NaN, which compares with nothing, is refused.
            if not (sound and low <= rows.min() and rows.max() <= high):
                raise damaged(self._folder, self._file, self._spec)
            self.blocks[block] = CHECKED

    def check_wanted(self) -> None:
        """Check the blocks that compiled code marked."""
        self.check(np.flatnonzero(self.blocks == WANTED))

    def _map(self, dtype: np.dtype[Any], shape: tuple[int, ...], size: int) -> NDArray[Any]:
        path = self._folder / self._file
        try:
            check_regular(path)
            whole = path.stat().st_size == size
            with np.errstate(over="ignore"):  # in the product of a wild shape
                array = np.load(path, mmap_mode="r", allow_pickle=False) if whole else None
        except PermissionError:
            raise unreadable(path) from None
        except Exception:  # NumPy raises a dozen kinds of error on a header that is none
            array = None
        if not isinstance(array, np.ndarray):
            raise damaged(self._folder, self._file, self._spec)
        if array.dtype != dtype and array.dtype.newbyteorder("<") == dtype:
            raise TableError(
                f"{path.name} in {self._folder} has a foreign byte order: remove the table with "
                f"pickomino tables remove and build it again with {self._spec.command}"
            )
        if array.dtype != dtype or array.shape != shape or not array.flags.c_contiguous:
            raise damaged(self._folder, self._file, self._spec)
        return np.asarray(array)  # the same memory, without the cost of a subclass


def check_bytes(folder: Path, spec: AnySpec, manifest: Json) -> None:
    """Check that a table holds its files only, with the checksums, dtypes and shapes stated.

    Raises:
        TableError: The first thing that is not as it was built.
    """
    names = {f"{name}.npy" for name in spec.arrays}
    for path in sorted(folder.iterdir()):
        if path.name not in {*names, MANIFEST, CHECKSUM}:
            raise TableError(f"{path.name} in {folder} is no part of the table: remove it")
    for name, (dtype, shape) in spec.arrays.items():
        fields = manifest["files"][f"{name}.npy"]
        if [fields["dtype"], fields["shape"]] != [dtype, list(shape)]:
            raise damaged(folder, MANIFEST, spec)
        StoredArray(folder, name, spec, manifest).whole()
        with (folder / f"{name}.npy").open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != fields["sha256"]:
                raise damaged(folder, f"{name}.npy", spec)


def sample_rows(rows: int, sample: int, seed: int | None = None) -> list[int]:
    """Some of a table's rows, drawn anew each time.

    Args:
        rows: How many it has.
        sample: How many are wanted; all of them if there are no more.
        seed: What draws them; None for a new one.

    Raises:
        TableError: A sample or a seed that is no whole number, or below 0.
    """
    wanted = whole_number(sample)
    if wanted is None or wanted < 0:
        raise TableError(f"sample={shown(sample)} is no number of rows: use 0 or more")
    drawn = secrets.randbits(32) if seed is None else whole_number(seed)
    if drawn is None or drawn < 0:
        raise TableError(f"seed={shown(seed)} draws no sample: use a whole number from 0, or None")
    chosen = np.random.default_rng(drawn).choice(rows, min(wanted, rows), replace=False)
    return sorted(map(int, chosen))
