"""Game tables under the slow check: sound ones pass, and no others."""

import shutil

import numpy as np
import pytest

from pickomino import Equipment, GameSpec, Position, TableError, build_game
from pickomino.game.table import GameTable
from pickomino.game.verify import verify_game
from samples import FOUR_TILES, GAMES, contents, rewrite


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.name)
def test_every_row_passes_the_slow_check(game_tables, spec):
    """All positions of a table, values and deviations, solved again by other code."""
    table = verify_game(game_tables / spec.name, sample=10**6)
    assert 0 <= table.manifest["residual"] <= table.manifest["bound"] <= 1e-9
    start = Position.start(2, equipment=FOUR_TILES)
    assert table.manifest["first"] == table.value_to_mover(start)


@pytest.mark.parametrize("name", ["value.npy", "deviation.npy", "manifest.json", "manifest.sha256"])
def test_a_flip_is_found(game_tables, tmp_path, name):
    """One bit anywhere in a file: verification names the file and the fix."""
    source = game_tables / GAMES[0].name
    for at in (0, 60, -1):
        table = tmp_path / f"{GAMES[0].name}{at}" / GAMES[0].name
        table.mkdir(parents=True)
        for file, content in contents(source).items():
            broken = bytearray(content)
            if file == name:
                broken[min(at, len(broken) - 1)] ^= 1
            (table / file).write_bytes(broken)
        with pytest.raises(TableError, match=r"is damaged: remove the table with .* and build it"):
            verify_game(table)


def test_a_false_value_is_found(game_tables, tmp_path):
    """A table that is sound to its checksums but wrong: the slow check sees it."""
    from pickomino._storage.manifest import finish_table

    spec = GAMES[0]
    data = tmp_path / "data"
    data.mkdir()
    table = GameTable.open(game_tables / spec.name)
    for name in ("value", "deviation"):
        wrong = getattr(table, name).whole() + (1e-6 if name == "value" else 0)
        np.save(data / f"{name}.npy", wrong)
    facts = {name: table.manifest[name] for name in ("bound", "residual", "first")}
    finish_table(spec, data, tmp_path / spec.name, facts)
    with pytest.raises(TableError, match=r"has values that are off by 1.0e-06, which is"):
        verify_game(tmp_path / spec.name, sample=10**6)


@pytest.mark.parametrize(("array", "error"), [("value", 1e-9), ("deviation", 1e-4)])
def test_one_wrong_number_among_all_is_found(game_tables, tmp_path, array, error):
    """Every position is computed again; a sample of none finds it."""
    table = shutil.copytree(game_tables / GAMES[0].name, tmp_path / GAMES[0].name)
    whole = np.load(table / f"{array}.npy")
    for at in (0, len(whole) // 3, len(whole) - 1):
        rewrite(table, lambda v, at=at: np.where(np.arange(len(v)) == at, v + error, v), array)
        with pytest.raises(TableError, match=f"has {array}s that are off by"):
            verify_game(table, sample=0)
        rewrite(table, lambda v: whole, array)
    verify_game(table, sample=0)


def test_what_a_manifest_states_is_not_believed(tmp_path):
    """Bound, residual and first value are computed again."""
    spec = GameSpec("rulebook", Equipment(8, (21, 40), (1, 1)), "margin")
    table = build_game(spec, tmp_path).folder
    verify_game(table)
    for name, lie in (("bound", 1e-13), ("bound", 1.5), ("first", 0.5), ("residual", 9e-10)):
        copy = shutil.copytree(table, tmp_path / f"{name}{lie}")
        rewrite(copy, lambda m, name=name, lie=lie: m.update({name: lie}))
        with pytest.raises(TableError, match=f"has a (stated )?{name}"):
            verify_game(copy)


def test_a_wide_bound_covers_no_false_value(game_tables, tmp_path):
    """What a value may be off by is not the table's to say."""
    table = shutil.copytree(game_tables / GAMES[0].name, tmp_path / GAMES[0].name)
    rewrite(table, np.negative, "value")
    rewrite(table, lambda m: m.update(bound=5.0, first=-m["first"]))
    with pytest.raises(TableError, match="has values that are off by"):
        verify_game(table, sample=0)


@pytest.mark.parametrize("name", ["bound", "residual", "first"])
@pytest.mark.parametrize("value", ["abc", None, [], True, 10**400, float("nan"), 1e300, -1e300])
def test_numbers_of_a_manifest_that_are_none_are_refused(game_tables, tmp_path, name, value):
    """Of another kind, infinite, or beyond what can be won."""
    table = shutil.copytree(game_tables / GAMES[0].name, tmp_path / GAMES[0].name)
    rewrite(table, lambda m: m.update({name: value}))
    with pytest.raises(TableError, match=r"manifest.json in .* is damaged"):
        verify_game(table)
