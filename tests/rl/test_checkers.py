"""What the libraries of the environments demand."""

import warnings
from types import SimpleNamespace

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.utils.conversions import aec_wrapper_fn

from pickomino import STANDARD, Rules
from pickomino.rl import REWARDS, env, parallel_env
from samples import PRESETS_AND_PLAYERS, SIX_TILES

with warnings.catch_warnings():
    # Its import builds one of PettingZoo's own games in a way that PettingZoo has deprecated.
    warnings.simplefilter("ignore")
    from pettingzoo.test import (
        api_test,
        max_cycles_test,
        parallel_api_test,
        parallel_seed_test,
        seed_test,
    )


# PettingZoo spares its own games these remarks by name: on observations with a mask, which it
# recommends, and on the empty mask of an agent whose game is over.
third_party = [
    pytest.mark.filterwarnings(f"ignore:{message}:UserWarning")
    for message in (
        "Observation is not a NumPy array",
        "Observation space for each agent probably should be",
        "Action mask numpy array is all zeros",
    )
]


def marked(test):
    """A test without the remarks."""
    for mark in third_party:
        test = mark(test)
    return test


@marked
@pytest.mark.parametrize(("rules", "players"), PRESETS_AND_PLAYERS)
@pytest.mark.parametrize("reward", REWARDS)
def test_pettingzoo_accepts_the_aec_environment(rules, players, reward):
    """Its `api_test` passes for every preset, 2-7 players, and every reward."""
    for box in (STANDARD, SIX_TILES):
        api_test(
            env(players, rules=rules, equipment=box, reward=reward, render_mode="ansi"),
            num_cycles=60,
        )


@pytest.mark.parametrize(("rules", "players"), PRESETS_AND_PLAYERS)
def test_pettingzoo_finds_the_aec_environment_seeded(rules, players):
    """Its `seed_test` passes for every preset and 2-7 players."""
    seed_test(lambda: env(players, rules=rules, equipment=SIX_TILES), num_cycles=60)
    seed_test(lambda: env(players, rules=Rules.preset(rules)), num_cycles=20)


@pytest.mark.parametrize("players", [2, 4, 7])
def test_pettingzoo_accepts_the_parallel_environment(players):
    """Its tests of parallel environments and of the maximal number of cycles pass."""
    parallel_api_test(parallel_env(players), num_cycles=100)
    parallel_api_test(parallel_env(players, equipment=SIX_TILES), num_cycles=2000)
    parallel_seed_test(
        lambda: parallel_env(players, rules="bga", equipment=SIX_TILES), num_cycles=200
    )
    turns = {"parallel_env": parallel_env, "env": aec_wrapper_fn(parallel_env)}
    max_cycles_test(SimpleNamespace(**turns))


@pytest.mark.parametrize(("rules", "players"), PRESETS_AND_PLAYERS)
@pytest.mark.parametrize("seat", [0, 1, None])
def test_gymnasium_accepts_the_single_environment(rules, players, seat):
    """Its `check_env` passes for every preset, 1-6 opponents, first or later seats."""
    made = gymnasium.make(
        "pickomino.rl:pickomino/Seat-v0",
        opponents=("random",) * (players - 1),
        rules=rules,
        seat=seat,
        render_mode="ansi",
    )
    check_env(made.unwrapped)


@pytest.mark.parametrize("reward", REWARDS)
def test_gymnasium_accepts_whole_games(reward):
    """Its passive checks are silent from the first decision to the end, also in a vector."""
    made = gymnasium.make("pickomino/Seat-v0", opponents=("cautious", "random"), reward=reward)
    _, info = made.reset(seed=5)
    made.action_space.seed(5)
    for _ in range(5000):
        *_, terminated, truncated, info = made.step(made.action_space.sample(info["action_mask"]))
        if terminated or truncated:
            break
    assert terminated
    assert not truncated
    vector = gymnasium.make_vec("pickomino/Seat-v0", num_envs=2, vectorization_mode="sync")
    seen, _ = vector.reset(seed=1)
    assert seen["observation"].shape == (2, 66)
    assert vector.step(np.zeros(2, np.int64))[0]["action_mask"].shape == (2, 24)
    vector.close()
