"""The two-player game, solved exactly where its positions can be listed."""

from pickomino.game.exact import GameSolution, solve_game

__all__ = ["GameSolution", "solve_game"]
