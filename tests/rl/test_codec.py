"""The numbers of observations, masks and actions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from pickomino import JUNIOR, STANDARD, Rules
from pickomino.errors import GameError
from pickomino.play.engine import GameState, Keep, Roll, Stop, Take, throw
from pickomino.position import Claim
from pickomino.rl import Codec
from samples import SIX_TILES

BOXES = [SIX_TILES, JUNIOR, STANDARD]


def walk(rules, players, box, seed, steps):
    """The states of a random game, up to a number of steps."""
    rng = np.random.default_rng(seed)
    state = GameState.start(players, rules=rules, equipment=box)
    yield state
    for _ in range(steps):
        if state.is_over:
            return
        action = state.actions[rng.integers(len(state.actions))]
        state = state.apply(
            Roll(throw(state.dice_left, rng)) if isinstance(action, Roll) else action
        )
        yield state


@settings(max_examples=150)
@given(
    rules=strategies.rules,
    players=st.integers(1, 7),
    box=st.sampled_from(BOXES),
    seed=st.integers(0, 2**32),
    steps=st.integers(0, 60),
)
def test_observations_and_masks_say_all(rules, players, box, seed, steps):
    """On the way of any game each seat's observation decodes to the state, and masks are legal."""
    codec = Codec(players, rules, box)
    for state in walk(rules, players, box, seed, steps):
        seats = [codec.encode(state, seat) for seat in range(players)]
    for seat, seen in enumerate(seats):
        assert codec.decode(seen, seat) == state
        assert seen.dtype == np.float32
        assert seen.shape == (codec.size,) == ((players + 1) * len(box.tiles) + players + 16,)
        assert 0 <= seen.min() <= seen.max() <= 1
    mask = codec.mask(state)
    assert mask.shape == (codec.n_actions,) == (len(codec.labels),)
    assert mask.dtype == np.int8
    assert {codec.action(state, i) for i in np.flatnonzero(mask)} == set(state.actions)
    assert all(codec.labels[codec.index(a)] == str(a) for a in state.actions)
    for i in np.flatnonzero(mask == 0):
        with pytest.raises(GameError, match="is not legal"):
            codec.action(state, i)


@given(strategies.positions(), st.integers(0, 6), strategies.rules)
def test_observations_tell_any_position(position, seat, rules):
    """Whatever lies where, in whatever order, and whether the game is over."""
    players = len(position.stacks)
    codec, state = Codec(players, rules, STANDARD), GameState(position, rules)
    assert codec.decode(codec.encode(state, seat % players), seat % players) == state


def test_what_an_observation_looks_like():
    """The layout of the documentation: grill, stacks from the observer's, dice, moment, mover."""
    state = GameState.parse("21,36 25,30/29,24,31/- 2 kept=33 roll=11145W")
    codec = Codec(3, Rules(), STANDARD)
    seen = codec.encode(state, 1)
    places = seen[: 4 * 16].reshape(4, 16)
    assert dict(zip(STANDARD.tiles, places[0], strict=True))[36] == places[0].sum() - 1 == 1
    own = {t: round(1 / p) for t, p in zip(STANDARD.tiles, places[1], strict=True) if p}
    assert own == {31: 1, 24: 2, 29: 3}
    assert places[2].sum() == 0
    assert places[3, [30 - 21, 25 - 21]].tolist() == [1, 0.5]
    assert (8 * seen[64:70]).tolist() == [0, 0, 2, 0, 0, 0]
    assert (8 * seen[70:76]).tolist() == [3, 0, 0, 1, 1, 1]
    assert seen[76:80].tolist() == [0, 1, 0, 0]
    assert seen[80:].tolist() == [1, 0, 0]
    assert codec.encode(state, 0)[80:].tolist() == [0, 1, 0]
    with pytest.raises(GameError, match=r"shape \(3,\) is no observation: give 83 numbers"):
        codec.decode([0, 0, 0])


def test_the_numbers_of_actions():
    """0 rolls, 1 stops, 2-7 keep a face, and the others take a tile of the set."""
    codec = Codec(2, Rules(), JUNIOR)
    actions = (Roll(), Stop(), Keep("1"), Keep("W"), Take(Claim(16)), Take(Claim(27, 1)))
    assert [codec.index(a) for a in actions] == [0, 1, 2, 7, 8, 19]
    assert codec.n_actions == 20
    state = GameState.start(2, rules=Rules(), equipment=JUNIOR)
    for number, name in ((1, "stop"), (-1, "no action"), (20, "no action")):
        with pytest.raises(GameError, match=rf"^{number} \({name}\) is not legal.*is 0 \(roll\)$"):
            codec.action(state, number)
    over = GameState.parse("- -/- 1 junior")
    with pytest.raises(GameError, match="legal is nothing"):
        codec.action(over, 0)
