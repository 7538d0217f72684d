"""Tables on disk: built the same anyhow, looked up like a fresh solve, refused when damaged."""

import contextlib
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import filelock
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from pickomino import (
    STANDARD,
    Dice,
    Equipment,
    GameOverError,
    MissingTableError,
    Position,
    PositionError,
    Rules,
    TableError,
    advise,
    odds,
    open_tables,
    parallel,
)
from pickomino.cli import run
from pickomino.dice import FACES
from pickomino.tables import build as building
from pickomino.tables.build import build_table
from pickomino.tables.keys import masks, stake
from pickomino.tables.places import (
    find_tables,
    lock_file,
    removable,
    remove_tables,
    shipped_folder,
    work_folder,
)
from pickomino.tables.spec import Spec
from pickomino.tables.table import Table
from pickomino.tables.verify import verify_table

BOX = Equipment(5, (8, 11, 12, 14, 16, 17, 20, 22), (1, 1, 2, 2, 3, 3, 4, 4))
SPEC = Spec(equipment=BOX, opponents=2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder of small tables: two kinds of turn, two objectives, and both dtypes."""
    out = tmp_path_factory.mktemp("built")
    build_table(SPEC, out)
    build_table(replace(SPEC, dtype="float32", opponents=3), out)
    build_table(Spec(Rules.preset("bga-literal"), BOX, "swing", 2), out)
    build_table(Spec(Rules.preset("tag"), BOX, "reach:14", 1), out)
    return out


def contents(table):
    """The bytes of a table's files."""
    return {path.name: path.read_bytes() for path in sorted(table.iterdir())}


positions = strategies.positions(st.just(BOX), min_grill=1).filter(
    lambda p: sum(bool(p.stacks[o]) for o in p.opponents) <= 2
)


def assert_same_advice(ours, theirs, tolerance):
    """Equal in decisions and, to the tolerance, in numbers."""
    assert ours.value == pytest.approx(theirs.value, abs=tolerance)
    if hasattr(ours, "options"):
        assert [o.face for o in ours.options] == [o.face for o in theirs.options]
        pairs = list(zip(ours.options, theirs.options, strict=True))
    else:
        pairs = [(ours, theirs)]
    for mine, other in pairs:
        assert (mine.then, mine.tie) == (other.then, other.tie)
        for name in ("value", "roll_value", "stop_value"):
            assert getattr(mine, name) == pytest.approx(getattr(other, name), abs=tolerance)
        assert mine.odds.bust == pytest.approx(other.odds.bust, abs=tolerance)
        assert [c.claim for c in mine.odds.claims] == [c.claim for c in other.odds.claims]


@settings(max_examples=120)
@given(
    positions,
    strategies.kept_and_roll(dice=5),
    st.sampled_from(
        [
            ("rulebook", "worms"),
            ("rulebook-short", "worms"),
            ("bga-literal", "swing"),
            ("tag", "reach:14"),
        ]
    ),
)
def test_probing_is_solving(folder, position, case, question):
    """Values, decisions, ties, claims and chances are those of a fresh solve, to 1e-12."""
    (kept, roll), (preset, objective) = case, question
    rules = Rules.preset(preset)
    with open_tables(folder, rules, objective, BOX) as tables:
        try:
            ours = tables.probe(position, kept, roll, with_odds=True)
        except MissingTableError:
            tops = sum(bool(position.stacks[p]) for p in position.opponents)
            assert tops > tables.tables[0].spec.opponents
            return
        fresh = (kept, roll, rules, objective)
        assert_same_advice(ours, advise(position, *fresh, with_odds=True), 1e-12)
        stop = advise(position, kept, None, rules, objective, with_odds=True)
        assert_same_advice(tables.probe(position, kept, with_odds=True), stop, 1e-12)
        whole = tables.odds(position)
        expected = odds(position, "", rules, objective)
        assert whole.value == pytest.approx(expected.value, abs=1e-12)
        assert whole.totals == pytest.approx(expected.totals, abs=1e-12)
        assert [c.claim for c in whole.claims] == [c.claim for c in expected.claims]


@settings(max_examples=60)
@given(positions, strategies.kept_and_roll(dice=5))
def test_float32_keeps_its_stated_bound(folder, position, case):
    """Values are within the bound, and the face chosen loses no more than twice as much."""
    table = Table.open(folder / replace(SPEC, dtype="float32", opponents=3).name)
    bound = table.spec.bound
    assert bound == 4 * np.finfo(np.float32).eps
    tables = open_tables(table.folder, equipment=BOX)
    ours, fresh = tables.probe(position, *case), advise(position, *case)
    assert ours.value == pytest.approx(fresh.value, abs=bound)
    if ours.best:
        regret = {o.face: o.regret for o in fresh.options}
        assert regret[ours.best.face] <= 2 * bound


def test_bulk_decisions_are_probes(folder):
    """Faces, stops and values of many rolls in one call are those of one probe each."""
    rng = np.random.default_rng(7)
    for preset, objective in (("rulebook", "worms"), ("bga-literal", "swing"), ("tag", "reach:14")):
        tables = open_tables(folder, preset, objective, BOX)
        cases = [random_case(rng, tables.tables[0].spec.opponents) for _ in range(300)]
        grill, tops = np.array([masks(p) for p, _, _ in cases]).T
        stakes = [stake(p) for p, _, _ in cases]
        kept, roll = [k.counts for _, k, _ in cases], [r.counts for _, _, r in cases]
        answer = tables.probe_many(grill, stakes, tops, kept, roll)
        for i, case in enumerate(cases):
            advice = tables.probe(*case)
            assert answer.value[i] == pytest.approx(advice.value, abs=1e-12)
            assert answer.face[i] == (FACES.index(advice.best.face) if advice.best else -1)
            assert answer.stop[i] == (advice.best is None or advice.best.then != "roll")


def random_case(rng, opponents):
    """A random position of the small box, with dice kept and a roll."""
    while True:
        place = rng.integers(-2, opponents + 3, len(BOX.tiles))
        grill = [t for t, p in zip(BOX.tiles, place, strict=True) if p in (-1, opponents + 1)]
        stacks = [
            [t for t, p in zip(BOX.tiles, place, strict=True) if p == q]
            for q in range(opponents + 1)
        ]
        kept = rng.choice(list(FACES), rng.integers(0, 5))
        if grill and len(set(kept)) < 6:
            roll = rng.choice(list(FACES), 5 - len(kept))
            position = Position(tuple(grill), tuple(map(tuple, stacks)), 0, BOX)
            return position, Dice.parse("".join(kept)), Dice.parse("".join(roll))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"grill": [0, 1]}, r"row 0 has grill 0x0"),
        ({"grill": [1, 256]}, r"row 1 has grill 0x100"),
        ({"tops": [0, 1]}, r"row 1 has grill 0x1 and tops 0x1"),
        ({"at_stake": [0, 9]}, "row 1 stakes 9 worms"),
        ({"at_stake": [-1, 0]}, "row 0 stakes -1 worms"),
        ({"kept": [[0] * 6, [1] * 6]}, "row 1 keeps"),
        ({"roll": [[5, 0, 0, 0, 0, 0], [4, 0, 0, 0, 0, 0]]}, "row 1 keeps"),
        ({"roll": [[6, -1, 0, 0, 0, 0], [5, 0, 0, 0, 0, 0]]}, "row 0 keeps"),
        ({"roll": [[5, 0, 0, 0, 0, 0]]}, "shapes .* do not fit"),
        ({"grill": 1}, "shapes .* do not fit"),
        ({"roll": [[2**62] * 4 + [3, 2], [5, 0, 0, 0, 0, 0]]}, "row 0 keeps"),
        ({"at_stake": [0.7, 0]}, "at_stake is no array of whole numbers"),
        ({"grill": [2**70, 1]}, "grill is no array of whole numbers"),
        ({"kept": [[0] * 6, [0]]}, "kept is no array of whole numbers"),
    ],
)
def test_bulk_rows_that_make_no_turn_are_refused(folder, change, message):
    """The sentence names the row."""
    arguments = {
        "grill": [1, 1],
        "at_stake": [0, 0],
        "tops": [0, 0],
        "kept": [[0] * 6] * 2,
        "roll": [[5, 0, 0, 0, 0, 0]] * 2,
    }
    tables = open_tables(folder, equipment=BOX)
    with pytest.raises(TableError, match=message):
        tables.probe_many(**(arguments | change))


def test_bulk_rows_outside_the_table_are_missing(folder):
    """With the command that builds a wider one."""
    tables = open_tables(folder / SPEC.name, equipment=BOX)
    row = ([1], [0], [0b11111110], [[0] * 6], [[5, 0, 0, 0, 0, 0]])
    with pytest.raises(MissingTableError, match="row 0 has 7 tops"):
        tables.probe_many(*row)


def test_probing_what_no_table_holds(folder):
    """MissingTableError, a KeyError and a ValueError, names the command; get has a default."""
    tables = open_tables(folder / SPEC.name, equipment=BOX)
    wide = Position.parse(f"8 -/22/20/17/16 1 {BOX}")
    with pytest.raises(KeyError) as error:
        tables.probe(wide, "", "12345")
    assert isinstance(error.value, ValueError)
    assert str(error.value) == (
        "no table covers 4 opponents' tops: build it with pickomino tables build --rules rulebook "
        f"--objective worms --equipment {BOX} --opponents 4 --dtype float64 --out {folder}"
    )
    assert tables.get(wide, "", "12345") is None
    assert tables.get(wide, "", "12345", default=0) == 0
    assert tables.get(Position.start(2, BOX), "", "12345").best.face
    with pytest.raises(GameOverError):
        tables.probe(Position.parse(f"- -/22 1 {BOX}"))
    with pytest.raises(PositionError, match="the position is of standard, but the tables are of"):
        tables.probe(Position.start())


def test_opening_with_other_rules_is_an_error(folder):
    """Never a silent answer under rules that were not asked for; what is there is named."""
    with pytest.raises(MissingTableError, match=r"under dutch with .* \(found: .*rulebook"):
        open_tables(folder, "dutch", "worms", BOX)
    with pytest.raises(MissingTableError, match="no table of swing under rulebook"):
        open_tables(folder, "rulebook", "swing", BOX)
    with pytest.raises(MissingTableError, match=r"found: none"):
        open_tables(folder / "nowhere")
    with open_tables(folder, equipment=BOX) as tables:
        pass
    with pytest.raises(TableError, match="these tables are closed"):
        tables.probe(Position.start(2, BOX))


def test_a_table_of_values_only_answers_whole_turns(tmp_path):
    """It is smaller, and in the middle of a turn names the command for more."""
    build_table(replace(SPEC, values_only=True), tmp_path)
    tables = open_tables(tmp_path, equipment=BOX)
    start = Position.start(2, BOX)
    assert tables.probe(start).value == pytest.approx(advise(start).value, abs=1e-12)
    assert tables.odds(start).bust == pytest.approx(odds(start).bust, abs=1e-12)
    with pytest.raises(MissingTableError, match="in the middle of a turn: build it with"):
        tables.probe(start, "", "12345")
    with pytest.raises(MissingTableError, match="in the middle of a turn"):
        tables.probe_many([1], [0], [0], [[0] * 6], [[5, 0, 0, 0, 0, 0]])


def test_threads_and_processes_read_at_once(folder):
    """Eight threads and two processes get the answers of one."""
    tables = open_tables(folder, equipment=BOX)
    rng = np.random.default_rng(1)
    cases = [random_case(rng, 2) for _ in range(200)]
    expected = [tables.probe(*case).value for case in cases]
    fresh = open_tables(folder, equipment=BOX)  # nothing mapped yet
    with ThreadPoolExecutor(8) as pool:
        for values in pool.map(lambda _: [fresh.probe(*c).value for c in cases], range(8)):
            assert values == expected
    with ProcessPoolExecutor(2) as pool:
        for values in pool.map(probe_all, [folder] * 2, [cases] * 2):
            assert values == expected


def probe_all(folder, cases):
    """Open and probe; runs in another process."""
    tables = open_tables(folder, equipment=BOX)
    return [tables.probe(*case).value for case in cases]


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


@pytest.fixture
def table(folder, tmp_path):
    """A copy of a table to damage."""
    return shutil.copytree(folder / SPEC.name, tmp_path / SPEC.name)


def test_a_sound_table_verifies(table):
    """Checksums, shapes, automaton, and turns solved again in rationals."""
    assert verify_table(table).spec == SPEC


def test_no_flipped_byte_passes_verification(table):
    """Bytes all over the folder, one at a time: every one is found by the checksums.

    What is probed meanwhile is an answer or a TableError, from one position or from many.
    """
    rng = np.random.default_rng(11)
    rows = ([1, 255], [0, 0], [0, 0], [[0] * 6] * 2, [[5, 0, 0, 0, 0, 0]] * 2)
    for path in sorted(table.iterdir()):
        whole = path.read_bytes()
        places = range(len(whole)) if len(whole) < 100 else rng.integers(0, len(whole), 60)
        for at in [*places, *range(min(128, len(whole)))]:
            damaged = bytearray(whole)
            damaged[at] ^= 1 << int(rng.integers(8))
            path.write_bytes(damaged)
            with pytest.raises(TableError):
                verify_table(table, sample=0)
            with contextlib.suppress(TableError, MissingTableError):
                tables = open_tables(table, equipment=BOX)
                tables.probe(Position.start(2, BOX), "", "12345")
                tables.probe_many(*rows)
        path.write_bytes(whole)
    verify_table(table, sample=0)


def rewrite(table, change, array=None):
    """Change the manifest, or an array with its checksum, so that only a closer look finds it."""
    manifest = json.loads((table / "manifest.json").read_text())
    if array is not None:
        path = table / f"{array}.npy"
        values = change(np.load(path))
        np.save(path, values)
        fields = manifest["files"][path.name]
        fields["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
        fields["bytes"] = path.stat().st_size
    else:
        change(manifest)
    raw = (json.dumps(manifest, indent=1) + "\n").encode()
    (table / "manifest.json").write_bytes(raw)
    check = f"{hashlib.sha256(raw).hexdigest()}  manifest.json\n"
    (table / "manifest.sha256").write_text(check)


def test_wrong_numbers_under_right_checksums_do_not_verify(table):
    """A table with plausible but wrong values is found by solving a sample again."""
    rewrite(table, lambda values: values + 1e-9, "value")
    with pytest.raises(TableError, match=r"is off by 1.0e-09, more than the stated"):
        verify_table(table)


@pytest.mark.parametrize("array", ["value", "distribution", "rolled"])
def test_numbers_that_are_none_do_not_verify(table, array):
    """NaN compares with nothing, so it is looked for."""
    rewrite(table, lambda values: values * np.nan, array)
    with pytest.raises(TableError, match=f"{array}.npy .* is damaged"):
        verify_table(table, sample=0)


def test_a_damaged_table_is_not_built_already(table):
    """Building in its place says to remove it; after that it builds."""
    (table / "manifest.json").write_text("{}")
    with pytest.raises(TableError, match="is damaged: remove the table"):
        build_table(SPEC, table.parent)
    remove_tables(removable(table.parent))
    assert build_table(SPEC, table.parent).solved > 0


def test_removal_leaves_what_is_no_table(table, monkeypatch):
    """Foreign folders stay, a table with foreign files is refused, links go and not their goal."""
    home = table.parent
    for name, file in (("mine", "x.npy"), ("more", "manifest.json")):
        (home / name).mkdir()
        (home / name / file).write_text("precious")
    link = home / "copy_k0_float64"
    link.symlink_to(home / "mine")
    assert removable(home) == [link, table]
    remove_tables([link])
    (table / "thesis.txt").write_text("precious")
    with pytest.raises(TableError, match=r"thesis\.txt is no part of a table: move it"):
        remove_tables([table])
    assert len(contents(table)) == 8
    (table / "thesis.txt").unlink()
    monkeypatch.chdir(table)
    remove_tables(removable(Path(".")))
    assert sorted(p.name for p in home.iterdir()) == ["mine", "more"]
    assert open_tables(shipped_folder()).tables


def test_a_build_under_way_is_not_removed(tmp_path):
    """What it holds is locked; what a killed one left is removed."""
    work = work_folder(tmp_path, SPEC.name)
    work.mkdir()
    lock = filelock.FileLock(lock_file(tmp_path, SPEC.name))
    with lock, pytest.raises(TableError, match="is being built: stop that build"):
        remove_tables(removable(tmp_path))
    remove_tables(removable(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_the_widest_table_answers_many(tmp_path):
    """A narrow exact table beside a wide rounded one: each answers what it covers."""
    for spec in (replace(SPEC, opponents=0), replace(SPEC, dtype="float32")):
        build_table(spec, tmp_path)
    tables = open_tables(tmp_path, equipment=str(BOX))
    rows = ([1, 1], [0, 0], [0, 2], [[0] * 6] * 2, [[5, 0, 0, 0, 0, 0]] * 2)
    assert tables.probe_many(*rows).face.tolist() == [0, 0]
    tables.close()
    with pytest.raises(TableError, match="these tables are closed"):
        tables.probe_many(*rows)


def test_a_wrong_automaton_does_not_verify(table):
    """The arrays that find a turn are made anew and compared."""
    rewrite(table, lambda symbols: symbols[::-1].copy(), "symbol")
    with pytest.raises(TableError, match=r"symbol.npy .* is damaged"):
        verify_table(table, sample=0)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda t: (t / "manifest.json").unlink(), "no readable manifest.json, so it is no table"),
        (lambda t: (t / "manifest.sha256").unlink(), "no readable manifest.sha256"),
        (lambda t: (t / "manifest.json").write_text("{}"), "manifest.json in .* is damaged"),
        (lambda t: (t / "manifest.json").write_text("[" * 9999), "manifest.json .* is damaged"),
        (lambda t: os.truncate(t / "rolled.npy", 5000), r"rolled.npy in .* is damaged: remove"),
        (lambda t: (t / "rolled.npy").unlink(), "rolled.npy in .* is damaged"),
        (lambda t: (t / "rolled.npy").write_bytes(b""), "rolled.npy in .* is damaged"),
        (
            lambda t: rewrite(t, lambda m: m.update(format=2)),
            "has format 2, but this version reads 1: remove it",
        ),
        (
            lambda t: rewrite(t, lambda a: a.astype(">f8"), "rolled"),
            "rolled.npy in .* has a foreign byte order: remove the table with pickomino tables",
        ),
        (
            lambda t: rewrite(t, lambda a: a.astype("<f4"), "rolled"),
            "rolled.npy in .* is damaged",
        ),
        (lambda t: rewrite(t, lambda a: a[:-1], "rolled"), "rolled.npy in .* is damaged"),
        (lambda t: rewrite(t, np.asfortranarray, "rolled"), "rolled.npy in .* is damaged"),
        (lambda t: rewrite(t, lambda a: a + 10**6, "step"), "step.npy in .* is damaged"),
        (lambda t: rewrite(t, lambda a: a | 255, "symbol"), "symbol.npy in .* is damaged"),
        (lambda t: rewrite(t, lambda m: m.update(format=None)), "manifest.json in .* is damaged"),
        (lambda t: rewrite(t, lambda m: m.update(format=True)), "manifest.json in .* is damaged"),
        (lambda t: rewrite(t, lambda m: m.update(bound=1)), "manifest.json in .* is damaged"),
        (lambda t: rewrite(t, lambda m: m.pop("files")), "manifest.json in .* is damaged"),
        (lambda t: rewrite(t, lambda m: m.update(files=[])), "manifest.json in .* is damaged"),
        (lambda t: rewrite(t, lambda m: m["table"].update(rules=5)), "manifest.json in .* is"),
        (
            lambda t: rewrite(t, lambda m: m["files"]["step.npy"].update(dtype="rubbish")),
            "manifest.json in .* is damaged",
        ),
    ],
)
def test_damaged_tables_are_refused_with_the_fix(table, damage, message):
    """Truncated, foreign, of another version, or without a manifest: a typed error on probing."""
    damage(table)
    with pytest.raises(TableError, match=message):
        open_tables(table, equipment=BOX).probe(Position.start(2, BOX), "", "12345")
    with pytest.raises(TableError):
        verify_table(table, sample=0)


def test_strange_files_do_not_verify(table):
    """Nothing but the table is in its folder."""
    (table / "notes.txt").touch()
    with pytest.raises(TableError, match=r"notes.txt in .* is no part of the table: remove it"):
        verify_table(table, sample=0)


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
    from pickomino import question

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
    from pickomino import question

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
