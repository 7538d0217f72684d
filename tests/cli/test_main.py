"""best, odds and rules: options, JSON, batches, and one sentence for bad input."""

import json

import pytest

from pickomino import JUNIOR, PRESETS, Position, Rules, advise, odds
from pickomino.game.solve import solve_game
from samples import EIGHT_TILES, TABLE

EXAMPLE = [
    "best",
    *("--grill", "21-23,26-28,32-36", "--own", "25,30", "--opponent", "24,29", "--opponent", "31"),
    *("--kept", "3 3 3", "--roll", "1 3 4 4 W", "--rules", "rulebook", "--objective", "worms"),
]


def test_best_with_a_roll(answer):
    """The object has the documented keys and the library's numbers."""
    got = answer(*EXAMPLE)
    advice = advise(TABLE, "3 3 3", "1 3 4 4 W", with_odds=True)
    assert list(got)[:4] == ["schema", "rules", "objective", "position"]
    assert (got["rules"], got["objective"], got["position"]) == ("rulebook", "worms", str(TABLE))
    assert got["value"] == advice.value
    assert got["best"] == {"face": "W", "then": "roll"}
    assert list(got["options"][0]) == [
        *("face", "dice", "total", "value", "then", "roll_value", "stop_value", "bust"),
        *("regret", "tie"),
    ]
    for mine, theirs in zip(got["options"], advice.options, strict=True):
        assert mine["value"] == theirs.value
        assert mine["bust"] == theirs.odds.bust
        assert (mine["face"], mine["then"]) == (theirs.face, theirs.then)


def test_best_without_a_roll(answer):
    """Roll against stop."""
    got = answer("best", "--kept", "2 3 3 4 4 W")
    assert got["best"] == {"then": "stop"}
    assert (got["value"], got["stop_value"]) == (1.0, 1.0)
    assert got["roll_value"] == pytest.approx(0.8888888889)
    assert got["bust"] == 0
    assert answer("best")["stop_value"] is None
    assert answer("best", "--kept", "12345W")["best"] == {"then": "end"}


def test_a_dead_roll_is_an_answer(answer, pickomino):
    """Best is null, options are empty, the value is what it is worth; exit 0."""
    got = answer("best", "--own", "36", "--kept", "3 3 3", "--roll", "33333")
    assert (got["best"], got["options"], got["value"]) == (None, [], -4.0)
    code, out, _ = pickomino("best", "--kept", "5555W", "--roll", "555", "--rules", "bga-literal")
    assert (code, "takes 25 from the grill" in out) == (0, True)


def test_odds(answer):
    """Claims with their source, totals, and the best chances on request."""
    got = answer("odds", "--own", "25", "--opponent", "24,29", "--opponent", "31", "--reach")
    table = Position.seen([25], [[24, 29], [31]])
    ours = odds(table)
    assert got["value"] == ours.value
    assert sum(o["p"] for o in got["outcomes"]) + got["bust"] == pytest.approx(1, abs=1e-12)
    sources = {o["tile"]: o["from"] for o in got["outcomes"]}
    assert (sources[29], sources[31], sources[36]) == (1, 2, "grill")
    assert sum(got["totals"].values()) == pytest.approx(1, abs=1e-12)
    assert got["reach"]["21"] == pytest.approx(0.8930267371507457, abs=1e-12)
    assert "reach" not in answer("odds")
    mid = answer("odds", "--kept", "2 3 3 4 4 W")
    assert mid["value"] == 1.0
    assert mid["outcomes"] == [{"tile": 21, "from": "grill", "p": 1.0}]


def test_opponents_are_numbered_in_the_order_given(answer):
    """With --position the mover is skipped: player 3 of 3 is opponent 2 to player 2."""
    got = answer("odds", "--position", "21,36 22/30/33 2", "--rules", "tag")
    assert {o["tile"]: o["from"] for o in got["outcomes"]} == {
        22: 1,
        33: 2,
        21: "grill",
        36: "grill",
    }


def test_exact_adds_the_fraction(answer, pickomino):
    """As a string p/q, for the value and each option."""
    assert answer("odds", "--exact")["exact"] == "51132211301397563344873/31088519960728128454656"
    got = answer(*EXAMPLE, "--exact")
    assert got["exact"] == got["options"][0]["exact"] == "19333/69984"
    assert got["value"] == 19333 / 69984
    assert "exactly 19333/69984" in pickomino(*EXAMPLE, "--exact")[1]


@pytest.mark.parametrize(
    ("options", "position"),
    [
        ([], "21-36 - 1"),
        (["--opponent", ""], "21-36 -/- 1"),
        (["--own", "25 30", "--opponent", "24-26"], None),
        (["--own", "30,25"], "21-24,26-29,31-36 30,25 1"),
        (["--equipment", "junior"], "16-27 - 1 junior"),
        (["--equipment", "6d:16-27x1"], "16-27 - 1 6d:16-27x1"),
        (["--position", "21,22 25/30 2"], "21,22 25/30 2"),
        (["--position", "16,17 20/- 2", "--equipment", "junior"], "16,17 20/- 2 junior"),
        (["--position", "16,17 20/- 2 junior", "--equipment", "junior"], "16,17 20/- 2 junior"),
    ],
)
def test_ways_to_state_a_position(pickomino, answer, options, position):
    """Parts with defaults, or the notation."""
    if position is None:
        code, _, err = pickomino("best", *options)
        assert (code, "tile 25 is in the stack of player 1 and" in err) == (2, True)
    else:
        assert answer("best", *options)["position"] == position


def test_rules_and_equipment_reach_the_solver(answer):
    """Switches and boxes change the value as in the library."""
    steal = answer(
        "odds", "--opponent", "33", "--rules", "rulebook,steal=mandatory", "--objective", "swing"
    )
    rules = Rules(steal="mandatory")
    assert steal["rules"] == "rulebook,steal=mandatory"
    assert (
        steal["value"] == odds(Position.seen([], [[33]]), "", rules=rules, objective="swing").value
    )
    small = answer("odds", "--equipment", "junior")
    assert small["value"] == odds(Position.start(1, equipment=JUNIOR)).value


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["best", "--grill", "21-99"], "tile 37 is not in the set: use 21-36"),
        (["best", "--grill", "abc"], "'abc' in 'abc' is no tile"),
        (["best", "--grill", ""], "the game is over"),
        (["best", "--own", "25", "--grill", "25"], "tile 25 is on the grill and"),
        (["best", "--kept", "7"], "'7' in '7' is no face"),
        (["best", "--roll", "1"], "has 1 dice, but 8 of 8 are left"),
        (["best", "--rules", "german"], "no rules are called 'german': use rulebook"),
        (["best", "--objective", "wins"], "no objective is called 'wins'"),
        (["best", "--equipment", "big"], "'big' is no equipment"),
        (["best", "--position", "x"], "'x' is no position"),
        (
            ["best", "--position", "21 - 1", "--own", "25"],
            "--position already says what --own says",
        ),
        (["best", "--position", "21 - 1 6d:21x1", "--equipment", "junior"], "drop --equipment"),
        (["best", *["--opponent", ""] * 7], "8 players cannot play"),
        (["best", "--batch", "/nowhere/at/all"], "'/nowhere/at/all' cannot be read"),
        (["best", "--grille", "21"], "--grille"),
        (["odds", "--kept", "111111111"], "9 dice are kept"),
        (["turn", "--kept", "111111111"], "9 dice are kept"),
        (["rules", "german"], "no rules are called 'german'"),
        (["bets"], "'bets'"),
    ],
)
def test_bad_input_gets_one_sentence_and_exit_code_2(pickomino, arguments, message):
    """On stderr, without a traceback; nothing on stdout."""
    code, out, err = pickomino(*arguments)
    assert code == 2
    assert not out.strip() or arguments[0] == "turn"
    assert message in err
    assert err.startswith("error: ")
    assert err.count("\n") == 1


def test_batch_answers_each_line(pickomino, tmp_path):
    """A bad line is answered by its error and the rest still done; options are defaults."""
    lines = [
        '{"kept": "3 3 3", "roll": "1 3 4 4 W"}',
        "not json",
        "",
        '{"own": [25, 30], "opponent": [[24, 29], "31"], "kept": [3, 3, 3], "roll": "1344W"}',
        '{"face": "3"}',
        '{"roll": "1"}',
        '{"rules": "german"}',
        "[1]",
        '{"opponent": 24}',
        '{"kept": 3.5}',
        '{"kept": null, "position": "21 - 1 junior", "equipment": "standard"}',
        '{"objective": "reach:36"}',
        "[" * 100_000,
        '{"objective": "reach:' + "9" * 5000 + '"}',
        '{"own": 25, "kept": 333}',
        "\udcff",
        '{"kept": ' + "9" * 5000 + "}",
        '{"own": [25, -30]}',
        '{"kept": [12]}',
    ]
    file = tmp_path / "questions.jsonl"
    file.write_text("\n".join(lines), errors="surrogateescape")
    code, out, err = pickomino("best", "--batch", str(file), "--rules", "bga")
    assert (code, err) == (0, "")
    got = [json.loads(line) for line in out.splitlines()]
    assert len(got) == 18
    assert (
        got[0]["value"]
        == advise(Position.start(1), "333", "1344W", rules=Rules.preset("bga")).value
    )
    assert got[2]["position"] == "21-23,26-28,32-36 25,30/24,29/31 1"
    assert got[10]["objective"] == "reach:36"
    errors = [g.get("error", "") for g in got]
    assert "'not json' is not JSON" in errors[1]
    assert "no option is called 'face': use grill, own" in errors[3]
    assert "has 1 dice" in errors[4]
    assert "'german'" in errors[5]
    assert "is no object" in errors[6]
    assert "are no stacks" in errors[7]
    assert "kept=3.5 is no text" in errors[8]
    assert "drop --equipment" in errors[9]
    assert "is nested too deeply" in errors[11]
    assert "no objective is called" in errors[12]
    assert (got[13]["kept"], got[13]["position"]) == ("3 3 3", "21-24,26-36 25 1")
    assert "byte 0xff at character 1" in errors[14]
    assert "999 is too long: write 18 digits or less" in errors[15]
    assert "'-30' in '25,-30' is no tile" in errors[16]
    assert "more than one die" in errors[17]


def test_rules_command(pickomino, answer):
    """All presets with their sources, or one with its switches and our readings."""
    _, out, _ = pickomino("rules")
    assert [line.split()[0] for line in out.splitlines()[1:]] == list(PRESETS)
    _, out, _ = pickomino("rules", "bga")
    assert "BoardGameArena" in out
    assert "tie_break*" in out
    assert "flip_without_tile  " in out
    assert answer("rules", "bga")["switches"]["flip_without_tile"] is True
    assert "source" not in answer("rules", "bga,steal=optional")
    assert len(answer("rules")) == len(PRESETS)


@pytest.mark.parametrize("command", [[], ["best"], ["odds"], ["rules"], ["turn"]])
def test_help_and_version(pickomino, command):
    """Each command explains itself."""
    code, out, _ = pickomino(*command, "--help")
    assert (code, "Usage: pickomino" in out) == (0, True)
    assert "\n  pickomino" in out
    assert "\\b" not in out
    assert pickomino()[:2] == pickomino("--help")[:2]
    assert pickomino("--version")[1].startswith("pickomino 0")


def test_best_and_odds_say_where_the_answer_is_from(pickomino, turn_tables, monkeypatch):
    """A table that fits is used, with the same numbers; else the solver; exact never is a table."""
    monkeypatch.setenv("PICKOMINO_TABLES", str(turn_tables))
    commands = [
        ["best", "--equipment", EIGHT_TILES, "--roll", "12345"],
        ["best", "--equipment", EIGHT_TILES, "--kept", "5 W"],
        ["odds", "--equipment", EIGHT_TILES, "--kept", "5 W", "--opponent", "22"],
    ]
    for command in commands:
        fresh = json.loads(pickomino(*command, "--json")[1])
        assert fresh.pop("source") == "solver"
        for place in (["--tables"], ["--tables", str(turn_tables)]):
            ours = json.loads(pickomino(*command, *place, "--json")[1])
            assert ours.pop("source") == "table"
            assert_close(ours, fresh)


def test_tables_asked_by_name_answer_alone(turn_tables, table, tmp_path, refusal):
    """What they lack is refused with the command that builds it, and damage is told."""
    place = ["--equipment", str(EIGHT_TILES), "--tables", str(turn_tables)]
    missing = refusal("best", *place, "--objective", "total")
    assert "no table of total under rulebook" in missing
    assert "build it with pickomino tables build --rules rulebook --objective total" in missing
    tops = [word for tile in (8, 11, 12) for word in ("--opponent", tile)]
    few = ("--rules", "tag", "--objective", "reach:14")
    assert "no table covers the tops of 3 opponents" in refusal("odds", *place, *tops, *few)
    assert "leave --exact or --tables out" in refusal("best", *place, "--exact")
    assert "win is of a whole game" in refusal("best", *place, "--objective", "win")
    nothing = ["--tables", tmp_path]
    assert "build it with pickomino tables build" in refusal("odds", *nothing)
    asked = ("best", "--equipment", EIGHT_TILES, "--tables", table.parent, "--roll", "12345")
    (table / "rolled.npy").write_text("{}")
    assert "rolled.npy in" in refusal(*asked)


def assert_close(ours, theirs):
    """JSON values that are equal but for the last digits of floats."""
    if isinstance(theirs, dict):
        assert list(ours) == list(theirs)
        for key in theirs:
            assert_close(ours[key], theirs[key])
    elif isinstance(theirs, list):
        assert len(ours) == len(theirs)
        for one, other in zip(ours, theirs, strict=True):
            assert_close(one, other)
    elif isinstance(theirs, float):
        assert ours == pytest.approx(theirs, abs=1e-12)
    else:
        assert ours == theirs


def test_sets_too_large_for_tables_are_solved(pickomino):
    """Seventeen tiles are more than a table takes, and nothing to the solver."""
    code, out, err = pickomino("best", "--equipment", "8d:20-36x1", "--kept", "W", "--json")
    assert (code, err, json.loads(out)["source"]) == (0, "", "solver")


def test_best_move_of_a_game(answer, refusal):
    """best and odds take win and margin: what the game is worth is what its turn is worth."""
    asked = ["--position", "21,36 22/33 1 8d:21-22x1,33x4,36x4"]
    for objective in ("win", "margin"):
        solved = solve_game(Position.parse(asked[1]), objective=objective)
        for command in ("best", "odds"):
            got = answer(command, *asked, "--objective", objective)
            assert got["value"] == pytest.approx(solved.value, abs=1e-12)
    behind = ["--position", "23 36,22/21,33 2", "--kept", "5 5 W W 1", "--max-states", "50"]
    assert answer("best", *behind, "--objective", "worms")["best"] == {"then": "roll"}
    win = ("best", "--objective", "win")
    assert "leads to more than 1 positions" in refusal(*win, *behind, "--max-states", 1)
    assert "win has no fraction: leave --exact out" in refusal(*win, *asked, "--exact")
    assert "has 1 player: games are solved for two" in refusal(*win)
