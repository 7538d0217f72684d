"""Reviews: regret, luck, and how they add up to what happened."""

import json
import sys
from itertools import pairwise

import pytest

from pickomino import Equipment, Rules
from pickomino.cli import run
from pickomino.play.engine import GameRecord
from pickomino.play.match import play_game
from pickomino.play.players import make_player
from pickomino.play.review import review_game

SMALL = Equipment(4, (8, 10, 11, 13, 15, 17), (1, 1, 2, 2, 3, 4))


@pytest.fixture(scope="module", params=["rulebook", "bga-literal", "tag", "septaseven"])
def record(request):
    """A game of three players of different strength."""
    players = [make_player(n) for n in ("random", "cautious", "worms")]
    return play_game(players, request.param, SMALL, seed=8).record


def test_luck_and_regret_add_up_to_what_happened(record):
    """Each turn: its value, plus luck, minus regret, is the worms won or lost by it."""
    states = record.states()
    starts = [
        s
        for s, before in zip(states, [None, *states], strict=False)
        if before is None or s.position is not before.position
    ]
    for seat, summary in enumerate(review_game(record).summaries):
        happened = expected = 0.0
        for before, after in pairwise(starts):
            if before.mover == seat:
                happened += after.position.worms(seat) - before.position.worms(seat)
                expected += value(before)
        assert happened == pytest.approx(expected + summary.luck - summary.regret, abs=1e-9)


def value(state):
    """What a turn is worth from its first roll."""
    from pickomino import advise

    return advise(state.position, rules=state.rules).value


def test_exact_play_has_no_regret(record):
    """The exact player loses nothing in any decision, the others do; the worst are sorted."""
    found = review_game(record)
    random, cautious, worms = found.summaries
    assert worms.regret == 0
    assert worms.worst == ()
    assert random.regret > cautious.regret > 0
    for summary in (random, cautious):
        lost = [d.regret for d in summary.worst]
        assert lost == sorted(lost, reverse=True)
        own = [d.regret for d in found.decisions if d.seat == summary.seat]
        assert lost == sorted((r for r in own if r > 0), reverse=True)[:3]
        assert summary.decisions == len(own)


def test_decisions_are_those_with_a_choice(record):
    """Each names a state of the record, what was done there, and the best."""
    states = record.states()
    found = review_game(record)
    for decision in found.decisions:
        state = states[decision.number - 1]
        assert str(state) == decision.state
        assert len(state.actions) > 1
        assert str(record.actions[decision.number - 1]).startswith(decision.action)
        assert (decision.regret == 0) == (decision.best == decision.action)
    assert len(found.decisions) == sum(len(s.actions) > 1 for s in states[:-1])


def test_review_command(record, tmp_path, capsys):
    """Text, the whole list, JSON; games that are none are one sentence."""
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record.to_json()))

    def call(*arguments):
        with pytest.raises(SystemExit) as stop:
            run(["review", *map(str, arguments)])
        return stop.value.code or 0, *capsys.readouterr()

    code, out, _ = call(file)
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[1:4]] == ["random", "cautious", "worms"]
    assert len(call(file, "--all")[1].splitlines()) > len(out.splitlines())
    fields = json.loads(call(file, "--json")[1])
    assert fields["schema"] == "pickomino.play.review/1"
    assert fields["summaries"][2]["regret"] == 0
    assert len(fields["summaries"][0]["worst"]) == 3
    broken = record.to_json()
    broken["actions"][3] = "keep 9"
    (tmp_path / "broken.json").write_text(json.dumps(broken))
    (tmp_path / "text.json").write_text("no game")
    for path, message in (
        (tmp_path / "nothing.json", "cannot be read"),
        (tmp_path / "text.json", "holds no game"),
        (tmp_path / "broken.json", "action 4: "),
    ):
        code, out, err = call(path)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert message in err


def test_an_unfinished_game_is_reviewed():
    """Up to where it goes."""
    players = [make_player("random")] * 2
    whole = play_game(players, Rules(), SMALL, seed=1).record
    part = GameRecord(whole.start, whole.actions[:5], whole.players)
    assert len(review_game(part).decisions) <= 5


def test_a_game_is_played_in_a_terminal(tmp_path):
    """Rolls, keeps, hints and undo; the record is kept and reviews."""
    pexpect = pytest.importorskip("pexpect", reason="a pseudo-terminal needs a POSIX system")
    file = tmp_path / "game.json"
    words = ["-m", "pickomino", "play", "--seed", "1", "--against", "cautious"]
    child = pexpect.spawn(
        sys.executable,
        [*words, "--equipment", "3d:7-8x1,9x2", "--record", str(file)],
        encoding="utf-8",
        timeout=120,
    )
    child.setwinsize(50, 150)
    child.expect_exact("You are player 1.")
    child.expect_exact("roll> ")
    child.sendline("hint")
    child.expect_exact("Roll, as the first roll is compulsory")
    child.expect_exact("roll> ")
    child.sendline("jump")
    child.expect_exact("is no action")
    child.expect_exact("roll> ")
    child.sendline("undo")
    child.expect_exact("There is nothing to undo.")
    for _ in range(400):
        seen = child.expect(
            [
                r"roll> ",
                r"roll, stop> ",
                r"keep [^\r\n]*> ",
                r"take [^\r\n]*> ",
                "The game is over.",
            ]
        )
        if seen == 4:
            break
        child.sendline(
            {0: "", 1: "stop", 2: child.after[5], 3: child.after[5:7].strip(",> ")}[seen]
        )
    child.expect_exact("wins")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 0
    record = GameRecord.from_json(json.loads(file.read_text()))
    assert record.players == ("you", "cautious")
    assert record.states()[-1].is_over


def test_an_interrupted_game_is_kept(tmp_path):
    """Ctrl-C leaves the record of what was played; a path that cannot be written is said first."""
    pexpect = pytest.importorskip("pexpect", reason="a pseudo-terminal needs a POSIX system")
    file = tmp_path / "game.json"
    words = ["-m", "pickomino", "play", "--seed", "1", "--record", str(file)]
    child = pexpect.spawn(sys.executable, words, encoding="utf-8", timeout=120)
    child.expect_exact("roll> ")
    child.sendline("")
    child.expect("keep [^\r\n]*> ")
    child.sendintr()
    child.expect(pexpect.EOF)
    child.wait()
    assert (child.exitstatus, "Traceback" in child.before) == (130, False)
    assert len(GameRecord.from_json(json.loads(file.read_text())).actions) == 1
    words[-1] = str(tmp_path / "nowhere" / "game.json")
    child = pexpect.spawn(sys.executable, words, encoding="utf-8", timeout=120)
    child.expect_exact("cannot be written")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 2
