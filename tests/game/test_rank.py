"""The order of positions in a game table."""

import numpy as np
import pytest

from pickomino import STANDARD, Position
from pickomino.game.model import Model
from pickomino.game.rank import Ranking


@pytest.mark.parametrize(("tiles", "depth"), [(1, 1), (3, 1), (4, 2), (5, 15), (6, 1)])
def test_ranks_number_every_position_once(tiles, depth):
    """Places and positions are one to one, and as many as are listed by another program."""
    ranking = Ranking(tiles, depth)
    words = [ranking.words(place) for place in range(ranking.states)]
    assert ranking.of(np.array(words)).tolist() == list(range(ranking.states))
    box = STANDARD.only(STANDARD.tiles[:tiles])
    model = Model(Position.start(2, equipment=box), depth=depth)
    found = {model.unpack(w)[0] for w in words}
    assert len(found) == ranking.states
    assert found == set(every_position(box, depth))


def every_position(box, depth):
    """All positions of two players with the first to move, by putting each tile in each place."""

    def place(tiles, grill, own, other):
        if not tiles:
            if grill:
                yield Position(grill, (own, other), 0, box)
            return
        tile, *rest = tiles
        yield from place(rest, grill, own, other)
        yield from place(rest, (*grill, tile), own, other)
        for at in range(len(own) + 1 if len(own) < depth else 0):
            yield from place(rest, grill, (*own[:at], tile, *own[at:]), other)
        for at in range(len(other) + 1 if len(other) < depth else 0):
            yield from place(rest, grill, own, (*other[:at], tile, *other[at:]))

    return place(box.tiles, (), (), ())
