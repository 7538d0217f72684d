"""Reviews: regret, luck, and how they add up to what happened."""

from itertools import pairwise

import pytest

from pickomino import STANDARD, Position, Rules, advise
from pickomino.game.solve import solve_game
from pickomino.play.match import play_game
from pickomino.play.players import GamePlayer, make_player
from pickomino.play.record import GameRecord
from pickomino.play.review import review_game
from samples import SIX_TILES


def test_luck_and_regret_add_up_to_what_happened(record):
    """Each turn: its value, plus luck, minus regret, is the worms won or lost by it."""
    states = record.states()
    starts = [
        s
        for s, before in zip(states, [None, *states], strict=False)
        if before is None or s.position is not before.position
    ]
    for seat, summary in enumerate(review_game(record).summaries):
        happened = expected = 0.0
        for before, after in pairwise(starts):
            if before.mover == seat:
                happened += after.position.worms(seat) - before.position.worms(seat)
                expected += value(before)
        assert happened == pytest.approx(expected + summary.luck - summary.regret, abs=1e-9)


def value(state):
    """What a turn is worth from its first roll."""
    return advise(state.position, rules=state.rules).value


def test_exact_play_has_no_regret(record):
    """The exact player loses nothing in any decision, the others do; the worst are sorted."""
    found = review_game(record)
    random, cautious, worms = found.summaries
    assert worms.regret == 0
    assert worms.worst == ()
    assert random.regret > cautious.regret > 0
    for summary in (random, cautious):
        lost = [d.regret for d in summary.worst]
        assert lost == sorted(lost, reverse=True)
        own = [d.regret for d in found.decisions if d.seat == summary.seat]
        assert lost == sorted((r for r in own if r > 0), reverse=True)[:3]
        assert summary.decisions == len(own)


def test_decisions_are_those_with_a_choice(record):
    """Each names a state of the record, what was done there, and the best."""
    states = record.states()
    found = review_game(record)
    for decision in found.decisions:
        state = states[decision.number - 1]
        assert str(state) == decision.state
        assert len(state.actions) > 1
        assert str(record.actions[decision.number - 1]).startswith(decision.action)
        assert (decision.regret == 0) == (decision.best == decision.action)
    assert len(found.decisions) == sum(len(s.actions) > 1 for s in states[:-1])


def test_an_unfinished_game_is_reviewed():
    """Up to where it goes."""
    players = [make_player("random")] * 2
    whole = play_game(players, rules=Rules(), equipment=SIX_TILES, seed=1).record
    part = GameRecord(whole.start, whole.actions[:5], whole.players)
    choices = [number for number, s in enumerate(part.states()[:-1], 1) if len(s.actions) > 1]
    assert choices
    assert [decision.number for decision in review_game(part).decisions] == choices


@pytest.mark.parametrize("objective", ["win", "margin"])
def test_review_of_the_game(objective):
    """The exact player regrets nothing, and luck with regret adds up to the result."""
    box = STANDARD.only((21, 24, 30))
    record = play_game(
        [GamePlayer(objective), make_player("cautious")], rules=Rules(), equipment=box, seed=5
    ).record
    found = review_game(record, objective=objective)
    assert found.models == ("exact: full stacks",)
    assert {decision.model for decision in found.decisions} == set(found.models)
    assert found.summaries[0].regret == pytest.approx(0, abs=1e-9)
    assert found.summaries[1].regret > 0
    end = record.states()[-1]
    start = solve_game(Position.start(2, equipment=box), rules=Rules(), objective=objective).value
    result = float(end.winners == (0,))
    if objective == "margin":
        result = end.position.worms(0) - end.position.worms(1)
    swings = [s.luck - s.regret for s in found.summaries]
    assert result - start == pytest.approx(swings[0] - swings[1], abs=1e-9)
