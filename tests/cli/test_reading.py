"""Text from files and standard input, and how much of it a sentence repeats."""

import io
import json
import sys

import pytest

from pickomino import TableError
from pickomino._checks import cut, shown
from pickomino._words import question
from pickomino._words.reading import lines_of

GOOD = '{"kept": "2 3 3 4 4 W"}'
LONG = "x" * 200_000
BROKEN = "a\nb\r\x1b[31m\u2028c"
MOST = 600
"""Characters of a sentence that names two or three values and the fix."""


@pytest.fixture
def stdin(monkeypatch):
    """Put bytes on standard input."""

    def put(raw):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="ascii"))
        return "-"

    return put


@pytest.fixture(params=["file", "stdin"])
def source(request, stdin, tmp_path):
    """Bytes in a file, or on standard input, as the command line names them."""

    def put(raw):
        if request.param == "stdin":
            return stdin(raw)
        (tmp_path / "input").write_bytes(raw)
        return tmp_path / "input"

    return put


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"own": ' + b"9" * 4301 + b"}", "999 is too long: write 18 digits or less"),
        (b'{"position": "21-36 - ' + b"9" * 4300 + b'"}', "is no player: write a number from 1"),
        (b'{"equipment": "' + b"9" * 4301 + b'd:21x1"}', "is no equipment"),
        (b'{"max_states": "' + b"9" * 4301 + b'"}', "is no budget: use a whole number from 1"),
        (b'{"grill": "' + b"1-9999," * 30_000 + b'1"}', "names tiles more than once"),
        (b'{"opponent": ' + b"[" * 99_999 + b"]" * 99_999 + b"}", "is nested too deeply"),
        (b'{"kept": "3", "roll": "1", "kept": "4"}', "the key 'kept' is given twice"),
        (b'{"own": {"a": 1, "a": 2}}', "the key 'a' is given twice: give it once"),
        (b'{"kept": "\xff"}', "the byte 0xff at character 11 of"),
        (b"\xff\xfe{\x00}\x00", "is not UTF-8: save the text as UTF-8"),
        (b'{"kept": "\\ud800"}', "is no face"),
        (b'"' + LONG.encode() + b'"', "is no object"),
        (b'{"' + LONG.encode() + b'": 1}', "no option is called"),
        (b'{"own": "' + LONG.encode() + b'"}', "is no tile"),
        (b'{"position": "1\\n2\\u2028"}', "is no position"),
    ],
    ids=shown,
)
def test_a_line_that_fails_answers_for_itself(pickomino, source, line, message):
    """Its sentence is short and on one line, and the lines around it are answered."""
    name = source(b"\n".join([GOOD.encode(), line, GOOD.encode()]))
    code, out, err = pickomino("best", "--batch", name)
    first, failed, last = map(json.loads, out.splitlines())
    assert (code, err, first["best"]) == (0, "", {"then": "stop"})
    assert first == last
    assert message in failed["error"]
    assert len(failed["error"]) < MOST
    assert failed["error"].isprintable()


@pytest.mark.parametrize("error", [RecursionError, MemoryError, OverflowError, KeyError, OSError])
def test_a_failure_of_any_class_answers_its_line(pickomino, source, monkeypatch, error):
    """As when a number is too large for some library, or the memory for the question."""
    best_answer = question.best_answer

    def fail(asked, **options):
        if asked.kept == "W":
            raise error(f"no\nluck{LONG}")
        return best_answer(asked, **options)

    monkeypatch.setattr(question, "best_answer", fail)
    code, out, _ = pickomino("best", "--batch", source(f'{{"kept": "W"}}\n{GOOD}'.encode()))
    failed, answered = map(json.loads, out.splitlines())
    assert (code, answered["best"]) == (0, {"then": "stop"})
    assert failed["error"].startswith(f"this line cannot be answered: {error.__name__}: ")
    assert len(failed["error"]) < MOST
    assert failed["error"].isprintable()


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_byte_order_marks_and_line_ends_are_read(pickomino, source, record, mark, end):
    """In a batch and in a record, from a file and from standard input."""
    lines = mark + end.join([GOOD.encode()] * 2) + end
    code, out, _ = pickomino("best", "--batch", source(lines))
    assert (code, [json.loads(line)["kept"] for line in out.splitlines()]) == (
        0,
        ["2 3 3 4 4 W"] * 2,
    )
    game = json.dumps(record.to_json(), indent=1).encode().replace(b"\n", end)
    assert pickomino("review", source(mark + game))[0] == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b'{"schema": 1, "schema": 2}', "the key 'schema' is given twice: give it once"),
        (b'{"schema": "\xff"}', "byte 0xff at character 13"),
        (b'{"schema": ' + b"1" * 4301 + b"}", "is too long: write 18 digits or less"),
        (b"[" * 99_999, "is nested too deeply"),
        (LONG.encode(), "is not JSON"),
        (b"[]", "is no object"),
        (b'{"schema": "pickomino.game/1", "start": "' + LONG.encode() + b'"}', "rules or actions"),
        (b'{"schema": "pickomino.game/1", "start": "x\\ny", "actions": []}', "is no position"),
    ],
    ids=shown,
)
def test_a_record_that_fails_is_one_sentence(source, refusal, text, message):
    """Whatever is wrong with it."""
    sentence = refusal("review", source(text))
    assert message in sentence
    assert len(sentence) < MOST


@pytest.mark.parametrize("word", [LONG, BROKEN, "9" * 4301, "-" + "9" * 4301], ids=shown)
@pytest.mark.parametrize(
    "command",
    [
        *(
            ["best", option]
            for option in ("--grill", "--own", "--opponent", "--position", "--kept")
        ),
        *(["best", option] for option in ("--roll", "--rules", "--objective", "--equipment")),
        *(["best", option] for option in ("--kept", "--max-states", "--batch", "--nothing")),
        *(["match", "worms", option] for option in ("--games", "--jobs", "--seed", "--objective")),
        *(["game", "value", option] for option in ("--tiles", "--position", "--rules")),
        *(["play", option] for option in ("--against", "--rules", "--equipment", "--seed")),
        *([command] for command in ("rules", "review", "match", "nothing")),
        ["rules", "rulebook,stop"],
    ],
    ids=shown,
)
def test_what_is_repeated_is_cut_and_has_no_line_breaks(refusal, command, word):
    """Every option, with a text that is too long or breaks the line."""
    *words, last = command
    given = [f"{last}={word}"] if "-" in last or "," in last else [last, "--", word]
    sentence = refusal(*words, *given)
    assert len(sentence) < MOST
    assert sentence.removesuffix("\n").isprintable()


def test_what_cannot_be_read_is_one_sentence(refusal, monkeypatch, tmp_path):
    """A folder, a path that is none, and standard input that is closed."""
    for name in (tmp_path, tmp_path / "none", "a\0b", LONG):
        for command in (["best", "--batch"], ["review"]):
            assert len(refusal(*command, name)) < MOST
    monkeypatch.setattr(sys, "stdin", None)
    assert "standard input is closed: name a file" in refusal("best", "--batch", "-")
    assert "standard input is closed: name a file" in refusal("review", "-")


def test_lines_come_before_the_text_ends(stdin):
    """So that a program can ask one question after the other."""
    stdin(b"one\ntwo")
    assert next(lines_of("-")) == "one\n"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (10**5000, "about 10^5000"),
        ([-(10**5000)], "[about -10^5000]"),
        ("ab\n", r"'ab\n'"),
        ("a" * 99, f"'{'a' * 47}...{'a' * 48}'"),
        (list(range(12)), "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ...]"),
        (True, "True"),
    ],
    ids=shown,
)
def test_values_as_sentences_show_them(value, text):
    """In Python's notation; long ones lose their middle."""
    assert shown(value) == text
    assert cut("a\tb") == r"a\tb"
    assert len(cut(LONG)) == 100


def test_paths_are_echoed_on_one_line(pickomino):
    """Signs that end a line or move about are written in Python's notation."""
    code, out, err = pickomino("tables", "info", "/dev/null/a\nb\x1b[31mc")
    assert (code, out) == (2, "")
    assert err == "error: /dev/null/a\\nb\\x1b[31mc is no folder: name another DIR\n"
    assert str(TableError("a\nb")) == "a\\nb"


def test_a_batch_names_its_own_keys(pickomino, tmp_path):
    """Not the options of the command line."""
    file = tmp_path / "lines"
    file.write_text('{"tables": 1}\n{"max_states": -1, "objective": "win"}\n')
    _, out, _ = pickomino("best", "--batch", file)
    first, second = (json.loads(line)["error"] for line in out.splitlines())
    assert first.endswith(", objective, max_states")
    assert second.startswith("max_states='-1' is no budget")
