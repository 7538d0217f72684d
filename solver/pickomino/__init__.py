"""Exact optimal play for the dice game Pickomino (Heckmeck, Regenwormen).

The names below are the public interface; :mod:`pickomino.batch` adds solving by the thousand.
"""

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
from pickomino.errors import (
    DiceError,
    GameOverError,
    ObjectiveError,
    PickominoError,
    PositionError,
    RulesError,
)
from pickomino.objectives import Outcome
from pickomino.position import Claim, Position
from pickomino.rules import JUNIOR, PRESETS, STANDARD, Equipment, Rules

__version__ = "0.1.0"

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
    "advise",
    "odds",
    "reach_chances",
    "solve_turn",
]
