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
CHANGE = 0.4
ARRANGED = 0.3


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


def _fair(rng: random.Random) -> _Temper:
    return _Temper((1.0,) * 6, rng.random() < 0.5, rng.choice([0.0, 0.3, 0.9]))


def _loaded(rng: random.Random) -> _Temper:
    """Few faces, so that rolls are dead and the same totals come again."""
    weights = tuple(rng.random() ** 3 + 0.01 for _ in range(6))
    return _Temper(weights, rng.random() < 0.5, rng.choice([0.0, 0.3, 0.9]))


def _high(rng: random.Random) -> _Temper:
    """Little but fives and worms, so that totals reach and pass the highest tile."""
    weights = (0.01, 0.01, 0.01, 0.2 * rng.random(), rng.random() + 0.1, rng.random() + 0.1)
    return _Temper(weights, greedy=True, stop=rng.choice([0.0, 0.0, 0.3]))


_TEMPERS = (_fair, _fair, _loaded, _high)


def _arranged(state: GameState, rng: random.Random) -> list[tuple[Dice, Action]]:
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
    plan: list[tuple[Dice, Action]] = [(first, Keep("W")), (second, Keep(FACES[face]))]
    return plan if count else plan[:1]


def player(seed: str) -> Choose:
    """Choose dice and actions at random.

    Args:
        seed: The same seed chooses the same in the same states.

    Returns:
        All actions of a state, in the order in which they are to be tried.
    """
    rng = random.Random(seed)
    temper = _fair(rng)
    plan: list[tuple[Dice, Action]] = []
    planned = False

    def choose(state: GameState) -> list[Action]:
        nonlocal temper, plan, planned
        if state.roll is None and not state.kept.number:
            planned = rng.random() < ARRANGED
            plan = _arranged(state, rng) if planned else []
            # A temper lasts for some turns, so that a player meets what the one before has done.
            if rng.random() < CHANGE:
                temper = rng.choice(_TEMPERS)(rng)
        actions = list(state.actions)
        rng.shuffle(actions)
        if state.roll is not None:
            wish = plan.pop(0)[1] if plan else None
            counts = state.roll.counts
            if temper.greedy or wish is not None:
                actions.sort(key=lambda a: (a != wish, -_pips(a, counts)))
        elif Stop() in actions:
            claims = state.kept.final and state.position.claims(state.kept.final, state.rules)
            stop = rng.random() < (temper.stop if claims else STOP_EARLY)
            stop = not plan if planned else stop
            actions.sort(key=lambda a: isinstance(a, Stop) != stop)
        given = plan[0][0] if plan else None
        return [_thrown(a, state, rng, temper.weights, given) for a in actions]

    return choose


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
