"""Tests of implementations of the rules: strategies for hypothesis, and a check of other engines.

The strategies draw everything the rules speak of and shrink to small examples.
:func:`check_conformance` drives someone else's engine through the same dice and choices as
:class:`pickomino.play.engine.GameState` and reports where the two part; ``docs/conformance.md``
shows it at work.

In reading order:

===============  =================================================================================
``strategies``   hypothesis strategies for everything the rules speak of
``adapter``      what an engine must offer to be checked
``_chooser``     how the games of a check are played, so that rare things happen
``script``       driving an engine and ours side by side, up to the first difference
``_kinds``       a short name for what went wrong
``_reduce``      making a script short
``conformance``  the check itself, and what it found
===============  =================================================================================
"""

try:
    import hypothesis as _hypothesis  # noqa: F401
except ImportError:
    need = "pickomino.testing needs hypothesis: install it with pip install 'pickomino[testing]'"
    raise ModuleNotFoundError(need, name="hypothesis") from None

from pickomino.testing.adapter import Adapter, Inexpressible, Observation, SetUpAdapter
from pickomino.testing.conformance import Conformance, Deviation, check_conformance
from pickomino.testing.script import Script
from pickomino.testing.strategies import (
    equipments,
    games,
    kept_dice,
    positions,
    rolls,
    rules,
    turn_states,
)

__all__ = [
    "Adapter",
    "Conformance",
    "Deviation",
    "Inexpressible",
    "Observation",
    "Script",
    "SetUpAdapter",
    "check_conformance",
    "equipments",
    "games",
    "kept_dice",
    "positions",
    "rolls",
    "rules",
    "turn_states",
]
