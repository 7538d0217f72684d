"""Hypothesis strategies for everything that is asked about."""

from hypothesis import strategies as st

from pickomino import STANDARD, Dice, Equipment, Position, Rules
from pickomino.position import MAX_PLAYERS
from pickomino.rules import SWITCHES
from pickomino.turn import Number, TurnPayoffs

rules = st.builds(Rules, **{switch: st.sampled_from(values) for switch, values in SWITCHES.items()})


@st.composite
def equipments(draw, max_dice=8):
    """Dice and tiles, some of which may lie beyond the highest total."""
    dice = draw(st.integers(1, max_dice))
    tiles = draw(st.sets(st.integers(1, 5 * dice + 2), min_size=1, max_size=16))
    worms = draw(st.lists(st.integers(0, 5), min_size=len(tiles), max_size=len(tiles)))
    return Equipment(dice, tuple(sorted(tiles)), tuple(worms))


@st.composite
def positions(draw, equipment=st.just(STANDARD), min_grill=0):
    """Any position: each tile on the grill, in a stack or face down."""
    box = draw(equipment)
    players = draw(st.integers(1, MAX_PLAYERS))
    place = draw(
        st.lists(st.integers(-2, players - 1), min_size=len(box.tiles), max_size=len(box.tiles))
    )
    order = draw(st.permutations(range(len(box.tiles))))
    stacks = [[box.tiles[i] for i in order if place[i] == p] for p in range(players)]
    grill = [tile for tile, p in zip(box.tiles, place, strict=True) if p == -1]
    if len(grill) < min_grill:
        grill = [box.tiles[0]]
        stacks = [[tile for tile in stack if tile != box.tiles[0]] for stack in stacks]
    return Position(tuple(grill), tuple(map(tuple, stacks)), draw(st.integers(0, players - 1)), box)


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
def kept_dice(draw, dice=8):
    """Some dice, at most as many as a turn has."""
    faces = draw(st.lists(st.integers(0, 5), max_size=dice))
    return Dice(tuple(faces.count(f) for f in range(6)))


@st.composite
def kept_and_roll(draw, dice=8):
    """Dice kept while the turn goes on, and a roll of the others."""
    kept = draw(kept_dice(dice - 1).filter(lambda d: d.mask != 0b111111))
    left = dice - kept.number
    faces = draw(st.lists(st.integers(0, 5), min_size=left, max_size=left))
    return kept, Dice(tuple(faces.count(f) for f in range(6)))
