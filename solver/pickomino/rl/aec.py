"""A PettingZoo environment with an agent for each seat, who act in turn."""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from pickomino.equipment import Equipment
from pickomino.errors import GameError
from pickomino.rl._seats import Seats
from pickomino.rl.environment import MAX_TURNS, RENDER_MODES, Observation, action_number
from pickomino.rules import Rules

__all__ = ["PickominoAEC", "env", "raw_env"]


class PickominoAEC(Seats, AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """The environment without wrappers: an action that is not legal raises.

    The agents are ``player_0`` to ``player_6``, by seat.  Spaces and rewards are described in
    :mod:`pickomino.rl.codec` and :class:`pickomino.rl.environment.Game`.

    Attributes:
        state_space: The space of :meth:`state`.

    Args:
        players: How many play, 2 to 7.
        rules: The rule set, or its text.
        equipment: The dice and tiles, or their text.
        reward: ``win``, ``share`` or ``worms``.
        max_turns: After how many turns a game is cut off, at least one for each player.
        render_mode: ``ansi`` or None.

    Raises:
        EnvironmentSetupError: Settings that are not these.
        RulesError: Rules or equipment that do not exist.
    """

    # Typed Any, as the base class is.
    metadata: Any = {  # noqa: RUF012
        "name": "pickomino_v0",
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        players: int = 2,
        *,
        rules: Rules | str = "rulebook",
        equipment: Equipment | str = "standard",
        reward: str = "win",
        max_turns: int = MAX_TURNS,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self._sit_down(players, rules, equipment, reward, max_turns, render_mode)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game.

        Args:
            seed: Seeds the dice; None goes on with them.
            options: ``start`` may hold the first state, or its text.

        Raises:
            EnvironmentSetupError: A first state that is over, or of another game.
            PickominoError: Text that is no state.
        """
        self._seed(seed)
        self._game.begin(options)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._skip_agent_selection = None
        self._update()

    def step(self, action: int | None) -> None:
        """Let the selected agent act.

        Args:
            action: A legal action; None for an agent whose game has ended.

        Raises:
            GameError: An action that is not legal.
        """
        agent = self._to_act()
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise GameError(f"the game of {agent} is over: step with None")
            self._was_dead_step(action)
            return
        assert self._rng is not None
        number = -1 if action is None else action_number(action)
        rewards = self._game.play(self.codec.action(self.game, number), self._rng)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        self._accumulate_rewards()
        self._update()

    def last(self, observe: bool = True) -> Any:
        """What the selected agent sees, its reward, how its game ended, and its info.

        Raises:
            GameError: Nobody is to act.
        """
        self._to_act()
        return super().last(observe)

    def _to_act(self) -> str:
        """The agent to act."""
        if not self.agents:
            raise GameError("nobody is to act: call reset to start a game")
        return str(self.agent_selection)

    def _update(self) -> None:
        game = self._game
        self.terminations = dict.fromkeys(self.agents, game.terminated)
        self.truncations = dict.fromkeys(self.agents, game.truncated)
        self.infos = {agent: game.info(seat) for seat, agent in enumerate(self.agents)}
        self.agent_selection = self.agents[self.game.mover]

    def observe(self, agent: str) -> Observation:
        """What an agent sees; the mask is all zeros unless it is to move."""
        return self._game.observe(self.possible_agents.index(self._named(agent)))


def env(
    players: int = 2,
    *,
    rules: Rules | str = "rulebook",
    equipment: Equipment | str = "standard",
    reward: str = "win",
    max_turns: int = MAX_TURNS,
    render_mode: str | None = None,
) -> AECEnv:
    """A :class:`PickominoAEC` in PettingZoo's usual wrappers.

    An action that is not legal ends the game, with -1 for the agent (under ``worms`` minus the
    worms of all tiles) and 0 for the others; an action that does not exist raises AssertionError.

    Args:
        players: How many play, 2 to 7.
        rules: The rule set, or its text.
        equipment: The dice and tiles, or their text.
        reward: ``win``, ``share`` or ``worms``.
        max_turns: After how many turns a game is cut off, at least one for each player.
        render_mode: ``ansi`` or None.

    Raises:
        EnvironmentSetupError: Settings that are not these.
        RulesError: Rules or equipment that do not exist.
    """
    raw = PickominoAEC(
        players,
        rules=rules,
        equipment=equipment,
        reward=reward,
        max_turns=max_turns,
        render_mode=render_mode,
    )
    checked = wrappers.TerminateIllegalWrapper(raw, illegal_reward=raw._game.illegal_reward)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))


raw_env = PickominoAEC
