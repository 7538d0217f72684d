"""Wrong tables do not verify, whether their checksums are right or not."""

import contextlib
from dataclasses import replace

import numpy as np
import pytest

from pickomino import MissingTableError, Position, TableError, open_tables
from pickomino._storage.arrays import sample_rows
from pickomino.tables.build import build_turns
from pickomino.tables.verify import verify_turns
from samples import EIGHT_TILES, SPEC, rewrite


def test_a_sound_table_verifies(table):
    """Checksums, shapes, automaton, and turns solved again in rationals."""
    assert verify_turns(table).spec == SPEC


def test_no_flipped_byte_passes_verification(tmp_path):
    """Bytes all over the folder, one at a time: every one is found by the checksums.

    What is probed meanwhile is an answer or a TableError, from one position or from many.
    """
    table = build_turns(replace(SPEC, opponents=0), tmp_path).folder
    rng = np.random.default_rng(11)
    rows = ([1, 255], [0, 0], [0, 0], [[0] * 6] * 2, [[5, 0, 0, 0, 0, 0]] * 2)
    for path in sorted(table.iterdir()):
        whole = path.read_bytes()
        places = range(len(whole)) if len(whole) < 100 else rng.integers(0, len(whole), 60)
        named = "manifest.json" if path.stem == "manifest" else path.name
        for at in [*places, *range(min(128, len(whole)))]:
            damaged = bytearray(whole)
            damaged[at] ^= 1 << int(rng.integers(8))
            path.write_bytes(damaged)
            with pytest.raises(TableError, match=f"{named} in .* is damaged: remove the table"):
                verify_turns(table, sample=0)
            with contextlib.suppress(TableError, MissingTableError):
                tables = open_tables(table, equipment=EIGHT_TILES)
                tables.probe(Position.start(2, equipment=EIGHT_TILES), "", "12345")
                tables.probe_many(*rows)
        path.write_bytes(whole)
    verify_turns(table, sample=0)


def test_wrong_numbers_under_right_checksums_do_not_verify(table):
    """A table with plausible but wrong values is found by solving a sample again."""
    rewrite(table, lambda values: values + 1e-9, "value")
    with pytest.raises(TableError, match=r"vectors 0 to \d+ .* is off by 1.0e-09, more"):
        verify_turns(table)


@pytest.mark.parametrize("array", ["value", "distribution", "rolled"])
def test_one_wrong_number_among_all_is_found(table, array):
    """Whichever it is, and without luck: every row is looked at, not a sample."""
    rng = np.random.default_rng(7)
    whole = np.load(table / f"{array}.npy")
    for _ in range(3):
        at = tuple(int(rng.integers(n)) for n in whole.shape)

        def wrong(values, at=at):
            values = whole.copy()
            values[at] += 1e-9
            return values

        rewrite(table, wrong, array)
        with pytest.raises(TableError, match=r"is off by \d\.\de-09, more than the stated"):
            verify_turns(table, sample=0)
    rewrite(table, lambda values: whole, array)
    verify_turns(table, sample=0)


def test_samples_are_drawn_anew(table):
    """Other rows each time, the same for one seed, all of them if there are no more."""
    samples = {tuple(sample_rows(10**6, 3)) for _ in range(20)}
    assert len(samples) == 20
    assert sample_rows(10**6, 3, seed=5) == sample_rows(10**6, 3, seed=5)
    assert sample_rows(4, 9) == [0, 1, 2, 3]
    for wrong in (-1, 1.5, None, True):
        with pytest.raises(TableError, match="is no number of rows: use 0 or more"):
            verify_turns(table, sample=wrong)
        if wrong is not None:
            with pytest.raises(TableError, match="draws no sample: use a whole number from 0"):
                verify_turns(table, sample=0, seed=wrong)


@pytest.mark.parametrize("array", ["value", "distribution", "rolled"])
def test_numbers_that_are_none_do_not_verify(table, array):
    """NaN compares with nothing, so it is looked for."""
    rewrite(table, lambda values: values * np.nan, array)
    with pytest.raises(TableError, match=f"{array}.npy .* is damaged"):
        verify_turns(table, sample=0)


def test_a_wrong_automaton_does_not_verify(table):
    """The arrays that find a turn are made anew and compared."""
    rewrite(table, lambda symbols: symbols[::-1].copy(), "symbol")
    with pytest.raises(TableError, match=r"symbol.npy .* is damaged"):
        verify_turns(table, sample=0)
