"""The two-player game: solved exactly or to a depth, and its tables."""

from pickomino.game.build import build_game
from pickomino.game.exact import GameSolution, solve_game
from pickomino.game.judge import Judge, Verdict
from pickomino.game.table import GameTable, open_game

__all__ = ["GameSolution", "GameTable", "Judge", "Verdict", "build_game", "open_game", "solve_game"]
