"""Game tables: their order, their values against fresh solves, and what can befall the files."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from pickomino import (
    STANDARD,
    Equipment,
    MissingTableError,
    ObjectiveError,
    Position,
    PositionError,
    Rules,
    TableError,
    advise,
    open_tables,
)
from pickomino.cli import run
from pickomino.game.build import build_game
from pickomino.game.model import Bank, Model
from pickomino.game.rank import Ranking
from pickomino.game.solve import solve_game
from pickomino.game.spec import GameSpec
from pickomino.game.table import GameTable, open_game
from pickomino.game.verify import verify_game
from pickomino.game.worth import game_payoff
from pickomino.play.engine import GameState
from pickomino.play.match import play_game
from pickomino.play.players import GamePlayer, make_player

BOX = Equipment(4, (9, 10, 12, 14), (1, 2, 1, 3))
SPECS = [
    GameSpec(Rules(), BOX, "margin"),
    GameSpec(Rules(), BOX, "margin", 1),
    GameSpec(Rules(), BOX, "win"),
    GameSpec(Rules.preset("bga-literal"), BOX, "margin", 2),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder of small game tables."""
    out = tmp_path_factory.mktemp("games")
    for spec in SPECS:
        build_game(spec, out)
    return out


def contents(table):
    """The bytes of a table's files."""
    return {path.name: path.read_bytes() for path in sorted(table.iterdir())}


@pytest.mark.parametrize(("tiles", "depth"), [(1, 1), (3, 1), (4, 2), (5, 15), (6, 1)])
def test_ranks_number_every_position_once(tiles, depth):
    """Places and positions are one to one, and as many as are listed by another program."""
    ranking = Ranking(tiles, depth)
    words = [ranking.words(place) for place in range(ranking.states)]
    assert ranking.of(np.array(words)).tolist() == list(range(ranking.states))
    box = STANDARD.only(STANDARD.tiles[:tiles])
    model = Model(Position.start(2, box), depth=depth)
    found = {model.unpack(w)[0] for w in words}
    assert len(found) == ranking.states
    assert found == set(every_position(box, depth))


def every_position(box, depth):
    """All positions of two players with the first to move, by putting each tile in each place."""

    def place(tiles, grill, own, other):
        if not tiles:
            if grill:
                yield Position(grill, (own, other), 0, box)
            return
        tile, *rest = tiles
        yield from place(rest, grill, own, other)
        yield from place(rest, (*grill, tile), own, other)
        for at in range(len(own) + 1 if len(own) < depth else 0):
            yield from place(rest, grill, (*own[:at], tile, *own[at:]), other)
        for at in range(len(other) + 1 if len(other) < depth else 0):
            yield from place(rest, grill, own, (*other[:at], tile, *other[at:]))

    return place(box.tiles, (), (), ())


positions = strategies.positions(st.just(BOX), min_grill=1).filter(lambda p: len(p.stacks) == 2)


@settings(max_examples=60)
@given(positions, strategies.kept_and_roll(dice=4), st.sampled_from(SPECS))
def test_probing_is_solving(folder, position, case, spec):
    """Values, decisions and the cost of each alternative are those of the game solved afresh."""
    (kept, roll), objective = case, spec.objective
    with open_game(folder, spec.rules, objective, BOX, spec.depth) as table:
        assert table.spec == spec
        solved = solve_game(position, spec.rules, objective, spec.depth)
        assert table.value_of(position) == pytest.approx(solved.value, abs=1e-11)
        if max(map(len, position.stacks)) <= spec.ranking.depth:
            assert table.probe(position).value == pytest.approx(solved.value, abs=1e-11)
            assert table.odds(position).value == pytest.approx(solved.value, abs=1e-11)
            payoff = game_payoff(solved, position)
            ours = table.probe(position, kept, roll)
            theirs = advise(position, kept, roll, spec.rules, payoff)
            assert [o.value for o in ours.options] == pytest.approx(
                [o.value for o in theirs.options], abs=1e-10
            )
            assert sorted(o.regret for o in ours.options) == pytest.approx(
                sorted(o.regret for o in theirs.options), abs=1e-10
            )


def test_deviation_is_that_of_played_games(folder):
    """Mean and deviation of the further margin against 4,000 games by the exact player."""
    position = Position((10, 12), ((9,), (14,)), 0, BOX)
    with open_game(folder, "rulebook", "margin", BOX) as table:
        mean, deviation = table.value_of(position), table.deviation_of(position)
    player = GamePlayer("margin")
    margins = []
    rng = np.random.default_rng(1)
    for _ in range(4000):
        state = GameState(position, Rules())
        while not state.is_over:
            action = player.choose(state, rng)
            state = state.apply(drawn(state, action, rng))
        margins.append(state.position.worms(0) - state.position.worms(1) - (1 - 3))
    assert abs(np.mean(margins) - mean) < 4 * deviation / 4000**0.5
    assert np.std(margins) == pytest.approx(deviation, rel=0.06)


def drawn(state, action, rng):
    """An action with its dice thrown."""
    from pickomino.play.engine import Roll, throw

    return Roll(throw(state.dice_left, rng)) if isinstance(action, Roll) else action


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_every_row_passes_the_slow_check(folder, spec):
    """All positions of a table, values and deviations, solved again by other code."""
    table = verify_game(folder / spec.name, sample=10**6)
    assert 0 <= table.manifest["residual"] <= table.manifest["bound"] <= 1e-9
    start = Position.start(2, BOX)
    assert table.manifest["first"] == table.value_of(start)


@pytest.mark.parametrize("name", ["value.npy", "deviation.npy", "manifest.json", "manifest.sha256"])
def test_a_flip_is_found(folder, tmp_path, name):
    """One bit anywhere in a file: verification names the file and the fix."""
    source = folder / SPECS[0].name
    for at in (0, 60, -1):
        table = tmp_path / f"{SPECS[0].name}{at}" / SPECS[0].name
        table.mkdir(parents=True)
        for file, content in contents(source).items():
            broken = bytearray(content)
            if file == name:
                broken[min(at, len(broken) - 1)] ^= 1
            (table / file).write_bytes(broken)
        with pytest.raises(TableError, match=r"is damaged: remove the table with .* and build it"):
            verify_game(table)


def test_a_false_value_is_found(folder, tmp_path):
    """A table that is sound to its checksums but wrong: the slow check sees it."""
    from pickomino._storage.manifest import finish_table

    spec = SPECS[0]
    data = tmp_path / "data"
    data.mkdir()
    table = GameTable.open(folder / spec.name)
    for name in ("value", "deviation"):
        wrong = np.array(getattr(table, name)) + (1e-6 if name == "value" else 0)
        np.save(data / f"{name}.npy", wrong)
    facts = {name: table.manifest[name] for name in ("bound", "residual", "first")}
    finish_table(spec, data, tmp_path / spec.name, facts)
    with pytest.raises(TableError, match=r"is off by .*, more than the stated"):
        verify_game(tmp_path / spec.name, sample=10**6)


def test_bytes_do_not_depend_on_the_jobs(folder, tmp_path):
    """One thread or two."""
    build_game(SPECS[0], tmp_path, jobs=1)
    assert contents(tmp_path / SPECS[0].name) == contents(folder / SPECS[0].name)


@pytest.mark.filterwarnings("ignore")
def test_bytes_do_not_depend_on_the_cluster(tmp_path, monkeypatch):
    """A local Dask cluster of two processes builds the same table."""
    from pickomino.game import listing as graph

    distributed = pytest.importorskip("dask.distributed", reason="needs pickomino[cluster]")
    monkeypatch.setattr(graph, "BLOCK", 16)
    spec = replace(SPECS[0], rules=Rules.preset("tag"))
    here = build_game(spec, tmp_path / "here")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        there = build_game(spec, tmp_path / "there", scheduler=cluster.scheduler_address)
        assert len(cluster.workers) == 2
    assert contents(there.folder) == contents(here.folder)


def test_a_killed_build_resumes(folder, tmp_path):
    """After SIGKILL the finished levels are kept, and the table is the same in the end."""
    code = (
        "import sys, time; from pathlib import Path\n"
        "from pickomino import Equipment, Rules; from pickomino.game import build\n"
        "from pickomino.game.spec import GameSpec\n"
        "solve = build._solve\n"
        "def slow(*a): time.sleep(0.3); return solve(*a)\n"
        "build._solve = slow\n"
        f"spec = GameSpec(Rules(), Equipment.parse({str(BOX)!r}), 'margin')\n"
        "build.build_game(spec, Path(sys.argv[1]), jobs=1)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)])
    journal = tmp_path / f".{SPECS[0].name}.building" / "finished.json"
    while not journal.exists() or len(json.loads(journal.read_text())["residuals"]) < 3:
        assert process.poll() is None
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not (tmp_path / SPECS[0].name).exists()
    report = build_game(SPECS[0], tmp_path)
    assert 0 < report.solved < report.positions == SPECS[0].ranking.states
    assert contents(report.folder) == contents(folder / SPECS[0].name)
    assert build_game(SPECS[0], tmp_path).solved == 0
    assert [path.name for path in tmp_path.iterdir()] == [SPECS[0].name]


@pytest.mark.parametrize("damage", ["short", "empty", "gone", "shape", "journal", "file"])
def test_a_damaged_rest_is_solved_again(folder, tmp_path, damage):
    """Whatever an interrupted build left: what is not sound is solved again, to the same bytes."""
    from pickomino.game import build

    class StoppedError(Exception):
        """Stands for a kill."""

    spec, levels = SPECS[0], 0
    solve = build._solve

    def stop(*arguments):
        nonlocal levels
        levels += 1
        if levels > 4:
            raise StoppedError
        return solve(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "_solve", stop)
        with pytest.raises(StoppedError):
            build_game(spec, tmp_path)
    work = tmp_path / f".{spec.name}.building"
    first, journal = work / "level-00000.npy", work / "finished.json"
    if damage == "short":
        first.write_bytes(first.read_bytes()[:50])
    elif damage == "empty":
        first.write_bytes(b"")
    elif damage == "gone":
        first.unlink()
    elif damage == "shape":
        np.save(first, np.zeros((4, 0)))
    elif damage == "journal":
        journal.write_text('"abc"')
    else:
        shutil.rmtree(work)
        work.write_text("")
    report = build_game(spec, tmp_path)
    assert report.solved == report.positions
    assert contents(report.folder) == contents(folder / spec.name)


def test_wide_bounds_are_stated(tmp_path):
    """Where both pass nearly for ever, rounding adds up: the table says so, and is sound."""
    spec = GameSpec("rulebook", Equipment(8, (21, 40), (1, 1)), "margin")
    report = build_game(spec, tmp_path)
    assert verify_game(report.folder, 100).manifest["bound"] < 1e-6
    large = GameSpec("rulebook", Equipment(3, (7, 9), (1000, 1000)), "margin", 1)
    verify_game(build_game(large, tmp_path).folder, 100)


def test_numbers_that_cannot_be_are_noticed(folder, tmp_path):
    """A win beyond 1, a deviation below 0, no number: the sentence names the table."""
    for spec, name, wrong in ((SPECS[2], "value", 7.0), (SPECS[0], "deviation", -1.0)):
        table = GameTable.open(folder / spec.name)
        array = np.full(table.spec.ranking.states, wrong)
        table.__dict__[name] = array
        for bad in (wrong, np.nan, np.inf):
            array[:] = bad
            with pytest.raises(TableError, match=re.escape(f"in {table.folder} is damaged")):
                (table.value_of if name == "value" else table.deviation_of)(Position.start(2, BOX))
    with pytest.raises(TableError, match="is of win and has no deviations: open one of margin"):
        GameTable.open(folder / SPECS[2].name).deviation_of(Position.start(2, BOX))


def test_other_files_are_not_removed(folder, tmp_path, capsys):
    """A folder with something else in it is left whole."""
    place = tmp_path / SPECS[0].name
    shutil.copytree(folder / SPECS[0].name, place)
    (place / "notes.txt").write_text("mine")
    with pytest.raises(SystemExit):
        run(["tables", "remove", str(place), "--yes"])
    assert "notes.txt is no part of a table: move it elsewhere first" in capsys.readouterr().err
    assert len(contents(place)) == 5


def test_what_does_not_fit_is_refused(tmp_path, monkeypatch):
    """Memory and disk are looked at before any work."""
    whole = GameSpec()
    with pytest.raises(TableError, match=r"positions take some .* GB of memory, but .* are free"):
        build_game(whole, tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(psutil, "virtual_memory", lambda: type("Free", (), {"available": 10**8}))
        with pytest.raises(TableError, match=r"take some 0\.2 GB of memory, but 0\.1 GB are free"):
            build_game(SPECS[0], tmp_path)
    assert not list(tmp_path.iterdir()) or not any(tmp_path.glob("margin*"))


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: GameSpec(depth=0), PositionError, "depth 0 is none of a stack: use 1 to 15"),
        (lambda: GameSpec(objective="worms"), ObjectiveError, "use win or margin"),
        (
            lambda: GameSpec(objective="win", depth=1),
            ObjectiveError,
            "a table of win cannot stop at depth 1: leave out --depth",
        ),
    ],
)
def test_no_such_table(make, error, message):
    """A depth that is none, another objective, and win to a depth."""
    with pytest.raises(error, match=message):
        make()


def test_a_missing_table_names_the_command(folder):
    """Other rules, and the whole game."""
    with pytest.raises(MissingTableError, match=r"build it with pickomino .* --rules tag"):
        open_game(folder, "tag", "margin", BOX)
    with pytest.raises(MissingTableError, match=r"--objective margin --depth 1 --out"):
        open_game(folder, "rulebook", "win")


def test_positions_that_no_game_table_has(folder):
    """Three players, other equipment, a game that is over, a closed table."""
    with open_game(folder, "rulebook", "margin", BOX) as table:
        for position, message in (
            (Position.start(3, BOX), "has 3 players: games are solved for two"),
            ("x", "'x' is no position"),
            (Position.start(2), "the position is of standard, but the table is of"),
            (Position((), ((9,), ()), 0, BOX), "the game is over"),
        ):
            with pytest.raises(PositionError, match=message):
                table.probe(position)
    with pytest.raises(TableError, match="this table is closed"):
        table.probe(Position.start(2, BOX))


def test_the_deepest_table_answers(folder):
    """Without a depth, that of full stacks is taken; turn tables are not mixed up with it."""
    assert open_game(folder, "rulebook", "margin", BOX).spec.depth is None
    assert open_game(folder, "rulebook", "margin", BOX, 1).spec.depth == 1
    with pytest.raises(MissingTableError, match=r"no table of worms .*\(found: none\)"):
        open_tables(folder, "rulebook", "worms", BOX)


def test_commands(folder, tmp_path, capsys):
    """build, info, verify and remove take game tables."""

    def call(*arguments):
        with pytest.raises(SystemExit) as stop:
            run(["tables", *map(str, arguments)])
        return stop.value.code or 0, *capsys.readouterr()

    made = ("--tiles", "21-22", "--objective", "win", "--out", tmp_path)
    code, out, err = call("build", *made)
    assert (code, out.strip()) == (0, str(tmp_path / "win_rulebook_8d+21x1+22x1_full"))
    assert "7 positions" in err
    assert call("build", *made)[2].splitlines()[-1] == "built already"
    code, out, _ = call("info", tmp_path, "--json")
    assert json.loads(out)[0]["table"]["kind"] == "game"
    assert "games, full stacks" in call("info", tmp_path)[1]
    assert call("verify", tmp_path)[1] == f"{tmp_path}/win_rulebook_8d+21x1+22x1_full: sound\n"
    assert call("remove", tmp_path, "--yes")[0] == 0
    assert not list(tmp_path.iterdir())
    for arguments, message in (
        (["--objective", "win", "--depth", "2"], "a table of win cannot stop at depth 2"),
        (["--objective", "margin", "--depth", "0"], "depth 0 is none of a stack"),
        (["--depth", "1"], "--depth 1 is for games: use --objective win or margin"),
        (["--objective", "win", "--opponents", "1"], "leave out --opponents"),
        (["--objective", "win", "--tiles", "20"], "tile 20 is not in the set: use 21-36"),
    ):
        code, out, err = call("build", *arguments, "--out", tmp_path)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert message in err
    assert not list(tmp_path.iterdir())


def test_the_game_player_uses_a_table(folder, monkeypatch):
    """Without a budget the player's choices come from the table, and are those of the solver."""
    monkeypatch.setenv("PICKOMINO_TABLES", str(folder))
    by_table, by_solver = GamePlayer("margin", budget=0), GamePlayer("margin")
    others = [make_player("worms"), make_player("swing")]
    for seed in range(3):
        games = [
            play_game([p, others[seed % 2]], "rulebook", BOX, seed) for p in (by_table, by_solver)
        ]
        assert games[0].record.actions == games[1].record.actions


def test_bank():
    """What is banked, as the other player sees it."""
    bank = Bank().plus(2, 4, 12, True).plus(-3, 6, 14, False)
    assert (bank.lead, bank.height, bank.mine) == (-1, 6, False)
    assert ((-bank).lead, (-bank).mine) == (1, True)
    assert (-Bank()).mine is False
