"""Whole games: states, legal actions, and what an action brings about.

A turn is a walk through four kinds of moment.  Everything about tiles is asked of
:class:`pickomino.position.Position`; this module adds the order of things:

    decide      dice kept or none, no roll         Roll, Stop
    keep        a roll on the table                Keep
    claim       turn ended, several claims open    Take
    over        the grill is empty                 nothing

A dead roll, a turn that claims nothing and a turn with a single claim leave no choice, so they are
settled at once and the state is already the next player's.  States are immutable and hashable.
Their notation is the position's, followed by what is under way:

    21-36 -/- 1 kept=333 roll=1344W
    21-36 24/- 2 kept=5555W ended
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pickomino._checks import cut, flag, given, shown
from pickomino.dice import FACES, Dice, check_kept, check_roll, final_totals, keep_order
from pickomino.equipment import Equipment
from pickomino.errors import DiceError, GameError, PositionError
from pickomino.position import Claim, Position
from pickomino.rules import Rules

__all__ = [
    "Action",
    "GameState",
    "Keep",
    "Roll",
    "Stop",
    "Take",
    "TurnEnd",
    "throw",
]


@dataclass(frozen=True)
class Roll:
    """Throw the dice that are left; ``dice`` is how they fall, None while that is open."""

    dice: Dice | None = None

    def __post_init__(self) -> None:
        if self.dice is not None:
            object.__setattr__(self, "dice", Dice.of(self.dice))

    def __str__(self) -> str:
        return f"roll {self.dice}" if self.dice else "roll"


@dataclass(frozen=True)
class Stop:
    """End the turn on purpose."""

    def __str__(self) -> str:
        return "stop"


@dataclass(frozen=True)
class Keep:
    """Set aside all dice of a face, ``1``-``5`` or ``W``."""

    face: str

    def __post_init__(self) -> None:
        if given("face", self.face, str) not in tuple(FACES):
            raise DiceError(f"{shown(self.face)} is no face: write 1-5, and W for the worm")

    def __str__(self) -> str:
        return f"keep {self.face}"


@dataclass(frozen=True)
class Take:
    """Make one of several claims."""

    claim: Claim

    def __post_init__(self) -> None:
        given("claim", self.claim, Claim)

    def __str__(self) -> str:
        return f"take {self.claim.tile}"


Action = Roll | Stop | Keep | Take


@dataclass(frozen=True)
class TurnEnd:
    """What a turn brought about.

    Attributes:
        seat: The index of the player whose turn it was.
        total: The final total; 0 without a worm or after a dead roll that is a bust.
        claim: The tile taken; None for a bust.
        returned: The tile that a bust put back on the grill; None if it put none back.
        flipped: The tile that a bust turned face down; None if it turned none.
    """

    seat: int
    total: int
    claim: Claim | None = None
    returned: int | None = None
    flipped: int | None = None

    @property
    def bust(self) -> bool:
        """Whether nothing was claimed."""
        return self.claim is None

    @property
    def steal(self) -> bool:
        """Whether a tile was taken from a player."""
        return self.claim is not None and self.claim.victim is not None


@dataclass(frozen=True)
class GameState:
    """A moment of a game.

    Attributes:
        position: Where the tiles are, and who is to move.
        rules: The rule set.
        kept: The dice kept in this turn.
        roll: The roll to keep from; None if none is on the table.
        ended: Whether the turn has ended and only its claim is open.

    Raises:
        DiceError: Dice that cannot lie on the table.
        GameError: A moment that offers no choice, though the game is not over.
    """

    position: Position
    rules: Rules = Rules()
    kept: Dice = Dice()
    roll: Dice | None = None
    ended: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", Position.of(self.position))
        object.__setattr__(self, "rules", Rules.of(self.rules))
        object.__setattr__(self, "kept", Dice.of(self.kept))
        if self.roll is not None:
            object.__setattr__(self, "roll", Dice.of(self.roll))
        object.__setattr__(self, "ended", flag("ended", self.ended))
        dice = self.position.equipment.dice
        check_kept(dice, self.kept)
        if self.roll is not None:
            check_roll(dice, self.kept, self.roll)
            if self.ended:
                raise GameError(f"{shown(str(self))} has ended: leave out the roll")
        if self.is_over and (self.kept.number or self.roll or self.ended):
            raise GameError(f"nothing is under way in {shown(str(self))}, as the game is over")
        if not self.is_over and not self.actions:
            raise GameError(f"{shown(str(self))} leaves nothing to decide: give the state after it")

    @classmethod
    def start(
        cls,
        players: int = 2,
        *,
        rules: Rules | str = "rulebook",
        equipment: Equipment | str = "standard",
    ) -> GameState:
        """The first moment of a game.

        Args:
            players: How many play, 2 to 7 by the rules; 1 plays alone.
            rules: The rule set, or its text.
            equipment: The dice and tiles, or their text.

        Raises:
            PositionError: A number of players that is not 1 to 7.
            RulesError: Rules or equipment that do not exist.
        """
        return cls(Position.start(players, equipment=equipment), Rules.of(rules))

    @property
    def mover(self) -> int:
        """The index of the player to act."""
        return self.position.mover

    @property
    def is_over(self) -> bool:
        """Whether no face-up tile is left on the grill."""
        return self.position.is_over

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has won; empty while the game goes on."""
        return self.position.winners(self.rules) if self.is_over else ()

    @property
    def dice_left(self) -> int:
        """The dice that a roll throws."""
        return self.position.equipment.dice - self.kept.number

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """What the player to act may do, a roll with its dice open; empty when all is over."""
        if self.is_over:
            return ()
        if self.ended:
            claims = self.position.claims(self.kept.final, self.rules) if self.kept.final else ()
            return tuple(map(Take, claims)) if len(claims) > 1 else ()
        if self.roll is not None:
            return tuple(Keep(FACES[f]) for f in keep_order(self.roll, self.kept.mask))
        if self.kept.is_spent(self.position.equipment.dice):
            return ()
        return (Roll(), Stop()) if self._may_stop() else (Roll(),)

    def _may_stop(self) -> bool:
        if not self.kept.number:
            return False
        final, rules = self.kept.final, self.rules
        # The claims are listed only if it depends on them: this is asked before every roll.
        return rules.may_stop(final, False) or rules.may_stop(
            final, final > 0 and bool(self.position.claims(final, rules))
        )

    def check_can_end(self) -> None:
        """Refuse to begin a game in which no turn ever moves a tile.

        Raises:
            GameError: Nobody has a tile, no total claims one, and a bust flips none.
        """
        position, rules = self.position, self.rules
        totals = final_totals(position.equipment.dice)[1:]
        stuck = not any(position.stacks) and not any(position.bust_tiles(rules))
        if stuck and not self.is_over and not any(position.claims(t, rules) for t in totals):
            raise GameError(
                f"no turn from {shown(str(self))} moves a tile, so the game never ends: use tiles "
                f"up to {position.equipment.max_total}"
            )

    def apply(self, action: Action) -> GameState:
        """The state after an action, as in :meth:`play`."""
        return self.play(action)[0]

    def play(self, action: Action) -> tuple[GameState, TurnEnd | None]:
        """The state after an action, and how the turn ended if the action ended it.

        Args:
            action: One of :attr:`actions`; a :class:`Roll` with the dice as they fell.

        Returns:
            The next state, and what the turn brought about; None while the turn goes on.

        Raises:
            GameError: An action that is not legal here, with those that are.
            DiceError: A roll that has not the dice left.
        """
        if isinstance(action, Roll) and Roll() in self.actions and action.dice is not None:
            check_roll(self.position.equipment.dice, self.kept, action.dice)
            if action.dice.mask & ~self.kept.mask:
                return _moment(self.position, self.rules, self.kept, action.dice), None
            return self._end(self.kept if self.rules.keeps_sum else Dice())
        if not isinstance(action, (Keep, Stop, Take)) or action not in self.actions:
            legal = ", ".join(map(str, self.actions)) or "nothing, as the game is over"
            done = cut(str(action)) if isinstance(action, Action) else shown(action)
            raise GameError(f"{done} is not legal in {shown(str(self))}: legal is {legal}")
        if isinstance(action, Take):
            return self._settle(self.kept.final, action.claim)
        if isinstance(action, Stop) or self.roll is None:
            return self._end(self.kept)
        face = FACES.index(action.face)
        kept = self.kept.plus(face, self.roll.counts[face])
        if kept.is_spent(self.position.equipment.dice):
            return self._end(kept)
        return _moment(self.position, self.rules, kept), None

    def _end(self, kept: Dice) -> tuple[GameState, TurnEnd | None]:
        """What follows when no more dice are kept; only a choice of claims waits."""
        final = kept.final
        claims = self.position.claims(final, self.rules) if final else ()
        if len(claims) > 1:
            return _moment(self.position, self.rules, kept, None, True), None
        return self._settle(final, claims[0] if claims else None)

    def _settle(self, total: int, claim: Claim | None) -> tuple[GameState, TurnEnd]:
        """The next player's turn after a claim, or after a bust without one."""
        position, rules = self.position, self.rules
        if claim is not None:
            end = TurnEnd(position.mover, total, claim)
            return _moment(position.after_claim(claim), rules), end
        end = TurnEnd(position.mover, total, None, *position.bust_tiles(rules))
        return _moment(position.after_bust(rules), rules), end

    def __str__(self) -> str:
        words = [str(self.position)]
        if self.kept.number:
            words.append(f"kept={_compact(self.kept)}")
        if self.roll is not None:
            words.append(f"roll={_compact(self.roll)}")
        if self.ended:
            words.append("ended")
        return " ".join(words)

    @classmethod
    def parse(cls, text: str, *, rules: Rules | str = "rulebook") -> GameState:
        """Read the notation described in this module; ``str(state)`` prints it.

        Args:
            text: The notation.
            rules: The rule set, which the notation does not hold.

        Raises:
            PickominoError: Text that is no state, with what is wrong.
        """
        words = given("text", text, str).split()
        under_way: dict[str, Any] = {}
        while words and (words[-1] == "ended" or words[-1].startswith(("kept=", "roll="))):
            name, _, dice = words.pop().partition("=")
            if name in under_way:
                raise PositionError(f"{name} is named twice in {shown(text)}: name it once")
            under_way[name] = True if name == "ended" else Dice.parse(dice)
        return cls(Position.parse(" ".join(words)), Rules.of(rules), **under_way)


def _moment(
    position: Position,
    rules: Rules,
    kept: Dice = Dice(),
    roll: Dice | None = None,
    ended: bool = False,
) -> GameState:
    """A state that follows from a legal action, and so needs no checks; games make millions."""
    state = object.__new__(GameState)
    state.__dict__.update(position=position, rules=rules, kept=kept, roll=roll, ended=ended)
    return state


def _compact(dice: Dice) -> str:
    return str(dice).replace(" ", "")


def throw(dice: int, rng: np.random.Generator) -> Dice:
    """Throw some dice with a seeded generator."""
    faces = rng.integers(0, 6, dice).tolist()
    return Dice(tuple(map(faces.count, range(6))))
