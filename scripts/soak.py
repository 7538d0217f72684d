"""Twenty minutes of random calls and commands: memory, files and folders stay as they were.

Threads, worker processes and forks after compiling are among them, and as much bad input as good.
Prints a line a minute, and ends with exit code 1 if something grew.

    python scripts/soak.py --minutes 20 --seed 1
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import os
import pickle
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import psutil

import pickomino
from pickomino import (
    PRESETS,
    GameSpec,
    PickominoError,
    Position,
    TurnSpec,
    advise,
    build_game,
    build_turns,
    odds,
    open_tables,
    play_game,
    play_match,
    review_game,
    solve_batch,
    solve_game,
    verify_game,
    verify_turns,
)
from pickomino.cli import run

PACKAGE = Path(pickomino.__file__).parent
BOX = "5d:8x1,11x1,12x2,14x2,16x3,17x3,20x4,22x4"
SMALL = TurnSpec(equipment=BOX, opponents=1)
GAME = GameSpec(equipment="4d:9x1,10x2,12x1,14x3", objective="win")
WARM, GROWTH = 4, 1.1
"""After the first of so many parts of the time, in which the caches of the last answers fill up,
memory may grow by so much, as the allocator keeps some room."""

KINDS: list[Callable[[random.Random, Path], object]] = []


def kind(
    function: Callable[[random.Random, Path], object],
) -> Callable[[random.Random, Path], object]:
    """Register a kind of call."""
    KINDS.append(function)
    return function


def some_position(rng: random.Random, equipment: str = "standard", players: int = 2) -> Position:
    """A position in the middle of a game, or its start."""
    game = play_game(["random"] * players, equipment=equipment, seed=rng.randrange(50))
    states = game.record.states()
    return rng.choice(states[:-1]).position


@kind
def ask(rng: random.Random, place: Path) -> object:
    """One answer, good or bad."""
    rules, objective = (
        rng.choice(list(PRESETS)),
        rng.choice(["worms", "swing", "total", "reach:25", "x"]),
    )
    kept, roll = rng.choice(
        [("", None), ("3 3 3", "1 3 4 4 W"), ("W", "1 2 3 4 5 5 5"), ("7", "1")]
    )
    position = some_position(rng, players=rng.randint(2, 7))
    odds(position, rules=rules, objective=objective)
    return advise(position, kept, roll=roll, rules=rules, objective=objective)


@kind
def ask_for_fractions(rng: random.Random, place: Path) -> object:
    """Rationals, with few dice."""
    return advise("9-14 -/- 1 4d:9-14x1", "W", exact=True, rules=rng.choice(list(PRESETS)))


@kind
def ask_for_a_game(rng: random.Random, place: Path) -> object:
    """A game solved on the spot."""
    tiles = sorted(rng.sample(range(21, 37), rng.randint(1, 4)))
    position = f"{','.join(map(str, tiles))} -/- 1"
    solve_game(position, rules=rng.choice(list(PRESETS)))
    return advise(position, objective=rng.choice(["win", "margin"]))


@kind
def probe(rng: random.Random, place: Path) -> object:
    """Tables opened, probed by several threads, pickled and closed."""
    with open_tables(place / "kept", equipment=BOX) as tables:
        positions = [some_position(rng, BOX) for _ in range(8)]
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda p: tables.get(p, "", "12345"), positions))
        pickle.loads(pickle.dumps(tables.tables[0])).close()
        hand = np.tile([1, 1, 1, 1, 1, 0], (100, 1))
        grill = np.array([rng.randrange(1, 256) for _ in range(100)])
        return tables.probe_many(grill, grill * 0, grill * 0, hand * 0, hand)


@kind
def batch(rng: random.Random, place: Path) -> object:
    """Compiled turns."""
    payoffs = np.random.default_rng(rng.randrange(99)).integers(0, 5, (70, 41))
    return solve_batch(payoffs, [True] * 41, distribution=True)


@kind
def match(rng: random.Random, place: Path) -> object:
    """Matches here and in workers."""
    return play_match(["worms", "cautious"], 20, jobs=rng.choice([1, 2]), progress=False)


@kind
def look_back(rng: random.Random, place: Path) -> object:
    """A game and its review."""
    return review_game(play_game(["worms", "cautious"], seed=rng.randrange(99)).record)


@kind
def build_and_remove(rng: random.Random, place: Path) -> object:
    """Tables of both kinds, built, verified and removed."""
    out = place / "made"
    verify_turns(build_turns(SMALL, out, progress=False).folder)
    verify_game(build_game(GAME, out, progress=False).folder)
    return command("tables", "remove", "--yes", str(out))


@kind
def words(rng: random.Random, place: Path) -> object:
    """The command line in this process, with sense and without."""
    return command(
        *rng.choice(
            [
                ("best", "--own", "25,30", "--opponent", "24,29", "--json"),
                ("best", "--kept", "3 3 3", "--roll", "1 3 4 4 W"),
                ("odds", "--opponent", "21,30", "--reach"),
                ("best", "--batch", str(place / "lines")),
                ("best", "--kept", "9" * rng.randrange(1, 9999)),
                ("rules", rng.choice([*PRESETS, "x"])),
                ("tables", "info", str(place / "kept")),
                ("game", "value", "--tiles", "21-23"),
                ("match", "worms", "nobody"),
                ("review", str(place / "nothing")),
            ]
        )
    )


@kind
def fork(rng: random.Random, place: Path) -> object:
    """A fork after compiling: the child answers and ends."""
    child = os.fork()
    if not child:
        code = 1
        with contextlib.suppress(BaseException):
            batch(rng, place)
            advise("21-36 -/- 1")
            code = 0
        os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0, "the child of a fork failed"
    return None


@kind
def process(rng: random.Random, place: Path) -> object:
    """The command in a process of its own, its standard error closed now and then."""
    call = ("sh", "-c", f'exec "$@" {rng.choice(["", "2>&-", "2>/dev/full"])}', "sh")
    asked = (sys.executable, "-m", "pickomino", "best", "--position", "21,22 -/30 1")
    ended = subprocess.run((*call, *asked, "--json"), capture_output=True, check=True)
    return ended.stdout


def command(*arguments: str) -> int:
    """Run a command in this process, and say nothing of it."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            run(list(arguments))
        except SystemExit as end:
            return int(end.code or 0)
    return 0


def folders(place: Path) -> set[str]:
    """All that lies where something could be left."""
    roots = (place, PACKAGE, Path.cwd())
    return {
        str(path)
        for root in roots
        for path in root.rglob("*")
        if "__pycache__" not in path.parts and ".git" not in path.parts
    }


def main() -> None:
    """Soak, and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rng, here = random.Random(asked.seed), psutil.Process()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        os.environ["PICKOMINO_TABLES"] = str(place / "none")
        (place / "made").mkdir()
        (place / "lines").write_text('{"kept": "3 3 3"}\n{"kept": "9"}\nrubbish\n')
        build_turns(SMALL, place / "kept", progress=False)
        calls, refused = Counter[str](), 0

        def call(function: Callable[[random.Random, Path], object]) -> None:
            nonlocal refused
            calls[function.__name__] += 1
            try:
                function(rng, place)
            except PickominoError:
                refused += 1

        for function in KINDS:
            call(function)
        before = here.memory_info().rss, here.num_fds(), folders(place)
        print(f"{'minute':>6} {'calls':>7} {'refused':>7} {'MB':>6} {'files':>5} {'threads':>7}")
        start = time.monotonic()
        for minute in range(1, round(asked.minutes) + 1):
            while time.monotonic() - start < 60 * minute:
                call(rng.choice(KINDS))
            gc.collect()
            if minute == max(1, round(asked.minutes / WARM)):
                before = here.memory_info().rss, here.num_fds(), folders(place)
            now = here.memory_info().rss / 1e6, here.num_fds(), here.num_threads()
            print(
                f"{minute:6} {calls.total():7} {refused:7} {now[0]:6.0f} {now[1]:5} {now[2]:7}",
                flush=True,
            )
        after = here.memory_info().rss, here.num_fds(), folders(place)
    print(", ".join(f"{name} {number}" for name, number in sorted(calls.items())))
    print(
        f"memory {before[0] / 1e6:.0f} -> {after[0] / 1e6:.0f} MB, files {before[1]} -> {after[1]}"
    )
    left = sorted(before[2] ^ after[2])
    print(f"folders: {left or 'as before'}")
    if after[0] > GROWTH * before[0] or after[1] > before[1] or left:
        sys.exit("something grew")


if __name__ == "__main__":
    main()
