"""Which turns are the same: an automaton that reads the tiles and names the payoffs they make.

What a turn is worth depends on the tiles only through the payoff and the claim of each final
total.  Reading the tiles upwards, each on the grill, on an opponent's top or neither, the totals at
and just above a tile are settled by that tile and by the best grill tile below it.  So a position
is a walk through an automaton whose nodes are (payoffs so far, best grill tile so far), equal ones
merged:

    node[i + 1] = step[node[i], place of tile i]      place: 0 neither, 1 grill, 2 an opponent's top

The node behind the last tile is the number of a *vector*: one symbol per final total, 0 for no
claim and a higher one for a claim worth more.  Vector and worms at stake together make the turn's
payoffs.  With the standard tiles and ``worms`` 65,536 grills make 625 vectors, and with up to six
tops 178,357.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from pickomino._runtime.shared import freeze
from pickomino.dice import LEAST_TOTAL
from pickomino.equipment import Equipment
from pickomino.errors import ObjectiveError
from pickomino.objectives import STEAL_PAYS, total_payoff
from pickomino.position import Position
from pickomino.rules import Rules
from pickomino.turn.graph import FloatArray
from pickomino.turn.payoffs import TurnPayoffs, final_of_total

__all__ = [
    "MAX_TILES",
    "MISSING",
    "Keys",
    "Scale",
    "make_keys",
    "masks",
    "stake",
    "symbol_scale",
    "turn_rules",
]

NOWHERE, GRILL, TOP = range(3)
MISSING = -1
"""In place of a vector: that of more tops than the automaton was made for."""

MAX_TILES = 16
"""Tiles of a set at most: they make 65,536 grills, and each more doubles the table."""


@dataclass(frozen=True)
class Scale:
    """The payoffs that the symbols of a rule set, equipment and objective stand for.

    Attributes:
        worth: The payoff of each symbol; that of 0 is what the stake says.
        stakes: The worms that a bust can cost, ascending; only 0 if the objective ignores them.
        by_total: The payoff of each final total if the objective looks at nothing else.
        on_grill: The symbol of each tile claimed from the grill.
        on_top: The symbol of each tile stolen.
    """

    worth: tuple[int, ...]
    stakes: tuple[int, ...]
    by_total: tuple[int, ...] | None
    on_grill: tuple[int, ...]
    on_top: tuple[int, ...]


def symbol_scale(rules: Rules, equipment: Equipment, objective: str) -> Scale:
    """The symbols of a rule set, equipment and objective.

    Raises:
        ObjectiveError: A tile set too large to tabulate, or an unknown objective.
    """
    tiles = len(equipment.tiles)
    if tiles > MAX_TILES:
        raise ObjectiveError(
            f"{tiles} tiles make 2^{tiles} grills: tabulate at most {MAX_TILES} tiles"
        )
    if objective not in STEAL_PAYS:
        # Only whether there is a claim can matter, and only where a stop needs one.
        claim = (0 if rules.may_stop(LEAST_TOTAL, False) else 1,) * tiles
        return Scale((0, 0), (0,), total_payoff(objective, equipment), claim, claim)
    stolen = STEAL_PAYS[objective]
    worth = (0, *sorted({w * m for w in equipment.worms for m in (1, stolen)}))
    return Scale(
        worth,
        tuple(sorted({0, *equipment.worms})),
        None,
        tuple(worth.index(w, 1) for w in equipment.worms),
        tuple(worth.index(w * stolen, 1) for w in equipment.worms),
    )


@dataclass(frozen=True, eq=False)
class Keys:
    """The automaton of one rule set, equipment and objective.

    Attributes:
        step: ``(nodes, 3)`` the node after a tile by its place; behind the last tile the number of
            the vector; -1 where more tops would be needed than were asked for.
        symbol: ``(vectors, totals)`` the symbol of each final total.
        scale: What the symbols stand for.
        rules: The rule set.
        tiles: The tile numbers.
    """

    step: NDArray[np.int32]
    symbol: NDArray[np.uint8]
    scale: Scale
    rules: Rules
    tiles: tuple[int, ...]

    def __post_init__(self) -> None:
        freeze(self)

    @property
    def stakes(self) -> tuple[int, ...]:
        """The worms that a bust can cost."""
        return self.scale.stakes

    def vector(self, grill: int, tops: int) -> int:
        """The vector of a grill and opponents' tops, each a bitmask with the lowest tile first.

        Returns:
            Its number, or -1 if the automaton was made for fewer tops.
        """
        places = ((grill >> i & 1) + 2 * (tops >> i & 1) for i in range(len(self.tiles)))
        return self._walk(places)

    def vector_of(self, position: Position) -> int:
        """The vector of a position, or -1 if the automaton was made for fewer tops."""
        place = dict.fromkeys(self.tiles, NOWHERE)
        for tile in position.grill:
            place[tile] = GRILL
        for player, stack in enumerate(position.stacks):
            if stack and player != position.mover:
                place[stack[-1]] = TOP
        return self._walk(place.values())

    def _walk(self, places: Iterable[int]) -> int:
        """Where the automaton is after the places of all tiles, the lowest first."""
        step, node = self._step, 0
        for place in places:
            node = step[3 * node + place]
            if node == MISSING:
                break
        return node

    @cached_property
    def _step(self) -> memoryview:
        return memoryview(self.step.reshape(-1).data)

    def arrays(self, first: int, last: int) -> tuple[FloatArray, NDArray[np.bool_]]:
        """Payoffs and stopping rules of vectors first to last - 1, each with every stake in turn.

        Returns:
            ``(turns, totals)`` payoffs and flags, as ``solve_batch`` takes them.
        """
        symbol = self.symbol[first:last]
        if self.scale.by_total is None:
            worth = np.tile(np.array(self.scale.worth, dtype=float), (len(self.stakes), 1))
            worth[:, 0] = [-stake for stake in self.stakes]
            payoffs = worth[:, symbol].transpose(1, 0, 2).reshape(-1, symbol.shape[1])
        else:
            payoffs = np.tile(np.array(self.scale.by_total, dtype=float), (len(symbol), 1))
        final = np.broadcast_to(final_of_total(symbol.shape[1]), symbol.shape)
        stops = np.repeat(self.rules.may_stop(final, symbol > 0), len(self.stakes), axis=0)
        return payoffs, stops

    def payoffs(self, vector: int, stake: int) -> TurnPayoffs:
        """The payoffs of one vector with worms at stake."""
        payoffs, stops = self.arrays(vector, vector + 1)
        row = self.stake_index(stake)
        by_total = tuple(map(int, payoffs[row].tolist()))
        return TurnPayoffs(by_total, tuple(stops[row].tolist()), self.rules.keeps_sum)

    def stake_index(self, stake: int) -> int:
        """Where a stake stands among the stakes that make a difference."""
        return self.stakes.index(stake) if len(self.stakes) > 1 else 0

    def payoff(self, symbol: int, total: int, stake: int) -> int:
        """The payoff of a final total that shows a symbol, with worms at stake."""
        if self.scale.by_total is not None:
            return self.scale.by_total[total]
        return self.scale.worth[symbol] if symbol else -stake

    def spread(self, vector: int, stake: int) -> int:
        """The range of the payoffs of a vector with worms at stake."""
        if self.scale.by_total is not None:
            return max(self.scale.by_total) - min(self.scale.by_total)
        # A higher symbol is worth more, and 0, which every vector has for a total of 0, the least.
        best = max(self.symbol[vector].tobytes())
        return self.scale.worth[best] + stake if best else 0


def turn_rules(rules: Rules) -> Rules:
    """The rules without the switches that no turn depends on, so that equal turns compare equal."""
    return Rules(rules.stop, rules.dead_roll, rules.grill_claim, rules.steal)


def masks(position: Position) -> tuple[int, int]:
    """The grill and the opponents' tops as bitmasks, the lowest tile first."""
    bit = {tile: 1 << i for i, tile in enumerate(position.equipment.tiles)}
    tops = (position.stacks[p][-1] for p in position.opponents if position.stacks[p])
    return sum(bit[t] for t in position.grill), sum(bit[t] for t in tops)


def stake(position: Position) -> int:
    """The worms that a bust costs the mover."""
    return position.equipment.worms_on(position.own[-1]) if position.own else 0


@lru_cache(maxsize=32)
def make_keys(rules: Rules, equipment: Equipment, objective: str, opponents: int) -> Keys:
    """Make the automaton for all grills with the tops of up to some opponents.

    Raises:
        ObjectiveError: A tile set too large to tabulate, or an unknown objective.
    """
    scale = symbol_scale(rules, equipment, objective)
    of_turn, tiles, top_total = turn_rules(rules), equipment.tiles, equipment.max_total
    kinds = len(scale.worth)

    # One row a node: its vector so far, the symbol of its best lower grill tile, the tops used.
    vector = lower = used = np.zeros(1, dtype=np.int64)
    symbols = np.zeros((1, top_total + 1), dtype=np.uint8)
    steps: list[NDArray[np.int32]] = []
    first_node = 1
    for tile, above_it, on_grill, on_top in zip(
        tiles, (*tiles[1:], top_total + 1), scale.on_grill, scale.on_top, strict=True
    ):
        # For each place of the tile: the symbol of its own total and of the totals above it.
        at, after, tops = (np.repeat(a[:, None], 3, axis=1) for a in (lower, lower, used))
        better = np.maximum(lower, on_grill)
        at[:, GRILL] = better if rules.grill_claim == "any_leq" else on_grill
        after[:, GRILL] = on_grill if rules.grill_claim == "next_lower" else better
        at[:, TOP] = on_top if rules.steal == "mandatory" else np.maximum(lower, on_top)
        tops[:, TOP] += 1
        exact = slice(max(tile, LEAST_TOTAL), min(tile, top_total) + 1)
        between = slice(max(tile + 1, LEAST_TOTAL), min(above_it, top_total + 1))

        key = np.repeat(vector[:, None], 3, axis=1)
        for span, symbol in ((exact, at), (between, after)):
            key = key * kinds + (symbol if span.start < span.stop else 0)
        _, source, kind = np.unique(key, return_index=True, return_inverse=True)
        symbols = symbols[vector[source // 3]]
        for span, symbol in ((exact, at), (between, after)):
            symbols[:, span] = symbol.ravel()[source, None]

        state = kind.reshape(-1, 3) * kinds + (after if tile != tiles[-1] else 0)
        allowed = tops <= opponents
        nodes, node = np.unique(state[allowed], return_inverse=True)
        step = np.full(state.shape, MISSING, dtype=np.int32)
        step[allowed] = node + (first_node if tile != tiles[-1] else 0)
        steps.append(step)
        first_node += len(nodes)
        vector, lower = nodes // kinds, nodes % kinds
        used = np.full(len(nodes), opponents, dtype=np.int64)
        np.minimum.at(used, node, tops[allowed])
    return Keys(np.concatenate(steps), symbols[vector], scale, of_turn, tiles)
