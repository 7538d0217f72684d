"""The public face: one import, lazy, readable, typed; objects that travel, copy and compare."""

import copy
import importlib
import inspect
import pickle
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pickomino
from pickomino import (
    STANDARD,
    Advisor,
    DeadRoll,
    Dice,
    Equipment,
    GameSpec,
    GameState,
    Outcome,
    PickominoError,
    Position,
    PositionError,
    Rules,
    TurnSpec,
    advise,
    build_turns,
    keep,
    make_player,
    odds,
    open_game,
    open_tables,
    play_game,
    play_match,
    review_game,
    solve_batch,
    solve_game,
    solve_turn,
)
from samples import FOUR_TILES, SPEC, START

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BOX = "4d:9x1,10x2,12x1,14x3"


def modules():
    """All public modules of the package by name: those without an underscore in their path."""
    found = pkgutil.walk_packages(pickomino.__path__, "pickomino.")
    return [m.name for m in found if not re.search(r"\._", m.name)]


def test_dir_shows_the_public_names_alone():
    """And each of them is there."""
    assert dir(pickomino) == sorted(pickomino.__all__)
    assert not [name for name in dir(pickomino) if name.startswith("_") and name != "__version__"]
    for name in pickomino.__all__:
        assert getattr(pickomino, name) is not None
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = pickomino.no_such_name


@pytest.mark.parametrize("module", modules())
def test_public_modules_say_what_is_public(module):
    """All of __all__ is there; a package has it if it offers more than its modules."""
    loaded = importlib.import_module(module)
    if not hasattr(loaded, "__path__") or module in ("pickomino.rl", "pickomino.testing"):
        assert all(hasattr(loaded, name) for name in loaded.__all__)
        assert loaded.__all__


def test_public_names_are_those_of_their_modules():
    """What the package offers its module offers as well."""
    stub = Path(pickomino.__file__).with_name("__init__.pyi").read_text(encoding="utf-8")
    names = re.findall(r"^from \.([a-z_.]+) import (\w+) as (\w+)$", stub, re.MULTILINE)
    assert len(names) == len(stub.splitlines()) == len(pickomino.__all__)
    for module, name, public in names:
        assert name == public
        if module != "_version":
            assert name in importlib.import_module(f"pickomino.{module}").__all__


def test_documents_import_from_the_package():
    """Every example takes its names from pickomino, pickomino.rl or pickomino.testing."""
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    sources = re.findall(r">>> (?:from|import) (pickomino[\w.]*)", text)
    assert len(sources) > 15
    assert set(sources) == {"pickomino", "pickomino.rl", "pickomino.testing"}


def test_importing_is_light():
    """Neither the import nor an answer about a turn loads SciPy, numba or Hypothesis."""
    code = (
        "import sys, pickomino\n"
        "assert 'numpy' not in sys.modules\n"
        "pickomino.advise('21-36 -/- 1', '333', '1344W')\n"
        "heavy = {'scipy', 'numba', 'hypothesis', 'joblib', 'click', 'gymnasium'}\n"
        "sys.exit(bool(heavy & set(sys.modules)))\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", [n for n in pickomino.__all__ if n[0].islower() and n[0] != "_"])
def test_signatures_are_readable(name):
    """No default is an object that prints as more than a word or two, and every one fits a page."""
    function = getattr(pickomino, name)
    for parameter in inspect.signature(function).parameters.values():
        if parameter.default is not parameter.empty:
            assert re.fullmatch(r"[\w.'\-() ,]{1,20}", repr(parameter.default)), parameter


ORDER = [
    "rules", "equipment", "objective", "depth", "opponents", "dtype", "values_only",
    "max_states", "seed", "jobs", "scheduler", "with_odds", "exact", "progress",
]  # fmt: skip


@pytest.mark.parametrize("name", [n for n in pickomino.__all__ if n[0].islower() and n[0] != "_"])
def test_keywords_have_one_order(name):
    """What follows position, kept and roll is keyword-only, and stands in one order everywhere."""
    parameters = inspect.signature(getattr(pickomino, name)).parameters.values()
    known = [p for p in parameters if p.name in ORDER]
    if name in ("keep", "solve_batch", "one_turn_policy"):
        return  # of dice, arrays and listed games, where other things are asked
    assert [p.name for p in known] == sorted((p.name for p in known), key=ORDER.index)
    assert {p.kind for p in known} <= {inspect.Parameter.KEYWORD_ONLY}


def holdables(folder):
    """What a caller can hold."""
    solved = solve_game(START, objective="win")
    record = play_game(["worms", "random"], equipment=BOX).record
    return {
        "position": START,
        "rules": Rules.preset("bga"),
        "equipment": STANDARD,
        "dice": Dice.parse("33W"),
        "advice": advise(START, "W", with_odds=True),
        "keeps": advise(START, "W", "1 2 3", with_odds=True),
        "dead roll": advise(START, "W", "W W W"),
        "odds": odds(START, exact=True),
        "turn": solve_turn(START),
        "exact turn": solve_turn(START, exact=True),
        "game": solved,
        "payoff": solved.payoff(START),
        "answer": Advisor(objective="win").ask(START),
        "batch": solve_batch(np.arange(21.0), np.ones(21, dtype=bool)),
        "state": GameState.start(3),
        "record": record,
        "review": review_game(record),
        "match": play_match(["worms", "random"], 4, equipment=BOX, jobs=1, progress=False),
        "players": [make_player(n) for n in ("random", "cautious", "worms", "game", "table")],
        "specs": (SPEC, GameSpec(equipment=FOUR_TILES)),
        "tables": open_tables(folder, equipment=SPEC.equipment),
        "report": build_turns(SPEC, folder, progress=False),
        "outcome": Outcome(21),
    }


@pytest.fixture(scope="module")
def held(turn_tables):
    """Each of them once."""
    return holdables(turn_tables)


@pytest.mark.parametrize("way", ["pickle", "copy", "deepcopy"])
def test_whatever_is_held_travels(held, way):
    """Through pickle and copy; what compares by value is equal afterwards."""
    travel = {
        "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
        "copy": copy.copy,
        "deepcopy": copy.deepcopy,
    }[way]
    for name, thing in held.items():
        again = travel(thing)
        assert type(again) is type(thing)
        if name not in ("turn", "exact turn", "game", "answer", "batch", "tables"):
            assert again == thing, name
    assert travel(held["game"]).values(START) == held["game"].values(START)
    assert travel(held["turn"]).value("W") == held["turn"].value("W")
    assert travel(held["exact turn"]).value("W") == held["exact turn"].value("W")
    assert travel(held["answer"]).turn.advise("W") == held["answer"].turn.advise("W")
    eight = Position.start(2, equipment=SPEC.equipment)
    assert travel(held["tables"]).probe(eight) == held["tables"].probe(eight)


def test_a_table_travels_as_its_folder(held, game_tables):
    """Not as its numbers."""
    held["tables"].probe(Position.start(2, equipment=SPEC.equipment))
    assert len(pickle.dumps(held["tables"])) < 5000
    table = open_game(game_tables, equipment=FOUR_TILES, objective="win")
    value = table.values(START)
    assert len(pickle.dumps(table)) < 3000
    assert pickle.loads(pickle.dumps(table)).values(START) == value


def test_used_players_travel():
    """A player that has played is sent without what it remembers."""
    player = make_player("worms")
    play_game([player, "random"], equipment=BOX)
    assert len(pickle.dumps(player)) < 1000


def test_short_reprs(held):
    """One line that a reader takes in, whatever is inside."""
    assert repr(Position.start()) == "Position('21-36 -/- 1')"
    assert repr(Rules()) == "Rules('rulebook')"
    assert repr(Rules(steal="mandatory")) == "Rules('rulebook,steal=mandatory')"
    assert repr(Equipment.parse(BOX)) == f"Equipment('{BOX}')"
    assert repr(Dice.parse("3W3")) == "Dice('3 3 W')"
    for name in ("turn", "exact turn", "game", "batch", "tables", "specs"):
        assert len(repr(held[name])) < 300, name
        assert "\n" not in repr(held[name]), name
    game = "GameSolution('9,10,12,14 -/- 1 4d:9x1,10x2,12x1,14x3', win, value 0."
    assert repr(held["game"]).startswith(game)


def test_tables_for_notebooks():
    """Positions, advice and odds show as small tables, with all text escaped."""
    shown = Position.parse("21-23 25,30/- 2")._repr_html_()
    assert "<td>grill</td><td>21-23</td>" in shown
    assert "<td>player 2, to move</td><td>-</td>" in shown
    keeps = advise("21-36 -/- 1", "3 3 3", "1 3 4 4 W")
    assert keeps._repr_html_().count("<tr>") == 1 + len(keeps.options)
    assert f"<p>{keeps.reason}</p>" in keeps._repr_html_()
    assert "<td>roll</td>" in advise("21-36 -/- 1", "W")._repr_html_()
    assert "<td>bust</td>" in odds("21 -/24 1")._repr_html_()
    dead = advise("21-36 -/- 1", "5 5 5 5 W", "5 5 5")
    assert isinstance(dead, DeadRoll)
    assert "roll is dead" in dead._repr_html_()


def test_text_is_taken_wherever_an_object_is():
    """Positions, dice, equipment, players and rules."""
    position = Position.parse("21-23,25-36 -/24 1")
    assert advise("21-23,25-36 -/24 1", "33W") == advise(position, Dice.parse("33W"))
    assert odds("21-23,25-36 -/24 1") == odds(position)
    assert solve_turn("21-23,25-36 -/24 1").value("333W") == solve_turn(position).value(
        Dice.parse("333W")
    )
    assert Position.start(equipment="junior").equipment == Equipment.parse("junior")
    assert Position.seen(own=[16], equipment="junior").own == (16,)
    assert GameState.start(3, rules="bga", equipment=BOX).rules == Rules.preset("bga")
    by_name = play_game(["worms", "cautious"], rules="bga", equipment=BOX, seed=3)
    by_object = play_game(
        [make_player("worms"), make_player("cautious")],
        rules=Rules.preset("bga"),
        equipment=Equipment.parse(BOX),
        seed=3,
    )
    assert by_name == by_object
    assert TurnSpec(rules="tag", equipment=BOX) == TurnSpec(
        rules=Rules.preset("tag"), equipment=Equipment.parse(BOX)
    )
    assert GameState("21-24 -/- 1", "bga", kept="33") == GameState(
        Position.parse("21-24 -/- 1"), Rules.preset("bga"), Dice.parse("33")
    )
    assert keep("33", "1344W", "W") == Dice.parse("33W")
    assert position.claims(24, "bga") == position.claims(24, Rules.preset("bga"))
    assert position.after_bust("bga") == position.after_bust(Rules.preset("bga"))
    game = solve_game(f"9 -/14 1 {BOX}")
    assert game.payoff(f"9 -/14 1 {BOX}") == game.payoff(Position.parse(f"9 -/14 1 {BOX}"))
    assert game.covers(f"9 -/14 1 {BOX}")
    assert STANDARD.only("21-23,30") == STANDARD.only((21, 22, 23, 30))
    assert str(Position.parse(f"9 -/14 1 {BOX}")) == f"9 -/14 1 {BOX}"
    assert solve_game(f"9 -/14 1 {BOX}").values(f"9 -/14 1 {BOX}")


def test_integers_of_numpy_are_integers():
    """Seeds, players, jobs, depths, movers, counts and budgets."""
    one, two = np.int64(1), np.uint8(2)
    start = Position.start(two, equipment=BOX)
    assert start == Position.start(2, equipment=BOX)
    assert Position(start.grill, start.stacks, one, start.equipment).mover == 1
    assert Position(np.array([9, 10]), ((), ()), 0, start.equipment).grill == (9, 10)
    assert Equipment(np.int8(4), np.array([9, 10]), (one, two)).worms == (1, 2)
    assert solve_game(START, depth=one, max_states=np.int64(10_000)).model.depth == 1
    assert advise(START, objective="win", max_states=np.int32(10_000)).value > 0
    assert GameSpec(equipment=FOUR_TILES, depth=one) == GameSpec(equipment=FOUR_TILES, depth=1)
    assert TurnSpec(opponents=two) == TurnSpec(opponents=2)
    counts = np.array([1, 0, 0, 0, 0, 2], dtype=np.uint8)
    assert Dice(counts) == Dice(tuple(counts)) == Dice.parse("1WW")
    assert Dice().plus(5, np.int64(2)) == Dice.parse("WW")
    plain = play_match(["worms", "random"], 6, equipment=BOX, seed=5, jobs=1, progress=False)
    match = {"equipment": BOX, "seed": np.int64(5), "jobs": one, "progress": False}
    assert play_match(["worms", "random"], np.int64(6), **match) == plain


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: Position.seen(opponents=[24]), "24 is no stack: give a list of stacks, one for"),
        (lambda: Position.seen(own=[21.0]), r"\[21.0\] are no tiles: give a list of whole numbers"),
        (lambda: Position.start(2.0), "2.0 players cannot play: use a whole number from 1"),
        (lambda: Position.start(True), "True players cannot play: use a whole number"),
        (lambda: Position.seen(own="25,30"), "'25,30' are no tiles: give a list of whole numbers"),
        (lambda: advise(21), "21 is no position: give a Position, or its notation such as"),
        (lambda: solve_game(START, max_states=1.5), "max_states=1.5 is no budget: use a whole"),
        (lambda: solve_game(START, max_states=0), "max_states=0 is no budget: use a whole number"),
        (lambda: solve_game(START, depth="2"), "depth='2' is no number of tiles that can be lost"),
        (
            lambda: play_match(["worms"] * 2, 2.0),
            "games=2.0 is no match: use a whole number from 1",
        ),
        (lambda: play_match(["worms"] * 2, 2, seed=-1), "seed=-1 is no seed: use a whole number"),
        (
            lambda: play_match(["worms"] * 2, 2, jobs=0),
            "jobs=0 does no work: use a whole number from 1",
        ),
        (lambda: play_match("worms", 2), "'worms' are no players: give a list of them"),
        (lambda: play_match(["worms", 7], 2), "7 is no player: give one with a name and choose"),
        (lambda: TurnSpec(opponents=1.0), "1.0 opponents cannot be tabulated: use 0 to 6"),
    ],
)
def test_what_fits_nothing_is_told_what_is_true_of_it(call, sentence):
    """One sentence that names the value and what to give instead."""
    with pytest.raises(PickominoError, match=sentence):
        call()


def test_the_library_speaks_of_its_arguments():
    """Not of the command line's options, which the command line puts in their place."""
    with pytest.raises(PositionError, match="raise max_states, or ask about fewer tiles") as error:
        solve_game("21-28 -/- 1", max_states=10)
    assert "--" not in str(error.value)
