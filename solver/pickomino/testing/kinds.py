"""Where an observation differs from the state it should show, and a short name for what went wrong.

The name is derived from what should have happened and what did, so that the same mistake has the
same name in every game, and mistakes that nobody thought of have one too.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from pickomino.dice import Dice, keep
from pickomino.play.engine import Action, GameState, Keep, Roll
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


def kind_of(before: GameState, action: Action, after: GameState, got: Observation) -> str | None:
    """A short name for a difference.

    Args:
        before: The state before the action.
        action: What was done.
        after: The state that should follow.
        got: What the engine shows instead.

    Returns:
        The name, such as ``"total 37-40: stealing 36 instead of taking the next lower tile"``; None
        if there is no difference.
    """
    found = differences(after, got)
    if not found:
        return None
    if {"grill", "stacks", "mover", "over"} & set(found) and None not in (got.grill, got.stacks):
        total = _ended(before, action).total
        ours = _event(before.position, after.position, after.position is not before.position, total)
        ours = _CHOICE if after.ended else ours
        theirs = _event_seen(before.position, got, total)
        if theirs == _GOES_ON and _is_choice(got):
            theirs = _CHOICE
        if ours != theirs:
            return _contrast(before, action, ours, theirs)
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


def _final(before: GameState, action: Action) -> int:
    """The total that counts if the turn ends with this action."""
    dead = isinstance(action, Roll) and before.rules.dead_roll == "bust"
    return 0 if dead else _ended(before, action).final


def _event_seen(before: Position, got: Observation, total: int) -> str:
    grill, stacks = _sorted(got.grill) or (), _stacks(got.stacks) or ()
    after = _Table(grill, stacks)
    moved = got.mover is not None and got.mover != before.mover
    same = (grill, stacks) == (before.grill, before.stacks)
    return _event(before, after, moved or bool(got.over) or not same, total)


def _is_choice(got: Observation) -> bool:
    """Whether claims are all that is legal."""
    return bool(got.legal) and all(str(action).startswith("take") for action in got.legal or ())


class _Table:
    """Tiles as an engine shows them, which need not make a position."""

    def __init__(self, grill: tuple[int, ...], stacks: tuple[tuple[int, ...], ...]) -> None:
        self.grill, self.stacks = grill, stacks


def _event(before: Position, after: Position | _Table, ended: bool, total: int) -> str:
    """What happened to the tiles, in words that fit every game."""
    if not ended:
        return _GOES_ON
    if len(after.stacks) != len(before.stacks):
        return "another number of players"
    mine, now = before.own, after.stacks[before.mover]
    others = [(before.stacks[p], after.stacks[p]) for p in before.opponents]
    if len(now) == len(mine) + 1 and now[:-1] == mine:
        return _gain(before, after, now[-1], total)
    if any(old != new for old, new in others) or now not in (mine, mine[:-1]):
        return "changing stacks in another way"
    if mine and now == mine:
        return "neither claim nor bust"
    returned = mine[-1:]
    face_up = {*before.grill, *returned}
    gone = face_up - set(after.grill)
    if set(after.grill) - face_up:
        return "changing the grill in another way"
    if not gone:
        return _BUST + "no flip"
    if gone == set(returned):
        return _BUST + "the returned tile flipped"
    return _BUST + (
        "the highest tile flipped" if gone == {max(face_up)} else "another tile flipped"
    )


def _gain(before: Position, after: Position | _Table, tile: int, total: int) -> str:
    tops = [before.stacks[p][-1] for p in before.opponents if before.stacks[p]]
    lower = [t for t in before.grill if t < total]
    if tile in before.grill:
        what = "taking a higher tile" if tile > total else "taking a lower tile, not the next"
        what = "taking the tile of the total" if tile == total else what
        what = "taking the next lower tile" if lower and tile == lower[-1] else what
        clean = set(before.grill) - {tile} == set(after.grill)
    elif tile in tops:
        above = total > before.equipment.tiles[-1]
        what = f"stealing {tile}" if above else "stealing another tile"
        what = "stealing the tile of the total" if tile == total else what
        clean = all(tile not in after.stacks[p] for p in before.opponents)
    else:
        return "taking a tile from elsewhere"
    return what if clean else f"{what} and leaving it there too"


def _contrast(before: GameState, action: Action, ours: str, theirs: str) -> str:
    if ours == _GOES_ON:
        bust = theirs.startswith(_BUST)
        return f"{'bust' if bust else 'turn ended'} although the turn can go on"
    if ours == _CHOICE:
        return f"several claims open: {theirs} instead of {ours}"
    if theirs == _GOES_ON:
        return f"{_reason(before, action)}: {theirs} instead of ending the turn"
    if ours.startswith(_BUST) and theirs.startswith(_BUST):
        return f"bust: {theirs.removeprefix(_BUST)} instead of {ours.removeprefix(_BUST)}"
    # What is flipped does not matter where no bust, or a bust, was due.
    ours, theirs = ("bust" if words.startswith(_BUST) else words for words in (ours, theirs))
    return f"{_situation(before, action)}: {theirs} instead of {ours}"


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


def _situation(before: GameState, action: Action) -> str:
    """How the total of the turn lies to the tiles."""
    position, total = before.position, _final(before, action)
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
