"""Where work is done: threads, or a cluster that answers."""

import pytest

from pickomino import TableError
from pickomino._runtime import jobs as parallel
from pickomino.tables.build import build_turns
from samples import SPEC


def test_no_scheduler_is_one_sentence(tmp_path, monkeypatch):
    """An address where nobody listens."""
    pytest.importorskip("dask.distributed", reason="needs pickomino[cluster]")
    monkeypatch.setattr(parallel, "SCHEDULER_TIMEOUT", "1s")
    with pytest.raises(TableError, match=r"no Dask scheduler answers at 'tcp://127\.0\.0\.1:9'"):
        build_turns(SPEC, tmp_path, scheduler="tcp://127.0.0.1:9")
