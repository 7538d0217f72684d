"""The command line: words in, what the library answers, words out."""

from pickomino.cli.main import run

__all__ = ["run"]
