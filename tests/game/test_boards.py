"""Boards, against the rules of positions: claims, busts, worms and winners."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from pickomino import Claim
from pickomino.game.boards import CLOSED, LIVE, OVER, Boards


def claim_of(position, tile):
    """The claim of a tile that lies open; None if none does."""
    if tile in position.grill:
        return Claim(tile)
    holders = [p for p in position.opponents if position.stacks[p][-1:] == (tile,)]
    return Claim(tile, holders[0]) if holders else None


@settings(max_examples=150)
@given(strategies.positions(), strategies.rules)
def test_boards_go_on_as_positions_do(position, rules):
    """Each claim and the bust, whatever total they need."""
    boards = Boards(rules, position.equipment, len(position.stacks))
    words = boards.pack([position])
    assert boards.unpack(words[0], position.mover) == position
    then, kinds = boards.after(words)
    after = {boards.bust: position.after_bust(rules)}
    for number, tile in enumerate(boards.tiles):
        claim = claim_of(position, tile)
        if claim is not None and tile <= position.equipment.max_total:
            after[number] = position.after_claim(claim)
    assert {int(n) for n in np.flatnonzero(kinds[0] != CLOSED)} == set(after)
    for option, expected in after.items():
        assert boards.unpack(then[0, option], expected.mover) == expected
        assert kinds[0, option] == (OVER if expected.is_over else LIVE)


@settings(max_examples=150)
@given(strategies.positions(), strategies.rules, st.integers(0, 2**32))
def test_the_best_claim_of_each_total_is_chosen(position, rules, seed):
    """Of several that are worth as much the first in the order of the rules."""
    boards = Boards(rules, position.equipment, len(position.stacks))
    words = boards.pack([position])
    _, kinds = boards.after(words)
    worth = np.random.default_rng(seed).integers(0, 3, kinds.shape).astype(float)
    by_class, chosen = boards.choose(words, kinds, worth)
    for total, at in enumerate(boards.class_of.tolist()):
        claims = position.claims(total, rules) if total >= 5 else ()
        options = [boards.tiles.index(claim.tile) for claim in claims] or [boards.bust]
        best = max(options, key=lambda option: worth[0, option])
        assert chosen[0, at] == best
        assert by_class[0, at] == worth[0, best]


@settings(max_examples=100)
@given(strategies.positions(), strategies.rules)
def test_worms_tops_and_winners(position, rules):
    """Counted from the mover on."""
    seats = len(position.stacks)
    boards = Boards(rules, position.equipment, seats)
    words = boards.pack([position])
    order = [(position.mover + seat) % seats for seat in range(seats)]
    assert boards.worms(words)[0].tolist() == [position.worms(p) for p in order]
    winners = position.winners(rules)
    assert boards.shares(words)[0].tolist() == [(p in winners) / len(winners) for p in order]
    tops = [position.stacks[p][-1] if position.stacks[p] else None for p in order]
    numbers = boards.tops(words)[0].tolist()
    assert [None if n < 0 else boards.tiles[n] for n in numbers] == tops
