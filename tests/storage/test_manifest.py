"""Files that are not as their manifest says are refused with the fix."""

import os

import numpy as np
import pytest

from pickomino import Position, TableError, open_tables
from pickomino.tables.verify import verify_turns
from samples import EIGHT_TILES, rewrite


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
            lambda t: rewrite(t, lambda m: m.update(format=1)),
            "has format 1, but this version reads 2: remove it",
        ),
        (
            lambda t: rewrite(t, lambda a: a.astype(">f8"), "rolled"),
            "rolled.npy in .* has a foreign byte order: remove the table with pickomino tables",
        ),
        (
            lambda t: rewrite(t, lambda a: a.astype("<f4"), "rolled"),
            "(rolled.npy|manifest.json) in .* is damaged",
        ),
        (lambda t: rewrite(t, lambda a: a[:-1], "rolled"), "(rolled.npy|manifest.json) in"),
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
        open_tables(table, equipment=EIGHT_TILES).probe(
            Position.start(2, equipment=EIGHT_TILES), "", "12345"
        )
    with pytest.raises(TableError, match=message):
        verify_turns(table, sample=0)


def test_strange_files_do_not_verify(table):
    """Nothing but the table is in its folder."""
    (table / "notes.txt").touch()
    with pytest.raises(TableError, match=r"notes.txt in .* is no part of the table: remove it"):
        verify_turns(table, sample=0)
