"""What the two forms of the environment with an agent for each seat have in common."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray

from pickomino._checks import shown
from pickomino.equipment import Equipment
from pickomino.errors import GameError
from pickomino.play.engine import GameState
from pickomino.rl.codec import Codec
from pickomino.rl.environment import Game, check_render_mode, seed_number
from pickomino.rules import Rules


class Seats:
    """A game, its dice, and the spaces of each agent; mixed in before PettingZoo's base class."""

    def _sit_down(
        self,
        players: int,
        rules: Rules | str,
        equipment: Equipment | str,
        reward: str,
        max_turns: int,
        render_mode: str | None,
    ) -> None:
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self._game = Game(
            players, rules=rules, equipment=equipment, reward=reward, max_turns=max_turns
        )
        self._rng: np.random.Generator | None = None
        self.possible_agents = [f"player_{seat}" for seat in range(self.codec.players)]
        self.agents: list[str] = []
        self._action_spaces = {a: self._game.action_space() for a in self.possible_agents}
        self._observation_spaces = {a: self._game.observation_space() for a in self.possible_agents}
        self.state_space = spaces.Box(0, 1, (self.codec.size,), np.float32)

    def _seed(self, seed: int | None) -> None:
        """Seed the dice; None goes on with them."""
        number = seed_number(seed)
        if number is not None or self._rng is None:
            self._rng, _ = seeding.np_random(number)

    @property
    def codec(self) -> Codec:
        """What the numbers mean."""
        return self._game.codec

    @property
    def game(self) -> GameState:
        """The state of the game, for players that look at it rather than at observations."""
        return self._game.state

    def action_space(self, agent: str) -> spaces.Discrete:
        """All actions, of :mod:`pickomino.rl.codec`."""
        return self._action_spaces[self._named(agent)]

    def observation_space(self, agent: str) -> spaces.Dict:
        """``observation``, float32 in 0 to 1, and ``action_mask``, int8."""
        return self._observation_spaces[self._named(agent)]

    def _named(self, agent: object) -> str:
        """An agent's name.

        Raises:
            GameError: Nobody of this name plays.
        """
        if not isinstance(agent, str) or agent not in self.possible_agents:
            last = self.possible_agents[-1]
            raise GameError(f"{shown(agent)} does not play: use player_0 to {last}")
        return agent

    def state(self) -> NDArray[np.float32]:
        """The whole state: the observation of ``player_0``."""
        return self.codec.encode(self.game)

    def render(self) -> str | None:
        """The notation of the state, such as ``21-36 -/- 1 kept=333 roll=1344W``."""
        return self._game.render(self.render_mode)

    def close(self) -> None:
        """Nothing is open."""
