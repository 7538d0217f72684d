"""Dice as text, and which of a roll may be kept."""

import pytest
from hypothesis import given

import strategies
from pickomino import Dice, DiceError
from pickomino.dice import keep, keep_order


@given(strategies.kept_dice())
def test_dice_round_trip_through_their_text(dice):
    """str and parse are inverse, and separators are optional."""
    assert Dice.parse(str(dice)) == dice == Dice.parse(str(dice).replace(" ", ""))


@pytest.mark.parametrize("text", ["1 3 4 4 W", "4w314", "1,3,4,4,6", " 1;3 44W "])
def test_ways_to_write_dice(text):
    """Any order, any separator; the worm is W, w or 6 and counts 5."""
    dice = Dice.parse(text)
    assert dice.counts == (1, 0, 1, 2, 0, 1)
    assert (dice.number, dice.total, dice.mask) == (5, 17, 0b101101)


@pytest.mark.parametrize("text", ["7", "1 0", "x", "1-2", "٣"])
def test_letters_that_are_no_face_are_refused(text):
    """The sentence names the letter."""
    with pytest.raises(DiceError, match="is no face: write 1-5, and W for the worm"):
        Dice.parse(text)


@pytest.mark.parametrize("counts", [(1,), (0,) * 7, (-1, 0, 0, 0, 0, 0), (0.5, 0, 0, 0, 0, 0)])
def test_counts_that_are_no_dice_are_refused(counts):
    """Six counts of zero or more."""
    with pytest.raises(DiceError, match="give six counts, of the faces 1-5 and W"):
        Dice(counts)


def test_keep_order_is_fewest_dice_then_lowest_face_with_the_worm_last():
    """Faces kept already are left out."""
    roll = Dice.parse("1 1 2 2 3 5 W")
    assert [("12345W")[f] for f in keep_order(roll, 0)] == ["3", "5", "W", "1", "2"]
    assert keep_order(roll, 0b110111) == ()


@pytest.mark.parametrize(
    ("face", "message"),
    [
        ("3", r"3 is kept already \(3 3\): keep 1 or W"),
        ("4", r"no 4 was rolled \(1 1 3 W\): keep 1 or W"),
        ("1 W", "'1 W' is not one face"),
        ("", "'' is not one face"),
        ("x", "is no face"),
    ],
)
def test_keeps_that_are_not_legal_are_refused(face, message):
    """A face kept already, one that was not rolled, or none."""
    with pytest.raises(DiceError, match=message):
        keep(Dice.parse("3 3"), Dice.parse("1 1 3 W"), face)


def test_all_dice_of_a_face_are_kept():
    """None of the chosen face stays on the table."""
    assert keep(Dice.parse("3"), Dice.parse("1 1 1 w"), "1") == Dice.parse("1 1 1 3")
    assert keep(Dice(), Dice.parse("6 6 1"), "w") == Dice.parse("W W")
