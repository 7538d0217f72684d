"""Errors of setting up an environment."""

from pickomino.errors import PickominoError


class EnvironmentSetupError(PickominoError):
    """Settings that make no environment, or a start that does not fit it."""


class MissingExtraError(PickominoError, ImportError):
    """A library that the environments need is not installed; the sentence names the command."""
