"""Every example of the README and the documentation gives what it shows."""

import doctest
import re
import shlex

import pytest

from samples import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(kind):
    """The fenced blocks of one kind, page by page."""
    return [
        pytest.param(text, id=f"{page.name}-{number}")
        for page in PAGES
        for number, (language, text) in enumerate(BLOCK.findall(page.read_text()))
        if language == kind
    ]


@pytest.mark.parametrize("text", blocks("console"))
def test_commands(text, pickomino, tmp_path, monkeypatch):
    """Each `$ pickomino ...` prints the lines below it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PICKOMINO_TABLES", str(tmp_path / "tables"))
    shown = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    assert shown
    for example in shown:
        command, _, expected = example.partition("\n")
        program, *arguments = shlex.split(command)
        assert program == "pickomino"
        code, out, _ = pickomino(*arguments)
        assert (code, out.strip()) == (0, expected.strip())


def test_first_command_of_the_readme(pickomino):
    """The command that a new user copies answers the README's first question."""
    sh = next(t for kind, t in BLOCK.findall(PAGES[0].read_text()) if kind == "sh")
    main, tests = sh.strip().splitlines()
    assert tests == "sh scripts/test"
    words = shlex.split(main)
    assert words[:2] == ["sh", "scripts/pickomino"]
    code, out, _ = pickomino(*words[2:])
    assert (code, "Keep W and roll on" in out) == (0, True)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples(page, tmp_path, monkeypatch):
    """The sessions of a page, run one after the other in one namespace."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PICKOMINO_TABLES", str(tmp_path / "tables"))
    source = "\n".join(text for kind, text in BLOCK.findall(page.read_text()) if kind == "python")
    test = doctest.DocTestParser().get_doctest(source, {}, page.name, str(page), 0)
    report: list[str] = []
    failures = doctest.DocTestRunner().run(test, out=report.append)
    assert failures.failed == 0, "".join(report)
