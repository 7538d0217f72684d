"""The recursion of :mod:`pickomino.turn.solve` in rationals: slow, obvious, exact.

It shares nothing with the turn graph: rolls are listed by their faces, states are looked up by
(mask, dice left, total), and no float is involved.  It is the reference for the fast solvers and
gives users the exact value of a turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod

from pickomino.dice import ALL_FACES, PIPS, WORM, Dice, check_kept, keep_order
from pickomino.turn.payoffs import Number, TurnPayoffs, first_best, rank
from pickomino.turn.solve import Then

State = tuple[int, int, int]
"""Kept faces as bits, dice left, total."""


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
    """A turn solved in rationals on demand; see :class:`pickomino.turn.solve.Solution`."""

    def __init__(self, payoffs: TurnPayoffs) -> None:
        """Take the payoffs, floats among them as the rationals that they are."""
        self._by_total = tuple(Fraction(x) for x in payoffs.by_total)
        self.payoffs = TurnPayoffs(self._by_total, payoffs.may_stop, payoffs.keep_sum)
        self.tolerance = self.payoffs.tolerance
        self._values: dict[State, Fraction] = {}
        self._rolled: dict[State, Fraction] = {}

    def value(self, kept: Dice | str = "") -> Fraction:
        return self._value(self._state(kept))

    def roll_value(self, kept: Dice | str) -> Fraction | None:
        return self._roll_value(self._state(kept))

    def stop_value(self, kept: Dice | str) -> Fraction | None:
        return self._stop_value(self._state(kept))

    def end_value(self, total: int) -> Fraction:
        return self._by_total[total]

    def then(self, kept: Dice | str) -> Then:
        return self._then(self._state(kept))

    def rank(self, kept: Dice | str, roll: Dice | str) -> tuple[tuple[int, bool], ...]:
        kept, roll = Dice.of(kept), Dice.of(roll)
        state = self._state(kept)
        values: dict[int, Number] = {
            f: self._value(_after(state, f, roll.counts[f])) for f in keep_order(roll, kept.mask)
        }
        return rank(values, self.tolerance)

    def distribution(self, kept: Dice | str = "") -> tuple[Fraction, ...]:
        ended = [Fraction(0)] * len(self._by_total)
        reach = {self._state(kept): Fraction(1)}
        while reach:
            # More dice left first: then every way into a state is known when its turn comes.
            state = max(reach, key=lambda s: s[1])
            p = reach.pop(state)
            if self._then(state) != "roll":
                ended[_final(state)] += p
                continue
            for next_state, share in self._moves(state):
                if next_state is None:
                    ended[self._dead_total(state)] += p * share
                else:
                    reach[next_state] = reach.get(next_state, Fraction(0)) + p * share
        return tuple(ended)

    def rolled_values(self) -> dict[State, Fraction]:
        """The value of rolling in every state that can roll."""
        self.value()
        return self._rolled

    def _state(self, kept: Dice | str) -> State:
        kept = Dice.of(kept)
        check_kept(self.payoffs.dice, kept)
        return kept.mask, self.payoffs.dice - kept.number, kept.total

    def _value(self, state: State) -> Fraction:
        if state not in self._values:
            options = (self._stop_value(state), self._roll_value(state))
            self._values[state] = max(v for v in options if v is not None)
        return self._values[state]

    def _stop_value(self, state: State) -> Fraction | None:
        if state[0] and (_over(state) or self.payoffs.may_stop[_final(state)]):
            return self._by_total[_final(state)]
        return None

    def _roll_value(self, state: State) -> Fraction | None:
        if _over(state):
            return None
        if state not in self._rolled:
            self._rolled[state] = sum(
                (
                    share
                    * (
                        self._by_total[self._dead_total(state)]
                        if after is None
                        else self._value(after)
                    )
                    for after, share in self._moves(state)
                ),
                Fraction(0),
            )
        return self._rolled[state]

    def _then(self, state: State) -> Then:
        roll, stop = self._roll_value(state), self._stop_value(state)
        if roll is None:
            return "end"
        return "roll" if stop is None or first_best((stop, roll), self.tolerance) else "stop"

    def _moves(self, state: State) -> Iterator[tuple[State | None, Fraction]]:
        """Where the best keeps lead, with probabilities; None is a dead roll."""
        mask, left, _ = state
        ways: Counter[State | None] = Counter()
        for offer, count in offers(mask, left).items():
            children = [_after(state, f, k) for f, k in offer]
            best = first_best([self._value(c) for c in children], self.tolerance)
            ways[children[best] if children else None] += count
        for after, count in ways.items():
            yield after, Fraction(count, 6**left)

    def _dead_total(self, state: State) -> int:
        return self.payoffs.dead_total(_final(state))


def _after(state: State, face: int, count: int) -> State:
    mask, left, total = state
    return mask | 1 << face, left - count, total + count * PIPS[face]


def _over(state: State) -> bool:
    return state[1] == 0 or state[0] == ALL_FACES


def _final(state: State) -> int:
    return state[2] if state[0] >> WORM & 1 else 0
