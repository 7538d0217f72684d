"""Games of players whose turns are known as distributions, many side by side.

Such a player says how likely its turn ends in each class of final totals, and what it claims there.
One number from 0 to 1 then draws the end of the turn, by rising totals, so that the games of a
deal, in which the players sit elsewhere, share their luck: a high number is a good turn for
everybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pickomino._checks import one_of, shown
from pickomino.errors import ObjectiveError
from pickomino.estimate.network import Network
from pickomino.estimate.training import values_after
from pickomino.game import _packing as packing
from pickomino.game.boards import CLOSED, OVER, Boards, Kinds
from pickomino.game.listing import turns
from pickomino.objectives import STEAL_PAYS
from pickomino.turn.graph import FloatArray, IntArray

__all__ = ["Games", "ModelTurns", "ObjectiveTurns", "TurnPlayer", "play_many"]

AT_ONCE = 64
"""Uniform numbers that a deal draws at a time, one a turn."""


class TurnPlayer(Protocol):
    """Who plays by distributions."""

    def ends(
        self, boards: Boards, words: IntArray, kinds: Kinds
    ) -> tuple[FloatArray, NDArray[np.int8]]:
        """How turns end.

        Args:
            boards: The game.
            words: ``(n, seats + 1)`` where the turns begin, seen by the mover.
            kinds: ``(n, options)`` which options are open.

        Returns:
            ``(n, classes)`` the probability of each class of totals, and the option taken there.
        """


@dataclass(frozen=True)
class ObjectiveTurns:
    """Plays each turn exactly for worms; remembers the turns of each game by their payoffs.

    Attributes:
        objective: ``worms`` or ``swing``.

    Raises:
        ObjectiveError: Another one.
    """

    objective: str
    _solved: dict[Boards, dict[bytes, FloatArray]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        if self.objective not in STEAL_PAYS:
            raise ObjectiveError(
                f"{shown(self.objective)} is not played side by side: use "
                f"{one_of(tuple(STEAL_PAYS))}"
            )

    def ends(
        self, boards: Boards, words: IntArray, kinds: Kinds
    ) -> tuple[FloatArray, NDArray[np.int8]]:
        """How turns end; see :class:`TurnPlayer`."""
        worth, tiles = np.zeros(kinds.shape), np.arange(boards.bust)
        stolen = packing.lies_on(words[:, -1:], tiles) == 0
        worth[:, :-1] = boards.code.worms * np.where(stolen, STEAL_PAYS[self.objective], 1)
        top = boards.tops(words)[:, 0]
        worth[:, -1] = np.where(top < 0, 0, -boards.code.worms[top])
        by_class, chosen = boards.choose(words, kinds, worth)
        claims = chosen < boards.bust
        named = np.ascontiguousarray(np.column_stack([by_class, claims])).view(np.uint64)
        keys = [row.tobytes() for row in named]
        solved = self._solved.setdefault(boards, {})
        new = {key: x for x, key in enumerate(keys) if key not in solved}
        if new:
            rows = np.fromiter(new.values(), dtype=np.int64)
            _, share = turns(by_class[rows], claims[rows], boards.class_of, boards.rules, True)
            solved.update(zip(new, share, strict=True))
        return np.array([solved[key] for key in keys]), chosen


@dataclass(frozen=True)
class ModelTurns:
    """Plays each turn exactly on top of a network's values."""

    network: Network

    def ends(
        self, boards: Boards, words: IntArray, kinds: Kinds
    ) -> tuple[FloatArray, NDArray[np.int8]]:
        """How turns end; see :class:`TurnPlayer`."""
        _, _, value, _ = values_after(boards, self.network, words)
        by_class, chosen = boards.choose(words, kinds, value[:, :, 0])
        _, share = turns(by_class, chosen < boards.bust, boards.class_of, boards.rules, True)
        return share, chosen


@dataclass(frozen=True, eq=False)
class Games:
    """How some games went, by player.

    Attributes:
        share: ``(games, players)`` shares of the win.
        worms: ``(games, players)``.
        busts: ``(games, players)`` turns that claimed nothing.
        steals: ``(games, players)`` turns that stole a tile.
        turns: ``(games,)``.
    """

    share: FloatArray
    worms: IntArray
    busts: IntArray
    steals: IntArray
    turns: IntArray


def play_many(
    boards: Boards, players: Sequence[TurnPlayer], games: range, root: Sequence[int]
) -> Games:
    """Play some games of a match from their first turn to the end.

    Args:
        boards: The game.
        players: Who plays; in game ``i`` seat ``s`` is taken by player ``(s + i) % seats``.
        games: Their numbers; game ``i`` has the luck of deal ``i // seats``.
        root: The seed.
    """
    seats, number = boards.seats, np.array(games)
    deals = np.unique(number // seats)
    chance = [np.random.default_rng([*root, int(deal)]) for deal in deals]
    deal = np.searchsorted(deals, number // seats)
    shape = len(number), seats
    worms, busts, steals = np.zeros((3, *shape), dtype=np.int64)
    done = Games(np.zeros(shape), worms, busts, steals, np.zeros(len(number), dtype=np.int64))
    words, alive, turn = boards.start(len(number)), np.arange(len(number)), 0
    uniform = np.empty((len(deals), AT_ONCE))
    while len(alive):
        if turn % AT_ONCE == 0:
            for row in np.unique(deal[alive]):
                uniform[row] = chance[row].random(AT_ONCE)
        then, kinds = boards.after(words)
        player = (turn + number[alive]) % seats
        option = np.empty(len(alive), dtype=np.int64)
        for who in range(seats):
            rows = np.flatnonzero(player == who)
            if len(rows):
                share, chosen = players[who].ends(boards, words[rows], kinds[rows])
                luck = uniform[deal[alive[rows]], turn % AT_ONCE]
                at = (share.cumsum(axis=1) <= luck[:, None]).sum(axis=1)
                option[rows] = chosen[np.arange(len(rows)), np.minimum(at, share.shape[1] - 1)]
        row = np.arange(len(alive))
        bust = option == boards.bust
        stolen = ~bust & (packing.lies_on(words[:, -1], option) == 0)
        done.busts[alive, player] += bust
        done.steals[alive, player] += stolen
        turn += 1
        over = kinds[row, option] == OVER
        words = then[row, option]
        if over.any():
            ended = alive[over]
            # A finished board begins with the seat whose turn it would be.
            by_player = (turn + np.arange(seats) + number[ended, None]) % seats
            done.share[ended[:, None], by_player] = boards.shares(words[over])
            done.worms[ended[:, None], by_player] = boards.worms(words[over])
            done.turns[ended] = turn
            words, alive = words[~over], alive[~over]
        assert (kinds[row, option] != CLOSED).all()
    return done
