"""What the environments share: a game that goes on by numbers, its rewards and its spaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from pickomino._checks import count, given, shown, whole_number
from pickomino.equipment import Equipment
from pickomino.errors import EnvironmentSetupError, GameError
from pickomino.play.engine import Action, GameState, Roll, throw
from pickomino.position import MAX_PLAYERS
from pickomino.rl.codec import Codec
from pickomino.rules import Rules

__all__ = [
    "MAX_TURNS",
    "RENDER_MODES",
    "REWARDS",
    "Game",
    "Observation",
    "action_number",
    "check_render_mode",
    "seed_number",
]

Observation = dict[str, NDArray[Any]]

REWARDS = ("win", "share", "worms")
"""The rewards to choose from; see :class:`Game`."""

RENDER_MODES = ["ansi"]

MAX_TURNS = 1000
"""After how many turns a game is cut off by default; a game of random players has about 400."""


class Game:
    """A game in progress.

    The rewards of ``K`` players are one of

    =========  =========================================================================
    ``win``    at the end ``(K s - 1) / (K - 1)``, where ``s`` is the share of the win:
               1 for who wins alone, ``-1 / (K - 1)`` for who loses; they sum to 0
    ``share``  at the end the share of the win, from 0 to 1; they sum to 1
    ``worms``  at every step the change of one's own worms less the mean of the others';
               they sum to 0 over the players, and over a game to the final difference
    =========  =========================================================================

    A game that is cut off has no winner, and pays nothing for one.

    Attributes:
        codec: The meaning of the numbers.
        reward: The name of the reward.
        max_turns: After how many turns a game is cut off.
        state: The state now.
        turns: The turns that have ended.

    Args:
        players: How many play, 2 to 7.
        rules: The rule set, or its text.
        equipment: The dice and tiles, or their text.
        reward: One of :data:`REWARDS`.
        max_turns: At least one turn for each player.

    Raises:
        EnvironmentSetupError: A number or name that is not one of these.
        RulesError: Rules or equipment that do not exist.
    """

    def __init__(
        self,
        players: int = 2,
        *,
        rules: Rules | str = "rulebook",
        equipment: Equipment | str = "standard",
        reward: str = "win",
        max_turns: int = MAX_TURNS,
    ) -> None:
        seats, most = whole_number(players), whole_number(max_turns)
        if seats is None or not 2 <= seats <= MAX_PLAYERS:
            raise EnvironmentSetupError(
                f"{shown(players)} players cannot play: use 2 to {MAX_PLAYERS}"
            )
        if not isinstance(reward, str) or reward not in REWARDS:
            raise EnvironmentSetupError(
                f"no reward is called {shown(reward)}: use {', '.join(REWARDS[:-1])} or "
                f"{REWARDS[-1]}"
            )
        if most is None or most < seats:
            raise EnvironmentSetupError(
                f"max_turns={shown(max_turns)} ends before everybody has played: use {seats} or "
                "more"
            )
        self.codec = Codec(seats, Rules.of(rules), Equipment.of(equipment))
        self.reward = reward
        self.max_turns = most
        self.begin()

    @property
    def terminated(self) -> bool:
        """Whether the game is over."""
        return self.state.is_over

    @property
    def truncated(self) -> bool:
        """Whether the game was cut off."""
        return self.turns >= self.max_turns and not self.state.is_over

    @property
    def illegal_reward(self) -> float:
        """What an illegal action costs: no less than losing could."""
        return -float(sum(self.codec.equipment.worms)) if self.reward == "worms" else -1.0

    def begin(self, options: Mapping[str, Any] | None = None) -> None:
        """Start a game.

        Args:
            options: ``start`` may hold the first state, or its text; others are ignored.

        Raises:
            EnvironmentSetupError: A state that is over, or of another game.
            PickominoError: Text that is no state.
        """
        codec = self.codec
        start = None if options is None else given("options", options, dict).get("start")
        if start is None:
            start = GameState.start(codec.players, rules=codec.rules, equipment=codec.equipment)
        elif isinstance(start, str):
            start = GameState.parse(start, rules=codec.rules)
        if not isinstance(start, GameState):
            raise EnvironmentSetupError(f"start={shown(start)} is no state: give one, or its text")
        of = Codec(len(start.position.stacks), start.rules, start.position.equipment)
        if of != codec or start.is_over:
            why = "the game is over there" if of == codec else "players, rules or tiles differ"
            raise EnvironmentSetupError(
                f"no game starts at {shown(str(start))}: {why}, give another"
            )
        self.state = start
        self.turns = 0

    def play(self, action: Action, rng: np.random.Generator) -> list[float]:
        """Go on by an action.

        Args:
            action: A legal one; the dice of a roll are thrown here.
            rng: Where the dice come from.

        Returns:
            The reward of each seat.

        Raises:
            GameError: An action that is not legal.
        """
        before = self.state
        if isinstance(action, Roll):
            given("rng", rng, np.random.Generator)
            action = Roll(throw(before.dice_left, rng))
        self.state, end = before.play(action)
        if end is None:
            return [0.0] * self.codec.players
        self.turns += 1
        return self._rewards(before)

    def _rewards(self, before: GameState) -> list[float]:
        """The reward of each seat for the turn that ended, which led here from this state."""
        players, after = self.codec.players, self.state
        if self.reward == "worms":
            change = [after.position.worms(p) - before.position.worms(p) for p in range(players)]
            return [(players * c - sum(change)) / (players - 1) for c in change]
        if not after.is_over:
            return [0.0] * players
        shares = [(p in after.winners) / len(after.winners) for p in range(players)]
        if self.reward == "share":
            return shares
        return [(players * share - 1) / (players - 1) for share in shares]

    def mask(self, seat: int) -> NDArray[np.int8]:
        """The legal actions of a seat, as :meth:`Codec.mask`; zeros unless it is to move."""
        if count("seat", seat, self.codec.players - 1) != self.state.mover:
            return np.zeros(self.codec.n_actions, np.int8)
        return self.codec.mask(self.state)

    def observe(self, seat: int) -> Observation:
        """What a seat sees: ``observation``, and ``action_mask`` as :meth:`mask`."""
        return {
            "observation": self.codec.encode(self.state, seat),
            "action_mask": self.mask(seat),
        }

    def info(self, seat: int) -> dict[str, Any]:
        """``action_mask`` once more, and ``turns``, the turns that have ended."""
        return {"action_mask": self.mask(seat), "turns": self.turns}

    def action_space(self) -> spaces.Discrete:
        """A new space of all actions."""
        return spaces.Discrete(self.codec.n_actions)

    def observation_space(self) -> spaces.Dict:
        """A new space of what :meth:`observe` returns."""
        return spaces.Dict(
            {
                "observation": spaces.Box(0, 1, (self.codec.size,), np.float32),
                "action_mask": spaces.Box(0, 1, (self.codec.n_actions,), np.int8),
            }
        )

    def render(self, mode: str | None) -> str | None:
        """The notation of the state for ``ansi``; a warning if no mode was chosen."""
        check_render_mode(mode)
        if mode is None:
            gymnasium.logger.warn("nothing is rendered: make the environment with a render_mode")
            return None
        return str(self.state)


def action_number(action: object) -> int:
    """An action's number; anything that is no whole number is refused rather than cut.

    Raises:
        GameError: Such as 0.7 or a text.
    """
    number = whole_number(action)
    if number is None:
        raise GameError(f"{shown(action)} is no action: use a whole number")
    return number


def seed_number(seed: object) -> int | None:
    """A seed as Gymnasium takes it: a whole number from 0, or None to go on.

    Raises:
        EnvironmentSetupError: Anything else.
    """
    number = None if seed is None else whole_number(seed)
    if seed is not None and (number is None or number < 0):
        raise EnvironmentSetupError(
            f"seed={shown(seed)} is no seed: use a whole number from 0, or None"
        )
    return number


def check_render_mode(mode: str | None) -> None:
    """Refuse a render mode that does not exist.

    Raises:
        EnvironmentSetupError: Neither None nor one of :data:`RENDER_MODES`.
    """
    if mode is not None and (not isinstance(mode, str) or mode not in RENDER_MODES):
        raise EnvironmentSetupError(
            f"no render mode is called {shown(mode)}: use {' or '.join(RENDER_MODES)}, or None"
        )
