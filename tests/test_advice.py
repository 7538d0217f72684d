"""Advice: ranking, regret, ties, reasons, odds, and what cannot be asked."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import strategies
from pickomino import (
    PRESETS,
    DeadRoll,
    Dice,
    DiceError,
    Equipment,
    GameOverError,
    ObjectiveError,
    Outcome,
    PickominoError,
    Position,
    Rules,
    advise,
    odds,
    reach_chances,
    solve_turn,
)
from pickomino.dice import FACES, keep
from samples import NINE_TILES, TABLE


@settings(max_examples=60)
@given(
    strategies.positions(st.just(NINE_TILES), min_grill=1),
    strategies.kept_and_roll(dice=4),
    strategies.rules,
)
def test_options_are_the_legal_keeps_best_first(table, case, rules):
    """Every face of the roll not kept yet appears once; value, regret and then fit together."""
    kept, roll = case
    advice = advise(table, kept, roll, rules=rules, with_odds=True)
    legal = {FACES[f] for f in range(6) if roll.counts[f] and not kept.counts[f]}
    assert {o.face for o in advice.options} == legal
    assert isinstance(advice, DeadRoll) == (not legal)
    if not legal:
        with pytest.raises(DiceError, match="no face can be kept: the roll is dead"):
            _ = advice.best
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
@given(
    strategies.positions(st.just(NINE_TILES), min_grill=1),
    strategies.kept_dice(3),
    strategies.rules,
)
def test_value_of_rolling_is_the_mean_over_rolls(table, kept, rules):
    """The advice for every roll, weighted by its chance, is the value of rolling."""
    assume(kept.mask != 0b111111)
    left = NINE_TILES.dice - kept.number
    rolls = [Dice.parse("".join(faces)) for faces in product(FACES, repeat=left)]
    mean = sum(advise(table, kept, roll, rules=rules).value for roll in rolls) / 6**left
    assert advise(table, kept, None, rules=rules).roll_value == pytest.approx(mean, abs=1e-12)


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


@pytest.mark.parametrize("offset", [10**17, -(10**17), 10**60, Fraction(10**40, 3)])
def test_a_constant_in_all_payoffs_costs_no_digits(offset):
    """Regret, gap, ties and variance are those without it; five regrets of 0.0 were seen."""
    words = ("21-24,26-36 25/- 1", "", "1 2 3 3 4 5 W W")
    plain = advise(*words, objective=lambda o: o.total)
    moved = advise(*words, objective=lambda o: offset + o.total)
    regrets = [round(o.regret, 2) for o in plain.options]
    assert regrets[0] == 0 < regrets[1] < regrets[-1]
    assert [(o.face, o.regret, o.tie, o.then) for o in moved.options] == [
        (o.face, o.regret, o.tie, o.then) for o in plain.options
    ]
    for o, p in zip(moved.options, plain.options, strict=True):
        assert o.value == pytest.approx(float(offset) + p.value, rel=1e-15)
    for kept in ("", "W W 4 4", "1 1 2 3 4 W", "5 5 W W"):
        here = advise(words[0], kept, objective=lambda o: offset + o.total)
        there = advise(words[0], kept, objective=lambda o: o.total)
        assert (here.then, here.tie) == (there.then, there.tie)
        assert not kept or here.reason.split(", ")[-1] == there.reason.split(", ")[-1]
        here = odds(words[0], kept, objective=lambda o: offset + o.total)
        there = odds(words[0], kept, objective=lambda o: o.total)
        assert here.variance == pytest.approx(there.variance, rel=1e-12)
        assert here.totals == there.totals


def test_exact_answers_take_the_true_best():
    """What is a tie to floats beside a huge payoff is none to rationals: 0.3 was lost."""

    def huge(outcome):
        return 10**12 if outcome.total == 40 else outcome.total

    exact = advise("21-36 -/- 1", objective=huge, exact=True)
    policy = odds("21-36 -/- 1", objective=huge, exact=True)
    ends = sum(p * huge(Outcome(total)) for total, p in policy.totals.items())
    assert exact.value == policy.value == ends
    assert exact.value > advise("21-36 -/- 1", objective="exactly:40", exact=True).value * 10**12


def test_payoffs_too_close_to_compute_with_are_refused():
    """Products with probabilities would fall below the least double, so that nothing is right."""
    for least in (5e-324, 1e-310, 1e-150):
        with pytest.raises(ObjectiveError, match=r"differ by no more than .*: scale them up"):
            advise("21-36 -/- 1", objective=lambda o, x=least: x * (o.claim is not None))
    small = advise("21-36 -/- 1", objective=lambda o: 1e-90 * (o.claim is not None))
    plain = advise("21-36 -/- 1", objective=lambda o: float(o.claim is not None))
    assert small.value * 1e90 == pytest.approx(plain.value, rel=1e-12)
    flat = advise("21-36 -/- 1", objective=lambda o: 5e-324)
    assert flat.value == 5e-324


def test_where_rolling_is_advised_there_is_no_tie():
    """Beside huge payoffs a gain is lost in the digits shown, but it decides."""
    advice = advise(Position.parse("21-36 - 1"), "4 5 5 W", objective=lambda o: 1e16 + o.total)
    assert (advice.then, advice.roll_value) == ("roll", advice.stop_value)
    assert not advice.tie
    small = advise(Position.parse("21-36 - 1"), "4 5 5 W", objective="total")
    assert small.then == "roll"
    assert small.roll_value > small.stop_value


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
    "call",
    [
        lambda: advise("21 - one"),
        lambda: advise(21),
        lambda: advise(TABLE, [3, 3, 3]),
        lambda: advise(TABLE, "", 3),
        lambda: advise(TABLE, rules=None),
        lambda: Dice(5),
        lambda: Dice((10**9, 0, 0, 0, 0, 0)),
        lambda: Dice.parse("3" * 10**6),
        lambda: Position((21,), None),
        lambda: Position((21,), ((), ()), 0.5),
        lambda: Position((21,), ((),), 0, 8),
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


def test_advice_on_an_empty_grill_is_refused():
    """The game is over, so there is no turn to advise on."""
    with pytest.raises(GameOverError, match="the game is over in '- 21/- 1'"):
        advise(Position.parse("- 21/- 1"))


@pytest.mark.parametrize("preset", PRESETS)
def test_odds_sum_to_one_and_have_the_value_as_mean(preset):
    """Claims and bust sum to 1, totals too, and worms weighted by them give the value."""
    for kept in ("", "3 3 3", "W W 5"):
        answer = odds(TABLE, kept, rules=Rules.preset(preset))
        assert sum(c.p for c in answer.claims) + answer.bust == pytest.approx(1, abs=1e-12)
        assert sum(answer.totals.values()) == pytest.approx(1, abs=1e-12)
        worms = {c: TABLE.equipment.worms_on(c.claim.tile) for c in answer.claims}
        mean = sum(w * c.p for c, w in worms.items()) - 3 * answer.bust
        assert mean == pytest.approx(answer.value, abs=1e-12)
        square = sum(w * w * c.p for c, w in worms.items()) + 9 * answer.bust
        assert square - mean**2 == pytest.approx(answer.variance, abs=1e-11)


def test_exact_odds_are_rational():
    """With exact=True every number is a fraction, and the sum is exactly 1."""
    answer = odds(TABLE, exact=True)
    assert sum(c.p for c in answer.claims) + answer.bust == 1
    assert isinstance(answer.variance, Fraction)


def test_reach_chances_fall_with_the_total_and_bound_every_policy():
    """Each is the best chance on its own, so no policy's totals beat it."""
    chances = reach_chances(TABLE, "3 3 3")
    values = list(chances.values())
    assert list(chances) == list(range(21, 37))
    assert values == sorted(values, reverse=True)
    answer = odds(TABLE, "3 3 3")
    for total, p in chances.items():
        assert p >= sum(q for t, q in answer.totals.items() if t >= total) - 1e-12
    out_of_reach = reach_chances(Position.start(1, equipment=Equipment(2, (7, 11), (1, 2))))
    assert out_of_reach[11] == 0 < out_of_reach[7]
