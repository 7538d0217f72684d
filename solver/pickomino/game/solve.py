"""Solving a two-player game from a position, with bounds: exactly, or to a depth of its stacks.

Policies of a listed game can be played against each other exactly, too.  Where turns tie, any of
the best is taken, so that against others than itself a policy may depend on which.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pickomino._storage.jobs import progress_bar, workers
from pickomino.errors import PositionError
from pickomino.game.iteration import Solution, solve
from pickomino.game.listing import MAX_STATES, GameGraph, game_graph
from pickomino.game.model import Bank, Model
from pickomino.objectives import GameObjective
from pickomino.position import Position, check_position
from pickomino.rules import Rules


@dataclass(frozen=True, eq=False)
class GameSolution:
    """A solved game.

    Attributes:
        graph: Its positions.
        solution: Values, bounds and residual in the unit of :mod:`pickomino.game.listing`.
    """

    graph: GameGraph
    solution: Solution

    @property
    def model(self) -> Model:
        """What is answered for."""
        return self.graph.model

    @property
    def name(self) -> str:
        """What it answers for, in words."""
        return self.model.name

    @property
    def source(self) -> str:
        """Where its values are from."""
        return "solver"

    @property
    def value(self) -> float:
        """The value of the position asked about: a chance to win, or a margin in worms.

        The margin is what is still to be won: worms that lie in the stacks already do not count.
        """
        return self.model.in_units(self.solution.value[0])

    @property
    def lower(self) -> float:
        """What the mover can be sure of."""
        return self.model.in_units(self.solution.lower[0])

    @property
    def upper(self) -> float:
        """What the opponent can hold the mover to."""
        return self.model.in_units(self.solution.upper[0])

    def covers(self, position: Position) -> bool:
        """Whether a position comes up in this game."""
        try:
            return self._number(position) >= 0
        except PositionError:
            return False

    def look(self, position: Position) -> tuple[Position, Callable[[Position], float]]:
        """What a turn can make of a position; see :class:`pickomino.game.worth.Valued`."""
        here, banked = self.model.unpack(self.model.pack(position))
        return here, lambda after: self.value_of(after, -banked)

    def value_of(self, position: Position, banked: Bank | None = None) -> float:
        """The value of any position of the game to its player to move.

        Args:
            position: The position; what its stacks hold too deep to be lost counts as banked.
            banked: What else is, seen by the player to move.

        Raises:
            PositionError: A position that the game does not lead to.
        """
        number = self._number(position, banked)
        if number < 0:
            raise PositionError(f"{str(position)!r} does not come up in this game: solve from it")
        return self.model.in_units(self.solution.value[number])

    def _number(self, position: Position, banked: Bank | None = None) -> int:
        check_position(position)
        if position.equipment != self.model.start.equipment or len(position.stacks) != 2:
            return -1
        return self.graph.number(self.model.pack(position, banked))


def solve_game(
    position: Position,
    rules: Rules | str = Rules(),
    objective: GameObjective = "margin",
    depth: int | None = None,
    max_states: int = MAX_STATES,
    *,
    progress: bool = False,
) -> GameSolution:
    """Solve the two-player game from a position, both sides playing best for an objective.

    Args:
        position: Where to begin: two players.
        rules: The rule set, or its text.
        objective: ``win``, the chance to win with a shared win counting half, or ``margin``, the
            expected worms of the mover minus the opponent's, from here on.
        depth: How many tiles of each stack can be lost, deeper ones being banked for good; None
            for all, which is exact.
        max_states: How many positions to take on at most; 100,000 take some ten seconds.
        progress: Whether to show a progress bar after a second, if standard error is a terminal.

    Returns:
        The value of every position that play can lead to, with bounds for the one asked about.

    Raises:
        PositionError: Another number of players, a depth below 1, or too many positions.
        GameOverError: The grill is empty.
        ObjectiveError: Another objective.
    """
    model = Model(position, Rules.of(rules), objective, depth)
    with workers() as run:
        graph = game_graph(model, max_states, run)
        with progress_bar("solve", graph.states, progress, delay=1) as bar:
            return GameSolution(graph, solve(graph, bar.update))
