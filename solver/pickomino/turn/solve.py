"""The value of a turn: one Bellman recursion over the turn graph, for any payoff.

Let ``u(t)`` be the payoff of a turn that ends with final total ``t``, where ``t = 0`` stands for a
turn that ends without a worm or on a dead roll.  In a state with kept faces ``m``, ``n`` dice left
and total ``s``, whose final total is ``e = s`` if ``m`` holds a worm and 0 otherwise,

    V(m, n, s) = max( u(e) if the turn may stop,
                      sum over rolls of P(roll) * max over faces f in roll, f not in m,
                                                  of V(m + f, n - k_f, s + k_f pips_f) )

where ``k_f`` dice of the roll show ``f`` and a dead roll is worth ``u(0)``, or ``u(e)`` under the
``keep_sum`` rule.  The first roll is compulsory, and with all dice or faces kept V is ``u(e)``.
This is the finite-horizon recursion of Puterman, *Markov Decision Processes* (1994), section 4.3;
the horizon is the dice left, so one sweep by rising ``n`` solves it.

Which of two choices is taken, :mod:`pickomino.turn.payoffs` says.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Generic, Literal, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from pickomino._checks import count
from pickomino._runtime.shared import freeze
from pickomino.dice import Dice, check_roll, keep_order
from pickomino.turn.graph import FloatArray, TurnGraph, turn_graph
from pickomino.turn.payoffs import Number, TurnPayoffs, beats, dead_total, rank, rolls_on

__all__ = ["Choice", "RankedKeep", "Solution", "Then", "TurnSolution", "ranked", "solve"]

Then = Literal["roll", "stop", "end"]


N = TypeVar("N", bound=Number, covariant=True)


class Choice(NamedTuple, Generic[N]):
    """What to do with some dice kept, and what that is worth above the solution's floor.

    Attributes:
        value: The best expected payoff from here.
        then: Whether to ``roll`` or ``stop``, or ``end`` where dice or faces are spent.
        roll_value: The expected payoff of rolling on; None where the turn is over.
        stop_value: The payoff of ending the turn here; None where that is not legal.
    """

    value: N
    then: Then
    roll_value: N | None
    stop_value: N | None


def stop_ties(choice: Choice[Number], tolerance: Number) -> bool:
    """Whether the policy stops where rolling on is worth as much."""
    _, then, rolled, stopped = choice
    legal = then == "stop" and rolled is not None and stopped is not None
    return legal and not beats(stopped, rolled, tolerance)


class RankedKeep(NamedTuple, Generic[N]):
    """A face that a roll lets the player keep.

    Attributes:
        face: Its index, 0-4 for 1-5 and 5 for the worm.
        tie: Whether it is worth as much as the best.
        choice: What to do after keeping it.
    """

    face: int
    tie: bool
    choice: Choice[N]


class Solution(Protocol):
    """A solved turn, in floats or in rationals; ``kept`` are the dice kept so far, or text.

    A large constant in all payoffs would cost the digits in which choices differ, so ``choice`` and
    ``keeps`` speak of payoffs above ``floor``; the other methods add it.
    """

    @property
    def payoffs(self) -> TurnPayoffs:
        """What was solved."""

    @property
    def floor(self) -> Number:
        """What is taken off the payoffs in choices."""

    @property
    def tolerance(self) -> Number:
        """Choices that differ by at most this are ties."""

    def value(self, kept: Dice | str) -> Number:
        """The best expected payoff from here."""

    def roll_value(self, kept: Dice | str) -> Number | None:
        """The expected payoff of rolling on; None where the turn is over."""

    def stop_value(self, kept: Dice | str) -> Number | None:
        """The payoff of ending the turn here; None where that is not legal."""

    def end_value(self, total: int) -> Number:
        """The payoff of a turn that ends with this final total."""

    def then(self, kept: Dice | str) -> Then:
        """What to do with these dice kept; ``end`` where dice or faces are spent."""

    def choice(self, kept: Dice | str) -> Choice[Number]:
        """What to do with these dice kept, in payoffs above the floor."""

    def keeps(self, kept: Dice | str, roll: Dice | str) -> tuple[RankedKeep[Number], ...]:
        """The faces of a roll that may be kept, best first; none after a dead roll.

        Their payoffs are above the floor.
        """

    def distribution(self, kept: Dice | str) -> tuple[Number, ...]:
        """The probability of each final total from here under the optimal policy."""


@dataclass(frozen=True, eq=False)
class TurnSolution:
    """A turn solved in floating point; see :class:`Solution` for the methods.

    The arrays hold payoffs above the least one, so that a large constant in all payoffs costs no
    digits.

    Attributes:
        graph: The turn graph.
        payoffs: What was solved.
        floor: The least payoff.
        tolerance: Choices that differ by at most this are ties.
        above: ``(states,)`` the value of each state, minus ``floor``.
        rolled: ``(states,)`` the value of rolling, minus ``floor``; ``-inf`` where it is over.
        stopped: ``(states,)`` the value of ending here, minus ``floor``; ``-inf`` where illegal.
    """

    graph: TurnGraph
    payoffs: TurnPayoffs
    floor: Number
    tolerance: float
    above: FloatArray
    rolled: FloatArray
    stopped: FloatArray

    def __post_init__(self) -> None:
        freeze(self)

    def __repr__(self) -> str:
        return f"TurnSolution({self.graph.dice} dice, value {self.value():.6g})"

    def value(self, kept: Dice | str = "") -> float:
        return float(self.floor + float(self.above[self.graph.state(kept)]))

    def roll_value(self, kept: Dice | str) -> float | None:
        above = _legal(self.rolled[self.graph.state(kept)])
        return None if above is None else float(self.floor + above)

    def stop_value(self, kept: Dice | str) -> float | None:
        above = _legal(self.stopped[self.graph.state(kept)])
        return None if above is None else float(self.floor + above)

    def end_value(self, total: int) -> float:
        ends = self.payoffs.by_total
        return float(ends[count("total", total, len(ends) - 1)])

    def then(self, kept: Dice | str) -> Then:
        return self._then(self.graph.state(kept))

    def _then(self, state: int) -> Then:
        if not self.graph.can_roll(state):
            return "end"
        return "roll" if self.rolls[state] else "stop"

    def choice(self, kept: Dice | str) -> Choice[float]:
        return self._choice(self.graph.state(kept))

    def _choice(self, state: int) -> Choice[float]:
        rolled, stopped = _legal(self.rolled[state]), _legal(self.stopped[state])
        return Choice(float(self.above[state]), self._then(state), rolled, stopped)

    def keeps(self, kept: Dice | str, roll: Dice | str) -> tuple[RankedKeep[float], ...]:
        before, thrown = Dice.of(kept), Dice.of(roll)
        check_roll(self.graph.dice, before, thrown)
        state = self.graph.state(before)
        choices = {
            face: self._choice(self.graph.after(state, face, thrown.counts[face]))
            for face in keep_order(thrown, before.mask)
        }
        return ranked(choices, self.tolerance)

    def distribution(self, kept: Dice | str = "") -> tuple[float, ...]:
        graph, final = self.graph, self.graph.final
        ended_dead = dead_total(final, self.payoffs.keep_sum)
        reach = np.zeros(graph.states)
        reach[graph.state(kept)] = 1.0
        ended = np.zeros(len(self.payoffs.by_total))
        for level, choice in zip(reversed(graph.levels), reversed(self._choices), strict=True):
            at = level.states
            rolling = np.where(self.rolls[at], reach[at], 0.0)
            if not rolling.any():
                continue
            reach[at] -= rolling
            ended += np.bincount(ended_dead[at], rolling * graph.dead[at], len(ended))
            rolls = np.diff(level.start, append=len(level.prob))
            reach += np.bincount(choice, np.repeat(rolling, rolls) * level.prob, graph.states)
        return tuple((ended + np.bincount(final, reach, len(ended))).tolist())

    @cached_property
    def rolls(self) -> NDArray[np.bool_]:
        """``(states,)`` where the policy rolls."""
        where: NDArray[np.bool_] = rolls_on(self.rolled, self.stopped, self.tolerance)
        where.setflags(write=False)
        return where

    @cached_property
    def _choices(self) -> tuple[NDArray[np.intp], ...]:
        """For each level, the state that the policy's keep leads to after each roll."""
        above = np.append(self.above, -np.inf)
        chosen = []
        for level in self.graph.levels:
            held = level.child[0].copy()
            for option in level.child[1:]:
                better = beats(above[option], above[held], self.tolerance)
                held[better] = option[better]
            chosen.append(held)
        return tuple(chosen)


def _legal(above: np.float64) -> float | None:
    """A value of an array, None where it stands for what is not legal."""
    return None if above == -np.inf else float(above)


def ranked(choices: dict[int, Choice[N]], tolerance: Number) -> tuple[RankedKeep[N], ...]:
    """Order the faces that may be kept, given in the order that breaks ties, best first."""
    order = rank({face: choice.value for face, choice in choices.items()}, tolerance)
    return tuple([RankedKeep(face, tie, choices[face]) for face, tie in order])


def solve(payoffs: TurnPayoffs) -> TurnSolution:
    """Solve a turn with NumPy, level by level.

    Args:
        payoffs: What each way to end is worth.

    Returns:
        The solved turn; policy and distributions are worked out when asked for.
    """
    graph = turn_graph(payoffs.dice)
    floor = payoffs.floor
    by_total = np.array([float(x - floor) for x in payoffs.by_total])
    end = by_total[graph.final]
    over = graph.first_rolling
    stopped = np.where(np.array(payoffs.may_stop)[graph.final], end, -np.inf)
    stopped[:over] = end[:over]
    stopped[graph.root] = -np.inf
    rolled = graph.dead * by_total[dead_total(graph.final, payoffs.keep_sum)]
    rolled[:over] = -np.inf
    above = np.append(end, -np.inf)  # the last one stands for an impossible keep
    for level in graph.levels:
        at = level.states
        best = above.take(level.child).max(axis=0)
        best *= level.prob
        rolled[at] += np.add.reduceat(best, level.start)
        np.maximum(rolled[at], stopped[at], out=above[at])
    return TurnSolution(
        graph, payoffs, floor, float(payoffs.tolerance), above[:-1], rolled, stopped
    )
