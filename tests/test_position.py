"""Positions, their notation, and what a claim or a bust does to them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from pickomino import JUNIOR, STANDARD, Claim, Equipment, Position, PositionError, Rules
from samples import TABLE


@given(strategies.positions(st.one_of(st.just(STANDARD), strategies.equipments())))
def test_notation_round_trips(position):
    """str and parse are inverse for any position and equipment."""
    assert Position.parse(str(position)) == position


def test_notation_is_canonical():
    """Whatever way a position is written, it prints in one way."""
    text = "  36,21-22,23  25,30/-  2 "
    assert str(Position.parse(text)) == "21-23,36 25,30/- 2"
    assert str(Position.start(3, equipment=JUNIOR)) == "16-27 -/-/- 1 junior"
    assert str(Position.parse("16,17 27 1 6d:16-18x1,27x4")) == "16,17 27 1 6d:16-18x1,27x4"


def test_order_of_grill_tiles_does_not_matter_but_order_of_stacks_does():
    """A grill is a set, a stack is not."""
    assert Position((36, 21), ((),)) == Position((21, 36), ((),))
    assert Position((21,), ((25, 30),)) != Position((21,), ((30, 25),))


def test_seen_puts_the_tiles_nobody_holds_on_the_grill():
    """Without a grill every other tile is face up, and the mover is player 1."""
    position = Position.seen([25, 30], [[24, 29], []])
    assert position.grill == tuple(t for t in range(21, 37) if t not in (24, 25, 29, 30))
    assert position.stacks == ((25, 30), (24, 29), ())
    assert (position.mover, position.own, position.opponents) == (0, (25, 30), (1, 2))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Position((21, 21), ((),)), "tile 21 is named twice on the grill: name it once"),
        (lambda: Position((), ((25, 25),)), "tile 25 is named twice in the stack of player 1"),
        (lambda: Position((37,), ((),)), "tile 37 is not in the set: use 21-36"),
        (lambda: Position((), ((20,),)), "tile 20 is not in the set"),
        (lambda: Position((25,), ((), (25,))), "25 is on the grill and in the stack of player 2"),
        (lambda: Position((), ((25,), (25,))), "25 is in the stack of player 1 and in the stack"),
        (lambda: Position((21,), ()), "0 players cannot play: name 1 to 7 stacks"),
        (lambda: Position((21,), ((),) * 8), "8 players cannot play"),
        (lambda: Position((21,), ((), ()), 2), "player 3 is to move, but there are 2"),
        (lambda: Position((21,), ((), ()), -1), "player 0 is to move"),
        (lambda: Position((21.0,), ((),)), "are no tiles: give a list of whole numbers"),
        (lambda: Position.parse("21-36 -"), "is no position: write grill, stacks and mover"),
        (lambda: Position.parse("21-36 - one"), "'one' is no player: write a number from 1"),
        (lambda: Position.parse("21-36 -/x 1"), "'x' in 'x' is no tile"),
        (lambda: Position.parse("21-36 - 1 senior"), "'senior' is no equipment"),
        (lambda: Position.parse(""), "'' is no position"),
    ],
)
def test_impossible_positions_are_refused(make, message):
    """Each impossibility gets its own sentence."""
    with pytest.raises(ValueError, match=message):
        make()


NEXT_LOWER, ANY_LOWER, ANY_LEQ = (
    Rules(grill_claim=g) for g in ("next_lower", "any_lower", "any_leq")
)


@pytest.mark.parametrize(
    ("rules", "total", "tiles"),
    [
        # Tiles 21-23, 26-28, 32-36 on the grill; 29 and 31 on opponents' tops, 30 on one's own.
        (NEXT_LOWER, 20, []),
        (NEXT_LOWER, 23, [23]),
        (ANY_LOWER, 23, [23]),
        (ANY_LEQ, 23, [23, 22, 21]),
        (NEXT_LOWER, 25, [23]),
        (ANY_LOWER, 25, [23, 22, 21]),
        (ANY_LEQ, 25, [23, 22, 21]),
        (NEXT_LOWER, 29, [29, 28]),
        (ANY_LOWER, 29, [29, 28, 27, 26, 23, 22, 21]),
        (ANY_LEQ, 29, [29, 28, 27, 26, 23, 22, 21]),
        (replace(NEXT_LOWER, steal="mandatory"), 29, [29]),
        (replace(ANY_LOWER, steal="mandatory"), 31, [31]),
        (replace(ANY_LEQ, steal="mandatory"), 31, [31]),
        # The own top is no claim, and neither is a tile below an opponent's top.
        (NEXT_LOWER, 30, [28]),
        (NEXT_LOWER, 24, [23]),
        (NEXT_LOWER, 36, [36]),
        # Totals above the highest tile match none.
        (NEXT_LOWER, 37, [36]),
        (NEXT_LOWER, 40, [36]),
        (ANY_LOWER, 38, [36, 35, 34, 33, 32, 28, 27, 26, 23, 22, 21]),
    ],
)
def test_claims_of_a_total(rules, total, tiles):
    """Which tiles a total may take, highest first."""
    assert [c.tile for c in TABLE.claims(total, rules)] == tiles


def test_a_steal_names_its_victim():
    """The claim says from whom; a grill claim says nobody."""
    assert TABLE.claims(29, Rules()) == (Claim(29, 1), Claim(28))
    assert TABLE.claims(31, Rules())[0] == Claim(31, 2)
    assert [TABLE.describe(c) for c in TABLE.claims(29, Rules())] == [
        "29 from opponent 1",
        "28 from the grill",
    ]
    assert replace(TABLE, mover=1).source(Claim(31, 2)) == 2


def test_totals_above_36_never_steal_the_36():
    """37 to 40 are not capped to 36."""
    position = Position.parse("21 -/36 1")
    assert position.claims(36, Rules()) == (Claim(36, 1), Claim(21))
    for total in range(37, 41):
        assert position.claims(total, Rules()) == (Claim(21),)


def test_a_steal_with_no_lower_tile_is_the_only_claim():
    """An optional steal is optional only if the grill offers something instead."""
    assert Position.parse("30-32 -/29 1").claims(29, Rules()) == (Claim(29, 1),)


def test_a_claim_moves_the_tile_and_the_turn():
    """From the grill or from a victim's top onto the own stack; the next player moves."""
    assert str(TABLE.after_claim(Claim(23))) == "21,22,26-28,32-36 25,30,23/24,29/31 2"
    assert str(TABLE.after_claim(Claim(29, 1))) == "21-23,26-28,32-36 25,30,29/24/31 2"
    last = replace(TABLE, mover=2)
    assert last.after_claim(Claim(30, 0)).mover == 0


@pytest.mark.parametrize(
    "claim", [Claim(24), Claim(24, 1), Claim(30, 0), Claim(29, 2), Claim(31, 3), Claim(29, 6)]
)
def test_claims_of_tiles_that_are_not_there_are_refused(claim):
    """Neither buried tiles, nor the own top, nor a tile at somebody else's."""
    with pytest.raises(PositionError, match=f"tile {claim.tile} is not"):
        TABLE.after_claim(claim)


UNLESS, ALWAYS = Rules(), Rules(flip="always")


FLIPS = Rules(flip_without_tile=True)


@pytest.mark.parametrize(
    ("before", "rules", "after"),
    [
        # The returned 30 is not the highest: the 36 is flipped, whatever it scores.
        ("21,36 25,30/- 1", UNLESS, "21,30 25/- 2"),
        ("21,36 25,30/- 1", ALWAYS, "21,30 25/- 2"),
        # The returned 30 is the highest: spared or flipped itself.
        ("21,29 25,30/- 1", UNLESS, "21,29,30 25/- 2"),
        ("21,29 25,30/- 1", ALWAYS, "21,29 25/- 2"),
        # Nothing to return.
        ("21,36 -/30 1", UNLESS, "21,36 -/30 2"),
        ("21,36 -/30 1", ALWAYS, "21,36 -/30 2"),
        ("21,36 -/30 1", FLIPS, "21 -/30 2"),
        ("21,36 -/30 1", replace(ALWAYS, flip_without_tile=True), "21 -/30 2"),
        ("21,29 25,30/- 1", FLIPS, "21,29,30 25/- 2"),
        # The last tile goes: the game is over.
        ("21 -/30 1", FLIPS, "- -/30 2"),
        ("21 30/- 2", replace(ALWAYS, flip_without_tile=True), "- 30/- 1"),
    ],
)
def test_a_bust_returns_and_flips(before, rules, after):
    """What returns, and which tile is turned face down."""
    position = Position.parse(before)
    assert str(position.after_bust(rules)) == after
    assert position.after_bust(rules).is_over == after.startswith("-")


@given(strategies.positions(strategies.equipments(), min_grill=1), strategies.rules, st.data())
def test_a_turn_conserves_tiles(position, rules, data):
    """A claim keeps every face-up tile face up; a bust turns at most one down, the highest."""

    def face_up(p):
        return sorted((*p.grill, *(t for stack in p.stacks for t in stack)))

    total = data.draw(st.integers(0, position.equipment.max_total))
    claims = position.claims(total, rules)
    for claim in claims:
        after = position.after_claim(claim)
        assert face_up(after) == face_up(position)
        assert after.stacks[position.mover] == (*position.own, claim.tile)
        assert claim.tile <= total
        assert (claim.tile == total) or claim.victim is None
    assert [c.tile for c in claims] == sorted({c.tile for c in claims}, reverse=True)
    after = position.after_bust(rules)
    assert after.stacks[position.mover] == position.own[:-1]
    gone = set(face_up(position)) - set(face_up(after))
    assert gone <= {max((*position.grill, *position.own[-1:]))}
    assert len(gone) <= 1
    assert after.mover == (position.mover + 1) % len(position.stacks)


@pytest.mark.parametrize(
    ("stacks", "by_tile", "shared"),
    [
        ("36/21,22,23", (0,), (0,)),
        ("25,26/33", (1,), (0, 1)),
        ("24,33/36,21", (1,), (0, 1)),
        ("-/-", (0, 1), (0, 1)),
        ("33/34/36,22", (2,), (2,)),
        ("33/34/35", (2,), (0, 1, 2)),
    ],
)
def test_winners_and_tie_breaks(stacks, by_tile, shared):
    """Most worms wins; a tie goes to the highest tile or is shared."""
    position = Position.parse(f"- {stacks} 1")
    assert position.winners(Rules(tie_break="highest_tile")) == by_tile
    assert position.winners(Rules(tie_break="shared")) == shared


def test_players_without_tiles_share_even_if_tiles_score_nothing():
    """A tile worth 0 worms beats no tile under highest_tile."""
    position = Position((), ((5,), ()), 0, Equipment(1, (5,), (0,)))
    assert position.winners(Rules()) == (0,)
    assert position.winners(Rules(tie_break="shared")) == (0, 1)
