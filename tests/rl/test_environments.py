"""Environments: what is paid, how they are seeded and set up, and what they refuse."""

import itertools
import logging
import subprocess
import sys

import numpy as np
import pytest

from pickomino import Equipment, PickominoError
from pickomino.errors import GameError
from pickomino.play.engine import GameState
from pickomino.play.players import RandomPlayer, make_player
from pickomino.rl import (
    REWARDS,
    EnvironmentSetupError,
    PickominoAEC,
    PickominoEnv,
    env,
    parallel_env,
)
from samples import PRESETS_AND_PLAYERS, SIX_TILES


def play(environment, seed, choose):
    """A game of an AEC environment: its rewards step by step, and its states."""
    environment.reset(seed=seed)
    raw, rewards, states = environment.unwrapped, [], []
    for agent in environment.agent_iter():
        _, _, terminated, truncated, _ = environment.last()
        if terminated or truncated:
            environment.step(None)
            continue
        states.append(raw.game)
        environment.step(raw.codec.index(choose(agent, raw.game)))
        rewards.append(list(raw.rewards.values()))
    return rewards, [*states, raw.game]


def by(player, seed=0):
    """A choice for :func:`play` by one player for all seats."""
    rng = np.random.default_rng(seed)
    return lambda agent, state: player.choose(state, rng)


@pytest.mark.parametrize(("rules", "players"), PRESETS_AND_PLAYERS)
@pytest.mark.parametrize("reward", REWARDS)
def test_what_is_paid(rules, players, reward):
    """Each reward sums over players and steps as documented, in whole random games."""
    made = env(players, rules=rules, equipment=SIX_TILES, reward=reward, max_turns=5000)
    for seed in range(2):
        rewards, states = play(made, seed, by(RandomPlayer(), seed))
        last, totals = states[-1], np.sum(rewards, axis=0)
        assert last.is_over
        assert np.sum(rewards, axis=1)[:-1] == pytest.approx(0)
        assert totals.sum() == pytest.approx(int(reward == "share"))
        wins = np.isin(range(players), last.winners) / len(last.winners)
        worms = np.array([last.position.worms(p) for p in range(players)])
        others = (worms.sum() - worms) / (players - 1)
        expected = {
            "win": (players * wins - 1) / (players - 1),
            "share": wins,
            "worms": worms - others,
        }
        assert totals == pytest.approx(expected[reward])
        if reward != "worms":
            assert not np.any(rewards[:-1])


@pytest.mark.parametrize(
    ("start", "rules", "expected"),
    [
        ("21 22/- 1 kept=1555W", "rulebook", [1, -1]),
        ("21 -/22/- 1 kept=1555W", "rulebook", [-0.5, 1, -0.5]),
        ("21 -/22/- 1 kept=1555W", "bga", [0.25, 0.25, -0.5]),
        ("21 -/-/- 1 kept=1", "bga", [0, 0, 0]),
        ("21 -/-/36/- 2 kept=1", "bga", [-1 / 3, -1 / 3, 1, -1 / 3]),
    ],
)
def test_ties_share_the_win(start, rules, expected):
    """The win is split among equals, and who wins alone gets 1; here a stop ends the game."""
    made = env(len(expected), rules=rules)
    made.reset(options={"start": start})
    made.step(1)
    assert all(made.terminations.values())
    assert list(made.rewards.values()) == pytest.approx(expected)


def test_same_seed_same_game():
    """All environments play the same game for one seed; without a seed the dice go on."""
    made = env(3, rules="bga", equipment=SIX_TILES)
    cautious = make_player("cautious")
    rewards, states = play(made, 7, by(cautious))
    assert (rewards, states) == play(made, 7, by(cautious))
    assert states != play(made, 8, by(cautious))[1]
    assert play(made, None, by(cautious))[1] != play(made, None, by(cautious))[1]

    single = PickominoEnv((cautious, "cautious"), seat=0, rules="bga", equipment=SIX_TILES)
    single.reset(seed=7)
    total, done, seen = 0.0, False, [single.game]
    while not done:
        action = single.codec.index(cautious.choose(single.game, single.np_random))
        _, reward, terminated, truncated, _ = single.step(action)
        total, done = total + reward, terminated or truncated
        seen.append(single.game)
    assert seen == [s for s in states if s.mover == 0 or s.is_over]
    assert total == sum(step[0] for step in rewards)

    parallel = parallel_env(3, rules="bga", equipment=SIX_TILES)
    parallel.reset(seed=7)
    seen, totals = [parallel.game], np.zeros(3)
    while parallel.agents:
        action = parallel.codec.index(cautious.choose(parallel.game, None))
        _, paid, *_ = parallel.step(dict.fromkeys(parallel.agents, action))
        totals += list(paid.values())
        seen.append(parallel.game)
    assert seen == states
    assert totals.tolist() == np.sum(rewards, axis=0).tolist()
    assert parallel.step({}) == ({}, {}, {}, {}, {})


def test_games_are_cut_off():
    """After the maximal number of turns all is truncated, and no win is paid."""
    made = env(3, max_turns=5)
    rewards, states = play(made, 1, by(RandomPlayer()))
    assert not np.any(rewards)
    assert not states[-1].is_over
    assert sum(a.mover != b.mover for a, b in itertools.pairwise(states)) == 5
    single = PickominoEnv(max_turns=2)
    seen, info = single.reset(seed=3)
    while True:
        action = int(np.flatnonzero(seen["action_mask"])[-1])
        seen, reward, terminated, truncated, info = single.step(action)
        if truncated or terminated:
            break
    assert (reward, terminated, truncated, info["turns"]) == (0, False, True, 2)
    with pytest.raises(GameError, match="the game has ended: call reset"):
        single.step(0)


def test_only_the_mover_has_actions():
    """The mask of everybody else is all zeros; each info repeats the mask."""
    made = env(3)
    made.reset(seed=0)
    for agent in made.agents:
        seen = made.observe(agent)
        assert np.flatnonzero(seen["action_mask"]).tolist() == [0] * (agent == "player_0")
        assert seen["action_mask"].tolist() == made.infos[agent]["action_mask"].tolist()
    assert made.state_space.contains(made.state())
    assert made.state().tolist() == made.observe("player_0")["observation"].tolist()


def test_illegal_actions_end_a_wrapped_game(caplog):
    """PettingZoo's wrapper pays -1 to the agent; without it they raise, as unknown ones do."""
    for reward, cost in (("win", -1), ("share", -1), ("worms", -40)):
        made = env(3, reward=reward)
        made.reset(seed=0)
        with caplog.at_level(logging.WARNING):
            made.step(1)
        assert "Illegal move" in caplog.text
        assert made.rewards == {"player_0": cost, "player_1": 0, "player_2": 0}
        assert all(made.terminations.values())
    made.reset(seed=0)
    with pytest.raises(AssertionError, match="action is not in action space"):
        made.step(24)
    raw = PickominoAEC()
    raw.reset(seed=0)
    for action in (1, 24, None):
        with pytest.raises(GameError, match=r"legal is 0 \(roll\)"):
            raw.step(action)
    raw.step(0)
    assert raw.game.roll is not None


def test_illegal_actions_end_a_single_game():
    """They cost as much as any loss; what is no action at all raises."""
    for reward, cost in (("win", -1), ("share", -1), ("worms", -40)):
        single = PickominoEnv(reward=reward)
        single.reset(seed=0)
        _, paid, terminated, truncated, info = single.step(1)
        assert (paid, terminated, truncated, info["illegal_action"]) == (cost, True, False, True)
    single.reset(seed=0)
    for action in (24, -1, 0.5, None):
        with pytest.raises(GameError, match="is no action: use 0 to 23"):
            single.step(action)


def test_illegal_actions_pass_in_a_parallel_game():
    """Nothing happens but a cycle."""
    parallel = parallel_env(max_cycles=2)
    parallel.reset(seed=0)
    before = parallel.game
    *_, truncations, _ = parallel.step({"player_0": 1, "player_1": 0})
    assert parallel.game is before
    assert not any(truncations.values())
    _, _, terminations, truncations, _ = parallel.step({"player_0": 0})
    assert parallel.game.roll is not None
    assert all(truncations.values())
    assert not any(terminations.values())


def test_ansi_shows_the_notation():
    """Rendering prints what GameState.parse reads; without a mode it warns."""
    text = "21-36 25/- 2 kept=333 roll=1344W".replace("21-36", "21-24,26-36")
    options = {"start": text}
    for made in (env(render_mode="ansi"), parallel_env(render_mode="ansi")):
        made.reset(seed=0, options=options)
        assert made.render() == text
        made.close()
    single = PickominoEnv(seat=1, render_mode="ansi")
    single.reset(options=options)
    assert single.render() == text
    for made in (env(), parallel_env(), PickominoEnv()):
        made.reset()
        with pytest.warns(UserWarning, match="make the environment with a render_mode"):
            assert made.render() is None


def test_opponents_sit_in_turn_order():
    """From the agent's seat on, wherever that is; a drawn seat is drawn anew and by the seed."""

    class Watcher:
        def __init__(self, name):
            self.name, self.seats = name, set()

        def choose(self, state, rng):
            self.seats.add(state.mover)
            return state.actions[-1]

    for seat in range(3):
        watchers = [Watcher("next"), Watcher("after")]
        single = PickominoEnv(watchers, seat=seat)
        _, info = single.reset(seed=0)
        while not all(w.seats for w in watchers):
            *_, info = single.step(int(np.flatnonzero(info["action_mask"])[-1]))
        assert [w.seats for w in watchers] == [{(seat + 1) % 3}, {(seat + 2) % 3}]
    drawn = PickominoEnv("random", seat=None)
    seats = [drawn.reset(seed=seed)[1] and drawn.seat for seed in (*range(9), *range(9))]
    assert seats[:9] == seats[9:]
    assert set(seats) == {0, 1}


def test_a_seat_that_is_never_reached_is_refused():
    """A game that ends before the agent's turn is dealt again, but not forever."""
    one = Equipment(1, (5,), (1,))
    with pytest.raises(EnvironmentSetupError, match="100 games ended before the turn of seat 1"):
        PickominoEnv(seat=1, rules="bga", equipment=one).reset(seed=0)
    PickominoEnv(seat=1, equipment=one).reset(seed=0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"players": 1}, "1 players cannot play: use 2 to 7"),
        ({"players": 8}, "8 players"),
        ({"players": "2"}, "'2' players"),
        ({"rules": "german"}, "no rules are called 'german'"),
        ({"equipment": "huge"}, "'huge' is no equipment"),
        ({"reward": "money"}, "no reward is called 'money': use win, share or worms"),
        ({"players": 3, "max_turns": 2}, "max_turns=2 ends before everybody has played: use 3"),
        ({"render_mode": "human"}, "no render mode is called 'human': use ansi, or None"),
    ],
)
def test_wrong_settings_are_refused(settings, message):
    """With what to use instead, by each environment."""
    for make in (env, parallel_env):
        with pytest.raises(PickominoError, match=message):
            make(**settings)
    players = settings.get("players", 2)
    if players in (2, 3):
        others = {name: value for name, value in settings.items() if name != "players"}
        with pytest.raises(PickominoError, match=message):
            PickominoEnv(["random"] * (players - 1), **others)


def test_other_wrong_settings_are_refused():
    """A seat beyond the table, nobody or nobody known to play against, no cycles."""
    with pytest.raises(EnvironmentSetupError, match="seat=2 is not at the table: use 0 to 1"):
        PickominoEnv(seat=2)
    with pytest.raises(EnvironmentSetupError, match="1 players cannot play"):
        PickominoEnv(())
    with pytest.raises(GameError, match="no player is called 'nobody'"):
        PickominoEnv("nobody")
    with pytest.raises(EnvironmentSetupError, match="max_cycles=0"):
        parallel_env(max_cycles=0)


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ("- 21/- 1", "no game starts at '- 21/- 1': the game is over there"),
        ("21-36 -/-/- 1", "players, rules or tiles differ"),
        ("16-27 -/- 1 junior", "players, rules or tiles differ"),
        (GameState.start(2, rules="bga"), "players, rules or tiles differ"),
        ("21-36", "is no position"),
        (21, "start=21 is no state: give one, or its text"),
    ],
)
def test_wrong_starts_are_refused(start, message):
    """A game starts at a moment of its own rules, players and tiles."""
    for made in (env(), parallel_env(), PickominoEnv()):
        with pytest.raises(PickominoError, match=message):
            made.reset(options={"start": start})


@pytest.mark.parametrize("missing", ["gymnasium", "pettingzoo"])
def test_a_missing_extra_names_the_command(missing):
    """Importing the package without its libraries says how to install them."""
    program = f"""
import sys
sys.modules[{missing!r}] = None
import pickomino
try:
    import pickomino.rl
except pickomino.PickominoError as error:
    assert isinstance(error, ImportError)
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == (
        f"{missing} is not installed, which the environments need: run pip install 'pickomino[rl]'"
    ), done.stderr
