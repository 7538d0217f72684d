"""Many turns at once: the recursion of :mod:`pickomino.turn.solve` in compiled code.

The roll trees of the graph are walked in preorder with the running best keep of each depth on a
small stack, so that a roll costs one comparison.  Payoffs go through the walk together, as lanes
of one array, so that the compiler turns each step into vector instructions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pickomino._checks import flag, shown
from pickomino._runtime.compiled import kernel
from pickomino.dice import LEAST_TOTAL, MAX_DICE, PIPS, WORM
from pickomino.errors import ObjectiveError
from pickomino.turn.graph import FloatArray, IndexArray, Trees, turn_graph
from pickomino.turn.payoffs import (
    MAX_PAYOFF,
    MIN_SPREAD,
    TIE,
    beats,
    dead_total,
    exact_number,
    rolls_on,
)

__all__ = ["LANES", "BatchSolution", "Kernel", "solve_batch"]


LANES = 64
"""Payoffs that go through the compiled walk together.

Measured with eight dice: a turn takes 24 us by 8 lanes, 9 us by 32, 64 or 128; with distributions
56 us by 8, 37 us by 32, 35 us by 64 or more.  Fewer lanes waste less in the last block of a batch.
"""


@dataclass(frozen=True, eq=False)
class BatchSolution:
    """Many solved turns.

    Attributes:
        value: ``(batch,)`` the value of each turn from the empty hand.
        distribution: ``(batch, totals)`` the probability of each final total under the optimal
            policy; None if not asked for.
        rolled: ``(batch, rolling states)`` the value of rolling in each state of the turn graph
            that can roll; None if not asked for.
    """

    value: FloatArray
    distribution: FloatArray | None = None
    rolled: FloatArray | None = None


def solve_batch(
    by_total: ArrayLike,
    may_stop: ArrayLike,
    *,
    keep_sum: bool = False,
    distribution: bool = False,
    rolled: bool = False,
    tie: float = float(TIE),
) -> BatchSolution:
    """Solve many turns that differ in their payoffs.

    The first call compiles, some three seconds, unless an earlier process did.

    Args:
        by_total: ``(batch, totals)`` the payoff of each final total, as in
            :class:`pickomino.turn.solve.TurnPayoffs`; ``totals`` is five times the dice plus one.
        may_stop: ``(batch, totals)`` or ``(totals,)``: where the turn may be ended on purpose.
        keep_sum: Whether dead rolls end the turn with the sum so far.
        distribution: Whether to compute outcome distributions, which costs several times as much.
        rolled: Whether to return the value of rolling in every state.
        tie: Choices this close, as a fraction of the payoff range, are ties; only distributions
            depend on it.

    Returns:
        One result per payoff, the same however they are batched up to rounding.

    Raises:
        ObjectiveError: Shapes that do not fit each other, or payoffs that are not finite or huge.
    """
    keep_sum, distribution = flag("keep_sum", keep_sum), flag("distribution", distribution)
    rolled = flag("rolled", rolled)
    if not isinstance(tie, (int, float)) or not 0 <= tie <= 1:
        raise ObjectiveError(f"tie={shown(tie)} is no share of the range: use a number from 0 to 1")
    payoffs = np.array(_array_of(by_total, "biuf", "payoffs"), dtype=np.float64, ndmin=2)
    totals = payoffs.shape[1]
    if payoffs.ndim != 2 or totals not in range(6, PIPS[WORM] * MAX_DICE + 2, PIPS[WORM]):
        raise ObjectiveError(
            f"payoffs of shape {payoffs.shape} fit no dice: give 5 times the dice plus 1 a turn, "
            f"for 1 to {MAX_DICE} dice"
        )
    stops = _array_of(may_stop, "b", "flags, that is may_stop,")
    if stops.shape not in ((totals,), payoffs.shape):
        raise ObjectiveError(
            f"may_stop of shape {stops.shape} does not fit payoffs of shape {payoffs.shape}: "
            "give one flag a total"
        )
    payoffs[:, 1:LEAST_TOTAL] = payoffs[:, :1]  # totals that cannot occur
    if not (abs(payoffs) <= MAX_PAYOFF).all():
        raise ObjectiveError(f"a payoff is beyond {MAX_PAYOFF:g} or none: use smaller numbers")
    floor = payoffs.min(axis=1)
    payoffs -= floor[:, None]
    spread = payoffs.max(axis=1)
    unit = np.where((spread > 0) & (spread < MIN_SPREAD), spread, 1.0)
    payoffs /= unit[:, None]
    tolerance = tie * (spread / unit)
    stops = np.broadcast_to(stops, payoffs.shape)

    graph = turn_graph(totals // 5)
    batch = len(payoffs)
    lanes = 1 if batch == 1 else LANES
    values, distributions = _kernels(lanes)
    first = np.uint32(graph.first_rolling)
    states = _States(graph.trees, graph.child, graph.final, graph.dead, first)
    above = np.empty((graph.states, lanes))
    roll = np.empty((graph.states if rolled else 0, lanes))
    reach = np.empty((graph.states, lanes)) if distribution else None

    value_out = np.empty(batch)
    distribution_out = np.empty((batch, totals)) if distribution else None
    rolled_out = np.empty((batch, graph.states - graph.first_rolling)) if rolled else None
    for start in range(0, batch, lanes):
        used = min(lanes, batch - start)
        out = slice(start, start + used)
        block: slice | NDArray[np.intp] = out
        if used < lanes:
            # The last block is filled up with copies of its last payoff.
            block = np.minimum(np.arange(start, start + lanes), batch - 1)
        u, stop = payoffs[block].T.copy(), stops[block].T.copy()
        turns = _Turns(u, stop, keep_sum, tolerance[block])
        values(states, turns, above, roll)
        value_out[out] = above[graph.root, :used] * unit[out] + floor[out]
        if rolled_out is not None:
            above_floor = roll[graph.first_rolling :, :used].T
            rolled_out[out] = above_floor * unit[out, None] + floor[out, None]
        if distribution_out is not None:
            ended = np.zeros((totals, lanes))
            distributions(states, turns, above, reach, ended)
            distribution_out[out] = ended[:, :used].T
    return BatchSolution(value_out, distribution_out, rolled_out)


def _array_of(values: ArrayLike, kinds: str, what: str) -> NDArray[Any]:
    """An array of numbers or flags, given as whatever NumPy reads.

    Raises:
        ObjectiveError: Something else.
    """
    try:
        array = np.asarray(values)
        if array.dtype.kind == "O":
            exact = [exact_number(x) for x in array.flat]
            whole = all(isinstance(x, int) for x in exact)
            array = np.array(exact, np.int64 if whole else float).reshape(array.shape)
        known = array.dtype.kind in kinds and not isinstance(values, np.ma.MaskedArray)
    except Exception:  # what NumPy raises, and the values' own code
        known = False
    if not known:
        raise ObjectiveError(f"the {what} are {shown(values)}: give an array of them")
    if _loses_digits(array):
        raise ObjectiveError(
            f"the {what} have more digits than a double: take off what is the same in all of them"
        )
    return array


def _loses_digits(array: NDArray[Any]) -> bool:
    """Whether whole numbers, or those of more than double precision, would be rounded."""
    if array.dtype.kind in "iu":
        return bool((array > DOUBLE).any() or (array < -DOUBLE).any())
    return array.dtype.itemsize > 8 and bool((array != array.astype(np.float64)).any())


DOUBLE = 2**53
"""A double has every whole number up to this."""


class _States(NamedTuple):
    """The turn graph as the walks take it; see :class:`pickomino.turn.graph.TurnGraph`."""

    trees: Trees
    child: IndexArray
    final: IndexArray
    dead: FloatArray
    first: np.uint32


class _Turns(NamedTuple):
    """The turns that go through a walk together.

    Attributes:
        payoff: ``(totals, lanes)`` the payoff of each final total, the least of a lane being 0.
        may_stop: ``(totals, lanes)`` where each turn may be ended on purpose.
        keep_sum: Whether dead rolls end the turn with the sum so far.
        tolerance: ``(lanes,)`` payoffs that differ by at most this are ties.
    """

    payoff: FloatArray
    may_stop: NDArray[np.bool_]
    keep_sum: bool
    tolerance: FloatArray


Kernel = Callable[..., None]


@cache
def _kernels(lanes: int) -> tuple[Kernel, Kernel]:
    """The compiled backward and forward walks for a fixed number of lanes."""

    def values(states: _States, turns: _Turns, above: FloatArray, roll: FloatArray) -> None:
        """Fill in what each state is worth, and what rolling there is, unless that has no rows."""
        group_state, group_node, depth, slot, pair, prob = states.trees
        _, child, final, dead, first = states
        u, may_stop, keep_sum, _ = turns
        root = len(final) - 1
        best = np.full((7, lanes), -np.inf)
        total = np.empty(lanes)
        for s in range(first):
            for i in range(lanes):
                above[s, i] = u[final[s], i]
        for g in range(len(group_state) - 1):
            for s in range(group_state[g], group_state[g + 1]):
                for i in range(lanes):
                    total[i] = dead[s] * u[dead_total(final[s], keep_sum), i]
                after = child[s - first]
                x = group_node[g]
                while x < group_node[g + 1]:
                    d = depth[x]
                    c = after[slot[x]]
                    p = prob[x]
                    if pair[x]:
                        c2 = after[slot[x + one]]
                        p2 = prob[x + one]
                        for i in range(lanes):
                            b = best[d - one, i]
                            v = above[c, i]
                            v2 = above[c2, i]
                            total[i] += p * (v if v > b else b) + p2 * (v2 if v2 > b else b)
                        x = np.uint32(x + two)
                    else:
                        for i in range(lanes):
                            b = best[d - one, i]
                            v = above[c, i]
                            b = v if v > b else b
                            best[d, i] = b
                            total[i] += p * b
                        x = np.uint32(x + one)
                for i in range(lanes):
                    v = total[i]
                    if len(roll):
                        roll[s, i] = v
                    end = u[final[s], i]
                    if s != root and may_stop[final[s], i] and end > v:
                        v = end
                    above[s, i] = v

    def distributions(
        states: _States, turns: _Turns, above: FloatArray, reach: FloatArray, ended: FloatArray
    ) -> None:
        """Fill in how likely each state is reached, and add how likely each final total is."""
        group_state, group_node, depth, slot, _, prob = states.trees
        _, child, final, dead, first = states
        u, may_stop, keep_sum, tolerance = turns
        root = len(final) - 1
        held = np.full((7, lanes), -np.inf)
        choice = np.zeros((7, lanes), dtype=np.uint32)
        rolling = np.empty(lanes)
        reach[:] = 0.0
        reach[root] = 1.0
        for g in range(len(group_state) - 2, -1, -1):
            for s in range(group_state[g], group_state[g + 1]):
                some = False
                for i in range(lanes):
                    r = reach[s, i]
                    stops = s != root and may_stop[final[s], i]
                    if stops and not rolls_on(above[s, i], u[final[s], i], tolerance[i]):
                        ended[final[s], i] += r
                        r = 0.0
                    rolling[i] = r
                    some = some or r > 0.0
                if not some:
                    continue
                for i in range(lanes):
                    ended[dead_total(final[s], keep_sum), i] += rolling[i] * dead[s]
                after = child[s - first]
                for x in range(group_node[g], group_node[g + 1]):
                    d = depth[x]
                    c = after[slot[x]]
                    p = prob[x]
                    for i in range(lanes):
                        v = above[c, i]
                        h = held[d - one, i]
                        better = beats(v, h, tolerance[i])
                        held[d, i] = v if better else h
                        choice[d, i] = c if better else choice[d - one, i]
                    if p > 0.0:
                        for i in range(lanes):
                            reach[choice[d, i], i] += rolling[i] * p
        for s in range(first):
            for i in range(lanes):
                ended[final[s], i] += reach[s, i]

    # A plain 1 would make the indices signed, and numba look for negative ones at every step.
    one, two = np.uint32(1), np.uint32(2)
    jit = kernel((beats, rolls_on, dead_total), fastmath={"contract"}, error_model="numpy")
    return jit(values), jit(distributions)
