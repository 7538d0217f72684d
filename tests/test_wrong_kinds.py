"""Whatever kind of thing stands for an argument: a result, or a typed error with a sentence."""

import inspect

import numpy as np
import pytest

import pickomino
from kinds import parameters, tried
from pickomino import (
    Advisor,
    Claim,
    Dice,
    GameState,
    Position,
    Rules,
    Stop,
    TurnPayoffs,
    TurnSpec,
    make_player,
    open_game,
    open_tables,
    play_game,
    solve_game,
    solve_turn,
)
from samples import FOUR_TILES, GAMES, SPEC

BOX = str(FOUR_TILES)
PLACE = f"9,12 10/14 1 {BOX}"
"""Two players in the middle of a small game."""

RESULTS = {
    "Answer", "BatchSolution", "BuildReport", "Chart", "ClaimChance", "DeadRoll", "Decision",
    "Decisions", "GameResult", "GameSolution", "GameTable", "KeepAdvice", "MatchResult", "Odds",
    "Option", "Review", "Standing", "StopAdvice", "Summary", "Tables", "TurnEnd", "TurnSolution",
    "TurnTable",
}  # fmt: skip
"""What users are given and never make."""

NO_ARGUMENTS = {"Player", "Stop"}
"""A protocol, and what has nothing to check."""


@pytest.fixture(scope="module")
def things(turn_tables, game_tables, tmp_path_factory):
    """What calls need: tables, solutions, records, and a folder that may be written."""
    game = solve_game(PLACE)
    table = open_tables(turn_tables, equipment=SPEC.equipment)
    return {
        "out": tmp_path_factory.mktemp("out"),
        "turns": turn_tables / SPEC.name,
        "games": game_tables / GAMES[0].name,
        "tables": table,
        "table": table.tables[0],
        "game table": open_game(game_tables / GAMES[0].name, equipment=FOUR_TILES),
        "game": game,
        "policy": pickomino.optimal_policy(game),
        "record": play_game(["worms", "cautious"], equipment=BOX).record,
        "chart": pickomino.make_chart(table.tables[0]),
        "turn": solve_turn(PLACE),
        "exact turn": solve_turn(PLACE, exact=True),
        "answer": Advisor().ask(PLACE),
        "state": GameState.parse(f"{PLACE} kept=W"),
    }


def calls(things):
    """A call that works, by the name of what is called: the function and its arguments."""
    ask = {"position": PLACE, "kept": "W", "rules": "bga"}
    objective = {**ask, "objective": "worms", "max_states": 5000, "exact": False}
    payoffs = {"by_total": (0,) * 6, "may_stop": (True,) * 6, "keep_sum": False}
    small = TurnSpec(equipment=BOX, values_only=True)
    found = {
        "Advisor": {"rules": "bga", "objective": "win", "max_states": 9, "depths": True,
                    "exact": False, "progress": False, "warn": None},
        "CautiousPlayer": {"name": "me"},
        "Claim": {"tile": 21, "victim": None},
        "Dice": {"counts": (0, 0, 1, 0, 0, 0)},
        "Equipment": {"dice": 4, "tiles": (9, 10), "worms": (1, 2)},
        "ExactPlayer": {"objective": "worms"},
        "GamePlayer": {"objective": "win", "max_states": 9},
        "GameRecord": {"start": things["record"].start, "actions": things["record"].actions,
                       "players": ("a", "b")},
        "GameSpec": {"rules": "bga", "equipment": BOX, "objective": "margin", "depth": 1},
        "GameState": {"position": PLACE, "rules": "bga", "kept": "W", "roll": None, "ended": False},
        "Keep": {"face": "W"},
        "Outcome": {"total": 21, "claim": None},
        "Position": {"grill": (21,), "stacks": ((), ()), "mover": 0, "equipment": "standard"},
        "RandomPlayer": {"name": "me"},
        "RationalSolution": {"payoffs": TurnPayoffs(**payoffs)},
        "Roll": {"dice": "1 2"},
        "Rules": {"stop": "any_time", "dead_roll": "bust", "grill_claim": "next_lower",
                  "steal": "optional", "flip": "always", "flip_without_tile": True,
                  "tie_break": "shared"},
        "TablePlayer": {"objective": "worms"},
        "Take": {"claim": Claim(21)},
        "TurnPayoffs": payoffs,
        "TurnSpec": {"rules": "bga", "equipment": BOX, "objective": "worms", "opponents": 1,
                     "dtype": "float64", "values_only": True},
        "advise": {**objective, "roll": "1 2 3", "with_odds": False},
        "build_game": {"spec": GAMES[2], "out": things["out"], "jobs": 1, "scheduler": None,
                       "progress": False},
        "build_turns": {"spec": small, "out": things["out"], "jobs": 1, "scheduler": None,
                        "progress": False},
        "draw_chart": {"chart": things["chart"], "path": things["out"] / "chart.png"},
        "keep": {"kept": "W", "roll": "1 2", "face": "1"},
        "make_chart": {"table": things["table"], "position": None},
        "make_player": {"text": "worms"},
        "odds": objective,
        "one_turn_policy": {"listing": things["game"].listing, "objective": "worms"},
        "open_game": {"path": things["games"], "rules": "rulebook", "equipment": BOX,
                      "objective": "margin", "depth": None},
        "open_tables": {"path": things["turns"], "rules": "rulebook", "equipment": SPEC.equipment,
                        "objective": "worms", "dtype": None},
        "optimal_policy": {"solved": things["game"], "listing": None},
        "play_game": {"players": ["worms", "worms"], "rules": "bga", "equipment": BOX, "seed": 1},
        "play_match": {"players": ["worms", "worms"], "games": 2, "rules": "bga", "equipment": BOX,
                       "seed": 1, "jobs": 1, "progress": False},
        "policy_values": {"listing": things["game"].listing, "mine": things["policy"],
                          "theirs": things["policy"]},
        "reach_chances": {**ask, "exact": False},
        "review_game": {"record": things["record"], "objective": "worms", "max_states": 9},
        "solve_batch": {**payoffs, "distribution": True, "rolled": True, "tie": 1e-12},
        "solve_game": {"position": PLACE, "rules": "bga", "objective": "margin", "depth": 1,
                       "max_states": 5000, "progress": False},
        "solve_turn": {k: v for k, v in objective.items() if k != "kept"},
        "verify_game": {"folder": things["games"], "sample": 0, "seed": 1, "progress": False},
        "verify_turns": {"folder": things["turns"], "sample": 0, "seed": 1, "progress": False},
    }  # fmt: skip
    return {name: (getattr(pickomino, name), words) for name, words in found.items()}


def methods(things):
    """The same of the methods of public classes, by an object of each."""
    roll = {"kept": "W", "roll": "1 2 3"}
    whole = {"kept": "", "roll": "1 2 3 4 5"[: 2 * SPEC.equipment.dice - 1]}
    start = Position.start(2, equipment=SPEC.equipment)
    probe = {"position": start, **whole, "with_odds": False}
    game = {"position": PLACE, **roll, "with_odds": False}
    turn = {
        **{
            name: {"kept": "W"}
            for name in ("choice", "distribution", "roll_value", "stop_value", "then", "value")
        },
        "end_value": {"total": 5},
        "keeps": roll,
    }
    looked_up = {
        "get": {**probe, "default": None},
        "odds": {"position": start, "kept": ""},
        "probe": probe,
        "turn": {"position": start, "whole_turn": True},
    }
    rng = np.random.default_rng(1)
    return [
        (
            Position.parse(PLACE),
            {
                "after_bust": {"rules": "bga"},
                "after_claim": {"claim": Claim(9)},
                "bust_tiles": {"rules": "bga"},
                "claims": {"total": 12, "rules": "bga"},
                "describe": {"claim": Claim(9)},
                "of": {"position": PLACE},
                "parse": {"text": PLACE},
                "seen": {"own": [21], "opponents": [[22]], "grill": None, "equipment": "standard"},
                "source": {"claim": Claim(9)},
                "start": {"players": 2, "equipment": BOX},
                "winners": {"rules": "bga"},
                "worms": {"player": 1},
            },
        ),
        (
            Dice.parse("W 1"),
            {
                "is_spent": {"dice": 4},
                "of": {"dice": "W"},
                "parse": {"text": "W"},
                "plus": {"face": 2, "count": 2},
            },
        ),
        (
            Rules(),
            {
                "changes_from": {"other": Rules.preset("bga")},
                "may_stop": {"final": 5, "claims": True},
                "of": {"rules": "bga"},
                "parse": {"text": "bga"},
                "preset": {"name": "bga"},
            },
        ),
        (
            FOUR_TILES,
            {
                "of": {"equipment": BOX},
                "only": {"tiles": "9,10"},
                "parse": {"text": BOX},
                "worms_on": {"tile": 9},
            },
        ),
        (
            things["state"],
            {
                "apply": {"action": Stop()},
                "parse": {"text": PLACE, "rules": "bga"},
                "play": {"action": Stop()},
                "start": {"players": 2, "rules": "bga", "equipment": BOX},
            },
        ),
        (things["record"], {"from_json": {"fields": things["record"].to_json()}}),
        (
            things["answer"].turn,
            {
                "advise": {**roll, "with_odds": False},
                "keep": {**roll, "with_odds": False},
                "odds": {"kept": "W"},
                "stop": {"kept": "W", "with_odds": False},
            },
        ),
        (Advisor(), {"ask": {"position": PLACE}, "ask_shallower": {"position": PLACE}}),
        (things["turn"], turn),
        (things["exact turn"], turn),
        (
            things["tables"],
            {
                **looked_up,
                "probe_many": {
                    "grill": [1],
                    "at_stake": [0],
                    "tops": [0],
                    "kept": [[0] * 6],
                    "roll": [[1, 1, 1, 1, 1, 0]],
                },
            },
        ),
        (things["table"], {**looked_up, "open": {"folder": things["turns"]}}),
        (
            things["game table"],
            {
                "deviation_of": {"position": PLACE},
                "get": {**game, "default": None},
                "odds": {"position": PLACE, "kept": ""},
                "open": {"folder": things["games"]},
                "payoff": {"position": PLACE},
                "probe": game,
                "turn": {"position": PLACE, "whole_turn": True},
                "values": {"position": PLACE},
            },
        ),
        (
            things["game"],
            {
                "covers": {"position": PLACE},
                "payoff": {"position": PLACE},
                "values": {"position": PLACE},
            },
        ),
        *(
            (make_player(name), {"choose": {"state": things["state"], "rng": rng}})
            for name in ("worms", "cautious", "random", "game")
        ),
    ]


ROOMS = {
    "accepts", "check_game", "fits", "from_json", "limits", "map_arrays", "place", "rolled_values",
    "solution", "spec_type", "states", "to_json", "value_to_mover",
}  # fmt: skip
"""Methods by which one room speaks to another, or that take nothing."""


def test_the_table_of_calls_is_complete(things):
    """Every public name is called, or is said to have nothing to check."""
    callables = {
        name
        for name in pickomino.__all__
        if callable(made := getattr(pickomino, name))
        and not (isinstance(made, type) and issubclass(made, Exception))
    }
    assert callables == set(calls(things)) | RESULTS | NO_ARGUMENTS
    for thing, of_class in methods(things):
        public = {
            name
            for name in dir(type(thing))
            if not name.startswith("_")
            and not isinstance(inspect.getattr_static(type(thing), name), property)
            and callable(getattr(type(thing), name))
            and parameters(getattr(thing, name))
        }
        assert public - ROOMS == set(of_class) - ROOMS, type(thing).__name__


NAMES = sorted(set(pickomino.__all__) - RESULTS - NO_ARGUMENTS)


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in NAMES
        if callable(made := getattr(pickomino, name))
        and not (isinstance(made, type) and issubclass(made, Exception))
    ],
)
def test_functions_take_no_wrong_kind(things, name, monkeypatch):
    """Functions and constructors."""
    monkeypatch.chdir(things["out"])
    assert tried(*calls(things)[name]) == []


@pytest.mark.parametrize("number", range(18))
def test_methods_take_no_wrong_kind(things, number, monkeypatch):
    """Methods of what users hold."""
    monkeypatch.chdir(things["out"])
    thing, of_class = methods(things)[number]
    bad = {name: tried(getattr(thing, name), words) for name, words in of_class.items()}
    assert {name: found for name, found in bad.items() if found} == {}


def test_all_methods_are_tried(things):
    """As many objects as the test above counts."""
    assert len(methods(things)) == 18
