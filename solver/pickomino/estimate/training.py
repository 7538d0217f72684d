"""Learning what positions are worth from self-play.

Many games go on side by side.  The next positions of each turn are valued by the network, those
that end the game by the rules, and the turn is solved exactly on top of that.  Its outcome
distribution says how the values of the next positions mix: that mean, a number for each seat, is
what the position should be worth, so no luck of the dice enters within a turn.  It is mixed with
what later turns of the same game said (Sutton, *Machine Learning* 3, 1988):

    target of a turn = (1 - l) * its own mean + l * target of the turn that followed

and one of a game's last turn, or before a random one, is the mean alone.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pickomino._runtime.jobs import Run, run_here
from pickomino.equipment import STANDARD
from pickomino.estimate.batches import inputs_of_boards
from pickomino.estimate.inputs import Float32Array
from pickomino.estimate.network import Network
from pickomino.game.boards import LIVE, OVER, Boards
from pickomino.game.listing import by_option, turns
from pickomino.objectives import GameObjective
from pickomino.rules import SWITCHES, Rules
from pickomino.turn.graph import FloatArray, IntArray

__all__ = [
    "LAG",
    "Group",
    "Learner",
    "Schedule",
    "Turn",
    "backed_up",
    "random_rules",
    "values_after",
]

GROUPS = (
    *((2, True), (2, False), (2, False)),
    *((3, True), (3, False), (3, False)),
    *((4, True), (4, False)),
    *((5, False), (6, False), (7, False)),
)
"""How many play in each group, and whether by the rulebook; else by any rules."""

RENEWED = 300
"""After how many turns a group of random rules gets others."""

LAG = 12
"""How many turns later a target is made: what still later turns say counts for nothing."""


@dataclass(frozen=True)
class Schedule:
    """What changes in the course of training, each from a start to an end.

    Attributes:
        rate: The step size of Adam.
        later: How much of a target is what later turns said.
        random: How many turns end by chance, so that positions come up that good play avoids.
    """

    rate: tuple[float, float] = (1e-3, 2e-5)
    later: tuple[float, float] = (0.9, 0.0)
    random: tuple[float, float] = (0.05, 0.0)

    def at(self, share: float) -> tuple[float, float, float]:
        """The three after a share of the training, 0 to 1."""
        (high, low), (late, soon), (wild, tame) = self.rate, self.later, self.random
        rate = low + (high - low) * (1 + np.cos(np.pi * share)) / 2
        early = max(0.0, 1 - share / 0.7)  # the last part is for fine tuning
        return rate, soon + (late - soon) * early, tame + (wild - tame) * early


@dataclass(frozen=True, eq=False)
class Turn:
    """The turns of some games, taken together.

    Attributes:
        words: ``(n, seats + 1)`` where they began.
        mean: ``(n, seats)`` what they are worth to each seat, from the mover on.
        gain: ``(n, seats)`` what each seat won by how they ended, for ``margin``; 0 for ``win``.
        cut: ``(n,)`` whether nothing later counts: the game is over, or the end was random.
    """

    words: IntArray
    mean: FloatArray
    gain: FloatArray
    cut: NDArray[np.bool_]


def relative(worms: FloatArray) -> FloatArray:
    """``(..., seats)`` each seat's worms less the mean of the others'."""
    seats = worms.shape[-1]
    if seats == 1:
        return worms
    whole: FloatArray = (seats * worms - worms.sum(axis=-1, keepdims=True)) / (seats - 1)
    return whole


def values_after(
    boards: Boards, network: Network, words: IntArray
) -> tuple[IntArray, NDArray[np.int8], FloatArray, FloatArray]:
    """What each option of a turn leads to, and is worth to each seat.

    Args:
        boards: The game.
        network: Who values the positions after the turn.
        words: ``(n, seats + 1)`` boards.

    Returns:
        The next boards and their kinds as of :meth:`Boards.after`, and ``(n, options, seats)``
        the values and, for ``margin``, the gains of the turn that are part of them, both in the
        order of the seats of ``words``.
    """
    then, kinds = boards.after(words)
    value = np.zeros((*kinds.shape, boards.seats))
    gain = np.zeros_like(value)
    live, over = kinds == LIVE, kinds == OVER
    seen = inputs_of_boards(boards, then[live])
    value[live] = np.roll(network.values(seen, boards.seats), 1, axis=1)
    if network.objective == "win":
        value[over] = np.roll(boards.shares(then[over]), 1, axis=1)
    else:
        happened = live | over
        worms = np.roll(boards.worms(then[happened]), 1, axis=1)
        before = np.repeat(boards.worms(words), happened.sum(axis=1), axis=0)
        gain[happened] = relative((worms - before).astype(float))
        value += gain
    return then, kinds, value, gain


def backed_up(
    boards: Boards, words: IntArray, kinds: NDArray[np.int8], value: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The best turns on top of the values of what follows.

    Args:
        boards: The game.
        words: ``(n, seats + 1)`` boards.
        kinds: ``(n, options)`` what the options lead to.
        value: ``(n, options, seats)`` what they are worth.

    Returns:
        ``(n, options)`` how likely the turn ends in each, and ``(n, seats)`` the mean values.
    """
    by_class, chosen = boards.choose(words, kinds, value[:, :, 0])
    _, share = turns(by_class, chosen < boards.bust, boards.class_of, boards.rules, True)
    play = by_option(share, chosen, boards.bust + 1)
    return play, np.einsum("xo,xos->xs", play, value)


class Group:
    """Games of one kind that go on side by side."""

    def __init__(self, boards: Boards, games: int, rng: np.random.Generator) -> None:
        self.boards, self.rng = boards, rng
        self.words = boards.start(games)
        self.turns: deque[Turn] = deque()

    def learn(
        self, network: Network, random: float, later: float
    ) -> tuple[tuple[Float32Array, ...], float, int] | None:
        """Play a turn of every game, and learn from the oldest that is kept.

        Args:
            network: Who values the positions.
            random: How many turns end by chance.
            later: How much of a target is what later turns said.

        Returns:
            The gradients and the squares of :meth:`Network.gradients`, and of how many positions;
            None before there are later turns.
        """
        self.play(network, random)
        if len(self.turns) < LAG:
            return None
        words, target = self.targets(later)
        seen = inputs_of_boards(self.boards, words)
        seats = self.boards.seats
        return *network.gradients(seen, seats, target.astype(np.float32)), len(words)

    def play(self, network: Network, random: float) -> None:
        """Play a turn of every game; one that ends begins anew."""
        boards, rng = self.boards, self.rng
        games = len(self.words)
        then, kinds, value, gain = values_after(boards, network, self.words)
        play, mean = backed_up(boards, self.words, kinds, value)
        wild = rng.random(games) < random
        play[wild] = (kinds[wild] > 0) / (kinds[wild] > 0).sum(axis=1, keepdims=True)
        option = drawn(play, rng.random(games))
        row = np.arange(games)
        over = kinds[row, option] == OVER
        self.turns.append(Turn(self.words, mean, gain[row, option], over | wild))
        self.words = then[row, option]
        self.words[over] = boards.start(int(over.sum()))

    def targets(self, later: float) -> tuple[IntArray, FloatArray]:
        """Take away the oldest turn that is kept: its positions with their targets."""
        target = self.turns[-1].mean
        for turn in list(self.turns)[-2::-1]:
            weight = np.where(turn.cut, 0.0, later)[:, None]
            target = (1 - weight) * turn.mean + weight * (turn.gain + np.roll(target, 1, axis=1))
        return self.turns.popleft().words, target


def drawn(play: FloatArray, uniform: FloatArray) -> IntArray:
    """``(n,)`` the options that some numbers from 0 to 1 draw."""
    below = play.cumsum(axis=1) <= uniform[:, None] * play.sum(axis=1, keepdims=True)
    last = play.shape[1] - 1 - (play[:, ::-1] > 0).argmax(axis=1)  # the last that can be drawn
    option: IntArray = np.minimum(below.sum(axis=1), last)
    return option


def random_rules(rng: np.random.Generator) -> Rules:
    """Any combination of switches, all equally likely."""
    return Rules(**{name: values[rng.integers(len(values))] for name, values in SWITCHES.items()})  # type: ignore[arg-type]


class Adam:
    """Steps by gradients (Kingma and Ba, 2015)."""

    def __init__(self, network: Network) -> None:
        self.mean = [np.zeros_like(layer) for layer in network.weights]
        self.square = [np.zeros_like(layer) for layer in network.weights]
        self.steps = 0

    def step(self, network: Network, gradients: list[Float32Array], rate: float) -> Network:
        """The network after one step down the gradients."""
        self.steps += 1
        new = []
        for weight, mean, square, slope in zip(
            network.weights, self.mean, self.square, gradients, strict=True
        ):
            mean += np.float32(0.1) * (slope - mean)
            square += np.float32(0.001) * (slope * slope - square)
            size = rate / (1 - 0.9**self.steps)
            root = np.sqrt(square / np.float32(1 - 0.999**self.steps)) + np.float32(1e-8)
            new.append(weight - np.float32(size) * mean / root)
        return Network(network.objective, *new)


class Learner:
    """Training as far as it has come."""

    def __init__(
        self, objective: GameObjective, seed: int, games: int = 256, schedule: Schedule = Schedule()
    ) -> None:
        self.rng = np.random.default_rng(seed)
        self.network = Network.untrained(objective, self.rng)
        self.adam, self.games, self.schedule = Adam(self.network), games, schedule
        self.groups = [self._group(*kind) for kind in GROUPS]
        self.sweeps = 0

    def _group(self, players: int, rulebook: bool) -> Group:
        rules = Rules() if rulebook else random_rules(self.rng)
        return Group(Boards(rules, STANDARD, players), self.games, self.rng.spawn(1)[0])

    def sweep(self, share: float, run: Run = run_here) -> float:
        """Play a turn of every game, and learn from those of some turns before.

        Args:
            share: How much of the training is over, 0 to 1.
            run: Who solves the turns.

        Returns:
            The root mean square by which the values of a position missed its targets.
        """
        rate, later, random = self.schedule.at(share)
        self.sweeps += 1
        for number, (players, rulebook) in enumerate(GROUPS):
            if not rulebook and (self.sweeps + number * RENEWED // len(GROUPS)) % RENEWED == 0:
                self.groups[number] = self._group(players, rulebook)
        sums = [np.zeros_like(layer) for layer in self.network.weights]
        squares, rows = 0.0, 0
        work = [(group, self.network, random, later) for group in self.groups]
        for found in run(Group.learn, work):
            if found is None:
                continue
            parts, missed, positions = found
            for total, part in zip(sums, parts, strict=True):
                total += part
            rows += positions
            squares += missed
        if not rows:
            return 0.0
        self.network = self.adam.step(self.network, [s / np.float32(rows) for s in sums], rate)
        return float(np.sqrt(squares / rows))
