"""The command line: words in, what the library answers, words out.

In reading order: ``main`` finds the command and turns errors into one sentence and an exit code;
``options`` holds what several commands take, and puts the options' names into the library's
sentences.  Then there is a module a command: ``best`` (with ``odds``), ``turn``, ``rules``,
``play``, ``match``, ``review``, ``game`` and ``tables``; ``records`` reads and writes games.
"""

from pickomino.cli.main import run

__all__ = ["run"]
