"""Policies held against each other as Markov chains."""

from functools import cache

import pytest

from pickomino import Rules
from pickomino.game.listing import list_game
from pickomino.game.model import Model
from pickomino.game.policies import one_turn_policy, optimal_policy, policy_values
from pickomino.game.solve import solve_game
from pickomino.play.match import play_match
from pickomino.play.players import make_player
from samples import facts, game_of, is_near

DATA = facts("games.json")
FIVE = game_of(21, 24, 27, 30, 33)


@cache
def five_tiles():
    """The game of five tiles, played for the win."""
    return list_game(Model(FIVE, Rules(), "win"))


@cache
def one_turn(objective):
    """How a player plays it who looks only at the turn."""
    return one_turn_policy(five_tiles(), objective)


def test_playing_for_the_win_is_where_the_game_beyond_one_turn_pays():
    """Exact policies against one-turn players, as Markov chains; the figures of another program."""
    solved, margin = (solve_game(FIVE, objective=objective) for objective in ("win", "margin"))
    graph = five_tiles()
    players = {"win": optimal_policy(solved, graph), "margin": optimal_policy(margin, graph)}
    for pair, expected in DATA["policies"].items():
        if pair != "about":
            mine, theirs = pair.split(" against ")
            first, second = policy_values(graph, players[mine], one_turn(theirs))
            assert (1 + (first + second) / 2) / 2 == pytest.approx(expected, abs=0.005)
    first, second = policy_values(graph, players["win"], players["win"])
    assert (1 + first) / 2 == pytest.approx(solved.value, abs=1e-12)
    assert second == pytest.approx(-first, abs=1e-12)


def test_exact_evaluation_agrees_with_matches():
    """Swing against worms on five tiles: a simulated match holds the exact share."""
    first, second = policy_values(five_tiles(), one_turn("swing"), one_turn("worms"))
    share = (1 + (first + second) / 2) / 2
    players = [make_player("swing"), make_player("worms")]
    played = play_match(
        players, 1000, equipment=FIVE.equipment, seed=3, jobs=1, progress=False
    ).standings[0]
    assert is_near(played, share)
