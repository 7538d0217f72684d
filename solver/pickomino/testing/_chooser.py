"""How the games of a check are played: at random, but so that rare things happen.

Fair dice and random choices hardly ever reach high totals, dead rolls with a worm kept, or the top
of somebody's stack.  So some turns have loaded dice, and some are arranged to end with a given
total.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from pickomino.dice import FACES, PIPS, WORM, Dice
from pickomino.play.engine import Action, GameState, Keep, Roll, Stop
from pickomino.testing.script import Choose

STOP_EARLY = 0.1
"""The chance of a stop that claims nothing, wherever the rules allow one.

Of 1,000 turns 356 then end in a dead roll; with 0.5 it would be 140.
"""

CHANGE = 0.4
"""The chance that a turn begins with a new temper.

One lasts for two or three turns, so that a player meets what the one before has done.
"""

ARRANGED = 0.3
"""The share of turns that are arranged to end with a given total.

Of 1,000 turns 50 then steal, and 85 leave a choice of what to take; with none it would be 7 and 10.
"""


@dataclass(frozen=True)
class _Temper:
    """How a turn is played.

    Attributes:
        weights: How often each face falls, 1-5 and W.
        greedy: Whether the face with most pips is kept.
        stop: How likely a stop is that claims a tile.
    """

    weights: tuple[float, ...]
    greedy: bool
    stop: float


RARE = 0.01
"""The least weight of a face, about a hundredth of the usual: each can still fall."""

STOPS = 0.0, 0.3, 0.9
"""How likely a stop that claims a tile is: turns that go on to the end, and short ones."""


def _fair(rng: random.Random) -> _Temper:
    return _Temper((1.0,) * 6, rng.random() < 0.5, rng.choice(STOPS))


def _loaded(rng: random.Random) -> _Temper:
    """Few faces, so that rolls are dead and the same totals come again.

    The third power of a random number is below an eighth for half of the faces.
    """
    weights = tuple(rng.random() ** 3 + RARE for _ in range(6))
    return _Temper(weights, rng.random() < 0.5, rng.choice(STOPS))


def _high(rng: random.Random) -> _Temper:
    """Little but fives and worms, so that totals reach and pass the highest tile.

    Of 1,000 turns 96 end beyond 36 with all tempers; with fair dice only, none arranged, it is 2.
    """
    weights = (RARE, RARE, RARE, 0.2 * rng.random(), rng.random() + 0.1, rng.random() + 0.1)
    return _Temper(weights, greedy=True, stop=rng.choice([0.0, 0.0, 0.3]))


_TEMPERS = (_fair, _fair, _loaded, _high)
"""Half of the new tempers are fair, so that games keep much of what real ones have."""

Plan = list[tuple[Dice, Action]]
"""The rolls of an arranged turn, each with what is kept of it."""


def _arranged(state: GameState, rng: random.Random) -> Plan:
    """Rolls and what is kept of them, for the total of a top or a tile, or one beyond all tiles."""
    box = state.position.equipment
    tops = [stack[-1] for stack in state.position.stacks if stack]
    beyond = rng.randint(min(box.tiles[-1], box.max_total), box.max_total)
    total = rng.choice([*tops, beyond, rng.choice(box.tiles)])
    ways = [
        (worms, face, count)
        for worms in range(1, box.dice + 1)
        for face in range(WORM)
        for count in range(box.dice - worms + 1)
        if 5 * worms + PIPS[face] * count == total
    ]
    if not ways:
        return []
    worms, face, count = rng.choice(ways)
    left = box.dice - worms
    other = (face + rng.randint(1, WORM - 1)) % WORM
    first = Dice().plus(WORM, worms).plus(face, left)
    second = Dice().plus(face, count).plus(other, left - count)
    plan: Plan = [(first, Keep("W")), (second, Keep(FACES[face]))]
    return plan if count else plan[:1]


def player(seed: str) -> Choose:
    """Choose dice and actions at random.

    Args:
        seed: The same seed chooses the same in the same states.

    Returns:
        All actions of a state, in the order in which they are to be tried.
    """
    return _Player(random.Random(seed)).choose


class _Player:
    """Who chooses, and what the turn under way is to be."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.temper = _fair(rng)
        self.planned = False
        self.plan: Plan = []

    def choose(self, state: GameState) -> list[Action]:
        """All actions of a state, in the order in which they are to be tried."""
        if state.roll is None and not state.kept.number:
            self._begin_turn(state)
        actions = list(state.actions)
        self.rng.shuffle(actions)
        if state.roll is not None:
            self._order_keeps(actions, state.roll)
        elif Stop() in actions:
            stop = self._wants_stop(state)
            actions.sort(key=lambda a: isinstance(a, Stop) != stop)
        given = self.plan[0][0] if self.plan else None
        return [_thrown(a, state, self.rng, self.temper.weights, given) for a in actions]

    def _begin_turn(self, state: GameState) -> None:
        """Decide how the turn is to be played."""
        self.planned = self.rng.random() < ARRANGED
        self.plan = _arranged(state, self.rng) if self.planned else []
        if self.rng.random() < CHANGE:
            self.temper = self.rng.choice(_TEMPERS)(self.rng)

    def _order_keeps(self, actions: list[Action], roll: Dice) -> None:
        """Put the keep of the plan first, or the one with most pips."""
        wish = self.plan.pop(0)[1] if self.plan else None
        if self.temper.greedy or wish is not None:
            actions.sort(key=lambda a: (a != wish, -_pips(a, roll.counts)))

    def _wants_stop(self, state: GameState) -> bool:
        """Whether to stop where that is allowed: an arranged turn stops when its plan is done."""
        claims = state.kept.final and state.position.claims(state.kept.final, state.rules)
        stop = self.rng.random() < (self.temper.stop if claims else STOP_EARLY)
        return not self.plan if self.planned else stop


def _pips(action: Action, counts: tuple[int, ...]) -> int:
    face = FACES.index(action.face) if isinstance(action, Keep) else 0
    return counts[face] * PIPS[face]


def _thrown(
    action: Action,
    state: GameState,
    rng: random.Random,
    weights: tuple[float, ...],
    given: Dice | None,
) -> Action:
    """A roll with its dice, anything else as it is."""
    if not isinstance(action, Roll):
        return action
    if given is not None and given.number == state.dice_left:
        return Roll(given)
    faces = rng.choices(range(6), weights, k=state.dice_left)
    return Roll(Dice(tuple(map(faces.count, range(6)))))
