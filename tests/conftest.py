"""Shared by all tests: reproducible, never a matter of time, and no tables of the user's."""

import pytest
from hypothesis import settings

settings.register_profile("pickomino", deadline=None, derandomize=True, database=None)
settings.load_profile("pickomino")


@pytest.fixture(autouse=True, scope="session")
def _no_tables_of_the_user(tmp_path_factory):
    patch = pytest.MonkeyPatch()
    patch.setenv("PICKOMINO_TABLES", str(tmp_path_factory.mktemp("tables")))
    yield
    patch.undo()
