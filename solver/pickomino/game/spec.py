"""What a game table is of: all positions of some tiles, to a depth of their stacks.

=================  ================================================================================
``value.npy``      float64 ``(positions,)``: the value to the player to move, as
                   :mod:`pickomino.game.listing` counts it
``deviation.npy``  float64 ``(positions,)``: the standard deviation of the further margin, in worms;
                   in a table of ``margin`` only
=================  ================================================================================

Where a position stands in them is its rank, see :mod:`pickomino.game.rank`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar

from pickomino._storage.spec import Arrays, Json, build_command, bytes_of, folder_name, spec_json
from pickomino.equipment import STANDARD, Equipment
from pickomino.errors import ObjectiveError
from pickomino.game.model import MAX_DEPTH, Model
from pickomino.game.rank import Ranking
from pickomino.objectives import GameObjective
from pickomino.position import Position
from pickomino.rules import Rules

__all__ = ["LARGEST_RESIDUAL", "GameSpec"]

LARGEST_RESIDUAL = 1e-9
"""What the values of a table may leave in their equations, for each worm of the largest tile."""

BEYOND = 1e-9
"""By how much rounding may put a value beyond what can be won."""

PROCESS_BYTES = 150_000_000
"""Memory of a build before its first position: Python, the libraries and compiled code."""

POSITION_BYTES = 160
"""Memory of a position in a build: 24 for the packed position and 16 to 32 for its slots in the
hash table, with the old and the new of both while the list doubles, and 32 for value, bounds and
mean square.
"""

OPTION_BYTES = 14
"""Memory of an option of a position in a build: 4 for the successor, the rest for the moves between
the positions of one level and the policy there.  Builds on one core peaked at 209 MB for 127,555
positions of 9 options and at 321 MB for 433,993 of 15, where the formula says 186 and 311.
"""


@dataclass(frozen=True)
class GameSpec:
    """What a game table is of.

    Attributes:
        rules: The rule set, or its text.
        equipment: The dice and tiles, or their text.
        objective: ``win`` or ``margin``.
        depth: How many tiles of a stack can be lost; None for all, which is exact.
        model: The game from its first turn, which follows from the others.

    Raises:
        RulesError: Rules or equipment that do not exist.
        PositionError: A depth below 1, or more tiles than can be solved.
        ObjectiveError: Neither ``win`` nor ``margin``, or ``win`` to a depth, as what is banked
            would be one question more.
    """

    rules: Rules = Rules()
    equipment: Equipment = STANDARD
    objective: GameObjective = "margin"
    depth: int | None = None
    model: Model = field(init=False, repr=False, compare=False)

    kinds: ClassVar[tuple[str, ...]] = ("game",)
    all_arrays: ClassVar[tuple[str, ...]] = ("value", "deviation")

    def __post_init__(self) -> None:
        rules, equipment = Rules.of(self.rules), Equipment.of(self.equipment)
        model = Model(Position.start(2, equipment=equipment), rules, self.objective, self.depth)
        object.__setattr__(self, "rules", rules)
        object.__setattr__(self, "equipment", equipment)
        object.__setattr__(self, "depth", model.depth)
        object.__setattr__(self, "model", model)
        if self.objective == "win" and self.depth is not None:
            raise ObjectiveError(
                f"a table of win cannot stop at depth {self.depth}: leave depth= out, or use "
                "objective=margin"
            )

    @property
    def ranking(self) -> Ranking:
        """The order of the positions."""
        return _ranking(len(self.equipment.tiles), self.depth or MAX_DEPTH)

    @property
    def name(self) -> str:
        """The name of the table's folder."""
        depth = "full" if self.depth is None else f"d{self.depth}"
        return folder_name(self.objective, self.rules, self.equipment, depth)

    @property
    def summary(self) -> str:
        """What the table is of, in a few words."""
        return f"games, {'full stacks' if self.depth is None else f'depth {self.depth}'}"

    @property
    def command(self) -> str:
        """The command that builds the table."""
        return build_command(self, *([] if self.depth is None else [f"--depth {self.depth}"]))

    @property
    def array_names(self) -> tuple[str, ...]:
        """The names of the arrays."""
        return self.all_arrays if self.objective == "margin" else self.all_arrays[:1]

    @property
    def arrays(self) -> Arrays:
        """The dtype and shape of each array."""
        return dict.fromkeys(self.array_names, ("<f8", (self.rows,)))

    def fits(self, arrays: Arrays) -> bool:
        """Whether the dtypes and shapes that a manifest states are those of such a table."""
        return arrays == self.arrays

    def limits(self, name: str) -> tuple[float, float]:
        """The least and the greatest number that an array can hold."""
        # Who loses all worms to the other falls back by twice their number.
        most = 2 * sum(self.equipment.worms) if self.objective == "margin" else 1
        return (0 if name == "deviation" else -most - BEYOND), most + BEYOND

    @property
    def rows(self) -> int:
        """How many positions the table holds."""
        return self.ranking.states

    @property
    def size(self) -> int:
        """The bytes that the arrays take on disk, without their headers."""
        return bytes_of(self.arrays)

    @property
    def memory(self) -> int:
        """The bytes of memory that a build takes, about."""
        options = len(self.equipment.tiles) + 2
        return PROCESS_BYTES + self.rows * (POSITION_BYTES + OPTION_BYTES * options)

    def accepts(self, manifest: Json) -> bool:
        """Whether a manifest states what a table of this specification can."""
        residual, bound, first = (manifest[name] for name in ("residual", "bound", "first"))
        most = LARGEST_RESIDUAL * max(1, *self.equipment.worms)
        low, high = self.limits("value")
        return (
            all(type(number) is float for number in (residual, bound, first))
            and 0 <= residual <= most
            and 0 <= bound <= high
            and low <= first <= high
        )

    def to_json(self) -> Json:
        """The specification as the manifest holds it."""
        return spec_json(self, depth=self.depth)

    @classmethod
    def from_json(cls, fields: Json) -> GameSpec:
        """The specification in a manifest.

        Raises:
            ValueError, KeyError, TypeError: Fields that are none.
        """
        return cls(*(fields[name] for name in ("rules", "equipment", "objective", "depth")))


@lru_cache(maxsize=8)
def _ranking(tiles: int, depth: int) -> Ranking:
    """One ranking for all who ask, as its arrays take half a megabyte with 16 tiles."""
    return Ranking(tiles, depth)
