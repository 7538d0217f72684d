"""Small tables that several test modules build and look at."""

from pickomino import Equipment
from pickomino.tables.spec import Spec

BOX = Equipment(5, (8, 11, 12, 14, 16, 17, 20, 22), (1, 1, 2, 2, 3, 3, 4, 4))
SPEC = Spec(equipment=BOX, opponents=2)


def contents(table):
    """The bytes of a table's files."""
    return {path.name: path.read_bytes() for path in sorted(table.iterdir())}
