"""Zero-sum games of two players in turn, with chance: values by policy iteration, with bounds.

Both players know everything, so a state, seen by the player to move, has one value: what that
player gets when both play best from there.  A turn in state ``x`` ends with a reward and a next
state, seen by the other player, so a policy with rewards ``r`` and moves ``P`` that both follow is
worth

    V = r - P V

and an optimal one improves on that nowhere.  Play that never ends is worth 0 from there on.

States may lead to each other in circles.  So the states are cut into strongly connected components,
solved from the last ones backwards, each by policy iteration (Howard, *Dynamic Programming and
Markov Processes*, 1960).  Improving both players at once is fast but not proven to converge; where
it does not settle, one player's best reply is found inside the other's improvement, which is
(Hoffman and Karp, *Management Science* 12, 1966).

The bounds do not rest on convergence.  Hold the policy that was found fixed for one player and let
the other reply best: as the mover the first gets no more than the value, the other no less.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph
from scipy.sparse.linalg import splu

from pickomino.graph import FloatArray, IntArray

SETTLED = 1e-13
FAST_ROUNDS = 60


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


class Game(Protocol):
    """What is needed of a game to solve it."""

    @property
    def states(self) -> int:
        """How many states there are."""

    def edges(self) -> tuple[IntArray, IntArray]:
        """Which states some turn leads from and to."""

    def improve(self, states: IntArray, against: FloatArray) -> tuple[FloatArray, Policy]:
        """The best turns of some states.

        Args:
            states: ``(n,)`` which ones.
            against: ``(all states,)`` what each state is worth to the player to move there.

        Returns:
            The values of the turns, and a policy that attains them; its rows are those states.
        """


@dataclass(frozen=True, eq=False)
class Solution:
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


def solve(game: Game) -> Solution:
    """Solve a game, and prove it.

    Args:
        game: Any game of the protocol; finitely many states.

    Returns:
        Values with bounds that contain them, rounding of the linear equations included.
    """
    value, hero, villain = (np.zeros(game.states) for _ in range(3))
    slack = np.zeros(game.states)
    residual = 0.0
    for inside in levels(game):
        policy = _settle(game, inside, value)
        residual = max(residual, float(abs(game.improve(inside, value)[0] - value[inside]).max()))
        reply = best_reply(game, inside, policy, hero, villain)
        slack[inside] = _rounding(policy, reply, inside, (hero, villain), slack)
    return Solution(value, hero - slack, villain + slack, residual)


def levels(game: Game) -> list[IntArray]:
    """The states in an order of solving: each level leads only to itself and to those before it."""
    source, successor = game.edges()
    n = game.states
    ones = np.ones(len(source), dtype=np.int8)
    count, part = csgraph.connected_components(
        sparse.csr_array((ones, (source, successor)), shape=(n, n)), connection="strong"
    )
    pairs = np.unique(part[source].astype(np.int64) * count + part[successor])
    tail, head = pairs // count, pairs % count
    tail, head = tail[tail != head], head[tail != head]
    level = np.full(count, -1)
    waiting = np.bincount(tail, minlength=count)
    by_head = np.argsort(head, kind="stable")
    begin = np.searchsorted(head[by_head], np.arange(count + 1))
    ready, number = np.flatnonzero(waiting == 0), 0
    while len(ready):
        level[ready] = number
        into = np.concatenate([by_head[begin[c] : begin[c + 1]] for c in ready])
        waiting -= np.bincount(tail[into], minlength=count)
        ready = np.unique(tail[into][waiting[tail[into]] == 0])
        number += 1
    of_state = level[part]
    order = np.argsort(of_state, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(of_state[order])) + 1)


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
    n = len(inside)
    # From some states play never leaves again: both pass for ever, which wins nothing more.
    _, part = csgraph.connected_components(step, connection="strong")
    leaving = np.zeros(part.max() + 1, dtype=bool)
    leaving[part[np.asarray(step.sum(axis=1)).ravel() < 1 - 1e-12]] = True
    arrow = step.tocoo()
    leaving[part[arrow.row[part[arrow.row] != part[arrow.col]]]] = True
    closed = ~leaving[part]
    equations = sparse.eye_array(2 * n) + sparse.diags_array((~closed).astype(float)) @ step
    values = splu(equations.tocsc()).solve(np.where(closed, 0.0, right))
    return values[:n], values[n:]


def _system(
    mine: Policy, theirs: Policy, inside: IntArray, known: tuple[FloatArray, FloatArray]
) -> tuple[Any, FloatArray]:
    """The moves between the two players' states, and the right sides of ``x + move x = right``."""
    outside = np.ones(len(known[0]))
    outside[inside] = 0.0
    right = np.concatenate(
        [
            mine.reward - mine.move @ (known[1] * outside),
            theirs.reward - theirs.move @ (known[0] * outside),
        ]
    )
    n = len(inside)
    none = sparse.csr_array((n, n))
    blocks = [[none, mine.move[:, inside]], [theirs.move[:, inside], none]]
    return sparse.csr_array(sparse.block_array(blocks)), right


def best_reply(
    game: Game, inside: IntArray, fixed: Policy, hero: FloatArray, villain: FloatArray
) -> Policy:
    """Let a villain reply best to a hero's fixed policy.

    Args:
        game: The game.
        inside: Some states; those that they lead to have their values already.
        fixed: The hero's policy there.
        hero: ``(all states,)`` the hero's values as the mover; filled in.
        villain: ``(all states,)`` the villain's values as the mover; filled in.

    Returns:
        The reply.
    """
    reply = fixed
    while True:
        hero[inside], villain[inside] = evaluate(fixed, reply, inside, (hero, villain))
        values, better = game.improve(inside, hero)
        if (values - villain[inside]).max() <= SETTLED:
            return reply
        reply = better


def _settle(game: Game, inside: IntArray, value: FloatArray) -> Policy:
    """Find the values of some states, the later ones being known; the policy that attains them."""
    for _ in range(FAST_ROUNDS):
        values, policy = game.improve(inside, value)
        value[inside], _ = evaluate(policy, policy, inside, (value, value))
        if abs(values - value[inside]).max() <= SETTLED:
            return policy
    return settle_safely(game, inside, policy, value)


def settle_safely(game: Game, inside: IntArray, policy: Policy, value: FloatArray) -> Policy:
    """The same with a best reply inside each improvement, which is proven to converge.

    Args:
        game: The game.
        inside: Some states; those that they lead to have their values already.
        policy: Where to begin.
        value: ``(all states,)`` the values; filled in.

    Returns:
        An optimal policy.
    """
    hero, villain = value.copy(), value.copy()
    while True:
        best_reply(game, inside, policy, hero, villain)
        values, better = game.improve(inside, villain)
        if (values - hero[inside]).max() <= SETTLED:
            value[inside] = hero[inside]
            return policy
        policy = better


def _rounding(
    mine: Policy,
    theirs: Policy,
    inside: IntArray,
    known: tuple[FloatArray, FloatArray],
    slack: FloatArray,
) -> FloatArray:
    """How far rounding may have moved the values of two policies, and a reply short of the best.

    An error that a state's equation leaves is passed on at most undiminished, so the errors ``e``
    satisfy ``e <= |left over| + move e``, whose solution bounds them.
    """
    step, right = _system(mine, theirs, inside, known)
    values = np.concatenate([known[0][inside], known[1][inside]])
    left_over = abs(values + step @ values - right) + 4 * SETTLED
    outside = slack.copy()
    outside[inside] = 0.0
    left_over += np.concatenate([mine.move @ outside, theirs.move @ outside])
    # Where both pass for ever the values are 0 by definition and carry no error.
    quiet = values == 0
    leak = sparse.diags_array(np.where(quiet, 0.0, 1 - 1e-15)) @ step
    equations = sparse.eye_array(len(values)) - leak
    bound = splu(equations.tocsc()).solve(np.where(quiet, 0.0, left_over))
    worst: FloatArray = np.maximum(bound[: len(inside)], bound[len(inside) :])
    return worst
