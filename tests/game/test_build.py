"""Building game tables: the same bytes anyhow, after any interruption, and what does not fit."""

import json
import math
import os
import shutil
from dataclasses import replace
from itertools import count

import numpy as np
import psutil
import pytest

from pickomino import Equipment, Rules, TableError
from pickomino.game.build import build_game
from pickomino.game.spec import GameSpec
from pickomino.game.verify import verify_game
from samples import FOUR_TILES, GAMES, contents, run_until_killed


def test_bytes_do_not_depend_on_the_jobs(game_tables, tmp_path):
    """One thread or two."""
    build_game(GAMES[0], tmp_path, jobs=1)
    assert contents(tmp_path / GAMES[0].name) == contents(game_tables / GAMES[0].name)


@pytest.mark.filterwarnings("ignore")
def test_bytes_do_not_depend_on_the_cluster(tmp_path, monkeypatch):
    """A local Dask cluster of two processes builds the same table."""
    from pickomino.game import listing as graph

    distributed = pytest.importorskip("dask.distributed", reason="needs pickomino[cluster]")
    monkeypatch.setattr(graph, "BLOCK", 16)
    spec = replace(GAMES[0], rules=Rules.preset("tag"))
    here = build_game(spec, tmp_path / "here")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        there = build_game(spec, tmp_path / "there", scheduler=cluster.scheduler_address)
        assert len(cluster.workers) == 2
    assert contents(there.folder) == contents(here.folder)


def test_a_killed_build_resumes(game_tables, tmp_path):
    """After SIGKILL the finished levels are kept, and the table is the same in the end."""
    program = f"""
from pathlib import Path
from pickomino import Equipment, Rules
from pickomino.game.build import build_game
from pickomino.game.spec import GameSpec
spec = GameSpec(Rules(), Equipment.parse({str(FOUR_TILES)!r}), "margin")
build_game(spec, Path({str(tmp_path)!r}), jobs=1)
"""
    run_until_killed(program, write=8)  # the journal after the fourth level
    journal = tmp_path / f".{GAMES[0].name}.building" / "finished.json"
    assert len(json.loads(journal.read_text())["finished"]) == 3
    assert not (tmp_path / GAMES[0].name).exists()
    report = build_game(GAMES[0], tmp_path)
    assert 0 < report.solved < report.rows == GAMES[0].ranking.states
    assert contents(report.folder) == contents(game_tables / GAMES[0].name)
    assert build_game(GAMES[0], tmp_path).solved == 0
    assert [path.name for path in tmp_path.iterdir()] == [GAMES[0].name]


@pytest.mark.parametrize(
    "damage",
    [
        "short",
        "empty",
        "gone",
        "shape",
        "changed",
        "journal",
        "residual",
        "endless",
        "pipe",
        "link",
    ],
)
def test_a_damaged_rest_is_solved_again(game_tables, tmp_path, damage):
    """Whatever an interrupted build left: what is not sound is solved again, to the same bytes."""

    class StoppedError(Exception):
        """Stands for a kill."""

    spec, fsync, writes = GAMES[0], os.fsync, count(1)

    def stop(handle):
        if next(writes) > 8:  # a file and the journal for each of four levels
            raise StoppedError
        fsync(handle)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", stop)
        with pytest.raises(StoppedError):
            build_game(spec, tmp_path)
    work = tmp_path / f".{spec.name}.building"
    first, journal = work / "part-00000.npy", work / "finished.json"
    if damage == "short":
        first.write_bytes(first.read_bytes()[:50])
    elif damage == "empty":
        first.write_bytes(b"")
    elif damage == "gone":
        first.unlink()
    elif damage == "shape":
        np.save(first, np.zeros((4, 0)))
    elif damage == "changed":  # numbers that could be, under checksums of their own
        np.save(first, np.load(first) + 1)
    elif damage == "journal":
        journal.write_text('"abc"')
    elif damage == "residual":
        stated = json.loads(journal.read_text())
        stated["finished"][0][1] = 7e-15
        journal.write_text(json.dumps(stated))
    elif damage == "endless":
        stated = json.loads(journal.read_text())
        stated["finished"][0][0] = math.inf
        journal.write_text(json.dumps(stated))
    elif damage == "pipe":
        journal.unlink()
        os.mkfifo(journal)
    else:
        first.rename(tmp_path / "elsewhere")
        first.symlink_to(tmp_path / "elsewhere")
    report = build_game(spec, tmp_path)
    assert report.solved == report.rows
    assert contents(report.folder) == contents(game_tables / spec.name)


def test_a_file_of_others_is_no_rest(tmp_path):
    """It is refused, not removed."""
    work = tmp_path / f".{GAMES[0].name}.building"
    work.write_text("thesis")
    with pytest.raises(TableError, match="is no folder of a build: move it elsewhere first"):
        build_game(GAMES[0], tmp_path)
    assert work.read_text() == "thesis"


def test_another_table_under_the_name_is_refused(game_tables, tmp_path):
    """As nothing would find it, whatever is built again."""
    shutil.copytree(game_tables / GAMES[0].name, tmp_path / GAMES[2].name)
    with pytest.raises(TableError, match="holds another table than its name says"):
        build_game(GAMES[2], tmp_path)


def test_wide_bounds_are_stated(tmp_path):
    """Where both pass nearly for ever, rounding adds up: the table says so, and is sound."""
    spec = GameSpec("rulebook", Equipment(8, (21, 40), (1, 1)), "margin")
    report = build_game(spec, tmp_path)
    assert verify_game(report.folder, sample=100).manifest["bound"] < 1e-6
    large = GameSpec("rulebook", Equipment(3, (7, 9), (1000, 1000)), "margin", 1)
    verify_game(build_game(large, tmp_path).folder, sample=100)


def test_what_does_not_fit_is_refused(tmp_path, monkeypatch):
    """Memory and disk are looked at before any work."""
    whole = GameSpec()
    with pytest.raises(TableError, match=r"positions take some .* GB of memory, but .* are free"):
        build_game(whole, tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(psutil, "virtual_memory", lambda: type("Free", (), {"available": 10**8}))
        with pytest.raises(TableError, match=r"take some 150 MB of memory, but 100 MB are free"):
            build_game(GAMES[0], tmp_path)
    assert list(tmp_path.iterdir()) == []
