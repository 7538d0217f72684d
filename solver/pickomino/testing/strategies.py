"""Strategies for everything the rules speak of; each shrinks to the smallest example of its kind.

Smallest is what a reader would call simple: the rulebook, few players, tiles face down, dice that
show ones, and in a game the quick turns of :func:`_quick_turn`.
"""

from __future__ import annotations

from typing import Any

from hypothesis import assume, reject
from hypothesis import strategies as st

from pickomino._checks import shown
from pickomino.dice import FACES, WORM, Dice
from pickomino.equipment import STANDARD, Equipment
from pickomino.errors import GameError
from pickomino.play.engine import Action, GameState, Keep, Roll, Stop, TurnEnd
from pickomino.play.record import GameRecord
from pickomino.position import MAX_PLAYERS, Position
from pickomino.rules import SWITCHES, Rules

__all__ = [
    "FREE_TURNS",
    "MOST_TILES",
    "equipments",
    "games",
    "kept_dice",
    "positions",
    "rolls",
    "rules",
    "turn_states",
]

MOST_TILES = 16
"""Tiles of drawn equipment at most: as many as the game has."""

FREE_TURNS = 12
"""Turns of a drawn game that may be free, unless said: enough to cover and to steal some tiles."""


def rules() -> st.SearchStrategy[Rules]:
    """Any rule set: every switch at any of its values.

    Returns:
        A strategy that shrinks to the rulebook.
    """
    # The first value of every switch but one is the rulebook's; sampled_from shrinks to the first.
    values = {s: sorted(v, key=lambda x: x != getattr(Rules(), s)) for s, v in SWITCHES.items()}
    return st.builds(Rules, **{s: st.sampled_from(v) for s, v in values.items()})


@st.composite
def equipments(draw: st.DrawFn, max_dice: int = STANDARD.dice) -> Equipment:
    """Dice and tiles, some of which may lie beyond the highest total.

    Args:
        draw: Given by hypothesis.
        max_dice: The most dice, 1 to 10.

    Returns:
        A strategy that shrinks to one die and the tile 1 without a worm.

    Raises:
        GameError: A number of dice that is not 1 to 10.
    """
    if max_dice not in range(1, Equipment.MAX_DICE + 1):
        raise GameError(f"{shown(max_dice)} dice cannot be played: use 1 to {Equipment.MAX_DICE}")
    dice = draw(st.integers(1, max_dice))
    tiles = draw(st.sets(st.integers(1, 5 * dice + 2), min_size=1, max_size=MOST_TILES))
    worms = draw(st.lists(st.integers(0, 5), min_size=len(tiles), max_size=len(tiles)))
    return Equipment(dice, tuple(sorted(tiles)), tuple(worms))


@st.composite
def positions(
    draw: st.DrawFn,
    equipment: st.SearchStrategy[Equipment] | None = None,
    min_grill: int = 0,
    min_players: int = 1,
) -> Position:
    """Any position: each tile on the grill, in a stack or face down.

    Args:
        draw: Given by hypothesis.
        equipment: The dice and tiles; None for the standard game.
        min_grill: How many tiles lie on the grill at least; 1 for games that go on.
        min_players: The fewest players, 1 to 7.

    Returns:
        A strategy that shrinks to few players without tiles, the first to move, and the fewest
        tiles on the grill, the lowest.

    Raises:
        GameError: A number of players that is not 1 to 7.
    """
    if min_players not in range(1, MAX_PLAYERS + 1):
        raise GameError(f"{shown(min_players)} players cannot play: use 1 to {MAX_PLAYERS}")
    box = STANDARD if equipment is None else draw(equipment)
    tiles = box.tiles
    players = draw(st.integers(min_players, MAX_PLAYERS))
    # Zero, to which integers shrink, is face down; one is the grill; the others are the players.
    place = draw(st.lists(st.integers(0, players + 1), min_size=len(tiles), max_size=len(tiles)))
    for i in range(len(tiles)):
        if place.count(1) < min(min_grill, len(tiles)):
            place[i] = 1
    order = draw(st.permutations([i for i in range(len(tiles)) if place[i] > 1]))
    stacks = tuple(tuple(tiles[i] for i in order if place[i] == p + 2) for p in range(players))
    grill = tuple(tile for tile, p in zip(tiles, place, strict=True) if p == 1)
    return Position(grill, stacks, draw(st.integers(0, players - 1)), box)


@st.composite
def kept_dice(draw: st.DrawFn, dice: int = STANDARD.dice) -> Dice:
    """Some dice, at most as many as the game has; with all six faces or all dice the turn is over.

    Args:
        draw: Given by hypothesis.
        dice: How many dice the game has.

    Returns:
        A strategy that shrinks to no dice.
    """
    return _counted(draw(st.lists(st.integers(0, WORM), max_size=dice)))


@st.composite
def rolls(draw: st.DrawFn, dice: int = STANDARD.dice) -> Dice:
    """A roll of so many dice.

    Args:
        draw: Given by hypothesis.
        dice: How many dice are rolled.

    Returns:
        A strategy that shrinks to ones.
    """
    return _counted(draw(st.lists(st.integers(0, WORM), min_size=dice, max_size=dice)))


def _counted(faces: list[int]) -> Dice:
    return Dice(tuple(map(faces.count, range(6))))


_RULES = rules()


@st.composite
def turn_states(
    draw: st.DrawFn,
    positions: st.SearchStrategy[Position] | None = None,
    rules: st.SearchStrategy[Rules] = _RULES,
) -> GameState:
    """A moment of a turn: dice kept or none, and a roll on the table, a decision, or an open claim.

    Args:
        draw: Given by hypothesis.
        positions: The tables, none of them over; None for any position of the standard game.
        rules: The rule sets.

    Returns:
        A strategy that shrinks to a turn about to begin.
    """
    tables = _tables(min_grill=1) if positions is None else positions
    position, rule_set = draw(tables), draw(rules)
    assume(not position.is_over)
    dice = position.equipment.dice
    kept = draw(kept_dice(dice))
    claims = position.claims(kept.final, rule_set) if kept.final else ()
    over = kept.is_spent(dice)
    # A turn that has ended is a moment of its own only if its claim is open.
    if len(claims) > 1 and (over or draw(st.booleans())):
        return GameState(position, rule_set, kept, ended=True)
    assume(not over)
    if draw(st.booleans()):
        roll = draw(rolls(dice - kept.number))
        assume(roll.mask & ~kept.mask)
        return GameState(position, rule_set, kept, roll)
    return GameState(position, rule_set, kept)


# The parameter of turn_states hides the function's name.
_tables = positions


@st.composite
def games(
    draw: st.DrawFn,
    starts: st.SearchStrategy[Position] | None = None,
    rules: st.SearchStrategy[Rules] = _RULES,
    max_free_turns: int = FREE_TURNS,
) -> GameRecord:
    """A whole game, from its first moment until the grill is empty.

    Some turns are free, with any legal choices and any dice; the others are quick ones that take
    a tile from the grill, so that the game ends.

    Args:
        draw: Given by hypothesis.
        starts: The first tables; None for all tiles of the standard game on the grill and 2-7
            players.  Where no number of worms alone claims a tile of the grill, the game is
            rejected.
        rules: The rule sets.
        max_free_turns: How many turns may be free.

    Returns:
        A strategy that shrinks to the quick turns alone.
    """
    if starts is None:
        starts = st.integers(2, MAX_PLAYERS).map(Position.start)
    state = start = GameState(draw(starts), draw(rules))
    actions: list[Action] = []
    free = 0
    while not state.is_over:
        if free < max_free_turns and draw(st.booleans()):
            free += 1
            turn = draw(_free_turn(state))
        else:
            turn = _quick_turn(state)
        for action in turn:
            state = state.apply(action)
        actions += turn
    return GameRecord(start, tuple(actions))


@st.composite
def _free_turn(draw: st.DrawFn, state: GameState) -> list[Action]:
    actions: list[Action] = []
    end: TurnEnd | None = None
    while end is None:
        action: Any = draw(st.sampled_from(state.actions))
        if isinstance(action, Roll):
            action = Roll(draw(rolls(state.dice_left)))
        actions.append(action)
        state, end = state.play(action)
    return actions


def _quick_turn(state: GameState) -> list[Action]:
    """Roll the most worms that take a tile from the grill, and keep them."""
    dice = state.position.equipment.dice
    for worms in range(dice, 0, -1):
        roll = Roll(Dice((dice - worms, 0, 0, 0, 0, worms)))
        actions: list[Action] = [roll, Keep(FACES[WORM])]
        claims = state.position.claims(5 * worms, state.rules)
        if not any(claim.victim is None for claim in claims):
            continue
        after = state.apply(roll).apply(Keep(FACES[WORM]))
        if worms < dice:
            actions.append(Stop())
            after = after.apply(Stop())
        if after.ended:
            take = next(a for a in after.actions if a.claim.victim is None)  # type: ignore[union-attr]
            actions.append(take)
        return actions
    return reject()
