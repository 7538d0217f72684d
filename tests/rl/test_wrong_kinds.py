"""Whatever kind of thing stands for an argument of an environment."""

import functools

import numpy as np
import pytest

from kinds import tried
from pickomino import GameState, Roll
from pickomino.rl import (
    Codec,
    Game,
    PickominoAEC,
    PickominoEnv,
    PickominoParallel,
    env,
    parallel_env,
)
from samples import FOUR_TILES

SETTINGS = {"rules": "bga", "equipment": FOUR_TILES, "reward": "win", "max_turns": 9}
SHOWN = {**SETTINGS, "render_mode": None}
SINGLE = {"opponents": ["random"], "seat": 0, **SHOWN}
RESET = {"seed": 1, "options": {"start": "9,10,12,14 -/- 1 4d:9x1,10x2,12x1,14x3"}}
STATE = GameState.start(2, rules="bga", equipment=FOUR_TILES)


def begun(environment):
    """The same environment at the start of a game."""
    environment.reset(seed=1)
    return environment


def restarted(environment, method):
    """A method of an environment, which begins a game before each call."""

    @functools.wraps(getattr(environment, method))
    def call(**words):
        return getattr(begun(environment), method)(**words)

    return call


def used(make):
    """What is made is used, so that what it cannot do with its settings is known at once."""

    @functools.wraps(make)
    def call(**words):
        return repr(begun(make(**words)))

    return call


CALLS = {
    "env": (used(env), {"players": 2, **SHOWN}),
    "aec": (used(PickominoAEC), {"players": 2, **SHOWN}),
    "parallel_env": (used(parallel_env), {"players": 2, **SHOWN, "max_cycles": 9}),
    "single": (used(PickominoEnv), SINGLE),
    "game": (Game, {"players": 2, **SETTINGS}),
    "codec": (Codec, {"players": 2, "rules": "bga", "equipment": FOUR_TILES}),
}
OBJECTS = [
    (PickominoAEC, {"reset": RESET, "step": {"action": 0}, "observe": {"agent": "player_0"}}),
    (PickominoParallel, {"reset": RESET, "step": {"actions": {"player_0": 0}}}),
    (PickominoEnv, {"reset": RESET, "step": {"action": 0}}),
]


@pytest.mark.parametrize("name", CALLS)
def test_environments_take_no_wrong_kind(name):
    """Of players, rules, rewards, limits, seats."""
    assert tried(*CALLS[name]) == []


@pytest.mark.parametrize(("kind", "methods"), OBJECTS, ids=[kind.__name__ for kind, _ in OBJECTS])
def test_methods_of_environments_take_no_wrong_kind(kind, methods):
    """Of seeds, starts, actions and agents."""
    made = kind(**({} if kind is PickominoEnv else {"players": 2}), equipment=FOUR_TILES)
    for method, words in methods.items():
        assert (method, tried(restarted(made, method), words)) == (method, [])


def test_codecs_take_no_wrong_kind():
    """Of states, numbers, observations and seats."""
    codec = Codec(2, STATE.rules, FOUR_TILES)
    calls = {
        "index": {"action": Roll()},
        "action": {"state": STATE, "number": codec.index(Roll())},
        "mask": {"state": STATE},
        "encode": {"state": STATE, "seat": 0},
        "decode": {"observation": codec.encode(STATE), "seat": 0},
    }
    for method, words in calls.items():
        assert (method, tried(getattr(codec, method), words)) == (method, [])


@pytest.mark.filterwarnings("ignore:.*nothing is rendered")
def test_games_take_no_wrong_kind():
    """Of starts, actions, generators and seats."""
    game = Game(2, rules="bga", equipment=FOUR_TILES)
    calls = {
        "begin": {"options": RESET["options"]},
        "play": {"action": Roll(), "rng": np.random.default_rng(1)},
        "mask": {"seat": 0},
        "observe": {"seat": 0},
        "info": {"seat": 0},
        "render": {"mode": None},
    }
    for method, words in calls.items():

        @functools.wraps(getattr(game, method))
        def call(method=method, **given):
            game.begin()
            return getattr(game, method)(**given)

        assert (method, tried(call, words)) == (method, [])
