"""What a game table is of: all positions of some tiles, to a depth of their stacks."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from functools import cached_property

import numpy as np

from pickomino._storage.manifest import Json
from pickomino.equipment import STANDARD, Equipment
from pickomino.errors import ObjectiveError
from pickomino.game.model import MAX_DEPTH, Model
from pickomino.game.rank import Ranking
from pickomino.objectives import GameObjective
from pickomino.position import Position
from pickomino.rules import Rules

LARGEST_RESIDUAL = 1e-9
"""What the values of a table may leave in their equations, for each worm of the largest tile."""

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
        rules: The rule set.
        equipment: The dice and tiles.
        objective: ``win`` or ``margin``.
        depth: How many tiles of a stack can be lost; None for all, which is exact.

    Raises:
        PositionError: A depth below 1, or more tiles than can be solved.
        ObjectiveError: Another objective, or a depth with ``win``, as what is banked would be one
            question more.
    """

    rules: Rules = Rules()
    equipment: Equipment = STANDARD
    objective: GameObjective = "margin"
    depth: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", Rules.of(self.rules))
        object.__setattr__(self, "equipment", Equipment.of(self.equipment))
        _ = self.model  # refuses what cannot be solved
        if self.objective == "win" and self.depth is not None:
            raise ObjectiveError(
                f"a table of win cannot stop at depth {self.depth}: leave out --depth, or use "
                "--objective margin"
            )

    @cached_property
    def model(self) -> Model:
        """The game, from its first turn."""
        return Model(
            Position.start(2, equipment=self.equipment), self.rules, self.objective, self.depth
        )

    @cached_property
    def ranking(self) -> Ranking:
        """The order of the positions."""
        return Ranking(len(self.equipment.tiles), self.depth or MAX_DEPTH)

    @property
    def name(self) -> str:
        """The name of the table's folder."""
        depth = "full" if self.depth is None else f"d{self.depth}"
        parts = [self.objective, str(self.rules), str(self.equipment), depth]
        return re.sub(r"[^\w.=-]", "+", "_".join(parts))

    @property
    def kind(self) -> str:
        """What the table is of, in a few words."""
        return f"games, {'full stacks' if self.depth is None else f'depth {self.depth}'}"

    @property
    def command(self) -> str:
        """The command that builds the table."""
        words = ["pickomino tables build", f"--rules {self.rules}", f"--objective {self.objective}"]
        if self.equipment != STANDARD:
            words.append(f"--equipment {self.equipment}")
        if self.depth is not None:
            words.append(f"--depth {self.depth}")
        return " ".join(words)

    @property
    def array_names(self) -> tuple[str, ...]:
        """The names of the arrays."""
        return ("value", "deviation") if self.objective == "margin" else ("value",)

    @property
    def arrays(self) -> dict[str, tuple[str, tuple[int, ...]]]:
        """The dtype and shape of each array."""
        return dict.fromkeys(self.array_names, ("<f8", (self.ranking.states,)))

    @property
    def size(self) -> int:
        """The bytes that the arrays take on disk, without their headers."""
        return len(self.arrays) * np.dtype("<f8").itemsize * self.ranking.states

    @property
    def memory(self) -> int:
        """The bytes of memory that a build takes, about."""
        options = len(self.equipment.tiles) + 2
        return PROCESS_BYTES + self.ranking.states * (POSITION_BYTES + OPTION_BYTES * options)

    def accepts(self, manifest: Json) -> bool:
        """Whether a manifest states what a table of this kind can."""
        most = LARGEST_RESIDUAL * max(1, *self.equipment.worms)
        return bool(0 <= manifest["residual"] <= most and 0 <= manifest["bound"] < float("inf"))

    def to_json(self) -> Json:
        """The specification as the manifest holds it."""
        fields = {**asdict(self), "rules": str(self.rules), "equipment": str(self.equipment)}
        return {"kind": "game", **fields}

    @classmethod
    def from_json(cls, fields: Json) -> GameSpec:
        """The specification in a manifest.

        Raises:
            ValueError, KeyError, TypeError: Fields that are none.
        """
        rules, equipment = Rules.parse(fields["rules"]), Equipment.parse(fields["equipment"])
        rest = {name: field for name, field in fields.items() if name != "kind"}
        if fields["kind"] != "game":
            raise ValueError(fields["kind"])
        return cls(**{**rest, "rules": rules, "equipment": equipment})
