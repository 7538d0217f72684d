"""Someone else's engine, the Gymnasium environment pickomino-env 1.4.1, held against the rules.

Its rules are those of our preset of that name.  One action of it is two of ours, a face and whether
to roll on, so the adapter holds a keep back until the roll or the stop.  The first dice of a turn
lie on its table before anybody asks, and are replaced by ours.
"""

import os
from dataclasses import replace
from unittest import mock

import pytest

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
from pickomino_env import pickomino as theirs

from pickomino import Dice, Position, Rules
from pickomino.dice import FACES
from pickomino.errors import GameError
from pickomino.play.engine import Keep, Roll, Stop
from pickomino.testing import Conformance, Deviation, Inexpressible, Observation, check_conformance
from test_testing import BySteps, CappedAt36, Crashes, NoSetUp, Ours

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
    result = check_conformance(EnvAdapter(), "pickomino-env", players=(2, 3, 4))
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
    result = check_conformance(EnvAdapter(), "rulebook", games=600, players=(2, 3, 4))
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


def test_scripts_without_a_set_up_are_games():
    """An engine that cannot be set up is followed from the start, with turns left out."""
    result = check_conformance(NoSetUp(CappedAt36()), games=40)
    (deviation,) = result.deviations
    script = deviation.script
    assert script.start.position == Position.start(len(script.start.position.stacks))
    turns = len({state.position for state in script.states()[:-1]})
    assert str(script).count("in  ") == turns <= 5


def test_the_report_is_readable():
    """It has a head, a paragraph for each kind, and a script that our engine replays."""
    result = check_conformance(CappedAt36(), games=40)
    head, _, name = result.report().split("\n")[:3]
    assert head.startswith("40 games under rulebook, ")
    assert head.endswith(" actions compared: 1 kind of deviation")
    assert name.startswith("total 37-40: stealing 36 instead of taking the next lower tile (")
    script = result.deviations[0].script
    assert script.states()[-1] == script.expected
    assert check_conformance(CappedAt36(), games=40) == result


def test_what_an_engine_cannot_tell_is_not_compared():
    """An observation of nothing is no pass, and one of the mover alone finds a missed turn."""

    class Silent(CappedAt36):
        def observe(self):
            return Observation()

    class MoverOnly(BySteps):
        def busted(self, position):
            return replace(super().busted(position), mover=position.mover)

        def observe(self):
            return Observation(mover=self.state.mover)

    with pytest.raises(GameError, match="nothing was compared"):
        check_conformance(Silent(), games=5)
    assert check_conformance(MoverOnly(), games=5).kinds == {"another player to move": 5}


def test_what_cannot_be_said_is_left_out():
    """An engine without a choice of claims conforms as far as it goes, and the report says so."""

    class NoChoice(Ours):
        def step(self, action):
            if isinstance(action, Stop):
                raise Inexpressible("stop")
            super().step(action)

    result = check_conformance(NoChoice(), games=5)
    assert result
    assert result.inexpressible[0][0] == "stop"
    assert "left out, as the engine cannot say it: stop (" in result.report()


def test_an_engine_that_raises_is_a_finding():
    """The script ends at the action, and what was got is the error."""
    (deviation,) = check_conformance(Crashes(), games=5).deviations
    assert deviation.script.got == "IndexError: list index out of range"
    assert str(deviation.script).endswith("got       IndexError: list index out of range")


def test_a_wrong_start_is_a_finding():
    """The first observation is compared before anything is done."""

    class Late(Ours):
        def observe(self):
            return replace(super().observe(), mover=1)

    result = check_conformance(Late(), games=2)
    assert result.kinds == {"at the start: other mover": 2}
    assert "in        21-36 -/- 1" in result.report()


@pytest.mark.parametrize(
    "change", [{"games": 0}, {"games": True}, {"players": ()}, {"players": 8}, {"rules": "german"}]
)
def test_checks_of_nothing_are_refused(change):
    """The sentence names what was given."""
    with pytest.raises(ValueError, match=r"checks nothing|cannot play|no rules"):
        check_conformance(Ours(), **change)


def test_an_observation_of_another_kind_is_refused():
    """An adapter's slip is its author's error, not the engine's."""

    class Slip(Ours):
        def observe(self):
            return {"grill": []}

    with pytest.raises(GameError, match="return an Observation"):
        check_conformance(Slip())


def test_findings_are_values():
    """Frozen, and true exactly if nothing was found."""
    empty = Conformance(Rules(), 1, 2, ())
    assert empty
    assert empty.report() == "1 game under rulebook, 2 actions compared: no deviation"
    with pytest.raises(AttributeError):
        empty.games = 2
    assert Deviation.__dataclass_params__.frozen


def test_an_engine_that_fails_at_once_or_shows_rubbish_is_a_finding():
    """Errors at the start and observations of wrong types end a game, not the check."""

    class Broken(Ours):
        def reset(self, players):
            raise RuntimeError("no")

        def set_up(self, position):
            raise RuntimeError("no")

    found = check_conformance(Broken("rulebook"), games=3)
    assert found.kinds == {"the start raises RuntimeError": 3}
    assert "RuntimeError: no" in found.report()
    for wrong in ({"grill": 5}, {"stacks": 5}, {"kept": "9"}, {"legal": 5}, {"mover": "x"}):

        class Rubbish(Ours):
            def observe(self, wrong=wrong):
                return replace(super().observe(), **wrong)

        found = check_conformance(Rubbish("rulebook"), games=3)
        assert sum(found.kinds.values()) == 3
        assert found.report()


def test_an_engine_that_can_be_told_nothing_is_no_pass():
    """What leaves nothing to compare is refused."""

    class Mute(Ours):
        def step(self, action):
            raise Inexpressible("anything")

    with pytest.raises(GameError, match="nothing was compared"):
        check_conformance(Mute("rulebook"), games=3)
