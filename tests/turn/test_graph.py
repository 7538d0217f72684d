"""The graph of turns: its states, and what each roll leads to."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from pickomino import Dice, DiceError
from pickomino.dice import keep_order
from pickomino.turn.graph import turn_graph


def test_size_of_the_standard_graph():
    """1,939 states, 1,287 of which can roll, in 311 groups of equal rolls."""
    graph = turn_graph(8)
    assert graph.states == 1939
    assert graph.states - graph.first_rolling == 1287
    assert len(graph.trees.group_state) - 1 == 311


@pytest.mark.parametrize("dice", range(1, 6))
def test_states_are_all_hands(dice):
    """A state for each (faces, dice left, total) of the multisets of up to n dice."""
    hands = set()
    for kept in range(dice + 1):
        for faces in product(range(6), repeat=kept):
            hand = Dice(tuple(faces.count(f) for f in range(6)))
            hands.add((hand.mask, dice - kept, hand.total))
    graph = turn_graph(dice)
    triples = zip(graph.mask.tolist(), graph.left.tolist(), graph.total.tolist(), strict=True)
    assert sorted(triples) == sorted(hands)


@pytest.mark.parametrize("dice", range(1, 11))
def test_roll_probabilities_sum_to_one_and_children_come_first(dice):
    """Both layouts hold a probability distribution over rolls in every state."""
    graph = turn_graph(dice)
    for level in graph.levels:
        sums = np.add.reduceat(level.prob, level.start) + graph.dead[level.states]
        np.testing.assert_allclose(sums, 1, atol=1e-13)
        assert (level.child[0] < level.states.start).all()
    trees = graph.trees
    for g, node in enumerate(trees.group_node[:-1]):
        prob = trees.prob[node : trees.group_node[g + 1]]
        assert prob.sum() + graph.dead[trees.group_state[g]] == pytest.approx(1, abs=1e-13)
    rows = np.arange(graph.first_rolling, graph.states)[:, None]
    assert ((graph.child < rows) | (graph.child == graph.states)).all()


@given(strategies.kept_and_roll(dice=4))
def test_probabilities_of_a_state_are_those_of_the_rolls(case):
    """What a roll offers has the probability counted over all 6^n rolls."""
    kept, _ = case
    graph = turn_graph(4)
    state, left = graph.state(kept), 4 - kept.number
    counted: Counter[tuple[int, ...]] = Counter()
    for faces in product(range(6), repeat=left):
        roll = Dice(tuple(faces.count(f) for f in range(6)))
        order = keep_order(roll, kept.mask)
        counted[tuple(graph.after(state, f, roll.counts[f]) for f in order)] += 1
    level = graph.levels[left - 1]
    row = state - level.states.start
    first = level.start[row]
    last = [*level.start, len(level.prob)][row + 1]
    for at in range(first, last):
        children = tuple(c for c in level.child[:, at].tolist() if c < graph.states)
        assert level.prob[at] == pytest.approx(counted.pop(children) / 6**left, abs=1e-15)
    dead = counted.pop((), 0)
    assert graph.dead[state] == pytest.approx(dead / 6**left, abs=1e-15)
    assert not counted


@given(st.integers(1, 8), strategies.kept_dice(10))
def test_too_many_kept_dice_are_refused(dice, kept):
    """A hand is a state exactly if the game has that many dice."""
    graph = turn_graph(dice)
    if kept.number > dice:
        with pytest.raises(DiceError, match=f"{kept.number} dice are kept .* the game has {dice}"):
            graph.state(kept)
    else:
        state = graph.state(kept)
        assert graph.total[state] == kept.total
        assert graph.can_roll(state) == (kept.number < dice and kept.mask != 0b111111)
