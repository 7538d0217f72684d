"""A PettingZoo environment in which everybody acts every cycle, and the mover's action counts.

Pickomino is played in turn, so :mod:`pickomino.rl.aec` fits it better.  This one is for libraries
that know parallel environments alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pettingzoo import ParallelEnv

from pickomino._checks import given, shown, whole_number
from pickomino.equipment import Equipment
from pickomino.errors import EnvironmentSetupError
from pickomino.rl._seats import Seats
from pickomino.rl.environment import MAX_TURNS, RENDER_MODES, Observation, action_number
from pickomino.rules import Rules

__all__ = ["MAX_CYCLES", "Everybody", "PickominoParallel", "parallel_env"]

MAX_CYCLES = 10_000
"""After how many cycles a game is cut off by default, far beyond the default number of turns."""

Everybody = tuple[
    dict[str, Observation],
    dict[str, float],
    dict[str, bool],
    dict[str, bool],
    dict[str, dict[str, Any]],
]


class PickominoParallel(Seats, ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types
    """One cycle is one action of the player to move.

    What the others do is ignored.  If the mover's action is not legal, nothing happens, and the
    cycle is used up.

    Attributes:
        state_space: The space of :meth:`state`.
        max_cycles: After how many cycles a game is cut off.

    Args:
        players: How many play, 2 to 7.
        rules: The rule set, or its text.
        equipment: The dice and tiles, or their text.
        reward: ``win``, ``share`` or ``worms``.
        max_turns: After how many turns a game is cut off, at least one for each player.
        max_cycles: After how many cycles a game is cut off, at least 1.
        render_mode: ``ansi`` or None.

    Raises:
        EnvironmentSetupError: Settings that are not these.
        RulesError: Rules or equipment that do not exist.
    """

    metadata: Any = {"name": "pickomino_parallel_v0", "render_modes": RENDER_MODES}  # noqa: RUF012

    def __init__(
        self,
        players: int = 2,
        *,
        rules: Rules | str = "rulebook",
        equipment: Equipment | str = "standard",
        reward: str = "win",
        max_turns: int = MAX_TURNS,
        max_cycles: int = MAX_CYCLES,
        render_mode: str | None = None,
    ) -> None:
        most = whole_number(max_cycles)
        if most is None or most < 1:
            raise EnvironmentSetupError(f"max_cycles={shown(max_cycles)} is no game: use 1 or more")
        self._sit_down(players, rules, equipment, reward, max_turns, render_mode)
        self.max_cycles = most
        self._cycles = 0

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Start a game.

        Args:
            seed: Seeds the dice; None goes on with them.
            options: ``start`` may hold the first state, or its text.

        Returns:
            What each agent sees, and its info.

        Raises:
            EnvironmentSetupError: A first state that is over, or of another game.
            PickominoError: Text that is no state.
        """
        self._seed(seed)
        self._game.begin(options)
        self._cycles = 0
        self.agents = self.possible_agents[:]
        return self._seen()

    def step(self, actions: Mapping[str, int | None]) -> Everybody:
        """Let the player to move act.

        Args:
            actions: An action for each agent.

        Returns:
            By agent: what it sees, its reward, whether the game is over, whether it was cut off,
            and its info; empty after the end.
        """
        agents = self.agents
        if not agents:
            return {}, {}, {}, {}, {}
        assert self._rng is not None
        game, number = self._game, given("actions", actions, dict).get(agents[self.game.mover])
        legal = {self.codec.index(action): action for action in self.game.actions}
        rewards = [0.0] * len(agents)
        if number is not None and action_number(number) in legal:
            rewards = game.play(legal[action_number(number)], self._rng)
        self._cycles += 1
        cut_off = game.truncated or (self._cycles >= self.max_cycles and not game.terminated)
        observations, infos = self._seen()
        if game.terminated or cut_off:
            self.agents = []
        return (
            observations,
            dict(zip(agents, rewards, strict=True)),
            dict.fromkeys(agents, game.terminated),
            dict.fromkeys(agents, cut_off),
            infos,
        )

    def _seen(self) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        seats = list(enumerate(self.agents))
        observations = {agent: self._game.observe(seat) for seat, agent in seats}
        return observations, {agent: self._game.info(seat) for seat, agent in seats}


parallel_env = PickominoParallel
