"""What a table is of, for any kind of table."""

from __future__ import annotations

import re
from typing import Any, ClassVar, Protocol, Self

import numpy as np

from pickomino.equipment import STANDARD, Equipment
from pickomino.rules import Rules

Json = dict[str, Any]
Arrays = dict[str, tuple[str, tuple[int, ...]]]
"""The dtype and shape of each array, by its name."""


class AnySpec(Protocol):
    """What a table of some kind is of.

    Attributes:
        kinds: What manifests may state as the kind of such a table; new ones state the first, and
            an empty word stands for a manifest that states none.
        all_arrays: The names of all arrays that a table of this kind can have.
    """

    kinds: ClassVar[tuple[str, ...]]
    all_arrays: ClassVar[tuple[str, ...]]

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
    def summary(self) -> str:
        """What the table is of, in a few words."""

    @property
    def command(self) -> str:
        """The command that builds the table."""

    @property
    def array_names(self) -> tuple[str, ...]:
        """The names of the arrays."""

    @property
    def arrays(self) -> Arrays:
        """The dtype and shape of each array."""

    def fits(self, arrays: Arrays) -> bool:
        """Whether the dtypes and shapes that a manifest states are those of such a table."""

    def limits(self, name: str) -> tuple[float, float]:
        """The least and the greatest number that an array can hold."""

    @property
    def rows(self) -> int:
        """How many turns or positions the table holds."""

    @property
    def size(self) -> int:
        """The bytes that the arrays take on disk, without their headers."""

    def accepts(self, manifest: Json) -> bool:
        """Whether a manifest states what a table of this specification can."""

    def to_json(self) -> Json:
        """The specification as the manifest holds it."""

    @classmethod
    def from_json(cls, fields: Json) -> Self:
        """The specification in a manifest."""


def folder_name(*parts: object) -> str:
    """The name of a table's folder: parts, with signs that a file system may not like as ``+``."""
    return re.sub(r"[^\w.=-]", "+", "_".join(map(str, parts)))


def build_command(spec: AnySpec, *options: str) -> str:
    """The command that builds a table, with the options that only its kind has."""
    words = ["pickomino tables build", f"--rules {spec.rules}", f"--objective {spec.objective}"]
    if spec.equipment != STANDARD:
        words.append(f"--equipment {spec.equipment}")
    return " ".join([*words, *options])


def spec_json(spec: AnySpec, **fields: object) -> Json:
    """A specification as a manifest holds it, with the fields that only its kind has."""
    return {
        "kind": spec.kinds[0],
        "rules": str(spec.rules),
        "equipment": str(spec.equipment),
        "objective": spec.objective,
        **fields,
    }


def bytes_of(arrays: Arrays) -> int:
    """The bytes that arrays take, without their headers."""
    return sum(
        np.dtype(dtype).itemsize * int(np.prod(shape, dtype=np.int64))
        for dtype, shape in arrays.values()
    )
