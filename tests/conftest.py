"""Shared by all tests: reproducible, never a matter of time, and no tables of the user's.

What is expensive to build is built once for all processes of a run, in a folder that they share.
"""

import json
import shutil
import sys
from dataclasses import replace

import pytest
from filelock import FileLock
from hypothesis import settings

from pickomino import Rules
from pickomino.cli import run
from pickomino.game.build import build_game
from pickomino.play.match import play_game
from pickomino.play.players import make_player
from pickomino.tables.build import build_turns
from pickomino.tables.spec import TurnSpec
from samples import EIGHT_TILES, GAMES, SIX_TILES, SPEC

settings.register_profile("pickomino", deadline=None, derandomize=True, database=None)
settings.load_profile("pickomino")


@pytest.fixture(autouse=True, scope="session")
def _no_tables_of_the_user(tmp_path_factory):
    patch = pytest.MonkeyPatch()
    patch.setenv("PICKOMINO_TABLES", str(tmp_path_factory.mktemp("tables")))
    yield
    patch.undo()


@pytest.fixture(scope="session")
def built_once(tmp_path_factory, request):
    """Call a function on a folder that is filled once in a run, by whichever process is first."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if hasattr(request.config, "workerinput") else base

    def fill(name, build):
        folder, done = shared / name, shared / f"{name}.done"
        with FileLock(shared / f"{name}.lock"):
            if not done.exists():
                build(folder)
                done.touch()
        return folder

    return fill


@pytest.fixture(scope="session")
def turn_tables(built_once):
    """A folder of small policy tables: two kinds of turn, two objectives, and both dtypes."""

    def build(folder):
        build_turns(SPEC, folder)
        build_turns(replace(SPEC, dtype="float32", opponents=3), folder)
        build_turns(TurnSpec(Rules.preset("bga-literal"), EIGHT_TILES, "swing", 2), folder)
        build_turns(TurnSpec(Rules.preset("tag"), EIGHT_TILES, "reach:14", 1), folder)

    return built_once("turn-tables", build)


@pytest.fixture
def table(turn_tables, tmp_path):
    """A copy of a policy table to damage."""
    return shutil.copytree(turn_tables / SPEC.name, tmp_path / SPEC.name)


@pytest.fixture(scope="session")
def game_tables(built_once):
    """A folder of small game tables."""

    def build(folder):
        for spec in GAMES:
            build_game(spec, folder)

    return built_once("game-tables", build)


@pytest.fixture
def margin_table(game_tables, tmp_path):
    """A folder with the small margin table to depth 1 alone."""
    name = GAMES[1].name
    return shutil.copytree(game_tables / name, tmp_path / "margin" / name).parent


@pytest.fixture(scope="session", params=["rulebook", "bga-literal", "tag", "septaseven"])
def record(request):
    """A game of three players of different strength."""
    players = [make_player(n) for n in ("random", "cautious", "worms")]
    return play_game(players, rules=request.param, equipment=SIX_TILES, seed=8).record


@pytest.fixture
def pickomino(capsys):
    """Run a command in this process; its exit code, output and errors.

    What a slow machine waits for, such as the compiler, is left out of the errors.
    """

    def call(*arguments):
        with pytest.raises(SystemExit) as stop:
            run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        lines = captured.err.splitlines(keepends=True)
        errors = "".join(line for line in lines if not line.endswith(" ...\n"))
        return stop.value.code or 0, captured.out, errors

    return call


@pytest.fixture
def answer(pickomino):
    """Run a command with --json; its object."""

    def call(*arguments):
        code, out, err = pickomino(*arguments, "--json")
        assert (code, err) == (0, "")
        return json.loads(out)

    return call


@pytest.fixture
def refusal(pickomino):
    """Run a command that is refused with exit code 2; its one sentence."""

    def call(*arguments):
        code, out, err = pickomino(*arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert err.startswith("error: ")
        return err

    return call


class Terminal:
    """A command in a real terminal."""

    def __init__(self, child):
        self.child = child

    def sees(self, *texts):
        """Wait for each text in turn."""
        for text in texts:
            self.child.expect_exact(text)

    def says(self, words, *texts):
        """Type a line, then wait for each text in turn."""
        self.child.sendline(words)
        self.sees(*texts)

    def leaves(self, code):
        """Wait for the end; its exit code, and no traceback on the way."""
        self.child.expect(sys.modules["pexpect"].EOF)
        self.child.wait()
        assert (self.child.exitstatus, "Traceback" in self.child.before) == (code, False)


@pytest.fixture
def terminal():
    """Start `pickomino` with arguments in a terminal."""
    pexpect = pytest.importorskip("pexpect", reason="a pseudo-terminal needs a POSIX system")
    started = []

    def start(*arguments):
        words = ["-m", "pickomino", *map(str, arguments)]
        child = pexpect.spawn(
            sys.executable, words, encoding="utf-8", timeout=120, dimensions=(50, 160)
        )
        started.append(child)
        return Terminal(child)

    yield start
    for child in started:
        child.close(force=True)
