"""Who can say what a position of a two-player game is worth, as exactly as its size allows.

==============  ====================================================================================
exact           a game table of full stacks, or the game from the position solved on the spot
depth           the deepest model that fits the budget of positions, solved on the spot; to depth 1
                only where there is no table, as that is the coarser answer
table           the table of the whole game to a depth; chances to win by an approximation
==============  ====================================================================================
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pickomino.equipment import Equipment
from pickomino.errors import MissingTableError, PositionError, TableError, TooManyPositionsError
from pickomino.estimate.normal import Chances
from pickomino.game.listing import game_graph
from pickomino.game.model import MAX_DEPTH, Model, not_of_two
from pickomino.game.solve import GameSolution, solve_game
from pickomino.game.table import GameTable, buildable, open_game
from pickomino.game.worth import Valued, game_payoff
from pickomino.objectives import GameObjective, Outcome
from pickomino.position import Position, check_position
from pickomino.rules import Rules

BUDGET = 20_000
"""How many positions are solved on the spot unless said: some two seconds."""

KEPT = 8
"""How many solved games a judge remembers."""


@dataclass(frozen=True)
class Verdict:
    """Who values a position.

    Attributes:
        valued: Knows the values of the positions that a turn leads to.
        compare: Solves for one depth less, to see how the answer moves; None if there is none.
    """

    valued: Valued
    compare: Callable[[], Valued] | None = None

    def payoff(self, position: Position) -> Callable[[Outcome], float]:
        """What the outcomes of a position's turn are worth."""
        return game_payoff(self.valued, position)


class Judge:
    """Values positions under one rule set and objective; remembers what it solved and opened."""

    def __init__(
        self,
        rules: Rules | str,
        objective: GameObjective,
        budget: int = BUDGET,
        *,
        deepest: int = MAX_DEPTH,
        progress: bool = False,
        warn: Callable[[TableError], object] = lambda error: None,
    ) -> None:
        """Say what is asked for.

        Args:
            rules: The rule set.
            objective: What both players play for.
            budget: How many positions to solve on the spot at most.
            deepest: The deepest model to try.
            progress: Whether to show a progress bar while a game is solved.
            warn: Called when a table is damaged that is not needed.
        """
        self.progress, self.warn = progress, warn
        self.rules, self.objective = Rules.of(rules), objective
        self.budget, self.deepest = budget, deepest
        self._exact: list[GameSolution] = []
        self._last: tuple[Position, Verdict] | None = None
        self._tables: dict[tuple[Equipment, GameObjective], GameTable | TableError | None] = {}

    def verdict(self, position: Position) -> Verdict:
        """Who values a position.

        Raises:
            MissingTableError: Nobody: the game is too large and there is no table; the sentence
                names the command that builds one.
            PositionError: A position that is none of two players.
            GameOverError: The grill is empty.
            TableError: A table that is needed and damaged.
        """
        check_position(position)
        if len(position.stacks) != 2:
            raise not_of_two(position)
        if self._last is None or self._last[0] != position:
            self._last = position, self._find(position)
        return self._last[1]

    def _find(self, position: Position) -> Verdict:
        for solved in self._exact:
            if solved.covers(position):
                return Verdict(solved)
        table = self._table(position.equipment, self.objective)
        if isinstance(table, TableError):
            self.warn(table)
        elif table is not None and table.spec.depth is None:
            return Verdict(table)
        with contextlib.suppress(TooManyPositionsError):
            solved = self._solved(position, None)
            self._exact = [solved, *self._exact[: KEPT - 1]]
            return Verdict(solved)
        depth = self._depth_that_fits(position)
        table = self._table(position.equipment, "margin")
        if isinstance(table, TableError):
            if depth == 0:
                raise table
            self.warn(table)
        if depth > 1:
            return Verdict(
                self._solved(position, depth), partial(self._solved, position, depth - 1)
            )
        if isinstance(table, GameTable):
            return Verdict(table if self.objective == "margin" else Chances(table))
        if depth == 1:
            return Verdict(self._solved(position, depth))
        command = buildable(self.rules, position.equipment, self.objective)
        raise MissingTableError(
            f"{str(position)!r} leads to more than {self.budget:,} positions even at depth 1"
            f"{', and no table covers it' * bool(command)}: allow more (--max-states), or "
            f"{f'build a table with {command}' if command else 'ask about fewer tiles'}"
        )

    def _depth_that_fits(self, position: Position) -> int:
        """The greatest depth whose positions fit the budget; 0 if none does."""
        depth = 0
        with contextlib.suppress(TooManyPositionsError):
            while depth < self.deepest:
                model = Model(position, self.rules, self.objective, depth + 1)
                game_graph(model, self.budget)  # which takes little time beside solving
                depth += 1
        return depth

    def _solved(self, position: Position, depth: int | None) -> GameSolution:
        asked = (position, self.rules, self.objective, depth, self.budget)
        return solve_game(*asked, progress=self.progress)

    def _table(
        self, equipment: Equipment, objective: GameObjective
    ) -> GameTable | TableError | None:
        key = equipment, objective
        if key not in self._tables:
            try:
                table = open_game(None, self.rules, objective, equipment)
                for name in table.spec.array_names:
                    getattr(table, name)  # says now what is damaged
                self._tables[key] = table
            except (MissingTableError, PositionError):
                self._tables[key] = None
            except TableError as error:
                self._tables[key] = error
        return self._tables[key]
