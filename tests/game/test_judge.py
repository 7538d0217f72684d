"""Who answers for the game beyond the turn: exactly, to a depth, by a table, or nobody."""

import shutil

import pytest

from pickomino import MissingTableError, Rules, TableError
from pickomino.game.judge import Judge
from pickomino.game.solve import solve_game
from pickomino.game.spec import GameSpec
from samples import FOUR_TILES, START


@pytest.fixture(autouse=True)
def no_tables(monkeypatch, tmp_path):
    """No table in the usual places unless a test puts one there."""
    monkeypatch.setenv("PICKOMINO_TABLES", str(tmp_path / "none"))


@pytest.mark.parametrize("objective", ["win", "margin"])
def test_from_exact_to_refusal(objective, margin_table, monkeypatch):
    """A falling budget: exact, then nobody, or the table if there is one."""
    states = solve_game(START, Rules(), objective).graph.states
    exact = Judge(Rules(), objective, states).verdict(START)
    assert (exact.valued.name, exact.compare) == ("exact: full stacks", None)
    with pytest.raises(MissingTableError, match=r"even at depth 1, and no table covers it: allow"):
        Judge(Rules(), objective, 5).verdict(START)
    monkeypatch.setenv("PICKOMINO_TABLES", str(margin_table))
    table = Judge(Rules(), objective, 5).verdict(START)
    assert table.valued.name.endswith("table of depth 1: only the top tile of a stack can be lost")
    assert table.valued.name.startswith("approximate") == (objective == "win")


def test_the_deepest_model_that_fits(margin_table, monkeypatch):
    """Budgets between the sizes of two depths; a table goes before depth 1."""
    sizes = [solve_game(START, Rules(), "margin", depth).graph.states for depth in (1, 2, 3)]
    assert sizes == sorted(set(sizes))
    deep = Judge(Rules(), "margin", sizes[1]).verdict(START)
    assert (deep.valued.model.depth, deep.compare().model.depth) == (2, 1)
    shallow = Judge(Rules(), "margin", sizes[1] - 1).verdict(START)
    assert (shallow.valued.model.depth, shallow.compare) == (1, None)
    capped = Judge(Rules(), "margin", sizes[1], deepest=1).verdict(START)
    assert (capped.valued.model.depth, capped.valued.source) == (1, "solver")
    monkeypatch.setenv("PICKOMINO_TABLES", str(margin_table))
    assert Judge(Rules(), "margin", sizes[1]).verdict(START).valued.source == "solver"
    assert Judge(Rules(), "margin", sizes[1] - 1).verdict(START).valued.source == "table"


def test_a_damaged_table_is_told_and_done_without(margin_table, tmp_path, monkeypatch):
    """Where something else answers it is a warning, else the error itself."""
    copy = tmp_path / "damaged"
    shutil.copytree(margin_table, copy)
    (copy / GameSpec(Rules(), FOUR_TILES, "margin", 1).name / "value.npy").write_bytes(b"")
    monkeypatch.setenv("PICKOMINO_TABLES", str(copy))
    told = []
    states = solve_game(START, Rules(), "margin", 1).graph.states
    verdict = Judge(Rules(), "margin", states, warn=told.append).verdict(START)
    assert verdict.valued.source == "solver"
    assert told
    assert {"value.npy" in str(error) for error in told} == {True}
    with pytest.raises(TableError, match=r"value\.npy in .* is damaged"):
        Judge(Rules(), "margin", 5).verdict(START)
