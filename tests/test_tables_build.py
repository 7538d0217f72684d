"""Building tables: the same bytes anyhow, after any interruption, and nothing half-done."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time

import filelock
import pytest

from pickomino import TableError
from pickomino._storage import jobs as parallel
from pickomino._storage.folders import find_tables, lock_file, removable, remove_tables, work_folder
from pickomino.tables import build as building
from pickomino.tables.build import build_table
from pickomino.tables.spec import Spec
from small_tables import BOX, SPEC, contents


def test_bytes_do_not_depend_on_the_jobs(folder, tmp_path, monkeypatch):
    """One thread or four, one block at a time or sixteen, today or tomorrow."""
    expected = contents(folder / SPEC.name)
    for jobs, step in ((1, 1), (4, 3)):
        monkeypatch.setattr(building, "BLOCKS_A_STEP", step)
        report = build_table(SPEC, tmp_path / str(jobs), jobs=jobs)
        assert contents(report.folder) == expected
        assert os.listdir(report.folder.parent) == [SPEC.name]


@pytest.mark.filterwarnings("ignore")
def test_bytes_do_not_depend_on_the_cluster(folder, tmp_path):
    """A local Dask cluster of two processes builds the same table."""
    distributed = pytest.importorskip("dask.distributed", reason="needs pickomino[cluster]")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        report = build_table(SPEC, tmp_path, scheduler=cluster.scheduler_address)
        assert len(cluster.workers) == 2
    assert contents(report.folder) == contents(folder / SPEC.name)


def test_no_scheduler_is_one_sentence(tmp_path, monkeypatch):
    """An address where nobody listens."""
    pytest.importorskip("dask.distributed", reason="needs pickomino[cluster]")
    monkeypatch.setattr(parallel, "SCHEDULER_TIMEOUT", "1s")
    with pytest.raises(TableError, match=r"no Dask scheduler answers at 'tcp://127\.0\.0\.1:9'"):
        build_table(SPEC, tmp_path, scheduler="tcp://127.0.0.1:9")


def test_a_killed_build_resumes(folder, tmp_path):
    """After SIGKILL the finished blocks are kept, and the table is the same in the end."""
    code = (
        "import sys, time; from pathlib import Path\n"
        "from pickomino.tables import build; from pickomino.tables.spec import Spec\n"
        "from pickomino import Equipment\n"
        "build.BLOCKS_A_STEP = 1; solve = build.solve_block\n"
        "def slow(*a): time.sleep(0.2); return solve(*a)\n"
        "build.solve_block = slow\n"
        f"build.build_table(Spec(equipment=Equipment.parse({str(BOX)!r}), opponents=2), "
        "Path(sys.argv[1]), jobs=1)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)])
    journal = tmp_path / f".{SPEC.name}.building" / "finished.json"
    while not journal.exists() or not json.loads(journal.read_text())["finished"]:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (tmp_path / SPEC.name).exists()
    assert find_tables(tmp_path) == []
    report = build_table(SPEC, tmp_path)
    assert 0 < report.solved < report.turns
    assert contents(report.folder) == contents(folder / SPEC.name)
    assert os.listdir(tmp_path) == [SPEC.name]


def test_an_interrupted_build_leaves_no_table_and_resumes(folder, tmp_path, monkeypatch):
    """Ctrl-C in the middle, then a torn array: solved blocks are kept, or all begins anew."""
    monkeypatch.setattr(building, "BLOCKS_A_STEP", 1)
    solve, calls = building.solve_block, []

    def interrupted(*block):
        calls.append(block)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return solve(*block)

    monkeypatch.setattr(building, "solve_block", interrupted)
    with pytest.raises(KeyboardInterrupt):
        build_table(SPEC, tmp_path, jobs=1)
    assert find_tables(tmp_path) == []
    monkeypatch.setattr(building, "solve_block", solve)
    work = tmp_path / f".{SPEC.name}.building"
    shutil.copytree(work, tmp_path / "copy")
    report = build_table(SPEC, tmp_path)
    assert 0 < report.solved < report.turns
    assert contents(report.folder) == contents(folder / SPEC.name)
    shutil.rmtree(report.folder)
    shutil.move(tmp_path / "copy", work)
    os.truncate(work / "table" / "rolled.npy", 1000)
    assert build_table(SPEC, tmp_path).solved == report.turns
    assert build_table(SPEC, tmp_path).solved == 0


def test_two_builds_at_once_make_one_table(folder, tmp_path):
    """The second waits for the first and finds the table done."""
    reports = []
    threads = [
        threading.Thread(target=lambda: reports.append(build_table(SPEC, tmp_path, progress=False)))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(r.solved for r in reports) == [0, 0, reports[0].turns]
    assert contents(tmp_path / SPEC.name) == contents(folder / SPEC.name)
    assert os.listdir(tmp_path) == [SPEC.name]


def test_disks_that_are_full_or_closed(tmp_path, monkeypatch):
    """Too little space is said before anything is solved; a failing write is one sentence."""
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=1000))
    with pytest.raises(TableError, match=r"the table takes .* GB, but .* has 0.00 GB free"):
        build_table(SPEC, tmp_path)
    assert not (tmp_path / f".{SPEC.name}.building").exists()
    monkeypatch.undo()

    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(building._Build, "_sync", full)
    with pytest.raises(TableError, match="cannot take the table: No space left on device"):
        build_table(SPEC, tmp_path)
    assert find_tables(tmp_path) == []
    (tmp_path / "file").touch()
    with pytest.raises(TableError, match="cannot take the table: File exists"):
        build_table(SPEC, tmp_path / "file")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"opponents": 7}, "7 opponents cannot be tabulated: use 0 to 6"),
        ({"opponents": 1.5}, "1.5 opponents"),
        ({"dtype": "float16"}, "'float16' is no table's dtype: use float64 or float32"),
        ({"objective": "win"}, "win looks beyond the turn"),
        ({"objective": "won"}, "no objective is called 'won'"),
    ],
)
def test_tables_that_cannot_be(fields, message):
    """Refused before a build begins."""
    with pytest.raises(ValueError, match=message):
        Spec(**fields)


def test_a_build_under_way_is_not_removed(tmp_path):
    """What it holds is locked; what a killed one left is removed."""
    work = work_folder(tmp_path, SPEC.name)
    work.mkdir()
    lock = filelock.FileLock(lock_file(tmp_path, SPEC.name))
    with lock, pytest.raises(TableError, match="is being built: stop that build"):
        remove_tables(removable(tmp_path))
    remove_tables(removable(tmp_path))
    assert list(tmp_path.iterdir()) == []
