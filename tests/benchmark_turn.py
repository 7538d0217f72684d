"""The cases of scripts/benchmark.py for pytest-benchmark; not collected unless named.

sh scripts/test -n 0 tests/benchmark_turn.py
"""

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "scripts" / "benchmark.py"
spec = importlib.util.spec_from_file_location("benchmark", SCRIPT)
script = importlib.util.module_from_spec(spec)
spec.loader.exec_module(script)


@pytest.mark.parametrize("name", script.cases())
def test_solve(benchmark, name):
    """Seconds a call; divide by the turns that it solves."""
    call, turns = script.cases()[name]
    benchmark.extra_info["turns"] = turns
    benchmark(call)
