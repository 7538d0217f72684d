"""The positions of a two-player game, and what each turn can make of them.

The turn of a position is the turn problem whose payoff for a final total is the best
``r_c - V(next_c)`` among the claims ``c`` that the total may make.  For ``margin``, ``r_c`` is the
change of the mover's worms minus the opponent's; for ``win`` it is 0 until the game ends, and then
1, 0 or -1, so that the chance to win, a shared win counting half, is ``(1 + V) / 2``.

The positions lie in *tiers* by how many tiles are in play: a turn leads to the same tier or, when a
tile is flipped or banked, to the one below.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pickomino._runtime.jobs import Run, run_here
from pickomino._runtime.limits import check_memory
from pickomino._runtime.shared import freeze
from pickomino.errors import TooManyPositionsError
from pickomino.game import _moves as moves
from pickomino.game import _packing as packing
from pickomino.game.budgets import PER_CALL
from pickomino.game.iteration import Policy
from pickomino.game.model import Model, Words
from pickomino.rules import Rules
from pickomino.turn.batch import solve_batch
from pickomino.turn.graph import FloatArray, IntArray
from pickomino.turn.payoffs import final_of_total

__all__ = ["BLOCK", "LISTING", "GameListing", "by_option", "empty_list", "list_game", "turns"]

SLOT_BYTES = 56
"""Memory of a position in a list: 24 for its three integers, and 16 to 32 in the hash table; its
successors take four bytes each.
"""

LISTING = "listing positions"
"""What is said to be waited for while a large game is listed."""

BLOCK = 512
"""Positions whose turns are solved by one call, the unit of work of threads: 10 to 50 ms each, so
that handing them out costs little beside it.  The time a position hardly depends on it from 64 up.
"""


@dataclass(frozen=True, eq=False)
class GameListing:
    """All positions of a model; a game of :mod:`pickomino.game.iteration`.

    Attributes:
        model: What is solved.
        words: ``(states, 3)`` the positions, packed; the first is the one asked about.
        successor: ``(states, options)`` where each option leads; see :mod:`pickomino.game._moves`.
        slots: The hash table of the positions.
        run: Who solves the turns.
    """

    model: Model
    words: IntArray
    successor: moves.Successors
    slots: moves.Successors
    run: Run = field(default=run_here, repr=False)

    def __post_init__(self) -> None:
        freeze(self)

    def __repr__(self) -> str:
        return f"GameListing({str(self.model.start)!r}, {self.states:,} positions)"

    @property
    def states(self) -> int:
        """How many live positions there are."""
        return len(self.words)

    def number(self, words: Words) -> int:
        """The number of a packed position; -1 if it does not come up."""
        return int(moves.lookup(self.words, self.slots, *words))

    def tiers(self) -> list[IntArray]:
        """The positions by rising number of tiles in play."""
        rest = self.words[:, 2]
        tiles = np.bitwise_count(packing.grill(rest)).astype(np.int64)
        tiles += packing.own_size(rest) + packing.other_size(rest)
        order = np.argsort(tiles, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(tiles[order])) + 1)

    def edges(self, inside: IntArray) -> tuple[IntArray, IntArray]:
        """The moves among some positions, both ends by their place in the list."""
        place = np.full(self.states + 1, -1, dtype=np.int32)  # the last is for what ends the game
        place[inside] = np.arange(len(inside))
        to = place[np.maximum(self.successor[inside], -1)]
        source, option = np.nonzero(to >= 0)
        return source, to[source, option].astype(np.int64)

    def values(self, states: IntArray, against: FloatArray) -> FloatArray:
        """The values of the best turns; see :class:`pickomino.game.iteration.Game`."""
        parts = self._turns(states, against, distribution=False)
        return np.concatenate([value for value, _, _ in parts])

    def policy(self, states: IntArray, against: FloatArray) -> Policy:
        """The best turns; see :class:`pickomino.game.iteration.Game`."""
        return self.policy_of(states, self.play(states, against))

    def play(self, states: IntArray, against: FloatArray) -> FloatArray:
        """The best turns by what they do.

        Returns:
            ``(n, options)`` the probability that the turn ends in each option.
        """
        parts = self._turns(states, against, distribution=True)
        options = self.successor.shape[1]
        return np.concatenate([by_option(share, chosen, options) for _, share, chosen in parts])

    def policy_of(self, states: IntArray, play: FloatArray) -> Policy:
        """What turns that end in each option with some probability do to the game."""
        to = self.successor[states]
        reward = moves.rewards(self.words[states], to, self.model.code)
        live = (to >= 0) & (play > 0)
        row = np.append(0, np.cumsum(live.sum(axis=1)))
        move = sparse.csr_array((play[live], to[live], row), shape=(len(states), self.states))
        return Policy(move, (play * reward).sum(axis=1))

    def second_moment(self, states: IntArray, play: FloatArray, value: FloatArray) -> FloatArray:
        """The part of the mean square of the rest of the game that this turn makes.

        With ``X = r - X'`` the mean square is that of ``r`` minus twice the mean of ``r X'``, which
        this returns, plus the mean square of ``X'``.
        """
        to = self.successor[states]
        reward = moves.rewards(self.words[states], to, self.model.code)
        mean: FloatArray = (play * reward * (reward - 2 * _ahead(to, value))).sum(axis=1)
        return mean

    def payoffs(
        self, states: IntArray, against: FloatArray
    ) -> list[tuple[FloatArray, NDArray[np.int8]]]:
        """What each class of totals is worth, and the option chosen there, in blocks."""
        blocks = []
        for at in range(0, len(states), BLOCK):
            block = states[at : at + BLOCK]
            words, to = self.words[block], self.successor[block]
            worth = moves.rewards(words, to, self.model.code) - _ahead(to, against)
            blocks.append(moves.choose(words, to, worth, self.model.code))
        return blocks

    def _turns(
        self, states: IntArray, against: FloatArray, distribution: bool
    ) -> list[tuple[FloatArray, FloatArray, NDArray[np.int8]]]:
        """Value, probability of each class of totals and option chosen there, in blocks."""
        rules, class_of = self.model.rules, self.model.class_of
        blocks = self.payoffs(states, against)
        bust = len(self.model.tiles) + 1
        work = [
            (by_class, chosen < bust, class_of, rules, distribution) for by_class, chosen in blocks
        ]
        solved = self.run(turns, work)
        return [(*found, chosen) for found, (_, chosen) in zip(solved, blocks, strict=True)]


def turns(
    by_class: FloatArray,
    claims: NDArray[np.bool_],
    class_of: IntArray,
    rules: Rules,
    distribution: bool,
) -> tuple[FloatArray, FloatArray]:
    """Solve the turns of some positions: the unit of parallel work.

    Args:
        by_class: ``(n, classes)`` the payoff of each class of totals.
        claims: ``(n, classes)`` which of them claim a tile.
        class_of: ``(totals,)`` the class of each total.
        rules: The rule set.
        distribution: Whether to find how the turns end.

    Returns:
        ``(n,)`` values, and ``(n, classes)`` the probability of ending in each class.
    """
    by_total = by_class[:, class_of]
    final = np.broadcast_to(final_of_total(len(class_of)), by_total.shape)
    solved = solve_batch(
        by_total,
        rules.may_stop(final, claims[:, class_of]),
        keep_sum=rules.keeps_sum,
        distribution=distribution,
        tie=0.0,
    )
    if solved.distribution is None:
        return solved.value, np.empty((0, 0))
    member = np.zeros((len(class_of), by_class.shape[1]))
    member[np.arange(len(class_of)), class_of] = 1.0
    share = solved.distribution @ member
    return solved.value, share / share.sum(axis=1, keepdims=True)  # sums to 1 but for rounding


def _ahead(successor: moves.Successors, values: FloatArray) -> FloatArray:
    """The value of each successor to the player who moves there; 0 where the game is over."""
    return np.where(successor >= 0, values[np.maximum(successor, 0)], 0.0)


def by_option(share: FloatArray, chosen: NDArray[np.int8], options: int) -> FloatArray:
    """The probability of each option, from that of each class and the option chosen there."""
    cell = np.arange(len(share))[:, None] * options + chosen
    size = len(share) * options
    whole: FloatArray = np.bincount(cell.ravel(), share.ravel(), size).astype(np.float64)
    return whole.reshape(len(share), options)


def empty_list(model: Model, room: int) -> tuple[moves.Listed, moves.Successors]:
    """Room for positions, with the model's start as the first.

    Returns:
        The positions, and ``(room, options)`` their successors.
    """
    words = np.empty((room, 3), dtype=np.int64)
    successor = np.empty((room, model.code.tiles + 2), dtype=np.int32)
    words[0] = model.pack(model.start)
    return _listed(words, 1), successor


def _listed(words: IntArray, count: int) -> moves.Listed:
    """Positions with a hash table of the first ones, at most a quarter full."""
    slots = np.full(4 << (len(words) - 1).bit_length(), -1, dtype=np.int32)
    listed = moves.Listed(words, slots)
    moves.rehash(listed, count)
    return listed


def list_game(
    model: Model,
    max_states: int = PER_CALL,
    run: Run = run_here,
    *,
    every: bool = False,
    found: Callable[[int], object] = lambda count: None,
) -> GameListing | None:
    """List the positions that play can lead to.

    Args:
        model: What is solved; play begins at its start.
        max_states: How many positions to take on at most.
        run: Who is to solve the turns.
        every: Whether to list all positions of the tiles, also those that play never leads to.
        found: Called with the number of positions so far, now and then.

    Returns:
        The positions; None if there are more than ``max_states``.

    Raises:
        TooManyPositionsError: They do not fit into the memory that is free.
    """
    code, room = model.code, 4096
    listed, successor = empty_list(model, room)
    at, count, spreading = 0, 1, every
    while at < count:
        if spreading:
            at, count = moves.spread(listed, at, count, code)
            if at == count:
                at, spreading = 0, False
                continue
        else:
            at, count = moves.expand(listed, successor, at, count, code, room)
        if count > max_states:
            return None
        found(count)
        if at < count:
            room *= 2
            check_memory(
                room * (SLOT_BYTES + 4 * (code.tiles + 2)),
                f"{room:,} positions",
                "lower max_states",
                TooManyPositionsError,
            )
            successor = np.resize(successor, (room, code.tiles + 2))
            listed = _listed(np.resize(listed.words, (room, 3)), count)
    words = listed.words[:count].copy()
    return GameListing(model, words, successor[:count].copy(), listed.slots, run)
