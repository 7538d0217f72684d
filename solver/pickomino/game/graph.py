"""The positions of a two-player game, and what each turn can make of them.

The turn of a position is the turn problem whose payoff for a final total is the best
``r_c - V(next_c)`` among the claims ``c`` that the total may make.  For ``margin``, ``r_c`` is the
change of the mover's worms minus the opponent's; for ``win`` it is 0 until the game ends, and then
1, 0 or -1, so that the chance to win, a shared win counting half, is ``(1 + V) / 2``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, get_args

import joblib
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pickomino.batch import solve_batch
from pickomino.errors import ObjectiveError, PositionError
from pickomino.game.stochastic import Policy
from pickomino.graph import FloatArray, IntArray
from pickomino.position import Claim, Position
from pickomino.rules import Rules

GameObjective = Literal["win", "margin"]
MAX_STATES = 200_000
BLOCK = 1024


@dataclass(frozen=True, eq=False)
class GameGraph:
    """All positions that a position leads to; a game of :mod:`pickomino.game.stochastic`.

    An *option* is a claim or the bust; those of one state and class of totals lie together, highest
    tile first.

    Attributes:
        rules: The rule set.
        positions: The live positions, each with the player to move as player 1; the first is the
            position asked about.
        start: ``(states * classes + 1,)`` where the options of each state and class begin.
        successor: ``(options,)`` the state that an option leads to; -1 when the game is over.
        reward: ``(options,)`` what it wins at once for the player who makes it.
        class_of: ``(totals,)`` the class of each final total; 0 is a turn without a worm.
        may_stop: ``(states, totals)`` where the turn may be ended on purpose.
    """

    rules: Rules
    positions: list[Position]
    start: IntArray
    successor: IntArray
    reward: FloatArray
    class_of: IntArray
    may_stop: NDArray[np.bool_]

    @property
    def states(self) -> int:
        """How many live positions there are."""
        return len(self.positions)

    @property
    def classes(self) -> int:
        """How many classes of totals there are."""
        return int(self.class_of.max()) + 1

    @cached_property
    def index(self) -> dict[tuple[Any, ...], int]:
        """The number of each position, by grill and stacks."""
        return {_key(position): number for number, position in enumerate(self.positions)}

    def edges(self) -> tuple[IntArray, IntArray]:
        """Which positions some turn leads from and to."""
        source = np.repeat(np.arange(self.states), self.classes)
        source = np.repeat(source, np.diff(self.start))
        live = self.successor >= 0
        return source[live], self.successor[live]

    def improve(self, states: IntArray, against: FloatArray) -> tuple[FloatArray, Policy]:
        """The best turns of some positions; see :class:`pickomino.game.stochastic.Game`."""
        values, share, chosen = self.best_turns(states, against)
        return values, self.policy(share, chosen)

    def best_turns(
        self, states: IntArray, against: FloatArray
    ) -> tuple[FloatArray, FloatArray, IntArray]:
        """The best turns of some positions, and what they do.

        Returns:
            ``(n,)`` values, ``(n, classes)`` the probability that the turn ends in each class, and
            ``(n, classes)`` the number of the option made there.
        """
        payoff = self.reward - np.where(self.successor >= 0, against[self.successor], 0.0)
        blocks = [states[at : at + BLOCK] for at in range(0, len(states), BLOCK)]
        if len(blocks) == 1:
            return self._best_turns(states, payoff)
        # Threads, as the compiled solver lets go of the interpreter.
        solve = joblib.delayed(self._best_turns)
        parts = joblib.Parallel(-1, backend="threading")(solve(b, payoff) for b in blocks)
        values, share, chosen = (np.concatenate(part) for part in zip(*parts, strict=True))
        return values, share, chosen

    def _best_turns(
        self, states: IntArray, payoff: FloatArray
    ) -> tuple[FloatArray, FloatArray, IntArray]:
        best, options = self._best_options(states, payoff)
        by_total = best.reshape(-1, self.classes)[:, self.class_of]
        values, share = self._solve(states, by_total)
        return values, share, options.reshape(-1, self.classes)

    def policy(self, share: FloatArray, chosen: IntArray) -> Policy:
        """The policy that makes an option for each class of totals.

        Args:
            share: ``(states, classes)`` the probability that the turn ends in each class.
            chosen: ``(states, classes)`` the number of the option made there.
        """
        rows = np.repeat(np.arange(len(share)), self.classes)
        probability, successor = share.ravel(), self.successor[chosen.ravel()]
        live = (successor >= 0) & (probability > 0)
        triple = (probability[live], (rows[live], successor[live]))
        move = sparse.csr_array(triple, shape=(len(share), self.states))
        return Policy(move, (share * self.reward[chosen]).sum(axis=1))

    def _best_options(self, states: IntArray, payoff: FloatArray) -> tuple[FloatArray, IntArray]:
        """For each state and class in turn the highest payoff, and the first option that has it."""
        cells = (states[:, None] * self.classes + np.arange(self.classes)).ravel()
        sizes = self.start[cells + 1] - self.start[cells]
        first = np.cumsum(sizes) - sizes
        options = np.repeat(self.start[cells] - first, sizes) + np.arange(sizes.sum())
        best = np.maximum.reduceat(payoff[options], first)
        good = payoff[options] == np.repeat(best, sizes)
        place = np.where(good, np.arange(len(options)), len(options))
        return best, options[np.minimum.reduceat(place, first)]

    def _solve(self, states: IntArray, by_total: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The values of turns, and the probability of each class of totals."""
        solved = solve_batch(
            by_total,
            self.may_stop[states],
            keep_sum=self.rules.dead_roll == "keep_sum",
            distribution=True,
        )
        assert solved.distribution is not None
        share = np.zeros((len(states), self.classes))
        np.add.at(share.T, self.class_of, solved.distribution.T)
        return solved.value, share


def game_graph(
    position: Position, rules: Rules, objective: GameObjective, max_states: int = MAX_STATES
) -> GameGraph:
    """Every position that play can lead to.

    Args:
        position: Where to begin: two players, and the game not over.
        rules: The rule set.
        objective: ``win`` or ``margin``.
        max_states: How many positions to take on at most.

    Raises:
        PositionError: Another number of players, or more positions than ``max_states``.
        GameOverError: The grill is empty.
        ObjectiveError: Another objective.
    """
    if objective not in get_args(GameObjective):
        raise ObjectiveError(f"no game objective is called {objective!r}: use win or margin")
    if len(position.stacks) != 2:
        raise PositionError(
            f"{str(position)!r} has {len(position.stacks)} players: games are solved for two"
        )
    position.check_not_over()
    class_of, totals = _classes(position)
    first = seen_by_mover(position)
    index, positions = {_key(first): 0}, [first]
    start, successor, reward = [0], list[int](), list[float]()
    claimable: list[list[bool]] = []
    for here in positions:  # which grows meanwhile
        made: dict[Claim | None, tuple[int, float]] = {}
        claimable.append([])
        for total in totals:
            claims: Sequence[Claim | None] = here.claims(total, rules) if total else ()
            claimable[-1].append(bool(claims))
            for claim in claims or (None,):
                if claim not in made:
                    after = here.after_claim(claim) if claim else here.after_bust(rules)
                    number = -1 if after.is_over else _number(after, index, positions)
                    made[claim] = number, _reward(here, after, rules, objective)
                successor.append(made[claim][0])
                reward.append(made[claim][1])
            start.append(len(successor))
        if len(positions) > max_states:
            raise PositionError(
                f"{str(position)!r} leads to more than {max_states:,} positions: allow more with "
                "--max-states, or ask about fewer tiles"
            )
    stops = {
        "any_time": np.ones((len(positions), len(class_of)), dtype=bool),
        "worm_required": np.tile(np.arange(len(class_of)) >= 5, (len(positions), 1)),
        "claim_required": np.array(claimable)[:, class_of],
    }[rules.stop]
    return GameGraph(
        rules, positions, np.array(start), np.array(successor), np.array(reward), class_of, stops
    )


def _classes(position: Position) -> tuple[IntArray, list[int]]:
    """The class of each total, and a total of each class: 0 for those that claim nothing."""
    # Totals between the same two tiles claim alike.
    tiles, highest = position.equipment.tiles, position.equipment.max_total
    lowest = max(5, tiles[0])
    kinds = [
        (sum(t > x for x in tiles), t in tiles) if t >= lowest else (-1, False)
        for t in range(highest + 1)
    ]
    names = sorted({(-1, False), *kinds})
    totals = [kinds.index(name) if name[0] >= 0 else 0 for name in names]
    return np.array([names.index(kind) for kind in kinds]), totals


def seen_by_mover(position: Position) -> Position:
    """The same position with the player to move as player 1."""
    return (
        position
        if position.mover == 0
        else replace(position, stacks=position.stacks[::-1], mover=0)
    )


def _key(position: Position) -> tuple[Any, ...]:
    return position.grill, position.stacks


def _number(after: Position, index: dict[tuple[Any, ...], int], positions: list[Position]) -> int:
    seen = seen_by_mover(after)
    number = index.setdefault(_key(seen), len(positions))
    if number == len(positions):
        positions.append(seen)
    return number


def _reward(before: Position, after: Position, rules: Rules, objective: GameObjective) -> float:
    """What the mover of ``before`` wins at once."""
    if objective == "win":
        winners = after.winners(rules) if after.is_over else (0, 1)
        return 0.0 if len(winners) == 2 else 1.0 if winners == (before.mover,) else -1.0
    gain = [after.worms(p) - before.worms(p) for p in (before.mover, 1 - before.mover)]
    return float(gain[0] - gain[1])
