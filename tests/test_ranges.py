"""Lists of tile numbers as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pickomino import PositionError
from pickomino._ranges import format_ranges, parse_ranges


@given(st.lists(st.integers(0, 9999), unique=True))
def test_any_list_round_trips_in_its_order(numbers):
    """Order is kept, as it means bottom to top in a stack."""
    assert list(parse_ranges(format_ranges(numbers))) == numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("", ()),
        ("-", ()),
        (" 21-23 , 26 ", (21, 22, 23, 26)),
        ("30 25", (30, 25)),
        ("21,22-22", (21, 22)),
    ],
)
def test_what_people_write(text, numbers):
    """Commas, spaces and ranges mix."""
    assert parse_ranges(text) == numbers


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("21;22", "'21;22' in '21;22' is no tile"),
        ("21,,22", "'' in '21,,22' is no tile"),
        ("25 -30", "'-30' in '25 -30' is no tile"),
        ("23-21", "the range 23-21 runs backwards: write 21-23"),
        ("21-22-23", "is no tile"),
        ("1-99999", "is no tile"),
        ("٢١", "is no tile"),
    ],
)
def test_what_does_not_read(text, message):
    """The sentence names the part at fault."""
    with pytest.raises(PositionError, match=message):
        parse_ranges(text)
