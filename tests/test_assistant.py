"""The assistant in a real terminal: rolls are typed in, mistakes corrected, steps undone."""

import sys

import pytest

pexpect = pytest.importorskip("pexpect", reason="a pseudo-terminal needs a POSIX system")


@pytest.fixture
def terminal():
    """Start `pickomino turn` with options in a terminal."""
    started = []

    def start(*options):
        child = pexpect.spawn(
            sys.executable, ["-m", "pickomino", "turn", *options], encoding="utf-8", timeout=120
        )
        child.setwinsize(50, 120)
        started.append(child)
        return child

    yield start
    for child in started:
        child.close(force=True)


def say(child, words, *expected):
    """Type a line and wait for each text in turn."""
    child.sendline(words)
    for text in expected:
        child.expect_exact(text)


def test_a_whole_turn(terminal):
    """Advice is followed with Enter, a stop ends the turn and names the tile."""
    child = terminal("--own", "25", "--opponent", "24")
    child.expect_exact("roll 8 dice> ")
    say(child, "1 1 2 4 4 4 5 W", "Keep 4 and roll on", "keep [4]> ")
    say(child, "", "kept 4 4 4, total 12", "Roll:", "roll 5 dice> ")
    say(child, "5 5 W W 1", "keep [W]> ")
    say(child, "w", "total 22", "roll 3 dice")
    say(child, "stop", "The turn ends: take 22 from the grill.", "undo> ")
    say(child, "")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 0


def test_mistakes_are_corrected(terminal):
    """A wrong number of dice, a letter, a face that was not rolled: asked again."""
    child = terminal()
    say(child, "123", "has 3 dice, but 8 of 8 are left", "roll 8 dice> ")
    say(child, "1234567x", "'7' in '1234567x' is no face", "roll 8 dice> ")
    say(child, "stop", "may not stop here", "roll 8 dice> ")
    say(child, "11112222", "keep [")
    say(child, "5", "no 5 was rolled", "keep 1 or 2", "keep [")
    say(child, "2", "roll 4 dice> ")
    say(child, "2223", "keep [3]> ")
    say(child, "2", "2 is kept already", "keep 3", "keep [3]> ")
    say(child, "help", "undo takes the last step back", "keep [3]> ")


def test_steps_are_undone(terminal):
    """Back over a keep and a roll, to the start and no further; even after the end."""
    child = terminal("--kept", "2 3 3 4 4")
    child.expect_exact("roll 3 dice> ")
    say(child, "undo", "There is nothing to undo.", "roll 3 dice> ")
    say(child, "", "Roll 3 dice and type their faces", "roll 3 dice> ")
    say(child, "1 1 W", "keep [W]> ")
    say(child, "W", "roll 2 dice, or stop [stop]> ")
    say(child, "", "take 21 from the grill", "undo> ")
    say(child, "more", "The turn is over", "undo> ")
    say(child, "undo", "or stop [stop]> ")
    say(child, "undo", "keep [W]> ")
    say(child, "undo", "roll 3 dice> ")
    say(child, "2 3 4", "The roll is dead", "it is a bust", "undo> ")
    say(child, "undo", "roll 3 dice> ")
    say(child, "quit")
    child.expect(pexpect.EOF)


def test_the_turn_ends_when_dice_are_spent(terminal):
    """Without being asked to stop."""
    child = terminal("--kept", "5 5 5 5 W W", "--objective", "swing", "--opponent", "33")
    child.expect_exact("roll 2 dice")
    say(child, "4 4", "keep [4]> ")
    say(child, "", "The turn ends: take 36 from the grill.", "undo> ")


def test_a_turn_that_is_over_at_the_start(terminal):
    """Nothing is left to roll, so Enter leaves."""
    child = terminal("--kept", "12345W")
    child.expect_exact("The turn ends: a bust.")
    child.expect_exact("undo> ")
    say(child, "")
    child.expect(pexpect.EOF)


def test_leaving_by_end_of_file_and_by_interrupt(terminal):
    """Ctrl-D and Ctrl-C leave without a traceback."""
    child = terminal()
    child.expect_exact("roll 8 dice> ")
    child.sendeof()
    child.expect(pexpect.EOF)
    child.wait()
    assert (child.exitstatus, "Traceback" in child.before) == (0, False)
    child = terminal()
    child.expect_exact("roll 8 dice> ")
    child.sendintr()
    child.expect(pexpect.EOF)
    child.wait()
    assert (child.exitstatus, "Traceback" in child.before) == (130, False)
