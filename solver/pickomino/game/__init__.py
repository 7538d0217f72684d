"""The two-player game: solved exactly or to a depth, its tables, and who answers for a position."""

from pickomino.game.build import build_game
from pickomino.game.exact import (
    GameSolution,
    one_turn_policy,
    optimal_policy,
    policy_values,
    solve_game,
)
from pickomino.game.judge import Judge, Verdict
from pickomino.game.spec import GameSpec
from pickomino.game.table import GameTable, open_game
from pickomino.game.verify import verify_game

__all__ = [
    "GameSolution",
    "GameSpec",
    "GameTable",
    "Judge",
    "Verdict",
    "build_game",
    "one_turn_policy",
    "open_game",
    "optimal_policy",
    "policy_values",
    "solve_game",
    "verify_game",
]
