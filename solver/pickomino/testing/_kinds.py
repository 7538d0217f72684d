"""Where an observation differs from the state it should show, and a short name for what went wrong.

The name is derived from what should have happened and what did, so that the same mistake has the
same name in every game, and mistakes that nobody thought of have one too.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from pickomino.dice import Dice, keep
from pickomino.play.engine import Action, GameState, Keep, Roll, TurnEnd
from pickomino.position import Position
from pickomino.testing.adapter import Observation

_GOES_ON = "going on"
_CHOICE = "leaving the choice"
_BUST = "bust with "


def differences(state: GameState, got: Observation) -> dict[str, tuple[Any, Any]]:
    """The fields that an engine tells and tells differently.

    Args:
        state: What should be seen.
        got: What is seen.

    Returns:
        For each differing field what was expected and what was got, in comparable form.
    """
    pairs: dict[str, tuple[Any, Any]] = {
        "grill": (state.position.grill, _sorted(got.grill)),
        "stacks": (state.position.stacks, _stacks(got.stacks)),
        "over": (state.is_over, got.over),
    }
    if state.is_over:
        pairs["winners"] = (state.winners, _sorted(got.winners) if got.over is not False else None)
    else:
        legal = None if got.legal is None else sorted(map(str, got.legal))
        pairs |= {
            "mover": (state.mover, got.mover),
            "kept": (state.kept, None if got.kept is None else Dice.of(got.kept)),
            "legal": (sorted(map(str, state.actions)), legal),
        }
    return {k: (ours, theirs) for k, (ours, theirs) in pairs.items() if theirs not in (None, ours)}


def _sorted(numbers: Collection[int] | None) -> tuple[int, ...] | None:
    return None if numbers is None else tuple(sorted(int(n) for n in numbers))


def _stacks(stacks: Sequence[Sequence[int]] | None) -> tuple[tuple[int, ...], ...] | None:
    return None if stacks is None else tuple(tuple(int(t) for t in stack) for stack in stacks)


def kind_of(
    before: GameState, action: Action, after: GameState, end: TurnEnd | None, got: Observation
) -> str | None:
    """A short name for a difference.

    Args:
        before: The state before the action.
        action: What was done.
        after: The state that should follow.
        end: How the turn should have ended; None if it goes on.
        got: What the engine shows instead.

    Returns:
        The name, such as ``"total 37-40: stealing 36 instead of taking the next lower tile"``; None
        if there is no difference.
    """
    found = differences(after, got)
    if not found:
        return None
    if {"grill", "stacks", "mover", "over"} & set(found) and None not in (got.grill, got.stacks):
        theirs = _event_seen(before.position, got, _ended(before, action).total)
        if theirs == _GOES_ON and _is_choice(got):
            theirs = _CHOICE
        if end is None:
            ours = _CHOICE if after.ended else _GOES_ON
            if ours != theirs:
                return _contrast_going_on(ours, theirs)
        elif _event(before.position, end) != theirs:
            return _contrast(before, action, end, theirs)
    if after.ended and "legal" in found and not _is_choice(got):
        return f"{_reason(before, action)}: {_GOES_ON} instead of ending the turn"
    name = next(
        n for n in ("over", "mover", "stacks", "grill", "kept", "legal", "winners") if n in found
    )
    return _field(name, *found[name], after)


def _ended(before: GameState, action: Action) -> Dice:
    """The dice with which the turn ends if it ends with this action."""
    if isinstance(action, Keep) and before.roll is not None:
        return keep(before.kept, before.roll, action.face)
    return before.kept


def _is_choice(got: Observation) -> bool:
    """Whether claims are all that is legal."""
    return bool(got.legal) and all(str(action).startswith("take") for action in got.legal or ())


def _event(before: Position, end: TurnEnd) -> str:
    """What the end of a turn does to the tiles, in words that fit every game."""
    if end.claim is not None:
        return _claimed(before, end.claim.tile, end.total)
    return _bust(before, set() if end.flipped is None else {end.flipped})


def _event_seen(before: Position, got: Observation, total: int) -> str:
    """What an engine shows to have happened to the tiles, in the same words and some more.

    Args:
        before: The table before the action.
        got: What the engine shows now, tiles included; they need not make a position.
        total: The sum of the kept dice, with a worm or without.
    """
    grill, stacks = _sorted(got.grill) or (), _stacks(got.stacks) or ()
    moved = got.mover is not None and got.mover != before.mover
    if not moved and not got.over and (grill, stacks) == (before.grill, before.stacks):
        return _GOES_ON
    if len(stacks) != len(before.stacks):
        return "another number of players"
    mine, now = before.own, stacks[before.mover]
    if len(now) == len(mine) + 1 and now[:-1] == mine:
        return _gain(before, grill, stacks, total)
    others_differ = any(before.stacks[p] != stacks[p] for p in before.opponents)
    if others_differ or now not in (mine, mine[:-1]):
        return "changing stacks in another way"
    if mine and now == mine:
        return "neither claim nor bust"
    face_up = {*before.grill, *mine[-1:]}
    if set(grill) - face_up:
        return "changing the grill in another way"
    return _bust(before, face_up - set(grill))


def _gain(
    before: Position, grill: tuple[int, ...], stacks: tuple[tuple[int, ...], ...], total: int
) -> str:
    """What it looks like when the mover has one tile more."""
    tile = stacks[before.mover][-1]
    if tile in before.grill:
        clean = set(before.grill) - {tile} == set(grill)
    elif any(before.stacks[p][-1:] == (tile,) for p in before.opponents):
        clean = all(tile not in stacks[p] for p in before.opponents)
    else:
        return "taking a tile from elsewhere"
    what = _claimed(before, tile, total)
    return what if clean else f"{what} and leaving it there too"


def _claimed(before: Position, tile: int, total: int) -> str:
    """How a tile taken from the grill or from the top of a stack lies to the total."""
    if tile not in before.grill:
        if tile == total:
            return "stealing the tile of the total"
        return f"stealing {tile}" if total > before.equipment.tiles[-1] else "stealing another tile"
    if tile == total:
        return "taking the tile of the total"
    if tile > total:
        return "taking a higher tile"
    is_next = tile == max(t for t in before.grill if t < total)
    return "taking the next lower tile" if is_next else "taking a lower tile, not the next"


def _bust(before: Position, flipped: set[int]) -> str:
    """A bust of the mover after which these tiles lie face down."""
    if not flipped:
        return _BUST + "no flip"
    if flipped == set(before.own[-1:]):
        return _BUST + "the returned tile flipped"
    highest = max((*before.grill, *before.own[-1:]))
    return _BUST + ("the highest tile flipped" if flipped == {highest} else "another tile flipped")


def _contrast_going_on(ours: str, theirs: str) -> str:
    """What is wrong if the turn should not have come to its end."""
    if ours == _CHOICE:
        return f"several claims open: {theirs} instead of {ours}"
    bust = theirs.startswith(_BUST)
    return f"{'bust' if bust else 'turn ended'} although the turn can go on"


def _contrast(before: GameState, action: Action, end: TurnEnd, theirs: str) -> str:
    """What is wrong if the turn should have ended so."""
    ours = _event(before.position, end)
    if theirs == _GOES_ON:
        return f"{_reason(before, action)}: {theirs} instead of ending the turn"
    if end.bust and theirs.startswith(_BUST):
        return f"bust: {theirs.removeprefix(_BUST)} instead of {ours.removeprefix(_BUST)}"
    # What is flipped does not matter where no bust, or a bust, was due.
    seen = "bust" if theirs.startswith(_BUST) else theirs
    due = "bust" if end.bust else ours
    return f"{_situation(before.position, action, end.total)}: {seen} instead of {due}"


def _reason(before: GameState, action: Action) -> str:
    """Why the turn ends."""
    if isinstance(action, Roll):
        return "dead roll"
    if isinstance(action, Keep) and before.roll is not None:
        kept = keep(before.kept, before.roll, action.face)
        return (
            "all dice kept" if kept.number == before.position.equipment.dice else "all faces kept"
        )
    return str(action).split()[0]


def _situation(position: Position, action: Action, total: int) -> str:
    """How the final total of the turn lies to the tiles."""
    box = position.equipment
    if not total:
        return "dead roll" if isinstance(action, Roll) else "no worm kept"
    if total > box.tiles[-1]:
        return f"total {box.tiles[-1] + 1}-{box.max_total}"
    if position.own[-1:] == (total,):
        return "total of the own top"
    if any(position.stacks[p][-1:] == (total,) for p in position.opponents):
        return "total of an opponent's top"
    if total in position.grill:
        return "total of a grill tile"
    return "total below every tile" if total < min(position.grill) else "total between tiles"


def _field(name: str, ours: Any, theirs: Any, after: GameState) -> str:
    """A name for a difference in one field, the tiles being as they should."""
    if name == "over":
        return (
            "game over with tiles on the grill" if theirs else "game not over with an empty grill"
        )
    if name == "kept":
        more = theirs.number - ours.number
        return f"{'more' if more > 0 else 'fewer' if more < 0 else 'other'} dice kept"
    if name == "legal":
        extra = {_legal_word(text, after) for text in set(theirs) - set(ours)}
        lacking = {_legal_word(text, after) for text in set(ours) - set(theirs)}
        parts = [f"{w} is legal" for w in sorted(extra)]
        return ", ".join([*parts, *(f"{w} is not legal" for w in sorted(lacking))]) or "legal twice"
    return {"mover": "another player to move", "winners": "other winners"}.get(
        name, f"other {name}"
    )


def _legal_word(text: str, after: GameState) -> str:
    word, _, rest = text.partition(" ")
    if word == "keep":
        return (
            "keeping a face kept before" if rest and rest in str(after.kept) else "keeping a face"
        )
    return {"roll": "rolling", "stop": "stopping"}.get(word, word)
