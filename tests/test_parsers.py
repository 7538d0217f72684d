"""Every parser: a typed error with a short sentence, or what prints back to itself.

``data/inputs.json`` holds small inputs, good and bad, each with its parser and what is printed.
"""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from pickomino import (
    Dice,
    Equipment,
    GameRecord,
    GameSpec,
    GameState,
    PickominoError,
    Position,
    Rules,
    TableError,
    TurnSpec,
    make_player,
)
from pickomino._ranges import format_ranges, parse_ranges
from pickomino._storage.manifest import check_manifest, kind_of, parse_manifest
from pickomino._words.question import answer_line
from pickomino._words.reading import object_of
from pickomino.play.record import read_action
from samples import FOUR_TILES, SIX_TILES, facts

INPUTS = facts("inputs.json")
CLAIMS = GameState.parse("21,23,36 25/- 2 kept=555WW ended", rules="finnish")
MOST = 600
"""Characters of a sentence that names two or three values and the fix."""


def read_batch(text):
    """The question of a line of a batch, from the fields of its answer."""
    answer = answer_line(text, {"max_states": 50})
    if "error" in answer:
        raise PickominoError(answer["error"])
    asked = ("position", "kept", "roll", "rules", "objective")
    return json.dumps({key: answer[key] for key in asked if key in answer})


def read_record(text):
    """A record from its text."""
    return json.dumps(GameRecord.from_json(object_of(text)).to_json())


def read_manifest(text):
    """A manifest from its text, with the table's specification as that prints it."""
    manifest = parse_manifest(text.encode("utf-8", "surrogatepass"))
    if manifest is None:
        raise TableError("this is no manifest")
    kind = GameSpec if kind_of(manifest) in GameSpec.kinds else TurnSpec
    spec = check_manifest(Path("table"), manifest, kind)
    return json.dumps({**manifest, "table": spec.to_json()})


PARSERS = {
    "ranges": lambda text: format_ranges(parse_ranges(text)),
    "dice": lambda text: str(Dice.parse(text)),
    "rules": lambda text: str(Rules.parse(text)),
    "equipment": lambda text: str(Equipment.parse(text)),
    "position": lambda text: str(Position.parse(text)),
    "state": lambda text: str(GameState.parse(text)),
    "action": lambda text: str(read_action(CLAIMS, text)),
    "player": lambda text: make_player(text).name,
    "record": read_record,
    "manifest": read_manifest,
    "batch": read_batch,
}
JSON = ["record", "manifest", "batch"]

SIGNS = "0123456789Ww6-,;/:=. dxkeptrollendedjuniorstandardrulebook\n\t\0٣\ud800\ufeff²"
"""What the notations are made of, and what looks like it."""


def texts_of(parser):
    """What is kept for a parser, and those that are good."""
    kept = [case for case in INPUTS if case["parser"] == parser]
    return [case["text"] for case in kept], [c["text"] for c in kept if c["printed"] != "error"]


@st.composite
def spoiled(draw, parser):
    """An input with some of its signs left out, put in twice, or others put in."""
    text = draw(st.sampled_from(texts_of(parser)[0]))
    for _ in range(draw(st.integers(1, 3))):
        at, to = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
        sign = st.text(SIGNS, max_size=3)
        middle = draw(st.one_of(sign, st.just(text[at:to] * 2), sign.map(lambda s: s * 5000)))
        text = text[:at] + middle + text[to:]
    return text


values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**70), 2**70),
        st.just(10**4299),
        st.floats(),
        st.text(SIGNS, max_size=5),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)


@st.composite
def altered(draw, parser):
    """A good object with one value, wherever it is, replaced, left out or put in."""
    whole = json.loads(draw(st.sampled_from(texts_of(parser)[1])))
    inner = whole
    while True:
        keys = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
        if not keys:
            break
        key = draw(st.sampled_from(keys))
        if isinstance(inner[key], (dict, list)) and draw(st.booleans()):
            inner = inner[key]
            continue
        if draw(st.booleans()):
            inner[key] = draw(values)
        else:
            del inner[key]
        break
    return json.dumps(whole)


def outcome(parser, text):
    """What a text prints as, or the sentence that refuses it."""
    try:
        return PARSERS[parser](text), None
    except PickominoError as error:
        return "error", str(error)


def check(parser, text):
    """Read a text: it is refused by a short sentence, or prints back to itself."""
    printed, sentence = outcome(parser, text)
    if sentence is None:
        assert outcome(parser, printed) == (printed, None)
    else:
        assert sentence.isprintable()
        assert 0 < len(sentence) < MOST


@pytest.mark.parametrize("case", INPUTS, ids=lambda c: f"{c['parser']}: {c['text'][:40]!r}")
def test_inputs_that_are_kept(case):
    """What each prints, or that it is refused."""
    check(case["parser"], case["text"])
    assert outcome(case["parser"], case["text"])[0] == case["printed"]


def test_every_parser_has_inputs_of_both_kinds():
    """A hundred or more in all."""
    assert len(INPUTS) >= 100
    for parser in PARSERS:
        every, good = texts_of(parser)
        assert 0 < len(good) < len(every)


@pytest.mark.parametrize("parser", PARSERS)
def test_any_text_is_read_or_refused(parser):
    """Of signs that the notation has, and of any others."""

    @settings(max_examples=150)
    @given(st.one_of(st.text(SIGNS, max_size=40), st.text(max_size=20)))
    def run(text):
        check(parser, text)

    run()


@pytest.mark.parametrize("parser", PARSERS)
def test_spoiled_inputs_are_read_or_refused(parser):
    """Near to what is good, where a parser takes more than it should."""

    @settings(max_examples=300)
    @given(spoiled(parser))
    def run(text):
        check(parser, text)

    run()


@pytest.mark.parametrize("parser", JSON)
def test_altered_objects_are_read_or_refused(parser):
    """Values of every kind at every place."""

    @settings(max_examples=300)
    @given(altered(parser))
    def run(text):
        check(parser, text)

    run()


@given(
    strategies.equipments(),
    strategies.rules,
    strategies.positions(st.sampled_from([FOUR_TILES, SIX_TILES])),
    strategies.kept_dice(10),
)
def test_what_is_printed_is_read(equipment, rules, position, dice):
    """Objects of every kind, from their text."""
    assert Equipment.parse(str(equipment)) == equipment
    assert Rules.parse(str(rules)) == rules
    assert Position.parse(str(position)) == position
    assert Dice.parse(str(dice)) == dice
