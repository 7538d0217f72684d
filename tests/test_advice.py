"""Advice: ranking, regret, ties, reasons, and what cannot be asked."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import strategies
from pickomino import (
    Dice,
    DiceError,
    Equipment,
    PickominoError,
    Position,
    Rules,
    advise,
    odds,
    solve_turn,
)
from pickomino.dice import FACES, keep

TABLE = Position.parse("21-23,26-28,32-36 25,30/24,29/31 1")
SMALL = Equipment(4, tuple(range(8, 17)), (1, 1, 1, 2, 2, 2, 3, 3, 4))


@settings(max_examples=60)
@given(
    strategies.positions(st.just(SMALL), min_grill=1),
    strategies.kept_and_roll(dice=4),
    strategies.rules,
)
def test_options_are_the_legal_keeps_best_first(table, case, rules):
    """Every face of the roll not kept yet appears once; value, regret and then fit together."""
    kept, roll = case
    advice = advise(table, kept, roll, rules, with_odds=True)
    legal = {FACES[f] for f in range(6) if roll.counts[f] and not kept.counts[f]}
    assert {o.face for o in advice.options} == legal
    if not legal:
        assert advice.best is None
        assert "dead" in advice.reason
        final = kept.total if rules.dead_roll == "keep_sum" and kept.counts[5] else 0
        claims = table.claims(final, rules) if final else ()
        own = table.equipment.worms_on(table.own[-1]) if table.own else 0
        best = max((table.equipment.worms_on(c.tile) for c in claims), default=-own)
        assert advice.value == best
        return
    assert advice.options[0] is advice.best
    assert [o.regret for o in advice.options] == sorted(o.regret for o in advice.options)
    for option in advice.options:
        after = keep(kept, roll, option.face)
        assert (option.dice, option.total) == (after.number - kept.number, after.total)
        assert option.regret == pytest.approx(advice.value - option.value, abs=1e-12)
        assert option.tie == (option.regret == 0)
        values = {"roll": option.roll_value, "stop": option.stop_value, "end": option.stop_value}
        assert option.value == pytest.approx(values[option.then], abs=1e-12)
        assert (option.then == "end") == (option.roll_value is None)
        claimed = sum(c.p for c in option.odds.claims)
        assert claimed + option.odds.bust == pytest.approx(1, abs=1e-12)


@settings(max_examples=40)
@given(strategies.positions(st.just(SMALL), min_grill=1), strategies.kept_dice(3), strategies.rules)
def test_value_of_rolling_is_the_mean_over_rolls(table, kept, rules):
    """The advice for every roll, weighted by its chance, is the value of rolling."""
    assume(kept.mask != 0b111111)
    left = SMALL.dice - kept.number
    rolls = [Dice.parse("".join(faces)) for faces in product(FACES, repeat=left)]
    mean = sum(advise(table, kept, roll, rules).value for roll in rolls) / 6**left
    assert advise(table, kept, None, rules).roll_value == pytest.approx(mean, abs=1e-12)


def test_exact_advice_is_the_float_advice_in_rationals():
    """Same order, same decisions, and values that round to the floats."""
    floats = advise(TABLE, "3 3 3", "1 3 4 4 W", with_odds=True)
    fractions = advise(TABLE, "3 3 3", "1 3 4 4 W", with_odds=True, exact=True)
    assert fractions.value == Fraction(19333, 69984)
    assert fractions.reason == floats.reason
    for ours, exact in zip(floats.options, fractions.options, strict=True):
        assert (ours.face, ours.then, ours.tie) == (exact.face, exact.then, exact.tie)
        assert isinstance(exact.regret, Fraction)
        assert ours.value == pytest.approx(float(exact.value), abs=1e-12)
        assert ours.odds.bust == pytest.approx(float(exact.odds.bust), abs=1e-12)


def test_a_roll_with_a_legal_keep_is_no_bust_though_the_sum_claims_nothing():
    """With 3 points kept, a roll of ones still goes on."""
    advice = advise(Position.start(), "3", "1 1 1 3 3 3 3")
    assert [o.face for o in advice.options] == ["1"]
    assert advice.best.then == "roll"
    assert advice.reason.endswith("the only legal keep.")


def test_ties_are_reported_and_the_rule_decides():
    """With 25 in sight and a worm kept, 5 and W are worth the same if both end the turn."""
    table = Position.parse("25 - 1")
    advice = advise(table, "5 5 4 4 1 W", "3 2", objective="reach:5")
    assert [(o.face, o.tie, o.regret) for o in advice.options] == [("2", True, 0), ("3", True, 0)]
    assert "the same as keeping 3" in advice.reason


def test_zero_is_a_value():
    """A worth of exactly 0.0 is computed, ranked and reported like any other."""
    advice = advise(Position.parse("36 - 1"), "1 1 1 1", "2 2 3 W")
    assert advice.value == 0.0
    assert all(o.value == 0.0 and o.tie for o in advice.options)
    assert [o.face for o in advice.options] == ["3", "W", "2"]


def test_the_first_roll_is_compulsory():
    """Nothing can be stopped before a keep."""
    advice = advise(TABLE)
    assert (advice.then, advice.stop_value) == ("roll", None)
    assert advice.roll_value == advice.value == solve_turn(TABLE).value(Dice())
    assert "the first roll is compulsory" in advice.reason


def test_a_turn_may_be_over():
    """With all dice or all six faces kept nothing is left to decide."""
    for kept in ("1 1 1 1 1 1 1 W", "1 2 3 4 5 W"):
        advice = advise(TABLE, kept)
        assert (advice.then, advice.roll_value, advice.stop_value) == ("end", None, advice.value)
    over = advise(TABLE, "5 5 5 5 W 1 1 2")
    assert over.reason == "The turn is over: it takes 29 from opponent 1, worth 3.0000 worms."


def test_stopping_that_is_not_legal_has_no_value():
    """Under claim_required a total that takes nothing cannot be stopped at."""
    advice = advise(TABLE, "5 W", rules=Rules(stop="claim_required"))
    assert (advice.then, advice.stop_value) == ("roll", None)
    assert advise(TABLE, "5 W").stop_value == -3


@pytest.mark.parametrize(
    ("kept", "roll", "message"),
    [
        ("3 3 3", "1 3 4 4", r"the roll '1 3 4 4' has 4 dice, but 5 of 8 are left to roll: name 5"),
        ("3 3 3", "1 1 3 4 4 W", "has 6 dice, but 5 of 8 are left"),
        ("3 3 3", "", "has 0 dice"),
        ("111111111", None, "9 dice are kept .* the game has 8"),
        ("11111111", "1", "all dice are kept .* leave out the roll"),
        ("12345W", "1 1", "all six faces are kept .* leave out the roll"),
        ("3x", None, "'x' in '3x' is no face"),
        ("3", "7", "'7' in '7' is no face"),
    ],
)
def test_dice_that_cannot_lie_there_are_refused(kept, roll, message):
    """The sentence says what to type instead."""
    with pytest.raises(DiceError, match=message):
        advise(TABLE, kept, roll)


def test_too_many_kept_dice_are_refused_by_rationals_too():
    """The same sentence with and without exact."""
    for exact in (False, True):
        with pytest.raises(DiceError, match="9 dice are kept"):
            odds(TABLE, "1" * 9, exact=exact)
        with pytest.raises(DiceError, match="9 dice are kept"):
            advise(TABLE, "1" * 9, "1", exact=exact)


@pytest.mark.parametrize(
    ("face", "message"),
    [
        ("3", r"3 is kept already \(3 3\): keep 1 or W"),
        ("4", r"no 4 was rolled \(1 1 3 W\): keep 1 or W"),
        ("1 W", "'1 W' is not one face"),
        ("", "'' is not one face"),
        ("x", "is no face"),
    ],
)
def test_keeps_that_are_not_legal_are_refused(face, message):
    """A face kept already, one that was not rolled, or none."""
    with pytest.raises(DiceError, match=message):
        keep(Dice.parse("3 3"), Dice.parse("1 1 3 W"), face)


def test_all_dice_of_a_face_are_kept():
    """None of the chosen face stays on the table."""
    assert keep(Dice.parse("3"), Dice.parse("1 1 1 w"), "1") == Dice.parse("1 1 1 3")
    assert keep(Dice(), Dice.parse("6 6 1"), "w") == Dice.parse("W W")


@pytest.mark.parametrize(
    "call",
    [
        lambda: advise("21 - 1"),
        lambda: advise(TABLE, [3, 3, 3]),
        lambda: advise(TABLE, "", 3),
        lambda: advise(TABLE, rules=None),
        lambda: Dice(5),
        lambda: Dice((10**9, 0, 0, 0, 0, 0)),
        lambda: Dice.parse("3" * 10**6),
        lambda: Position((21,), None),
        lambda: Position((21,), ((), ()), 0.5),
        lambda: Position((21,), ((),), 0, "junior"),
        lambda: Position.seen(own=25),
        lambda: Position.seen(opponents=[24]),
        lambda: Position.start("2"),
        lambda: Equipment(8, (21,), (10**400,)),
    ],
)
def test_wrong_types_and_sizes_are_refused(call):
    """With an error of this package and a short sentence."""
    with pytest.raises(PickominoError) as error:
        call()
    assert len(str(error.value)) < 200
