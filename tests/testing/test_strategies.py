"""The strategies shrink to small examples, and draw what can be played."""

import importlib
import sys

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample, Unsatisfiable

from pickomino import Dice, Equipment, Position, Rules, testing
from pickomino.errors import GameError
from pickomino.play.engine import GameState, Keep, Roll, Stop

TINY = st.just(Equipment(2, (4, 6, 9), (1, 1, 2)))


# Without the phase that explains what the smallest example has: here nobody reads it.
SHRINK = settings(database=None, derandomize=True, phases=(Phase.generate, Phase.shrink))


def smallest(strategy, condition=lambda _: True, examples=100):
    """The example to which hypothesis shrinks."""
    return find(strategy, condition, settings=settings(SHRINK, max_examples=examples))


def test_rules_shrink_to_the_rulebook():
    """A condition on one switch leaves the others at the rulebook's."""
    assert smallest(testing.rules()) == Rules()
    rules = smallest(testing.rules(), lambda r: r.steal == "mandatory")
    assert rules == Rules(steal="mandatory")
    assert smallest(testing.rules(), lambda r: r.flip_without_tile).changes_from(Rules()) == {
        "flip_without_tile": True
    }


def test_equipments_shrink_to_one_die():
    """The smallest box has a die and a tile; the smallest with worms adds just one."""
    assert smallest(testing.equipments()) == Equipment(1, (1,), (0,))
    assert smallest(testing.equipments(), lambda e: sum(e.worms) > 0) == Equipment(1, (1,), (1,))


def test_positions_shrink_to_an_empty_table():
    """Tiles appear only where the condition asks for them."""
    assert str(smallest(testing.positions())) == "- - 1"
    assert str(smallest(testing.positions(min_grill=1, min_players=2))) == "21 -/- 1"
    assert str(smallest(testing.positions(), lambda p: p.own)) == "- 36 1"


def test_dice_shrink_to_ones():
    """Kept dice vanish, and a roll shows ones but for what is asked."""
    assert smallest(testing.kept_dice()) == Dice()
    assert str(smallest(testing.rolls())) == "1 1 1 1 1 1 1 1"
    assert str(smallest(testing.rolls(5), lambda d: d.counts[5])) == "1 1 1 1 W"


def test_turn_states_shrink_to_a_turn_about_to_begin():
    """A roll, kept dice and an open claim appear when they are asked for."""
    states = testing.turn_states(testing.positions(TINY, min_grill=1))
    box = "2d:4x1,6x1,9x2"
    assert str(smallest(testing.turn_states())) == "21 - 1"
    assert str(smallest(states, lambda s: s.roll)) == f"4 - 1 {box} roll=11"
    assert str(smallest(states, lambda s: s.kept.number)) == f"4 - 1 {box} kept=1"
    claim = smallest(states, lambda s: s.ended, 2000)
    assert len(claim.actions) == 2
    assert claim.rules == Rules()


def test_games_shrink_to_a_turn():
    """The smallest game takes the only tile; with a stop it is as short as a stop allows."""
    games = testing.games(testing.positions(TINY, min_grill=1, min_players=2), max_free_turns=2)
    game = smallest(games)
    assert str(game.start) == "4 -/- 1 2d:4x1,6x1,9x2"
    assert [str(a) for a in game.actions] == ["roll W W", "keep W"]
    game = smallest(games, lambda g: Stop() in g.actions)
    assert len(game.start.position.stacks) == 2
    assert [type(action) for action in game.actions] == [Roll, Keep, Stop]


@given(testing.games(max_free_turns=4))
@settings(max_examples=25)
def test_games_are_whole(game):
    """A drawn game starts with all tiles on the grill, replays, and ends."""
    assert game.start.position == Position.start(len(game.start.position.stacks))
    assert game.states()[-1].is_over
    assert type(game).from_json(game.to_json()) == game


@given(testing.turn_states(testing.positions(testing.equipments(4), min_grill=1)))
@settings(max_examples=60)
def test_turn_states_have_something_to_decide(state):
    """A drawn moment has legal actions and reads back."""
    assert state.actions
    assert GameState.parse(str(state), rules=state.rules) == state


@pytest.mark.parametrize(
    "strategy",
    [testing.equipments(0), testing.equipments(11), testing.positions(min_players=8)],
)
def test_strategies_refuse_what_cannot_be_played(strategy):
    """Numbers of dice and players that no game has are named."""
    with pytest.raises(GameError, match=r"cannot (be played|play)"):
        smallest(strategy)


def test_games_without_a_quick_end_are_rejected():
    """Where worms alone claim nothing the strategy has no game to draw."""
    start = Position((99,), ((), ()), 0, Equipment(2, (99,), (1,)))
    with pytest.raises((NoSuchExample, Unsatisfiable)):
        smallest(testing.games(st.just(start), max_free_turns=0))


def test_hypothesis_is_named_if_it_is_missing(monkeypatch):
    """The import says what to install."""
    for name in [n for n in sys.modules if n.startswith("pickomino.testing")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(ImportError, match=r"pip install 'pickomino\[testing\]'"):
        importlib.import_module("pickomino.testing")
