"""The commands about games: values, and the model that an answer is from."""

import json

import pytest

from pickomino import Rules
from pickomino.game.solve import solve_game
from pickomino.play.match import play_game
from pickomino.play.players import make_player
from samples import FOUR_TILES, START


def test_game_value_command(pickomino, answer, refusal):
    """The object has value, bounds, states and model; a position may be given instead."""
    value = ("game", "value")
    fields = answer(*value, "--tiles", "21-22", "--rules", "bga", "--objective", "margin")
    assert (fields["states"], fields["model"]) == (4, "exact: full stacks")
    assert fields["lower"] <= fields["value"] <= fields["upper"]
    assert fields["value"] == pytest.approx(-0.020073671, abs=1e-8)
    code, out, _ = pickomino(*value, "--position", "21,22 -/- 2 8d:21-22x1", "--objective", "win")
    assert (code, out.splitlines()[0]) == (0, "0.636717850 chance to win for player 2")
    for arguments, message in (
        ([], "give either --tiles or --position"),
        (["--tiles", "20"], "tile 20 is not in the set"),
        (["--tiles", "21,21"], "do not ascend"),
        (["--tiles", "21", "--objective", "worms"], "use win or margin"),
        (["--tiles", "21-36", "--max-states", "500"], "more than 500 positions"),
    ):
        assert message in refusal(*value, *arguments)


def test_commands_say_their_model(pickomino, answer, refusal, tmp_path):
    """best and odds show how the answer moves with depth; review lists what it went by."""
    asked = ("--position", f"9,10,12,14 -/- 1 {FOUR_TILES}")
    solved = [solve_game(START, rules=Rules(), objective="margin", depth=depth) for depth in (1, 2)]
    game = (*asked, "--objective", "margin", "--max-states", solved[1].states)
    got = answer("best", *game)
    assert got["model"].startswith("depth 2")
    assert got["value"] == pytest.approx(solved[1].value)
    assert got["shallower"]["model"].startswith("depth 1")
    assert got["shallower"]["value"] == pytest.approx(solved[0].value)
    for command in ("best", "odds"):
        out = pickomino(command, *game)[1]
        assert "model      depth 2: only the top 2 tiles of a stack can be lost\n" in out
        assert "\ndepth 1: only the top tile of a stack can be lost:\n" in out
    few = refusal("odds", *asked, "--objective", "win", "--max-states", 2)
    assert "leads to more than 2 positions even at depth 1" in few
    record = play_game(
        [make_player("worms")] * 2, rules=Rules(), equipment=FOUR_TILES, seed=2
    ).record
    (tmp_path / "game.json").write_text(json.dumps(record.to_json()))
    review = ("review", tmp_path / "game.json", "--objective", "win")
    out = pickomino(*review)[1]
    assert "valued by\n[1]  exact: full stacks\n" in out
    assert "even at depth 1, and no table covers it" in refusal(*review, "--max-states", 3)
    match = ("match", "game", "worms", "--games", 4, "--equipment", FOUR_TILES)
    assert answer(*match)["standings"][0]["name"] == "game"
    code, out, _ = pickomino(*match, "--objective", "margin")
    assert (code, "game:margin" in out) == (0, True)
