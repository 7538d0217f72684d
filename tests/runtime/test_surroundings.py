"""Closed streams, no home, no room, broken caches, signals: the main job goes on, or says why."""

import contextlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

import pickomino
from pickomino import TableError, build_game, build_turns, play_match
from pickomino._runtime import limits
from pickomino._runtime.files import replace_file
from pickomino._storage import folders
from samples import GAMES, SPEC, contents

COMMAND = (sys.executable, "-m", "pickomino")
ENDING = ("--position", "21,22 -/30 1", "--objective", "win")
GAME = ("game", "value", "--tiles", "21-23")


def run(*words, shell="", env=None, timeout=120, **settings):
    """Run the command, its streams redirected as a shell does."""
    line = ("sh", "-c", f'exec "$@" {shell}', "sh", *COMMAND, *map(str, words))
    return subprocess.run(
        line,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **(env or {})},
        timeout=timeout,
        **settings,
    )


@pytest.mark.parametrize("stderr", ["2>&-", "2>/dev/full"])
def test_nothing_that_is_said_matters_to_the_answer(tmp_path, stderr):
    """Standard error closed or full: the same answers and exit codes, and nothing left behind."""
    for words in (
        ("match", "worms", "cautious", "--games", 20, "--jobs", 2),
        ("best", "--roll", "1 3 4 4 W W 2 2"),
        GAME,
    ):
        plain, other = run(*words), run(*words, shell=stderr)
        assert (other.returncode, other.stdout) == (plain.returncode, plain.stdout) != (0, "")
    assert run("best", "--kept", "9", shell=stderr).returncode == 2
    built = run("tables", "build", "--tiles", "21-22", "--objective", "win", "--out", tmp_path,
                shell=stderr)  # fmt: skip
    assert built.returncode == 0
    assert os.listdir(tmp_path) == [Path(built.stdout.strip()).name]


def test_warnings_stand_in_front_of_no_json(tmp_path):
    """With standard error closed, a damaged table that is not needed leaves the answer alone."""
    folder = build_game(GAMES[2], tmp_path).folder
    (folder / "manifest.json").write_text("{}")
    place = {"PICKOMINO_TABLES": str(tmp_path)}
    words = ("best", "--position", f"9 -/10 1 {GAMES[2].equipment}", "--objective", "win", "--json")
    told = run(*words, env=place)
    assert told.stderr.startswith("warning: manifest.json in")
    assert json.loads(run(*words, shell="2>&-", env=place).stdout) == json.loads(told.stdout)


@pytest.mark.parametrize("stream", [None, open(os.devnull)])  # noqa: SIM115
def test_the_library_needs_no_standard_error(monkeypatch, tmp_path, stream):
    """None, as under pythonw, or one that takes no text: progress is shown nowhere."""
    monkeypatch.setattr(sys, "stderr", stream)
    assert play_match(["worms", "cautious"], 8, jobs=1, progress=True).games == 8
    assert build_turns(SPEC, tmp_path, progress=True).solved


@pytest.fixture(scope="module")
def frozen_install(tmp_path_factory):
    """The package where nothing can be written beside it, not even by root."""
    place = tmp_path_factory.mktemp("install")
    shutil.copytree(
        Path(pickomino.__file__).parent,
        place / "pickomino",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    for folder in (place / "pickomino").glob("**/"):
        if folder.name != "_tables":
            (folder / "__pycache__").touch()  # a file where the folder would be
    return place


def test_without_a_place_for_compiled_code_it_is_compiled_in_memory(frozen_install, tmp_path):
    """An installation and a home that cannot be written: one line, and the answer."""
    (tmp_path / "home").touch()
    homeless = {"PYTHONPATH": str(frozen_install), "HOME": str(tmp_path / "home")}
    homeless |= {"XDG_CACHE_HOME": str(tmp_path / "home"), "PYTHONDONTWRITEBYTECODE": "1"}
    plain, other = run("best", *ENDING), run("best", *ENDING, env=homeless, cwd=tmp_path)
    assert (other.returncode, other.stdout) == (0, plain.stdout)
    assert "note: there is no place to keep compiled code: set NUMBA_CACHE_DIR" in other.stderr
    assert "Traceback" not in other.stderr
    assert run("tables", "info", env=homeless, cwd=tmp_path).returncode == 0
    assert os.listdir(tmp_path) == ["home"]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become a user that does not exist")
def test_a_user_without_a_home_is_served(frozen_install, tmp_path):
    """Neither HOME nor a user known by the number: what is optional is left out."""
    env = {k: v for k, v in os.environ.items() if k not in ("HOME", "XDG_CACHE_HOME")}
    env |= {"PYTHONPATH": str(frozen_install), "PYTHONDONTWRITEBYTECODE": "1"}
    frozen_install.parent.chmod(0o755)
    here = Path("/")

    def ask(*words):
        return subprocess.run(
            (*COMMAND, *words), capture_output=True, text=True, check=False, env=env, cwd=here,
            user=54321, group=54321, extra_groups=[], timeout=120,
        )  # fmt: skip

    listed = set(os.listdir(here))
    try:
        first = ask("best", "--kept", "3 3 3", "--roll", "1 3 4 4 W")
    except PermissionError:
        pytest.skip("this Python lies where other users may not run it")
    assert (first.returncode, first.stderr) == (0, "")
    assert ask("best", *ENDING).returncode == 0
    assert ask("tables", "info").returncode == 0
    refused = ask("tables", "build", "--values-only")
    assert refused.returncode == 2
    assert "no home folder to keep tables in: name a folder in $PICKOMINO_TABLES" in refused.stderr
    assert set(os.listdir(here)) == listed


def built_with(cache, out, **settings):
    """What a build prints that takes its compiled code from a cache, and the arrays it makes."""
    words = ("tables", "build", "--values-only", "--equipment", "4d:9x1,10x2,12x1", "--out", out)
    env = {"NUMBA_CACHE_DIR": str(cache), **settings.pop("env", {})}
    ended = run(*words, env=env, **settings)
    assert ended.returncode == 0, ended.stderr
    return ended.stderr, contents(Path(ended.stdout.strip()))


def test_damaged_caches_are_made_anew(tmp_path):
    """Cut, emptied or replaced: the same table with a note, and without one the next time."""
    cache = tmp_path / "cache"
    said, made = built_with(cache, tmp_path / "first")
    assert "note:" not in said
    files = sorted(cache.rglob("*.nb?"))
    assert len(files) >= 4
    damages = (lambda b: b[: len(b) // 2], lambda b: b"", lambda b: b"rubbish")
    for number, file in enumerate(files):
        file.write_bytes(damages[number % 3](file.read_bytes()))
    said, again = built_with(cache, tmp_path / "again")
    assert again == made
    assert "is damaged and is made anew" in said
    assert "note:" not in built_with(cache, tmp_path / "last")[0]


def test_a_cache_that_takes_no_more_is_left_alone(tmp_path):
    """No file may be longer than some bytes, as on a full disk."""

    def small_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    cache = tmp_path / "cache"
    said, made = built_with(cache, tmp_path / "small", preexec_fn=small_files)
    assert made == built_with(tmp_path / "other", tmp_path / "plain")[1]
    assert "note: compiled code cannot be kept in" in said
    assert not list(cache.rglob("*.tmp*"))


def test_a_change_in_what_a_kernel_calls_is_noticed(frozen_install, tmp_path):
    """Compiled code is stamped with the modules whose functions it holds."""
    copy = shutil.copytree(frozen_install / "pickomino", tmp_path / "code" / "pickomino")
    env = {"PYTHONPATH": str(tmp_path / "code"), "PYTHONDONTWRITEBYTECODE": "1"}
    before = built_with(tmp_path / "cache", tmp_path / "before", env=env)[1]
    payoffs = copy / "turn" / "payoffs.py"
    changed = payoffs.read_text().replace(
        "return final * keep_sum", "return final * (not keep_sum)"
    )
    payoffs.write_text(changed)
    after = built_with(tmp_path / "cache", tmp_path / "after", env=env)[1]
    assert after["value.npy"] != before["value.npy"]


def test_paths_are_those_that_are_meant(monkeypatch, tmp_path, pickomino):
    """``~`` is the home folder, and an empty path is none, whatever is to be done there."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    built = build_turns(SPEC, "~/mine").folder
    assert built == tmp_path / "mine" / SPEC.name
    monkeypatch.setenv("PICKOMINO_TABLES", "~/mine")
    assert folders.default_folder() == tmp_path / "mine"
    shutil.copytree(built, tmp_path / SPEC.name)
    for words in (
        ("remove", "--yes", ""),
        ("verify", ""),
        ("info", " "),
        ("build", "--out", ""),
        ("chart", ""),
    ):
        code, _, err = pickomino("tables", *words)
        assert (code, "is no folder: give the path of one" in err) == (2, True)
    assert (tmp_path / SPEC.name).is_dir()
    for wrong in (None, 5, b"x", "", " "):
        with pytest.raises(TableError, match="is no folder: give the path of one"):
            build_turns(SPEC, wrong)


def test_nobody_knows_the_home(monkeypatch):
    """Then only the tables that come with the package are there."""
    import platformdirs

    def unknown(name):
        raise RuntimeError("could not determine the home directory")

    monkeypatch.delenv("PICKOMINO_TABLES", raising=False)
    for answer in (unknown, lambda name: f"~/.cache/{name}"):
        monkeypatch.setattr(platformdirs, "user_cache_dir", answer)
        assert folders.find_tables() == folders.find_tables(folders.shipped_folder())
        with pytest.raises(TableError, match=r"no home folder .* in \$PICKOMINO_TABLES"):
            folders.default_folder()


def test_limits_of_memory_are_looked_at(monkeypatch, tmp_path):
    """The least of what the machine, the process and its control groups leave."""
    assert limits.free_memory() <= psutil.virtual_memory().total
    group = tmp_path / "outer" / "inner"
    group.mkdir(parents=True)
    (group / "memory.max").write_text("max\n")
    (group / "memory.current").write_text("5\n")
    (group.parent / "memory.max").write_text("1000\n")
    (group.parent / "memory.current").write_text("900\n")
    monkeypatch.setattr(limits, "_control_groups", lambda: iter([group, group.parent]))
    assert limits.free_memory() == 100
    with pytest.raises(TableError, match="take some 101 bytes of memory, but 100 bytes are free"):
        limits.check_memory(101, "they", "ask for less")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("game", "value", "--tiles", "21-36", "--max-states", 10**9), "positions take some"),
        (("tables", "build", "--objective", "margin", "--depth", 1), "positions take some"),
        (
            ("best", "--opponent", "", "--objective", "win", "--max-states", 10**9),
            "positions take some",
        ),
    ],
)
def test_what_does_not_fit_is_one_sentence(tmp_path, words, sentence):
    """Under a limit of the address space, before anything large is begun."""

    def little():
        resource.setrlimit(resource.RLIMIT_AS, (2_000_000_000, 2_000_000_000))

    small = run(*words, env={"PICKOMINO_TABLES": str(tmp_path)}, preexec_fn=little)
    assert small.returncode == 2
    assert sentence in small.stderr.splitlines()[-1]
    assert "Traceback" not in small.stderr
    assert os.listdir(tmp_path) == []


def offspring(process):
    """All processes that a process started."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return psutil.Process(process.pid).children(recursive=True)
    return []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, signal.SIGINT])
def test_a_match_ends_with_its_children(number):
    """Whatever ends a match, no worker stays and holds the pipe; the work is not listed ahead."""
    words = ("match", "worms", "cautious", "--games", 10**12, "--jobs", 2)
    with subprocess.Popen(
        (*COMMAND, *map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as match:
        deadline = time.monotonic() + 60
        while len(offspring(match)) < 3 and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(1)
        children = offspring(match)
        match.send_signal(number)
        out, _ = match.communicate(timeout=30)
    gone, alive = psutil.wait_procs(children, timeout=10)
    assert not [p for p in alive if p.status() != psutil.STATUS_ZOMBIE]
    assert len(gone) >= 2
    expected = {signal.SIGKILL: -9, signal.SIGINT: 130}.get(number, 128 + number)
    assert match.returncode == expected
    assert "Traceback" not in out


def test_more_jobs_than_work_start_nothing():
    """One game is played here, whatever the number of jobs."""
    started = time.monotonic()
    code = run("match", "worms", "cautious", "--games", 1, "--jobs", 10000)
    assert (code.returncode, code.stderr) == (0, "")
    assert time.monotonic() - started < 60
    assert play_match(["worms", "cautious"], 2, jobs=10**9).games == 2


@pytest.mark.parametrize("fraction", [i / 5 for i in range(6)])
def test_an_interrupt_is_one_clean_end(tmp_path, fraction):
    """At any time, while Python, modules or kernels load and compile: exit code 130 and no more."""
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    with subprocess.Popen(
        (*COMMAND, "game", "value", "--tiles", "21-27"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=env,
    ) as process:
        # Python itself, before any of our code, tells of an interrupt in its own way.
        time.sleep(0.15 + 4 * fraction**2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in err
    assert "Exception ignored" not in err


def test_files_are_written_where_they_are(tmp_path):
    """Links are followed, modes kept, devices and pipes written to; folders are refused."""
    real = tmp_path / "real.json"
    real.write_text("old")
    real.chmod(0o600)
    link = tmp_path / "link.json"
    link.symlink_to(real)
    replace_file(link, b"new")
    assert (real.read_bytes(), real.stat().st_mode & 0o777) == (b"new", 0o600)
    assert link.is_symlink()
    replace_file(Path(os.devnull), b"nothing")
    assert not Path(os.devnull).is_file()
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    with subprocess.Popen(("cat", str(fifo)), stdout=subprocess.PIPE) as reader:
        replace_file(fifo, b"through")
        assert reader.communicate()[0] == b"through"
    assert fifo.is_fifo()
    for folder in (tmp_path, Path("/"), Path(".")):
        with pytest.raises(OSError, match=r"(?i)is a (folder|directory)|it is a folder") as error:
            replace_file(folder, b"x")
        assert error.value.filename == str(folder)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["fifo", "link.json", "real.json"]


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (".", "cannot be written"),
        ("/", "cannot be written"),
        ("no/such/folder/game.json", "cannot be written: No such file or directory"),
        ("", "'' is no file: give the path of one"),
        ("x" * 300, "is too long a name for a file: use a shorter one"),
        ("a\0b", "has a sign that no file has: give the path of one"),
    ],
)
def test_records_that_cannot_be_written_are_one_sentence(pickomino, file, why):
    """Before the first move."""
    code, _, err = pickomino("play", "--against", "worms", "--record", file)
    assert (code, err.count("\n")) == (2, 1)
    assert why in err


def test_a_clock_that_stands_still_divides_nothing_by_zero(monkeypatch, tmp_path, pickomino):
    """A frozen clock, as in some containers and tests."""
    monkeypatch.setattr(time, "perf_counter", lambda: 1.0)
    monkeypatch.setattr(time, "time", lambda: 1.0)
    build = ("tables", "build", "--tiles", "21-22", "--objective", "win", "--out", tmp_path)
    assert pickomino(*build)[0] == 0


def test_work_folders_are_not_emptied_of_what_is_anothers(tmp_path, pickomino):
    """A thesis in a folder of a build: neither remove nor a build takes it."""
    work = folders.work_folder(tmp_path, SPEC.name)
    (work / "table").mkdir(parents=True)
    for place in (work / "thesis.txt", work / "table" / "thesis.txt", work / "table" / "notes"):
        place.mkdir() if place.name == "notes" else place.write_text("ten years")
        code, _, err = pickomino("tables", "remove", "--yes", tmp_path)
        assert (code, f"{place} is no part of a build: move it elsewhere first" in err) == (2, True)
        with pytest.raises(TableError, match="is no part of a build: move it elsewhere first"):
            build_turns(SPEC, tmp_path)
        assert place.exists()
        place.rmdir() if place.name == "notes" else place.unlink()
    assert build_turns(SPEC, tmp_path).solved
    assert os.listdir(tmp_path) == [SPEC.name]


def test_no_lock_stays_after_a_refusal(tmp_path, monkeypatch):
    """A disk that is too small: nothing is left."""
    monkeypatch.setattr(shutil, "disk_usage", lambda path: type("Usage", (), {"free": 100}))
    with pytest.raises(TableError, match=r"takes \d.* [kM]B, but .* has 100 bytes free"):
        build_turns(SPEC, tmp_path)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("script", ["pickomino", "test", "venv"])
def test_scripts_follow_links_and_remove_nothing_of_others(tmp_path, script):
    """A link to a script from anywhere; an environment that the script did not make stays."""
    checkout = tmp_path / "checkout"
    shutil.copytree(Path(__file__).parents[2] / "scripts", checkout / "scripts")
    for place in (checkout, tmp_path):
        (place / ".venv").mkdir()
        (place / ".venv" / "mine.txt").touch()
    (tmp_path / "bin").mkdir()
    (tmp_path / "first").symlink_to(checkout / "scripts" / script)
    (tmp_path / "bin" / "link").symlink_to("../first")
    ended = subprocess.run(
        ("sh", tmp_path / "bin" / "link"), capture_output=True, text=True, check=False
    )
    assert ended.returncode != 0
    assert f"{checkout}/.venv was not made by this script: move it elsewhere" in ended.stderr
    for place in (checkout, tmp_path):
        assert (place / ".venv" / "mine.txt").is_file()


def test_standard_output_is_written_to_under_any_name(tmp_path):
    """Neither a pipe nor a file beneath the running program is replaced."""
    program = (
        "from pathlib import Path; from pickomino._runtime.files import replace_file; "
        "print('before'); replace_file(Path('/dev/stdout'), b'record\\n'); print('after')"
    )
    command = [sys.executable, "-c", program]
    piped = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    assert b"record\n" in piped.stdout
    file = tmp_path / "out.txt"
    with file.open("wb") as out:
        subprocess.run(command, stdout=out, check=True)
    assert file.read_text() == "before\nrecord\nafter\n"
    assert list(tmp_path.iterdir()) == [file]
