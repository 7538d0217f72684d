"""Building tables: the same bytes anyhow, and after any interruption."""

import json
import os
import shutil
from unittest.mock import ANY

import numpy as np
import pytest

from pickomino._storage.folders import find_tables
from pickomino.tables import build as building
from pickomino.tables.build import build_turns
from samples import EIGHT_TILES, SPEC, contents, run_until_killed


def test_bytes_do_not_depend_on_the_jobs(turn_tables, tmp_path, monkeypatch):
    """One thread or four, one block at a time or sixteen, today or tomorrow."""
    expected = contents(turn_tables / SPEC.name)
    for jobs, step in ((1, 1), (4, 3)):
        monkeypatch.setattr(building, "BLOCKS_A_STEP", step)
        report = build_turns(SPEC, tmp_path / str(jobs), jobs=jobs)
        assert contents(report.folder) == expected
        assert os.listdir(report.folder.parent) == [SPEC.name]


@pytest.mark.filterwarnings("ignore")
def test_bytes_do_not_depend_on_the_cluster(turn_tables, tmp_path):
    """A local Dask cluster of two processes builds the same table."""
    distributed = pytest.importorskip("dask.distributed", reason="needs pickomino[cluster]")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        report = build_turns(SPEC, tmp_path, scheduler=cluster.scheduler_address)
        assert len(cluster.workers) == 2
    assert contents(report.folder) == contents(turn_tables / SPEC.name)


def test_a_killed_build_resumes(turn_tables, tmp_path):
    """After SIGKILL the finished blocks are kept, and the table is the same in the end."""
    program = f"""
from pathlib import Path
from pickomino import Equipment
from pickomino.tables import build
from pickomino.tables.spec import TurnSpec
build.BLOCKS_A_STEP = 1
spec = TurnSpec(equipment=Equipment.parse({str(EIGHT_TILES)!r}), opponents=2)
build.build_turns(spec, Path({str(tmp_path)!r}), jobs=1)
"""
    run_until_killed(program, write=12)  # the journal after the second step, behind five arrays
    journal = tmp_path / f".{SPEC.name}.building" / "finished.json"
    assert json.loads(journal.read_text())["finished"] == [[ANY, 0]]  # its checksum, and its number
    assert not (tmp_path / SPEC.name).exists()
    assert find_tables(tmp_path) == []
    report = build_turns(SPEC, tmp_path)
    assert 0 < report.solved < report.rows
    assert contents(report.folder) == contents(turn_tables / SPEC.name)
    assert os.listdir(tmp_path) == [SPEC.name]


def interrupt_a_build(monkeypatch, out):
    """Build until the third block, as Ctrl-C would have it; two are finished then."""
    solve, calls = building.solve_block, []

    def interrupted(*block):
        calls.append(block)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return solve(*block)

    with monkeypatch.context() as patch:
        patch.setattr(building, "BLOCKS_A_STEP", 1)
        patch.setattr(building, "solve_block", interrupted)
        with pytest.raises(KeyboardInterrupt):
            build_turns(SPEC, out, jobs=1)


def test_an_interrupted_build_leaves_no_table_and_resumes(turn_tables, tmp_path, monkeypatch):
    """Ctrl-C in the middle, then a torn array: solved blocks are kept, or all begins anew."""
    interrupt_a_build(monkeypatch, tmp_path)
    assert find_tables(tmp_path) == []
    work = tmp_path / f".{SPEC.name}.building"
    shutil.copytree(work, tmp_path / "copy")
    report = build_turns(SPEC, tmp_path)
    assert 0 < report.solved < report.rows
    assert contents(report.folder) == contents(turn_tables / SPEC.name)
    shutil.rmtree(report.folder)
    shutil.move(tmp_path / "copy", work)
    os.truncate(work / "table" / "rolled.npy", 1000)
    assert build_turns(SPEC, tmp_path).solved == report.rows
    assert build_turns(SPEC, tmp_path).solved == 0


@pytest.mark.parametrize("array", ["value", "distribution", "rolled", "step", "symbol"])
def test_rows_changed_in_an_unfinished_build_are_solved_again(
    turn_tables, tmp_path, monkeypatch, array
):
    """What is finished has a checksum in the journal; the end certifies nothing else."""
    interrupt_a_build(monkeypatch, tmp_path)
    file = tmp_path / f".{SPEC.name}.building" / "table" / f"{array}.npy"
    rows = np.load(file)
    rows.reshape(-1)[5] += 1
    np.save(file, rows)
    report = build_turns(SPEC, tmp_path)
    assert contents(report.folder) == contents(turn_tables / SPEC.name)
    stakes = len(SPEC.scale.stakes)
    block = building.BLOCK_TURNS // stakes * stakes
    kept = 2 if array in ("step", "symbol") else 1  # those are written anew each time
    assert report.solved == report.rows - kept * block


@pytest.mark.parametrize("array", ["value", "distribution", "step"])
def test_headers_changed_in_an_unfinished_build_are_made_anew(
    turn_tables, tmp_path, monkeypatch, array
):
    """As no checksum covers them, they are compared."""
    interrupt_a_build(monkeypatch, tmp_path)
    file = tmp_path / f".{SPEC.name}.building" / "table" / f"{array}.npy"
    content = bytearray(file.read_bytes())
    content[1] ^= 1
    file.write_bytes(content)
    report = build_turns(SPEC, tmp_path)
    assert contents(report.folder) == contents(turn_tables / SPEC.name)
