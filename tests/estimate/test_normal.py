"""Chances to win by approximation: the look ahead, and how near they are."""

import math

import numpy as np
import pytest

from pickomino import Claim, Outcome, Position, Rules, advise
from pickomino.estimate.normal import FACTORS, Chances, _positions_ahead
from pickomino.game.model import Model, seen_by_mover
from pickomino.game.solve import solve_game
from pickomino.game.table import open_game
from samples import FOUR_TILES, START


def plain_chance(table, position):
    """The formula in floats, for a position with the player to move first."""
    lead = position.worms(0) - position.worms(1)
    factor = FACTORS[min(len(position.grill), 5)]
    z = factor * (lead + table.value_to_mover(position)) / max(table.deviation_of(position), 1e-3)
    return (1 + math.erf(z / math.sqrt(2))) / 2


def seen_next(position, claim):
    """The next position as its mover sees it."""
    then = position.after_claim(claim) if claim else position.after_bust(Rules())
    return Position(then.grill, then.stacks[::-1], 0, then.equipment)


@pytest.mark.parametrize("ahead", [1, 40, 150])
@pytest.mark.parametrize(
    "position",
    [
        START,
        Position((10, 14), ((9,), (12,)), 1, FOUR_TILES),
        Position((9,), ((14,), ()), 0, FOUR_TILES),
    ],
)
def test_looking_ahead_is_backward_induction(margin_table, position, ahead):
    """As many whole turns as fit, by a walk over positions and one turn at a time."""
    chances = Chances(
        open_game(margin_table, rules=Rules(), objective="margin", equipment=FOUR_TILES), ahead
    )
    first = seen_by_mover(position)
    payoff = chances.payoff(position)
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
    # The last turns are those that do not fit.
    graph, ends = _positions_ahead(Model(position, Rules(), "win"), ahead)
    del turns[len(ends) - 1 :]
    assert sum(map(len, turns)) == graph.states <= max(ahead, len(turns[0] + turns[1])) + 12
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
            worth = payoff(Outcome(0, claim))
            assert worth == pytest.approx(1 - values[then], abs=1e-12)
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
    assert errors[1] < errors[0] < 0.1
