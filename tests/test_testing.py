"""The strategies shrink to small examples, and the check catches the mistakes made often."""

import importlib
import sys
from dataclasses import replace

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from pickomino import PRESETS, Dice, Equipment, Position, Rules, testing
from pickomino.dice import FACES, keep
from pickomino.errors import GameError
from pickomino.play.engine import GameState, Keep, Roll, Stop, Take
from pickomino.position import Claim
from pickomino.testing import Observation, check_conformance

TINY = st.just(Equipment(2, (4, 6, 9), (1, 1, 2)))
QUICK = settings(max_examples=100, database=None, derandomize=True)


def smallest(strategy, condition=lambda _: True, examples=100):
    """The example to which hypothesis shrinks."""
    return find(strategy, condition, settings=settings(QUICK, max_examples=examples))


def test_rules_shrink_to_the_rulebook():
    """A condition on one switch leaves the others at the rulebook's."""
    assert smallest(testing.rules()) == Rules()
    rules = smallest(testing.rules(), lambda r: r.steal == "mandatory")
    assert rules == Rules(steal="mandatory")
    assert smallest(testing.rules(), lambda r: r.flip_without_tile).changes_from(Rules()) == {
        "flip_without_tile": True
    }


def test_equipments_shrink_to_one_die():
    """The smallest box has a die and a tile; the smallest with worms adds just one."""
    assert smallest(testing.equipments()) == Equipment(1, (1,), (0,))
    assert smallest(testing.equipments(), lambda e: sum(e.worms) > 0) == Equipment(1, (1,), (1,))


def test_positions_shrink_to_an_empty_table():
    """Tiles appear only where the condition asks for them."""
    assert str(smallest(testing.positions())) == "- - 1"
    assert str(smallest(testing.positions(min_grill=1, min_players=2))) == "21 -/- 1"
    assert str(smallest(testing.positions(), lambda p: p.own)) == "- 36 1"


def test_dice_shrink_to_ones():
    """Kept dice vanish, and a roll shows ones but for what is asked."""
    assert smallest(testing.kept_dice()) == Dice()
    assert str(smallest(testing.rolls())) == "1 1 1 1 1 1 1 1"
    assert str(smallest(testing.rolls(5), lambda d: d.counts[5])) == "1 1 1 1 W"


def test_turn_states_shrink_to_a_turn_about_to_begin():
    """A roll, kept dice and an open claim appear when they are asked for."""
    states = testing.turn_states(testing.positions(TINY, min_grill=1))
    box = "2d:4x1,6x1,9x2"
    assert str(smallest(testing.turn_states())) == "21 - 1"
    assert str(smallest(states, lambda s: s.roll)) == f"4 - 1 {box} roll=11"
    assert str(smallest(states, lambda s: s.kept.number)) == f"4 - 1 {box} kept=1"
    claim = smallest(states, lambda s: s.ended, 2000)
    assert len(claim.actions) == 2
    assert len(claim.rules.changes_from(Rules())) <= 1


def test_games_shrink_to_a_turn():
    """The smallest game takes the only tile; with a stop it is as short as a stop allows."""
    games = testing.games(testing.positions(TINY, min_grill=1, min_players=2), max_free_turns=2)
    game = smallest(games)
    assert str(game.start) == "4 -/- 1 2d:4x1,6x1,9x2"
    assert [str(a) for a in game.actions] == ["roll W W", "keep W"]
    game = smallest(games, lambda g: Stop() in g.actions)
    assert len(game.start.position.stacks) == 2
    assert len(game.actions) <= 5


@given(testing.games(max_free_turns=4))
@settings(max_examples=25)
def test_games_are_whole(game):
    """A drawn game starts with all tiles on the grill, replays, and ends."""
    assert game.start.position == Position.start(len(game.start.position.stacks))
    assert game.states()[-1].is_over
    assert type(game).from_json(game.to_json()) == game


@given(testing.turn_states(testing.positions(testing.equipments(4), min_grill=1)))
@settings(max_examples=60)
def test_turn_states_have_something_to_decide(state):
    """A drawn moment has legal actions and reads back."""
    assert state.actions
    assert GameState.parse(str(state), state.rules) == state


@pytest.mark.parametrize(
    "strategy",
    [testing.equipments(0), testing.equipments(11), testing.positions(min_players=8)],
)
def test_strategies_refuse_what_cannot_be_played(strategy):
    """Numbers of dice and players that no game has are named."""
    with pytest.raises(GameError, match=r"cannot (be played|play)"):
        smallest(strategy)


def test_games_without_a_quick_end_are_rejected():
    """Where worms alone claim nothing the strategy has no game to draw."""
    start = Position((99,), ((), ()), 0, Equipment(2, (99,), (1,)))
    with pytest.raises(Exception, match=r"NoSuchExample|Unsatisfiable|") as caught:
        smallest(testing.games(st.just(start), max_free_turns=0))
    assert type(caught.value).__name__ in ("NoSuchExample", "Unsatisfiable")


def test_hypothesis_is_named_if_it_is_missing(monkeypatch):
    """The import says what to install."""
    for name in [n for n in sys.modules if n.startswith("pickomino.testing")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(ImportError, match=r"pip install 'pickomino\[testing\]'"):
        importlib.import_module("pickomino.testing")


class Ours:
    """Our engine behind the adapter protocol."""

    def __init__(self, rules="rulebook"):
        self.rules = Rules.of(rules)

    def reset(self, players):
        """Begin a game."""
        self.state = GameState.start(players, self.rules)

    def set_up(self, position):
        """Begin anywhere."""
        self.state = GameState(position, self.rules)

    def step(self, action):
        """Do it."""
        self.state = self.state.apply(action)

    def observe(self):
        """Everything."""
        s, p = self.state, self.state.position
        return Observation(p.grill, p.stacks, s.mover, s.kept, s.actions, s.is_over, s.winners)


class BySteps(Ours):
    """Our engine taken apart, so that one step of it can be made wrong."""

    def step(self, action):
        """Settle the end of a turn by the methods below, everything else as ever."""
        state, after = self.state, self.state.apply(action)
        self.state = after
        position, kept = state.position, state.kept
        if after.position is position and not after.ended:
            return
        if isinstance(action, Take):
            self.state = GameState(position.after_claim(action.claim), self.rules)
            return
        if isinstance(action, Keep):
            kept = keep(kept, state.roll, action.face)
        if isinstance(action, Roll) and self.rules.dead_roll == "bust":
            kept = Dice()
        self.end(position, kept, after)

    def end(self, position, kept, after):
        """End the turn with these dice."""
        total = self.total(kept)
        claims = self.claims(position, total) if total else ()
        if len(claims) > 1 and after.ended:
            return
        ends = self.claimed(position, claims[0]) if claims else self.busted(position)
        self.state = GameState(ends, self.rules)

    def total(self, kept):
        """The total that counts."""
        return kept.final

    def claims(self, position, total):
        """The open claims."""
        return position.claims(total, self.rules)

    def claimed(self, position, claim):
        """The table after a claim."""
        return position.after_claim(claim)

    def busted(self, position):
        """The table after a bust."""
        return position.after_bust(self.rules)


class NoSetUp:
    """The same engine, but it can only begin at the beginning."""

    def __init__(self, engine):
        self.reset, self.step, self.observe = engine.reset, engine.step, engine.observe


@pytest.mark.parametrize("preset", PRESETS)
def test_our_engine_conforms(preset):
    """Our own engine behind the adapter has no deviation under any preset, whole or taken apart."""
    for engine in (Ours(preset), BySteps(preset)):
        result = check_conformance(engine, preset, games=6, players=(2, 3, 7))
        assert result
        assert result.ok
        assert result.kinds == {}
        assert result.actions > 300
        assert result.report().endswith("no deviation")


class CappedAt36(BySteps):
    """Totals of 37-40 count as 36."""

    def total(self, kept):
        """No more than 36."""
        return min(kept.final, 36)


class FlipsTheReturned(BySteps):
    """The highest tile is flipped even if it has just returned."""

    def busted(self, position):
        """Spare nothing."""
        return position.after_bust(replace(self.rules, flip="always"))


class FlipsByWorms(BySteps):
    """Of the tiles with most worms the lowest is flipped, not the highest tile."""

    def busted(self, position):
        """Choose by worms."""
        after = position.after_bust(self.rules)
        tiles = sorted({*position.grill, *position.own[-1:]})
        if len(after.grill) == len(tiles):
            return after
        chosen = max(tiles, key=position.equipment.worms_on)
        return replace(after, grill=tuple(t for t in tiles if t != chosen))


class OwnTopClaimed(BySteps):
    """The player's own top tile is claimed, which changes nothing."""

    def claims(self, position, total):
        """The own top comes first."""
        if position.own[-1:] == (total,):
            return (Claim(total, position.mover),)
        return super().claims(position, total)

    def claimed(self, position, claim):
        """Take it from oneself."""
        if claim.victim == position.mover:
            return replace(position, mover=(position.mover + 1) % len(position.stacks))
        return super().claimed(position, claim)


class WormIsSix(BySteps):
    """A worm counts 6."""

    def total(self, kept):
        """One more for each worm."""
        return kept.final and kept.final + kept.counts[5]


class NoWormNeeded(BySteps):
    """A total counts without a worm."""

    def total(self, kept):
        """Any total."""
        return kept.total


class TwoDiceLeft(Ours):
    """Two dice of the face stay on the table if there are three or more."""

    def step(self, action):
        """Keep too few."""
        state = self.state
        super().step(action)
        face = FACES.index(action.face) if isinstance(action, Keep) else 0
        if isinstance(action, Keep) and state.roll.counts[face] > 2:
            kept = state.kept.plus(face, state.roll.counts[face] - 2)
            if not kept.is_spent(8):
                self.state = GameState(state.position, self.rules, kept)


class EarlyBust(Ours):
    """A keep that brings the total of a tile and yet claims nothing ends the turn."""

    def step(self, action):
        """Look for a claim too early."""
        position = self.state.position
        super().step(action)
        total = self.state.kept.total
        still = self.state.position is position and isinstance(action, Keep)
        if still and total >= 21 and not position.claims(total, self.rules):
            self.state = GameState(position.after_bust(self.rules), self.rules)


class SameFaceTwice(Ours):
    """Any face of the roll may be kept, also one that is kept already."""

    def observe(self):
        """Offer all faces."""
        seen, roll = super().observe(), self.state.roll
        every = [Keep(FACES[f]) for f in range(6) if roll and roll.counts[f]]
        return replace(seen, legal=every or seen.legal)


class DeadRollIsMissed(Ours):
    """A dead roll costs nothing; the player decides again."""

    def step(self, action):
        """Leave the state as it is."""
        dead = isinstance(action, Roll) and not action.dice.mask & ~self.state.kept.mask
        if not dead:
            super().step(action)


class LowerTilesForgotten(BySteps):
    """A total between tiles is a bust."""

    def claims(self, position, total):
        """Exact tiles alone."""
        return tuple(c for c in super().claims(position, total) if c.tile == total)


class NobodyIsSkipped(BySteps):
    """Who busts plays again."""

    def busted(self, position):
        """Stay with the mover."""
        return replace(super().busted(position), mover=position.mover)


class WinsByTiles(Ours):
    """Most tiles win, whatever worms they have."""

    def observe(self):
        """Count tiles."""
        counts = [len(stack) for stack in self.state.position.stacks]
        winners = [p for p, count in enumerate(counts) if count == max(counts)]
        return replace(super().observe(), winners=winners)


class Crashes(Ours):
    """A total of 30 or more is out of range."""

    def step(self, action):
        """Index a list that is too short."""
        super().step(action)
        list(range(30))[self.state.kept.total]


MUTANTS = {
    CappedAt36: "total 37-40: stealing 36 instead of taking the next lower tile",
    FlipsTheReturned: "bust: the returned tile flipped instead of no flip",
    FlipsByWorms: "bust: another tile flipped instead of the highest tile flipped",
    OwnTopClaimed: (
        "total of the own top: neither claim nor bust instead of taking the next lower tile"
    ),
    WormIsSix: (
        "total of a grill tile: taking a higher tile instead of taking the tile of the total"
    ),
    NoWormNeeded: "no worm kept: taking the tile of the total instead of bust",
    TwoDiceLeft: "fewer dice kept",
    EarlyBust: "bust although the turn can go on",
    SameFaceTwice: "keeping a face kept before is legal",
    DeadRollIsMissed: "dead roll: going on instead of ending the turn",
    LowerTilesForgotten: "total between tiles: bust instead of taking the next lower tile",
    NobodyIsSkipped: "another player to move",
    WinsByTiles: "other winners",
    Crashes: "keep raises IndexError",
}


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: m.__name__)
def test_every_common_mistake_is_caught(mutant):
    """One wrong rule is found, named for what it does, and shown in one turn from a small table."""
    result = check_conformance(mutant(), games=60)
    assert not result
    assert MUTANTS[mutant] in result.kinds
    for deviation in result.deviations:
        script = deviation.script
        assert {s.position for s in script.states()[:-1]} == {script.start.position}
        assert len(script.actions) <= 12
        assert script.kind == deviation.kind
