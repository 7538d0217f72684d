"""Shared by all tests: reproducible, never a matter of time, and no tables of the user's."""

import shutil
from dataclasses import replace

import pytest
from hypothesis import settings

from pickomino import Rules
from pickomino.tables.build import build_table
from pickomino.tables.spec import Spec
from small_tables import BOX, SPEC

settings.register_profile("pickomino", deadline=None, derandomize=True, database=None)
settings.load_profile("pickomino")


@pytest.fixture(autouse=True, scope="session")
def _no_tables_of_the_user(tmp_path_factory):
    patch = pytest.MonkeyPatch()
    patch.setenv("PICKOMINO_TABLES", str(tmp_path_factory.mktemp("tables")))
    yield
    patch.undo()


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A folder of small tables: two kinds of turn, two objectives, and both dtypes."""
    out = tmp_path_factory.mktemp("built")
    build_table(SPEC, out)
    build_table(replace(SPEC, dtype="float32", opponents=3), out)
    build_table(Spec(Rules.preset("bga-literal"), BOX, "swing", 2), out)
    build_table(Spec(Rules.preset("tag"), BOX, "reach:14", 1), out)
    return out


@pytest.fixture
def table(folder, tmp_path):
    """A copy of a table to damage."""
    return shutil.copytree(folder / SPEC.name, tmp_path / SPEC.name)
