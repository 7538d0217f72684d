"""Making a script short: the same kind of difference with fewer turns, tiles and players."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pickomino.play.engine import GameState
from pickomino.position import Position
from pickomino.testing._chooser import player
from pickomino.testing.adapter import Adapter, SetUpAdapter
from pickomino.testing.script import Choose, Script, follow, scripted

TRIES = 300
"""Games begun anew in search of a shorter script, each left where it gets no shorter."""


def reduced(adapter: Adapter, script: Script) -> Script:
    """The shortest script found for the same kind of difference.

    Args:
        adapter: The engine.
        script: A script that shows the difference.

    Returns:
        From a set-up position one turn, if the engine offers that and the turn shows the
        difference; otherwise the game with all turns left out that can be.
    """
    turns = script.turns()
    if isinstance(adapter, SetUpAdapter) and turns:
        start, actions = turns[-1]
        short = _again(adapter, script.kind, start, scripted(actions), len(actions))
        if short is not None:
            for _ in range(2):
                short = _smaller_table(adapter, _sooner(adapter, short))
            return short
    return _fewer_turns(adapter, _sooner(adapter, _fewer_turns(adapter, script)))


def _again(
    adapter: Adapter, kind: str, start: GameState, choose: Choose, limit: int
) -> Script | None:
    """A run that shows the same kind of difference; None if it does not."""
    try:
        script = follow(adapter, start, choose, limit)[1]
    except Exception:  # a table that the engine cannot set up shows nothing
        return None
    return script if script is not None and script.kind == kind else None


def _fewer_turns(adapter: Adapter, script: Script) -> Script:
    """Leave out runs of turns, long ones first, as long as the difference stays."""
    before = len(script.actions) + 1
    while len(script.actions) < before:
        before = len(script.actions)
        size = len(script.turns()) // 2
        while size:
            script = _without_runs(adapter, script, size)
            size -= 1 if size < 4 else size // 2
    return script


def _without_runs(adapter: Adapter, script: Script, size: int) -> Script:
    """Leave out every run of so many turns that can be."""
    turns, at = script.turns(), 0
    while at + size < len(turns):
        rest = turns[:at] + turns[at + size :]
        actions = [action for _, turn in rest for action in turn]
        found = _again(adapter, script.kind, script.start, scripted(actions), len(actions))
        if found is None:
            at += 1
        else:
            script, turns = found, found.turns()
    return script


def _sooner(adapter: Adapter, script: Script) -> Script:
    """Other dice and choices from the same start may show the difference sooner."""
    for number in range(TRIES):
        found = _again(
            adapter, script.kind, script.start, player(str(number)), len(script.actions) - 1
        )
        script = script if found is None else found
    return script


def _smaller_table(adapter: Adapter, script: Script) -> Script:
    """Take away players and tiles as long as the difference stays."""
    changed = True
    while changed:
        changed = False
        for position in _smaller(script.start.position):
            start = replace(script.start, position=position)
            found = _again(
                adapter, script.kind, start, scripted(script.actions), len(script.actions)
            )
            if found is not None:
                script, changed = found, True
                break
    return script


def _smaller(position: Position) -> Iterator[Position]:
    """Tables with one thing less, the coarse changes first."""
    stacks, mover, grill = position.stacks, position.mover, position.grill
    if len(stacks) > 2:
        for p in position.opponents:
            left = mover - 1 if p < mover else mover
            yield replace(position, stacks=stacks[:p] + stacks[p + 1 :], mover=left)
    if mover:
        yield replace(position, stacks=stacks[mover:] + stacks[:mover], mover=0)
    half = len(grill) // 2
    if half > 1:
        yield replace(position, grill=grill[:half])
        yield replace(position, grill=grill[half:])
    for at in range(len(grill)):
        yield replace(position, grill=grill[:at] + grill[at + 1 :])
    for p, stack in enumerate(stacks):
        for at in range(len(stack)):
            less = stack[:at] + stack[at + 1 :]
            yield replace(position, stacks=(*stacks[:p], less, *stacks[p + 1 :]))
