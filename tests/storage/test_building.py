"""One build at a time, and a disk that takes it or not."""

import os
import shutil
import threading

import pytest

from pickomino import TableError
from pickomino._storage.folders import find_tables, removable, remove_tables
from pickomino.tables.build import build_turns
from pickomino.tables.spec import TurnSpec
from samples import SPEC, contents


def test_two_builds_at_once_make_one_table(turn_tables, tmp_path):
    """The second waits for the first and finds the table done."""
    reports = []
    threads = [
        threading.Thread(target=lambda: reports.append(build_turns(SPEC, tmp_path, progress=False)))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(r.solved for r in reports) == [0, 0, reports[0].rows]
    assert contents(tmp_path / SPEC.name) == contents(turn_tables / SPEC.name)
    assert os.listdir(tmp_path) == [SPEC.name]


def test_disks_that_are_full_or_closed(tmp_path, monkeypatch):
    """Too little space is said before anything is solved; a failing write is one sentence."""
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=1000))
    with pytest.raises(
        TableError, match=r"the table takes 7\.93 MB, but .* has 1 kB free: .* with out="
    ):
        build_turns(SPEC, tmp_path)
    assert not (tmp_path / f".{SPEC.name}.building").exists()
    monkeypatch.undo()

    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(TableError, match="cannot take the table: No space left on device"):
        build_turns(SPEC, tmp_path)
    assert find_tables(tmp_path) == []
    (tmp_path / "file").touch()
    with pytest.raises(TableError, match="cannot take the table: File exists"):
        build_turns(SPEC, tmp_path / "file")


def test_a_damaged_table_is_not_built_already(table):
    """Building in its place says to remove it; after that it builds."""
    (table / "manifest.json").write_text("{}")
    with pytest.raises(TableError, match="is damaged: remove the table"):
        build_turns(SPEC, table.parent)
    remove_tables(removable(table.parent), TurnSpec.all_arrays)
    assert build_turns(SPEC, table.parent).solved > 0
