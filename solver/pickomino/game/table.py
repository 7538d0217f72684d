"""A table of a whole game on disk: values of positions, and the best move on top of them."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np

from pickomino._storage.arrays import StoredArray
from pickomino._storage.opening import Found, build_it, find_kind
from pickomino._storage.table import StoredTable, check_position
from pickomino.advice import SolvedTurn, solved
from pickomino.equipment import Equipment
from pickomino.errors import TableError
from pickomino.game.code import MAX_TILES
from pickomino.game.evaluator import ClaimPayoff, Source, by_seat, payoff_of_turn, position_after
from pickomino.game.model import Bank, Model, check_two_players, seen_by_mover
from pickomino.game.spec import GameSpec
from pickomino.objectives import GameObjective, turn_problem
from pickomino.position import Claim, Position
from pickomino.rules import Rules

__all__ = ["GameTable", "buildable", "find_game", "open_game"]

LARGEST_FULL = 9
"""How many tiles a table of full stacks can have: 9 make 12.6 million positions, which take 4 GB of
memory to build, and 10 make 143 million.
"""


class GameTable(StoredTable[GameSpec]):
    """One table of a game; see :func:`open_game`."""

    spec_type: ClassVar[type[GameSpec]] = GameSpec
    mapped: ClassVar[tuple[str, ...]] = ("value", "deviation")

    @property
    def model(self) -> Model:
        """What it answers for."""
        return self.spec.model

    @property
    def label(self) -> str:
        """What it answers for, in words."""
        return f"table of {self.model.label}"

    @property
    def source(self) -> Source:
        """Where its values are from."""
        return "table"

    @cached_property
    def value(self) -> StoredArray:
        """``(positions,)`` values as :mod:`pickomino.game.listing` counts them."""
        return self._map("value")

    @cached_property
    def deviation(self) -> StoredArray:
        """``(positions,)`` the standard deviation of the further margin, in worms."""
        return self._map("deviation")

    def map_arrays(self) -> None:
        """Map all arrays now, so that what is damaged is said now.

        Raises:
            TableError: A file that is missing or damaged.
        """
        for name in self.spec.array_names:
            getattr(self, name)

    def place(self, position: Position | str, banked: Bank | None = None) -> int:
        """Where a position's numbers stand in the arrays.

        Raises:
            PositionError: Other equipment than the table's, or no two players.
            GameOverError: The grill is empty.
        """
        asked = Position.of(position)
        check_position(asked, self.spec)
        check_two_players(asked)
        return int(self.spec.ranking.of(np.array([self.model.pack(asked, banked)]))[0])

    def values(self, position: Position | str) -> tuple[float, ...]:
        """What a position is worth to each seat, in the order of the stacks.

        Args:
            position: Of two players, the game not over.

        Returns:
            Chances to win, which sum to 1, or the worms each seat wins from here on, less the
            other's, which sum to 0.

        Raises:
            PositionError: Other equipment than the table's, or no two players.
            GameOverError: The grill is empty.
        """
        asked = Position.of(position)
        return by_seat(asked, self.value_to_mover(asked), self.spec.objective)

    def payoff(self, position: Position | str) -> ClaimPayoff:
        """What the ways to end a turn are worth; see :class:`pickomino.game.evaluator.Evaluator`.

        A table to a depth does not know what lies deeper, but this turn knows what comes up under
        a top.
        """
        asked = Position.of(position)
        self.place(asked)  # refuses what the table does not have
        here, rules = seen_by_mover(asked), self.spec.rules

        def value_after(claim: Claim | None) -> float:
            return self.value_to_mover(position_after(here, claim, rules))

        return payoff_of_turn(asked, rules, self.spec.objective, value_after)

    def value_to_mover(self, position: Position | str, banked: Bank | None = None) -> float:
        """The value of a position to its player to move: a chance to win, or worms to come.

        Args:
            position: The position.
            banked: What else lies too deep to be lost; no table depends on it.

        Raises:
            PositionError: Other equipment than the table's, or no two players.
            GameOverError: The grill is empty.
        """
        return self.model.in_units(self.value.item(self.place(position, banked)))

    def deviation_of(self, position: Position | str) -> float:
        """The standard deviation of the worms to come, mover minus opponent, both playing best.

        Raises:
            TableError: A table of ``win``, which has none.
            PositionError: Other equipment than the table's, or no two players.
            GameOverError: The grill is empty.
        """
        if self.spec.objective == "win":
            raise TableError(f"{self.folder} is of win and has no deviations: open one of margin")
        return self.deviation.item(self.place(position))

    def turn(self, position: Position | str, *, whole_turn: bool = False) -> SolvedTurn:
        """The turn of a position on top of the table's next positions.

        Without dice its value is the position's, unless a stack is deeper than the table: the turn
        knows what comes up under a top.
        """
        asked = Position.of(position)
        return solved(turn_problem(asked, self.spec.rules, self.payoff(asked)))


def find_game(
    path: Path | str | None,
    *,
    rules: Rules,
    equipment: Equipment,
    objective: GameObjective,
    depth: int | None = None,
) -> GameTable | TableError | None:
    """The table of a game at a place, the deepest if there are several.

    Args:
        path: A table, or a folder of tables; None for ``$PICKOMINO_TABLES`` or the user's cache
            directory.
        rules: The rule set.
        equipment: The dice and tiles.
        objective: ``win`` or ``margin``.
        depth: How many tiles of a stack can be lost; None for any depth.

    Returns:
        The table; what is wrong with a damaged one, as it may be that table; None if there is none.

    Raises:
        TooManyPositionsError: More tiles than any such table has.
        ObjectiveError: ``win`` to a depth, of which there is no table.
    """
    found = find_kind(path, GameTable)
    table = _deepest(found, GameSpec(rules, equipment, objective, depth))
    return found.damage if table is None else table


def open_game(
    path: Path | str | None = None,
    *,
    rules: Rules | str = "rulebook",
    equipment: Equipment | str = "standard",
    objective: GameObjective = "margin",
    depth: int | None = None,
) -> GameTable:
    """Open the table of a game.

    Args:
        path: A table, or a folder of tables; None for ``$PICKOMINO_TABLES`` or the user's cache
            directory.
        rules: The rule set, or its text.
        equipment: The dice and tiles, or their text.
        objective: ``win`` or ``margin``.
        depth: How many tiles of a stack can be lost; None for the deepest table there is.

    Returns:
        A context manager that is probed.

    Raises:
        MissingTableError: There is none; the sentence names the command that builds one.
        TableError: It is damaged or of another format.
    """
    wanted = GameSpec(Rules.of(rules), Equipment.of(equipment), objective, depth)
    found = find_kind(path, GameTable)
    table = _deepest(found, wanted)
    if table is None:
        fix = _how_to_build(wanted, found.home)
        raise found.refusal(wanted.rules, wanted.equipment, objective, fix)
    return table


def _deepest(found: Found[GameTable], wanted: GameSpec) -> GameTable | None:
    """The deepest table of a game, or the one to the depth asked for."""
    fitting = [t for t in found.fitting(wanted) if wanted.depth in (None, t.spec.depth)]
    return max(fitting, key=lambda table: table.spec.ranking.depth, default=None)


def _how_to_build(wanted: GameSpec, home: Path | None) -> str:
    """What to do about a game that no table answers."""
    spec: GameSpec | None = wanted
    if wanted.depth is None:
        spec = buildable(wanted.rules, wanted.equipment, wanted.objective)
    if spec is None:
        return f"ask about {MAX_TILES} tiles or fewer"
    if spec.objective == wanted.objective:
        return build_it(spec, home)
    return build_it(spec, home, "one of margin, which can be,")


def buildable(rules: Rules, equipment: Equipment, objective: GameObjective) -> GameSpec | None:
    """What to build for a question that no table answers; None if nothing can be.

    It is of ``margin`` to depth 1 where the game is too large for full stacks.
    """
    tiles = len(equipment.tiles)
    if tiles > MAX_TILES:
        return None
    if tiles > LARGEST_FULL:
        return GameSpec(rules, equipment, "margin", 1)
    return GameSpec(rules, equipment, objective)
