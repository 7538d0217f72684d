"""Someone else's engine, the Gymnasium environment pickomino-env 1.4.1, held against the rules.

Its rules are those of our preset of that name.  One action of it is two of ours, a face and whether
to roll on, so the adapter holds a keep back until the roll or the stop.  The first dice of a turn
lie on its table before anybody asks, and are replaced by ours.
"""

import os
from unittest import mock

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
from pickomino_env import pickomino as theirs

from pickomino import Dice, Position
from pickomino.dice import FACES
from pickomino.play.engine import Keep, Roll, Stop
from pickomino.testing import Inexpressible, Observation, check_conformance

ROLL, STOP = 0, 1


class BotAskedError(Exception):
    """The environment wants to know what its bot does."""


class Asking:
    """In place of the bot: hands its decisions over to the adapter."""

    def policy(self, *_seen):
        """Interrupt the environment, which has done its own part of the turn."""
        raise BotAskedError


class Given:
    """In place of the random generator: the dice as they are to fall."""

    def __init__(self, dice):
        self.faces = [f for f, count in enumerate(dice.counts) for _ in range(count)]

    def integers(self, _low, _high):
        """The next die."""
        return self.faces.pop()


class EnvAdapter:
    """pickomino-env behind the protocol: seat 1 acts through `step`, the others as its bots do."""

    def reset(self, players):
        """Begin with all tiles on the grill."""
        self.set_up(Position.start(players))

    def set_up(self, position):
        """Lay out the tiles; its first roll is still to be replaced."""
        self.env = theirs.PickominoEnv(number_of_bots=len(position.stacks) - 1)
        self.env.reset()
        for player, stack in zip(self.game.players, position.stacks, strict=True):
            player.tile_stack = list(stack)
        for tile in self.game.tiles.get_tiles():
            self.game.tiles.set_tile(tile_number=tile, is_available=tile in position.grill)
        self.game.current_player_index = position.mover
        self.face, self.first, self.over = None, True, False

    @property
    def game(self):
        """Its state."""
        return self.env._game

    def step(self, action):
        """Say an action of ours in its way."""
        dice = self.game.dice
        if isinstance(action, Roll) and self.first:
            dice._rolled, self.first = list(action.dice.counts), False
        elif isinstance(action, Roll):
            dice._random_generator = Given(action.dice)
            self.act(ROLL)
        elif isinstance(action, Stop):
            self.act(STOP)
        elif isinstance(action, Keep):
            self.face = FACES.index(action.face)
            if not self.allowed(ROLL):  # no dice are left, so nothing is to be decided
                self.act(STOP)
        else:
            raise Inexpressible("a choice among claims")

    def allowed(self, choice, face=None):
        """Whether it accepts a face with a choice to roll or stop."""
        action = (self.face if face is None else face, choice)
        return not any(self.game.action_checker.is_allowed(action)[:2])

    def act(self, choice):
        """Do one of its actions; whoever is asked next is the player to move."""
        action, self.face = (self.face, choice), None
        game, dice, seat = self.game, self.game.dice, self.game.current_player_index
        if seat == 0:
            try:
                with mock.patch.object(theirs, "Bot", Asking):
                    _, _, self.over, truncated, _ = self.env.step(action)
            except BotAskedError:
                self.over = truncated = False
        else:
            self.env._step_bot(action)
            self.over, truncated = game.terminated, game.truncated
            if game.dice is not dice:  # new dice are its sign that the turn has ended
                game.current_player_index = (seat + 1) % len(game.players)
        assert not truncated
        self.first = game.dice is not dice

    def observe(self):
        """All it shows; a keep held back counts as kept."""
        game, held = self.game, self.face is not None
        collected = list(game.dice.get_collected()) if not self.first else [0] * 6
        if held:
            collected[self.face] = game.dice.get_rolled()[self.face]
            legal = {"roll": self.allowed(ROLL), "stop": self.allowed(STOP)}
        elif self.first:
            legal = {"roll": True}
        else:
            legal = {f"keep {FACES[f]}": self.allowed(STOP, f) for f in range(6)}
        return Observation(
            grill=[tile for tile, up in game.tiles.get_tiles().items() if up],
            stacks=[player.tile_stack for player in game.players],
            mover=game.current_player_index,
            kept=Dice(tuple(collected)),
            legal=[action for action, allowed in legal.items() if allowed],
            over=self.over,
        )


KINDS = {
    "all faces kept: going on instead of ending the turn",
    "bust although the turn can go on",
    "total 37-40: stealing 36 instead of taking the next lower tile",
}


NOT_OVER = "game not over with an empty grill"


FLIP = "bust: the returned tile flipped instead of no flip"


CHOICE = "several claims open: stealing the tile of the total instead of leaving the choice"


def test_pickomino_env_by_its_own_rules():
    """Four mistakes are left under the preset of its rules, each shown in one short turn."""
    result = check_conformance(EnvAdapter(), rules="pickomino-env", players=(2, 3, 4))
    assert set(result.kinds) == {*KINDS, NOT_OVER}
    scripts = {d.kind: str(d.script).splitlines() for d in result.deviations}
    # The last tile is taken, and still its first bot is asked for an action.
    assert scripts[NOT_OVER][0] == "in        21 -/- 1"
    assert scripts[NOT_OVER][-2:] == [
        "expected  - 21/- 2; over: yes",
        "got       - 21/- 2; over: no",
    ]
    # It counts 37-40 as 36 before it looks for a tile.
    capped = scripts["total 37-40: stealing 36 instead of taking the next lower tile"]
    assert capped[0].endswith("-/36 1")
    assert capped[-1].split()[2] == "36/-"
    # It ends the turn when 21 are reached and no tile is in reach, though dice are left.
    assert "kept=" in scripts["bust although the turn can go on"][-2]
    assert not result
    assert result.inexpressible == ()


def test_pickomino_env_by_the_rulebook():
    """The rulebook spares a returned highest tile and lets a steal be passed over."""
    result = check_conformance(EnvAdapter(), rules="rulebook", games=600, players=(2, 3, 4))
    assert set(result.kinds) == {*KINDS, FLIP, CHOICE}


def lay_five_worms(dice):
    """A roll of theirs that always falls in the same way."""
    dice._rolled = [0, 0, 0, 3, 0, 5]
    return dice._rolled


def test_pickomino_env_plays_on_after_the_end():
    """Its bot still moves when the last tile is gone, and so may lose a tile it has won."""
    adapter = EnvAdapter()
    adapter.set_up(Position.parse("21 -/22 1"))
    for action in (Roll(Dice.parse("4 4 4 W W W W W")), Keep("W")):
        adapter.step(action)
    with mock.patch.object(theirs.Dice, "roll", lay_five_worms):
        *_, over, _, info = adapter.env.step((FACES.index("W"), STOP))
    assert over
    assert info["bot_scores"] == [0]
    assert adapter.game.players[0].tile_stack == [21]
