"""Solve random positions of every preset again in rationals and print how far the tables are off.

Every preset's table is built in a temporary folder; a position's numbers there are its value, its
distribution and the value of rolling in every state.  Turns that several positions or presets share
are solved once.  Takes about half an hour on two cores.  Run it as

    .venv/bin/python scripts/check_tables.py --positions 1000
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import joblib
import numpy as np

from pickomino import PRESETS, STANDARD, Position
from pickomino.tables.build import build_turns
from pickomino.tables.keys import masks, stake
from pickomino.tables.spec import TurnSpec
from pickomino.tables.table import TurnTable
from pickomino.tables.verify import turn_error

OPPONENTS = 2


def random_position(rng: np.random.Generator) -> Position:
    """Each tile on the grill, face down, or in one of up to three stacks."""
    players = int(rng.integers(1, OPPONENTS + 2))
    place = rng.integers(-2, players + 2, len(STANDARD.tiles))  # the grill is likelier
    grill = [t for t, p in zip(STANDARD.tiles, place, strict=True) if p == -1 or p >= players]
    stacks = [
        [t for t, p in zip(STANDARD.tiles, place, strict=True) if p == q] for q in range(players)
    ]
    for stack in stacks:
        rng.shuffle(stack)
    return Position(tuple(grill) or (36,), tuple(map(tuple, stacks)) if grill else ((),))


def turn_errors(folder: Path, turns: list[int]) -> list[float]:
    """The error of each turn of a table; the unit of parallel work."""
    table = TurnTable.open(folder)
    return [turn_error(table, turn) for turn in turns]


def main() -> None:
    """Print a line a preset."""
    parser = argparse.ArgumentParser(description="Check tables against rationals.")
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=-1)
    arguments = parser.parse_args()
    solved: dict[object, float] = {}
    print(f"{'preset':16}{'positions':>10}{'distinct turns':>16}{'largest difference':>20}")
    for name, preset in PRESETS.items():
        rng = np.random.default_rng(0)  # the same positions, as presets share many turns
        with tempfile.TemporaryDirectory() as out:
            spec = TurnSpec(preset.rules, opponents=OPPONENTS)
            table = TurnTable.open(build_turns(spec, out, progress=False).folder)
            turns: dict[object, int] = {}
            for _ in range(arguments.positions):
                position = random_position(rng)
                vector = table.keys.vector(*masks(position))
                payoffs = table.keys.payoffs(vector, stake(position))
                index = table.keys.stake_index(stake(position))
                turns[payoffs] = vector * len(table.keys.stakes) + index
            todo = [p for p in turns if p not in solved]
            parts = [todo[i : i + 8] for i in range(0, len(todo), 8)]
            errors = joblib.Parallel(arguments.jobs)(
                joblib.delayed(turn_errors)(table.folder, [turns[p] for p in part])
                for part in parts
            )
            for part, found in zip(parts, errors, strict=True):
                solved.update(zip(part, found, strict=True))
        worst = max(solved[p] for p in turns)
        print(f"{name:16}{arguments.positions:10}{len(turns):16}{worst:20.1e}", flush=True)
    print(f"\n{len(solved)} distinct turns in all; largest {max(solved.values()):.1e}")


if __name__ == "__main__":
    main()
