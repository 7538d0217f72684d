"""Fit the factors of ``pickomino.estimate.normal`` on games of the player ``game`` against itself.

For every turn of every game the chance to win by the formula is held against who won; the factor of
each number of face-up tiles is the one under which the results are likeliest.  It needs the table
of margins of the whole game, from ``pickomino tables build --objective margin --depth 1``:

    .venv/bin/python scripts/calibrate.py 2000
"""

from __future__ import annotations

import sys

import joblib
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import log_ndtr

from pickomino.estimate.normal import FACTORS
from pickomino.game.table import open_game
from pickomino.play.match import play_game
from pickomino.play.players import GamePlayer

RULES = "rulebook,steal=mandatory"
LAST = len(FACTORS) - 1  # stands for all larger numbers of tiles


def rows_of(seed: int) -> list[tuple[int, float, float]]:
    """For each turn of a game: tiles, (lead + margin) / deviation, the mover's part of the win."""
    table = open_game(None, rules=RULES)
    result = play_game([GamePlayer(), GamePlayer()], rules=RULES, seed=seed)
    rows, last = [], None
    for state in result.record.states():
        position = state.position
        if position is last or position.is_over:
            continue
        last, mover = position, position.mover
        lead = position.worms(mover) - position.worms(1 - mover)
        deviation = max(table.deviation_of(position), 1e-3)
        z = (lead + table.value_to_mover(position)) / deviation
        rows.append((len(position.grill), z, (mover in result.winners) / len(result.winners)))
    return rows


def surprise(factor: float, z: NDArray[np.float64], won: NDArray[np.float64]) -> float:
    """Minus the mean logarithm of the likelihood of some results."""
    wins, losses = log_ndtr(factor * z), log_ndtr(-factor * z)
    return float(-np.mean(won * wins + (1 - won) * losses))


def main() -> None:
    """Print the factors, with what they explain beyond a factor of 1."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    play = joblib.delayed(rows_of)
    found = joblib.Parallel(-1)(play(seed) for seed in range(games))
    rows = np.array([row for rows in found for row in rows])
    print(f"{games} games, {len(rows)} turns\n\ntiles   turns  factor  surprise  with factor 1")
    for tiles in range(1, LAST + 1):
        z, won = rows[np.minimum(rows[:, 0], LAST) == tiles, 1:].T
        best = minimize_scalar(surprise, bounds=(0.1, 2.0), args=(z, won), method="bounded")
        print(f"{tiles:5} {len(z):7} {best.x:7.3f} {best.fun:9.4f} {surprise(1.0, z, won):14.4f}")


if __name__ == "__main__":
    main()
