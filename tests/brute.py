"""The turn by brute force: every ordered roll of every throw, in rationals.

It follows the text of the rules with lists of dice and knows neither states nor slots, so it
checks the solvers' encoding and weights.  Usable up to four dice.
"""

from fractions import Fraction
from functools import cache
from itertools import product

from pickomino.turn.payoffs import TurnPayoffs

PIPS = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "W": 5}


def brute_value(payoffs: TurnPayoffs) -> Fraction:
    """The best expected payoff of a turn from its first roll."""
    dice = payoffs.dice

    def final(kept: tuple[str, ...]) -> int:
        return sum(PIPS[d] for d in kept) if "W" in kept else 0

    def end(total: int) -> Fraction:
        return Fraction(payoffs.by_total[total])

    @cache
    def roll(kept: tuple[str, ...]) -> Fraction:
        worth = Fraction(0)
        for thrown in product("12345W", repeat=dice - len(kept)):
            faces = sorted(set(thrown) - set(kept))
            if faces:
                worth += max(
                    decide(tuple(sorted((*kept, *(d for d in thrown if d == face)))))
                    for face in faces
                )
            else:
                worth += end(final(kept) if payoffs.keep_sum else 0)
        return worth / 6 ** (dice - len(kept))

    @cache
    def decide(kept: tuple[str, ...]) -> Fraction:
        if len(kept) == dice or len(set(kept)) == 6:
            return end(final(kept))
        if payoffs.may_stop[final(kept)]:
            return max(end(final(kept)), roll(kept))
        return roll(kept)

    return roll(())
