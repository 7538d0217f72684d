"""What a table states of itself: a folder of plain arrays beside a manifest, all under checksums.

===================  ==============================================================================
``manifest.json``    what the table is of, its builder, its files: shapes, SHA-256, and the CRC-32
                     of each block of rows, one after the other in hexadecimal
``manifest.sha256``  the SHA-256 of ``manifest.json``
``NAME.npy``         an array; which there are, and what they hold, is said where the kind is
===================  ==============================================================================

All numbers are little-endian.  The manifest states the kind of the table; what the kinds are, only
the packages above know.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pickomino._checks import shown
from pickomino._runtime.files import fsync, read_regular, replace_file
from pickomino._storage.spec import AnySpec, Json
from pickomino._version import __version__
from pickomino.errors import TableError

FORMAT = 2

BLOCK_BYTES = 2**18
"""Bytes of the blocks that have checksums of their own, about: to check one takes a tenth of a
millisecond, and the manifest of a table of 9 GB has 300 kB of them.
"""

MANIFEST, CHECKSUM = "manifest.json", "manifest.sha256"

Spec = TypeVar("Spec", bound=AnySpec)


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
    files = {}
    for name, (dtype, shape) in spec.arrays.items():
        file = folder / f"{name}.npy"
        files[file.name] = {
            "sha256": file_sha256(file),
            "crc32": block_sums(np.load(file, mmap_mode="r")),
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


def is_checksum(content: bytes) -> bool:
    """Whether a file looks like one that checks a manifest, though it may be of another."""
    return re.fullmatch(rb"[0-9a-f]{64}  %s\n" % MANIFEST.encode(), content) is not None


def block_rows(dtype: np.dtype[Any], shape: Sequence[int]) -> int:
    """How many rows of an array make a block."""
    return max(1, BLOCK_BYTES // (dtype.itemsize * math.prod(shape[1:])))


def block_sums(array: NDArray[Any]) -> str:
    """The CRC-32 of each block of an array, eight hexadecimal digits each."""
    step = block_rows(array.dtype, array.shape)
    blocks = (np.ascontiguousarray(array[at : at + step]) for at in range(0, len(array), step))
    return "".join(f"{zlib.crc32(block.data):08x}" for block in blocks)


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def load_manifest(folder: Path) -> Json:
    """What a table's manifest says, once its checksum is looked at.

    Raises:
        TableError: A manifest that is missing or damaged.
    """
    try:
        raw, check = (read_regular(folder / name) for name in (MANIFEST, CHECKSUM))
    except PermissionError as error:
        raise unreadable(Path(error.filename)) from None
    except OSError as error:
        raise TableError(
            f"{folder} has no readable {Path(error.filename).name}, so it is no table: remove the "
            "folder and build it again with pickomino tables build"
        ) from None
    manifest = parse_manifest(raw)
    if check != checksum_bytes(raw) or manifest is None:
        raise damaged(folder, MANIFEST)
    return manifest


def parse_manifest(raw: bytes) -> Json | None:
    """The bytes of a manifest as an object; None if they are none of a table."""
    try:
        manifest: Json = json.loads(raw)
        table, files = manifest["table"], manifest["files"]
        whole = isinstance(table, dict) and isinstance(files, dict) and "rules" in table
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return manifest if whole else None


def kind_of(manifest: Json) -> str:
    """The kind of table that a manifest states; empty if it states none."""
    return str(manifest["table"].get("kind", ""))


def read_manifest(folder: Path, kind: type[Spec]) -> tuple[Spec, Json]:
    """Read and check a table's manifest.

    Args:
        folder: The table.
        kind: What such a table is of.

    Returns:
        What the table is of, and the manifest.

    Raises:
        TableError: A manifest that is missing, damaged, of another kind or another format version.
    """
    manifest = load_manifest(folder)
    return check_manifest(folder, manifest, kind), manifest


def check_manifest(folder: Path, manifest: Json, kind: type[Spec]) -> Spec:
    """What a table is of, by its manifest; Args and Raises as for :func:`read_manifest`."""
    stated = manifest.get("format")
    if type(stated) is int and stated != FORMAT:
        raise TableError(
            f"the table in {folder} has format {shown(stated)}, but this version reads {FORMAT}: "
            "remove it with pickomino tables remove and build it again with pickomino tables build"
        )
    if kind_of(manifest) not in kind.kinds:
        raise TableError(
            f"the table in {folder} is of the kind {shown(kind_of(manifest))}, not "
            f"{shown(kind.kinds[0])}: name another folder"
        )
    try:
        spec = kind.from_json(manifest["table"])
        files = {name: manifest["files"][f"{name}.npy"] for name in spec.array_names}
        arrays = {name: (file["dtype"], tuple(file["shape"])) for name, file in files.items()}
        well_formed = (
            type(stated) is int
            and len(manifest["files"]) == len(files)
            and spec.accepts(manifest)
            and all(_is_well_formed(fields) for fields in files.values())
            and spec.fits(arrays)
        )
    except Exception:  # whatever is wrong with the content, it is not what was built
        well_formed = False
    if not well_formed:
        raise damaged(folder, MANIFEST)
    return spec


def _is_well_formed(file: Json) -> bool:
    """Whether a manifest's fields of a file are of the types they should be."""
    dtype, shape = np.dtype(file["dtype"]), file["shape"]
    return (
        len(shape) > 0
        and all(type(n) is int and n > 0 for n in (file["bytes"], *shape))
        and isinstance(file["sha256"], str)
        and isinstance(file["crc32"], str)
        and len(file["crc32"]) == 8 * -(-shape[0] // block_rows(dtype, shape))
    )


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
