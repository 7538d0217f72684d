"""What several test modules ask about: boxes, positions, small tables, and facts from files."""

import hashlib
import json
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np

from pickomino import PRESETS, STANDARD, Dice, Equipment, Position, Rules, open_tables
from pickomino._storage.manifest import block_sums
from pickomino.dice import FACES
from pickomino.game.spec import GameSpec
from pickomino.tables.spec import TurnSpec

ROOT = Path(__file__).parent.parent
"""The checkout, or what of it lies beside the tests."""

TABLE = Position.parse("21-23,26-28,32-36 25,30/24,29/31 1")
"""Three players in the middle of a standard game."""

FOUR_TILES = Equipment(4, (9, 10, 12, 14), (1, 2, 1, 3))
SIX_TILES = Equipment(4, (8, 10, 11, 13, 15, 17), (1, 1, 2, 2, 3, 4))
EIGHT_TILES = Equipment(5, (8, 11, 12, 14, 16, 17, 20, 22), (1, 1, 2, 2, 3, 3, 4, 4))
NINE_TILES = Equipment(4, tuple(range(8, 17)), (1, 1, 1, 2, 2, 2, 3, 3, 4))

START = Position.start(2, equipment=FOUR_TILES)

SPEC = TurnSpec(equipment=EIGHT_TILES, opponents=2)
"""A small policy table."""

GAMES = [
    GameSpec(Rules(), FOUR_TILES, "margin"),
    GameSpec(Rules(), FOUR_TILES, "margin", 1),
    GameSpec(Rules(), FOUR_TILES, "win"),
    GameSpec(Rules.preset("bga-literal"), FOUR_TILES, "margin", 2),
]
"""Small game tables."""

PRESETS_AND_PLAYERS = [(preset, 2 + i % 6) for i, preset in enumerate(PRESETS)]
"""Every preset, and among them every number of players."""


def game_of(*tiles):
    """The first position of a game of two with only some of the standard tiles."""
    return Position.start(2, equipment=STANDARD.only(tiles))


def is_near(standing, share):
    """Whether a match's share is within 2.9 standard errors; one in 270 is not, though right."""
    standard_error = standing.error / 1.96  # which is half a 95% interval
    return abs(standing.share - share) < 2.9 * standard_error


def facts(name):
    """The facts of others in a file of ``tests/data``."""
    return json.loads((ROOT / "tests" / "data" / name).read_text())


def random_case(rng, opponents):
    """A random position of the small box, with dice kept and a roll."""
    while True:
        place = rng.integers(-2, opponents + 3, len(EIGHT_TILES.tiles))
        grill = [
            t for t, p in zip(EIGHT_TILES.tiles, place, strict=True) if p in (-1, opponents + 1)
        ]
        stacks = [
            [t for t, p in zip(EIGHT_TILES.tiles, place, strict=True) if p == q]
            for q in range(opponents + 1)
        ]
        kept = rng.choice(list(FACES), rng.integers(0, 5))
        if grill and len(set(kept)) < 6:
            roll = rng.choice(list(FACES), 5 - len(kept))
            position = Position(tuple(grill), tuple(map(tuple, stacks)), 0, EIGHT_TILES)
            return position, Dice.parse("".join(kept)), Dice.parse("".join(roll))


def probe_all(turn_tables, cases):
    """Open and probe; runs in another process."""
    tables = open_tables(turn_tables, equipment=EIGHT_TILES)
    return [tables.probe(*case).value for case in cases]


def run_until_killed(program, write):
    """Run a program that is killed as it puts its n-th file on disk."""
    killed = f"""
import itertools, os, signal
fsync, writes = os.fsync, itertools.count(1)
def fsync_or_die(handle):
    if next(writes) == {write}:
        os.kill(os.getpid(), signal.SIGKILL)
    fsync(handle)
os.fsync = fsync_or_die
"""
    done = subprocess.run([sys.executable, "-c", killed + program], stderr=subprocess.DEVNULL)
    assert done.returncode == -signal.SIGKILL


def contents(table):
    """The bytes of a table's files."""
    return {path.name: path.read_bytes() for path in sorted(table.iterdir())}


def rewrite(table, change, array=None, *, crafted=False):
    """Change the manifest, or an array with its checksums, so that only a closer look finds it.

    Args:
        table: The folder.
        change: Takes what is changed; a new array is what it returns.
        array: The name of the array; None for the manifest.
        crafted: Whether the manifest states the new dtype and shape, too.
    """
    manifest = json.loads((table / "manifest.json").read_text())
    if array is not None:
        path = table / f"{array}.npy"
        values = change(np.load(path))
        np.save(path, values)
        fields = manifest["files"][path.name]
        fields["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
        fields["bytes"] = path.stat().st_size
        fields["crc32"] = block_sums(values)
        if crafted:
            fields["dtype"], fields["shape"] = values.dtype.str, list(values.shape)
    else:
        change(manifest)
    raw = (json.dumps(manifest, indent=1) + "\n").encode()
    (table / "manifest.json").write_bytes(raw)
    check = f"{hashlib.sha256(raw).hexdigest()}  manifest.json\n"
    (table / "manifest.sha256").write_text(check)
