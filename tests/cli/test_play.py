"""The commands that play: matches, reviews, and a game in a terminal."""

import json
import os
import subprocess
import sys

import pytest

from pickomino.play.engine import GameState
from pickomino.play.record import GameRecord
from samples import SIX_TILES


def test_match_command(pickomino, answer, refusal):
    """Text and JSON; bad input is one sentence."""
    match = ("match", "worms", "random", "--equipment", SIX_TILES, "--jobs", 1, "--games")
    fields = answer(*match, 20)
    assert (fields["schema"], fields["games"]) == ("pickomino.match/1", 20)
    assert [s["name"] for s in fields["standings"]] == ["worms", "random"]
    assert [s["error"] for s in answer(*match, 2)["standings"]] == [None, None]
    code, out, _ = pickomino(*match, 20)
    assert (code, "20 games of" in out) == (0, True)
    for arguments, message in (
        (["worms", "deep-blue"], "no player is called 'deep-blue'"),
        (["worms"], "a match of 1 is none: name 2 to 7 players"),
        (["worms", "random", "--games", "0"], "--games 0 is no match: use a whole number from 1"),
        (["worms", "random", "--jobs", "0"], "--jobs 0 does no work: use a whole number from 1"),
        (["worms", "random", "--seed", "-1"], "-1 is not in the range"),
    ):
        assert message in refusal("match", *arguments, "--equipment", SIX_TILES)


@pytest.mark.parametrize(
    ("players", "equipment", "message"),
    [
        (["worms"], "8d:9999x1", "so the game never ends: use tiles up to 40"),
        (["random"], "1d:6x1,7x2", "no turn from '6,7 -/- 1 1d:6x1,7x2' moves a tile"),
        (["worms", "cautious", "game"], "standard", "has 4 players: games are solved for two"),
        (["game"], "standard", "no table covers it: raise --max-states, or build a table"),
        (["table:total"], "standard", "no table of total under rulebook with standard equipment"),
        (["table"], "standard", "no table covers the tops of 1 opponent: build it with"),
        (["exactly:41"], "standard", "exactly:41 is out of reach: use a total from 0 to 40"),
    ],
)
def test_what_can_be_known_is_said_before_the_first_move(
    refusal, monkeypatch, tmp_path, players, equipment, message
):
    """By match, and by play, which writes no record of such a game."""
    monkeypatch.setattr(GameState, "play", None)
    box = ("--equipment", equipment)
    assert message in refusal("match", "cautious", *players, *box, "--games", 10**6)
    against = [word for name in players for word in ("--against", name)]
    file = tmp_path / "game.json"
    assert message in refusal("play", *against, *box, "--record", file)
    assert not file.exists()


def test_a_review_asks_before_the_first_action(refusal, tmp_path):
    """A record of no actions is asked the same question."""
    file = tmp_path / "game.json"
    for start, objective, message in (
        (GameState.start(3), "win", "has 3 players: games are solved for two"),
        (GameState.start(2), "won", "no objective is called 'won'"),
        (GameState.parse("- 21/- 1"), "reach:41", "reach:41 is out of reach"),
    ):
        file.write_text(json.dumps(GameRecord(start).to_json()))
        assert message in refusal("review", file, "--objective", objective)


def test_review_command(pickomino, answer, refusal, record, tmp_path):
    """Text, the whole list, JSON; games that are none are one sentence."""
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record.to_json()))
    code, out, _ = pickomino("review", file)
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[1:4]] == ["random", "cautious", "worms"]
    assert len(pickomino("review", file, "--all")[1].splitlines()) > len(out.splitlines())
    fields = answer("review", file)
    assert fields["schema"] == "pickomino.review/1"
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
        assert message in refusal("review", path)


def test_a_game_is_played_in_a_terminal(terminal, tmp_path):
    """Rolls, keeps, hints and undo; the record is kept and reviews."""
    file = tmp_path / "game.json"
    game = terminal(
        *("play", "--seed", 1, "--against", "cautious"),
        *("--equipment", "3d:7-8x1,9x2", "--record", file),
    )
    game.sees("You are player 1.", "roll> ")
    game.says("hint", "Roll, as the first roll is compulsory", "roll> ")
    game.says("jump", "is no action", "roll> ")
    game.says("undo", "There is nothing to undo.")
    asked = [r"roll> ", r"roll, stop> ", r"keep [^\r\n]*> ", r"take [^\r\n]*> "]
    for _ in range(400):
        seen = game.child.expect([*asked, "The game is over."])
        if seen == len(asked):
            break
        after = game.child.after
        game.says(("", "stop", after[5], after[5:7].strip(",> "))[seen])
    game.sees("wins")
    game.leaves(0)
    record = GameRecord.from_json(json.loads(file.read_text()))
    assert record.players == ("you", "cautious")
    assert record.states()[-1].is_over


def test_an_interrupted_game_is_kept(terminal, tmp_path):
    """Ctrl-C leaves the record of what was played; a path that cannot be written is said first."""
    file = tmp_path / "game.json"
    game = terminal("play", "--seed", 1, "--record", file)
    game.sees("roll> ")
    game.says("")
    game.child.expect("keep [^\r\n]*> ")
    game.child.sendintr()
    game.leaves(130)
    assert len(GameRecord.from_json(json.loads(file.read_text())).actions) == 1
    game = terminal("play", "--seed", 1, "--record", tmp_path / "nowhere" / "game.json")
    game.sees("cannot be written")
    game.leaves(2)


def test_a_pipe_gets_one_record(tmp_path):
    """At the end, as whoever reads it leaves after the first."""
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    command = [sys.executable, "-m", "pickomino", "play", "--seed", "1", "--record", str(fifo)]
    with subprocess.Popen(["cat", str(fifo)], stdout=subprocess.PIPE) as reader:
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=60)
        record = json.loads(reader.communicate(timeout=60)[0])
    assert record["players"] == ["you", "worms"]
