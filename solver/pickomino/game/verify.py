"""A slow second look at a solved game or its table, state by state; only the rules are shared."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

from pickomino._runtime.jobs import progress_bar, workers
from pickomino._runtime.limits import check_memory
from pickomino._storage.arrays import check_bytes, sample_rows
from pickomino.errors import TableError
from pickomino.game.build import deviation_of, empty_parts, list_all, solve_part
from pickomino.game.levels import levels
from pickomino.game.model import Bank
from pickomino.game.solve import GameSolution
from pickomino.game.table import GameTable
from pickomino.position import Position
from pickomino.turn.payoffs import TurnPayoffs
from pickomino.turn.solve import TurnSolution, solve

__all__ = ["bellman_residual", "deviation", "turn", "verify_game"]

ROUNDING = 1e-12
"""What the stated residual of a table may be missed by, as this program rounds in other places."""

SPREAD = 1e-6
"""How far a deviation may be off: where choices tie, it depends on which of them is taken.

Both are for each worm of the largest tile.
"""


def bellman_residual(solved: GameSolution) -> float:
    """The largest difference between a position's value and that of its turn on the next values.

    Args:
        solved: A solved game; every position is looked at, some 1,500 a second.

    Returns:
        The difference, a probability for ``win`` and worms for ``margin``.
    """
    model = solved.model
    states = [model.unpack(words) for words in solved.listing.words.tolist()]
    return max(abs(turn(solved, *s)[0].value() - solved.value_to_mover(*s)) for s in states)


def verify_game(
    folder: Path | str, *, sample: int = 3, seed: int | None = None, progress: bool = False
) -> GameTable:
    """Check a game table: its bytes, every number of it, and a sample by a slow solver.

    Values, bounds, residual and deviations of all positions are computed again, from the stored
    values on, which takes less time than the build and as much memory.

    Args:
        folder: The table.
        sample: How many positions to solve again by the slow solver.
        seed: What draws them, a whole number from 0; None to draw others each time.
        progress: Whether to show on standard error how far it is: a bar, or a line a minute.

    Returns:
        The table, if all is well.

    Raises:
        TableError: The first thing that is not as it was built, too little memory, or a sample or
            seed that is none.
    """
    table = GameTable.open(folder)
    rows = sample_rows(table.spec.rows, sample, seed)
    check_bytes(table.folder, table.spec, table.manifest)
    _check_numbers(table, progress)
    scale = max(1, *table.spec.equipment.worms)
    for place in rows:
        position, bank = table.model.unpack(table.spec.ranking.words(place))
        solved, ahead = turn(table, position, bank)
        error = abs(solved.value() - table.value_to_mover(position))
        if table.place(position) != place or error > table.manifest["residual"] + ROUNDING * scale:
            raise TableError(
                f"position {place} in {folder} is off by {error:.1e}, more than the stated "
                f"{table.manifest['residual']:.1e}: build the table again with {table.spec.command}"
            )
        if table.model.objective == "margin":
            error = abs(deviation(table, solved, ahead) - table.deviation_of(position))
            if error > SPREAD * scale:
                raise TableError(
                    f"the deviation of position {place} in {folder} is off by {error:.1e}: build "
                    f"the table again with {table.spec.command}"
                )
    return table


def _check_numbers(table: GameTable, progress: bool) -> None:
    """Compute all numbers of a table again, and compare.

    Raises:
        TableError: One that is not what the table holds or its manifest states.
    """
    spec = table.spec
    check_memory(spec.memory, f"{spec.rows:,} positions", "verify on a larger machine")
    with workers() as run:
        listing = list_all(spec, run, progress)
        place, again = spec.ranking.of(listing.words), empty_parts(spec)
        for array in again[:3]:
            array[:] = table.value.whole()[place]
        residual = 0.0
        with progress_bar("verify", spec.rows, progress) as bar:
            for inside, circular in levels(listing):
                residual = max(residual, solve_part(listing, inside, circular, again))
                bar.update(len(inside))
    value, lower, upper = again[:3]
    scale = max(1, *spec.equipment.worms)
    bound, slack = float((upper - lower).max()), ROUNDING * scale
    stated = {name: float(table.manifest[name]) for name in ("bound", "residual", "first")}
    off = float(abs(value - table.value.whole()[place]).max())
    # Two ways to a value round differently, and so do the bounds of that rounding.
    found = {
        "values that are off by": (off, bound + slack),
        "a stated bound of": (stated["bound"], 2 * bound + slack),
        "a bound of": (bound, 2 * stated["bound"] + slack),
        "a residual off by": (abs(residual - stated["residual"]), slack),
        "a first value off by": (abs(spec.model.in_units(value[0]) - stated["first"]), slack),
    }
    if spec.objective == "margin":
        again_off = abs(deviation_of(value, again[3]) - table.deviation.whole()[place])
        found["deviations that are off by"] = float(again_off.max()), SPREAD * scale
    for what, (amount, most) in found.items():
        if not amount <= most:
            raise TableError(
                f"the table in {table.folder} has {what} {amount:.1e}, which is more than the "
                f"{most:.1e} that it may have: build it again with {spec.command}"
            )


def turn(
    solved: GameSolution | GameTable, position: Position, banked: Bank
) -> tuple[TurnSolution, dict[int, Position]]:
    """Solve a position's turn, if what follows is worth what the solution says.

    Args:
        solved: The solution.
        position: A position of it with what its stacks have in play, the first player to move.
        banked: What lies beneath.

    Returns:
        The solved turn, and the position that each final total leads to.
    """
    rules = solved.model.rules
    bust = position.after_bust(rules)
    then = dict.fromkeys(range(5), bust)
    claimed = [False] * 5
    worth = _worth_of(solved, position, banked)
    for total in range(5, position.equipment.max_total + 1):
        claims = position.claims(total, rules)
        then[total] = max((position.after_claim(c) for c in claims), key=worth, default=bust)
        claimed.append(bool(claims))
    may_stop = {
        "any_time": [True] * len(claimed),
        "worm_required": [total >= 5 for total in range(len(claimed))],
        "claim_required": claimed,
    }[rules.stop]
    payoffs = TurnPayoffs(
        tuple(worth(then[total]) for total in range(len(claimed))),
        tuple(may_stop),
        rules.dead_roll == "keep_sum",
    )
    return solve(payoffs), then


def deviation(table: GameTable, solved: TurnSolution, then: dict[int, Position]) -> float:
    """The standard deviation of the worms to come, from those of the next positions."""
    square = 0.0
    for total, chance in enumerate(solved.distribution()):
        after, mean = then[total], solved.end_value(total)
        square += chance * (mean**2 + (0 if after.is_over else table.deviation_of(after) ** 2))
    return math.sqrt(max(square - solved.value() ** 2, 0.0))


def _worth_of(
    solved: GameSolution | GameTable, before: Position, banked: Bank
) -> Callable[[Position], float]:
    """What next positions are worth to the player who moved, number 1."""
    tiles, rules = solved.model.tiles, solved.model.rules

    def margin(after: Position) -> float:
        won = after.worms(0) - before.worms(0) - (after.worms(1) - before.worms(1))
        return won - (0 if after.is_over else solved.value_to_mover(after))

    def win(after: Position) -> float:
        if not after.is_over:
            return 1 - solved.value_to_mover(after, -banked)
        heights = [
            max([2 * tiles.index(t) + 2 for t in stack], default=0) for stack in after.stacks
        ]
        heights[not banked.mine] = max(heights[not banked.mine], banked.height)
        lead = after.worms(0) - after.worms(1) + banked.lead
        if lead == 0 and rules.tie_break == "highest_tile":
            lead = heights[0] - heights[1]
        return 0.5 if lead == 0 else float(lead > 0)

    return margin if solved.model.objective == "margin" else win
