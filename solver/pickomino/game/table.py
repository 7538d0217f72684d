"""A table of a whole game on disk: values of positions, and the best move on top of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import overload

import numpy as np

from pickomino._storage.folders import find_tables, is_game
from pickomino._storage.manifest import Json, damaged, map_array, read_manifest
from pickomino.advice import KeepAdvice, Odds, StopAdvice, advise, odds
from pickomino.dice import Dice
from pickomino.equipment import STANDARD, Equipment
from pickomino.errors import MissingTableError, PositionError, TableError
from pickomino.game.model import MAX_TILES, Bank, Model, not_of_two, seen_by_mover
from pickomino.game.spec import GameSpec
from pickomino.game.worth import game_payoff
from pickomino.objectives import GameObjective
from pickomino.position import Position, check_position
from pickomino.rules import Rules
from pickomino.turn.graph import FloatArray


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
    def name(self) -> str:
        """What it answers for, in words."""
        return f"table of {self.model.name}"

    @property
    def source(self) -> str:
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
        check_position(position)
        position.check_not_over()
        if position.equipment != self.spec.equipment:
            raise PositionError(
                f"the position is of {position.equipment}, but the table is of "
                f"{self.spec.equipment}: open a table of that equipment"
            )
        if len(position.stacks) != 2:
            raise not_of_two(position)
        return int(self.spec.ranking.of(np.array([self.model.pack(position, banked)]))[0])

    def look(self, position: Position) -> tuple[Position, Callable[[Position], float]]:
        """What a turn can make of a position; a table knows what comes up under a top.

        See :class:`pickomino.game.worth.Valued`.
        """
        return seen_by_mover(position), self.value_of

    def value_of(self, position: Position, banked: Bank | None = None) -> float:
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
        self, position: Position, kept: Dice | str = ..., roll: None = ..., *, with_odds: bool = ...
    ) -> StopAdvice: ...
    @overload
    def probe(
        self, position: Position, kept: Dice | str, roll: Dice | str, *, with_odds: bool = ...
    ) -> KeepAdvice: ...
    def probe(
        self,
        position: Position,
        kept: Dice | str = "",
        roll: Dice | str | None = None,
        *,
        with_odds: bool = False,
    ) -> KeepAdvice | StopAdvice:
        """The best move and what each alternative costs, on top of the table's next positions.

        Args:
            position: Where the tiles are; the player to move is advised.
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
        self.place(position)
        payoff = game_payoff(self, position)
        if roll is None:
            return advise(position, kept, None, self.spec.rules, payoff, with_odds=with_odds)
        return advise(position, kept, roll, self.spec.rules, payoff, with_odds=with_odds)

    def odds(self, position: Position, kept: Dice | str = "") -> Odds:
        """How the turn ends; Args and Raises as for :meth:`probe`."""
        self.place(position)
        return odds(position, kept, self.spec.rules, game_payoff(self, position))


def open_game(
    path: Path | str | None = None,
    rules: Rules | str = Rules(),
    objective: GameObjective = "margin",
    equipment: Equipment | str = STANDARD,
    depth: int | None = None,
) -> GameTable:
    """Open the table of a game.

    Args:
        path: A table, or a folder of tables; None for ``$PICKOMINO_TABLES`` or the user's cache
            directory.
        rules: The rule set, or its text.
        objective: ``win`` or ``margin``.
        equipment: The dice and tiles, or their text.
        depth: How many tiles of a stack can be lost; None for the deepest table there is.

    Returns:
        A context manager that is probed.

    Raises:
        MissingTableError: There is none; the sentence names the command that builds one.
        TableError: It is damaged or of another format.
    """
    rules, equipment = Rules.of(rules), Equipment.of(equipment)
    wanted = GameSpec(rules, equipment, objective, depth)
    found, bad = [], []
    for place in find_tables(path):
        if is_game(place):
            try:
                found.append(GameTable.open(place))
            except TableError as error:
                bad.append(error)
    asked = (rules, equipment, objective)
    fitting = [
        t
        for t in found
        if (t.spec.rules, t.spec.equipment, t.spec.objective) == asked
        and depth in (None, t.spec.depth)
    ]
    if fitting:
        return max(fitting, key=lambda t: t.spec.ranking.depth)
    if bad:
        raise bad[0]  # it may be the table that was asked for
    command = wanted.command if depth else buildable(rules, equipment, objective)
    what = "it" if f"--objective {objective}" in (command or "") else "one of margin, which can be,"
    where = "" if path is None else f" in {path}"
    out = "" if path is None else f" --out {path}"
    others = ", ".join(sorted({t.spec.name for t in found})) or "none"
    raise MissingTableError(
        f"no table of {objective} under {rules} with {equipment} equipment is there{where} "
        f"(found: {others}): build {what} with {command}{out}"
    )


def buildable(rules: Rules, equipment: Equipment, objective: GameObjective) -> str | None:
    """The command that builds a table for a question, if one can be built.

    It is of ``margin`` to depth 1 where the game is too large for full stacks.
    """
    tiles = len(equipment.tiles)
    if tiles > MAX_TILES:
        return None
    if tiles > 9:
        return GameSpec(rules, equipment, "margin", 1).command
    return GameSpec(rules, equipment, objective).command
