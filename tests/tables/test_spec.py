"""Tables that cannot be."""

import pytest

from pickomino.tables.spec import TurnSpec


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"opponents": 7}, "7 opponents cannot be tabulated: use 0 to 6"),
        ({"opponents": 1.5}, "1.5 opponents"),
        ({"dtype": "float16"}, "'float16' is no table's dtype: use float64 or float32"),
        ({"objective": "win"}, "win looks beyond the turn"),
        ({"objective": "won"}, "no objective is called 'won'"),
    ],
)
def test_tables_that_cannot_be(fields, message):
    """Refused before a build begins."""
    with pytest.raises(ValueError, match=message):
        TurnSpec(**fields)
