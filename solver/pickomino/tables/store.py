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
import os
import re
import shutil
import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pickomino.errors import MissingTableError, TableError
from pickomino.graph import turn_graph
from pickomino.rules import STANDARD, Equipment, Rules
from pickomino.tables.keys import Keys, Scale, make_keys, symbol_scale, turn_rules

FORMAT = 1
MANIFEST, CHECKSUM = "manifest.json", "manifest.sha256"
MAX_OPPONENTS = 6
DType = Literal["float64", "float32"]
Json = dict[str, Any]


@dataclass(frozen=True)
class Spec:
    """What a table is of.

    Attributes:
        rules: The rule set; switches that no turn depends on are set to their defaults.
        equipment: The dice and tiles.
        objective: The name of the objective.
        opponents: The most opponents' tops that a position may show, 0 to 6.
        dtype: How values and probabilities are stored.
        values_only: Whether only turns from the empty hand are answered, not those under way.

    Raises:
        TableError: A number of opponents or a dtype that no table has.
        ObjectiveError: An unknown objective or too many tiles.
    """

    rules: Rules = Rules()
    equipment: Equipment = STANDARD
    objective: str = "worms"
    opponents: int = 0
    dtype: DType = "float64"
    values_only: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", turn_rules(self.rules))
        if self.opponents not in range(MAX_OPPONENTS + 1):
            raise TableError(f"{self.opponents!r} opponents cannot be tabulated: use 0 to 6")
        if self.dtype not in ("float64", "float32"):
            raise TableError(f"{self.dtype!r} is no table's dtype: use float64 or float32")
        _ = self.scale  # refuses what cannot be tabulated

    @property
    def name(self) -> str:
        """The name of the table's folder."""
        parts = [self.objective, str(self.rules), str(self.equipment), f"k{self.opponents}"]
        parts += [self.dtype, *(["values"] if self.values_only else [])]
        return re.sub(r"[^\w.=-]", "+", "_".join(parts))

    @property
    def command(self) -> str:
        """The command that builds the table."""
        words = ["pickomino tables build", f"--rules {self.rules}", f"--objective {self.objective}"]
        if self.equipment != STANDARD:
            words.append(f"--equipment {self.equipment}")
        words += [f"--opponents {self.opponents}", f"--dtype {self.dtype}"]
        return " ".join(words + ["--values-only"] * self.values_only)

    @property
    def scale(self) -> Scale:
        """What the symbols stand for."""
        return symbol_scale(self.rules, self.equipment, self.objective)

    @property
    def keys(self) -> Keys:
        """The automaton of the table's positions."""
        return make_keys(self.rules, self.equipment, self.objective, self.opponents)

    @property
    def arrays(self) -> dict[str, tuple[str, tuple[int, ...]]]:
        """The dtype and shape of each array."""
        keys, graph = self.keys, turn_graph(self.equipment.dice)
        turns, totals = len(keys.symbol) * len(keys.stakes), self.equipment.max_total + 1
        real = {"float64": "<f8", "float32": "<f4"}[self.dtype]
        arrays: dict[str, tuple[str, tuple[int, ...]]] = {
            "step": ("<i4", keys.step.shape),
            "symbol": ("|u1", keys.symbol.shape),
            "value": ("<f8", (turns,)),
            "distribution": (real, (turns, totals)),
        }
        if not self.values_only:
            arrays["rolled"] = (real, (turns, graph.states - graph.first_rolling))
        return arrays

    @property
    def size(self) -> int:
        """The bytes that the arrays take on disk, without their headers."""
        return sum(
            np.dtype(dtype).itemsize * int(np.prod(shape, dtype=np.int64))
            for dtype, shape in self.arrays.values()
        )

    @property
    def bound(self) -> float:
        """How far a stored value may be from that of a fresh solve, in the payoff's units."""
        scale = self.scale
        largest = max(*scale.worth, *scale.stakes, *(scale.by_total or ()), 1)
        return largest * (1e-12 if self.dtype == "float64" else float(np.finfo(np.float32).eps))

    def to_json(self) -> Json:
        """The specification as the manifest holds it."""
        return {**asdict(self), "rules": str(self.rules), "equipment": str(self.equipment)}

    @classmethod
    def from_json(cls, fields: Json) -> Spec:
        """The specification in a manifest.

        Raises:
            ValueError, KeyError, TypeError: Fields that are none.
        """
        rules, equipment = Rules.parse(fields["rules"]), Equipment.parse(fields["equipment"])
        return cls(**{**fields, "rules": rules, "equipment": equipment})


def manifest_bytes(spec: Spec, folder: Path, version: str) -> bytes:
    """The manifest of the arrays in a folder."""
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
        "bound": spec.bound,
        "solver": version,
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


def read_manifest(folder: Path) -> tuple[Spec, Json]:
    """Read and check a table's manifest.

    Returns:
        What the table is of, and the manifest.

    Raises:
        TableError: A manifest that is missing, damaged, or of another format version.
    """
    try:
        raw = (folder / MANIFEST).read_bytes()
        check = (folder / CHECKSUM).read_bytes()
    except OSError as error:
        raise TableError(
            f"{folder} has no readable {Path(error.filename).name}, so it is no table: "
            "build it again with pickomino tables build"
        ) from None
    try:
        manifest = json.loads(raw)
        version = manifest["format"]
        spec = Spec.from_json(manifest["table"])
    except (ValueError, KeyError, TypeError, RecursionError):
        version = spec = None
    if version is not None and version != FORMAT and check == checksum_bytes(raw):
        raise TableError(
            f"the table in {folder} has format {version}, but this version reads {FORMAT}: "
            "build it again with pickomino tables build"
        )
    if spec is None or check != checksum_bytes(raw):
        raise damaged(folder, MANIFEST)
    return spec, manifest


def damaged(folder: Path, file: str, spec: Spec | None = None) -> TableError:
    """The error for a file whose bytes are not those that were built."""
    command = spec.command if spec else "pickomino tables build"
    return TableError(
        f"{file} in {folder} is damaged: remove the table with pickomino tables remove and build "
        f"it again with {command}"
    )


def map_array(folder: Path, name: str, spec: Spec, manifest: Json) -> NDArray[Any]:
    """Map one array of a table into memory, checking its size, byte order, dtype and shape.

    Raises:
        TableError: A file that is missing or does not hold what the manifest says.
    """
    path = folder / f"{name}.npy"
    try:
        dtype, shape = manifest["files"][path.name]["dtype"], manifest["files"][path.name]["shape"]
        if path.stat().st_size != manifest["files"][path.name]["bytes"]:
            raise damaged(folder, path.name, spec)
        array: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, KeyError, TypeError, EOFError, SyntaxError):
        raise damaged(folder, path.name, spec) from None
    if array.dtype.newbyteorder("<") == np.dtype(dtype) and array.dtype != np.dtype(dtype):
        raise TableError(
            f"{path.name} in {folder} has a foreign byte order: build it again with {spec.command}"
        )
    if array.dtype != np.dtype(dtype) or list(array.shape) != shape or not array.flags.c_contiguous:
        raise damaged(folder, path.name, spec)
    array = np.asarray(array)  # the same memory, without the cost of a subclass
    return array if sys.byteorder == "little" else array.astype(array.dtype.newbyteorder("="))


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


def find_tables(path: Path | str | None = None) -> list[Path]:
    """The folders of tables at a place.

    Args:
        path: A table, or a folder of tables; None for the default folder and what is shipped.

    Returns:
        Folders that hold a manifest or should, in the order of their names.
    """
    places = [default_folder(), shipped_folder()] if path is None else [Path(path)]
    found = []
    for place in places:
        if (place / MANIFEST).exists() or (place / CHECKSUM).exists():
            found.append(place)
        elif place.is_dir():
            children = sorted(p for p in place.iterdir() if p.is_dir() and p.name[0] != ".")
            found += [p for p in children if any(p.glob("*.npy")) or (p / MANIFEST).exists()]
    return found


def missing(spec: Spec, why: str) -> MissingTableError:
    """The error for a question that no table answers."""
    return MissingTableError(f"{why}: build it with {replace(spec, values_only=False).command}")


def removable(place: Path) -> list[Path]:
    """The tables at a place, damaged ones too, and what interrupted builds left there."""
    rests = place.glob(".*.building") if not (place / MANIFEST).exists() else ()
    return [*find_tables(place), *sorted(rests)]


def remove_tables(folders: list[Path]) -> None:
    """Remove folders of tables, each first renamed so that no half of one is left in place.

    Raises:
        TableError: A folder that cannot be removed.
    """
    for folder in folders:
        doomed = folder.with_name(f".{folder.name.lstrip('.')}.building")
        try:
            if doomed != folder:
                folder.rename(doomed)
            shutil.rmtree(doomed)
        except OSError as error:
            raise TableError(f"{folder} cannot be removed: {error.strerror}") from None
