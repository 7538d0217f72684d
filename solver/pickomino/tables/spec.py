"""What a table is of: rules, equipment, objective, and how it is stored."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, replace
from typing import Literal

import numpy as np

from pickomino._storage.manifest import Json
from pickomino.equipment import STANDARD, Equipment
from pickomino.errors import MissingTableError, TableError
from pickomino.rules import Rules
from pickomino.tables.keys import Keys, Scale, make_keys, symbol_scale, turn_rules
from pickomino.turn.graph import turn_graph

MAX_OPPONENTS = 6
DType = Literal["float64", "float32"]


def default_dtype(opponents: int) -> DType:
    """How a table is stored unless said: the largest in single precision."""
    return "float32" if opponents >= MAX_OPPONENTS else "float64"


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
    def kind(self) -> str:
        """What the table is of, in a few words."""
        rows = "whole turns" if self.values_only else "turns"
        return f"{rows} with up to {self.opponents} tops, {self.dtype}"

    @property
    def command(self) -> str:
        """The command that builds the table."""
        words = ["pickomino tables build", f"--rules {self.rules}", f"--objective {self.objective}"]
        if self.equipment != STANDARD:
            words.append(f"--equipment {self.equipment}")
        words += [f"--opponents {self.opponents}", f"--dtype {self.dtype}"]
        if self.values_only:
            words.append("--values-only")
        return " ".join(words)

    @property
    def scale(self) -> Scale:
        """What the symbols stand for."""
        return symbol_scale(self.rules, self.equipment, self.objective)

    @property
    def keys(self) -> Keys:
        """The automaton of the table's positions."""
        return make_keys(self.rules, self.equipment, self.objective, self.opponents)

    @property
    def array_names(self) -> tuple[str, ...]:
        """The names of the arrays."""
        names = ("step", "symbol", "value", "distribution", "rolled")
        return names[:-1] if self.values_only else names

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

    def accepts(self, manifest: Json) -> bool:
        """Whether a manifest states what a table of this kind can."""
        return bool(manifest["bound"] == self.bound)

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


def missing(spec: Spec, why: str, out: object = None) -> MissingTableError:
    """The error for a question that no table answers, with the command that builds one."""
    dtype = default_dtype(spec.opponents)
    command = replace(spec, values_only=False, dtype=dtype).command
    return MissingTableError(
        f"{why}: build it with {command}{'' if out is None else f' --out {out}'}"
    )
