"""What an action brings about: the end of a turn, and what of it is asked of the rules."""

import itertools
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from pickomino import PRESETS, STANDARD, Claim, Dice, Position, Rules, TurnEnd, play_game
from pickomino.dice import FACES
from pickomino.play.engine import GameState, Keep, Roll, Stop
from samples import EIGHT_TILES, FOUR_TILES, SIX_TILES

boxes = st.one_of(st.sampled_from([STANDARD, EIGHT_TILES, SIX_TILES]), strategies.equipments())


def face_up(position):
    """The tiles that lie face up anywhere."""
    return {*position.grill, *itertools.chain(*position.stacks)}


def shown(before, after, total):
    """The end of a turn as two positions show it."""
    seat, own, now = before.mover, before.own, after.stacks[before.mover]
    if len(now) > len(own):
        victims = [p for p in before.opponents if after.stacks[p] != before.stacks[p]]
        return TurnEnd(seat, total, Claim(now[-1], victims[0] if victims else None))
    (flipped,) = face_up(before) - face_up(after) or {None}
    return TurnEnd(seat, total, None, own[-1] if now != own else None, flipped)


def check_end(before, action, total):
    """An action that ends the turn with a total: the event is what the positions show."""
    after, end = before.play(action)
    assert after == before.apply(action)
    claims = before.position.claims(total, before.rules) if total else ()
    if len(claims) > 1 and not before.ended:
        assert after.ended
        assert end is None
        assert [take.claim for take in after.actions] == list(claims)
        for take in after.actions:
            check_end(after, take, total)
        return
    assert end == shown(before.position, after.position, total)
    assert end.bust == (not claims)
    assert end.steal == (end.claim is not None and end.claim.victim is not None)
    if before.ended:
        assert end.claim == action.claim


@cache
def full_hands(dice):
    """One way to keep all dice for each final total."""
    hands = {}
    for faces in itertools.combinations_with_replacement(range(6), dice):
        hand = Dice(tuple(faces.count(f) for f in range(6)))
        hands[hand.final] = hand
    return hands


def without(hand, face):
    """The other dice, and those of one face."""
    only = tuple(n if f == face else 0 for f, n in enumerate(hand.counts))
    return Dice(tuple(n - m for n, m in zip(hand.counts, only, strict=True))), Dice(only)


@given(strategies.positions(boxes, min_grill=1), strategies.rules)
def test_the_end_of_a_turn_is_what_the_positions_show(position, rules):
    """Every total, reached with the last dice, on purpose and by a dead roll."""
    for total, hand in full_hands(position.equipment.dice).items():
        face = next(f for f in range(6) if hand.counts[f])
        kept, last = without(hand, face)
        check_end(GameState(position, rules, kept, last), Keep(FACES[face]), total)
        if not kept.number:
            continue
        going_on = GameState(position, rules, kept)
        if Stop() in going_on.actions:
            check_end(going_on, Stop(), kept.final)
        again = next(f for f in range(6) if kept.counts[f])
        dead = Roll(Dice(tuple(last.number if f == again else 0 for f in range(6))))
        check_end(going_on, dead, kept.final if rules.dead_roll == "keep_sum" else 0)


@given(strategies.positions(boxes), strategies.rules)
def test_the_tiles_of_a_bust_are_those_that_move(position, rules):
    """Also where the game is over and nothing is left to flip."""
    end = shown(position, position.after_bust(rules), 0)
    assert position.bust_tiles(rules) == (end.returned, end.flipped)


@pytest.mark.parametrize(
    ("before", "rules", "tiles"),
    [
        ("21,36 25,30/- 1", "rulebook", (30, 36)),
        ("21,29 25,30/- 1", "rulebook", (30, None)),
        ("21,29 25,30/- 1", "rulebook-short", (30, 30)),
        ("21,36 -/30 1", "rulebook", (None, None)),
        ("21,36 -/30 1", "bga", (None, 36)),
        ("- -/30 1", "bga", (None, None)),
    ],
)
def test_a_bust_tells_its_tiles(before, rules, tiles):
    """The returned tile and the flipped one, by hand."""
    assert Position.parse(before).bust_tiles(Rules.preset(rules)) == tiles


def test_a_turn_that_goes_on_has_not_ended():
    """A roll with something to keep, and a keep with dice left."""
    state, end = GameState.start().play(Roll(Dice.parse("1 1 1 5 5 W W W")))
    assert end is None
    state, end = state.play(Keep("W"))
    assert (str(state), end) == ("21-36 -/- 1 kept=WWW", None)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [1, 2, 3])
def test_a_game_counts_the_ends_of_its_turns(preset, players):
    """Turns, busts and steals are those that the positions of the record show."""
    result = play_game(["random"] * players, rules=preset, equipment=SIX_TILES, seed=players)
    ends, state = [], result.record.start
    for action in result.record.actions:
        after, end = state.play(action)
        # Only the end of a turn leaves no dice, no roll and no claim under way.
        over = (after.kept, after.roll, after.ended) == (Dice(), None, False)
        assert (end is not None) == over
        if over:
            ends.append(shown(state.position, after.position, end.total))
            assert end == ends[-1]
        state = after
    seats = range(players)
    assert result.turns == len(ends)
    assert result.busts == tuple(sum(e.claim is None and e.seat == p for e in ends) for p in seats)
    steals = [e.seat for e in ends if e.claim is not None and e.claim.victim is not None]
    assert result.steals == tuple(map(steals.count, seats))


MAY_STOP = {
    "any_time": [True, True, True, True],
    "worm_required": [False, False, True, True],
    "claim_required": [False, False, False, True],
}
"""Without a worm at any total, then with one at totals that claim nothing and something."""


@pytest.mark.parametrize("stop", MAY_STOP)
def test_where_a_turn_may_stop(stop):
    """Scalars and arrays of any shape, by hand."""
    rules, finals, claims = Rules(stop=stop), [0, 0, 5, 25], [False, False, False, True]
    allowed = [rules.may_stop(f, c) for f, c in zip(finals, claims, strict=True)]
    assert allowed == MAY_STOP[stop]
    assert all(type(may) is bool for may in allowed)
    for shape in ((4,), (2, 2), (4, 1)):
        found = rules.may_stop(np.reshape(finals, shape), np.reshape(claims, shape))
        assert found.dtype == bool
        assert np.array_equal(found, np.reshape(MAY_STOP[stop], shape))


@given(strategies.positions(st.just(FOUR_TILES), min_grill=1), strategies.rules, st.data())
def test_the_engine_lets_a_turn_stop_where_the_rules_do(position, rules, data):
    """After the first keep, and with the claims of the table."""
    kept = data.draw(strategies.kept_dice(FOUR_TILES.dice - 1))
    may = (
        kept.number > 0
        and {
            "any_time": True,
            "worm_required": kept.counts[5] > 0,
            "claim_required": kept.counts[5] > 0 and bool(position.claims(kept.total, rules)),
        }[rules.stop]
    )
    assert (Stop() in GameState(position, rules, kept).actions) == may


def test_what_a_dead_roll_ends_for():
    """With the sum so far, or with nothing."""
    assert Rules(dead_roll="keep_sum").keeps_sum is True
    assert Rules(dead_roll="bust").keeps_sum is False
