"""The command ``rules``: the rule sets with their switches and sources."""

from __future__ import annotations

import json

import click

from pickomino._words.report import presets_text, rules_json, rules_text
from pickomino.cli.options import JSON, RULE_SETS
from pickomino.rules import PRESETS, Rules

__all__ = ["rules"]


@click.command()
@click.argument("name", required=False, metavar="[RULES]", shell_complete=RULE_SETS)
@JSON
def rules(name: str | None, as_json: bool) -> None:
    """List the rule sets, or show one with its switches and source.

    \b
    pickomino rules
    pickomino rules bga
    pickomino rules rulebook,steal=mandatory --json
    """  # noqa: D301
    if name is None:
        presets = [rules_json(preset.rules) for preset in PRESETS.values()]
        print(json.dumps(presets) if as_json else presets_text())
    else:
        found = Rules.parse(name)
        print(json.dumps(rules_json(found)) if as_json else rules_text(found))
