"""The check of an engine: what it finds, how it reports, and what it refuses to check."""

from dataclasses import replace

import pytest

from engines import MUTANTS, BySteps, CappedAt36, Crashes, NoSetUp, Ours
from pickomino import PRESETS, Position, Rules
from pickomino.errors import GameError
from pickomino.play.engine import Stop
from pickomino.testing import Conformance, Deviation, Inexpressible, Observation, check_conformance


@pytest.mark.parametrize("preset", PRESETS)
def test_our_engine_conforms(preset):
    """Our own engine behind the adapter has no deviation under any preset, whole or taken apart."""
    for engine in (Ours(preset), BySteps(preset)):
        result = check_conformance(engine, rules=preset, games=6, players=(2, 3, 7))
        assert result
        assert result.ok
        assert result.kinds == {}
        assert result.actions > 300
        assert result.report().endswith("no deviation")


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: m.__name__)
def test_every_common_mistake_is_caught(mutant):
    """One wrong rule is found, named for what it does, and shown in one turn from a small table."""
    result = check_conformance(mutant(), games=60)
    assert not result
    assert MUTANTS[mutant] in result.kinds
    for deviation in result.deviations:
        script = deviation.script
        assert {s.position for s in script.states()[:-1]} == {script.start.position}
        assert script.kind == deviation.kind
        # Two rolls and keeps, or one with a stop and a claim; what is seldom met is left longer.
        assert len(script.actions) <= (4 if script.kind == MUTANTS[mutant] else 9)


def test_scripts_without_a_set_up_are_games():
    """An engine that cannot be set up is followed from the start, with turns left out."""
    result = check_conformance(NoSetUp(CappedAt36()), games=40)
    (deviation,) = result.deviations
    script = deviation.script
    assert script.start.position == Position.start(len(script.start.position.stacks))
    turns = len({state.position for state in script.states()[:-1]})
    assert str(script).count("in  ") == turns == 2  # of some fifteen in the game


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
    with pytest.raises(AttributeError, match="cannot assign to field 'games'"):
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
