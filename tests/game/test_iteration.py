"""Policy iteration: against a safe form, and on another game as an oracle."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy import sparse

from pickomino import Rules
from pickomino.game.iteration import Policy, settle_safely, solve
from pickomino.game.levels import levels
from pickomino.game.listing import list_game
from pickomino.game.model import Model
from samples import game_of


@pytest.mark.parametrize("objective", ["win", "margin"])
@pytest.mark.parametrize("rules", ["rulebook", "bga-literal", "septaseven", "tag"])
def test_the_safe_iteration_finds_the_same(rules, objective):
    """Hoffman and Karp's iteration from a poor policy, against the fast one."""
    graph = list_game(Model(game_of(21, 25, 33), Rules.preset(rules), objective))
    fast, safe = solve(graph).value, np.zeros(graph.states)
    for inside, _ in levels(graph):
        poor = graph.policy(inside, np.full(graph.states, 9.0))
        settle_safely(graph, inside, poor, safe)
    assert safe == pytest.approx(fast, abs=1e-11)


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
