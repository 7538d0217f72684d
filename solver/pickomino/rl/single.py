"""A Gymnasium environment: one seat against chosen players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium

from pickomino._checks import shown, whole_number
from pickomino.equipment import Equipment
from pickomino.errors import EnvironmentSetupError, GameError
from pickomino.play.engine import GameState
from pickomino.play.players import Player, players_of
from pickomino.rl.codec import Codec
from pickomino.rl.environment import (
    MAX_TURNS,
    RENDER_MODES,
    Game,
    Observation,
    check_render_mode,
    seed_number,
)
from pickomino.rules import Rules

__all__ = ["ATTEMPTS", "PickominoEnv"]

ATTEMPTS = 100
"""How many games a reset deals in search of one that reaches the agent's turn."""


class PickominoEnv(gymnasium.Env[Observation, int]):
    """One seat of a game; the others are played between two actions.

    A step returns the observation at the agent's next decision, or at the end, with the reward
    summed since its last one.  An action that is not legal ends the game with -1 (under ``worms``
    minus the worms of all tiles) and ``illegal_action`` in the info.  Spaces and rewards are
    described in :mod:`pickomino.rl.codec` and :class:`pickomino.rl.environment.Game`.

    Attributes:
        opponents: The other players, in turn order from the agent.
        seat: The agent's seat in this game, from 0; seat 0 begins.

    Args:
        opponents: One to six players or their names, as :func:`pickomino.play.players.make_player`
            reads them, in turn order from the agent.
        seat: The agent's seat, from 0; None draws it for each game.
        rules: The rule set, or its text.
        equipment: The dice and tiles, or their text.
        reward: ``win``, ``share`` or ``worms``.
        max_turns: After how many turns a game is cut off, at least one for each player.
        render_mode: ``ansi`` or None.

    Raises:
        EnvironmentSetupError: Settings that are not these.
        GameError: A player's name that does not exist.
        RulesError: Rules or equipment that do not exist.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        opponents: Sequence[Player | str] | Player | str = ("random",),
        *,
        seat: int | None = 0,
        rules: Rules | str = "rulebook",
        equipment: Equipment | str = "standard",
        reward: str = "win",
        max_turns: int = MAX_TURNS,
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode)
        several = isinstance(opponents, Sequence) and not isinstance(opponents, str)
        self.opponents = players_of(opponents if several else (opponents,))  # type: ignore[arg-type]
        players = 1 + len(self.opponents)
        self._game = Game(
            players, rules=rules, equipment=equipment, reward=reward, max_turns=max_turns
        )
        at = None if seat is None else whole_number(seat)
        if seat is not None and (at is None or at not in range(players)):
            raise EnvironmentSetupError(
                f"seat={shown(seat)} is not at the table: use 0 to {players - 1}, or None to "
                "draw it"
            )
        self.render_mode = render_mode
        self.seat, self._fixed_seat = at or 0, at
        self._done = True
        # The base class declares spaces of single values, and these are dictionaries.
        self.action_space = self._game.action_space()  # type: ignore[assignment]
        self.observation_space = self._game.observation_space()  # type: ignore[assignment]

    @property
    def codec(self) -> Codec:
        """What the numbers mean."""
        return self._game.codec

    @property
    def game(self) -> GameState:
        """The state of the game, for agents that look at it rather than at observations."""
        return self._game.state

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a game and play to the agent's first decision.

        A game that ends before is dealt again.

        Args:
            seed: Seeds the dice, the opponents and the drawing of seats; None goes on with them.
            options: ``start`` may hold the first state, or its text.

        Returns:
            What the agent sees, and its info.

        Raises:
            EnvironmentSetupError: A first state that is over, of another game, or one from which
                the agent's turn is not reached.
            PickominoError: Text that is no state.
        """
        super().reset(seed=seed_number(seed))
        if self._fixed_seat is None:
            self.seat = int(self.np_random.integers(self.codec.players))
        for _ in range(ATTEMPTS):
            self._game.begin(options)
            self._opponents_play()
            if not self._game.terminated:
                self._done = False
                return self._seen()
        raise EnvironmentSetupError(
            f"{ATTEMPTS} games ended before the turn of seat {self.seat}: use an earlier seat, "
            "or more tiles"
        )

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Act, and let the opponents play up to the agent's next decision.

        Args:
            action: One of the space; a legal one goes on.

        Returns:
            What the agent sees, its reward, whether the game is over, whether it was cut off, and
            its info.

        Raises:
            GameError: The game has ended, or no such action exists.
        """
        if self._done:
            raise GameError("the game has ended: call reset to start another")
        number = whole_number(action)
        if number is None or not self.action_space.contains(number):
            raise GameError(
                f"{shown(action)} is no action: use 0 to {self.codec.n_actions - 1}, "
                "and of these what the mask allows"
            )
        game = self._game
        if not game.mask(self.seat)[number]:
            self._done = True
            observation, info = self._seen()
            return observation, game.illegal_reward, True, False, {**info, "illegal_action": True}
        reward = game.play(self.codec.action(self.game, number), self.np_random)[self.seat]
        reward += self._opponents_play()
        self._done = game.terminated or game.truncated
        observation, info = self._seen()
        return observation, reward, game.terminated, game.truncated, info

    def _opponents_play(self) -> float:
        """Play up to the agent's decision or the end; what that changes for the agent."""
        game, reward = self._game, 0.0
        while self.game.mover != self.seat and not (game.terminated or game.truncated):
            player = self.opponents[(self.game.mover - self.seat - 1) % self.codec.players]
            action = player.choose(self.game, self.np_random)
            reward += game.play(action, self.np_random)[self.seat]
        return reward

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        return self._game.observe(self.seat), self._game.info(self.seat)

    def render(self) -> str | None:
        """The notation of the state, such as ``21-36 -/- 1 kept=333 roll=1344W``."""
        return self._game.render(self.render_mode)
