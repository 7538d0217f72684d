"""Who answers for the game beyond the turn: exactly, to a depth, by a table, or nobody."""

import json
import math
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

from pickomino import (
    STANDARD,
    Equipment,
    MissingTableError,
    Position,
    PositionError,
    Rules,
    TableError,
    advise,
)
from pickomino.cli import run
from pickomino.estimate.normal import FACTORS, Chances, _positions_ahead
from pickomino.game.build import build_game
from pickomino.game.judge import Judge
from pickomino.game.model import Model
from pickomino.game.solve import solve_game
from pickomino.game.spec import GameSpec
from pickomino.game.table import open_game
from pickomino.game.worth import game_payoff
from pickomino.play.engine import GameRecord
from pickomino.play.match import play_game, play_match
from pickomino.play.players import GamePlayer, make_player
from pickomino.play.review import review_game

BOX = Equipment(4, (9, 10, 12, 14), (1, 2, 1, 3))
START = Position.start(2, BOX)
RULES = Rules()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the margin table to depth 1 of the small game."""
    out = tmp_path_factory.mktemp("tables")
    build_game(GameSpec(RULES, BOX, "margin", 1), out)
    return out


@pytest.fixture(autouse=True)
def no_tables(monkeypatch, tmp_path):
    """No table in the usual places unless a test puts one there."""
    monkeypatch.setenv("PICKOMINO_TABLES", str(tmp_path / "none"))


@pytest.mark.parametrize("objective", ["win", "margin"])
def test_from_exact_to_refusal(objective, folder, monkeypatch):
    """A falling budget: exact, then nobody, or the table if there is one."""
    states = solve_game(START, RULES, objective).graph.states
    exact = Judge(RULES, objective, states).verdict(START)
    assert (exact.valued.name, exact.compare) == ("exact: full stacks", None)
    with pytest.raises(MissingTableError, match=r"even at depth 1, and no table covers it: allow"):
        Judge(RULES, objective, 5).verdict(START)
    monkeypatch.setenv("PICKOMINO_TABLES", str(folder))
    table = Judge(RULES, objective, 5).verdict(START)
    assert table.valued.name.endswith("table of depth 1: only the top tile of a stack can be lost")
    assert table.valued.name.startswith("approximate") == (objective == "win")


def test_the_deepest_model_that_fits(folder, monkeypatch):
    """Budgets between the sizes of two depths; a table goes before depth 1."""
    sizes = [solve_game(START, RULES, "margin", depth).graph.states for depth in (1, 2, 3)]
    assert sizes == sorted(set(sizes))
    deep = Judge(RULES, "margin", sizes[1]).verdict(START)
    assert (deep.valued.model.depth, deep.compare().model.depth) == (2, 1)
    shallow = Judge(RULES, "margin", sizes[1] - 1).verdict(START)
    assert (shallow.valued.model.depth, shallow.compare) == (1, None)
    capped = Judge(RULES, "margin", sizes[1], deepest=1).verdict(START)
    assert (capped.valued.model.depth, capped.valued.source) == (1, "solver")
    monkeypatch.setenv("PICKOMINO_TABLES", str(folder))
    assert Judge(RULES, "margin", sizes[1]).verdict(START).valued.source == "solver"
    assert Judge(RULES, "margin", sizes[1] - 1).verdict(START).valued.source == "table"


def test_a_damaged_table_is_told_and_done_without(folder, tmp_path, monkeypatch):
    """Where something else answers it is a warning, else the error itself."""
    copy = tmp_path / "damaged"
    shutil.copytree(folder, copy)
    (copy / GameSpec(RULES, BOX, "margin", 1).name / "value.npy").write_bytes(b"")
    monkeypatch.setenv("PICKOMINO_TABLES", str(copy))
    told = []
    states = solve_game(START, RULES, "margin", 1).graph.states
    verdict = Judge(RULES, "margin", states, warn=told.append).verdict(START)
    assert verdict.valued.source == "solver"
    assert told
    assert {"value.npy" in str(error) for error in told} == {True}
    with pytest.raises(TableError, match=r"value\.npy in .* is damaged"):
        Judge(RULES, "margin", 5).verdict(START)


@pytest.mark.parametrize("objective", ["win", "margin"])
def test_the_turn_on_top_of_a_solved_game_is_worth_the_game(objective):
    """For any depth, and stacks deeper than it: the turn's value is the position's."""
    for depth in (1, 2, None):
        for position in (
            START,
            Position((9, 14), ((10,), (12,)), 1, BOX),
            Position((9,), ((10, 12), (14,)), 0, BOX),
            Position((14,), ((), (9, 12, 10)), 1, BOX),
        ):
            solved = solve_game(position, RULES, objective, depth)
            turn = advise(position, "", None, RULES, game_payoff(solved, position))
            assert turn.value == pytest.approx(solved.value, abs=1e-11)


def plain_chance(table, position):
    """The formula in floats, for a position with the player to move first."""
    lead = position.worms(0) - position.worms(1)
    factor = FACTORS[min(len(position.grill), 5)]
    z = factor * (lead + table.value_of(position)) / max(table.deviation_of(position), 1e-3)
    return (1 + math.erf(z / math.sqrt(2))) / 2


def seen_next(position, claim):
    """The next position as its mover sees it."""
    then = position.after_claim(claim) if claim else position.after_bust(RULES)
    return Position(then.grill, then.stacks[::-1], 0, then.equipment)


@pytest.mark.parametrize("ahead", [1, 40, 150])
@pytest.mark.parametrize(
    "position",
    [START, Position((10, 14), ((9,), (12,)), 1, BOX), Position((9,), ((14,), ()), 0, BOX)],
)
def test_looking_ahead_is_backward_induction(folder, position, ahead):
    """As many whole turns as fit, by a walk over positions and one turn at a time."""
    chances = Chances(open_game(folder, RULES, "margin", BOX), ahead)
    first, value_of = chances.look(position)
    turns, found = [[first]], {first}
    while turns[-1]:
        new = []
        for here in turns[-1]:
            claims = {c for t in range(5, 21) for c in here.claims(t, RULES)}
            for claim in (*claims, None):
                then = seen_next(here, claim)
                if then.grill and then not in found:
                    found.add(then)
                    new.append(then)
        turns.append(new)
    # The last turns are those that do not fit.
    graph, ends = _positions_ahead(Model(position, RULES, "win"), ahead)
    del turns[len(ends) - 1 :]
    assert sum(map(len, turns)) == graph.states <= max(ahead, len(turns[0] + turns[1])) + 12
    values = {p: plain_chance(chances.table, p) for turn in turns for p in turn}

    def turn_of(here):
        def payoff(outcome):
            then = seen_next(here, outcome.claim)
            if then.grill:
                return 1 - values[then]
            end = here.after_claim(outcome.claim) if outcome.claim else here.after_bust(RULES)
            winners = end.winners(RULES)
            return (0 in winners) / len(winners)

        return advise(here, "", None, RULES, payoff).value

    for turn in reversed(turns[1:-1]):
        values |= {here: turn_of(here) for here in turn}
    for here in turns[1]:
        assert value_of(here) == pytest.approx(values[here], abs=1e-12)


def test_approximate_chances_are_near_the_exact_ones(folder):
    """All positions of the small game: the look ahead makes the error smaller."""
    table = open_game(folder, RULES, "margin", BOX)
    exact = solve_game(START, RULES, "win")
    errors = []
    for ahead in (1, 100):
        chances = Chances(table, ahead)
        found = []
        for words in exact.graph.words.tolist():
            position, _ = exact.model.unpack(words)
            turn = advise(position, "", None, RULES, game_payoff(chances, position))
            found.append(turn.value - exact.value_of(position))
        errors.append(np.sqrt(np.mean(np.square(found))))
    assert errors[1] < errors[0] < 0.1


def test_the_exact_player_beats_one_turn_play(monkeypatch):
    """The game player against worms on a small game: its exact share is in the interval."""
    box = STANDARD.only((21, 24, 30))
    from pickomino.game.policies import one_turn_policy, optimal_policy, policy_values

    solved = solve_game(Position.start(2, box), RULES, "win")
    ways = optimal_policy(solved), one_turn_policy(solved.graph, "worms")
    share = (1 + sum(policy_values(solved.graph, *ways)) / 2) / 2
    played = play_match(
        [GamePlayer(), make_player("worms")], 600, equipment=box, jobs=1, progress=False
    ).standings[0]
    assert abs(played.share - share) < 1.6 * played.error


def test_players_by_name():
    """game plays for the win unless told otherwise; two players only."""
    assert make_player("game") == GamePlayer("win")
    assert make_player("game:margin").name == "game:margin"
    with pytest.raises(PositionError, match="has 3 players: games are solved for two"):
        play_game([make_player("game")] * 3, RULES, BOX)


@pytest.mark.parametrize("objective", ["win", "margin"])
def test_review_of_the_game(objective):
    """The exact player regrets nothing, and luck with regret adds up to the result."""
    box = STANDARD.only((21, 24, 30))
    record = play_game([GamePlayer(objective), make_player("cautious")], RULES, box, 5).record
    found = review_game(record, objective)
    assert found.models == ("exact: full stacks",)
    assert {decision.model for decision in found.decisions} == set(found.models)
    assert found.summaries[0].regret == pytest.approx(0, abs=1e-9)
    assert found.summaries[1].regret > 0
    end = record.states()[-1]
    start = solve_game(Position.start(2, box), RULES, objective).value
    result = float(end.winners == (0,))
    if objective == "margin":
        result = end.position.worms(0) - end.position.worms(1)
    swings = [s.luck - s.regret for s in found.summaries]
    assert result - start == pytest.approx(swings[0] - swings[1], abs=1e-9)


@pytest.fixture
def call(capsys):
    """Run a command, return its code and what it printed."""

    def run_command(*arguments):
        with pytest.raises(SystemExit) as stop:
            run([*map(str, arguments)])
        return stop.value.code or 0, *capsys.readouterr()

    return run_command


def test_commands_say_their_model(call, tmp_path):
    """best and odds show how the answer moves with depth; review lists what it went by."""
    asked = ("--position", f"9,10,12,14 -/- 1 {BOX}")
    solved = [solve_game(START, RULES, "margin", depth) for depth in (1, 2)]
    game = (*asked, "--objective", "margin", "--max-states", solved[1].graph.states)
    code, out, _ = call("best", *game, "--json")
    answer = json.loads(out)
    assert (code, answer["model"][:7]) == (0, "depth 2")
    assert answer["value"] == pytest.approx(solved[1].value)
    assert answer["shallower"]["model"].startswith("depth 1")
    assert answer["shallower"]["value"] == pytest.approx(solved[0].value)
    for command in ("best", "odds"):
        out = call(command, *game)[1]
        assert "model      depth 2: only the top 2 tiles of a stack can be lost\n" in out
        assert "\ndepth 1: only the top tile of a stack can be lost:\n" in out
    code, _, err = call("odds", *asked, "--objective", "win", "--max-states", "2")
    assert (code, err.count("\n")) == (2, 1)
    record = play_game([make_player("worms")] * 2, RULES, BOX, 2).record
    (tmp_path / "game.json").write_text(json.dumps(record.to_json()))
    out = call("review", tmp_path / "game.json", "--objective", "win")[1]
    assert "valued by\n[1]  exact: full stacks\n" in out
    code, _, err = call("review", tmp_path / "game.json", "--objective", "win", "--max-states", 3)
    assert (code, "even at depth 1, and no table covers it" in err) == (2, True)
    code, out, _ = call("match", "game", "worms", "--games", 4, "--equipment", BOX, "--json")
    assert json.loads(out)["standings"][0]["name"] == "game"
    code, out, _ = call(
        *("match", "game", "worms", "--games", 4, "--equipment", BOX, "--objective", "margin")
    )
    assert (code, "game:margin" in out) == (0, True)


def test_records_of_the_game_player_are_whole():
    """A record read back plays to the same end."""
    result = play_game([make_player("game"), make_player("worms")], RULES, BOX, 3)
    again = GameRecord.from_json(json.loads(json.dumps(result.record.to_json())))
    assert again.states()[-1].winners == result.winners
    assert np.isclose(sum(result.worms), sum(again.states()[-1].position.worms(p) for p in (0, 1)))


def test_a_second_command_compiles_nothing(tmp_path):
    """Compiled code lies on disk after the first command, and the second adds none."""
    words = [sys.executable, "-m", "pickomino", "game", "value", "--tiles", "21,24", "--json"]
    places = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    code = set()
    for _ in range(2):
        before = code
        subprocess.run(words, check=True, env=places, stdout=subprocess.DEVNULL)
        code = {path for path in tmp_path.rglob("*") if path.suffix == ".nbc"}
        assert code
    assert code == before
