"""What is cached or shared by callers is read-only, so that nobody changes it for the others."""

import dataclasses

import numpy as np
import pytest

from pickomino import EQUIPMENT, PRESETS, Advisor, TurnTable, advise, solve_game, solve_turn
from pickomino.equipment import JUNIOR
from pickomino.game.model import Model
from pickomino.game.spec import GameSpec
from pickomino.rules import SWITCHES, Rules
from pickomino.tables.keys import make_keys
from pickomino.turn.graph import turn_graph
from samples import FOUR_TILES, SPEC, START


def arrays_of(record, seen):
    """All arrays that a record leads to, with the ways to them."""
    found, waiting = [], [(type(record).__name__, record)]
    while waiting:
        way, value = waiting.pop()
        if id(value) in seen:
            continue
        seen[id(value)] = value
        if isinstance(value, np.ndarray):
            found.append((way, value))
        elif isinstance(value, (list, tuple)):
            waiting += [(f"{way}[{i}]", item) for i, item in enumerate(value)]
        elif type(value).__module__.startswith("pickomino"):
            names = {*vars(value), *dir(type(value))} if hasattr(value, "__dict__") else set()
            public = [n for n in names if not n.startswith("_") and n != "blocks"]
            for name in public:
                item = getattr(value, name)
                if not callable(item):
                    waiting.append((f"{way}.{name}", item))
    return found


def test_no_shared_array_can_be_written(table):
    """Turns, graphs, automata, games, tables: every array that a public attribute leads to."""
    solved = solve_turn("21-36 -/- 1")
    solved.distribution("")
    shared = [
        solved,
        turn_graph(8),
        make_keys(Rules(), JUNIOR, "worms", 0),
        solve_game(START),
        Advisor(objective="win").ask(START),
        GameSpec(equipment=FOUR_TILES),
        Model(START, Rules(), "win"),
        SPEC,
        TurnTable.open(table),
    ]
    seen = {}
    found = [array for record in shared for array in arrays_of(record, seen)]
    assert len(found) > 30
    assert [way for way, array in found if array.flags.writeable] == []


def test_nobody_poisons_advice():
    """Writing into a solution gave everybody its numbers."""
    before = advise("21-36 -/- 1")
    with pytest.raises(ValueError, match="read-only"):
        solve_turn("21-36 -/- 1").above[:] = 99
    assert advise("21-36 -/- 1") == before


@pytest.mark.parametrize("shared", [PRESETS, EQUIPMENT, SWITCHES])
def test_names_are_read_only(shared):
    """Presets, equipment and switches cannot be changed under everybody's hands."""
    with pytest.raises(TypeError, match="does not support item assignment"):
        shared[next(iter(shared))] = None
    with pytest.raises(dataclasses.FrozenInstanceError):
        JUNIOR.dice = 5
