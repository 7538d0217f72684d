"""Looking tables up: what is probed is what a fresh solve gives."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from pickomino import (
    Dice,
    GameOverError,
    MissingTableError,
    Position,
    PositionError,
    Rules,
    TableError,
    advise,
    odds,
    open_tables,
)
from pickomino.dice import FACES
from pickomino.tables.build import build_table
from pickomino.tables.keys import masks, stake
from pickomino.tables.table import Table
from small_tables import BOX, SPEC

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
