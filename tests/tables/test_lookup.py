"""Looking tables up: what is probed is what a fresh solve gives."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from pickomino import (
    STANDARD,
    DeadRoll,
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
from pickomino._storage.folders import find_tables, shipped_folder
from pickomino.tables.build import build_turns
from pickomino.tables.table import TurnTable
from pickomino.tables.verify import verify_turns
from samples import EIGHT_TILES, SPEC, probe_all, random_case

positions = strategies.positions(st.just(EIGHT_TILES), min_grill=1).filter(
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
def test_probing_is_solving(turn_tables, position, case, question):
    """Values, decisions, ties, claims and chances are those of a fresh solve, to 1e-12."""
    (kept, roll), (preset, objective) = case, question
    rules = Rules.preset(preset)
    with open_tables(
        turn_tables, rules=rules, objective=objective, equipment=EIGHT_TILES
    ) as tables:
        try:
            ours = tables.probe(position, kept, roll, with_odds=True)
        except MissingTableError:
            tops = sum(bool(position.stacks[p]) for p in position.opponents)
            assert tops > tables.tables[0].spec.opponents
            return
        asked = {"rules": rules, "objective": objective, "with_odds": True}
        assert_same_advice(ours, advise(position, kept, roll, **asked), 1e-12)
        stop = advise(position, kept, None, rules=rules, objective=objective, with_odds=True)
        assert_same_advice(tables.probe(position, kept, with_odds=True), stop, 1e-12)
        whole = tables.odds(position)
        expected = odds(position, "", rules=rules, objective=objective)
        assert whole.value == pytest.approx(expected.value, abs=1e-12)
        assert whole.totals == pytest.approx(expected.totals, abs=1e-12)
        assert [c.claim for c in whole.claims] == [c.claim for c in expected.claims]


@settings(max_examples=60)
@given(positions, strategies.kept_and_roll(dice=5))
def test_float32_keeps_its_stated_bound(turn_tables, position, case):
    """Values are within the bound, and the face chosen loses no more than twice as much."""
    table = TurnTable.open(turn_tables / replace(SPEC, dtype="float32", opponents=3).name)
    bound = table.spec.bound
    assert bound == 4 * np.finfo(np.float32).eps
    tables = open_tables(table.folder, equipment=EIGHT_TILES)
    ours, fresh = tables.probe(position, *case), advise(position, *case)
    assert ours.value == pytest.approx(fresh.value, abs=bound)
    if not isinstance(ours, DeadRoll):
        regret = {o.face: o.regret for o in fresh.options}
        assert regret[ours.best.face] <= 2 * bound


def test_probing_what_no_table_holds(turn_tables):
    """MissingTableError, a KeyError and a ValueError, names the command; get has a default."""
    tables = open_tables(turn_tables / SPEC.name, equipment=EIGHT_TILES)
    wide = Position.parse(f"8 -/22/20/17/16 1 {EIGHT_TILES}")
    with pytest.raises(KeyError) as error:
        tables.probe(wide, "", "12345")
    assert isinstance(error.value, ValueError)
    assert str(error.value) == (
        "no table covers the tops of 4 opponents: build it with pickomino tables build --rules "
        f"rulebook --objective worms --equipment {EIGHT_TILES} --opponents 4 --dtype float64 "
        f"--out {turn_tables}"
    )
    assert tables.get(wide, "", "12345") is None
    assert tables.get(wide, "", "12345", default=0) == 0
    assert tables.get(Position.start(2, equipment=EIGHT_TILES), "", "12345").best.face
    with pytest.raises(GameOverError, match="the game is over in '- -/22 1 "):
        tables.probe(Position.parse(f"- -/22 1 {EIGHT_TILES}"))
    with pytest.raises(PositionError, match="the position is of standard, but the table is of"):
        tables.probe(Position.start())


def test_opening_with_other_rules_is_an_error(turn_tables):
    """Never a silent answer under rules that were not asked for; what is there is named."""
    with pytest.raises(MissingTableError, match=r"under dutch with .* \(found: .*rulebook"):
        open_tables(turn_tables, rules="dutch", objective="worms", equipment=EIGHT_TILES)
    with pytest.raises(MissingTableError, match="no table of swing under rulebook"):
        open_tables(turn_tables, rules="rulebook", objective="swing", equipment=EIGHT_TILES)
    with pytest.raises(MissingTableError, match=r"found: none"):
        open_tables(turn_tables / "nowhere")
    with open_tables(turn_tables, equipment=EIGHT_TILES) as tables:
        pass
    with pytest.raises(TableError, match="these tables are closed"):
        tables.probe(Position.start(2, equipment=EIGHT_TILES))


def test_a_table_of_values_only_answers_whole_turns(tmp_path):
    """It is smaller, and in the middle of a turn names the command for more."""
    build_turns(replace(SPEC, values_only=True), tmp_path)
    tables = open_tables(tmp_path, equipment=EIGHT_TILES)
    start = Position.start(2, equipment=EIGHT_TILES)
    assert tables.probe(start).value == pytest.approx(advise(start).value, abs=1e-12)
    assert tables.odds(start).bust == pytest.approx(odds(start).bust, abs=1e-12)
    with pytest.raises(MissingTableError, match="in the middle of a turn: build it with"):
        tables.probe(start, "", "12345")
    with pytest.raises(MissingTableError, match="in the middle of a turn"):
        tables.probe_many([1], [0], [0], [[0] * 6], [[5, 0, 0, 0, 0, 0]])


def test_threads_and_processes_read_at_once(turn_tables):
    """Eight threads and two processes get the answers of one."""
    tables = open_tables(turn_tables, equipment=EIGHT_TILES)
    rng = np.random.default_rng(1)
    cases = [random_case(rng, 2) for _ in range(200)]
    expected = [tables.probe(*case).value for case in cases]
    fresh = open_tables(turn_tables, equipment=EIGHT_TILES)  # nothing mapped yet
    with ThreadPoolExecutor(8) as pool:
        for values in pool.map(lambda _: [fresh.probe(*c).value for c in cases], range(8)):
            assert values == expected
    with ProcessPoolExecutor(2) as pool:
        for values in pool.map(probe_all, [turn_tables] * 2, [cases] * 2):
            assert values == expected


def test_the_widest_table_answers_many(tmp_path):
    """A narrow exact table beside a wide rounded one: each answers what it covers."""
    for spec in (replace(SPEC, opponents=0), replace(SPEC, dtype="float32")):
        build_turns(spec, tmp_path)
    tables = open_tables(tmp_path, equipment=str(EIGHT_TILES))
    rows = ([1, 1], [0, 0], [0, 2], [[0] * 6] * 2, [[5, 0, 0, 0, 0, 0]] * 2)
    assert tables.probe_many(*rows).face.tolist() == [0, 0]
    tables.close()
    with pytest.raises(TableError, match="these tables are closed"):
        tables.probe_many(*rows)


def test_the_shipped_tables_are_sound_and_small():
    """They are found from a checkout and from a wheel, and hold every grill and stake."""
    shipped = find_tables(shipped_folder())
    assert shipped
    for place in shipped:
        table = verify_turns(place, sample=1)
        assert table.spec.equipment == STANDARD
    size = sum(f.stat().st_size for f in shipped_folder().rglob("*") if f.is_file())
    assert size < 3_000_000
    value = open_tables().probe(Position.parse("31,33 25 1")).value
    assert value == pytest.approx(advise(Position.parse("31,33 25 1")).value, abs=1e-12)
