"""Many rows in one call: as one probe each, and what is refused."""

import numpy as np
import pytest

from pickomino import DeadRoll, MissingTableError, TableError, open_tables
from pickomino.dice import FACES
from pickomino.tables.keys import masks, stake
from samples import EIGHT_TILES, SPEC, random_case


def test_bulk_decisions_are_probes(turn_tables):
    """Faces, stops and values of many rolls in one call are those of one probe each."""
    rng = np.random.default_rng(7)
    for preset, objective in (("rulebook", "worms"), ("bga-literal", "swing"), ("tag", "reach:14")):
        tables = open_tables(turn_tables, rules=preset, objective=objective, equipment=EIGHT_TILES)
        cases = [random_case(rng, tables.tables[0].spec.opponents) for _ in range(300)]
        grill, tops = np.array([masks(p) for p, _, _ in cases]).T
        stakes = [stake(p) for p, _, _ in cases]
        kept, roll = [k.counts for _, k, _ in cases], [r.counts for _, _, r in cases]
        answer = tables.probe_many(grill, stakes, tops, kept, roll)
        for i, case in enumerate(cases):
            advice = tables.probe(*case)
            assert answer.value[i] == pytest.approx(advice.value, abs=1e-12)
            dead = isinstance(advice, DeadRoll)
            assert answer.face[i] == (-1 if dead else FACES.index(advice.best.face))
            assert answer.stop[i] == (dead or advice.best.then != "roll")


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
def test_bulk_rows_that_make_no_turn_are_refused(turn_tables, change, message):
    """The sentence names the row."""
    arguments = {
        "grill": [1, 1],
        "at_stake": [0, 0],
        "tops": [0, 0],
        "kept": [[0] * 6] * 2,
        "roll": [[5, 0, 0, 0, 0, 0]] * 2,
    }
    tables = open_tables(turn_tables, equipment=EIGHT_TILES)
    with pytest.raises(TableError, match=message):
        tables.probe_many(**(arguments | change))


def test_bulk_rows_outside_the_table_are_missing(turn_tables):
    """With the command that builds a wider one."""
    tables = open_tables(turn_tables / SPEC.name, equipment=EIGHT_TILES)
    row = ([1], [0], [0b11111110], [[0] * 6], [[5, 0, 0, 0, 0, 0]])
    with pytest.raises(MissingTableError, match="row 0 has 7 tops"):
        tables.probe_many(*row)
