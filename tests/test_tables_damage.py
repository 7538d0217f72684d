"""Damaged tables are refused with the fix, and removal takes nothing else."""

import contextlib
import hashlib
import json
import os
from pathlib import Path

import numpy as np
import pytest

from pickomino import MissingTableError, Position, TableError, open_tables
from pickomino._storage.folders import removable, remove_tables, shipped_folder
from pickomino.tables.build import build_table
from pickomino.tables.verify import verify_table
from small_tables import BOX, SPEC, contents


def test_a_sound_table_verifies(table):
    """Checksums, shapes, automaton, and turns solved again in rationals."""
    assert verify_table(table).spec == SPEC


def test_no_flipped_byte_passes_verification(table):
    """Bytes all over the folder, one at a time: every one is found by the checksums.

    What is probed meanwhile is an answer or a TableError, from one position or from many.
    """
    rng = np.random.default_rng(11)
    rows = ([1, 255], [0, 0], [0, 0], [[0] * 6] * 2, [[5, 0, 0, 0, 0, 0]] * 2)
    for path in sorted(table.iterdir()):
        whole = path.read_bytes()
        places = range(len(whole)) if len(whole) < 100 else rng.integers(0, len(whole), 60)
        for at in [*places, *range(min(128, len(whole)))]:
            damaged = bytearray(whole)
            damaged[at] ^= 1 << int(rng.integers(8))
            path.write_bytes(damaged)
            with pytest.raises(TableError):
                verify_table(table, sample=0)
            with contextlib.suppress(TableError, MissingTableError):
                tables = open_tables(table, equipment=BOX)
                tables.probe(Position.start(2, BOX), "", "12345")
                tables.probe_many(*rows)
        path.write_bytes(whole)
    verify_table(table, sample=0)


def rewrite(table, change, array=None):
    """Change the manifest, or an array with its checksum, so that only a closer look finds it."""
    manifest = json.loads((table / "manifest.json").read_text())
    if array is not None:
        path = table / f"{array}.npy"
        values = change(np.load(path))
        np.save(path, values)
        fields = manifest["files"][path.name]
        fields["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
        fields["bytes"] = path.stat().st_size
    else:
        change(manifest)
    raw = (json.dumps(manifest, indent=1) + "\n").encode()
    (table / "manifest.json").write_bytes(raw)
    check = f"{hashlib.sha256(raw).hexdigest()}  manifest.json\n"
    (table / "manifest.sha256").write_text(check)


def test_wrong_numbers_under_right_checksums_do_not_verify(table):
    """A table with plausible but wrong values is found by solving a sample again."""
    rewrite(table, lambda values: values + 1e-9, "value")
    with pytest.raises(TableError, match=r"is off by 1.0e-09, more than the stated"):
        verify_table(table)


@pytest.mark.parametrize("array", ["value", "distribution", "rolled"])
def test_numbers_that_are_none_do_not_verify(table, array):
    """NaN compares with nothing, so it is looked for."""
    rewrite(table, lambda values: values * np.nan, array)
    with pytest.raises(TableError, match=f"{array}.npy .* is damaged"):
        verify_table(table, sample=0)


def test_a_damaged_table_is_not_built_already(table):
    """Building in its place says to remove it; after that it builds."""
    (table / "manifest.json").write_text("{}")
    with pytest.raises(TableError, match="is damaged: remove the table"):
        build_table(SPEC, table.parent)
    remove_tables(removable(table.parent))
    assert build_table(SPEC, table.parent).solved > 0


def test_removal_leaves_what_is_no_table(table, monkeypatch):
    """Foreign folders stay, a table with foreign files is refused, links go and not their goal."""
    home = table.parent
    for name, file in (("mine", "x.npy"), ("more", "manifest.json")):
        (home / name).mkdir()
        (home / name / file).write_text("precious")
    link = home / "copy_k0_float64"
    link.symlink_to(home / "mine")
    assert removable(home) == [link, table]
    remove_tables([link])
    (table / "thesis.txt").write_text("precious")
    with pytest.raises(TableError, match=r"thesis\.txt is no part of a table: move it"):
        remove_tables([table])
    assert len(contents(table)) == 8
    (table / "thesis.txt").unlink()
    monkeypatch.chdir(table)
    remove_tables(removable(Path(".")))
    assert sorted(p.name for p in home.iterdir()) == ["mine", "more"]
    assert open_tables(shipped_folder()).tables


def test_a_wrong_automaton_does_not_verify(table):
    """The arrays that find a turn are made anew and compared."""
    rewrite(table, lambda symbols: symbols[::-1].copy(), "symbol")
    with pytest.raises(TableError, match=r"symbol.npy .* is damaged"):
        verify_table(table, sample=0)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda t: (t / "manifest.json").unlink(), "no readable manifest.json, so it is no table"),
        (lambda t: (t / "manifest.sha256").unlink(), "no readable manifest.sha256"),
        (lambda t: (t / "manifest.json").write_text("{}"), "manifest.json in .* is damaged"),
        (lambda t: (t / "manifest.json").write_text("[" * 9999), "manifest.json .* is damaged"),
        (lambda t: os.truncate(t / "rolled.npy", 5000), r"rolled.npy in .* is damaged: remove"),
        (lambda t: (t / "rolled.npy").unlink(), "rolled.npy in .* is damaged"),
        (lambda t: (t / "rolled.npy").write_bytes(b""), "rolled.npy in .* is damaged"),
        (
            lambda t: rewrite(t, lambda m: m.update(format=2)),
            "has format 2, but this version reads 1: remove it",
        ),
        (
            lambda t: rewrite(t, lambda a: a.astype(">f8"), "rolled"),
            "rolled.npy in .* has a foreign byte order: remove the table with pickomino tables",
        ),
        (
            lambda t: rewrite(t, lambda a: a.astype("<f4"), "rolled"),
            "rolled.npy in .* is damaged",
        ),
        (lambda t: rewrite(t, lambda a: a[:-1], "rolled"), "rolled.npy in .* is damaged"),
        (lambda t: rewrite(t, np.asfortranarray, "rolled"), "rolled.npy in .* is damaged"),
        (lambda t: rewrite(t, lambda a: a + 10**6, "step"), "step.npy in .* is damaged"),
        (lambda t: rewrite(t, lambda a: a | 255, "symbol"), "symbol.npy in .* is damaged"),
        (lambda t: rewrite(t, lambda m: m.update(format=None)), "manifest.json in .* is damaged"),
        (lambda t: rewrite(t, lambda m: m.update(format=True)), "manifest.json in .* is damaged"),
        (lambda t: rewrite(t, lambda m: m.update(bound=1)), "manifest.json in .* is damaged"),
        (lambda t: rewrite(t, lambda m: m.pop("files")), "manifest.json in .* is damaged"),
        (lambda t: rewrite(t, lambda m: m.update(files=[])), "manifest.json in .* is damaged"),
        (lambda t: rewrite(t, lambda m: m["table"].update(rules=5)), "manifest.json in .* is"),
        (
            lambda t: rewrite(t, lambda m: m["files"]["step.npy"].update(dtype="rubbish")),
            "manifest.json in .* is damaged",
        ),
    ],
)
def test_damaged_tables_are_refused_with_the_fix(table, damage, message):
    """Truncated, foreign, of another version, or without a manifest: a typed error on probing."""
    damage(table)
    with pytest.raises(TableError, match=message):
        open_tables(table, equipment=BOX).probe(Position.start(2, BOX), "", "12345")
    with pytest.raises(TableError):
        verify_table(table, sample=0)


def test_strange_files_do_not_verify(table):
    """Nothing but the table is in its folder."""
    (table / "notes.txt").touch()
    with pytest.raises(TableError, match=r"notes.txt in .* is no part of the table: remove it"):
        verify_table(table, sample=0)
