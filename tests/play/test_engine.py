"""Whole games: what is legal, what is conserved, that games end, and that records replay."""

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import strategies
from pickomino import (
    PRESETS,
    STANDARD,
    Claim,
    Dice,
    DiceError,
    Equipment,
    PickominoError,
    Position,
    Rules,
)
from pickomino.errors import GameError
from pickomino.play.engine import GameState, Keep, Roll, Stop, Take, throw
from pickomino.play.record import GameRecord
from samples import SIX_TILES


class Game(RuleBasedStateMachine):
    """A game under any rules, played by hypothesis; what must always hold is checked throughout."""

    @initialize(
        rules=strategies.rules,
        equipment=st.sampled_from([SIX_TILES, Equipment(2, (6, 8, 10), (1, 0, 2))]),
        players=st.integers(1, 7),
    )
    def begin(self, rules, equipment, players):
        """Set up; nothing has been seen face down yet."""
        self.states = [GameState.start(players, rules=rules, equipment=equipment)]

    @property
    def state(self):
        """The present moment."""
        return self.states[-1]

    @rule(data=st.data())
    def act(self, data):
        """Any legal action, with any dice; nothing is legal after the end."""
        before = self.state
        if before.is_over:
            with pytest.raises(GameError, match="nothing, as the game is over"):
                before.apply(data.draw(st.sampled_from([Roll(), Stop(), Keep("1")])))
            return
        action = data.draw(st.sampled_from(before.actions))
        if isinstance(action, Roll):
            faces = data.draw(
                st.lists(st.integers(0, 5), min_size=before.dice_left, max_size=before.dice_left)
            )
            action = Roll(Dice(tuple(faces.count(f) for f in range(6))))
        after = before.apply(action)
        self.states.append(after)
        assert before == GameState.parse(str(before), rules=before.rules)
        self.changed(before, after)

    def changed(self, before, after):
        """Tiles are conserved, face-down tiles only grow, and a stack changes at its top alone."""
        old, new = face_up(before), face_up(after)
        assert new <= old
        assert sum((old - new).values()) <= 1
        for mine, theirs in zip(before.position.stacks, after.position.stacks, strict=True):
            assert mine == theirs or mine[:-1] == theirs or mine == theirs[:-1]
        if before.position == after.position:
            assert after.mover == before.mover
        else:
            assert after.mover == (before.mover + 1) % len(before.position.stacks)
            assert (after.kept, after.roll, after.ended) == (Dice(), None, False)

    @invariant()
    def dice_are_conserved(self):
        """Kept dice and those on the table are the game's."""
        state = self.state
        assert state.kept.number + state.dice_left == state.position.equipment.dice
        if state.roll is not None:
            assert state.roll.number == state.dice_left

    @invariant()
    def an_end_has_winners(self):
        """There is something to do exactly while the game goes on; the winner has most worms."""
        state = self.state
        assert bool(state.actions) != state.is_over
        assert bool(state.winners) == state.is_over
        if state.is_over:
            worms = [state.position.worms(p) for p in range(len(state.position.stacks))]
            assert all(worms[w] == max(worms) for w in state.winners)
            best = [max(s, default=0) for s in state.position.stacks]
            if state.rules.tie_break == "highest_tile":
                tied = [p for p, w in enumerate(worms) if w == max(worms)]
                highest = max(best[p] for p in tied)
                assert state.winners == tuple(p for p in tied if best[p] == highest)


def face_up(state):
    """The tiles that lie face up anywhere."""
    return Counter([*state.position.grill, *(t for s in state.position.stacks for t in s)])


TestGame = Game.TestCase


TestGame.settings = settings(max_examples=40, stateful_step_count=40)


def random_game(seed, rules, players, equipment=SIX_TILES):
    """A game of random actions and dice."""
    rng = np.random.default_rng(seed)
    state = start = GameState.start(players, rules=rules, equipment=equipment)
    actions = []
    while not state.is_over:
        action = state.actions[rng.integers(len(state.actions))]
        if isinstance(action, Roll):
            action = Roll(throw(state.dice_left, rng))
        actions.append(action)
        state = state.apply(action)
        assert len(actions) < 50_000
    return GameRecord(start, tuple(actions))


@pytest.mark.parametrize("preset", PRESETS)
def test_random_games_end_and_replay(preset):
    """A hundred games a preset, with 2-7 players: each ends, and its record replays to it."""
    for seed in range(100):
        box = STANDARD if seed % 25 == 0 else SIX_TILES
        record = random_game(seed, Rules.preset(preset), 2 + seed % 6, box)
        written = json.loads(json.dumps(record.to_json()))
        again = GameRecord.from_json(written)
        assert again == record
        assert again.states()[-1].is_over
        assert written["winners"]


def test_the_moments_of_a_turn():
    """Roll, keep, decide, stop, claim; the next player's turn follows."""
    state = GameState.start(2, rules="finnish")
    assert state.actions == (Roll(),)
    state = state.apply(Roll(Dice.parse("5 5 5 W W 1 1 1")))
    assert str(state) == "21-36 -/- 1 roll=111555WW"
    assert state.actions == (Keep("W"), Keep("1"), Keep("5"))
    state = state.apply(Keep("5"))
    assert state.actions == (Roll(), Stop())
    state = state.apply(Roll(Dice.parse("W W 1 1 1"))).apply(Keep("W"))
    state = state.apply(Stop())
    # The exact 25 lies there, so nothing is left to choose.
    assert str(state) == "21-24,26-36 25/- 2"
    state = GameState.parse("21,23,36 25/- 2 kept=555WW", rules="finnish").apply(Stop())
    assert str(state) == "21,23,36 25/- 2 kept=555WW ended"
    assert state.actions == (Take(Claim(25, 0)), Take(Claim(23)), Take(Claim(21)))
    assert str(state.apply(Take(Claim(21)))) == "23,36 25/21 1"


def test_what_settles_itself():
    """Dead rolls, busts, single claims and spent dice leave nothing to choose."""
    state = GameState.parse("21,36 25/- 1 kept=33")
    assert str(state.apply(Roll(Dice.parse("333333")))) == "21,25 -/- 2"
    state = GameState.parse("21,30 25/- 1 kept=5555W", rules="bga-literal")
    assert str(state.apply(Roll(Dice.parse("5 5 5")))) == "30 25,21/- 2"
    state = GameState.parse("21,30 25/- 1 kept=55551 roll=WW2")
    assert str(state.apply(Keep("W"))) == "21,30 25/- 1 kept=15555WW"
    state = GameState.parse("21,30 25/- 1 kept=555512 roll=WW")
    assert str(state.apply(Keep("W"))) == "21 25,30/- 2"


@pytest.mark.parametrize(
    ("text", "action", "message"),
    [
        ("21-36 -/- 1", Stop(), "stop is not legal in '21-36 -/- 1': legal is roll"),
        ("21-36 -/- 1", Roll(), "roll is not legal"),
        ("21-36 -/- 1", Roll(Dice.parse("123")), "the roll '1 2 3' has 3 dice"),
        ("21-36 -/- 1 kept=33 roll=123456", Keep("3"), "keep 3 is not legal"),
        ("21-36 -/- 1 kept=33 roll=123456", Roll(Dice.parse("1")), "legal is keep 1, keep 2"),
        ("21-36 -/- 1 kept=33", Keep("1"), "keep 1 is not legal .* legal is roll, stop"),
        ("21-36 -/- 1 kept=33", Take(Claim(21)), "take 21 is not legal"),
        ("- 21/- 1", Roll(Dice.parse("1" * 8)), "legal is nothing, as the game is over"),
    ],
)
def test_illegal_actions_are_refused(text, action, message):
    """With what is legal instead."""
    with pytest.raises(PickominoError, match=message):
        GameState.parse(text).apply(action)


def test_stopping_rules():
    """A turn may be stopped as the rules say, whatever a stop is worth."""
    texts = ["21-36 -/- 1 kept=33", "21-36 -/- 1 kept=W", "21-36 -/- 1 kept=5555W"]
    for stop, expected in (
        ("any_time", [True, True, True]),
        ("worm_required", [False, True, True]),
        ("claim_required", [False, False, True]),
    ):
        rules = replace(Rules(), stop=stop)
        assert [Stop() in GameState.parse(t, rules=rules).actions for t in texts] == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("21-36 -/- 1 kept=12345 roll=1 roll=2", "roll is named twice"),
        ("21-36 -/- 1 kept=12345 roll", "is no position"),
        ("21-36 -/- 1 kept=3 kept=3", "kept is named twice"),
        ("21-36 -/- 1 kept=33 roll=333333", "leaves nothing to decide"),
        ("21-36 -/- 1 kept=12345W", "leaves nothing to decide"),
        ("21-36 -/- 1 kept=5555W ended", "leaves nothing to decide"),
        ("21-36 -/- 1 kept=x", "is no face"),
        ("21-36 -/- 1 kept=333333333", "9 dice are kept"),
        ("21-36 -/- 1 roll=1", "has 1 dice"),
        ("- -/- 1 ended", "nothing is under way"),
        ("- -/- 1 kept=1", "nothing is under way"),
    ],
)
def test_moments_that_are_none_are_refused(text, message):
    """A state is a choice to make, or the end."""
    with pytest.raises(PickominoError, match=message):
        GameState.parse(text)


def test_a_record_is_refused_at_its_first_illegal_action():
    """The sentence has the action's number, whatever is wrong with it."""
    fields = random_game(3, Rules(), 2).to_json()
    for at, text, message in (
        (0, "stop", "action 1: stop is not legal"),
        (1, "keep 7", "action 2: 'keep 7' is no action"),
        (1, "keep 33", "action 2: 'keep 33' is no action"),
        (1, "keep", "action 2: 'keep' is no action"),
        (1, "take 99", "action 2: 'take 99' is no action"),
        (2, "roll 1", "action 3: "),
        (4, "jump", "action 5: 'jump' is no action"),
    ):
        actions = list(fields["actions"])
        actions[at] = text
        with pytest.raises(GameError, match=message):
            GameRecord.from_json({**fields, "actions": actions})
    record = GameRecord.from_json(fields)
    wrong = GameRecord(record.start, (*record.actions[:2], Take(Claim(21))))
    with pytest.raises(GameError, match="action 3: "):
        wrong.states()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": "pickomino.game/2"}, "not of schema pickomino.game/1"),
        ({"actions": "roll"}, "lacks start, rules or actions"),
        ({"rules": 5}, "lacks start, rules or actions"),
        ({"players": "abc"}, "are no names: give a list"),
        ({"players": ["a"] * 9}, "are no names of 3 players"),
        ({"players": ["a", "b", "\x1b[31m"]}, "cannot be printed"),
        ({"actions": [1]}, "lacks start, rules or actions"),
        ({"start": None}, "lacks start, rules or actions"),
        ({"rules": "german"}, "no rules are called 'german'"),
        ({"end": "- -/- 1"}, "but leads to"),
    ],
)
def test_records_that_are_none_are_refused(change, message):
    """Another schema, missing fields, or an end that is not the actions'."""
    fields = random_game(4, Rules(), 3).to_json()
    with pytest.raises(PickominoError, match=message):
        GameRecord.from_json({**fields, **change})
    with pytest.raises(PickominoError, match="not of schema"):
        GameRecord.from_json([])


@given(strategies.positions(st.just(SIX_TILES), min_grill=1), strategies.rules)
def test_states_are_hashable_values(position, rules):
    """Equal states are one key, whatever way they were reached."""
    state = GameState(position, rules)
    assert {state: 1}[GameState(Position.parse(str(position)), replace(rules))] == 1


def test_dice_are_seeded_or_given():
    """The same seed throws the same dice; the number is right."""
    throws = [throw(8, np.random.default_rng(seed)) for seed in (1, 1, 2)]
    assert throws[0] == throws[1] != throws[2]
    assert throws[0].number == 8
    with pytest.raises(DiceError, match="has 7 dice, but 8 of 8 are left"):
        GameState.start().apply(Roll(throw(7, np.random.default_rng(0))))


def test_take_is_by_tile():
    """A Take is written with its tile; whom it is from follows from the table."""
    state = GameState(Position.parse("21,23 25/29 1"), Rules(), Dice.parse("5555W4"), None, True)
    assert sorted(map(str, state.actions)) == ["take 23", "take 29"]
    assert {type(a) for a in state.actions} == {Take}
    assert STANDARD.dice == 8
