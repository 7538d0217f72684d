"""Where work is done: threads, or a cluster that answers."""

import io
import sys
import time

import pytest

from pickomino import TableError
from pickomino._runtime import jobs, streams
from pickomino.tables.build import build_turns
from samples import SPEC


def test_no_scheduler_is_one_sentence(tmp_path, monkeypatch):
    """An address where nobody listens."""
    pytest.importorskip("dask.distributed", reason="needs pickomino[cluster]")
    monkeypatch.setattr(jobs, "SCHEDULER_TIMEOUT", "1s")
    with pytest.raises(TableError, match=r"no Dask scheduler answers at 'tcp://127\.0\.0\.1:9'"):
        build_turns(SPEC, tmp_path, scheduler="tcp://127.0.0.1:9")


def test_without_a_terminal_progress_is_a_line_now_and_then(monkeypatch):
    """Lines that end, none of them before its time; and nothing unless asked for."""
    shown = io.StringIO()
    monkeypatch.setattr(sys, "stderr", shown)
    for wanted, seconds, lines in ((True, 0.0, 4), (True, 60.0, 0), (False, 0.0, 0)):
        shown.truncate(0)
        shown.seek(0)
        monkeypatch.setattr(jobs, "LINE_SECONDS", seconds)
        with jobs.progress_bar("solve", 3, wanted) as bar:
            for _ in range(3):
                bar.update()
        text = shown.getvalue()
        assert "\r" not in text
        assert len(text.splitlines()) in (lines, lines + 1)
        assert lines == 0 or "3/3" in text.splitlines()[-1]


def test_who_waits_is_told_what_for_once(monkeypatch):
    """After a moment, if somebody wants to be told, and not again."""
    shown = io.StringIO()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setattr(streams, "PATIENCE", 0.05)
    with streams.waiting("counting, for nobody"):
        time.sleep(0.2)
    with streams.told():
        for pause in (0.0, 0.2, 0.2):
            with streams.waiting("counting, once"):
                time.sleep(pause)
    assert shown.getvalue() == "counting, once ...\n"


def test_jobs_are_no_more_than_cores_and_tasks(monkeypatch):
    """Whatever is asked for; and fewer than one are refused."""
    monkeypatch.setattr(jobs, "cores", lambda: 4)
    asked = {(10000, 3): 3, (10000, 9): 4, (-1, 9): 4, (2, 9): 2, (-1, 0): 1, (1, 9): 1}
    assert {given: jobs._how_many(*given, TableError) for given in asked} == asked
    for wrong in (0, -2, 1.0, True, None):
        with pytest.raises(TableError, match="does no work: use a whole number from 1"):
            jobs._how_many(wrong, 5, TableError)
