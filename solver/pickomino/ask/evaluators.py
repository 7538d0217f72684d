"""Who says what the positions of a game of two are worth, as exactly as its size allows.

==============  ====================================================================================
exact           a game table of full stacks, or the game from the position solved on the spot
depth           the deepest model that fits the budget of positions, solved on the spot; to depth 1
                only where there is no table, as that is the coarser answer
table           the table of the whole game to a depth; chances to win by an approximation
==============  ====================================================================================
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pickomino._checks import shown
from pickomino._runtime.jobs import Run, run_here, workers
from pickomino._runtime.streams import waiting
from pickomino._storage.folders import usual_folder
from pickomino.equipment import Equipment
from pickomino.errors import MissingTableError, TableError
from pickomino.estimate.normal import Chances
from pickomino.game.code import MAX_TILES
from pickomino.game.evaluator import Evaluator
from pickomino.game.listing import LISTING, GameListing, list_game
from pickomino.game.model import MAX_DEPTH, Model, check_two_players, tiles_in_play
from pickomino.game.solve import GameSolution, solve_listing
from pickomino.game.table import GameTable, buildable, find_game
from pickomino.objectives import GameObjective
from pickomino.position import Position
from pickomino.rules import Rules

__all__ = ["Evaluators"]

REMEMBERED = 8
"""How many solved games are kept: the last turns of a game come from one or two."""


class Evaluators:
    """Finds who values a position; remembers what was solved and opened."""

    def __init__(
        self,
        rules: Rules,
        objective: GameObjective,
        max_states: int,
        *,
        depths: bool = True,
        progress: bool = False,
        warn: Callable[[TableError], object] | None = None,
    ) -> None:
        """Say what is asked for.

        Args:
            rules: The rule set.
            objective: What both players play for.
            max_states: How many positions to solve on the spot at most.
            depths: Whether models to a depth may answer.
            progress: Whether to show a progress bar while a game is solved.
            warn: Called when a table is damaged that is not needed.
        """
        self.rules, self.objective, self.max_states = rules, objective, max_states
        self.deepest = MAX_DEPTH if depths else 0
        self.progress, self.warn = progress, warn
        self._games: list[GameSolution] = []
        self._tables: dict[tuple[Equipment, GameObjective, Path | None], GameTable] = {}
        self._last: tuple[Position, Evaluator] | None = None

    def __repr__(self) -> str:
        return f"Evaluators({str(self.rules)!r}, {self.objective!r})"

    def find(self, position: Position) -> Evaluator:
        """Who values the positions after a position's turn.

        Raises:
            MissingTableError: Nobody: the game is too large and there is no table; the sentence
                names the command that builds one.
            PositionError: A position that is none of two players.
            GameOverError: The grill is empty.
            TableError: A table that is needed and damaged.
        """
        last = self._last  # read and written whole, as several threads may ask
        if last is None or last[0] != position:
            last = (position, self._find(position))
            self._last = last
        return last[1]

    def shallower(self, position: Position) -> Evaluator | None:
        """The model of one depth less, to show how the answer moves; None if there is none."""
        found = self.find(position)
        depth = found.model.depth if isinstance(found, GameSolution) else None
        if depth is None or depth < 2:
            return None
        return self._solved(position, depth - 1)

    def _find(self, position: Position) -> Evaluator:
        check_two_players(position)
        position.check_not_over()
        for known in self._games:
            if known.covers(position):
                return known
        table = self._table(position.equipment, self.objective)
        if isinstance(table, GameTable) and table.spec.depth is None:
            return table
        if isinstance(table, TableError):
            self._tell(table)
        found = self._solved(position, None)
        if found is not None:
            self._games = [found, *self._games[: REMEMBERED - 1]]
            return found
        depth = self._depth_that_fits(position)
        margins = self._table(position.equipment, "margin")
        if isinstance(margins, TableError):
            if depth == 0:
                raise margins
            self._tell(margins)
        # To depth 1 a model is coarser than a table of the whole game to depth 1.
        if depth < 2 and isinstance(margins, GameTable):
            return margins if self.objective == "margin" else Chances(margins)
        found = self._solved(position, depth) if depth else None
        if found is None:
            raise self._nobody(position)
        return found

    def _solved(self, position: Position, depth: int | None) -> GameSolution | None:
        """The game from a position, if its positions fit the budget."""
        with workers() as run:
            listing = self._listing(position, depth, run)
            return None if listing is None else solve_listing(listing, progress=self.progress)

    def _listing(self, position: Position, depth: int | None, run: Run) -> GameListing | None:
        if len(tiles_in_play(position, depth)) > MAX_TILES:
            return None
        model = Model(position, self.rules, self.objective, depth)
        with waiting(LISTING):
            return list_game(model, self.max_states, run)

    def _depth_that_fits(self, position: Position) -> int:
        """The greatest depth whose positions fit the budget; 0 if none does."""
        depth = 0
        while depth < self.deepest and self._listing(position, depth + 1, run_here) is not None:
            depth += 1  # listing takes little time beside solving
        return depth

    def _table(
        self, equipment: Equipment, objective: GameObjective
    ) -> GameTable | TableError | None:
        """The deepest table of a game in its usual place, or what is wrong with it."""
        key = equipment, objective, usual_folder()
        opened = self._tables.get(key)
        if opened is not None or len(equipment.tiles) > MAX_TILES:
            return opened
        # What is missing or damaged is looked for again: it may be built meanwhile.
        found = find_game(None, rules=self.rules, equipment=equipment, objective=objective)
        checked = None if found is None else _checked(found)
        if isinstance(checked, GameTable):
            self._tables[key] = checked
        return checked

    def _tell(self, error: TableError) -> None:
        if self.warn is not None:
            self.warn(error)

    def _nobody(self, position: Position) -> MissingTableError:
        spec = buildable(self.rules, position.equipment, self.objective)
        large = (
            f"{shown(str(position))} leads to more than {self.max_states:,} positions even at "
            "depth 1"
        )
        if spec is None:
            return MissingTableError(f"{large}: raise max_states, or ask about fewer tiles")
        return MissingTableError(
            f"{large}, and no table covers it: raise max_states, or build a table with "
            f"{spec.command}"
        )


def _checked(table: GameTable | TableError) -> GameTable | TableError:
    """The table, once its arrays are mapped, so that damage is said before it is asked."""
    if isinstance(table, GameTable):
        try:
            table.map_arrays()
        except TableError as error:
            return error
    return table
