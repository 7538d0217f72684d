"""Games side by side, against games that are played dice by dice."""

import numpy as np
import pytest

from pickomino import PRESETS, ObjectiveError, Position, play_match, solve_turn
from pickomino.game.boards import Boards
from pickomino.play.many import ObjectiveTurns, play_many
from samples import SIX_TILES, is_near

PLACE = Position.parse("21-23,26-28,32-36 25,30/24,29/31 1")


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("objective", ["worms", "swing"])
def test_turns_end_as_the_solver_says(rules, objective):
    """Each claim, and the bust."""
    boards = Boards(rules, PLACE.equipment, 3)
    words = boards.pack([PLACE])
    _, kinds = boards.after(words)
    share, chosen = ObjectiveTurns(objective).ends(boards, words, kinds)
    found = np.bincount(chosen[0], share[0], boards.bust + 1)
    problem = solve_turn(PLACE, rules=rules, objective=objective)
    totals = problem.distribution()
    expected = np.zeros(boards.bust + 1)
    for total, chance in enumerate(totals):
        claims = PLACE.claims(total, rules) if total >= 5 else ()
        worms = {c: PLACE.equipment.worms_on(c.tile) for c in claims}
        if objective == "swing":
            worms = {c: w * (1 if c.victim is None else 2) for c, w in worms.items()}
        best = max(claims, key=lambda claim: worms[claim], default=None)
        expected[boards.bust if best is None else boards.tiles.index(best.tile)] += chance
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("players", [["worms", "swing"], ["swing", "worms", "worms"]])
@pytest.mark.parametrize("rules", ["rulebook", "bga-literal"])
def test_both_ways_of_playing_agree(players, rules):
    """Within the interval of the slow one, as the other plays ten times as many games."""
    boards = Boards(rules, SIX_TILES, len(players))
    games = len(players) * 400
    fast = [ObjectiveTurns(p) for p in players]
    many = play_many(boards, fast, range(10 * games), [5])
    assert many.share.sum(axis=1) == pytest.approx(1)
    slow = play_match(players, games, rules=rules, equipment=SIX_TILES, jobs=1, progress=False)
    for p, standing in enumerate(slow.standings):
        assert is_near(standing, many.share[:, p].mean())
        assert many.worms[:, p].mean() == pytest.approx(standing.worms, abs=0.3)
        assert many.steals[:, p].mean() == pytest.approx(standing.steals, abs=0.2)
        assert many.busts[:, p].mean() == pytest.approx(standing.busts, abs=0.2)
    assert many.turns.mean() == pytest.approx(slow.turns, rel=0.05)


def test_a_deal_gives_every_seat_the_same_luck():
    """Equal players, moved round, play the same game."""
    boards = Boards("rulebook", SIX_TILES, 3)
    many = play_many(boards, [ObjectiveTurns("worms")] * 3, range(30), [1])
    for deal in range(10):
        games = [3 * deal + at for at in range(3)]
        by_seat = [np.roll(many.worms[g], -(g % 3)) for g in games]
        assert len({tuple(w) for w in by_seat}) == 1
        assert len(set(many.turns[games])) == 1
    again = play_many(boards, [ObjectiveTurns("worms")] * 3, range(15, 30), [1])
    assert np.array_equal(again.worms, many.worms[15:])


def test_a_player_tells_games_apart():
    """Turns that pay alike end otherwise under other rules."""
    player, place = ObjectiveTurns("worms"), Position.parse("30-33 -/24 1")
    for rules in ("bga", "bga-literal", "dutch", "bga"):
        boards = Boards(rules, place.equipment, 2)
        words = boards.pack([place])
        _, kinds = boards.after(words)
        share, chosen = player.ends(boards, words, kinds)
        fresh, _ = ObjectiveTurns("worms").ends(boards, words, kinds)
        assert np.array_equal(share, fresh)
        assert len(chosen[0]) == len(share[0])


def test_other_objectives_are_refused():
    """Not played as if all ends were worth the same."""
    with pytest.raises(ObjectiveError, match="'total' is not played side by side: use worms or"):
        ObjectiveTurns("total")
