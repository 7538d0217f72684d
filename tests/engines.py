"""Engines behind the adapter protocol: ours, and ours with one mistake each."""

from dataclasses import replace

from pickomino import Dice, Rules
from pickomino.dice import FACES, keep
from pickomino.play.engine import GameState, Keep, Roll, Take
from pickomino.position import Claim
from pickomino.testing import Observation


class Ours:
    """Our engine behind the adapter protocol."""

    def __init__(self, rules="rulebook"):
        self.rules = Rules.of(rules)

    def reset(self, players):
        """Begin a game."""
        self.state = GameState.start(players, rules=self.rules)

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
