"""What a position of the game keeps in mind of covered tiles."""

from pickomino.game.model import Bank


def test_bank():
    """What is banked, as the other player sees it."""
    bank = Bank().plus(2, 4, 12, True).plus(-3, 6, 14, False)
    assert (bank.lead, bank.height, bank.mine) == (-1, 6, False)
    assert ((-bank).lead, (-bank).mine) == (1, True)
    assert (-Bank()).mine is False
