"""Run the command line as ``python -m pickomino``."""

from pickomino.cli import run

run()
