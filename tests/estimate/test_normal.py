"""Chances to win by approximation: the look ahead, and how near they are."""

import math
from dataclasses import replace

import numpy as np
import pytest

from pickomino import Claim, Outcome, Position, Rules, advise
from pickomino.estimate.normal import FACTORS, Chances
from pickomino.game.solve import solve_game
from pickomino.game.table import open_game
from samples import FOUR_TILES, START


def plain_chance(table, position):
    """The formula in floats, for a position with the player to move first."""
    lead = position.worms(0) - position.worms(1)
    factor = FACTORS[min(len(position.grill), 5)]
    z = factor * (lead + table.value_to_mover(position)) / max(table.deviation_of(position), 1e-3)
    return (1 + math.erf(z / math.sqrt(2))) / 2


def other_stacks(position):
    """The stacks of all but the mover."""
    return (position.stacks[player] for player in position.opponents)


def seen_next(position, claim):
    """The next position as its mover sees it."""
    then = position.after_claim(claim) if claim else position.after_bust(Rules())
    return Position(then.grill, then.stacks[::-1], 0, then.equipment)


def turns_ahead(first):
    """The positions that each further turn leads to for the first time, up to the end."""
    turns, found = [[first]], {first}
    while turns[-1]:
        new = []
        for here in turns[-1]:
            claims = {c for t in range(5, 21) for c in here.claims(t, Rules())}
            for claim in (*claims, None):
                then = seen_next(here, claim)
                if then.grill and then not in found:
                    found.add(then)
                    new.append(then)
        turns.append(new)
    return turns


OTHER = Position((10, 14), ((9,), (12,)), 1, FOUR_TILES)
LAST = Position((9,), ((14,), ()), 0, FOUR_TILES)


@pytest.mark.parametrize(
    ("position", "whole"),
    [(START, 1), (START, 2), (START, 4), (OTHER, 1), (OTHER, 2), (OTHER, 4), (LAST, 5)],
)
def test_looking_ahead_is_backward_induction(margin_table, position, whole):
    """As many whole turns as fit, by a walk over positions and one turn at a time."""
    turns = turns_ahead(replace(position, stacks=(position.own, *other_stacks(position)), mover=0))
    # One turn is always looked at; with room for whole turns the next, which is large, is not.
    ahead = 1 if whole == 1 else sum(map(len, turns[: whole + 1]))
    assert whole + 1 == len(turns) or sum(map(len, turns[: whole + 2])) > ahead + 12
    del turns[whole + 1 :]
    chances = Chances(
        open_game(margin_table, rules=Rules(), objective="margin", equipment=FOUR_TILES), ahead
    )
    first, payoff = turns[0][0], chances.payoff(position)
    values = {p: plain_chance(chances.table, p) for turn in turns for p in turn}

    def turn_of(here):
        def worth(outcome):
            then = seen_next(here, outcome.claim)
            if then.grill:
                return 1 - values[then]
            end = here.after_claim(outcome.claim) if outcome.claim else here.after_bust(Rules())
            winners = end.winners(Rules())
            return (0 in winners) / len(winners)

        return advise(here, "", None, rules=Rules(), objective=worth).value

    for turn in reversed(turns[1:-1]):
        values |= {here: turn_of(here) for here in turn}
    for claim in payoff.by_claim:
        victim = None if claim is None or claim.victim is None else 1
        then = seen_next(first, claim and Claim(claim.tile, victim))
        if then.grill:
            assert payoff(Outcome(0, claim)) == pytest.approx(1 - values[then], abs=1e-12)
    value = turn_of(first)
    expected = (value, 1 - value) if position.mover == 0 else (1 - value, value)
    assert chances.values(position) == pytest.approx(expected, abs=1e-12)


def test_approximate_chances_are_near_the_exact_ones(margin_table):
    """All positions of the small game: the look ahead makes the error smaller."""
    table = open_game(margin_table, rules=Rules(), objective="margin", equipment=FOUR_TILES)
    exact = solve_game(START, rules=Rules(), objective="win")
    errors = []
    for ahead in (1, 100):
        chances = Chances(table, ahead)
        found = []
        for words in exact.listing.words.tolist():
            position, _ = exact.model.unpack(words)
            turn = advise(position, "", None, rules=Rules(), objective=chances.payoff(position))
            found.append(turn.value - exact.value_to_mover(position))
        errors.append(np.sqrt(np.mean(np.square(found))))
    assert errors[0] < 0.05
    assert errors[1] < errors[0] / 3
