"""What is removed from a folder of tables, and what is left."""

import os
import shutil
from pathlib import Path

import filelock
import pytest

from pickomino import TableError, open_tables
from pickomino._storage.folders import (
    find_tables,
    lock_file,
    removable,
    remove_tables,
    shipped_folder,
    work_folder,
)
from samples import GAMES, SPEC, contents, rewrite


def test_removal_leaves_what_is_no_table(table, monkeypatch):
    """Foreign folders stay, a table with foreign files is refused, links go and not their goal."""
    home = table.parent
    for name, file in (("mine", "x.npy"), ("more", "manifest.json")):
        (home / name).mkdir()
        (home / name / file).write_text("precious")
    link = home / "copy"
    link.symlink_to(table)
    assert removable(home) == [link, table]
    remove_tables([link])
    assert removable(home) == [table]
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


def test_other_files_are_not_removed(pickomino, game_tables, tmp_path):
    """A folder with something else in it is left whole."""
    place = tmp_path / GAMES[0].name
    shutil.copytree(game_tables / GAMES[0].name, place)
    (place / "notes.txt").write_text("mine")
    code, _, err = pickomino("tables", "remove", place, "--yes")
    assert (code, "notes.txt is no part of a table: move it elsewhere first" in err) == (2, True)
    assert len(contents(place)) == 5


@pytest.mark.parametrize(
    "files",
    [
        {".notes.building": "an ordinary file"},
        {"app/manifest.json": "{}", "app/manifest.sha256": "abc", "app/value.npy": ""},
        {"app/manifest.json": '{"table": {"legs": 4}, "files": {"x": 1}}'},
        {"app/manifest.json": "[]", "app/manifest.sha256": "abc"},
    ],
    ids=["file", "checksum", "furniture", "list"],
)
def test_folders_of_other_programs_are_no_tables(tmp_path, files):
    """Neither found nor removed, though a name or two is the same."""
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert removable(tmp_path) == []


def test_a_manifest_names_no_file_of_others_for_removal(game_tables, tmp_path):
    """Arrays alone are removed, whatever it lists."""
    table = shutil.copytree(game_tables / GAMES[0].name, tmp_path / GAMES[0].name)
    (table / "thesis.txt").write_text("mine")
    rewrite(table, lambda m: m["files"].update({"thesis.txt": 1}))
    with pytest.raises(TableError, match=r"thesis.txt is no part of a table: move it elsewhere"):
        remove_tables(removable(tmp_path))
    assert (table / "thesis.txt").read_text() == "mine"


def test_pipes_and_devices_are_no_manifests(tmp_path):
    """They are not waited for, and not read without end."""
    for name in ("pipe", "device"):
        (tmp_path / name).mkdir()
    os.mkfifo(tmp_path / "pipe" / "manifest.json")
    (tmp_path / "device" / "manifest.json").symlink_to("/dev/zero")
    assert find_tables(tmp_path) == []
