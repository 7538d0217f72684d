"""Turn states and the graph of all turns.

A turn state is what is left to decide once dice are kept: the kept faces, the dice left to roll
and the total.  It needs no more, because kept dice matter only through those three:

    kept 3 3 3 W, four dice left      mask       0b100100   (bit 0 is face 1 ... bit 5 is W)
                                      left       4
                                      total      14

With eight dice 1,939 states can be reached, 1,287 of which can roll.  They are numbered so that
children come first: states where the turn ends, then those that roll by rising ``left``.  The
last state is the empty hand.

A *slot* numbers what one keep can be, in the order that breaks ties: fewest dice, then lowest
face, W last.

    slot = 6 * (dice of the face - 1) + face index        keeping 4 4 is slot 6 * 1 + 3 = 9

For a roll only the faces not kept yet matter, and states with the same (mask, left) share their
rolls.  Each such group holds its rolls as a tree walked in preorder: a node is the set of slots on
the path to it, and its probability is that of a roll that offers exactly those keeps, every other
die showing a kept face.  The root, a roll that offers nothing, is the dead roll.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from math import factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pickomino._runtime.shared import freeze
from pickomino.dice import ALL_FACES, PIPS, WORM, Dice, check_kept

__all__ = [
    "FloatArray",
    "IndexArray",
    "IntArray",
    "Level",
    "Path",
    "RollTree",
    "Trees",
    "TurnGraph",
    "turn_graph",
]

IntArray = NDArray[np.int64]
IndexArray = NDArray[np.uint32]  # unsigned: compiled code need not look for negative indices
FloatArray = NDArray[np.float64]
Path = tuple[tuple[int, int], ...]  # (dice, face) pairs by rising slot


class Level(NamedTuple):
    """The states with one number of dice left, laid out for array arithmetic.

    Attributes:
        states: Their range of numbers.
        child: ``(choices, rolls)`` the states that each roll can lead to in tie order, padded
            with the number of states.
        prob: ``(rolls,)`` the probability of each roll.
        start: ``(states,)`` where each state's rolls begin.
    """

    states: slice
    child: NDArray[np.intp]
    prob: FloatArray
    start: NDArray[np.intp]


class Trees(NamedTuple):
    """The roll trees of all groups one after the other, laid out for compiled code.

    Attributes:
        group_state: ``(groups + 1,)`` the first state of each group, then the number of states.
        group_node: ``(groups + 1,)`` the first node of each group, then the number of nodes.
        depth: ``(nodes,)`` slots on the path to the node, 1-6.
        slot: ``(nodes,)`` the last of them.
        pair: ``(nodes,)`` whether the node and the next are leaves with one parent, taken together.
        prob: ``(nodes,)`` the probability of the roll; 0 for a node that only leads on.
    """

    group_state: IndexArray
    group_node: IndexArray
    depth: IndexArray
    slot: IndexArray
    pair: NDArray[np.bool_]
    prob: FloatArray


@dataclass(frozen=True, eq=False)
class TurnGraph:
    """All turns with one number of dice.

    Attributes:
        dice: How many dice a turn begins with.
        mask: ``(states,)`` kept faces of each state as bits.
        left: ``(states,)`` dice left to roll.
        total: ``(states,)`` sum of the kept dice.
        final: ``(states,)`` the final total of a turn that ends here: the total if a worm is
            kept, else 0.
        first_rolling: States from here on can roll; in those before it the turn is over.
        child: ``(states - first_rolling, slots + 1)`` the state each slot leads to; the number
            of states where it is impossible, and in the last column.
        dead: ``(states,)`` the probability of a dead roll, 0 where the turn is over.
        state_index: ``(masks, dice left, totals)`` the number of each state; the number of states
            where there is none.
    """

    dice: int
    mask: IntArray
    left: IntArray
    total: IntArray
    final: IndexArray
    first_rolling: int
    child: IndexArray
    dead: FloatArray
    state_index: IndexArray

    def __post_init__(self) -> None:
        freeze(self)

    def __repr__(self) -> str:
        return f"TurnGraph({self.dice} dice, {self.states:,} states)"

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return turn_graph, (self.dice,)  # built again elsewhere, once a process

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self.mask)

    @property
    def root(self) -> int:
        """The empty hand."""
        return self.states - 1

    def state(self, kept: Dice | str) -> int:
        """The number of the state with these dice kept.

        Raises:
            DiceError: More dice than the turn has.
        """
        dice = Dice.of(kept)
        check_kept(self.dice, dice)
        return int(self.state_index[dice.mask, self.dice - dice.number, dice.total])

    def can_roll(self, state: int) -> bool:
        """Whether dice and faces are left, so that the turn can go on."""
        return state >= self.first_rolling

    def after(self, state: int, face: int, count: int) -> int:
        """The state after keeping ``count`` dice of a face."""
        return int(self.child[state - self.first_rolling, 6 * (count - 1) + face])

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The rolling states by rising dice left."""
        levels = []
        numbers = range(len(self._groups))
        for left in range(1, self.dice + 1):
            level = [n for n in numbers if self.left[self._groups[n].start] == left]
            width = max(self._tree(n).width for n in level)
            child, prob, rolls = [], [], [0]
            for n in level:
                group, tree = self._groups[n], self._tree(n)
                slot = self._slots[n][tree.falls, :width]
                rows = self.child[
                    group.start - self.first_rolling : group.stop - self.first_rolling
                ]
                child.append(rows.take(slot, axis=1).reshape(-1, width))
                states = group.stop - group.start
                prob += [tree.prob[tree.falls]] * states
                rolls += [len(slot)] * states
            first, last = self._groups[level[0]], self._groups[level[-1]]
            levels.append(
                Level(
                    slice(first.start, last.stop),
                    np.ascontiguousarray(np.concatenate(child).T, dtype=np.intp),
                    np.concatenate(prob),
                    np.cumsum(rolls[:-1], dtype=np.intp),
                )
            )
        for of_left in levels:
            freeze(of_left)
        return tuple(levels)

    @cached_property
    def trees(self) -> Trees:
        """The roll trees of the rolling states."""
        rolls = [self._tree(n) for n in range(len(self._groups))]
        last = [
            np.take_along_axis(slot, roll.depth[:, None] - 1, 1)[:, 0]
            for slot, roll in zip(self._slots, rolls, strict=True)
        ]
        trees = Trees(
            np.array([*(g.start for g in self._groups), self.states], dtype=np.uint32),
            np.cumsum([0, *map(len, last)], dtype=np.uint32),
            np.concatenate([roll.depth for roll in rolls]).astype(np.uint32),
            np.concatenate(last).astype(np.uint32),
            np.concatenate([_pairs(*kind) for kind in self._kinds]),
            np.concatenate([roll.prob for roll in rolls]),
        )
        freeze(trees)
        return trees

    @cached_property
    def _groups(self) -> tuple[slice, ...]:
        """The rolling states in runs that share mask and dice left."""
        key = (self.left * 64 + self.mask)[self.first_rolling :]
        cuts = self.first_rolling + np.flatnonzero(np.diff(key)) + 1
        ends = [self.first_rolling, *cuts.tolist(), self.states]
        return tuple(slice(a, b) for a, b in pairwise(ends))

    @cached_property
    def _kinds(self) -> tuple[tuple[int, int], ...]:
        """The faces not kept and the dice left of each group."""
        starts = [group.start for group in self._groups]
        free = 6 - np.bitwise_count(self.mask[starts])
        return tuple(zip(free.tolist(), self.left[starts].tolist(), strict=True))

    def _tree(self, group: int) -> RollTree:
        """The roll tree of a group, which all of its kind share."""
        return _roll_tree(*self._kinds[group])

    @cached_property
    def _slots(self) -> list[IntArray]:
        """``(nodes, 6)`` for each group: the slots on the path to each node of its roll tree."""
        starts = np.array([group.start for group in self._groups])
        slots: list[IntArray] = [np.empty((0, 6), dtype=np.int64)] * len(starts)
        for kind in dict.fromkeys(self._kinds):
            same = [n for n, other in enumerate(self._kinds) if other == kind]
            kept = self.mask[starts[same], None] >> np.arange(6) & 1
            free = np.nonzero(kept == 0)[1].reshape(len(same), kind[0])
            tree = _roll_tree(*kind)
            on_path = np.where(
                tree.dice > 0, 6 * (tree.dice - 1) + free[:, tree.face], 6 * self.dice
            )
            for n, of_group in zip(same, on_path, strict=True):
                slots[n] = of_group
        return slots


class RollTree(NamedTuple):
    """A roll tree over the free faces, numbered from 0; ``dice`` is 0 past a path's end.

    ``falls`` are the nodes that some roll falls to; the others only lead on.
    """

    dice: IntArray
    face: IntArray
    depth: IntArray
    prob: FloatArray
    falls: IntArray
    width: int


Nodes = list[tuple[Path, int]]


def _is_leaf(nodes: Nodes) -> bool:
    return len(nodes) == 1


@cache
def _roll_tree(faces: int, dice: int) -> RollTree:
    """The rolls of some dice by what they offer, when ``6 - faces`` faces are kept already."""

    def subtree(path: Path, last: int, taken: int, left: int, ways: int) -> Nodes:
        # A roll's number of ways is multinomial; dice that show kept faces have 6 - faces each.
        weight = ways // factorial(left) * (6 - faces) ** left
        below: list[Nodes] = []
        for keep in range(last + 1, faces * left):  # what one keep can be, in the order of slots
            more, face = divmod(keep, faces)
            if not taken >> face & 1:
                step = (more + 1, face)
                rest = ways // factorial(more + 1)
                below.append(subtree((*path, step), keep, taken | 1 << face, left - more - 1, rest))
        below.sort(key=_is_leaf)
        nodes = [node for branch in below for node in branch]
        return [(path, weight), *nodes] if nodes or weight else []

    nodes = subtree((), -1, 0, dice, factorial(dice))[1:]  # the dead roll has no choice to make
    steps = np.array([(*path, *((0, 0),) * (6 - len(path))) for path, _ in nodes])
    depth = np.array([len(path) for path, _ in nodes])
    prob = np.array([weight / 6**dice for _, weight in nodes])
    falls = np.flatnonzero(prob)
    tree = RollTree(steps[..., 0], steps[..., 1], depth, prob, falls, int(depth.max()))
    freeze(tree)
    return tree


@cache
def _pairs(faces: int, dice: int) -> list[bool]:
    """Whether each node of a roll tree and the next are leaves with one parent, without overlap."""
    depth = _roll_tree(faces, dice).depth.tolist()
    leaf = [here >= after for here, after in pairwise([*depth, 0])]
    pairs: list[bool] = []
    for x in range(len(depth)):
        siblings = leaf[x] and depth[x : x + 2] == [depth[x]] * 2 and leaf[x + 1]
        pairs.append(siblings and not (pairs and pairs[-1]))
    return pairs


@cache
def turn_graph(dice: int) -> TurnGraph:
    """The graph of all turns with ``dice`` dice, built once per process."""
    reached = _reached(dice)
    left, mask, total = np.nonzero(reached.transpose(1, 0, 2))
    over = (left == 0) | (mask == ALL_FACES)
    order = np.argsort(~over, kind="stable")
    left, mask, total, over = left[order], mask[order], total[order], over[order]
    first_rolling = int(over.sum())
    index = np.full(reached.shape, len(order), dtype=np.uint32)
    index[mask, left, total] = np.arange(len(order))

    slot = np.arange(6 * dice + 1)
    count, face = slot // 6 + 1, slot % 6
    m, n, t = mask[first_rolling:, None], left[first_rolling:, None], total[first_rolling:, None]
    legal = (m >> face & 1 == 0) & (count <= n)
    at = (
        np.where(legal, m | 1 << face, 0),
        np.where(legal, n - count, 0),
        np.where(legal, t + count * np.array(PIPS)[face], 0),
    )
    child = np.where(legal, index[at], len(order)).astype(np.uint32)

    faces = np.bitwise_count(mask)
    dead = np.where(over, 0.0, faces.astype(float) ** left / 6.0**left)
    final = np.where(mask >> WORM & 1, total, 0).astype(np.uint32)
    return TurnGraph(dice, mask, left, total, final, first_rolling, child, dead, index)


def _reached(dice: int) -> NDArray[np.bool_]:
    """``(masks, dice left, totals)`` which states the empty hand leads to."""
    reached = np.zeros((64, dice + 1, 5 * dice + 1), dtype=bool)
    reached[0, dice, 0] = True
    for mask in range(1, 64):
        face = mask.bit_length() - 1
        before = reached[mask ^ 1 << face]
        for k in range(1, dice + 1):
            kept = k * PIPS[face]
            reached[mask, : dice + 1 - k, kept:] |= before[k:, : 5 * dice + 1 - kept]
    return reached
