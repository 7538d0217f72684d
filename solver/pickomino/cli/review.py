"""The command ``review``: a recorded game looked back on."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from pickomino._layout import table
from pickomino.cli.options import JSON, OBJECTIVE, max_states_option
from pickomino.cli.records import read_record

__all__ = ["review"]


@click.command()
@click.argument("file", metavar="GAME")
@OBJECTIVE
@max_states_option()
@click.option("--all", "every", is_flag=True, help="List every decision, not just the worst.")
@JSON
def review(file: str, objective: str, max_states: int, every: bool, as_json: bool) -> None:
    """Review a recorded game: regret, luck, and the worst decisions of each player.

    \b
    pickomino review game.json
    pickomino review game.json --objective win
    """  # noqa: D301
    from pickomino.play.review import review_game

    found = review_game(read_record(file), objective=objective, max_states=max_states)
    if as_json:
        click.echo(json.dumps({"schema": "pickomino.review/1", **asdict(found)}))
        return
    head = ("player", "decisions", "regret", "luck")
    rows = [(s.name, s.decisions, f"{s.regret:.4f}", f"{s.luck:+.4f}") for s in found.summaries]
    click.echo(table([head, *rows], "<>>>"))
    worst = [d for s in found.summaries for d in s.worst]
    shown = found.decisions if every else sorted(worst, key=lambda d: -d.regret)
    by = {model: f"[{number}]" for number, model in enumerate(found.models, 1)}
    lines = [
        (
            d.number,
            found.summaries[d.seat].name,
            d.action,
            d.best,
            f"{d.regret:.4f}",
            *([by[d.model]] if by else []),
            d.state,
        )
        for d in shown
    ]
    if lines:
        names = ("action", "player", "done", "best", "regret", *(["by"] if by else []), "state")
        click.echo(f"\n{table([names, *lines], '><<<>' + '<' * (len(names) - 5))}")
    if by:
        models = [(number, model) for model, number in by.items()]
        click.echo(f"\nvalued by\n{table(models)}")
