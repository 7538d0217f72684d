"""One way to answer: the library gives what the command line gives, for every objective."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from pickomino import (
    Advisor,
    Dice,
    GameRecord,
    GameState,
    Keep,
    MissingTableError,
    ObjectiveError,
    PickominoError,
    Position,
    PositionError,
    Roll,
    Stop,
    advise,
    build_game,
    odds,
    review_game,
    solve_game,
    solve_turn,
)
from samples import FOUR_TILES, GAMES, START

POSITIONS = [
    "21,36 -/33 2",
    "24,33 -/21 1",
    "21,33 30/24 2",
    "9,10,12 14/- 1 4d:9x1,10x2,12x1,14x3",
]


@pytest.mark.parametrize("objective", ["win", "margin", "worms", "swing", "reach:24", "total"])
@pytest.mark.parametrize("position", POSITIONS)
def test_the_library_gives_what_the_command_gives(answer, position, objective):
    """Values of every choice, with a roll and without, and the odds.

    To rounding, as either may answer from a larger game that it solved before.
    """

    def same(values):
        return pytest.approx(values, rel=0, abs=1e-12)

    dice = Position.parse(position).equipment.dice
    roll = "1 2 2 W W 4 4 5"[: 2 * (dice - 1) - 1]
    words = ("--position", position, "--objective", objective, "--kept", "3")
    if objective == "reach:24" and dice == 4:
        with pytest.raises(ObjectiveError, match="out of reach"):
            advise(position, "3", objective=objective)
        return
    told, known = answer("best", *words), advise(position, "3", objective=objective)
    assert [told["value"], told["roll_value"]] == same([known.value, known.roll_value])
    assert told["stop_value"] == (known.stop_value and same(known.stop_value))
    assert told["reason"] == known.reason
    told, keeps = (
        answer("best", *words, "--roll", roll),
        advise(position, "3", roll, objective=objective),
    )
    assert [(o["face"], o["then"]) for o in told["options"]] == [
        (o.face, o.then) for o in keeps.options
    ]
    for name in ("value", "regret"):
        assert [o[name] for o in told["options"]] == same([getattr(o, name) for o in keeps.options])
    told, ends = answer("odds", *words), odds(position, "3", objective=objective)
    found = [told["value"], told["bust"], told["variance"]]
    assert found == same([ends.value, ends.bust, ends.variance])
    assert {int(t): p for t, p in told["totals"].items()} == same(ends.totals)
    assert solve_turn(position, objective=objective).value("3") == same(known.value)


@pytest.mark.parametrize("position", POSITIONS)
def test_the_label_says_who_answers(answer, position):
    """An advisor's answer has the line ``model`` of the command line."""
    told = answer("best", "--position", position, "--objective", "win")
    known = Advisor(objective="win").ask(position)
    assert (told["model"], told["source"]) == (known.label, known.source)
    assert Advisor().ask(position).label == ""
    assert "model" not in answer("best", "--position", position)


def test_a_game_is_solved_once(monkeypatch):
    """Calls about one game, and an advisor's further positions, use what was solved."""
    from pickomino.ask import evaluators

    solved = []
    plain = evaluators.solve_listing

    def counted(listing, **settings):
        solved.append(listing)
        return plain(listing, **settings)

    monkeypatch.setattr(evaluators, "solve_listing", counted)
    advisor = Advisor(objective="margin")
    for position in (START, Position.parse(f"10,12 14/9 2 {FOUR_TILES}")):
        advisor.ask(position)
    assert len(solved) == 1
    for kept in ("", "W", "3"):
        advise("21,22 -/30 1", kept, objective="win", max_states=777)
    assert len(solved) == 2


def test_the_value_of_a_turn_is_that_of_its_game():
    """The turn solved on top of the next positions is worth what the position is."""
    for objective in ("win", "margin"):
        for position in POSITIONS:
            value = solve_game(position, objective=objective).value
            assert advise(position, objective=objective).value == pytest.approx(value, abs=1e-11)


def test_a_table_of_the_game_answers(monkeypatch, tmp_path):
    """Game tables are found by themselves; review, advise and best say so alike."""
    monkeypatch.setenv("PICKOMINO_TABLES", str(tmp_path))
    spec = next(s for s in GAMES if s.objective == "win")
    build_game(spec, tmp_path, progress=False)
    start = Position.start(2, equipment=spec.equipment)
    found = Advisor(rules=spec.rules, objective="win", max_states=5).ask(start)
    assert (found.source, found.label) == ("table", "table of exact: full stacks")
    state = GameState(start, spec.rules)
    actions = [Roll(Dice.parse("5555")), Keep("5")]
    record = GameRecord(state, tuple(actions))
    review = review_game(record, objective="win", max_states=5)
    assert set(review.models) == {found.label}


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda: advise(START, objective="win", exact=True), ObjectiveError, "has no fraction"),
        (lambda: advise("21 - 1", objective="win"), PositionError, "games are solved for two"),
        (lambda: advise(START, objective="luck"), ObjectiveError, "no objective is called 'luck'"),
        (lambda: advise(START, objective="win", max_states=0), PositionError, "no budget"),
        (lambda: odds("- 21/22 1", objective="win"), PickominoError, "the game is over"),
        (
            lambda: advise("21-36 -/- 1", objective="win", max_states=10),
            MissingTableError,
            r"more than 10 positions even at depth 1, and no table covers it: raise max_states, or "
            "build a table with pickomino tables build .* --objective margin --depth 1",
        ),
        (
            lambda: advise("20-36 -/- 1 8d:20-36x1", objective="win", max_states=10),
            MissingTableError,
            "raise max_states, or ask about fewer tiles$",
        ),
    ],
)
def test_questions_without_an_answer(call, error, sentence):
    """One sentence each, in the words of the library."""
    with pytest.raises(error, match=sentence):
        call()


def test_stops_are_actions_too():
    """A review of a stop and of a roll asks the same advisor."""
    state = GameState(Position.parse("21,22 -/24 1"), kept=Dice.parse("333WWW"))
    for action in (Stop(), Roll(Dice.parse("11"))):
        review = review_game(GameRecord(state, (action,)), objective="win")
        assert review.decisions[0].model == "exact: full stacks"
        best = advise(state.position, state.kept, objective="win")
        chosen = best.stop_value if isinstance(action, Stop) else best.roll_value
        assert review.decisions[0].regret == pytest.approx(best.value - chosen, abs=1e-12)


def test_threads_get_their_own_answers():
    """Two games asked of one advisor by four threads that give way at every step."""
    asked = ("21,22 23/24 1", "25,26 21/22 1")
    values = {p: advise(p, objective="win") for p in asked}
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            places = [p for _ in range(200) for p in asked]
            found = list(pool.map(lambda p: advise(p, objective="win"), places))
    finally:
        sys.setswitchinterval(before)
    assert found == [values[p] for p in places]


def test_chances_of_tiles_are_not_asked_of_tables(refusal):
    """Tables answer alone, or the question is refused."""
    told = refusal("odds", "--tables", "--reach")
    assert told == "error: no table holds what --reach asks for: leave --reach or --tables out\n"
