"""Many decisions at once from one table, in compiled code."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pickomino._runtime.compiled import kernel
from pickomino._storage.arrays import WANTED
from pickomino._storage.manifest import damaged
from pickomino.dice import ALL_FACES, LEAST_TOTAL, PIPS, WORM
from pickomino.errors import TableError
from pickomino.rules import Rules
from pickomino.tables.keys import Scale
from pickomino.tables.spec import MAX_OPPONENTS
from pickomino.turn.graph import FloatArray, IndexArray, IntArray
from pickomino.turn.payoffs import TIE, beats, dead_total, rolls_on

if TYPE_CHECKING:
    from pickomino.tables.table import TurnTable

RELATIVE_TIE = float(TIE)

_jit = kernel((beats, rolls_on, dead_total), error_model="numpy")

OK, UNCHECKED_BLOCK, UNCOVERED, NO_STAKE, NO_ROLL, NO_GRILL, DAMAGED = range(7)
SENTENCES = {
    NO_STAKE: "stakes {stake} worms, which no tile of the set scores: use one that does",
    NO_ROLL: "keeps {kept} and rolls {roll}, which are not the dice of one turn under way: "
    "give {dice} dice in all, and some to roll",
    NO_GRILL: "has grill {grill:#x} and tops {tops:#x}: name at least one grill tile, and each "
    "tile of the set in one place at most",
}


class UncoveredRowError(Exception):
    """A row that a table does not cover; ``tops`` is how many it shows."""

    def __init__(self, row: int, tops: int) -> None:
        super().__init__(f"row {row} has {tops} tops, which no table covers")
        self.tops = min(tops, MAX_OPPONENTS)


class _Rows(NamedTuple):
    """What is asked, one row a decision; see :meth:`pickomino.tables.lookup.Tables.probe_many`."""

    grill: IntArray
    at_stake: IntArray
    tops: IntArray
    kept: IntArray
    roll: IntArray


class _Stored(NamedTuple):
    """The table.

    Attributes:
        step: ``(nodes, 3)`` the automaton; see :class:`pickomino.tables.keys.Keys`.
        symbol: ``(vectors, totals)`` the symbol of each final total.
        rolled: ``(turns, rolling states)`` the value of rolling.
        blocks: ``(blocks,)`` what is known of the blocks of ``rolled``.
        block_rows: How many turns make a block.
        rounding: Values this close are ties, as rounding to float32 may have parted them.
        tiles: How many tiles the set has.
        stake_at: ``(most worms + 1,)`` the place of each stake among the stakes; -1 for none.
        stakes: How many stakes each vector is tabulated for.
    """

    step: NDArray[np.integer[Any]]
    symbol: NDArray[np.integer[Any]]
    rolled: NDArray[np.floating[Any]]
    blocks: NDArray[np.uint8]
    block_rows: int
    rounding: float
    tiles: int
    stake_at: IntArray
    stakes: int


class _Pay(NamedTuple):
    """What the ends of turns are worth.

    Attributes:
        worth: ``(symbols,)`` the payoff of each symbol; that of 0 is what the stake says.
        by_total: ``(totals,)`` the payoff of each final total, which then is all that counts; empty
            if symbols count.
    """

    worth: FloatArray
    by_total: FloatArray


class _Play(NamedTuple):
    """How turns are played.

    Attributes:
        first: The first rolling state of the turn graph.
        state_index: ``(masks, dice left, totals)`` the number of each state.
        dice: How many dice a turn begins with.
        may_stop: ``(totals, 2)`` whether a turn may be ended on purpose at each final total, where
            that claims nothing and where it claims a tile.
        keep_sum: Whether a dead roll ends the turn with the sum so far.
    """

    first: int
    state_index: IndexArray
    dice: int
    may_stop: NDArray[np.bool_]
    keep_sum: bool


class _Decisions(NamedTuple):
    """What is found, one row a decision: the face to keep, whether to stop then, the value."""

    face: NDArray[np.int8]
    stop: NDArray[np.bool_]
    value: FloatArray


def decide(
    table: TurnTable,
    grill: ArrayLike,
    at_stake: ArrayLike,
    tops: ArrayLike,
    kept: ArrayLike,
    roll: ArrayLike,
) -> tuple[NDArray[np.int8], NDArray[np.bool_], FloatArray]:
    """Decide many rolls; see :meth:`pickomino.tables.lookup.Tables.probe_many`."""
    given = {"grill": grill, "at_stake": at_stake, "tops": tops, "kept": kept, "roll": roll}
    arrays = [_integers(name, values) for name, values in given.items()]
    columns, hands = arrays[:3], arrays[3:]
    rows = len(hands[0]) if hands[0].ndim else 0
    shapes = [c.shape for c in columns] + [h.shape for h in hands]
    if shapes != [(rows,)] * 3 + [(rows, 6)] * 2:
        raise TableError(f"shapes {shapes} do not fit: give (n,) three times, then (n, 6) twice")
    keys, graph = table.keys, table.graph
    step, symbol, rolled = keys.step, keys.symbol, table.rolled
    rules, stakes = table.spec.rules, keys.stakes
    stake_at, may_stop = _stake_places(stakes), _may_stop(rules, symbol.shape[1])
    stored = _Stored(
        step,
        symbol,
        rolled.data,
        rolled.blocks,
        rolled.block_rows,
        table.tolerance,
        len(keys.tiles),
        stake_at,
        len(stakes),
    )
    pay = _pay_of(keys.scale)
    play = _Play(graph.first_rolling, graph.state_index, graph.dice, may_stop, rules.keeps_sum)
    found = _Decisions(np.empty(rows, dtype=np.int8), np.empty(rows, dtype=bool), np.empty(rows))
    problem, row = _kernel(_Rows(*arrays), stored, pay, play, found)
    while problem == UNCHECKED_BLOCK:  # once, unless another thread marks blocks meanwhile
        rolled.check_wanted()
        problem, row = _kernel(_Rows(*arrays), stored, pay, play, found)
    if problem == UNCOVERED:
        raise UncoveredRowError(int(row), int(columns[2][row]).bit_count())
    if problem == DAMAGED:
        raise damaged(table.folder, "step.npy", table.spec)
    if problem != OK:
        what = SENTENCES[problem].format(
            stake=columns[1][row],
            grill=int(columns[0][row]),
            tops=int(columns[2][row]),
            kept=hands[0][row].tolist(),
            roll=hands[1][row].tolist(),
            dice=graph.dice,
        )
        raise TableError(f"row {row} {what}")
    return found.face, found.stop, found.value


@cache
def _stake_places(stakes: tuple[int, ...]) -> IntArray:
    """``(most worms + 1,)`` the place of each stake among the stakes; -1 for none."""
    places = np.full(max(stakes) + 1, -1)
    places[list(stakes)] = np.arange(len(stakes))
    return places


@cache
def _pay_of(scale: Scale) -> _Pay:
    """What the ends of turns are worth on a scale."""
    by_total = np.array(scale.by_total or (), dtype=float)
    return _Pay(np.array(scale.worth, dtype=float), by_total)


@cache
def _may_stop(rules: Rules, totals: int) -> NDArray[np.bool_]:
    """``(totals, 2)`` where a turn may be ended on purpose: claiming nothing, claiming a tile."""
    may_stop = np.empty((totals, 2), dtype=bool)
    may_stop[:] = rules.may_stop(np.arange(totals)[:, None], np.array([[False, True]]))
    return may_stop


def _integers(name: str, values: ArrayLike) -> NDArray[np.int64]:
    """An array of whole numbers, or an error that names it."""
    try:
        array = np.asarray(values)
        if array.dtype.kind in "biu":
            return np.ascontiguousarray(array, dtype=np.int64)
    except (TypeError, ValueError, OverflowError):
        pass
    raise TableError(f"{name} is no array of whole numbers: give integers")


@_jit
def _payoff(pay: _Pay, sign: int, total: int, stake: int) -> float:
    if len(pay.by_total):
        return float(pay.by_total[total])
    return float(pay.worth[sign]) if sign else -float(stake)


@_jit
def _kernel(
    rows: _Rows, stored: _Stored, pay: _Pay, play: _Play, found: _Decisions
) -> tuple[int, int]:
    """Fill in the decisions; returns what is wrong, and with which row."""
    grill, at_stake, tops, kept, roll = rows
    step, symbol, rolled, blocks, block_rows, rounding, tiles, stake_at, stakes = stored
    first, state_index, dice, may_stop, keep_sum = play
    totals = symbol.shape[1]
    unchecked = False
    for x in range(len(grill)):
        g, t = grill[x], tops[x]
        if g <= 0 or t < 0 or g & t or (g | t) >> tiles:
            return NO_GRILL, x
        node = 0
        for i in range(tiles):
            node = step[node, (g >> i & 1) | (t >> i & 1) << 1]
            if node < 0:
                return UNCOVERED, x
            if node >= (len(symbol) if i == tiles - 1 else len(step)):
                return DAMAGED, x
        stake = at_stake[x]
        if stake < 0 or (stakes > 1 and (stake >= len(stake_at) or stake_at[stake] < 0)):
            return NO_STAKE, x
        turn = node * stakes + (stake_at[stake] if stakes > 1 else 0)
        if blocks[turn // block_rows]:
            blocks[turn // block_rows] = WANTED
            unchecked = True
            continue

        mask = total = number = thrown = 0
        for f in range(6):
            if not (0 <= kept[x, f] <= dice and 0 <= roll[x, f] <= dice):
                return NO_ROLL, x
            if kept[x, f]:
                mask |= 1 << f
            total += kept[x, f] * PIPS[f]
            number += kept[x, f]
            thrown += roll[x, f]
        if number + thrown != dice or thrown == 0 or mask == ALL_FACES:
            return NO_ROLL, x

        # The payoff range sets what a tie is.
        low = np.inf
        high = -np.inf
        for s in range(totals):
            if s == 0 or s >= LEAST_TOTAL:
                u = _payoff(pay, symbol[node, s], s, stake)
                low, high = min(low, u), max(high, u)
        tolerance = max(RELATIVE_TIE * (high - low), rounding)

        held = -np.inf
        choice = -1
        ends = True
        for k in range(1, thrown + 1):
            for f in range(6):
                if roll[x, f] != k or mask >> f & 1:
                    continue
                after = mask | 1 << f
                left = thrown - k
                final = total + k * PIPS[f]
                state = state_index[after, left, final]
                if not after >> WORM:
                    final = 0
                sign = symbol[node, final]
                end = _payoff(pay, sign, final, stake)
                over = left == 0 or after == ALL_FACES
                may = over or may_stop[final, 1 if sign > 0 else 0]
                on = -np.inf if over else float(rolled[turn, state - first])
                stops = may and not rolls_on(on, end, tolerance)
                worth_it = max(on, end) if may else on
                if choice < 0 or beats(worth_it, held, tolerance):
                    held, choice, ends = worth_it, f, stops
        if choice < 0:
            final = dead_total(total if mask >> WORM else 0, keep_sum)
            held = _payoff(pay, symbol[node, final], final, stake)
        found.face[x], found.stop[x], found.value[x] = choice, ends, held
    return UNCHECKED_BLOCK if unchecked else OK, 0
