"""The two-player game: published values, bounds, a second look, and another game as an oracle."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import strategies
from pickomino import (
    STANDARD,
    Dice,
    Equipment,
    GameOverError,
    ObjectiveError,
    Position,
    PositionError,
    Rules,
    solve_turn,
)
from pickomino.cli import run
from pickomino.game.iteration import Policy, levels, settle_safely, solve
from pickomino.game.listing import game_graph
from pickomino.game.model import Bank, Model
from pickomino.game.policies import one_turn_policy, optimal_policy, policy_values
from pickomino.game.solve import solve_game
from pickomino.game.verify import bellman_residual
from pickomino.play.match import play_match
from pickomino.play.players import make_player

DATA = json.loads((Path(__file__).parent / "data" / "games.json").read_text())
TINY = Equipment(3, (7, 8, 10, 12), (1, 2, 1, 3))


def start(*tiles):
    """The first position of a game with only some of the standard tiles."""
    box = Equipment(8, tiles, tuple(STANDARD.worms_on(t) for t in tiles))
    return Position.start(2, box)


small_games = given(
    strategies.positions(st.just(TINY), min_grill=1).filter(lambda p: len(p.stacks) == 2),
    strategies.rules,
    st.sampled_from(["win", "margin"]),
    st.sampled_from([1, 2, None]),
)


@pytest.mark.parametrize("game", DATA["games"], ids=str)
def test_published_values(game):
    """Margin and win of fifteen games to 1e-8, and proven to 1e-9."""
    tiles, rules, *values = game
    for objective, value in zip(("margin", "win"), values, strict=True):
        solved = solve_game(start(*tiles), rules, objective)
        assert solved.value == pytest.approx(value, abs=1e-8)
        assert solved.lower <= solved.value <= solved.upper
        assert solved.upper - solved.lower <= 1e-9
        assert solved.solution.residual <= 1e-12


@pytest.mark.parametrize(
    ("game", "places"), list(zip(DATA["depths"]["games"], (8, 3), strict=True)), ids=str
)
def test_published_depths(game, places):
    """Margins when only the top tiles of a stack can be lost, and with full stacks."""
    tiles, rules, values = game
    for depth, value in enumerate(values, 1):
        solved = solve_game(start(*tiles), rules, depth=depth if depth < len(values) else None)
        assert round(solved.value, places) == pytest.approx(value, abs=1.1e-8)
        assert solved.upper - solved.lower <= 1e-9


def test_one_tile_by_hand():
    """Whoever reaches the 21 first has it: with chance p a turn, p / (2 - p) and 1 / (2 - p)."""
    p = solve_turn(Position.start(), Rules(), "reach:21", exact=True).value(Dice())
    assert solve_game(start(21), objective="margin").value == pytest.approx(float(p / (2 - p)))
    assert solve_game(start(21), objective="win").value == pytest.approx(float(1 / (2 - p)))


@settings(max_examples=30)
@small_games
def test_listed_positions_are_those_that_play_leads_to(position, rules, objective, depth):
    """Against a walk over positions and what is banked, with the rules' own claims and busts."""
    model = Model(position, rules, objective, depth)
    first = model.unpack(model.pack(position))
    found, queue = {first}, [first]
    for here, bank in queue:
        totals = range(5, here.equipment.max_total + 1)
        after = [here.after_claim(c) for t in totals for c in here.claims(t, rules)]
        for then in [*after, here.after_bust(rules)]:
            theirs = Bank(-bank.lead, bank.height, bool(bank.height) and not bank.mine)
            if then.grill and (state := model.unpack(model.pack(then, theirs))) not in found:
                found.add(state)
                queue.append(state)
    graph = game_graph(model)
    assert {model.unpack(words) for words in graph.words.tolist()} == found
    assert [graph.number(tuple(words)) for words in graph.words.tolist()] == [*range(len(found))]


def test_where_plain_value_iteration_creeps():
    """With only 33-36 both sides mostly pass: the bounds hold all the same."""
    for objective in ("margin", "win"):
        solved = solve_game(start(33, 34, 35, 36), "rulebook", objective)
        assert solved.upper - solved.lower <= 1e-9
        assert bellman_residual(solved) <= 1e-11


@settings(max_examples=30)
@small_games
def test_any_position_and_rules(position, rules, objective, depth):
    """Bounds hold the value, and a second look by other code finds no residual, state by state."""
    solved = solve_game(position, rules, objective, depth)
    assert solved.lower <= solved.value <= solved.upper
    assert solved.upper - solved.lower <= 1e-9
    assert bellman_residual(solved) <= 1e-11
    if objective == "win":
        assert 0 <= solved.value <= 1


@pytest.mark.parametrize("objective", ["win", "margin"])
@pytest.mark.parametrize("rules", ["rulebook", "bga-literal", "septaseven", "tag"])
def test_the_safe_iteration_finds_the_same(rules, objective):
    """Hoffman and Karp's iteration from a poor policy, against the fast one."""
    graph = game_graph(Model(start(21, 25, 33), Rules.preset(rules), objective))
    fast, safe = solve(graph).value, np.zeros(graph.states)
    for inside, _ in levels(graph):
        poor = graph.policy(inside, np.full(graph.states, 9.0))
        settle_safely(graph, inside, poor, safe)
    assert safe == pytest.approx(fast, abs=1e-11)


def test_passing_for_ever_is_worth_nothing_more():
    """A tile out of reach for both: nobody can win it, and the game never ends."""
    box = Equipment(2, (11,), (4,))
    assert solve_game(Position.start(2, box)).value == 0
    assert solve_game(Position.start(2, box), objective="win").value == 0.5
    ahead = Position((11,), ((7,), ()), 0, Equipment(2, (7, 11), (1, 4)))
    solved = solve_game(ahead, objective="win")
    assert solved.lower <= solved.value <= solved.upper
    assert bellman_residual(solved) <= 1e-12


def test_values_do_not_depend_on_who_is_called_player_1():
    """A position and its mirror image, with the other player to move, have one value."""
    solved = solve_game(start(21, 24, 30))
    mirrored = replace(start(21, 24, 30), mover=1)
    assert solve_game(mirrored).value == solved.value == solved.value_of(mirrored)
    with pytest.raises(PositionError, match="does not come up in this game"):
        solved.value_of(Position.start())


def test_playing_for_the_win_is_where_the_game_beyond_one_turn_pays():
    """Exact policies against one-turn players, as Markov chains; the figures of another program."""
    solved = solve_game(start(21, 24, 27, 30, 33), objective="win")
    margin = solve_game(start(21, 24, 27, 30, 33), objective="margin")
    graph = solved.graph
    players = {"win": optimal_policy(solved), "margin": optimal_policy(margin, graph)}
    for pair, expected in DATA["policies"].items():
        if pair != "about":
            mine, theirs = pair.split(" against ")
            first, second = policy_values(graph, players[mine], one_turn_policy(graph, theirs))
            assert (1 + (first + second) / 2) / 2 == pytest.approx(expected, abs=0.005)
    first, second = policy_values(graph, players["win"], players["win"])
    assert (1 + first) / 2 == pytest.approx(solved.value, abs=1e-12)
    assert second == pytest.approx(-first, abs=1e-12)


def test_exact_evaluation_agrees_with_matches():
    """Swing against worms on five tiles: a simulated match holds the exact share."""
    position = start(21, 24, 27, 30, 33)
    graph = game_graph(Model(position, Rules(), "win"))
    first, second = policy_values(graph, *(one_turn_policy(graph, n) for n in ("swing", "worms")))
    share = (1 + (first + second) / 2) / 2
    players = [make_player("swing"), make_player("worms")]
    played = play_match(
        players, 1000, equipment=position.equipment, seed=3, jobs=1, progress=False
    ).standings[0]
    assert abs(played.share - share) < 1.6 * played.error


@dataclass
class Pig:
    """The dice game Pig: roll for points until a 1 takes them all, or bank them; first to a goal.

    A state is (the mover's points, the other's); a turn may total anything, so it is solved from
    its highest total downwards.
    """

    goal: int

    @property
    def states(self):
        """One for each pair of points."""
        return self.goal**2

    def tiers(self):
        """All states at once."""
        return [np.arange(self.states)]

    def edges(self, inside):
        """Bank 0 or at least 2 more."""
        mine, other = (a.ravel() for a in np.divmod(inside, self.goal))
        gains = [0, *range(2, self.goal)]
        source = np.repeat(np.arange(self.states), len(gains))
        points = mine[source] + np.tile(gains, self.states)
        legal = points < self.goal
        return source[legal], (other[source] * self.goal + points)[legal]

    def values(self, states, against):
        """The best turns."""
        return self._turns(states, against)[0]

    def policy(self, states, against):
        """What they do."""
        return self._turns(states, against)[1]

    def _turns(self, states, against):
        """Roll on or bank at each turn total, by backward induction over the total."""
        goal, n = self.goal, len(states)
        mine, other = np.divmod(states, goal)
        lost = -against[other * goal + mine]
        worth = np.ones((n, goal + 6))
        rolls = np.zeros((n, goal), dtype=bool)
        for total in range(goal - 1, -1, -1):
            points = np.minimum(mine + total, goal - 1)
            bank = np.where(mine + total >= goal, 1.0, -against[other * goal + points])
            roll = (lost + sum(worth[:, total + face] for face in range(2, 7))) / 6
            rolls[:, total] = (mine + total < goal) & ((roll > bank + 1e-15) | (total == 0))
            worth[:, total] = np.where(rolls[:, total], roll, bank)
        reach = np.zeros((n, goal + 6))
        reach[:, 0], out = 1.0, np.zeros(n)
        for total in range(goal):
            going = np.where(rolls[:, total], reach[:, total], 0.0)
            reach[:, total] -= going
            out += going / 6
            for face in range(2, 7):
                reach[:, total + face] += going / 6
        won = sum(np.where(mine + t >= goal, reach[:, t], 0.0) for t in range(goal + 6))
        rows, columns, chances = [np.arange(n)], [other * goal + mine], [out]
        for total in range(goal):
            live = (mine + total < goal) & (reach[:, total] > 0)
            rows.append(np.flatnonzero(live))
            columns.append((other * goal + mine + total)[live])
            chances.append(reach[live, total])
        triple = (np.concatenate(chances), (np.concatenate(rows), np.concatenate(columns)))
        return worth[:, 0], Policy(sparse.csr_array(triple, shape=(n, self.states)), won)


def test_pig():
    """The first player of Pig to 100 wins 53.06%: Neller and Presser, UMAP Journal 25, 2004."""
    solved = solve(Pig(100))
    assert (1 + solved.value[0]) / 2 == pytest.approx(0.5306, abs=5e-5)
    assert solved.upper[0] - solved.lower[0] <= 1e-9


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: solve_game(Position.start(3)),
            PositionError,
            "has 3 players: games are solved for two",
        ),
        (lambda: solve_game(Position.start(1)), PositionError, "has 1 player: games are solved"),
        (lambda: solve_game(Position.parse("- 21/- 1")), GameOverError, "the game is over"),
        (lambda: solve_game(start(21), objective="worms"), ObjectiveError, "use win or margin"),
        (lambda: solve_game(start(21), depth=0), PositionError, "depth 0 is none of a stack"),
        (
            lambda: solve_game(Position.start(), max_states=1000),
            PositionError,
            "leads to more than 1,000 positions",
        ),
    ],
)
def test_games_that_cannot_be_solved_are_refused(call, error, message):
    """Three players, a game that is over, another objective, or too many positions."""
    with pytest.raises(error, match=message):
        call()


def test_best_move_of_a_game(capsys):
    """best and odds take win and margin: what the game is worth is what its turn is worth."""

    def call(*arguments):
        with pytest.raises(SystemExit) as stop:
            run([*arguments, "--json"])
        out, err = capsys.readouterr()
        return json.loads(out) if out else (stop.value.code, err)

    asked = ["--position", "21,24,36 22/33 1 8d:21-22x1,24x1,33x4,36x4"]
    for objective in ("win", "margin"):
        solved = solve_game(Position.parse(asked[1]), objective=objective)
        for command in ("best", "odds"):
            answer = call(command, *asked, "--objective", objective)
            assert answer["value"] == pytest.approx(solved.value, abs=1e-12)
    behind = ["--position", "23 36,22/21,33 2", "--kept", "5 5 W W 1", "--max-states", "50"]
    assert call("best", *behind, "--objective", "worms")["best"] == {"then": "roll"}
    code, err = call("best", *behind, "--objective", "win", "--max-states", "1")
    assert (code, "leads to more than 1 positions" in err) == (2, True)
    code, err = call("best", *asked, "--objective", "win", "--exact")
    assert (code, "win has no fraction: leave out --exact" in err) == (2, True)
    code, err = call("best", "--objective", "win")
    assert (code, "has 1 player: games are solved for two" in err) == (2, True)


def test_game_value_command(capsys):
    """The object has value, bounds, states and model; a position may be given instead."""

    def call(*arguments):
        with pytest.raises(SystemExit) as stop:
            run(["game", "value", *arguments])
        return stop.value.code or 0, *capsys.readouterr()

    code, out, _ = call("--tiles", "21-22", "--rules", "bga", "--objective", "margin", "--json")
    fields = json.loads(out)
    assert (code, fields["states"], fields["model"]) == (0, 4, "exact: full stacks")
    assert fields["lower"] <= fields["value"] <= fields["upper"]
    assert fields["value"] == pytest.approx(-0.020073671, abs=1e-8)
    code, out, _ = call("--position", "21,22 -/- 2 8d:21-22x1", "--objective", "win")
    assert (code, out.splitlines()[0]) == (0, "0.636717850 chance to win for player 2")
    for arguments, message in (
        ([], "give either --tiles or --position"),
        (["--tiles", "20"], "tile 20 is not in the set"),
        (["--tiles", "21,21"], "do not ascend"),
        (["--tiles", "21", "--objective", "worms"], "use win or margin"),
        (["--tiles", "21-36", "--max-states", "500"], "more than 500 positions"),
    ):
        code, out, err = call(*arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert message in err
