"""The commands ``best`` and ``odds``: what to do in a turn, and how it ends."""

from __future__ import annotations

import json
from typing import Any

import click

from pickomino._words.question import Question, answer_line, best_answer, odds_answer
from pickomino._words.reading import lines_of
from pickomino.cli.options import (
    EXACT,
    JSON,
    TABLES,
    max_states_option,
    question_options,
)

__all__ = ["best", "odds"]


@click.command()
@question_options
@click.option("--roll", metavar="DICE", help="The roll; without it, roll is weighed against stop.")
@click.option(
    "--batch", metavar="FILE", help="Answer each JSON line of FILE, - for standard input."
)
@max_states_option()
@TABLES
@EXACT
@JSON
def best(batch: str | None, tables: str | None, exact: bool, as_json: bool, **words: Any) -> None:
    """Say which face to keep, and whether to roll on or stop.

    \b
    pickomino best --grill 21-23,26-28 --own 25 --opponent 24 --kept 333 --roll 1344W
    pickomino best --kept "2 3 3 4 4 W"

    A line of a batch is an object that states a position and a roll by the names of these options;
    options given on the command line hold for every line that does not set them.
    """  # noqa: D301
    if batch is not None:
        for line in lines_of(batch):
            if line.strip():
                found = answer_line(line, words, exact=exact, tables=tables)
                print(json.dumps(found), flush=True)
        return
    answer, text = best_answer(Question(**words), exact=exact, tables=tables)
    print(json.dumps(answer) if as_json else text)


@click.command()
@question_options
@click.option("--reach", is_flag=True, help="Add the best chance to reach each tile's number.")
@max_states_option()
@TABLES
@EXACT
@JSON
def odds(reach: bool, tables: str | None, exact: bool, as_json: bool, **words: Any) -> None:
    """Say what the turn is worth and how it ends under optimal play.

    \b
    pickomino odds --own 25 --opponent 24,29
    pickomino odds --kept "3 3 3 W W" --json
    """  # noqa: D301
    answer, text = odds_answer(Question(**words), reach=reach, exact=exact, tables=tables)
    print(json.dumps(answer) if as_json else text)
