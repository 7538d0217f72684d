"""A table on disk: a folder of plain arrays beside a manifest, all under checksums.

=====================  ============================================================================
``manifest.json``      what the table is of, its files with their shapes and SHA-256, its builder
``manifest.sha256``    the SHA-256 of ``manifest.json``
``step.npy``           int32 ``(nodes, 3)``: the automaton of :mod:`pickomino.tables.keys`
``symbol.npy``         uint8 ``(vectors, totals)``: the symbol of each final total
``value.npy``          float64 ``(turns,)``: the value of a turn from the empty hand
``distribution.npy``   ``(turns, totals)``: the probability of each final total
``rolled.npy``         ``(turns, rolling states)``: the value of rolling in each state of the turn
                       graph that can roll; absent from a table of values only
=====================  ============================================================================

A turn is a vector with a stake: turn ``vector * stakes + index of the stake``.  All numbers are
little-endian.  Decisions are not stored; they follow from the values by the tie rule.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from pickomino._storage.files import fsync, replace_file
from pickomino.equipment import Equipment
from pickomino.errors import TableError
from pickomino.rules import Rules

Json = dict[str, Any]
FORMAT = 1
MANIFEST, CHECKSUM = "manifest.json", "manifest.sha256"


class AnySpec(Protocol):
    """What a table of some kind is of."""

    @property
    def rules(self) -> Rules:
        """The rule set."""

    @property
    def equipment(self) -> Equipment:
        """The dice and tiles."""

    @property
    def objective(self) -> str:
        """The name of the objective."""

    @property
    def name(self) -> str:
        """The name of the table's folder."""

    @property
    def kind(self) -> str:
        """What the table is of, in a few words."""

    @property
    def command(self) -> str:
        """The command that builds the table."""

    @property
    def array_names(self) -> tuple[str, ...]:
        """The names of the arrays."""

    @property
    def arrays(self) -> dict[str, tuple[str, tuple[int, ...]]]:
        """The dtype and shape of each array."""

    @property
    def size(self) -> int:
        """The bytes that the arrays take on disk."""

    def accepts(self, manifest: Json) -> bool:
        """Whether a manifest states what a table of this kind can."""

    def to_json(self) -> Json:
        """The specification as the manifest holds it."""

    @classmethod
    def from_json(cls, fields: Json) -> Self:
        """The specification in a manifest."""


Kind = TypeVar("Kind", bound=AnySpec)


def finish_table(spec: AnySpec, data: Path, folder: Path, facts: Json) -> None:
    """Write the manifest of a folder of arrays, and put the folder in its place.

    Args:
        spec: What the table is of.
        data: The folder with the arrays.
        folder: Where it goes.
        facts: What else the manifest states, the bound of the values among it.
    """
    for file in data.iterdir():
        fsync(file)
    manifest = manifest_bytes(spec, data, facts)
    replace_file(data / MANIFEST, manifest)
    replace_file(data / CHECKSUM, checksum_bytes(manifest))
    data.rename(folder)
    fsync(folder.parent)


def manifest_bytes(spec: AnySpec, folder: Path, facts: Json) -> bytes:
    """The manifest of the arrays in a folder."""
    from pickomino._version import __version__

    files = {}
    for name, (dtype, shape) in spec.arrays.items():
        file = folder / f"{name}.npy"
        files[file.name] = {
            "sha256": file_sha256(file),
            "bytes": file.stat().st_size,
            "dtype": dtype,
            "shape": list(shape),
        }
    manifest = {
        "format": FORMAT,
        "table": spec.to_json(),
        **facts,
        "solver": __version__,
        "command": spec.command,
        "files": files,
    }
    return (json.dumps(manifest, indent=1) + "\n").encode()


def checksum_bytes(manifest: bytes) -> bytes:
    """The content of the file that checks the manifest."""
    return f"{hashlib.sha256(manifest).hexdigest()}  {MANIFEST}\n".encode()


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_manifest(folder: Path, kind: type[Kind]) -> tuple[Kind, Json]:
    """Read and check a table's manifest.

    Args:
        folder: The table.
        kind: What such a table is of.

    Returns:
        What the table is of, and the manifest.

    Raises:
        TableError: A manifest that is missing, damaged, or of another format version.
    """
    try:
        raw = (folder / MANIFEST).read_bytes()
        check = (folder / CHECKSUM).read_bytes()
    except PermissionError as error:
        raise unreadable(Path(error.filename)) from None
    except OSError as error:
        raise TableError(
            f"{folder} has no readable {Path(error.filename).name}, so it is no table: remove the "
            "folder and build it again with pickomino tables build"
        ) from None
    if check != checksum_bytes(raw):
        raise damaged(folder, MANIFEST)
    try:
        manifest = json.loads(raw)
        if type(manifest["format"]) is int and manifest["format"] != FORMAT:
            raise TableError(
                f"the table in {folder} has format {manifest['format']}, but this version reads "
                f"{FORMAT}: remove it with pickomino tables remove and build it again with "
                "pickomino tables build"
            )
        spec = kind.from_json(manifest["table"])
        files = {name: manifest["files"][f"{name}.npy"] for name in spec.array_names}
        well_formed = (
            type(manifest["format"]) is int
            and len(manifest["files"]) == len(files)
            and spec.accepts(manifest)
            and all(
                np.dtype(fields["dtype"]).kind in "iuf"
                and len(fields["shape"]) > 0
                and all(type(n) is int and n >= 0 for n in (fields["bytes"], *fields["shape"]))
                and isinstance(fields["sha256"], str)
                for fields in files.values()
            )
        )
    except TableError:
        raise
    except Exception:  # whatever is wrong with the content, it is not what was built
        well_formed = False
    if not well_formed:
        raise damaged(folder, MANIFEST)
    return spec, manifest


def damaged(folder: Path, file: str, spec: AnySpec | None = None) -> TableError:
    """The error for a file whose bytes are not those that were built."""
    command = spec.command if spec else "pickomino tables build"
    return TableError(
        f"{file} in {folder} is damaged: remove the table with pickomino tables remove and build "
        f"it again with {command}"
    )


def unreadable(path: Path) -> TableError:
    """The error for a file that may not be read."""
    return TableError(f"{path} may not be read: change its permissions")


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
