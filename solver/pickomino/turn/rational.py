"""The recursion of :mod:`pickomino.turn.solve` in rationals: slow, obvious, exact.

It shares nothing with the turn graph: rolls are listed by their faces, states are looked up by
(mask, dice left, total), and no float is involved.  It is the reference for the fast solvers and
gives users the exact value of a turn.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, lcm, prod

from pickomino._checks import count, given
from pickomino.dice import ALL_FACES, PIPS, WORM, Dice, check_kept, check_roll, keep_order
from pickomino.turn.payoffs import TurnPayoffs, dead_total, first_best, rolls_on
from pickomino.turn.solve import Choice, RankedKeep, Then, ranked

__all__ = ["Moves", "RationalSolution", "State", "offers"]

State = tuple[int, int, int]
"""Kept faces as bits, dice left, total."""

Moves = Counter[State | None]
"""Where the best keeps lead, each with how many of the 6^n rolls; None is a dead roll."""


@cache
def offers(mask: int, left: int) -> dict[tuple[tuple[int, int], ...], int]:
    """What a roll can offer to keep.

    Returns:
        For each offer, as (face, dice) pairs in tie order, how many of the 6^left rolls make it;
        a dead roll makes the empty one.
    """
    ways: Counter[tuple[tuple[int, int], ...]] = Counter()
    for faces in combinations_with_replacement(range(6), left):
        roll = Dice(tuple(faces.count(f) for f in range(6)))
        offer = tuple((f, roll.counts[f]) for f in keep_order(roll, mask))
        ways[offer] += factorial(left) // prod(factorial(c) for c in roll.counts)
    return dict(ways)


class RationalSolution:
    """A turn solved in rationals on demand; see :class:`pickomino.turn.solve.Solution`.

    Nothing is rounded, so that only choices of equal worth tie.

    A value is held as a whole number of units.  A roll of n dice divides by 6^n, and each further
    roll has fewer dice, so 6^(n + (n - 1) + ... + 1) units to the payoffs' common denominator make
    every value whole.
    """

    floor = 0
    tolerance = 0

    def __init__(self, payoffs: TurnPayoffs) -> None:
        """Take the payoffs, floats among them as the rationals that they are."""
        by_total = tuple(Fraction(x) for x in given("payoffs", payoffs, TurnPayoffs).by_total)
        self.payoffs = TurnPayoffs(by_total, payoffs.may_stop, payoffs.keep_sum)
        common = lcm(*(x.denominator for x in by_total))
        self._rolls = 6 ** sum(range(payoffs.dice + 1))
        self._unit = common * self._rolls
        self._ends = [int(x * self._unit) for x in by_total]
        self._values: dict[State, int] = {}
        self._rolled: dict[State, int] = {}
        self._moved: dict[State, Moves] = {}

    def __repr__(self) -> str:
        return f"RationalSolution({self.payoffs.dice} dice, value {float(self.value()):.6g})"

    def value(self, kept: Dice | str = "") -> Fraction:
        return Fraction(self._value(self._state(kept)), self._unit)

    def roll_value(self, kept: Dice | str) -> Fraction | None:
        state = self._state(kept)
        return None if _over(state) else Fraction(self._roll_value(state), self._unit)

    def stop_value(self, kept: Dice | str) -> Fraction | None:
        state = self._state(kept)
        return Fraction(self._stop_value(state), self._unit) if self._may_stop(state) else None

    def end_value(self, total: int) -> Fraction:
        return Fraction(self._ends[count("total", total, len(self._ends) - 1)], self._unit)

    def then(self, kept: Dice | str) -> Then:
        return self._then(self._state(kept))

    def choice(self, kept: Dice | str) -> Choice[Fraction]:
        return Choice(
            self.value(kept), self.then(kept), self.roll_value(kept), self.stop_value(kept)
        )

    def keeps(self, kept: Dice | str, roll: Dice | str) -> tuple[RankedKeep[Fraction], ...]:
        before, thrown = Dice.of(kept), Dice.of(roll)
        check_roll(self.payoffs.dice, before, thrown)
        choices = {
            face: self.choice(before.plus(face, thrown.counts[face]))
            for face in keep_order(thrown, before.mask)
        }
        return ranked(choices, self.tolerance)

    def distribution(self, kept: Dice | str = "") -> tuple[Fraction, ...]:
        # In units of 1 / self._rolls, as a turn divides by no more than that.
        ended: Counter[int] = Counter()
        reach: list[Counter[State]] = [Counter() for _ in range(self.payoffs.dice + 1)]
        start = self._state(kept)
        reach[start[1]][start] = self._rolls
        # More dice left first: then every way into a state is known when its turn comes.
        for left in reversed(range(len(reach))):
            for state, p in reach[left].items():
                if self._then(state) != "roll":
                    ended[_final(state)] += p
                    continue
                for after, ways in self._moves(state).items():
                    share = p * ways // 6**left
                    if after is None:
                        ended[self._dead_total(state)] += share
                    else:
                        reach[after[1]][after] += share
        return tuple(Fraction(ended[total], self._rolls) for total in range(len(self._ends)))

    def rolled_values(self) -> dict[State, Fraction]:
        """The value of rolling in every state that can roll."""
        self.value()
        return {state: Fraction(value, self._unit) for state, value in self._rolled.items()}

    def _state(self, kept: Dice | str) -> State:
        dice = Dice.of(kept)
        check_kept(self.payoffs.dice, dice)
        return dice.mask, self.payoffs.dice - dice.number, dice.total

    def _value(self, state: State) -> int:
        if state not in self._values:
            if _over(state):
                value = self._stop_value(state)
            elif self._may_stop(state):
                value = max(self._stop_value(state), self._roll_value(state))
            else:
                value = self._roll_value(state)
            self._values[state] = value
        return self._values[state]

    def _may_stop(self, state: State) -> bool:
        return state[0] != 0 and (_over(state) or self.payoffs.may_stop[_final(state)])

    def _stop_value(self, state: State) -> int:
        return self._ends[_final(state)]

    def _roll_value(self, state: State) -> int:
        if state not in self._rolled:
            total = 0
            for after, ways in self._moves(state).items():
                dead = self._ends[self._dead_total(state)]
                total += ways * (dead if after is None else self._value(after))
            self._rolled[state] = total // 6 ** state[1]
        return self._rolled[state]

    def _then(self, state: State) -> Then:
        if _over(state):
            return "end"
        if not self._may_stop(state):
            return "roll"
        rolls = rolls_on(self._roll_value(state), self._stop_value(state), self.tolerance)
        return "roll" if rolls else "stop"

    def _moves(self, state: State) -> Moves:
        if state not in self._moved:
            mask, left, _ = state
            ways: Moves = Counter()
            for offer, count in offers(mask, left).items():
                children = [_after(state, f, k) for f, k in offer]
                best = first_best([self._value(c) for c in children], self.tolerance)
                ways[children[best] if children else None] += count
            self._moved[state] = ways
        return self._moved[state]

    def _dead_total(self, state: State) -> int:
        total: int = dead_total(_final(state), self.payoffs.keep_sum)
        return total


def _after(state: State, face: int, count: int) -> State:
    mask, left, total = state
    return mask | 1 << face, left - count, total + count * PIPS[face]


def _over(state: State) -> bool:
    return state[1] == 0 or state[0] == ALL_FACES


def _final(state: State) -> int:
    return state[2] if state[0] >> WORM & 1 else 0
