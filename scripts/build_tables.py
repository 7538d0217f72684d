"""Build a table of policies: ``pickomino tables build`` with the same options.

.venv/bin/python scripts/build_tables.py --values-only --out tables
"""

import sys

from pickomino.cli import run

run(["tables", "build", *sys.argv[1:]])
