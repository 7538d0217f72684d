"""A slow second look at a solved game or its table, state by state; only the rules are shared."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

from pickomino._storage.arrays import check_bytes, sample_rows
from pickomino.errors import TableError
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


def verify_game(folder: Path | str, *, sample: int = 3) -> GameTable:
    """Check a game table against its checksums and, for some positions, the slow solver.

    Args:
        folder: The table.
        sample: How many positions to solve again, chosen by the manifest's checksum.

    Returns:
        The table, if all is well.

    Raises:
        TableError: The first thing that is not as it was built, or a sample below 0.
    """
    table = GameTable.open(folder)
    check_bytes(table.folder, table.spec, table.manifest)
    scale = max(1, *table.spec.equipment.worms)
    for place in sample_rows(table.folder, len(table.value), sample):
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
