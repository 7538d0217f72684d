"""The commands about tables, the shipped ones, and answers that come from them."""

import json
import sys

import pytest

from pickomino import STANDARD, Position, Rules, advise, open_tables
from pickomino._storage.folders import find_tables, shipped_folder
from pickomino.cli import run
from pickomino.tables.spec import Spec
from pickomino.tables.verify import verify_table
from small_tables import BOX


def test_the_shipped_tables_are_sound_and_small():
    """They are found from a checkout and from a wheel, and hold every grill and stake."""
    shipped = find_tables(shipped_folder())
    assert shipped
    for place in shipped:
        table = verify_table(place, sample=1)
        assert table.spec.equipment == STANDARD
    size = sum(f.stat().st_size for f in shipped_folder().rglob("*") if f.is_file())
    assert size < 3_000_000
    value = open_tables().probe(Position.parse("31,33 25 1")).value
    assert value == pytest.approx(advise(Position.parse("31,33 25 1")).value, abs=1e-12)


@pytest.fixture
def pickomino(capsys):
    """Run a command; its exit code, output and errors."""

    def call(*arguments):
        with pytest.raises(SystemExit) as stop:
            run([str(a) for a in arguments])
        captured = capsys.readouterr()
        return stop.value.code or 0, captured.out, captured.err

    return call


def test_commands_from_build_to_remove(pickomino, tmp_path):
    """Build says size and rate, info lists, verify is sound, remove asks and removes."""
    options = ["--equipment", BOX, "--rules", "bga", "--objective", "swing"]
    code, out, err = pickomino("tables", "build", *options, "--out", tmp_path)
    assert (code, out.strip()) == (0, str(tmp_path / Spec(Rules.preset("bga"), BOX, "swing").name))
    assert "on disk" in err.splitlines()[0]
    assert "a second" in err
    assert "built already" in pickomino("tables", "build", *options, "--out", tmp_path)[2]
    code, out, _ = pickomino("tables", "info", tmp_path)
    assert "finnish,steal=mandatory" in out
    listed = json.loads(pickomino("tables", "info", tmp_path, "--json")[1])
    assert listed[0]["table"]["objective"] == "swing"
    assert pickomino("tables", "verify", tmp_path) == (0, f"{listed[0]['folder']}: sound\n", "")
    with (tmp_path / listed[0]["table"]["objective"]).open("w"):
        pass
    array = next(tmp_path.glob("*/rolled.npy"))
    whole = bytearray(array.read_bytes())
    whole[-5] ^= 4
    array.write_bytes(whole)
    code, out, err = pickomino("tables", "verify", tmp_path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "rolled.npy" in err
    assert pickomino("tables", "remove", tmp_path, "--yes")[0] == 0
    assert not list(tmp_path.glob("*/")) or not any(p.is_dir() for p in tmp_path.iterdir())
    code, _, err = pickomino("tables", "verify", tmp_path)
    assert (code, "no table is in" in err) == (2, True)


def test_best_and_odds_say_where_the_answer_is_from(pickomino, folder, monkeypatch):
    """A table that fits is used, with the same numbers; else the solver; exact never is a table."""
    from pickomino._words import question

    commands = [
        ["best", "--equipment", BOX, "--roll", "12345"],
        ["best", "--equipment", BOX, "--kept", "5 W"],
        ["odds", "--equipment", BOX, "--kept", "5 W", "--opponent", "22"],
    ]
    answers = []
    for place in (folder, "/nowhere"):
        monkeypatch.setenv("PICKOMINO_TABLES", str(place))
        question._tables.cache_clear()
        answers.append([json.loads(pickomino(*c, "--json")[1]) for c in commands])
    question._tables.cache_clear()
    for ours, fresh in zip(*answers, strict=True):
        assert (ours.pop("source"), fresh.pop("source")) == ("table", "solver")
        assert_close(ours, fresh)


def assert_close(ours, theirs):
    """JSON values that are equal but for the last digits of floats."""
    if isinstance(theirs, dict):
        assert list(ours) == list(theirs)
        for key in theirs:
            assert_close(ours[key], theirs[key])
    elif isinstance(theirs, list):
        assert len(ours) == len(theirs)
        for one, other in zip(ours, theirs, strict=True):
            assert_close(one, other)
    elif isinstance(theirs, float):
        assert ours == pytest.approx(theirs, abs=1e-12)
    else:
        assert ours == theirs


@pytest.mark.parametrize("file", ["manifest.json", "rolled.npy"])
def test_a_damaged_table_is_reported_and_the_answer_solved(pickomino, table, monkeypatch, file):
    """The default place may hold a damaged table; the command still answers."""
    from pickomino._words import question

    monkeypatch.setenv("PICKOMINO_TABLES", str(table.parent))
    question._tables.cache_clear()
    (table / file).write_text("{}")
    code, out, err = pickomino("best", "--equipment", BOX, "--roll", "12345", "--json")
    question._tables.cache_clear()
    assert (code, json.loads(out)["source"]) == (0, "solver")
    assert err.startswith(f"warning: {file} in")


def test_sets_too_large_for_tables_are_solved(pickomino):
    """Seventeen tiles are more than a table takes, and nothing to the solver."""
    code, out, err = pickomino("best", "--equipment", "8d:20-36x1", "--kept", "W", "--json")
    assert (code, err, json.loads(out)["source"]) == (0, "", "solver")


def test_ctrl_c_in_a_terminal_stops_a_build_cleanly(tmp_path):
    """A progress bar with an estimate; then one sentence, exit code 130, and no table."""
    pexpect = pytest.importorskip("pexpect", reason="a pseudo-terminal needs a POSIX system")
    command = ["-m", "pickomino", "tables", "build", "--opponents", "3", "--out", str(tmp_path)]
    child = pexpect.spawn(sys.executable, command, encoding="utf-8", timeout=120)
    child.setwinsize(20, 160)
    child.expect_exact("184,100 turns, 1.96 GB on disk")
    child.expect(r"\d+%\|.*\[\d+:\d+<\d+:\d+")
    child.sendintr()
    child.expect_exact("interrupted: the same command goes on from here")
    child.expect(pexpect.EOF)
    child.wait()
    assert (child.exitstatus, "Traceback" in child.before) == (130, False)
    assert find_tables(tmp_path) == []
