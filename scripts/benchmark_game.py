"""Print how fast games are listed, improved and solved, as ratios to plain references.

The reference of listing is a walk over ``Position`` objects, that of the improvement step the NumPy
solver, one turn after the other; both run here.  Run it as

    .venv/bin/python scripts/benchmark_game.py          # half a minute
    .venv/bin/python scripts/benchmark_game.py --full   # a quarter of an hour, 3 GB of memory
"""

from __future__ import annotations

import os
import platform
import resource
import statistics
import sys
import time

import numpy as np

from pickomino import STANDARD, Position, Rules
from pickomino._runtime.jobs import workers
from pickomino.game.iteration import solve
from pickomino.game.listing import GameListing, list_game
from pickomino.game.model import Model
from pickomino.turn.payoffs import TurnPayoffs
from pickomino.turn.solve import solve as solve_turn

REPEATS = 5


def model(tiles: tuple[int, ...], depth: int | None = None) -> Model:
    """The margin game of some tiles under the rulebook, from its first turn."""
    return Model(Position.start(2, equipment=STANDARD.only(tiles)), Rules(), "margin", depth)


def list_plainly(start: Position, rules: Rules) -> int:
    """The number of positions that play leads to, by a walk over positions."""
    found, queue = {start}, [start]
    for here in queue:
        after = [here.after_claim(c) for t in range(5, 41) for c in here.claims(t, rules)]
        for then in (*after, here.after_bust(rules)):
            seen = Position(then.grill, then.stacks[::-1], 0, then.equipment)
            if seen.grill and seen not in found:
                found.add(seen)
                queue.append(seen)
    return len(found)


def median_of(call: object, repeats: int = REPEATS) -> float:
    """The median seconds of a call, after one that is not counted."""
    call()  # type: ignore[operator]
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()  # type: ignore[operator]
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def plain_improvement(graph: GameListing, states: int) -> None:
    """Values and distributions of some positions' turns, one after the other in NumPy."""
    parts = graph.payoffs(np.arange(states), np.zeros(graph.states))
    for by_class in np.concatenate([by_class for by_class, _ in parts]):
        by_total = tuple(by_class[graph.model.class_of].tolist())
        solve_turn(TurnPayoffs(by_total, (True,) * len(by_total))).distribution()


def steps() -> None:
    """Print the times of the single steps, on seven tiles."""
    six, seven = model(tuple(range(21, 27))), model(tuple(range(21, 28)))
    plain_list = median_of(lambda: list_plainly(six.start, six.rules), 1)
    count = list_game(six).states
    seven_graph = list_game(seven)
    states = seven_graph.states
    rows = [("list, walking over positions", plain_list / count, plain_list / count)]
    fast = median_of(lambda: list_game(seven))
    rows.append(("list, packed and compiled", fast / states, plain_list / count))
    plain = median_of(lambda: plain_improvement(seven_graph, 1000), 1) / 1000
    rows.append(("improve, NumPy, a turn at a time", plain, plain))
    every, value = np.arange(states), np.random.default_rng(0).normal(size=states)
    for jobs in (1, 2):
        with workers(jobs) as run:
            graph = list_game(seven, run=run)
            seconds = median_of(lambda g=graph: g.values(every, value), 3)
            rows.append((f"improve, values only, {jobs} thread(s)", seconds / states, plain))
            seconds = median_of(lambda g=graph: g.policy(every, value), 3)
            rows.append((f"improve, with distributions, {jobs} thread(s)", seconds / states, plain))
    print(f"{'a position of seven tiles':44} {'us':>9} {'x plain':>9}")
    for name, seconds, reference in rows:
        print(f"{name:44} {seconds * 1e6:9.2f} {reference / seconds:9.1f}")


def games(full: bool) -> None:
    """Print how long whole games take, certification included."""
    cases = [("21-26, full stacks", model(tuple(range(21, 27))), False)]
    cases.append(("21-27, full stacks", model(tuple(range(21, 28))), False))
    if full:
        cases.append(("21-28, full stacks", model(tuple(range(21, 29))), False))
        cases.append(("21-36, depth 1, every position", model(STANDARD.tiles, 1), True))
    print(
        f"\n{'game, margin':32} {'positions':>10} {'list s':>7} {'solve s':>8} {'gap':>8} {'GB':>5}"
    )
    for name, case, every in cases:
        with workers() as run:
            start = time.perf_counter()
            graph = list_game(case, 10**7, run, every=every)
            listed = time.perf_counter()
            solved = solve(graph)
            end = time.perf_counter()
        gap = (solved.upper - solved.lower).max()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(
            f"{name:32} {graph.states:10,} {listed - start:7.1f} {end - listed:8.1f} "
            f"{gap:8.0e} {peak:5.2f}",
            flush=True,
        )


def main() -> None:
    """Print both tables."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, {cores} core(s)\n")
    steps()
    games("--full" in sys.argv[1:])


if __name__ == "__main__":
    main()
