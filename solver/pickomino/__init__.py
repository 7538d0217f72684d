"""Exact optimal play for the dice game Pickomino (Heckmeck, Regenwormen).

The names below are the public interface; :mod:`pickomino.turn.batch` adds solving by the thousand.
"""

from pickomino._version import __version__ as __version__
from pickomino.advice import (
    ClaimChance,
    KeepAdvice,
    Odds,
    Option,
    StopAdvice,
    advise,
    odds,
    reach_chances,
    solve_turn,
)
from pickomino.dice import Dice
from pickomino.equipment import JUNIOR, STANDARD, Equipment
from pickomino.errors import (
    DiceError,
    GameOverError,
    MissingTableError,
    ObjectiveError,
    PickominoError,
    PositionError,
    RulesError,
    TableError,
)
from pickomino.objectives import Outcome
from pickomino.position import Claim, Position
from pickomino.rules import PRESETS, Rules
from pickomino.tables.lookup import open_tables

__all__ = [
    "JUNIOR",
    "PRESETS",
    "STANDARD",
    "Claim",
    "ClaimChance",
    "Dice",
    "DiceError",
    "Equipment",
    "GameOverError",
    "KeepAdvice",
    "MissingTableError",
    "ObjectiveError",
    "Odds",
    "Option",
    "Outcome",
    "PickominoError",
    "Position",
    "PositionError",
    "Rules",
    "RulesError",
    "StopAdvice",
    "TableError",
    "advise",
    "odds",
    "open_tables",
    "reach_chances",
    "solve_turn",
]
