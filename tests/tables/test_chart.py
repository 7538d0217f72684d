"""Charts against the table, and against a slow player who reads them."""

import csv
import io
import sys
from dataclasses import asdict
from functools import cache
from itertools import combinations, product

import pytest
from matplotlib.figure import Figure

from pickomino import Dice, Equipment, GameOverError, Position, PositionError, Rules
from pickomino.dice import FACES, keep_order
from pickomino.errors import MissingTableError, TableError
from pickomino.tables.build import build_turns
from pickomino.tables.chart import chart_csv, chart_text, make_chart
from pickomino.tables.sheet import draw_chart
from pickomino.tables.spec import TurnSpec
from pickomino.tables.table import TurnTable
from samples import NINE_TILES

TINY = Equipment(3, (7, 8, 9, 10, 12), (1, 1, 2, 2, 3))


POSITION = Position((8, 9, 10, 11, 14, 15), ((12,), (13,)), 0, NINE_TILES)


SPECS = [
    (TurnSpec(equipment=NINE_TILES), None),
    (TurnSpec(equipment=NINE_TILES, opponents=1), POSITION),
    (TurnSpec(Rules.preset("dutch"), NINE_TILES, opponents=1), POSITION),
    (TurnSpec(Rules.preset("bga-literal"), TINY), None),
    (TurnSpec(Rules.preset("french"), TINY, "reach:9"), None),
    (TurnSpec(equipment=TINY, objective="total"), None),
    (TurnSpec(equipment=TINY, objective="exactly:2"), None),
]


@pytest.fixture(scope="module", params=SPECS, ids=lambda case: case[0].name)
def case(request, tmp_path_factory):
    spec, position = request.param
    folder = build_turns(spec, tmp_path_factory.mktemp("tables"), jobs=1).folder
    return TurnTable.open(folder), position or Position.start(equipment=spec.equipment)


@pytest.fixture(scope="module")
def standard(tmp_path_factory):
    folder = build_turns(TurnSpec(), tmp_path_factory.mktemp("standard"), progress=False).folder
    return make_chart(TurnTable.open(folder))


def slow_value(solution, dice, keep, rolls_on):
    """What a player's turn is worth, by every roll of every throw."""
    payoffs = solution.payoffs

    def end(total):
        return float(payoffs.by_total[total])

    @cache
    def roll(kept):
        left = dice - kept.number
        worth = 0.0
        for thrown in product(range(6), repeat=left):
            counts = Dice(tuple(thrown.count(f) for f in range(6)))
            faces = keep_order(counts, kept.mask)
            if faces:
                face = keep(kept, counts, faces)
                worth += decide(kept.plus(face, counts.counts[face]))
            else:
                worth += end(kept.final if payoffs.keep_sum else 0)
        return worth / 6**left

    def decide(kept):
        if kept.is_spent(dice) or not rolls_on(kept):
            return end(kept.final)
        return roll(kept)

    return roll(Dice())


def players(chart, solution, dice):
    """The decisions of exact play and of the charts, as a person reads them."""
    cells = {(c.total, c.left): c.stop for c in chart.stop}
    payoffs, rule = solution.payoffs, chart.rule

    def exact(kept, roll, faces):
        return solution.keeps(kept, roll)[0].face

    def by_chart(kept, roll, faces):
        return max(faces, key=lambda f: round(chart.first_keep[f][roll.counts[f] - 1], 9))

    def by_rule(kept, roll, faces):
        def score(face):
            count = roll.counts[face]
            after = kept.plus(face, count)
            late = not after.final and dice - after.number <= rule.least
            bonus = rule.worm_bonus if face == 5 else 0
            return not late, count * (min(face + 1, 5) - rule.pips_off) + bonus

        return max(faces, key=score)

    def stop(kept):
        pays = kept.final and payoffs.may_stop[kept.final]
        pays = pays and payoffs.by_total[kept.final] > payoffs.by_total[0]
        return not (pays and cells.get((kept.total, dice - kept.number), True))

    def exact_stop(kept):
        return solution.then(kept) == "roll"

    def split(first, later):
        return lambda kept, *rest: (later if kept.number else first)(kept, *rest)

    return {
        "first_keep": (split(by_chart, exact), exact_stop),
        "later_keeps": (split(exact, by_rule), exact_stop),
        "stop": (exact, stop),
        "together": (split(by_chart, by_rule), stop),
    }


def test_losses_of_slow_players(case):
    """Players who read the charts lose in all throws what the charts say, and never gain."""
    table, position = case
    chart, solution, dice = (
        make_chart(table, position),
        table.solution(position),
        position.equipment.dice,
    )
    assert chart.value == pytest.approx(solution.value(), abs=1e-12)
    assert chart.losses.first_keep == 0
    for name, (keep, rolls_on) in players(chart, solution, dice).items():
        loss = chart.value - slow_value(solution, dice, keep, rolls_on)
        assert getattr(chart.losses, name) == pytest.approx(loss, abs=1e-12), name
        assert getattr(chart.losses, name) >= 0


def test_first_keep_values(case):
    """An entry of the first chart is the table's value after that keep."""
    table, position = case
    solution = table.solution(position)
    for f, row in enumerate(make_chart(table, position).first_keep):
        for k, value in enumerate(row, 1):
            assert value == pytest.approx(solution.value(Dice().plus(f, k)), abs=1e-12)


def test_tiles(case):
    """A tile is worth the turn with it less the turn without it."""
    table, position = case
    whole = table.solution(position).value()
    for tile in make_chart(table, position).tiles:
        grill = tuple(t for t in position.grill if t != tile.tile)
        rest = Position(grill, position.stacks, position.mover, position.equipment)
        assert tile.worth == whole - table.solution(rest).value()
        assert tile.worms == position.equipment.worms_on(tile.tile)
        assert 0 <= tile.chance <= 1


def test_standard_game(standard):
    """In the first turn of the game the charts cost something, and their chances are chances."""
    losses = standard.losses
    assert losses.first_keep == 0
    assert 0 < losses.later_keeps < losses.together < standard.value / 10
    assert 0 < losses.stop < losses.together
    # The opening's value and its chance to bust are in the README, from the exact solver.
    assert standard.value == pytest.approx(1.6447, abs=5e-5)
    assert sum(t.chance for t in standard.tiles) == pytest.approx(1 - 0.232, abs=5e-4)
    assert all(0 < c.chance <= 1 and 0 <= c.share <= 1 and c.left >= 1 for c in standard.stop)


def test_text_and_csv_agree_with_the_numbers(case):
    """Text and CSV show every value, cell, tile and loss of the chart."""
    chart = make_chart(*case)
    text = chart_text(chart)
    assert " ".join(chart.rule.sentence.split()) in " ".join(text.split())
    words = [line.split() for line in text.splitlines()]
    for face, row in zip(FACES, chart.first_keep, strict=True):
        assert [face, *(f"{v:.{chart.decimals}f}" for v in row)] in words
    for tile in chart.tiles:
        shown = [str(tile.tile), str(tile.worms), f"{tile.worth:.4f}", f"{tile.chance:.1%}"]
        assert shown in words
    for name, loss in asdict(chart.losses).items():
        assert [*name.split("_"), f"{loss:.4f}"] in words
    advice = [line for line in words if "stop" in line or "roll" in line]
    for cell in chart.stop:
        assert any(str(cell.total) == w[0] and ["roll", "stop"][cell.stop] in w for w in advice)

    rows = {tuple(row[:3]): row[3] for row in csv.reader(io.StringIO(chart_csv(chart)))}
    assert float(rows["value", "", ""]) == chart.value
    for face, values in zip(FACES, chart.first_keep, strict=True):
        assert [float(rows["first_keep", face, str(k + 1)]) for k in range(len(values))] == list(
            values
        )
    for cell in chart.stop:
        assert rows["stop", str(cell.total), str(cell.left)] == str(int(cell.stop))
        assert float(rows["stop_share", str(cell.total), str(cell.left)]) == cell.share
    for tile in chart.tiles:
        assert float(rows["tile_worth", str(tile.tile), ""]) == tile.worth
        assert float(rows["tile_chance", str(tile.tile), ""]) == tile.chance
    for name, loss in asdict(chart.losses).items():
        assert float(rows["loss", "", name]) == loss
    assert float(rows["later_keeps", "", "pips_off"]) == chart.rule.pips_off


def test_png(standard, tmp_path):
    """Two drawings are the same PNG, and nothing else is left in the folder."""
    files = [tmp_path / "a.png", tmp_path / "b.png"]
    for file in files:
        draw_chart(standard, file)
    first, second = (file.read_bytes() for file in files)
    assert first.startswith(b"\x89PNG\r\n\x1a\n")
    assert first == second
    assert sorted(tmp_path.iterdir()) == files


def drawn(chart, path):
    """The figure that is drawn for a chart, caught as it is saved."""
    figures = []

    def save(figure, file, **_options):
        figures.append(figure)
        file.write(b"")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Figure, "savefig", save)
        draw_chart(chart, path)
    (figure,) = figures
    return figure


def assert_legible(figure):
    boxes = [t.get_window_extent() for t in figure.axes[0].texts if t.get_text()]
    page = figure.bbox
    assert len(boxes) > 50
    assert all(page.x0 <= b.x0 and b.x1 <= page.x1 for b in boxes)
    assert all(page.y0 <= b.y0 and b.y1 <= page.y1 for b in boxes)
    for a, b in combinations(boxes, 2):
        wide = min(a.x1, b.x1) - max(a.x0, b.x0)
        high = min(a.y1, b.y1) - max(a.y0, b.y0)
        assert wide < 1 or high < 1


def test_no_text_overlaps_on_the_standard_sheet(standard, tmp_path):
    """On the sheet no text leaves the page or covers another."""
    assert_legible(drawn(standard, tmp_path / "chart.png"))


def test_no_text_overlaps(case, tmp_path):
    """Nor on the sheets of small boxes."""
    assert_legible(drawn(make_chart(*case), tmp_path / "chart.png"))


def test_drawing_errors(standard, tmp_path, monkeypatch):
    """A folder that is not there, or no matplotlib, is an error that names the fix."""
    with pytest.raises(TableError, match="cannot take the chart"):
        draw_chart(standard, tmp_path / "none" / "chart.png")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(TableError, match=r"pip install 'pickomino\[plot\]'"):
        draw_chart(standard, tmp_path / "chart.png")
    assert list(tmp_path.iterdir()) == []


def test_refused_positions(tmp_path):
    """Positions that the table does not answer are refused by name."""
    table = TurnTable.open(build_turns(TurnSpec(equipment=TINY), tmp_path, jobs=1).folder)
    with pytest.raises(
        MissingTableError, match="no table covers the tops of 1 opponent: build it with"
    ):
        make_chart(table, Position((7, 8), ((), (9,)), 0, TINY))
    with pytest.raises(GameOverError, match="the game is over in '- -/- 1 "):
        make_chart(table, Position((), ((), ()), 0, TINY))
    with pytest.raises(PositionError, match="of standard"):
        make_chart(table, Position.start())
    bare = TurnTable.open(
        build_turns(TurnSpec(equipment=TINY, values_only=True), tmp_path, jobs=1).folder
    )
    with pytest.raises(MissingTableError, match="build it with"):
        make_chart(bare)
