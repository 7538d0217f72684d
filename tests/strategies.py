"""Hypothesis strategies for everything that is asked about; the public ones are imported."""

from hypothesis import strategies as st

from pickomino import testing
from pickomino.testing import equipments, kept_dice, positions, rolls
from pickomino.turn.payoffs import Number, TurnPayoffs

__all__ = ["equipments", "kept_and_roll", "kept_dice", "numbers", "payoffs", "positions", "rules"]

rules = testing.rules()

numbers = st.one_of(
    st.integers(-9, 9),
    st.floats(-1e6, 1e6, allow_nan=False).map(lambda x: round(x, 3)),
    st.fractions(-3, 3, max_denominator=7),
)


@st.composite
def payoffs(draw, max_dice=4, values=numbers):
    """Payoffs and stopping rules that no position need have."""
    size = 5 * draw(st.integers(1, max_dice)) + 1
    by_total: list[Number] = draw(st.lists(values, min_size=size, max_size=size))
    may_stop = draw(st.lists(st.booleans(), min_size=size, max_size=size))
    by_total[1:5], may_stop[1:5] = by_total[:1] * 4, may_stop[:1] * 4
    return TurnPayoffs(tuple(by_total), tuple(may_stop), draw(st.booleans()))


@st.composite
def kept_and_roll(draw, dice=8):
    """Dice kept while the turn goes on, and a roll of the others."""
    kept = draw(kept_dice(dice - 1).filter(lambda d: d.mask != 0b111111))
    return kept, draw(rolls(dice - kept.number))
