"""Zero-sum games of two players in turn, with chance: values by policy iteration, with bounds.

Both players know everything, so a state, seen by the player to move, has one value: what that
player gets when both play best from there.  A turn in state ``x`` ends with a reward and a next
state, seen by the other player, so a policy with rewards ``r`` and moves ``P`` that both follow is
worth

    V = r - P V

and an optimal one improves on that nowhere.  Play that never ends is worth 0 from there on.

States may lead to each other in circles.  So the states are cut into strongly connected components,
solved from the last ones backwards, each by policy iteration (Howard, *Dynamic Programming and
Markov Processes*, 1960), which changes the policy only where that gains something.  Improving both
players at once is fast but not proven to converge; where it does not settle, one player's best
reply is found inside the other's improvement, which is (Hoffman and Karp, *Management Science* 12,
1966).

The bounds do not rest on convergence.  Hold the policy that was found fixed for one player and let
the other reply best: as the mover the first gets no more than the value, the other no less.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy import sparse

from pickomino._runtime.shared import freeze
from pickomino.game._linear import solve_linear
from pickomino.game.levels import Tiered, levels
from pickomino.turn.graph import FloatArray, IntArray

__all__ = [
    "FAST_ROUNDS",
    "LEAK",
    "ROUNDING",
    "SETTLED",
    "SURE",
    "TURN",
    "Game",
    "Policy",
    "ProvenValues",
    "accumulate",
    "best_reply",
    "evaluate",
    "settle_safely",
    "solve",
    "solve_level",
]

SETTLED = 1e-13
"""Gains up to this, relative to the values, are taken for rounding; the bounds allow for them."""

ROUNDING = 1e-10
"""Gains up to this may be rounding: they are once a round does not lessen them."""

SURE = 1e-12
"""Chances to go on are taken for 1 when they miss it by no more, which is rounding of their sum."""

LEAK = 1e-15
"""How far chances to go on are lowered in the equations of errors: a few roundings of a double, and
enough for a solution where play never ends.
"""

TURN = 2e-14
"""What rounding may do to the value of one turn, relative to the values; some 3e-15 was seen."""

FAST_ROUNDS = 60
"""Rounds of improving both players at once, before the slower way that is proven to converge.

Games of up to seven tiles settle in 5 rounds or fewer; more than these go round in circles.
"""


@dataclass(frozen=True, eq=False)
class Policy:
    """A way of playing in some states.

    Attributes:
        move: ``(states, all states)`` the probability of each next state, sparse; what is missing
            to 1 ends the game.
        reward: ``(states,)`` the expected reward of a turn.
    """

    move: Any
    reward: FloatArray

    def __repr__(self) -> str:
        return f"Policy({len(self.reward):,} states)"

    def changed(self, rows: IntArray, to: Policy) -> Policy:
        """The policy with some rows taken from another, which has those rows only."""
        reward = self.reward.copy()
        reward[rows] = to.reward
        kept = np.ones(len(reward))
        kept[rows] = 0.0
        place = (np.ones(len(rows)), (rows, np.arange(len(rows))))
        spread = sparse.csr_array(place, shape=(len(reward), len(rows)))
        return Policy(sparse.diags_array(kept) @ self.move + spread @ to.move, reward)


class Game(Tiered, Protocol):
    """What is needed of a game to solve it."""

    @property
    def states(self) -> int:
        """How many states there are."""

    def values(self, states: IntArray, against: FloatArray) -> FloatArray:
        """The values of the best turns of some states.

        Args:
            states: ``(n,)`` which ones.
            against: ``(all states,)`` what each state is worth to the player to move there.
        """

    def policy(self, states: IntArray, against: FloatArray) -> Policy:
        """A policy that attains the values; its rows are those states."""


@dataclass(frozen=True, eq=False)
class ProvenValues:
    """A solved game.

    Attributes:
        value: ``(states,)`` the value of each state to the player to move.
        lower: ``(states,)`` what the policy found guarantees that player, whatever the other does.
        upper: ``(states,)`` what the same policy of the other player holds that player to.
        residual: The largest difference between a value and that of its best turn.
    """

    value: FloatArray
    lower: FloatArray
    upper: FloatArray
    residual: float

    def __post_init__(self) -> None:
        freeze(self)


def solve(game: Game, told: Callable[[int], object] = lambda states: None) -> ProvenValues:
    """Solve a game, and prove it.

    Args:
        game: Any game of the protocol; finitely many states.
        told: Called with the number of states that were just solved, level by level.

    Returns:
        Values with bounds that contain them, rounding of the linear equations included.
    """
    value, lower, upper = (np.zeros(game.states) for _ in range(3))
    residual = 0.0
    for inside, circular in levels(game):
        left = solve_level(game, inside, circular, (value, lower, upper))
        residual = max(residual, left)
        told(len(inside))
    return ProvenValues(value, lower, upper, residual)


def solve_level(
    game: Game,
    inside: IntArray,
    circular: bool,
    known: tuple[FloatArray, FloatArray, FloatArray],
) -> float:
    """Solve some states, those before them being known.

    Args:
        game: The game.
        inside: The states.
        circular: Whether they lead to each other.
        known: ``(all states,)`` three times, values, lower and upper bounds; filled in.

    Returns:
        The residual.
    """
    value, lower, upper = known
    if not circular:
        # A turn's value is off by no more than those of the states that it leads to.
        slack = max((value - lower).max(), (upper - value).max())
        value[inside] = game.values(inside, value)
        slack += TURN * max(1.0, float(abs(value[inside]).max()))
        lower[inside], upper[inside] = value[inside] - slack, value[inside] + slack
        return 0.0
    policy, best = _settle(game, inside, value)
    gain = best - value[inside]
    hero, villain, reply = value, value, policy
    residual = float(abs(gain).max())
    if gain.max() > _noise(value[inside]):
        hero, villain = value.copy(), value.copy()
        reply, gain = best_reply(game, inside, policy, hero, villain)
    slack = _rounding(policy, reply, inside, (hero, villain), known, gain)
    lower[inside], upper[inside] = hero[inside] - slack, villain[inside] + slack
    return residual


def evaluate(
    mine: Policy, theirs: Policy, inside: IntArray, known: tuple[FloatArray, FloatArray]
) -> tuple[FloatArray, FloatArray]:
    """What two policies are worth to each player as the mover.

    Args:
        mine: The first player's policy in some states.
        theirs: The second player's.
        inside: ``(n,)`` those states; all others that they lead to are known.
        known: ``(all states,)`` twice: the values of other states to the first and to the second
            player as the mover.

    Returns:
        The values of these states to the first and to the second player as the mover.
    """
    step, right = _system(mine, theirs, inside, known)
    values = solve_linear(*_ended(step, right), -1.0)
    return (values, values) if mine is theirs else (values[: len(inside)], values[len(inside) :])


def accumulate(policy: Policy, inside: IntArray, known: FloatArray) -> FloatArray:
    """What piles up while both players follow a policy: ``x = r + P x``.

    Args:
        policy: A policy in some states, its reward what is added each turn.
        inside: ``(n,)`` those states.
        known: ``(all states,)`` the sums from others; filled in.

    Returns:
        The sums from these states; 0 from where play never ends.
    """
    step, right = _system(policy, policy, inside, (-known, -known))
    known[inside] = solve_linear(*_ended(step, right), 1.0)
    return known[inside]


def _ended(step: Any, right: FloatArray) -> tuple[Any, FloatArray]:
    """The equations with 0 where play never leaves again: both pass, which wins nothing more."""
    closed = np.asarray(step.sum(axis=1)).ravel() >= 1 - SURE
    while closed.any():
        leaves = closed & (step @ ~closed > 0)
        if not leaves.any():
            break
        closed &= ~leaves
    if not closed.any():
        return step, right
    return sparse.diags_array((~closed).astype(float)) @ step, np.where(closed, 0.0, right)


def _system(
    mine: Policy, theirs: Policy, inside: IntArray, known: tuple[FloatArray, FloatArray]
) -> tuple[Any, FloatArray]:
    """The moves between the two players' states, and the right sides of ``x + move x = right``.

    Where both follow the same policy, their states are the same.
    """
    local = np.full(len(known[0]), -1, dtype=np.int32)
    local[inside] = np.arange(len(inside))
    n = len(inside)
    steps, rights = [], []
    for policy, ahead in ((mine, known[1]), (theirs, known[0])):
        move = policy.move.tocoo()
        to = local[move.col]
        stays = to >= 0
        kept = (move.data[stays], (move.row[stays], to[stays]))
        steps.append(sparse.csr_array(kept, shape=(n, n)))
        left = np.where(stays, 0.0, move.data * ahead[move.col])
        rights.append(policy.reward - np.bincount(move.row, left, n))
        if mine is theirs:
            return steps[0], rights[0]
    none = sparse.csr_array((n, n))
    blocks = [[none, steps[0]], [steps[1], none]]
    return sparse.csr_array(sparse.block_array(blocks)), np.concatenate(rights)


def best_reply(
    game: Game, inside: IntArray, fixed: Policy, hero: FloatArray, villain: FloatArray
) -> tuple[Policy, FloatArray]:
    """Let a villain reply best to a hero's fixed policy.

    Args:
        game: The game.
        inside: Some states; those that they lead to have their values already.
        fixed: The hero's policy there.
        hero: ``(all states,)`` the hero's values as the mover; filled in.
        villain: ``(all states,)`` the villain's values as the mover; filled in.

    Returns:
        The reply, and ``(n,)`` what a better one would still gain, which is rounding.
    """
    reply, last = fixed, np.inf
    while True:
        hero[inside], villain[inside] = evaluate(fixed, reply, inside, (hero, villain))
        gain = game.values(inside, hero) - villain[inside]
        if _settled(gain, last, villain[inside]):
            return reply, gain
        last = gain.max()
        reply = _improved(game, inside, reply, gain, hero)


def _settle(game: Game, inside: IntArray, value: FloatArray) -> tuple[Policy, FloatArray]:
    """Find the values of some states, the later ones being known.

    Returns:
        The policy that attains them, and the values of the best turns.
    """
    policy = game.policy(inside, value)
    for _ in range(FAST_ROUNDS):
        value[inside], _ = evaluate(policy, policy, inside, (value, value))
        best = game.values(inside, value)
        if (best - value[inside]).max() <= _noise(value[inside]):
            return policy, best
        policy = _improved(game, inside, policy, best - value[inside], value)
    policy = settle_safely(game, inside, policy, value)
    return policy, game.values(inside, value)


def settle_safely(game: Game, inside: IntArray, policy: Policy, value: FloatArray) -> Policy:
    """Settle some states with a best reply inside each improvement, which is proven to converge.

    Args:
        game: The game.
        inside: Some states; those that they lead to have their values already.
        policy: Where to begin.
        value: ``(all states,)`` the values; filled in.

    Returns:
        An optimal policy.
    """
    hero, villain, last = value.copy(), value.copy(), np.inf
    better = policy
    while True:
        best_reply(game, inside, better, hero, villain)
        gain = game.values(inside, villain) - hero[inside]
        if _settled(gain, last, hero[inside]):
            value[inside] = hero[inside]
            return better
        last = gain.max()
        better = _improved(game, inside, better, gain, villain)


def _improved(
    game: Game, inside: IntArray, policy: Policy, gain: FloatArray, against: FloatArray
) -> Policy:
    """A policy changed where that gains something."""
    better = np.flatnonzero(gain > SETTLED)
    return policy.changed(better, game.policy(inside[better], against))


def _noise(values: FloatArray) -> float:
    """Gains that may be rounding only."""
    return SETTLED * max(1.0, float(abs(values).max()))


def _settled(gain: FloatArray, last: float, values: FloatArray) -> bool:
    """Whether nothing but rounding is left to gain."""
    most = float(gain.max())
    return most <= _noise(values) or last <= most <= ROUNDING


def _rounding(
    mine: Policy,
    theirs: Policy,
    inside: IntArray,
    values: tuple[FloatArray, FloatArray],
    known: tuple[FloatArray, FloatArray, FloatArray],
    gain: FloatArray,
) -> FloatArray:
    """How far rounding may have moved the values of two policies, and a reply short of the best.

    An error that a state's equation leaves is passed on at most undiminished, so the errors ``e``
    satisfy ``e <= |left over| + move e``, whose solution bounds them.
    """
    step, right = _system(mine, theirs, inside, values)
    slack = np.maximum(known[0] - known[1], known[2] - known[0])
    slack[inside] = 0.0
    found = np.concatenate([v[inside] for v in values[: len(right) // len(inside)]])
    outside = np.concatenate([p.move @ slack for p in (mine, theirs)])[: len(right)]
    left_over = abs(found + step @ found - right) + outside
    left_over += TURN * max(1.0, float(abs(found).max()))
    left_over[-len(inside) :] += np.maximum(gain, 0.0)
    # Where both pass for ever the values are 0 by definition and carry no error.
    quiet = found == 0
    leak = sparse.diags_array(np.where(quiet, 0.0, 1 - LEAK)) @ step
    bound = solve_linear(leak, np.where(quiet, 0.0, left_over), 1.0)
    worst: FloatArray = np.maximum(bound[: len(inside)], bound[-len(inside) :])
    return worst
