"""No number of a table is used before it is checked, and none that cannot be is used at all."""

import contextlib
import json
import os
import shutil
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from pickomino import MissingTableError, Position, TableError, TurnTable, advise, open_tables
from pickomino._storage import arrays, manifest
from pickomino.game.table import GameTable
from pickomino.tables.build import build_turns
from samples import EIGHT_TILES, GAMES, SPEC, rewrite

START = Position.start(2, equipment=EIGHT_TILES)
MANY = ([255, 1], [0, 0], [0, 0], [[0] * 6] * 2, [[1, 1, 1, 1, 1, 0]] * 2)
"""A first turn, and one with the lowest tile alone on the grill, for ``probe_many``."""


@pytest.fixture(scope="module")
def many_blocks(tmp_path_factory):
    """A table whose arrays have many blocks each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest, "BLOCK_BYTES", 2**12)
        return build_turns(replace(SPEC, opponents=1), tmp_path_factory.mktemp("blocks")).folder


@pytest.fixture
def blocks(many_blocks, tmp_path, monkeypatch):
    """A copy of it to damage, read block by block."""
    monkeypatch.setattr(manifest, "BLOCK_BYTES", 2**12)
    monkeypatch.setattr(arrays, "AT_ONCE", 0)
    return shutil.copytree(many_blocks, tmp_path / many_blocks.name)


def flip(path, at, bit=0):
    """Change one bit of a file."""
    content = bytearray(path.read_bytes())
    content[at] ^= 1 << bit
    path.write_bytes(content)


def test_the_checksums_are_those_of_the_blocks(many_blocks):
    """The manifest's CRC-32 of each block, computed from the bytes behind the header."""
    files = json.loads((many_blocks / "manifest.json").read_text())["files"]
    for name, fields in files.items():
        array = np.load(many_blocks / name)
        content = (many_blocks / name).read_bytes()[-array.nbytes :]
        row = array.nbytes // len(array)
        size = max(1, 2**12 // row) * row
        parts = [content[at : at + size] for at in range(0, len(content), size)]
        assert fields["crc32"] == "".join(f"{zlib.crc32(part):08x}" for part in parts)
    assert len(files["rolled.npy"]["crc32"]) > 8 * 100


@pytest.mark.parametrize("bit", range(8))
def test_a_flipped_bit_is_never_an_answer(table, pickomino, bit):
    """Wherever it is in the values, nobody answers: 1.1136 for 1.6136 was seen, with exit 0."""
    words = ("best", "--position", str(START), "--tables", table)
    stored = TurnTable.open(table)
    assert stored.probe(START).value == pytest.approx(advise(START).value, abs=1e-12)
    turn = stored.solution(START)._turn
    flip(table / "value.npy", -8 * (len(stored.value) - turn) + 6, bit)
    code, out, err = pickomino(*words)
    assert (code, out) == (2, "")
    assert "value.npy" in err
    assert "is damaged: remove the table with pickomino tables remove" in err


@pytest.mark.parametrize("array", ["value", "distribution", "rolled", "symbol", "step"])
def test_numbers_that_cannot_be_are_refused_under_right_checksums(table, array):
    """NaN, infinities, a payoff beyond the best, a probability beyond 1, a node below none."""
    whole = array in ("symbol", "step")
    for bad in (127,) if whole else (np.nan, np.inf, -np.inf, 99.0):
        damaged = table.with_name(f"{array}{bad}")
        shutil.copytree(table, damaged)
        worse = -5 if array == "step" else bad
        rewrite(damaged, lambda a, worse=worse: np.full_like(a, worse), array)
        with open_tables(damaged, equipment=EIGHT_TILES) as tables:
            ask, dice = (tables.probe, ["", "12345"])
            if array in ("value", "distribution"):
                ask, dice = (tables.odds, [])
            with pytest.raises(TableError, match=f"{array}.npy in .* is damaged"):
                ask(START, *dice)
            if array not in ("value", "distribution"):
                with pytest.raises(TableError, match=f"{array}.npy in .* is damaged"):
                    tables.probe_many(*MANY)


def test_arrays_of_another_table_are_refused(table, tmp_path):
    """The values of other rules have the same shape, and other checksums."""
    other = build_turns(replace(SPEC, rules="rulebook,dead_roll=keep_sum"), tmp_path).folder
    assert (other / "value.npy").stat().st_size == (table / "value.npy").stat().st_size
    shutil.copy(other / "value.npy", table / "value.npy")
    with pytest.raises(TableError, match=r"value.npy in .* is damaged"):
        open_tables(table, equipment=EIGHT_TILES).probe(START)


def test_a_damaged_block_denies_its_own_turns_only(blocks):
    """What lies in sound blocks is answered; one row asked for from the damaged one is not."""
    stored = TurnTable.open(blocks)
    row = stored.rolled.data.nbytes // len(stored.rolled)
    damaged = stored.keys.vector(1, 0) * len(stored.keys.stakes)
    flip(blocks / "rolled.npy", row * (damaged - len(stored.rolled)) + 3)
    lowest = Position((8,), ((), ()), 0, EIGHT_TILES)
    with open_tables(blocks, equipment=EIGHT_TILES) as tables:
        value = tables.probe(START, "", "12345").value
        assert value == pytest.approx(advise(START, "", "12345").value, abs=1e-12)
        assert tables.probe_many(*(column[:1] for column in MANY)).value == value
        for _ in range(2):
            with pytest.raises(TableError, match=r"rolled.npy in .* is damaged"):
                tables.probe(lowest, "", "12345")
            with pytest.raises(TableError, match=r"rolled.npy in .* is damaged"):
                tables.probe_many(*MANY)


def test_threads_that_ask_at_once_get_right_answers(blocks):
    """Blocks are checked by whoever comes first, while others look at them."""
    grills = np.arange(1, 256)
    rolls = np.tile([1, 1, 1, 1, 1, 0], (255, 1))
    nothing = np.zeros_like(grills)
    asked = grills, nothing, nothing, np.zeros_like(rolls), rolls
    with open_tables(blocks, equipment=EIGHT_TILES) as tables:
        expected = tables.probe_many(*asked).value
    for _ in range(5):
        with open_tables(blocks, equipment=EIGHT_TILES) as tables, ThreadPoolExecutor(4) as pool:
            for found in pool.map(lambda _, t=tables: t.probe_many(*asked), range(8)):
                assert np.array_equal(found.value, expected)


@pytest.mark.parametrize(
    ("array", "change"),
    [
        ("value", lambda a: a[:-1]),
        ("rolled", lambda a: a[: len(a) // 2]),
        ("rolled", lambda a: a[:, :-1].copy()),
        ("rolled", lambda a: a.astype("<f4")),
        ("distribution", lambda a: a[:, 1:].copy()),
        ("symbol", lambda a: a[:3]),
        ("symbol", lambda a: a.astype("<i8")),
        ("step", lambda a: a.reshape(-1)),
        ("step", lambda a: a[:0]),
        ("value", lambda a: a[:0]),
    ],
)
def test_crafted_shapes_are_refused_when_a_table_is_opened(table, array, change):
    """An array that is cut, with all that is stated of it computed anew."""
    rewrite(table, change, array, crafted=True)
    with pytest.raises(TableError, match=r"manifest.json in .* is damaged"):
        open_tables(table, equipment=EIGHT_TILES)
    with pytest.raises(TableError, match=r"manifest.json in .* is damaged"):
        TurnTable.open(table)


def test_crafted_shapes_of_games_are_refused(game_tables, tmp_path):
    """Fewer positions than the tiles make."""
    copy = shutil.copytree(game_tables / GAMES[0].name, tmp_path / GAMES[0].name)
    for array in ("value", "deviation"):
        rewrite(copy, lambda a: a[:-1], array, crafted=True)
    with pytest.raises(TableError, match=r"manifest.json in .* is damaged"):
        GameTable.open(copy)


def test_no_crafted_automaton_reads_out_of_bounds(table):
    """Nodes anywhere in 32 bits: from one position and from many an answer or an error."""
    rng = np.random.default_rng(5)
    for largest in (2**31 - 1, 2000, 300, 40):
        rewrite(table, lambda a, n=largest: rng.integers(-1, n, a.shape, dtype=a.dtype), "step")
        tables = open_tables(table, equipment=EIGHT_TILES)
        for grill in range(1, 256):
            tiles = tuple(t for i, t in enumerate(EIGHT_TILES.tiles) if grill >> i & 1)
            for ask, question in (
                (tables.probe_many, ([grill], [0], [0], *(c[:1] for c in MANY[3:]))),
                (tables.probe, (Position(tiles, ((), ()), 0, EIGHT_TILES), "", "12345")),
            ):
                with contextlib.suppress(TableError, MissingTableError):
                    assert -9 <= np.ravel(ask(*question).value)[0] <= 9


@pytest.mark.parametrize("file", ["value.npy", "manifest.json", "manifest.sha256"])
@pytest.mark.parametrize("kind", ["fifo", "zero", "null", "folder"])
def test_what_is_no_file_is_refused_and_not_waited_for(table, pickomino, file, kind):
    """Pipes, devices and folders in the place of a file, by every way to open a table."""
    (table / file).unlink()
    if kind == "fifo":
        os.mkfifo(table / file)
    elif kind == "folder":
        (table / file).mkdir()
    else:
        (table / file).symlink_to(f"/dev/{kind}")
    words = ("best", "--position", str(START), "--tables", table)
    for asked in (words, ("tables", "verify", table), ("tables", "info", table)):
        code, _, err = pickomino(*asked)
        if asked[1] != "info" or file != "value.npy":
            assert code == 2
            assert file in err
