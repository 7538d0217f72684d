"""Dice, tiles and worms: the named sets, their text, and what is refused."""

import re

import pytest
from hypothesis import given

import strategies
from pickomino import JUNIOR, STANDARD, Equipment, RulesError


def test_standard_and_junior_equipment():
    """The named sets: 16 tiles 21-36 in fours, 12 tiles 16-27 in threes."""
    assert STANDARD.tiles == tuple(range(21, 37))
    assert [STANDARD.worms_on(t) for t in (21, 24, 25, 32, 33, 36)] == [1, 1, 2, 3, 4, 4]
    assert (JUNIOR.dice, len(JUNIOR.tiles), JUNIOR.worms_on(27)) == (6, 12, 4)
    assert (str(STANDARD), str(JUNIOR)) == ("standard", "junior")


@given(strategies.equipments(max_dice=Equipment.MAX_DICE))
def test_equipment_round_trips_through_its_text(equipment):
    """str and parse are inverse for any box."""
    assert Equipment.parse(str(equipment)) == equipment
    assert not re.search(r"\s", str(equipment))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Equipment(0, (5,), (1,)), "0 dice cannot be played: use 1 to 10"),
        (lambda: Equipment(11, (5,), (1,)), "11 dice cannot be played"),
        (lambda: Equipment(8, (), ()), "a game without tiles"),
        (lambda: Equipment(8, (22, 21), (1, 1)), r"\[22, 21\] do not ascend"),
        (lambda: Equipment(8, (21, 21), (1, 1)), "do not ascend"),
        (lambda: Equipment(8, (0, 1), (1, 1)), "0 is no tile: use 1 to 9999"),
        (lambda: Equipment(8, (21, 22), (1,)), "1 worm counts do not fit 2 tiles"),
        (lambda: Equipment(8, (21,), (-1,)), "cannot score -1 worms: use 0 to 1000"),
        (lambda: Equipment(8.5, (21,), (1,)), "dice=8.5 does not count"),
        (lambda: Equipment(True, (21,), (1,)), "dice=True does not count"),
        (lambda: Equipment(8, ("21",), (1,)), "tiles=.* does not count"),
        (lambda: Equipment.parse("senior"), "'senior' is no equipment: use standard or junior"),
        (lambda: Equipment.parse("6d:16-18"), "'6d:16-18' is no equipment"),
        (lambda: Equipment.parse("6d:16x1,16x2"), "tile 16 appears twice"),
        (lambda: Equipment.parse("99d:16x1"), "99 dice cannot be played"),
    ],
)
def test_impossible_equipment_is_refused(make, message):
    """Each impossibility gets its own sentence."""
    with pytest.raises(RulesError, match=message):
        make()
