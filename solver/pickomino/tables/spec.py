"""What a table of turns is of: rules, equipment, objective, and how it is stored.

====================  =============================================================================
``step.npy``          int32 ``(nodes, 3)``: the automaton of :mod:`pickomino.tables.keys`
``symbol.npy``        uint8 ``(vectors, totals)``: the symbol of each final total
``value.npy``         float64 ``(turns,)``: the value of a turn from the empty hand
``distribution.npy``  ``(turns, totals)``: the probability of each final total
``rolled.npy``        ``(turns, rolling states)``: the value of rolling in each state of the turn
                      graph that can roll; absent from a table of values only
====================  =============================================================================

A turn is a vector with a stake: turn ``vector * stakes + index of the stake``.  Decisions are not
stored; they follow from the values by the tie rule.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from pickomino._checks import flag, shown, whole_number
from pickomino._storage.spec import Arrays, Json, build_command, bytes_of, folder_name, spec_json
from pickomino.equipment import STANDARD, Equipment
from pickomino.errors import ObjectiveError, TableError
from pickomino.rules import Rules
from pickomino.tables.keys import MISSING, Keys, Scale, make_keys, symbol_scale, turn_rules
from pickomino.turn.graph import turn_graph

__all__ = ["MAX_OPPONENTS", "DType", "TurnSpec", "default_dtype"]

MAX_OPPONENTS = 6
"""How many opponents a game can have."""

ROUNDING = 1e-9
"""By how much sums of rounded probabilities may be beyond 1."""

DType = Literal["float64", "float32"]


def default_dtype(opponents: int) -> DType:
    """How a table is stored unless said: the largest in single precision."""
    return "float32" if opponents >= MAX_OPPONENTS else "float64"


@dataclass(frozen=True)
class TurnSpec:
    """What a table of turns is of.

    Attributes:
        rules: The rule set, or its text; switches that no turn depends on are set to their
            defaults.
        equipment: The dice and tiles, or their text.
        objective: The name of the objective.
        opponents: The most opponents' tops that a position may show, 0 to 6.
        dtype: How values and probabilities are stored.
        values_only: Whether only turns from the empty hand are answered, not those under way.
        scale: What the symbols stand for, which follows from the others.

    Raises:
        RulesError: Rules or equipment that do not exist.
        TableError: A number of opponents or a dtype that no table has.
        ObjectiveError: An unknown objective or too many tiles.
    """

    rules: Rules = Rules()
    equipment: Equipment = STANDARD
    objective: str = "worms"
    opponents: int = 0
    dtype: DType = "float64"
    values_only: bool = False
    scale: Scale = field(init=False, repr=False, compare=False)

    kinds: ClassVar[tuple[str, ...]] = ("turns", "")  # the first tables stated no kind
    all_arrays: ClassVar[tuple[str, ...]] = ("step", "symbol", "value", "distribution", "rolled")

    def __post_init__(self) -> None:
        opponents = whole_number(self.opponents)
        if opponents is None or not 0 <= opponents <= MAX_OPPONENTS:
            raise TableError(
                f"{shown(self.opponents)} opponents cannot be tabulated: use 0 to {MAX_OPPONENTS}"
            )
        if not isinstance(self.dtype, str) or self.dtype not in ("float64", "float32"):
            raise TableError(f"{shown(self.dtype)} is no table's dtype: use float64 or float32")
        if not isinstance(self.objective, str):
            raise ObjectiveError(
                f"{shown(self.objective)} cannot be tabulated: give the name of an objective"
            )
        rules, equipment = turn_rules(Rules.of(self.rules)), Equipment.of(self.equipment)
        object.__setattr__(self, "rules", rules)
        object.__setattr__(self, "equipment", equipment)
        object.__setattr__(self, "opponents", opponents)
        object.__setattr__(self, "values_only", flag("values_only", self.values_only))
        object.__setattr__(self, "scale", symbol_scale(rules, equipment, self.objective))

    @property
    def name(self) -> str:
        """The name of the table's folder."""
        parts = [self.objective, self.rules, self.equipment, f"k{self.opponents}", self.dtype]
        return folder_name(*parts, *(["values"] if self.values_only else []))

    @property
    def summary(self) -> str:
        """What the table is of, in a few words."""
        rows = "whole turns" if self.values_only else "turns"
        return f"{rows} with up to {self.opponents} tops, {self.dtype}"

    @property
    def command(self) -> str:
        """The command that builds the table."""
        options = [f"--opponents {self.opponents}", f"--dtype {self.dtype}"]
        return build_command(self, *options, *(["--values-only"] if self.values_only else []))

    @property
    def keys(self) -> Keys:
        """The automaton of the table's positions."""
        return make_keys(self.rules, self.equipment, self.objective, self.opponents)

    @property
    def array_names(self) -> tuple[str, ...]:
        """The names of the arrays."""
        return self.all_arrays[:-1] if self.values_only else self.all_arrays

    @property
    def arrays(self) -> Arrays:
        """The dtype and shape of each array."""
        return self._arrays(len(self.keys.step), len(self.keys.symbol))

    def _arrays(self, nodes: int, vectors: int) -> Arrays:
        graph, totals = turn_graph(self.equipment.dice), self.equipment.max_total + 1
        rows = vectors * len(self.scale.stakes)
        real = {"float64": "<f8", "float32": "<f4"}[self.dtype]
        arrays: Arrays = {
            "step": ("<i4", (nodes, 3)),
            "symbol": ("|u1", (vectors, totals)),
            "value": ("<f8", (rows,)),
            "distribution": (real, (rows, totals)),
        }
        if not self.values_only:
            arrays["rolled"] = (real, (rows, graph.states - graph.first_rolling))
        return arrays

    def fits(self, arrays: Arrays) -> bool:
        """Whether the dtypes and shapes that a manifest states are those of such a table.

        How many nodes and vectors there are is taken from it, as to count them takes longer than
        an answer from the table.
        """
        (_, (nodes, *_)), (_, (vectors, *_)) = arrays["step"], arrays["symbol"]
        return arrays == self._arrays(nodes, vectors)

    def limits(self, name: str) -> tuple[float, float]:
        """The least and the greatest number that an array can hold."""
        scale = self.scale
        payoffs = scale.by_total or (*scale.worth, *(-stake for stake in scale.stakes))
        worth = min(payoffs) - self.bound, max(payoffs) + self.bound
        return {
            "step": (MISSING, np.inf),
            "symbol": (0, len(scale.worth) - 1),
            "value": worth,
            "distribution": (0, 1 + ROUNDING),
            "rolled": worth,
        }[name]

    @property
    def rows(self) -> int:
        """How many turns the table holds."""
        return len(self.keys.symbol) * len(self.keys.stakes)

    @property
    def size(self) -> int:
        """The bytes that the arrays take on disk, without their headers."""
        return bytes_of(self.arrays)

    @property
    def bound(self) -> float:
        """How far a stored value may be from that of a fresh solve, in the payoff's units."""
        scale = self.scale
        largest = max(*scale.worth, *scale.stakes, *(scale.by_total or ()), 1)
        return largest * (1e-12 if self.dtype == "float64" else float(np.finfo(np.float32).eps))

    def accepts(self, manifest: Json) -> bool:
        """Whether a manifest states what a table of this specification can."""
        return bool(manifest["bound"] == self.bound)

    def to_json(self) -> Json:
        """The specification as the manifest holds it."""
        return spec_json(
            self, opponents=self.opponents, dtype=self.dtype, values_only=self.values_only
        )

    @classmethod
    def from_json(cls, fields: Json) -> TurnSpec:
        """The specification in a manifest.

        Raises:
            ValueError, KeyError, TypeError: Fields that are none.
        """
        names = ("rules", "equipment", "objective", "opponents", "dtype", "values_only")
        return cls(*(fields[name] for name in names))
