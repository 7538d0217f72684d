"""The reduction of positions to payoffs: exact on every grill, and of the expected size."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from pickomino import JUNIOR, PRESETS, STANDARD, Equipment, ObjectiveError, Position, Rules
from pickomino.objectives import turn_problem
from pickomino.tables.keys import MISSING, make_keys, masks, stake, turn_rules

GAPS = Equipment(5, (2, 4, 7, 9, 11, 12, 20, 25, 26, 30), (0, 1, 1, 0, 2, 5, 1, 3, 3, 4))


@pytest.mark.parametrize(
    ("objective", "opponents", "vectors"),
    [
        ("worms", 0, 625),
        ("worms", 1, 4050),
        ("worms", 2, 14466),
        ("worms", 3, 36820),
        ("worms", 4, 73876),
        ("worms", 5, 123472),
        ("worms", 6, 178357),
        ("swing", 1, 8625),
        ("reach:25", 6, 1),
    ],
)
def test_number_of_vectors(objective, opponents, vectors):
    """The counts of a separate enumeration of all grills and tops, of the standard set."""
    assert len(make_keys(Rules(), STANDARD, objective, opponents).symbol) == vectors


GRILL_CLAIMS = ["rulebook", "finnish", "septaseven"]
"""A preset for each way of claiming from the grill; without opponents nothing else tells them."""


@cache
def alone_with(grill, box):
    """The position of one player with a grill, given as a bitmask."""
    return Position(tuple(t for i, t in enumerate(box.tiles) if grill >> i & 1), ((),), 0, box)


def best_worms(rules, grill, total, box=STANDARD):
    """What the best claim of a total is worth by the rules; -1 without a claim."""
    claims = alone_with(grill, box).claims(total, rules)
    return max((box.worms_on(claim.tile) for claim in claims), default=-1)


def worms_by_keys(keys, grills):
    """For each grill and total, the same by the symbols."""
    symbols = keys.symbol[[keys.vector(grill, 0) for grill in grills.tolist()]]
    return np.where(symbols > 0, np.array(keys.scale.worth)[symbols], -1)


@pytest.mark.parametrize("preset", GRILL_CLAIMS)
def test_every_grill_of_uneven_tiles_has_the_payoffs_of_the_rules(preset):
    """All grills of ten tiles with gaps, where a lower tile may be worth more than a higher one."""
    rules, grills = Rules.preset(preset), np.arange(1, 2**10)
    worth = worms_by_keys(make_keys(rules, GAPS, "worms", 0), grills)
    for grill, row in zip(grills.tolist(), worth.tolist(), strict=True):
        assert row[5:] == [best_worms(rules, grill, total, GAPS) for total in range(5, 26)]


@pytest.mark.parametrize("preset", GRILL_CLAIMS)
def test_every_grill_has_the_payoffs_of_the_rules(preset):
    """All 65,536 grills without opponents; the stake only sets what a bust costs.

    Grills that agree in the tiles up to a total are asked about it once, without the tiles above;
    a random part of the grills is asked about all totals with all of its tiles.
    """
    rules = Rules.preset(preset)
    keys = make_keys(rules, STANDARD, "worms", 0)
    assert keys.stakes == (0, 1, 2, 3, 4)
    grills = np.arange(1, 65_536)
    worth = worms_by_keys(keys, grills)
    for total in range(20, 38):
        low = grills & ((1 << max(0, total - 20)) - 1)
        seen, which = np.unique(low, return_inverse=True)
        by_rules = np.array([best_worms(rules, grill, total) for grill in seen.tolist()])
        assert (worth[:, total] == by_rules[which]).all()
    for grill in np.random.default_rng(3).choice(grills, 1000, replace=False).tolist():
        asked = [best_worms(rules, grill, total) for total in range(20, 38)]
        assert worth[grill - 1, 20:38].tolist() == asked
    # Totals above 36 claim alike, and so do those that are too low.
    assert (keys.symbol[:, 37:] == keys.symbol[:, 37:38]).all()
    assert (keys.symbol[:, :21] == 0).all()


@settings(max_examples=400)
@given(
    strategies.positions(st.sampled_from([STANDARD, JUNIOR, GAPS]), min_grill=1),
    st.sampled_from(sorted(PRESETS)),
    st.sampled_from(["worms", "swing", "reach:7", "exactly:12", "total"]),
)
def test_positions_have_the_payoffs_of_the_rules(position, preset, objective):
    """Any stacks, presets and objectives: payoffs and stopping rules are those of the rules."""
    rules = Rules.preset(preset)
    grill, tops = masks(position)
    keys = make_keys(rules, position.equipment, objective, tops.bit_count())
    vector = keys.vector(grill, tops)
    payoffs = keys.payoffs(vector, stake(position))
    assert payoffs == turn_problem(position, rules, objective).payoffs


def test_every_grill_and_stake_of_every_preset():
    """All 65,536 grills x 5 stakes: presets that claim alike from the grill have the same vectors.

    With the test above, which asks the rules for each grill, this covers every preset; payoffs are
    the symbols' worth, a bust costs the stake, and stops are legal as the preset says.
    """
    presets = [Rules.preset(name) for name in GRILL_CLAIMS]
    asked = {rules.grill_claim: rules for rules in presets}
    for preset in PRESETS.values():
        keys = make_keys(preset.rules, STANDARD, "worms", 0)
        alike = make_keys(asked[preset.rules.grill_claim], STANDARD, "worms", 0)
        assert (keys.step == alike.step).all()
        assert (keys.symbol == alike.symbol).all()
        payoffs, stops = keys.arrays(0, len(keys.symbol))
        for at, at_stake in enumerate((0, 1, 2, 3, 4)):
            worth = np.array(keys.scale.worth)[keys.symbol]
            expected = np.where(keys.symbol > 0, worth, -at_stake)
            assert (payoffs[at::5] == expected).all()
            legal = {
                "any_time": np.ones_like(keys.symbol, dtype=bool),
                "worm_required": np.arange(41) >= 5 + 0 * keys.symbol,
                "claim_required": keys.symbol > 0,
            }[preset.rules.stop]
            assert (stops[at::5] == legal).all()


def test_more_tops_than_asked_for_are_missing():
    """A position outside the table has no vector, unless its payoffs are in it anyway."""
    keys = make_keys(Rules(), STANDARD, "worms", 1)
    position = Position.parse("21 -/36/35/34/33 1")
    assert keys.vector(*masks(position)) == MISSING


def test_rules_that_differ_in_no_turn_share_a_table():
    """Flips and tie breaks come after the turn."""
    assert turn_rules(Rules.preset("rulebook-short")) == turn_rules(Rules.preset("rulebook"))
    assert len({turn_rules(p.rules) for p in PRESETS.values()}) == 9


def test_too_many_tiles_are_refused():
    """A table of 2^17 grills and more is not made."""
    with pytest.raises(ObjectiveError, match=r"17 tiles make 2\^17 grills"):
        make_keys(Rules(), Equipment(8, tuple(range(20, 37)), (1,) * 17), "worms", 0)
