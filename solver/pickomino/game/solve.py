"""Solving a two-player game from a position, with bounds: exactly, or to a depth of its stacks."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pickomino._checks import shown
from pickomino._runtime.jobs import progress_bar, run_here, workers
from pickomino._runtime.streams import waiting
from pickomino.errors import PositionError, TooManyPositionsError
from pickomino.game.budgets import PER_CALL, check_max_states
from pickomino.game.evaluator import ClaimPayoff, Source, by_seat, payoff_of_turn, position_after
from pickomino.game.iteration import ProvenValues, solve
from pickomino.game.listing import LISTING, GameListing, list_game
from pickomino.game.model import Bank, Model
from pickomino.objectives import GameObjective
from pickomino.position import Claim, Position
from pickomino.rules import Rules

__all__ = ["GameSolution", "solve_game", "solve_listing"]


@dataclass(frozen=True, eq=False)
class GameSolution:
    """A solved game.

    Attributes:
        listing: Its positions.
        proven: Values, bounds and residual in the unit of :mod:`pickomino.game.listing`.
    """

    listing: GameListing
    proven: ProvenValues

    def __repr__(self) -> str:
        model = self.model
        shown = f"{str(model.start)!r}, {model.objective}, value {self.value:.6g}"
        return f"GameSolution({shown}, {self.states:,} positions, {self.label})"

    @property
    def states(self) -> int:
        """How many positions play can lead to."""
        return self.listing.states

    @property
    def model(self) -> Model:
        """What is answered for."""
        return self.listing.model

    @property
    def label(self) -> str:
        """What it answers for, in words."""
        return self.model.label

    @property
    def source(self) -> Source:
        """Where its values are from."""
        return "solver"

    @property
    def value(self) -> float:
        """The value of the position asked about: a chance to win, or a margin in worms.

        The margin is what is still to be won: worms that lie in the stacks already do not count.
        """
        return self.model.in_units(self.proven.value[0])

    @property
    def lower(self) -> float:
        """What the mover can be sure of."""
        return self.model.in_units(self.proven.lower[0])

    @property
    def upper(self) -> float:
        """What the opponent can hold the mover to."""
        return self.model.in_units(self.proven.upper[0])

    def covers(self, position: Position | str) -> bool:
        """Whether a position, or its notation, comes up in this game."""
        asked = Position.of(position)
        fits = asked.equipment == self.model.start.equipment and len(asked.stacks) == 2
        return fits and self.model.holds(asked) and self._number(asked) >= 0

    def values(self, position: Position | str) -> tuple[float, ...]:
        """What a position of the game is worth to each seat, in the order of the stacks.

        Args:
            position: The position, or its notation; what its stacks hold too deep to be lost
                counts as banked.

        Returns:
            Chances to win, which sum to 1, or the worms each seat wins from here on, less the
            other's, which sum to 0.

        Raises:
            PositionError: A position that the game does not lead to.
        """
        asked = Position.of(position)
        return by_seat(asked, self.value_to_mover(asked), self.model.objective)

    def payoff(self, position: Position | str) -> ClaimPayoff:
        """What the ways to end a turn are worth; see :class:`pickomino.game.evaluator.Evaluator`.

        Raises:
            PositionError: A position that the game does not lead to.
        """
        asked, model = Position.of(position), self.model
        self.value_to_mover(asked)  # refuses what does not come up
        here, banked = model.unpack(model.pack(asked))

        def value_after(claim: Claim | None) -> float:
            return self.value_to_mover(position_after(here, claim, model.rules), -banked)

        return payoff_of_turn(asked, model.rules, model.objective, value_after)

    def value_to_mover(self, position: Position, banked: Bank | None = None) -> float:
        """The value of a position to its player to move, given what else is banked.

        Args:
            position: The position; what its stacks hold too deep to be lost counts as banked.
            banked: What else is, seen by the player to move.

        Raises:
            PositionError: A position that the game does not lead to.
        """
        fits = position.equipment == self.model.start.equipment and len(position.stacks) == 2
        number = self._number(position, banked) if fits else -1
        if number < 0:
            raise PositionError(
                f"{shown(str(position))} does not come up in this game: solve from it"
            )
        return self.model.in_units(self.proven.value[number])

    def _number(self, position: Position, banked: Bank | None = None) -> int:
        return self.listing.number(self.model.pack(position, banked))


def solve_game(
    position: Position | str,
    *,
    rules: Rules | str = "rulebook",
    objective: GameObjective = "margin",
    depth: int | None = None,
    max_states: int = PER_CALL,
    progress: bool = False,
) -> GameSolution:
    """Solve the two-player game from a position, both sides playing best for an objective.

    The first call compiles, some ten seconds, unless an earlier process did; with ``progress`` that
    is said.

    Args:
        position: Where to begin, or its notation: two players.
        rules: The rule set, or its text.
        objective: ``win``, the chance to win with a shared win counting half, or ``margin``, the
            expected worms of the mover minus the opponent's, from here on.
        depth: How many tiles of each stack can be lost, deeper ones being banked for good; None
            for all, which is exact.
        max_states: How many positions to take on at most; 100,000 take some ten seconds.
        progress: Whether to say what is waited for: the compiler, and after a second a progress bar
            in a terminal or a line a minute elsewhere.

    Returns:
        The value of every position that play can lead to, with bounds for the one asked about.

    Raises:
        PositionError: Not two players, a depth below 1, or too many positions.
        GameOverError: The grill is empty.
        ObjectiveError: An objective that is neither ``win`` nor ``margin``.
    """
    most = check_max_states(max_states)
    model = Model(Position.of(position), Rules.of(rules), objective, depth)
    with workers() as run:
        with waiting(LISTING):
            listing = list_game(model, most, run)
        if listing is None:
            at_depth = "" if depth is None else f" at depth {depth}"
            raise TooManyPositionsError(
                f"{shown(str(model.start))} leads to more than {most:,} positions{at_depth}: "
                "raise max_states, or ask about fewer tiles"
            )
        return solve_listing(listing, progress=progress)


def solve_listing(listing: GameListing, *, progress: bool = False) -> GameSolution:
    """Solve a game whose positions are listed.

    Args:
        listing: The game.
        progress: Whether to show on standard error how far it is: a bar, or a line a minute.
    """
    with progress_bar("solve", listing.states, progress, delay=1) as bar:
        solution = solve(listing, bar.update)
    return GameSolution(replace(listing, run=run_here), solution)
