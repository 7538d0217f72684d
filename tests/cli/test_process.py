"""The command as a process: what it loads, reads and writes."""

import errno
import json
import os
import re
import subprocess
import sys

import pytest

from pickomino import Advisor


def test_batch_reads_standard_input():
    """With - as the file."""
    result = subprocess.run(
        [sys.executable, "-m", "pickomino", "best", "--batch", "-"],
        input='{"kept": "2 3 3 4 4 W"}\n',
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(result.stdout)["best"] == {"then": "stop"}


def test_the_cold_path_imports_no_heavy_library():
    """Neither scipy nor numba, nor the rational and batch solvers, for best and odds."""
    code = (
        "import sys\n"
        "from pickomino.cli import run\n"
        "try: run(['best', '--kept', '333', '--roll', '1344W'])\n"
        "except SystemExit: pass\n"
        "heavy = {'scipy', 'numba', 'rich', 'pandas'}\n"
        "heavy |= {'pickomino.turn.rational', 'pickomino.turn.batch'}\n"
        "sys.exit(bool(heavy & set(sys.modules)))\n"
    )
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL).returncode == 0


def test_a_closed_pipe_is_no_traceback():
    """As when the output goes to head."""
    command = f"'{sys.executable}' -m pickomino rules | true"
    result = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert result.stderr == ""


def test_a_full_disk_is_one_sentence():
    """As when the output cannot be written."""
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "pickomino", "odds"]
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 1
    assert result.stderr.startswith("error: the answer cannot be written")
    assert result.stderr.count("\n") == 1


def test_shell_completion_offers_presets():
    """As bash asks for it."""
    result = subprocess.run(
        [sys.executable, "-c", "from pickomino.cli import run; run()"],
        env={
            **os.environ,
            "_PICKOMINO_COMPLETE": "bash_complete",
            "COMP_WORDS": "pickomino best --rules ru",
            "COMP_CWORD": "3",
        },
        capture_output=True,
        text=True,
    )
    assert result.stdout.split() == ["plain,rulebook", "plain,rulebook-short"]


def test_a_second_command_compiles_nothing(tmp_path):
    """Compiled code lies on disk after the first command, and the second adds none."""
    words = [sys.executable, "-m", "pickomino", "game", "value", "--tiles", "21,24", "--json"]
    places = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    code = set()
    for _ in range(2):
        before = code
        subprocess.run(words, check=True, env=places, stdout=subprocess.DEVNULL)
        code = {path for path in tmp_path.rglob("*") if path.suffix == ".nbc"}
        assert code
    assert code == before


@pytest.mark.parametrize("command", ["play", "turn"])
@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_a_conversation_needs_both_streams(command, closed):
    """One sentence, and bad input."""
    line = f"'{sys.executable}' -m pickomino {command} </dev/null {closed}"
    result = subprocess.run(line, shell=True, capture_output=True, text=True)
    assert result.returncode == 2
    assert re.fullmatch("error: standard (in|out)put is closed: use a terminal\n", result.stderr)


def test_a_batch_is_cut_into_lines_alike(tmp_path):
    """A carriage return alone ends one, in a file as on standard input."""
    file = tmp_path / "cr.jsonl"
    file.write_bytes(b'{"kept": "333"}\r{"kept": "33"}\r\n')
    command = [sys.executable, "-m", "pickomino", "best", "--batch"]
    of_file = subprocess.run([*command, str(file)], capture_output=True, check=True)
    of_input = subprocess.run(
        [*command, "-"], input=file.read_bytes(), capture_output=True, check=True
    )
    assert of_file.stdout == of_input.stdout
    assert of_file.stdout.count(b'"then"') == 2


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
        OSError("Could not find/load shared object file 'libllvmlite.so'"),
        ImportError("libgfortran.so: failed to map segment from shared object"),
        RuntimeError("can't start new thread"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_little_memory_is_one_sentence(pickomino, monkeypatch, error):
    """Whatever lacks it: an array, a library or a thread."""

    def fail(*arguments):
        raise error

    monkeypatch.setattr(Advisor, "ask", fail)
    sentence = "error: the memory is not enough for this: ask for less, or free some\n"
    assert pickomino("best", "--own", 25) == (1, "", sentence)
