"""Print how fast turns are solved, as ratios to references measured in the same run.

The reference of the solvers is the recursion in plain Python floats below; that of the command line
is a Python that only imports NumPy.  Every figure is the median of several repeats, taken in turn,
so that a change of the machine's speed meets all of them.  Run it as

    taskset -c 0 .venv/bin/python scripts/benchmark.py
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from pickomino import STANDARD, Dice, Position, Rules, advise, open_tables
from pickomino.dice import ALL_FACES, FACES, PIPS, WORM
from pickomino.objectives import turn_problem
from pickomino.tables.build import build_turns
from pickomino.tables.keys import masks, stake
from pickomino.tables.spec import TurnSpec
from pickomino.turn.batch import solve_batch
from pickomino.turn.payoffs import TurnPayoffs
from pickomino.turn.rational import offers
from pickomino.turn.solve import solve

REPEATS = 15


def solve_plain(payoffs: TurnPayoffs) -> float:
    """The recursion with a dictionary of states, in plain Python."""
    by_total = [float(x) for x in payoffs.by_total]
    values: dict[tuple[int, int, int], float] = {}

    def value(mask: int, left: int, total: int) -> float:
        state = (mask, left, total)
        if state in values:
            return values[state]
        final = total if mask >> WORM & 1 else 0
        if left == 0 or mask == ALL_FACES:
            best = by_total[final]
        else:
            best = 0.0
            for offer, ways in offers(mask, left).items():
                if offer:
                    best += ways * max(
                        value(mask | 1 << f, left - k, total + k * PIPS[f]) for f, k in offer
                    )
                else:
                    best += ways * by_total[final if payoffs.keep_sum else 0]
            best /= 6**left
            if mask and payoffs.may_stop[final]:
                best = max(best, by_total[final])
        values[state] = best
        return best

    return value(0, payoffs.dice, 0)


def cases() -> dict[str, tuple[Callable[[], object], int]]:
    """What is timed, each with the number of turns that one call solves."""
    payoffs = turn_problem(Position.start(), Rules(), "worms").payoffs
    by_total = np.array(payoffs.by_total, dtype=float)
    batch = by_total * np.linspace(0.5, 1.5, 512)[:, None]
    may_stop = np.array(payoffs.may_stop)
    return {
        "plain Python": (lambda: solve_plain(payoffs), 1),
        "NumPy, one": (lambda: solve(payoffs), 1),
        "NumPy, one, with distribution": (lambda: solve(payoffs).distribution(), 1),
        "numba, one": (lambda: solve_batch(by_total, may_stop), 1),
        "numba, batch of 64": (lambda: solve_batch(batch[:64], may_stop), 64),
        "numba, batch of 512": (lambda: solve_batch(batch, may_stop), 512),
        "numba, batch of 512, with distributions": (
            lambda: solve_batch(batch, may_stop, distribution=True),
            512,
        ),
    }


def time_solvers() -> dict[str, float]:
    """Median seconds a turn for each case."""
    times: dict[str, list[float]] = {name: [] for name in cases()}
    for name, (call, _) in cases().items():
        call()  # compiles and fills caches
        times[name].clear()
    for _ in range(REPEATS):
        for name, (call, turns) in cases().items():
            calls = max(1, 64 // turns) if name != "plain Python" else 1
            start = time.perf_counter()
            for _ in range(calls):
                call()
            times[name].append((time.perf_counter() - start) / calls / turns)
    return {name: statistics.median(ts) for name, ts in times.items()}


def time_processes() -> tuple[dict[str, float], float]:
    """Median seconds of whole processes, and the command's peak memory in MB."""
    command = Path(sys.executable).parent / "pickomino"
    best = [str(command), "best", "--own", "25", "--kept", "3 3 3", "--roll", "1 3 4 4 W"]
    processes = {
        "python -c 'import numpy'": [sys.executable, "-c", "import numpy"],
        "pickomino best": best,
    }
    times: dict[str, list[float]] = {name: [] for name in processes}
    for repeat in range(REPEATS + 1):
        for name, words in processes.items():
            start = time.perf_counter()
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
            if repeat:  # the first fills the file cache
                times[name].append(time.perf_counter() - start)
    # A fresh interpreter asks, as a child's peak counts the memory of the process that forks it.
    ask = (
        "import resource, subprocess, sys\n"
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)\n"
    )
    words = [sys.executable, "-c", ask, *best]
    peak = float(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    return {name: statistics.median(ts) for name, ts in times.items()}, peak


def random_questions(number: int) -> list[tuple[Position, Dice, Dice]]:
    """Positions with up to one opponent's top, dice kept and a roll."""
    rng = np.random.default_rng(0)
    questions = []
    while len(questions) < number:
        tiles = rng.permutation(STANDARD.tiles).tolist()
        own, top, size = rng.integers(0, 2), rng.integers(0, 2), rng.integers(1, 13)
        grill, rest = tiles[:size], tiles[size:]
        faces = rng.choice(list(FACES), 8).tolist()
        kept = Dice.parse("".join(faces[: rng.integers(0, 8)]))
        if not kept.is_spent(8):
            roll = Dice.parse("".join(rng.choice(list(FACES), 8 - kept.number)))
            position = Position.seen(rest[:own], [rest[own : own + top]], grill)
            questions.append((position, kept, roll))
    return questions


def time_tables() -> None:
    """Print how fast tables are built, opened and probed, against solving afresh."""
    questions = random_questions(2000)
    start = time.perf_counter()
    for position, kept, roll in questions[:200]:
        advise(position, kept, roll)
    fresh = (time.perf_counter() - start) / 200
    rows = [("advise, solving afresh", fresh)]
    with tempfile.TemporaryDirectory() as out:
        report = build_turns(TurnSpec(opponents=1), out, progress=False)
        rows.append(("build, a turn with all its values", report.solve_seconds / report.rows))
        rows.append(("build, writing a turn", report.write_seconds / report.rows))
        times = []
        for _ in range(REPEATS):
            start = time.perf_counter()
            open_tables(out).probe(*questions[0])
            times.append(time.perf_counter() - start)
        rows.append(("open and first probe", statistics.median(times)))
        tables = open_tables(out)
        for question in questions:
            tables.probe(*question)  # maps the pages
        times = []
        for question in questions:
            start = time.perf_counter()
            tables.probe(*question)
            times.append(time.perf_counter() - start)
        rows.append(("probe", statistics.median(times)))
        grill, tops = np.array([masks(position) for position, _, _ in questions]).T
        stakes = np.array([stake(position) for position, _, _ in questions])
        kept, roll = (np.array([q[i].counts for q in questions]) for i in (1, 2))
        many = [np.concatenate([a] * 100) for a in (grill, stakes, tops, kept, roll)]
        times = []
        for _ in range(REPEATS):
            start = time.perf_counter()
            tables.probe_many(*many)
            times.append((time.perf_counter() - start) / len(many[0]))
        rows.append(("probe_many, a decision", statistics.median(times)))
    print(f"\n{'tables, eight dice, up to one top':40} {'us':>10} {'x advise':>9}")
    for name, seconds in rows:
        print(f"{name:40} {seconds * 1e6:10.2f} {fresh / seconds:9.1f}")


def main() -> None:
    """Print both tables."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    print(
        f"Python {platform.python_version()}, NumPy {np.__version__}, "
        f"{platform.machine()}, {cores} core(s), medians of {REPEATS}\n"
    )
    processes, peak = time_processes()
    solvers = time_solvers()
    plain, single = solvers["plain Python"], solvers["NumPy, one"]
    print(f"{'one turn, eight dice':40} {'us':>10} {'x plain':>9} {'x NumPy':>9}")
    for name, seconds in solvers.items():
        us, faster = seconds * 1e6, plain / seconds
        print(f"{name:40} {us:10.1f} {faster:9.0f} {single / seconds:9.2f}")
    print(f"\n{'whole process':40} {'ms':>10} {'x numpy':>9}")
    base = processes["python -c 'import numpy'"]
    for name, seconds in processes.items():
        print(f"{name:40} {seconds * 1e3:10.1f} {seconds / base:9.2f}")
    print(f"\npeak memory of pickomino best: {peak:.0f} MB")
    time_tables()


if __name__ == "__main__":
    main()
