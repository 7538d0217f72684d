"""The order in which a game is solved: what leads to nothing new first, circles by themselves.

States may lead to each other in circles.  So they are cut into strongly connected components, and
the components into levels, each of which leads only to itself and to those before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from pickomino.turn.graph import IntArray

__all__ = ["Tiered", "levels"]


class Tiered(Protocol):
    """What is needed of a game to order its states."""

    def tiers(self) -> Iterable[IntArray]:
        """The states in parts, each of which leads only to itself and to those before it."""

    def edges(self, inside: IntArray) -> tuple[IntArray, IntArray]:
        """Which of some states some turn leads from and to, by their place in the list."""


def levels(game: Tiered) -> Iterator[tuple[IntArray, bool]]:
    """The states in an order of solving: each level leads only to itself and to those before it.

    Yields:
        The states of a level, and whether they lead to each other.
    """
    for tier in game.tiers():
        yield from _levels(game, tier)


def _levels(game: Tiered, tier: IntArray) -> Iterator[tuple[IntArray, bool]]:
    """The levels of a tier."""
    source, successor = game.edges(tier)
    n = len(tier)
    ones = np.ones(len(source), dtype=np.int8)
    count, part = csgraph.connected_components(
        sparse.csr_array((ones, (source, successor)), shape=(n, n)), connection="strong"
    )
    circular = np.zeros(count, dtype=bool)
    circular[part[source[part[source] == part[successor]]]] = True
    pairs = np.unique(part[source].astype(np.int64) * count + part[successor])
    tail, head = pairs // count, pairs % count
    tail, head = tail[tail != head], head[tail != head]
    level = np.full(count, -1)
    waiting = np.bincount(tail, minlength=count)
    by_head = np.argsort(head, kind="stable")
    begin = np.searchsorted(head[by_head], np.arange(count + 1))
    ready, number = np.flatnonzero(waiting == 0), 0
    while len(ready):
        level[ready] = number
        sizes = begin[ready + 1] - begin[ready]
        first = np.repeat(begin[ready] - np.cumsum(sizes) + sizes, sizes)
        into = by_head[first + np.arange(len(first))]
        waiting -= np.bincount(tail[into], minlength=count)
        ready = np.unique(tail[into][waiting[tail[into]] == 0])
        number += 1
    # Of one level, those in circles come by themselves.
    name = 2 * level[part] + circular[part]
    order = np.argsort(name, kind="stable")
    for inside in np.split(order, np.flatnonzero(np.diff(name[order])) + 1):
        yield tier[inside], bool(name[inside[0]] & 1)
