"""Charts: the strategy of a turn in human size, and what following it loses.

The value after the first keep depends on nothing but the face and how many dice show it, so that
chart is exact.  A later keep follows a score: ``dice * (pips - off) + bonus`` ranks the faces of a
roll as ``total + off * left + bonus`` ranks the states behind them.  The stop chart says what is
better on average.  All are fixed policies, so a sweep by rising dice left tells their worth.
"""

from __future__ import annotations

import csv
import io
import textwrap
from dataclasses import asdict, dataclass
from itertools import product
from typing import cast

import numpy as np
from numpy.typing import NDArray

from pickomino._checks import given
from pickomino._layout import table as aligned
from pickomino.advice import SolvedTurn
from pickomino.dice import FACES, WORM, Dice
from pickomino.objectives import TurnProblem
from pickomino.position import Position
from pickomino.tables.keys import masks
from pickomino.tables.table import TableSolution, TurnTable
from pickomino.turn.graph import FloatArray, TurnGraph
from pickomino.turn.payoffs import beats, dead_total
from pickomino.turn.solve import TurnSolution

__all__ = [
    "Chart",
    "KeepRule",
    "Losses",
    "StopCell",
    "TileWorth",
    "chart_csv",
    "chart_sections",
    "chart_text",
    "make_chart",
]

BoolArray = NDArray[np.bool_]
IndexArray = NDArray[np.intp]
Rows = list[tuple[object, ...]]
_HINTS = (
    "Of the faces rolled keep the one with the highest entry.",
    "With a worm kept, else roll. Percent: how often exact play agrees. "
    "Blank: stop if that beats a bust.",
    "What the turn loses without the tile, and how often exact play claims it.",
)
_RULES = tuple(product((x / 2 for x in range(7)), range(5), range(4)))


@dataclass(frozen=True)
class KeepRule:
    """How to choose later keeps: the highest ``dice * (pips - pips_off)`` plus ``worm_bonus``.

    Attributes:
        pips_off: Taken from the pips of each die, 0 to 3 in halves.
        worm_bonus: Points added to the score of worms, 0 to 4.
        least: Keeps that leave this many dice (0 to 3) or fewer without a worm come last.
    """

    pips_off: float
    worm_bonus: int
    least: int

    @property
    def sentence(self) -> str:
        """The rule in words."""
        pips = f"(pips - {self.pips_off:g})" if self.pips_off else "pips"
        bonus = f", plus {self.worm_bonus} for worms" if self.worm_bonus else ""
        few = ("no dice", "one die or none", "two dice or fewer", "three dice or fewer")[self.least]
        return (
            f"Keep the face with the highest score: dice × {pips}{bonus}; the pips of a worm are "
            "5. Of equal scores keep the fewest dice, then the lowest face, the worm last. "
            f"Leave {few} without a worm only if you must."
        )


@dataclass(frozen=True)
class StopCell:
    """Total and dice left: how often exact play meets them, stops there, and what a stop gains.

    ``gain`` is the mean of what a stop is worth above a roll, so that a rare case in which much is
    at stake counts for more than a frequent one in which little is.
    """

    total: int
    left: int
    chance: float
    share: float
    gain: float

    @property
    def stop(self) -> bool:
        """Whether the chart says stop rather than roll."""
        return self.gain >= 0


@dataclass(frozen=True)
class TileWorth:
    """A tile on the grill, what the turn loses without it, and how often exact play claims it."""

    tile: int
    worms: int
    worth: float
    chance: float


@dataclass(frozen=True)
class Losses:
    """The expected payoff a turn that following a chart loses, with exact decisions elsewhere.

    Attributes:
        first_keep: The first keep follows its chart.
        later_keeps: All other keeps follow the rule.
        stop: Every stop follows its chart, and blank cells stop if that beats a bust.
        together: All three.
    """

    first_keep: float
    later_keeps: float
    stop: float
    together: float


@dataclass(frozen=True)
class Chart:
    """The strategy of a turn in human size; values in ``unit``, or probabilities if it is empty.

    Attributes:
        position: The notation of the position.
        rules: The rule set.
        objective: What is maximised.
        unit: What the payoff is counted in.
        value: The expected payoff of exact play.
        first_keep: For each face 1-5 and W, the value after keeping 1, 2, ... dice of it.
        decimals: How many decimals tell the entries of ``first_keep`` apart.
        rule: How to choose later keeps.
        stop: The cells that exact play comes to, by total and dice left.
        tiles: The tiles on the grill, ascending.
        losses: What following the charts loses.
    """

    position: str
    rules: str
    objective: str
    unit: str
    value: float
    first_keep: tuple[tuple[float, ...], ...]
    decimals: int
    rule: KeepRule
    stop: tuple[StopCell, ...]
    tiles: tuple[TileWorth, ...]
    losses: Losses


def make_chart(table: TurnTable, position: Position | str | None = None) -> Chart:
    """Make the charts of a position.

    Args:
        table: A table that answers in the middle of turns.
        position: Where the tiles are, or its notation; None for the first turn of a game.

    Returns:
        The charts and what they lose, in the unit of the table's objective.

    Raises:
        MissingTableError: The table is of values only, or does not cover the position.
        GameOverError: The grill is empty.
        PositionError: Other equipment than the table's.
    """
    spec = given("table", table, TurnTable).spec
    place = Position.start(equipment=spec.equipment) if position is None else Position.of(position)
    looked_up = table.turn(place)
    problem, solution = looked_up.problem, cast(TableSolution, looked_up.solution)
    turn = solution.whole
    *exact, exact_first = _picks(turn.graph, turn.above, turn.tolerance)
    exact_rolls = turn.rolls
    entries, decimals, first = _first_keep(turn, exact_first)
    cells, rolls = _stop_chart(turn, [*exact, exact_first], exact_rolls)
    value = _evaluate(turn, [*exact, exact_first], exact_rolls)

    def loss(later: list[IndexArray], first: IndexArray, rolls: BoolArray) -> float:
        return max(0.0, value - _evaluate(turn, [*later, first], rolls))  # rounding is no gain

    # The rule is chosen for the player who has nothing but the charts.
    rules = [KeepRule(*numbers) for numbers in _RULES]
    later = [_picks(turn.graph, _score(turn.graph, rule))[:-1] for rule in rules]
    lost = [loss(picks, first, rolls) for picks in later]
    best = int(np.argmin(np.round(lost, 9)))  # nothing beyond nine digits makes a rule better
    alone = loss(exact, first, exact_rolls), loss(later[best], exact_first, exact_rolls)
    losses = Losses(*alone, loss(exact, exact_first, rolls), lost[best])
    names = str(place), str(spec.rules), spec.objective, problem.unit
    tiles = _tiles(table, problem, solution)
    return Chart(*names, value, entries, decimals, rules[best], cells, tiles, losses)


def _score(graph: TurnGraph, rule: KeepRule) -> FloatArray:
    """``(states,)`` what ranks the keeps of a roll as the rule does."""
    worm = graph.mask >> WORM & 1
    late = (worm == 0) & (graph.left <= rule.least)
    points: FloatArray = graph.total + rule.pips_off * graph.left + rule.worm_bonus * worm
    return np.where(late, points - 1000, points)


def _picks(graph: TurnGraph, score: FloatArray, tolerance: float = 0.0) -> list[IndexArray]:
    """For each level, the states that the keeps with the highest score lead to."""
    padded, picks = np.append(score, -np.inf), []
    for level in graph.levels:
        held = level.child[0].copy()
        for option in level.child[1:]:
            better = beats(padded[option], padded[held], tolerance)
            held[better] = option[better]
        picks.append(held)
    return picks


def _evaluate(turn: TurnSolution, picks: list[IndexArray], rolls: BoolArray) -> float:
    """The expected payoff of a policy that keeps these and rolls in these states."""
    graph, by_total = turn.graph, np.array(turn.payoffs.by_total, dtype=float)
    value = by_total[graph.final]
    dead = graph.dead * by_total[dead_total(graph.final, turn.payoffs.keep_sum)]
    for level, held in zip(graph.levels, picks, strict=True):
        rolled = np.add.reduceat(value[held] * level.prob, level.start) + dead[level.states]
        value[level.states] = np.where(rolls[level.states], rolled, value[level.states])
    return float(value[graph.root])


def _first_keep(
    turn: TurnSolution, exact: IndexArray
) -> tuple[tuple[tuple[float, ...], ...], int, IndexArray]:
    """The first keep's values, the decimals that players need, and what they then keep."""
    graph, value = turn.graph, turn.above  # above a floor of 0: the values themselves
    after = [[graph.after(graph.root, f, k + 1) for k in range(graph.dice)] for f in range(6)]
    for decimals in range(2, 16):
        held = _picks(graph, np.round(value, decimals))[-1]
        if not np.any(beats(value[exact], value[held], turn.tolerance)):
            break
    return tuple(tuple(value[row].tolist()) for row in after), decimals, held


def _stop_chart(
    turn: TurnSolution, picks: list[IndexArray], rolls: BoolArray
) -> tuple[tuple[StopCell, ...], BoolArray]:
    """The cells, and where a player who follows them rolls."""
    graph, cells = turn.graph, []
    reach = np.zeros(graph.states)
    reach[graph.root] = 1.0
    for level, held in zip(reversed(graph.levels), reversed(picks), strict=True):
        rolling = np.where(rolls[level.states], reach[level.states], 0.0)
        by_roll = np.repeat(rolling, np.diff(level.start, append=len(level.prob)))
        reach += np.bincount(held, by_roll * level.prob, graph.states)
    going = np.arange(graph.states) >= graph.first_rolling
    pays = going & (graph.final > 0) & (turn.stopped > float(turn.payoffs.by_total[0]))
    follows = going & ~pays
    for total, left in product(np.unique(graph.total[pays]), range(1, graph.dice)):
        at = pays & (graph.total == total) & (graph.left == left)
        if chance := float(reach[at].sum()):
            share = float(reach[at & ~rolls].sum()) / chance
            gain = float((reach[at] * (turn.stopped[at] - turn.rolled[at])).sum()) / chance
            cells.append(StopCell(int(total), left, chance, share, gain))
            follows[at] = not cells[-1].stop
    return tuple(cells), follows


def _tiles(
    table: TurnTable, problem: TurnProblem, solution: TableSolution
) -> tuple[TileWorth, ...]:
    """What each tile on the grill does for the turn."""
    (grill, tops), tiles, rows = masks(problem.position), problem.position.equipment.tiles, []
    claims = SolvedTurn(problem, solution).odds(Dice()).claims
    chance = {c.claim.tile: float(c.p) for c in claims if c.claim.victim is None}
    for tile in problem.position.grill:
        rest = table.keys.vector(grill ^ 1 << tiles.index(tile), tops)
        worth = solution.value() - TableSolution(table, rest, solution.at_stake).value()
        worms = problem.position.equipment.worms_on(tile)
        rows.append(TileWorth(tile, worms, worth, chance.get(tile, 0.0)))
    return tuple(rows)


def chart_sections(chart: Chart) -> list[tuple[str, str, Rows]]:
    """Title, hint and rows of each part of the chart."""
    entries = [[f"{v:.{chart.decimals}f}" for v in row] for row in chart.first_keep]
    cells = {(c.total, c.left): c for c in chart.stop}
    lefts = range(1, 1 + max((c.left for c in chart.stop), default=0))
    totals = range(chart.stop[0].total, chart.stop[-1].total + 1) if chart.stop else ()
    first = [(face, *row) for face, row in zip(FACES, entries, strict=True)]
    stop = [(t, *(_advice(cells.get((t, left))) for left in lefts)) for t in totals]
    tiles = [(t.tile, t.worms, f"{t.worth:.4f}", f"{t.chance:.1%}") for t in chart.tiles]
    losses = [(k.replace("_", " "), f"{v:.4f}") for k, v in asdict(chart.losses).items()]
    unit = chart.unit or "payoff"
    return [
        ("First keep", _HINTS[0], [("dice", *range(1, 1 + len(entries[0]))), *first]),
        ("Later keeps", chart.rule.sentence, []),
        ("Stop or roll", _HINTS[1], [("total", *(f"{left} left" for left in lefts)), *stop]),
        ("Tiles", _HINTS[2], [("tile", "worms", "loss", "claimed"), *tiles]),
        ("Losses", f"What following the charts loses, in {unit} a turn.", losses),
    ]


def _advice(cell: StopCell | None) -> str:
    """A cell in words, with how often exact play agrees unless always."""
    agreed = f"{cell.share if cell.stop else 1 - cell.share:.0%}" if cell else ""
    word = "" if cell is None else "stop" if cell.stop else "roll"
    return word if agreed in ("", "100%") else f"{word} {agreed}"


def chart_text(chart: Chart) -> str:
    """The charts as aligned text, without a newline at the end."""
    names: Rows = [(name, getattr(chart, name)) for name in ("position", "rules", "objective")]
    parts = [aligned([*names, ("value", f"{chart.value:.4f} {chart.unit}")])]
    for title, hint, rows in chart_sections(chart):
        parts.append("\n".join(textwrap.wrap(f"{title}: {hint}", 88)))
        parts += [aligned(rows, "<" + ">" * (len(rows[0]) - 1))] if rows else []
    return "\n\n".join(parts)


def chart_csv(chart: Chart) -> str:
    """The charts as lines of chart, row, column and value; a stop is 1 and a roll 0."""
    rows: Rows = [("chart", "row", "column", "value"), ("value", "", "", chart.value)]
    for face, values in zip(FACES, chart.first_keep, strict=True):
        rows += [("first_keep", face, k, value) for k, value in enumerate(values, 1)]
    rows += [("later_keeps", "", name, number) for name, number in asdict(chart.rule).items()]
    rows += [("stop", c.total, c.left, int(c.stop)) for c in chart.stop]
    rows += [("stop_share", c.total, c.left, c.share) for c in chart.stop]
    rows += [("tile_worth", tile.tile, "", tile.worth) for tile in chart.tiles]
    rows += [("tile_chance", tile.tile, "", tile.chance) for tile in chart.tiles]
    rows += [("loss", "", name, loss) for name, loss in asdict(chart.losses).items()]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
