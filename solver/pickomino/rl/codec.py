"""States and actions as numbers.

For ``K`` players and ``T`` tiles there are ``8 + T`` actions:

======  ==============  =======================================
0       roll
1       stop
2-7     keep            faces 1-5 and W
8 + i   take            tile number ``i`` of the set, from 0
======  ==============  =======================================

A tile lies in one place, so that it names its claim.

An observation is a vector of ``(K + 1) T + K + 16`` numbers from 0 to 1, as one player sees it:

=============  =========================================================================
``(K + 1) T``  a row for the grill, then one for each stack from the observer's own in
               turn order; a column for each tile.  On the grill a tile is 1.  In a stack
               it is 1 over its depth: the top 1, the tile below it 1/2, then 1/3.
``6``          the kept dice of each face, over all dice
``6``          the rolled dice of each face, over all dice; zeros if no roll is there
``4``          the kind of moment, one of four: decide, keep, claim, over
``K``          who is to move, one of K, from the observer in turn order
=============  =========================================================================

With the seat of the observer this is the whole state, and :meth:`Codec.decode` gives it back: a
tile with zeros in all rows is face down, and the depths order the stacks.  Nothing in the game is
hidden or depends on the past, so that it suffices to play and to predict.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pickomino._checks import count, given, shown, whole_number
from pickomino.dice import FACES, Dice
from pickomino.equipment import Equipment
from pickomino.errors import GameError
from pickomino.play.engine import Action, GameState, Keep, Roll, Stop, Take
from pickomino.position import MAX_PLAYERS, Position
from pickomino.rules import Rules

__all__ = ["CHOOSE", "CLAIM", "DECIDE", "KEEP", "OVER", "ROLL", "STOP", "TAKE", "Codec"]

ROLL, STOP, KEEP, TAKE = 0, 1, 2, 8
"""The first number of each kind of action."""

DECIDE, CHOOSE, CLAIM, OVER = range(4)
"""The kinds of moment, in the order of the observation."""


@dataclass(frozen=True)
class Codec:
    """What the numbers of one game mean.

    Attributes:
        players: How many play.
        rules: The rule set.
        equipment: The dice and tiles.
    """

    players: int
    rules: Rules
    equipment: Equipment

    def __post_init__(self) -> None:
        object.__setattr__(self, "players", _seats(self.players))
        object.__setattr__(self, "rules", Rules.of(self.rules))
        object.__setattr__(self, "equipment", Equipment.of(self.equipment))

    @property
    def n_actions(self) -> int:
        """How many actions there are, legal or not."""
        return TAKE + len(self.equipment.tiles)

    @property
    def size(self) -> int:
        """The length of an observation."""
        return (self.players + 1) * len(self.equipment.tiles) + self.players + 16

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What each action is called, by its number."""
        keeps, takes = (f"keep {f}" for f in FACES), (f"take {t}" for t in self.equipment.tiles)
        return ("roll", "stop", *keeps, *takes)

    @cached_property
    def _column(self) -> dict[int, int]:
        return {tile: i for i, tile in enumerate(self.equipment.tiles)}

    def index(self, action: Action) -> int:
        """The number of an action; the dice of a roll do not matter.

        Returns:
            0 to ``n_actions - 1``.

        Raises:
            GameError: Something else, or a claim of a tile that is not in the set.
        """
        if isinstance(action, Roll):
            return ROLL
        if isinstance(action, Stop):
            return STOP
        if isinstance(action, Keep):
            return KEEP + FACES.index(action.face)
        if not isinstance(action, Take) or action.claim.tile not in self._column:
            raise GameError(f"{shown(action)} is no action of this game: use one of a state")
        return TAKE + self._column[action.claim.tile]

    def action(self, state: GameState, number: int) -> Action:
        """The legal action with a number, a roll with its dice open.

        Args:
            state: The state it is for.
            number: 0 to ``n_actions - 1``.

        Raises:
            GameError: A number that is no action, or none that is legal here.
        """
        wanted = whole_number(number)
        for action in given("state", state, GameState).actions:
            if self.index(action) == wanted:
                return action
        legal = ", ".join(f"{self.index(a)} ({a})" for a in state.actions)
        known = wanted is not None and 0 <= wanted < self.n_actions
        label = self.labels[wanted or 0] if known else "no action"
        raise GameError(
            f"{shown(number if wanted is None else wanted)} ({label}) is not legal in "
            f"{shown(str(state))}: legal is {legal or 'nothing, as the game is over'}"
        )

    def mask(self, state: GameState) -> NDArray[np.int8]:
        """Which actions are legal.

        Returns:
            ``n_actions`` zeros and ones, int8; all zeros when the game is over.
        """
        mask = np.zeros(self.n_actions, np.int8)
        for action in given("state", state, GameState).actions:
            mask[self.index(action)] = 1
        return mask

    def encode(self, state: GameState, seat: int = 0) -> NDArray[np.float32]:
        """A state as a player sees it.

        Args:
            state: The state.
            seat: The index of the player who looks, whose turn it need not be.

        Returns:
            ``size`` numbers from 0 to 1, float32, laid out as this module describes.
        """
        position, dice = given("state", state, GameState).position, self.equipment.dice
        if (len(position.stacks), position.equipment) != (self.players, self.equipment):
            raise GameError(f"{shown(str(state))} is of another game: encode one of {self}")
        first = count("seat", seat, self.players - 1)
        vector = np.zeros(self.size, np.float32)
        places, kept, roll, moment, mover = self._parts(vector)
        for tile in position.grill:
            places[0, self._column[tile]] = 1
        for row in range(self.players):
            stack = position.stacks[(first + row) % self.players]
            for depth, tile in enumerate(reversed(stack), 1):
                places[1 + row, self._column[tile]] = 1 / depth
        kept[:] = np.divide(state.kept.counts, dice)
        if state.roll is not None:
            roll[:] = np.divide(state.roll.counts, dice)
        moment[_moment(state)] = 1
        mover[(state.mover - first) % self.players] = 1
        return vector

    def decode(self, observation: ArrayLike, seat: int = 0) -> GameState:
        """The state that a player sees.

        Args:
            observation: A vector of :meth:`encode`.
            seat: The index of the player who looked.

        Raises:
            GameError: A vector of another length.
            PickominoError: Numbers that are no state.
        """
        try:
            vector = np.asarray(observation, np.float32)
        except (TypeError, ValueError, OverflowError):
            raise GameError(
                f"{shown(observation)} is no observation: give {self.size} numbers"
            ) from None
        seat = count("seat", seat, self.players - 1)
        if vector.shape != (self.size,) or np.iscomplexobj(observation):
            raise GameError(f"shape {vector.shape} is no observation: give {self.size} numbers")
        if not ((vector >= 0) & (vector <= 1)).all():
            raise GameError("the observation has numbers beyond 0 to 1: give one of encode()")
        places, kept, roll, moment, mover = self._parts(vector)
        tiles, dice = self.equipment.tiles, self.equipment.dice
        stacks: list[tuple[int, ...]] = [()] * self.players
        for row in range(self.players):
            # The lowest tile has the smallest number, so rising numbers go from bottom to top.
            order = np.argsort(places[1 + row], kind="stable")
            held = tuple(tiles[i] for i in order if places[1 + row, i] > 0)
            stacks[(seat + row) % self.players] = held
        position = Position(
            tuple(t for t, there in zip(tiles, places[0], strict=True) if there > 0),
            tuple(stacks),
            (seat + int(mover.argmax())) % self.players,
            self.equipment,
        )
        kind = moment.argmax()
        return GameState(
            position,
            self.rules,
            _dice(kept, dice),
            _dice(roll, dice) if kind == CHOOSE else None,
            bool(kind == CLAIM),
        )

    def _parts(self, vector: NDArray[np.float32]) -> tuple[NDArray[np.float32], ...]:
        """Views of the five parts of an observation."""
        rows, tiles = self.players + 1, len(self.equipment.tiles)
        places, kept, roll, moment, mover = np.split(
            vector, np.cumsum([rows * tiles, 6, 6, 4]).tolist()
        )
        return places.reshape(rows, tiles), kept, roll, moment, mover


def _seats(players: object) -> int:
    number = whole_number(players)
    if number is None or not 1 <= number <= MAX_PLAYERS:
        raise GameError(
            f"players={shown(players)} are none: use a whole number from 1 to {MAX_PLAYERS}"
        )
    return number


def _moment(state: GameState) -> int:
    if state.is_over:
        return OVER
    if state.ended:
        return CLAIM
    return DECIDE if state.roll is None else CHOOSE


def _dice(shares: NDArray[np.float32], dice: int) -> Dice:
    return Dice(tuple(int(n) for n in np.rint(shares * dice)))
