"""A table of a whole game on disk: values of positions, and the best move on top of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import cast, overload

import numpy as np

from pickomino._storage.folders import find_tables, is_game
from pickomino._storage.manifest import Json, damaged, map_array, read_manifest
from pickomino.advice import KeepAdvice, Odds, SolvedTurn, StopAdvice, solved
from pickomino.dice import Dice
from pickomino.equipment import Equipment
from pickomino.errors import MissingTableError, PositionError, TableError
from pickomino.game.evaluator import ClaimPayoff, Source, by_seat, payoff_of_turn, position_after
from pickomino.game.model import MAX_TILES, Bank, Model, check_two_players, seen_by_mover
from pickomino.game.spec import GameSpec
from pickomino.objectives import GameObjective, turn_problem
from pickomino.position import Claim, Position
from pickomino.rules import Rules
from pickomino.turn.graph import FloatArray
from pickomino.turn.payoffs import Number


class GameTable:
    """One game table, mapped into memory when it is first probed; see :func:`open_game`.

    Attributes:
        folder: Where it is.
        spec: What it is of.
        manifest: What its manifest says.
    """

    def __init__(self, folder: Path, spec: GameSpec, manifest: Json) -> None:
        """Take a table whose manifest is read."""
        self.folder, self.spec, self.manifest = folder, spec, manifest
        self._closed = False

    @classmethod
    def open(cls, folder: Path | str) -> GameTable:
        """Open a table by its folder.

        Raises:
            TableError: A manifest that is missing, damaged or of another version.
        """
        return cls(Path(folder), *read_manifest(Path(folder), GameSpec))

    def __enter__(self) -> GameTable:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the mapped files; probing afterwards is an error."""
        for name in ("value", "deviation"):
            self.__dict__.pop(name, None)
        self._closed = True

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
    def value(self) -> FloatArray:
        """``(positions,)`` values as :mod:`pickomino.game.listing` counts them."""
        return self._map("value")

    @cached_property
    def deviation(self) -> FloatArray:
        """``(positions,)`` the standard deviation of the further margin, in worms."""
        return self._map("deviation")

    def map_arrays(self) -> None:
        """Map all arrays now, so that what is damaged is said now.

        Raises:
            TableError: A file that is missing or damaged.
        """
        for name in self.spec.array_names:
            getattr(self, name)

    def _map(self, name: str) -> FloatArray:
        if self._closed:
            raise TableError("this table is closed: open it again")
        return map_array(self.folder, name, self.spec, self.manifest)

    def place(self, position: Position, banked: Bank | None = None) -> int:
        """Where a position's numbers stand in the arrays.

        Raises:
            PositionError: Other equipment than the table's, or no two players.
            GameOverError: The grill is empty.
        """
        position = Position.of(position)
        position.check_not_over()
        if position.equipment != self.spec.equipment:
            raise PositionError(
                f"the position is of {position.equipment}, but the table is of "
                f"{self.spec.equipment}: open a table of that equipment"
            )
        check_two_players(position)
        return int(self.spec.ranking.of(np.array([self.model.pack(position, banked)]))[0])

    def values(self, position: Position) -> tuple[float, ...]:
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
        return by_seat(position, self.value_to_mover(position), self.spec.objective)

    def payoff(self, position: Position) -> ClaimPayoff:
        """What the ways to end a turn are worth; see :class:`pickomino.game.evaluator.Evaluator`.

        A table to a depth does not know what lies deeper, but this turn knows what comes up under
        a top.
        """
        self.place(position)
        here, rules = seen_by_mover(position), self.spec.rules

        def value_after(claim: Claim | None) -> float:
            return self.value_to_mover(position_after(here, claim, rules))

        return payoff_of_turn(position, rules, self.spec.objective, value_after)

    def value_to_mover(self, position: Position, banked: Bank | None = None) -> float:
        """The value of a position to its player to move: a chance to win, or worms to come.

        Args:
            position: The position.
            banked: What else lies too deep to be lost; no table depends on it.

        Raises:
            PositionError: Other equipment than the table's, or no two players.
            GameOverError: The grill is empty.
        """
        most = np.inf if self.spec.objective == "margin" else 1 + 1e-9
        return self.model.in_units(
            self._sound(self.value[self.place(position, banked)], -most, most)
        )

    def _sound(self, number: float, lowest: float, highest: float) -> float:
        """A number of the table, if it can be one."""
        if not lowest <= number <= highest or abs(number) == np.inf:
            raise damaged(self.folder, "an array", self.spec)
        return number

    def deviation_of(self, position: Position) -> float:
        """The standard deviation of the worms to come, mover minus opponent, both playing best.

        Raises:
            TableError: A table of ``win``, which has none.
            PositionError: Other equipment than the table's, or no two players.
            GameOverError: The grill is empty.
        """
        if self.spec.objective == "win":
            raise TableError(f"{self.folder} is of win and has no deviations: open one of margin")
        return float(self._sound(self.deviation[self.place(position)], 0.0, np.inf))

    @overload
    def probe(
        self,
        position: Position | str,
        kept: Dice | str = ...,
        roll: None = ...,
        *,
        with_odds: bool = ...,
    ) -> StopAdvice[float]: ...
    @overload
    def probe(
        self,
        position: Position | str,
        kept: Dice | str = ...,
        *,
        roll: Dice | str,
        with_odds: bool = ...,
    ) -> KeepAdvice[float]: ...
    @overload
    def probe(
        self,
        position: Position | str,
        kept: Dice | str,
        roll: Dice | str,
        *,
        with_odds: bool = ...,
    ) -> KeepAdvice[float]: ...
    def probe(
        self,
        position: Position | str,
        kept: Dice | str = "",
        roll: Dice | str | None = None,
        *,
        with_odds: bool = False,
    ) -> KeepAdvice[Number] | StopAdvice[Number]:
        """The best move and what each alternative costs, on top of the table's next positions.

        Args:
            position: Where the tiles are, or its notation; the player to move is advised.
            kept: The dice kept so far in this turn.
            roll: The roll to choose from; None to choose between rolling and stopping.
            with_odds: Whether to add how the turn ends after each choice.

        Returns:
            What :func:`pickomino.advise` gives.  Without dice its value is the position's, unless
            a stack is deeper than the table: the turn knows what comes up under a top.

        Raises:
            PositionError: Other equipment than the table's, or no two players.
            DiceError: Dice that cannot lie on the table.
            GameOverError: The grill is empty.
        """
        return self._turn(position).advise(kept, roll, with_odds=with_odds)

    def odds(self, position: Position | str, kept: Dice | str = "") -> Odds[float]:
        """How the turn ends; Args and Raises as for :meth:`probe`."""
        return cast("Odds[float]", self._turn(position).odds(kept))

    def _turn(self, position: Position | str) -> SolvedTurn:
        """The turn of a position on top of the table's next positions."""
        position = Position.of(position)
        return solved(turn_problem(position, self.spec.rules, self.payoff(position)))


def find_game(
    path: Path | str | None,
    rules: Rules,
    objective: GameObjective,
    equipment: Equipment,
    depth: int | None = None,
) -> GameTable | TableError | None:
    """The table of a game at a place, the deepest if there are several.

    Args:
        path: A table, or a folder of tables; None for ``$PICKOMINO_TABLES`` or the user's cache
            directory.
        rules: The rule set.
        objective: ``win`` or ``margin``.
        equipment: The dice and tiles.
        depth: How many tiles of a stack can be lost; None for any depth.

    Returns:
        The table; what is wrong with a damaged one, as it may be that table; None if there is none.
    """
    fitting: list[GameTable] = []
    damaged: TableError | None = None
    for table in _tables_at(path):
        if isinstance(table, TableError):
            damaged = damaged or table
        elif (table.spec.rules, table.spec.equipment, table.spec.objective) == (
            rules,
            equipment,
            objective,
        ) and depth in (None, table.spec.depth):
            fitting.append(table)
    return max(fitting, key=lambda t: t.spec.ranking.depth) if fitting else damaged


def _tables_at(path: Path | str | None) -> Iterator[GameTable | TableError]:
    """The game tables at a place, or what is wrong with them."""
    for place in find_tables(path):
        if is_game(place):
            try:
                yield GameTable.open(place)
            except TableError as error:
                yield error


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
    found = find_game(path, wanted.rules, objective, wanted.equipment, wanted.depth)
    if isinstance(found, TableError):
        raise found  # it may be the table that was asked for
    if found is None:
        raise _missing(wanted, path)
    return found


def _missing(wanted: GameSpec, path: Path | str | None) -> MissingTableError:
    """The error for a game that no table answers, with the command that builds one."""
    rules, equipment, objective = wanted.rules, wanted.equipment, wanted.objective
    spec = wanted if wanted.depth is not None else buildable(rules, equipment, objective)
    what = f"no table of {objective} under {rules} with {equipment} equipment is there"
    names = sorted(t.spec.name for t in _tables_at(path) if isinstance(t, GameTable))
    others = f"(found: {', '.join(names) or 'none'})"
    where = "" if path is None else f" in {path}"
    out = "" if path is None else f" --out {path}"
    if spec is None:
        return MissingTableError(f"{what}{where} {others}: ask about {MAX_TILES} tiles or fewer")
    it = "it" if spec.objective == objective else "one of margin, which can be,"
    return MissingTableError(f"{what}{where} {others}: build {it} with {spec.command}{out}")


LARGEST_FULL = 9
"""How many tiles a table of full stacks can have: ten make some 110 million positions."""


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
