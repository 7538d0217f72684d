"""Self-play: values of what follows, targets, and that a seed decides all."""

import numpy as np
import pytest

from pickomino import Position, Rules, solve_turn
from pickomino.estimate.batches import inputs_of_boards
from pickomino.estimate.network import Network
from pickomino.estimate.training import (
    LAG,
    Group,
    Learner,
    Turn,
    backed_up,
    drawn,
    relative,
    values_after,
)
from pickomino.game.boards import CLOSED, LIVE, Boards

PLACES = [
    "21-23,26-28,32-36 25,30/24,29/31 1",
    "36 25,30/24,29/31 2",
    "23 -/22/21 3",
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("objective", ["win", "margin"])
def test_turns_are_solved_on_top_of_the_values(objective, place):
    """By claim as the solver of a single turn does, for every seat in its place."""
    position, rules = Position.parse(place), Rules.preset("bga")
    boards = Boards(rules, position.equipment, 3)
    network = Network.untrained(objective, np.random.default_rng(1))
    words = boards.pack([position])
    then, kinds, value, _ = values_after(boards, network, words)

    def worth(claim):
        """What a seat gets by a claim, in the order of the seats from the mover on."""
        after = position.after_bust(rules) if claim is None else position.after_claim(claim)
        order = [(position.mover + seat) % 3 for seat in range(3)]
        seen = inputs_of_boards(boards, boards.pack([after]))
        ahead = np.roll(network.values(seen, 3)[0], 1)
        if objective == "margin":
            won = np.array([after.worms(p) - position.worms(p) for p in order], dtype=float)
            return relative(won) + (0 if after.is_over else ahead)
        if not after.is_over:
            return ahead
        winners = after.winners(rules)
        return np.array([(p in winners) / len(winners) for p in order])

    solution = solve_turn(position, rules=rules, objective=lambda o: float(worth(o.claim)[0]))
    play, mean = backed_up(boards, words, kinds, value)
    assert mean[0, 0] == pytest.approx(solution.value(), abs=1e-6)
    assert play.sum() == pytest.approx(1)
    assert (play[kinds == CLOSED] == 0).all()
    assert (value[kinds == CLOSED] == 0).all()
    for option in np.flatnonzero(kinds[0] == LIVE):
        after = boards.unpack(then[0, option], (position.mover + 1) % 3)
        assert after.mover == (position.mover + 1) % 3
    assert mean.sum() == pytest.approx(1 if objective == "win" else 0, abs=1e-5)


def test_targets_mix_what_later_turns_said():
    """Turned by a seat each turn, and cut where a game ended."""
    rng = np.random.default_rng(1)
    boards = Boards("rulebook", "standard", 3)
    group = Group(boards, 5, rng)
    turns = [
        Turn(boards.start(5), rng.random((5, 3)), rng.random((5, 3)), rng.random(5) < 0.2)
        for _ in range(LAG)
    ]
    group.turns.extend(turns)
    _, target = group.targets(0.7)

    def slowly(game, at):
        turn = turns[at]
        if at == LAG - 1 or turn.cut[game]:
            return turn.mean[game]
        later = slowly(game, at + 1)
        turned = np.array([later[2], later[0], later[1]])
        return 0.3 * turn.mean[game] + 0.7 * (turn.gain[game] + turned)

    assert target == pytest.approx(np.array([slowly(game, 0) for game in range(5)]))
    assert len(group.turns) == LAG - 1


def test_options_are_drawn_as_likely_as_they_are():
    """And one that cannot happen never."""
    play = np.tile([0.0, 0.5, 0.0, 0.25, 0.25, 0.0], (4000, 1))
    option = drawn(play, (np.arange(4000) + 0.5) / 4000)
    assert np.bincount(option, minlength=6).tolist() == [0, 2000, 0, 1000, 1000, 0]
    assert drawn(play[:2], np.array([0.0, np.nextafter(1, 0)])).tolist() == [1, 4]


def test_a_seed_decides_all():
    """Two trainings are the same to the last bit, and the network changes."""
    first, second = (Learner("win", 3, games=1) for _ in range(2))
    begun = first.network.first.copy()
    for learner in (first, second):
        for sweep in range(LAG + 3):
            learner.sweep(sweep / 100)
    for a, b in zip(first.network.weights, second.network.weights, strict=True):
        assert np.array_equal(a, b)
    assert not np.array_equal(first.network.first, begun)
