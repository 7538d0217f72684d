"""The command line: words in, what the library answers, words out.

In reading order: ``main`` finds the command, turns errors into one sentence and an exit code, and
the library's arguments into options; ``options`` holds what several commands take.  Then there is a
module a command: ``best`` (with ``odds``), ``turn``, ``rules``, ``play``, ``match``, ``review``,
``game`` and ``tables``; ``records`` reads and writes games.
"""

from pickomino.cli.main import run

__all__ = ["run"]
