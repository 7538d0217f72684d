"""When two choices tie, and which of them goes first."""

from fractions import Fraction

from pickomino.turn.payoffs import first_best, rank


def test_tie_rule():
    """A later choice displaces the one held only if worth more by over the tolerance."""
    assert first_best([1, 1, 1], 0) == 0
    assert first_best([1, 1 + 1e-13, 2], 1e-12) == 2
    assert first_best([1, 1 + 1e-13], 1e-12) == 0
    assert first_best([Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**30)], 0) == 1
    assert rank({3: 0.5, 0: 1.0, 5: 1.0, 1: 0.5}, 1e-12) == (
        (0, True),
        (5, True),
        (3, False),
        (1, False),
    )
