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

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from pickomino._checks import given, items_of, one_of, shown
from pickomino.ask.advisor import Advisor
from pickomino.dice import FACES, PIPS, WORM, keep_order
from pickomino.equipment import Equipment
from pickomino.errors import GameError, ObjectiveError
from pickomino.game.budgets import PER_MOVE, check_max_states
from pickomino.objectives import (
    OBJECTIVES,
    GameObjective,
    Objective,
    Outcome,
    check_game_objective,
    check_turn_objective,
    game_objective,
    payoff_of,
    turn_problem,
)
from pickomino.play.engine import Action, GameState, Keep, Roll, Stop, Take
from pickomino.position import Position
from pickomino.rules import Rules
from pickomino.tables.keys import MAX_TILES, Keys, make_keys, masks, stake
from pickomino.tables.lookup import Tables, open_tables
from pickomino.tables.spec import MAX_OPPONENTS
from pickomino.turn.graph import FloatArray, TurnGraph
from pickomino.turn.payoffs import TurnPayoffs, first_best, tie_tolerance
from pickomino.turn.solve import TurnSolution, solve

__all__ = [
    "PLAYERS",
    "CautiousPlayer",
    "ExactPlayer",
    "GamePlayer",
    "Player",
    "RandomPlayer",
    "TablePlayer",
    "best_claim",
    "make_player",
    "players_of",
]


class Player(Protocol):
    """Whoever plays a seat.

    A player may have a method ``check_game(start)`` too, which is called before a game begins with
    its first state, and raises a ``PickominoError`` if the player cannot play that game.
    """

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

    def __post_init__(self) -> None:
        _check_name(self.name)

    def choose(self, state: GameState, rng: np.random.Generator) -> Action:
        """One of ``state.actions`` by chance."""
        actions = given("state", state, GameState).actions
        return actions[given("rng", rng, np.random.Generator).integers(len(actions))]


@dataclass(frozen=True)
class CautiousPlayer:
    """Keeps the face that adds most, stops as soon as the total claims a tile."""

    name: str = "cautious"

    def __post_init__(self) -> None:
        _check_name(self.name)

    def choose(self, state: GameState, rng: np.random.Generator) -> Action:
        """One of ``state.actions`` by rule of thumb."""
        given("state", state, GameState)
        if state.roll is not None:
            adds = {
                f: state.roll.counts[f] * PIPS[f] for f in keep_order(state.roll, state.kept.mask)
            }
            if WORM in adds and not state.kept.counts[WORM]:
                adds[WORM] += PIPS[WORM]
            return Keep(FACES[max(adds, key=lambda face: (adds[face], face))])
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
        return cls.from_solution(solve(payoffs))

    @classmethod
    def from_solution(cls, solution: TurnSolution) -> _Policy:
        """Exact play of a solved turn."""
        return cls(solution.graph, solution.above, solution.rolls, solution.tolerance)

    def action(self, state: GameState) -> Action:
        """What to do while the turn goes on."""
        at = self.graph.state(state.kept)
        if state.roll is None:
            return Roll() if self.rolls[at] else Stop()
        counts = state.roll.counts
        faces = keep_order(state.roll, state.kept.mask)
        values = [self.above.item(self.graph.after(at, f, counts[f])) for f in faces]
        return Keep(FACES[faces[first_best(values, self.tolerance)]])


@dataclass
class _Memory:
    """What a player knows from its last decision; a player sent elsewhere begins without."""

    position: Position | None = None
    rules: Rules | None = None
    policy: _Policy | None = None
    payoff: Objective = "worms"
    advisor: Advisor | None = None
    tables: dict[tuple[Rules, Equipment], Tables] = field(default_factory=dict)

    def __reduce__(self) -> tuple[type[_Memory], tuple[()]]:
        return _Memory, ()


@dataclass(frozen=True)
class ExactPlayer:
    """Plays each turn exactly for a named objective.

    Attributes:
        objective: The name of the objective.

    Raises:
        ObjectiveError: An unknown name.
    """

    objective: str = "worms"
    _memory: _Memory = field(default_factory=_Memory, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_turn_objective(self.objective)

    @property
    def name(self) -> str:
        """The objective's name."""
        return self.objective

    def check_game(self, start: GameState) -> None:
        """Refuse a game whose dice cannot make the total that the objective asks for.

        Raises:
            ObjectiveError: Such a total.
        """
        payoff_of(self.objective, given("start", start, GameState).position)

    def choose(self, state: GameState, rng: np.random.Generator) -> Action:
        """The best of ``state.actions`` for this turn's payoff."""
        if len(given("state", state, GameState).actions) == 1:
            return state.actions[0]
        if state.ended:
            return best_claim(state, self.objective)
        last = self._memory
        if last.policy is None or last.position is not state.position or last.rules != state.rules:
            last.position, last.rules = state.position, state.rules
            last.policy = _policy(state.position, state.rules, self.objective)
        return last.policy.action(state)


def best_claim(state: GameState, objective: Objective) -> Take:
    """The open claim that pays most."""
    payoff = payoff_of(objective, state.position)
    takes = [action for action in state.actions if isinstance(action, Take)]
    values = [payoff(Outcome(state.kept.final, take.claim)) for take in takes]
    return takes[first_best(values, tie_tolerance(values))]


def _policy(position: Position, rules: Rules, objective: str) -> _Policy:
    if len(position.equipment.tiles) > MAX_TILES:
        return _Policy.of(turn_problem(position, rules, objective).payoffs)
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
        max_states: How many positions to solve on the spot at most.

    Raises:
        ObjectiveError: An objective that is neither ``win`` nor ``margin``.
        PositionError: A budget below 1.
    """

    objective: GameObjective = "win"
    max_states: int = PER_MOVE
    _memory: _Memory = field(default_factory=_Memory, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_game_objective(self.objective)
        object.__setattr__(self, "max_states", check_max_states(self.max_states))

    @property
    def name(self) -> str:
        """``game``, with the objective unless it is ``win``."""
        return "game" if self.objective == "win" else f"game:{self.objective}"

    def check_game(self, start: GameState) -> None:
        """Refuse a game of other than two, or one too large to solve that no table covers.

        Raises:
            MissingTableError: A game too large to solve, without a table of margins.
            PositionError: Not two players.
        """
        self._advisor(given("start", start, GameState).rules).ask(start.position)

    def choose(self, state: GameState, rng: np.random.Generator) -> Action:
        """The best of ``state.actions`` for the game.

        Raises:
            MissingTableError: A game too large to solve, without a table of margins.
            PositionError: Not two players.
        """
        if len(given("state", state, GameState).actions) == 1:
            return state.actions[0]
        last, advisor = self._memory, self._advisor(state.rules)
        if last.policy is None or last.position is not state.position:
            turn = advisor.ask(state.position).turn
            last.position, last.payoff = state.position, turn.problem.objective
            last.policy = _Policy.from_solution(cast(TurnSolution, turn.solution))
        if state.ended:
            return best_claim(state, last.payoff)
        return last.policy.action(state)

    def _advisor(self, rules: Rules) -> Advisor:
        """Who answers under some rules; what was remembered of other rules is forgotten."""
        last = self._memory
        if last.advisor is None or last.rules != rules:
            last.position, last.rules = None, rules
            last.advisor = Advisor(
                rules=rules, objective=self.objective, max_states=self.max_states, depths=False
            )
        return last.advisor


@dataclass(frozen=True)
class TablePlayer:
    """Plays each turn exactly, from a table in the usual places.

    Attributes:
        objective: The name of the objective.

    Raises:
        ObjectiveError: An unknown name.
    """

    objective: str = "worms"
    _memory: _Memory = field(default_factory=_Memory, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_turn_objective(self.objective)

    @property
    def name(self) -> str:
        """``table:`` and the objective."""
        return f"table:{self.objective}"

    def check_game(self, start: GameState) -> None:
        """Refuse a game without tables of whole turns against as many opponents.

        Raises:
            MissingTableError: No table covers a position of the game, with a top on each stack.
            TableError: A table that is needed and damaged.
        """
        position = given("start", start, GameState).position
        others = [p for p in position.opponents if not position.stacks[p]]
        tops = dict(zip(others, position.grill[:-1], strict=False))
        stacks = ((tops[p],) if p in tops else s for p, s in enumerate(position.stacks))
        grill = tuple(tile for tile in position.grill if tile not in tops.values())
        self._tables(start).turn(replace(position, grill=grill, stacks=tuple(stacks)))

    def choose(self, state: GameState, rng: np.random.Generator) -> Action:
        """The best of ``state.actions`` for this turn's payoff.

        Raises:
            MissingTableError: No table covers the position.
        """
        if len(given("state", state, GameState).actions) == 1:
            return state.actions[0]
        if state.ended:
            return best_claim(state, self.objective)
        tables = self._tables(state)
        if state.roll is not None:
            return Keep(tables.probe(state.position, state.kept, state.roll).best.face)
        return Stop() if tables.probe(state.position, state.kept).then == "stop" else Roll()

    def _tables(self, state: GameState) -> Tables:
        rules, box = state.rules, state.position.equipment
        opened = self._memory.tables
        if (rules, box) not in opened:
            opened[rules, box] = open_tables(rules=rules, equipment=box, objective=self.objective)
        return opened[rules, box]


def _check_name(name: object) -> None:
    """Refuse what cannot stand in results and on a terminal for a player.

    Raises:
        GameError: No text, or signs that cannot be printed.
    """
    if not isinstance(name, str) or not name or not name.isprintable():
        raise GameError(f"name={shown(name)} names nobody: use letters")


PLAYERS = ("random", "cautious", "game", "table")
"""The names of players beside those of the objectives of a turn."""


def make_player(text: str) -> Player:
    """A player by name.

    Args:
        text: ``random``, ``cautious``, ``game``, ``game:OBJECTIVE``, ``table``,
            ``table:OBJECTIVE``, or the name of an objective.

    Raises:
        GameError: A name that is none of these.
    """
    known: dict[str, Player] = {"random": RandomPlayer(), "cautious": CautiousPlayer()}
    kind, _, objective = given("text", text, str).partition(":")
    if text in known:
        return known[text]
    if kind == "game" and objective in ("", "win", "margin"):
        return GamePlayer(game_objective(objective) or "win")
    try:
        return TablePlayer(objective or "worms") if kind == "table" else ExactPlayer(text)
    except ObjectiveError:
        raise GameError(
            f"no player is called {shown(text)}: use {', '.join(PLAYERS)}, or an objective as "
            f"{one_of(OBJECTIVES)}"
        ) from None


def players_of(players: Sequence[Player | str]) -> tuple[Player, ...]:
    """The players themselves, names among them as :func:`make_player` reads them.

    Raises:
        GameError: A name that does not exist, or something that is no player.
    """
    listed = items_of(players)
    if listed is None:
        raise GameError(f"{shown(players)} are no players: give a list of them, or of their names")
    found = tuple(make_player(p) if isinstance(p, str) else p for p in listed)
    for player in found:
        if isinstance(player, type) or not callable(getattr(player, "choose", None)):
            raise GameError(f"{shown(player)} is no player: give one with a name and choose()")
        _check_name(getattr(player, "name", None))
    return found
