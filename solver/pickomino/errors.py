"""Every error a caller can cause: one sentence that names the value and the fix."""

__all__ = [
    "ArgumentError",
    "DiceError",
    "EnvironmentSetupError",
    "GameError",
    "GameOverError",
    "MissingExtraError",
    "MissingTableError",
    "ObjectiveError",
    "PickominoError",
    "PositionError",
    "RulesError",
    "TableError",
    "TooManyPositionsError",
]


def printable(text: str) -> str:
    """A text on one line, with Python's notation for the signs that would end it or move about."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


class PickominoError(ValueError):
    """Base of all errors that bad input raises."""

    def __str__(self) -> str:
        """The sentence, whatever the paths in it hold."""
        return printable(super().__str__())


class ArgumentError(PickominoError):
    """An argument of a kind that nothing can be done with."""


class RulesError(PickominoError):
    """A rule set, switch or equipment that does not exist."""


class PositionError(PickominoError):
    """A position that cannot occur, or a notation that does not read as one."""


class TooManyPositionsError(PositionError):
    """A game that is larger than allowed."""


class GameOverError(PositionError):
    """Advice asked where no turn is left to play."""


class DiceError(PickominoError):
    """Dice that cannot lie on the table: unknown faces, too many, or none to keep."""


class ObjectiveError(PickominoError):
    """An objective or payoff that is not defined."""


class TableError(PickominoError):
    """A table on disk that is damaged, foreign, or cannot be written."""


class MissingTableError(PickominoError, KeyError):
    """No table holds what was asked for; the sentence names the command that builds it."""

    def __str__(self) -> str:
        return printable(str(self.args[0]))  # KeyError would print the sentence in quotes


class GameError(PickominoError):
    """An action that is not legal, or a record that is no game."""


class EnvironmentSetupError(PickominoError):
    """Settings that make no environment, or a start that does not fit it."""


class MissingExtraError(PickominoError, ImportError):
    """A library that the environments need is not installed; the sentence names the command."""
