"""Game tables that cannot be."""

import pytest

from pickomino import ObjectiveError, PositionError
from pickomino.game.spec import GameSpec


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (
            lambda: GameSpec(depth=0),
            PositionError,
            "depth=0 is no number of tiles that can",
        ),
        (lambda: GameSpec(objective="worms"), ObjectiveError, "use win or margin"),
        (
            lambda: GameSpec(objective="win", depth=1),
            ObjectiveError,
            "a table of win cannot stop at depth 1: leave depth= out",
        ),
    ],
)
def test_no_such_table(make, error, message):
    """A depth that is none, another objective, and win to a depth."""
    with pytest.raises(error, match=message):
        make()
