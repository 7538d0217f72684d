"""The commands about tables of both kinds."""

from pickomino import Rules
from pickomino._storage.folders import find_tables
from pickomino.tables.build import build_turns
from pickomino.tables.chart import chart_csv, chart_text, make_chart
from pickomino.tables.spec import TurnSpec
from pickomino.tables.table import TurnTable
from samples import EIGHT_TILES, NINE_TILES


def test_commands_from_build_to_remove(pickomino, answer, refusal, tmp_path):
    """Build says size and rate, info lists, verify is sound, remove asks and removes."""
    options = ["--equipment", EIGHT_TILES, "--rules", "bga", "--objective", "swing"]
    code, out, err = pickomino("tables", "build", *options, "--out", tmp_path)
    name = TurnSpec(Rules.preset("bga"), EIGHT_TILES, "swing").name
    assert (code, out.strip()) == (0, str(tmp_path / name))
    assert "on disk" in err.splitlines()[0]
    assert "a second" in err
    assert "built already" in pickomino("tables", "build", *options, "--out", tmp_path)[2]
    code, out, _ = pickomino("tables", "info", tmp_path)
    assert "finnish,steal=mandatory" in out
    listed = answer("tables", "info", tmp_path)
    assert listed[0]["table"]["objective"] == "swing"
    assert pickomino("tables", "verify", "--seed", 7, tmp_path) == (
        0,
        f"{listed[0]['folder']}: sound (sample drawn by --seed 7)\n",
        "",
    )
    (tmp_path / "swing").touch()
    array = next(tmp_path.glob("*/rolled.npy"))
    whole = bytearray(array.read_bytes())
    whole[-5] ^= 4
    array.write_bytes(whole)
    assert "rolled.npy" in refusal("tables", "verify", tmp_path)
    assert pickomino("tables", "remove", tmp_path, "--yes")[0] == 0
    assert [path.name for path in tmp_path.iterdir()] == ["swing"]  # no table, so not removed
    assert "no table is in" in refusal("tables", "verify", tmp_path)


def test_ctrl_c_in_a_terminal_stops_a_build_cleanly(terminal, tmp_path):
    """A progress bar with an estimate; then one sentence, exit code 130, and no table."""
    build = terminal("tables", "build", "--opponents", 3, "--out", tmp_path)
    build.sees("184,100 turns, 1.96 GB on disk")
    build.child.expect(r"\d+%\|.*\[\d+:\d+<\d+:\d+")
    build.child.sendintr()
    build.sees("interrupted: the same command goes on from here")
    build.leaves(130)
    assert find_tables(tmp_path) == []


def test_commands(pickomino, answer, refusal, tmp_path):
    """build, info, verify and remove take game tables."""
    build = ("tables", "build", "--out", tmp_path)
    made = (*build, "--tiles", "21-22", "--objective", "win")
    code, out, err = pickomino(*made)
    assert (code, out.strip()) == (0, str(tmp_path / "win_rulebook_8d+21x1+22x1_full"))
    assert "7 positions" in err
    assert pickomino(*made)[2].splitlines()[-1] == "built already"
    assert answer("tables", "info", tmp_path)[0]["table"]["kind"] == "game"
    assert "games, full stacks" in pickomino("tables", "info", tmp_path)[1]
    sound = f"{tmp_path}/win_rulebook_8d+21x1+22x1_full: sound (sample drawn by --seed "
    code, out, _ = pickomino("tables", "verify", tmp_path)
    assert (code, out[: len(sound)]) == (0, sound)
    assert out != pickomino("tables", "verify", tmp_path)[1]  # another sample
    assert pickomino("tables", "remove", tmp_path, "--yes")[0] == 0
    assert not list(tmp_path.iterdir())
    for arguments, message in (
        (["--objective", "win", "--depth", "2"], "a table of win cannot stop at depth 2"),
        (
            ["--objective", "margin", "--depth", "0"],
            "--depth 0 is no number of tiles",
        ),
        (["--depth", "1"], "--depth 1 is for games: use --objective win or margin"),
        (["--objective", "win", "--opponents", "1"], "leave out --opponents"),
        (["--objective", "win", "--tiles", "20"], "tile 20 is not in the set: use 21-36"),
    ):
        assert message in refusal(*build, *arguments)
    assert not list(tmp_path.iterdir())


def test_command_prints_text_or_csv_and_draws(pickomino, refusal, tmp_path):
    """The chart of a table that is built; without one, the command that builds it."""
    out = build_turns(TurnSpec(equipment=NINE_TILES), tmp_path).folder
    image = tmp_path / "chart.png"
    chart = ("tables", "chart", "--equipment", NINE_TILES)
    expected = make_chart(TurnTable.open(out))
    drawn = pickomino(*chart, tmp_path, "--image", image)
    assert drawn == (0, chart_text(expected) + "\n", "")
    assert image.read_bytes().startswith(b"\x89PNG")
    position = f"8,12,15 9/10 1 {NINE_TILES}"
    assert pickomino(*chart, out, "--csv")[:2] == (0, chart_csv(expected))
    error = refusal(*chart, out, "--position", position)
    assert "no table covers the tops of 1 opponent: build it with" in error
