"""The assistant in a real terminal: rolls are typed in, mistakes corrected, steps undone."""


def test_a_whole_turn(terminal):
    """Advice is followed with Enter, a stop ends the turn and names the tile."""
    turn = terminal("turn", "--own", "25", "--opponent", "24")
    turn.sees("roll 8 dice> ")
    turn.says("1 1 2 4 4 4 5 W", "Keep 4 and roll on", "keep [4]> ")
    turn.says("", "kept 4 4 4, total 12", "Roll:", "roll 5 dice> ")
    turn.says("5 5 W W 1", "keep [W]> ")
    turn.says("w", "total 22", "roll 3 dice")
    turn.says("stop", "The turn ends: take 22 from the grill.", "undo> ")
    turn.says("")
    turn.leaves(0)


def test_mistakes_are_corrected(terminal):
    """A wrong number of dice, a letter, a face that was not rolled: asked again."""
    turn = terminal("turn")
    turn.says("123", "has 3 dice, but 8 of 8 are left", "roll 8 dice> ")
    turn.says("1234567x", "'7' in '1234567x' is no face", "roll 8 dice> ")
    turn.says("stop", "may not stop here", "roll 8 dice> ")
    turn.says("11112222", "keep [")
    turn.says("5", "no 5 was rolled", "keep 1 or 2", "keep [")
    turn.says("2", "roll 4 dice> ")
    turn.says("2223", "keep [3]> ")
    turn.says("2", "2 is kept already", "keep 3", "keep [3]> ")
    turn.says("help", "undo takes the last step back", "keep [3]> ")


def test_steps_are_undone(terminal):
    """Back over a keep and a roll, to the start and no further; even after the end."""
    turn = terminal("turn", "--kept", "2 3 3 4 4")
    turn.sees("roll 3 dice> ")
    turn.says("undo", "There is nothing to undo.", "roll 3 dice> ")
    turn.says("", "Roll 3 dice and type their faces", "roll 3 dice> ")
    turn.says("1 1 W", "keep [W]> ")
    turn.says("W", "roll 2 dice, or stop [stop]> ")
    turn.says("", "take 21 from the grill", "undo> ")
    turn.says("more", "The turn is over", "undo> ")
    turn.says("undo", "or stop [stop]> ")
    turn.says("undo", "keep [W]> ")
    turn.says("undo", "roll 3 dice> ")
    turn.says("2 3 4", "The roll is dead", "it is a bust", "undo> ")
    turn.says("undo", "roll 3 dice> ")
    turn.says("quit")
    turn.leaves(0)


def test_the_turn_ends_when_dice_are_spent(terminal):
    """Without being asked to stop."""
    turn = terminal("turn", "--kept", "5 5 5 5 W W", "--objective", "swing", "--opponent", "33")
    turn.sees("roll 2 dice")
    turn.says("4 4", "keep [4]> ")
    turn.says("", "The turn ends: take 36 from the grill.", "undo> ")


def test_a_turn_that_is_over_at_the_start(terminal):
    """Nothing is left to roll, so Enter leaves."""
    turn = terminal("turn", "--kept", "12345W")
    turn.sees("The turn ends: a bust.")
    turn.sees("undo> ")
    turn.says("")
    turn.leaves(0)


def test_leaving_by_end_of_file_and_by_interrupt(terminal):
    """Ctrl-D and Ctrl-C leave without a traceback."""
    turn = terminal("turn")
    turn.sees("roll 8 dice> ")
    turn.child.sendeof()
    turn.leaves(0)
    turn = terminal("turn")
    turn.sees("roll 8 dice> ")
    turn.child.sendintr()
    turn.leaves(130)
