"""Players: whoever chooses among the legal actions of a state.

==============  ===============================================================================
``random``      any legal action, all equally likely
``cautious``    a rule of thumb: keeps the face that adds most, the worm first when in doubt,
                and stops as soon as the total claims a tile
``worms``, ...  exact play of the turn for any named objective of :mod:`pickomino.objectives`
``game``        plays the whole game, for the chance to win: exactly at the end, from a table
                of margins before; ``game:margin`` for worms
``table``       exact play of the turn for worms, looked up in a table on disk;
                ``table:swing`` for another objective
==============  ===============================================================================
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pickomino.dice import FACES, PIPS, keep_order
from pickomino.equipment import STANDARD, Equipment
from pickomino.errors import GameError
from pickomino.objectives import (
    STEAL_PAYS,
    GameObjective,
    Objective,
    Outcome,
    TurnProblem,
    check_game_objective,
    payoff_of,
    total_payoff,
)
from pickomino.play.engine import Action, GameState, Keep, Roll, Stop, Take
from pickomino.position import Position
from pickomino.rules import Rules
from pickomino.tables.keys import Keys, make_keys, masks, stake
from pickomino.tables.lookup import Tables, open_tables
from pickomino.tables.spec import MAX_OPPONENTS
from pickomino.turn.graph import FloatArray, TurnGraph
from pickomino.turn.payoffs import TurnPayoffs, first_best, tie_tolerance
from pickomino.turn.solve import solve


class Player(Protocol):
    """Whoever plays a seat."""

    @property
    def name(self) -> str:
        """What to call the player in results."""

    def choose(self, state: GameState, rng: np.random.Generator) -> Action:
        """One of ``state.actions``.

        Args:
            state: A moment at which this player is to act.
            rng: Where a player who plays by chance takes it from.
        """


@dataclass(frozen=True)
class RandomPlayer:
    """Any legal action, all equally likely."""

    name: str = "random"

    def choose(self, state: GameState, rng: np.random.Generator) -> Action:
        """One of ``state.actions`` by chance."""
        return state.actions[rng.integers(len(state.actions))]


@dataclass(frozen=True)
class CautiousPlayer:
    """Keeps the face that adds most, stops as soon as the total claims a tile."""

    name: str = "cautious"

    def choose(self, state: GameState, rng: np.random.Generator) -> Action:
        """One of ``state.actions`` by rule of thumb."""
        if state.roll is not None:
            roll, without_worm = state.roll, not state.kept.counts[-1]
            faces = keep_order(roll, state.kept.mask)
            best = max(
                faces, key=lambda f: (roll.counts[f] * PIPS[f] + 5 * (f == 5 and without_worm), f)
            )
            return Keep(FACES[best])
        if state.ended:
            return state.actions[0]
        claims = state.position.claims(state.kept.final, state.rules)
        return Stop() if claims and state.kept.final and Stop() in state.actions else Roll()


@dataclass(frozen=True, eq=False)
class _Policy:
    """What exact play needs of a solved turn: the value of each state, and where it rolls."""

    graph: TurnGraph
    above: FloatArray
    rolls: NDArray[np.bool_]
    tolerance: float

    @classmethod
    def of(cls, payoffs: TurnPayoffs) -> _Policy:
        """Exact play for some payoffs."""
        solution = solve(payoffs)
        rolls = solution.rolled > solution.stopped + solution.tolerance
        return cls(solution.graph, solution.above, rolls, solution.tolerance)

    def action(self, state: GameState) -> Action:
        """What to do while the turn goes on."""
        at = self.graph.state(state.kept)
        if state.roll is None:
            return Roll() if self.rolls[at] else Stop()
        counts = state.roll.counts
        faces = keep_order(state.roll, state.kept.mask)
        values = [self.above.item(self.graph.after(at, f, counts[f])) for f in faces]
        return Keep(FACES[faces[first_best(values, self.tolerance)]])


@dataclass(frozen=True)
class ExactPlayer:
    """Plays each turn exactly for a named objective.

    Attributes:
        objective: The name of the objective.

    Raises:
        ObjectiveError: An unknown name.
    """

    objective: str = "worms"
    _turn: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.objective not in STEAL_PAYS:
            total_payoff(self.objective, STANDARD)

    @property
    def name(self) -> str:
        """The objective's name."""
        return self.objective

    def choose(self, state: GameState, rng: np.random.Generator) -> Action:
        """The best of ``state.actions`` for this turn's payoff."""
        if len(state.actions) == 1:
            return state.actions[0]
        if state.ended:
            return best_claim(state, self.objective)
        if self._turn.get("position") is not state.position or self._turn["rules"] != state.rules:
            policy = _policy(state.position, state.rules, self.objective)
            self._turn.update(position=state.position, rules=state.rules, policy=policy)
        action: Action = self._turn["policy"].action(state)
        return action


def best_claim(state: GameState, objective: Objective) -> Take:
    """The open claim that pays most."""
    payoff = payoff_of(objective, state.position)
    takes = [action for action in state.actions if isinstance(action, Take)]
    values = [payoff(Outcome(state.kept.final, take.claim)) for take in takes]
    return takes[first_best(values, tie_tolerance(values))]


def _policy(position: Position, rules: Rules, objective: str) -> _Policy:
    opponents = min(MAX_OPPONENTS, len(position.opponents))
    keys = make_keys(rules, position.equipment, objective, opponents)
    return _solved(keys, keys.vector(*masks(position)), stake(position))


@lru_cache(maxsize=8192)
def _solved(keys: Keys, vector: int, at_stake: int) -> _Policy:
    # Positions share their turns by the thousand: a match solves each payoff once.
    return _Policy.of(keys.payoffs(vector, at_stake))


@dataclass(frozen=True)
class GamePlayer:
    """Plays the whole game: exactly where it is small enough, from a table of margins before.

    Attributes:
        objective: ``win`` or ``margin``.
        budget: How many positions to solve on the spot at most.

    Raises:
        ObjectiveError: Another objective.
    """

    objective: GameObjective = "win"
    budget: int = 2000
    _turn: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_game_objective(self.objective)

    @property
    def name(self) -> str:
        """``game``, with the objective unless it is ``win``."""
        return "game" if self.objective == "win" else f"game:{self.objective}"

    def choose(self, state: GameState, rng: np.random.Generator) -> Action:
        """The best of ``state.actions`` for the game.

        Raises:
            MissingTableError: A game too large to solve, without a table of margins.
            PositionError: Another number of players than two.
        """
        if len(state.actions) == 1:
            return state.actions[0]
        turn, position = self._turn, state.position
        if turn.get("rules") != state.rules:
            from pickomino.game.judge import Judge  # with SciPy, so only if needed

            judge = Judge(state.rules, self.objective, self.budget, deepest=0)
            turn.update(rules=state.rules, judge=judge, position=None)
        if turn["position"] is not position:
            payoff = turn["judge"].verdict(position).payoff(position)
            payoffs = TurnProblem(position, state.rules, payoff).payoffs
            turn.update(position=position, payoff=payoff, policy=_Policy.of(payoffs))
        if state.ended:
            return best_claim(state, turn["payoff"])
        action: Action = turn["policy"].action(state)
        return action


@dataclass(frozen=True)
class TablePlayer:
    """Plays each turn exactly, from a table in the usual places.

    Attributes:
        objective: The name of the objective.
    """

    objective: str = "worms"
    _open: dict[tuple[Rules, Equipment], Tables] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @cached_property
    def name(self) -> str:
        """``table:`` and the objective."""
        return f"table:{self.objective}"

    def choose(self, state: GameState, rng: np.random.Generator) -> Action:
        """The best of ``state.actions`` for this turn's payoff.

        Raises:
            MissingTableError: No table covers the position.
        """
        if len(state.actions) == 1:
            return state.actions[0]
        if state.ended:
            return best_claim(state, self.objective)
        place = state.rules, state.position.equipment
        if place not in self._open:
            self._open[place] = open_tables(None, state.rules, self.objective, place[1])
        advice = self._open[place].probe(state.position, state.kept, state.roll or None)
        if state.roll is None:
            return Stop() if advice.then == "stop" else Roll()  # type: ignore[union-attr]
        return Keep(advice.best.face)  # type: ignore[union-attr]


def make_player(text: str) -> Player:
    """A player by name.

    Args:
        text: ``random``, ``cautious``, ``game``, ``game:OBJECTIVE``, ``table``,
            ``table:OBJECTIVE``, or the name of an objective.

    Raises:
        GameError: A name that is none of these.
    """
    known: dict[str, Player] = {"random": RandomPlayer(), "cautious": CautiousPlayer()}
    kind, _, objective = text.partition(":")
    if text in known:
        return known[text]
    if kind == "game" and objective in ("", "win", "margin"):
        return GamePlayer(objective or "win")  # type: ignore[arg-type]
    try:
        if kind == "table":
            return TablePlayer(ExactPlayer(objective or "worms").objective)
        return ExactPlayer(text)
    except ValueError:
        raise GameError(
            f"no player is called {text!r}: use random, cautious, game, table, or an objective "
            "such as worms, swing, total or reach:25"
        ) from None
