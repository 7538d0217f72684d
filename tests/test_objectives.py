"""Payoffs of outcomes, under every rule set, and how values depend on the table."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import strategies
from pickomino import (
    Claim,
    Dice,
    Equipment,
    ObjectiveError,
    Outcome,
    Position,
    Rules,
    odds,
    solve_turn,
)
from pickomino.objectives import turn_problem
from pickomino.turn.rational import RationalSolution
from samples import TABLE


def payoff(objective, total, rules=Rules(), table=TABLE):
    """What a final total is worth."""
    return turn_problem(table, rules, objective).payoffs.by_total[total]


def test_exact_claims_are_the_truly_best():
    """Claims that tie to floats are told apart in rationals; equal ones go to the highest tile."""
    table = Position.parse("21 -/25 1")
    claims = table.claims(25, "rulebook")
    assert claims == (Claim(25, 1), Claim(21))
    for favourite in claims:

        def objective(outcome, favourite=favourite):
            return Fraction(outcome.claim == favourite, 10**15) - (outcome.claim is None)

        assert turn_problem(table, Rules(), objective, exact=True).claims[25] == favourite
        assert turn_problem(table, Rules(), objective).claims[25] == claims[0]
    assert turn_problem(table, Rules(), lambda o: 0, exact=True).claims[25] == claims[0]


def test_worms_count_the_claimed_tile_and_the_own_top():
    """A grill tile or a steal wins its worms; a bust costs the top tile's, not the stack's."""
    assert [payoff("worms", t) for t in (0, 20, 21, 25, 29, 36, 40)] == [-3, -3, 1, 1, 3, 4, 4]
    assert payoff("worms", 0, table=Position.start()) == 0


def test_swing_doubles_steals_only():
    """With any number of opponents."""
    assert [payoff("swing", t) for t in (0, 28, 29, 31, 30)] == [-3, 2, 6, 6, 2]


def test_a_player_takes_the_claim_of_highest_payoff():
    """An optional steal is declined, and a lower tile taken, where that pays more."""
    free = replace(Rules(), grill_claim="any_lower")
    assert turn_problem(TABLE, free, "worms").claims[29] == Claim(29, 1)
    likes_21 = turn_problem(TABLE, free, lambda o: int(o.claim == Claim(21)))
    assert likes_21.claims[29] == Claim(21)
    assert likes_21.payoffs.by_total[29] == 1
    forced = turn_problem(
        TABLE, replace(free, steal="mandatory"), lambda o: int(o.claim == Claim(21))
    )
    assert forced.claims[29] == Claim(29, 1)
    # Ties go to the highest tile.
    assert turn_problem(TABLE, free, lambda o: 0).claims[31] == Claim(31, 2)


def test_totals_ignore_the_grill():
    """reach, exactly and total look at worm and total; a total that claims nothing counts."""
    high = Position.parse("36 -/- 1")
    assert payoff("reach:22", 22, table=high) == payoff("exactly:22", 22, table=high) == 1
    assert payoff("reach:22", 21, table=high) == payoff("exactly:22", 23, table=high) == 0
    assert payoff("total", 23, table=high) == 23
    assert solve_turn(high, rules=Rules(), objective="reach:22").value(Dice()) == solve_turn(
        Position.start(), rules=Rules(), objective="reach:22"
    ).value(Dice())
    # But bust always means: no claim.
    assert odds(high, "", rules=Rules(), objective="reach:22").bust > 0.9


def test_totals_from_0_to_five_times_the_dice():
    """reach:0 is the chance of a worm at all; exactly:0 is impossible, as a worm counts 5."""
    chance = solve_turn(Position.start(), rules=Rules(), objective="reach:0").value(Dice())
    assert chance == solve_turn(Position.start(), rules=Rules(), objective="reach:5").value(Dice())
    assert 0.99 < chance < 1
    assert solve_turn(Position.start(), rules=Rules(), objective="exactly:0").value(Dice()) == 0
    assert (
        0 < solve_turn(Position.start(), rules=Rules(), objective="reach:40").value(Dice()) < 1e-3
    )


def test_stopping_rules():
    """Where a turn may be stopped: anywhere, with a worm, or with a claim."""
    worm, claim = Rules(stop="worm_required"), Rules(stop="claim_required")
    stops = [turn_problem(TABLE, r, "worms").payoffs.may_stop for r in (Rules(), worm, claim)]
    assert [[s[t] for t in (0, 5, 20, 21)] for s in stops] == [
        [True, True, True, True],
        [False, True, True, True],
        [False, False, False, True],
    ]
    # claim_required depends on what claims: an opponent's top of 24, alone, can be stopped at.
    lone = turn_problem(Position.parse("36 -/24 1"), claim, "worms").payoffs
    assert [t for t in range(41) if lone.may_stop[t]] == [24, 36, 37, 38, 39, 40]


def test_a_dead_roll_keeps_the_sum_under_keep_sum():
    """Rolling on risks less, so it is worth more; only a total that one stops at gains nothing."""
    for objective, gain in (("worms", 0.1), ("total", 1), ("reach:25", 0)):
        bust = solve_turn(TABLE, rules=Rules(), objective=objective).value(Dice())
        kept = solve_turn(TABLE, rules=Rules(dead_roll="keep_sum"), objective=objective).value(
            Dice()
        )
        assert kept >= bust + gain


@pytest.mark.parametrize("kind", ["mapping", "callable"])
def test_own_payoffs(kind):
    """A mapping or a callable over outcomes; worms rebuilt by hand has the value of worms."""

    def worms(outcome):
        return -3 if outcome.claim is None else TABLE.equipment.worms_on(outcome.claim.tile)

    payoffs = worms
    if kind == "mapping":
        claims = {0: ()} | {t: TABLE.claims(t, Rules()) for t in range(5, 41)}
        outcomes = [Outcome(t, c) for t, cs in claims.items() for c in cs or (None,)]
        payoffs = {outcome: np.int64(worms(outcome)) for outcome in outcomes}
    expected = solve_turn(TABLE, exact=True).value(Dice())
    assert solve_turn(TABLE, rules=Rules(), objective=payoffs, exact=True).value(Dice()) == expected


@pytest.mark.parametrize(
    ("objective", "message"),
    [
        ("worm", "no objective is called 'worm': use worms, swing, total, reach:N or exactly:N"),
        ("reach", "no objective is called 'reach'"),
        ("reach:-1", "no objective is called"),
        ("reach:41", "reach:41 is out of reach: use a total from 0 to 40"),
        ({}, r"the payoffs lack Outcome\(total=0, claim=None\): give every outcome a number"),
        (lambda o: None, "is None: give a number up to"),
        (lambda o: float("nan"), "is nan: give a number"),
        (lambda o: float("inf"), "is inf: give a number"),
        (lambda o: "1 worm", "is '1 worm': give a number"),
        (lambda o: 1e308, "is 1e\\+308: give a number"),
        (lambda o: 10**400, r"is about 10\^400: give a number"),
        (5, "5 is no objective"),
    ],
)
def test_objectives_that_are_none_are_refused(objective, message):
    """The sentence names the objective or the outcome."""
    with pytest.raises(ObjectiveError, match=message):
        turn_problem(TABLE, Rules(), objective)


def test_fractions_and_floats_are_taken_as_they_are():
    """A payoff of 1/3 is a third, and 0.1 is the float that it is."""
    third = turn_problem(TABLE, Rules(), lambda o: Fraction(1, 3)).payoffs
    assert RationalSolution(third).value() == Fraction(1, 3)
    tenth = turn_problem(TABLE, Rules(), lambda o: 0.1).payoffs
    assert RationalSolution(tenth).value() == Fraction(0.1)


ASCENDING = Equipment(4, tuple(range(7, 17)), (0, 0, 1, 1, 1, 2, 2, 3, 3, 5))


@given(strategies.positions(st.just(ASCENDING), min_grill=1), strategies.rules, st.data())
def test_one_more_grill_tile_never_lowers_the_value_of_worms(table, rules, data):
    """True for worms if no tile scores less than a lower one, under any rules.

    A total that took a lower tile may now have to take the new one, which then scores no less.
    """
    seen = {*table.grill, *(t for stack in table.stacks for t in stack)}
    hidden = [t for t in table.equipment.tiles if t not in seen]
    assume(hidden)
    more = replace(table, grill=(*table.grill, data.draw(st.sampled_from(hidden))))
    kept = data.draw(strategies.kept_dice(4))
    before, after = (
        solve_turn(p, rules=rules, objective="worms", exact=True).value(kept) for p in (table, more)
    )
    assert after >= before


@given(strategies.positions(st.just(ASCENDING), min_grill=1), strategies.rules, st.data())
def test_a_smaller_stake_never_lowers_the_value(table, rules, data):
    """For worms and swing, the other tiles being equal, under any rules."""
    assume(table.own)
    stacks = list(table.stacks)
    stacks[table.mover] = table.own[:-1]
    less = replace(table, stacks=tuple(stacks))
    top, below = table.own[-1], table.own[-2:-1]
    if below and ASCENDING.worms_on(below[0]) > ASCENDING.worms_on(top):
        table, less = less, table
    objective = data.draw(st.sampled_from(["worms", "swing"]))
    kept = data.draw(strategies.kept_dice(4))
    more_at_stake = solve_turn(table, rules=rules, objective=objective, exact=True).value(kept)
    assert (
        solve_turn(less, rules=rules, objective=objective, exact=True).value(kept) >= more_at_stake
    )
