"""What a network sees, from positions and from boards."""

import numpy as np
from hypothesis import given, settings

import strategies
from pickomino import Position, Rules
from pickomino.estimate.batches import inputs_of_boards
from pickomino.estimate.inputs import GAME, PER_SEAT, TILES, inputs, width
from pickomino.game.boards import Boards


@settings(max_examples=100)
@given(strategies.positions(min_players=2), strategies.rules)
def test_boards_and_positions_are_seen_alike(position, rules):
    """The compiled code fills in what the plain code does."""
    boards = Boards(rules, position.equipment, len(position.stacks))
    seen = inputs_of_boards(boards, boards.pack([position]))
    assert np.array_equal(seen, inputs([position], rules))


def test_a_position_by_hand():
    """Each number where the module says it is."""
    seen = inputs([Position.parse("22,36 25,24/- 2")], Rules())[0]
    assert len(seen) == width(2)
    assert np.flatnonzero(seen[:GAME]).tolist() == [5, 9]  # a steal is optional; two players
    assert np.flatnonzero(seen[GAME : GAME + TILES]).tolist() == [1, 15]
    own, other = seen[GAME + TILES :].reshape(2, PER_SEAT)
    assert np.flatnonzero(own).tolist() == [PER_SEAT - 1]
    assert np.flatnonzero(other[: 2 * TILES]).tolist() == [3, TILES + 4]
    assert other[2 * TILES :].tolist() == np.float32([3 / 10, 2 / 8, 5 / 16, 0]).tolist()
