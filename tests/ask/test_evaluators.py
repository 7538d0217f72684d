"""Who answers for the game beyond the turn: exactly, to a depth, by a table, or nobody."""

import shutil

import pytest

from pickomino import GameOverError, MissingTableError, Position, PositionError, Rules, TableError
from pickomino.ask.evaluators import Evaluators
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
    states = solve_game(START, objective=objective).states
    exact = Evaluators(Rules(), objective, states)
    assert exact.find(START).label == "exact: full stacks"
    assert exact.shallower(START) is None
    with pytest.raises(MissingTableError, match=r"even at depth 1, and no table covers it: raise"):
        Evaluators(Rules(), objective, 5).find(START)
    monkeypatch.setenv("PICKOMINO_TABLES", str(margin_table))
    table = Evaluators(Rules(), objective, 5).find(START)
    assert table.label.endswith("table of depth 1: only the top tile of a stack can be lost")
    assert table.label.startswith("approximate") == (objective == "win")


def test_the_deepest_model_that_fits(margin_table, monkeypatch):
    """Budgets between the sizes of two depths; a table goes before depth 1."""
    sizes = [solve_game(START, objective="margin", depth=depth).states for depth in (1, 2, 3)]
    assert sizes == sorted(set(sizes))
    deep = Evaluators(Rules(), "margin", sizes[1])
    assert deep.find(START).model.depth == 2
    assert deep.shallower(START).model.depth == 1
    shallow = Evaluators(Rules(), "margin", sizes[1] - 1)
    assert shallow.find(START).model.depth == 1
    assert shallow.shallower(START) is None
    with pytest.raises(MissingTableError, match=r"raise max_states, or build a table with"):
        Evaluators(Rules(), "margin", sizes[1], depths=False).find(START)
    monkeypatch.setenv("PICKOMINO_TABLES", str(margin_table))
    assert Evaluators(Rules(), "margin", sizes[1]).find(START).source == "solver"
    assert Evaluators(Rules(), "margin", sizes[1] - 1).find(START).source == "table"
    assert Evaluators(Rules(), "margin", sizes[1], depths=False).find(START).source == "table"


def test_a_table_that_appears_is_found(margin_table, monkeypatch):
    """What was not there is looked for again."""
    asked = Evaluators(Rules(), "margin", 5)
    with pytest.raises(MissingTableError, match="leads to more than 5 positions"):
        asked.find(START)
    monkeypatch.setenv("PICKOMINO_TABLES", str(margin_table))
    assert asked.find(START).source == "table"


def test_a_damaged_table_is_told_and_done_without(margin_table, tmp_path, monkeypatch):
    """Where something else answers it is a warning, else the error itself."""
    copy = tmp_path / "damaged"
    shutil.copytree(margin_table, copy)
    (copy / GameSpec(Rules(), FOUR_TILES, "margin", 1).name / "value.npy").write_bytes(b"")
    monkeypatch.setenv("PICKOMINO_TABLES", str(copy))
    told = []
    states = solve_game(START, objective="margin", depth=1).states
    found = Evaluators(Rules(), "margin", states, warn=told.append).find(START)
    assert found.source == "solver"
    assert told
    assert {"value.npy" in str(error) for error in told} == {True}
    with pytest.raises(TableError, match=r"value\.npy in .* is damaged"):
        Evaluators(Rules(), "margin", 5).find(START)


def test_games_of_others_are_refused():
    """One player, three players, and a game that is over."""
    asked = Evaluators(Rules(), "win", 5)
    for text in ("21 - 1", "21 -/-/- 1"):
        with pytest.raises(PositionError, match="games are solved for two"):
            asked.find(Position.parse(text))
    with pytest.raises(GameOverError, match="the game is over in '- 21/22 1'"):
        asked.find(Position.parse("- 21/22 1"))
