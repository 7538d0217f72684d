"""What a shell completes: every option that takes a name, from the lists that the library asks."""

import click
import pytest
from click.shell_completion import ShellComplete

from pickomino import EQUIPMENT, PRESETS, make_player
from pickomino.cli.main import cli, run
from pickomino.objectives import OBJECTIVES, check_game_objective, check_turn_objective

TURN = [name.removesuffix("N") for name in OBJECTIVES]
GAME = ["win", "margin"]


def completed(words, incomplete=""):
    """What the shell offers after some words."""
    shell = ShellComplete(cli, {}, "pickomino", "_PICKOMINO_COMPLETE")
    return [item.value for item in shell.get_completions(words.split(), incomplete)]


@pytest.mark.parametrize(
    "command", ["best", "odds", "turn", "play", "match", "review", "game value"]
)
def test_every_option_that_takes_a_name_completes_it(command):
    """Rules, equipment and objectives, whichever of them a command takes."""
    found = click.Context(cli)
    group = cli
    for word in command.split():
        group = group.get_command(found, word)
    options = {option for param in group.params for option in param.opts}
    names = {
        "--rules": list(PRESETS),
        "--equipment": list(EQUIPMENT),
        "--objective": GAME if command in ("match", "game value") else TURN + GAME,
    }
    asked = options & names.keys()
    assert asked
    for option in asked:
        assert completed(f"{command} {option}") == names[option]


def test_what_is_begun_is_finished():
    """The shell is given the names that begin as what was typed."""
    assert completed("best --rules", "ru") == ["rulebook", "rulebook-short"]
    assert completed("rules", "bga") == ["bga", "bga-literal"]
    assert completed("review --objective", "w") == ["worms", "win"]
    assert (
        completed("match", "game:")
        == completed("play --against", "game:")
        == ["game:win", "game:margin"]
    )
    assert completed("match worms", "table:s") == ["table:swing"]


def test_what_is_offered_is_taken():
    """Each name, a total added where it asks for one."""
    for name in completed("match"):
        assert make_player(f"{name}25" if name[-1] == ":" else name)
    for name in completed("best --objective"):
        (check_game_objective if name in GAME else check_turn_objective)(
            f"{name}25" if name[-1] == ":" else name
        )


@pytest.mark.parametrize(
    ("words", "at", "offered"),
    [
        ("match game : w", 4, ["win"]),
        ("match game :", 3, ["win", "margin"]),
        ("best --rules = fi", 4, ["finnish", "finnish-short"]),
        ("best --equipment =", 3, ["standard", "junior"]),
        ("match table : reach", 4, ["reach:"]),
    ],
)
def test_bash_takes_words_apart(monkeypatch, capsys, words, at, offered):
    """At colons and equals signs; what it is given replaces the last part."""
    monkeypatch.setenv("_PICKOMINO_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", f"pickomino {words}")
    monkeypatch.setenv("COMP_CWORD", str(at))
    with pytest.raises(SystemExit):
        run([])
    assert capsys.readouterr().out.split() == [f"plain,{word}" for word in offered]
