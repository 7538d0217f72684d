"""The ``pickomino tables`` commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from pickomino.errors import TableError
from pickomino.position import Position
from pickomino.report import table
from pickomino.rules import Equipment, Rules

_DIR = click.argument("folder", required=False, metavar="[DIR]", type=click.Path(path_type=Path))
_SPEC = [
    click.option("--rules", metavar="RULES", default="rulebook", show_default=True),
    click.option("--objective", metavar="NAME", default="worms", show_default=True),
    click.option("--equipment", metavar="NAME", default="standard", show_default=True),
]


def _spec_options(command: Any) -> Any:
    for option in reversed(_SPEC):
        command = option(command)
    return command


@click.group()
def tables() -> None:
    """Build, check and look into tables of optimal play.

    \b
    pickomino tables build --rules rulebook --opponents 1
    pickomino tables info
    pickomino tables verify
    pickomino tables chart --image chart.png

    A table holds every turn of every grill for one rule set and objective. DIR is a table or a
    folder of tables; by default $PICKOMINO_TABLES or the user's cache directory.
    """  # noqa: D301


@tables.command()
@_spec_options
@click.option("--opponents", metavar="K", type=int, default=0, show_default=True, help="Most tops.")
@click.option("--dtype", metavar="DTYPE", help="float64, or float32 [default from 6 opponents].")
@click.option("--values-only", is_flag=True, help="Only turns from the empty hand; small.")
@click.option("--out", metavar="DIR", type=click.Path(path_type=Path), help="Where tables lie.")
@click.option("--jobs", metavar="N", type=int, default=-1, help="Threads [default: all cores].")
@click.option("--scheduler", metavar="ADDRESS", help="Solve on this Dask cluster instead.")
def build(
    rules: str,
    objective: str,
    equipment: str,
    opponents: int,
    dtype: str | None,
    values_only: bool,
    out: Path | None,
    jobs: int,
    scheduler: str | None,
) -> None:
    """Build a table, or finish one that was interrupted.

    \b
    pickomino tables build --rules bga --objective swing --opponents 2
    """  # noqa: D301
    from pickomino.tables.build import build_table
    from pickomino.tables.places import default_folder
    from pickomino.tables.spec import Spec, default_dtype

    if jobs == 0 or jobs < -1:
        raise click.UsageError(f"--jobs {jobs} solves nothing: use -1 or at least 1.")
    kind = dtype or default_dtype(opponents)
    spec = Spec(
        Rules.parse(rules),
        Equipment.parse(equipment),
        objective,
        opponents,
        kind,  # type: ignore[arg-type]
        values_only,
    )
    turns = spec.arrays["value"][1][0]
    click.echo(f"{spec.name}: {turns:,} turns, {_size(spec.size)} on disk", err=True)
    try:
        report = build_table(spec, out or default_folder(), jobs=jobs, scheduler=scheduler)
    except KeyboardInterrupt:
        click.echo("interrupted: the same command goes on from here", err=True)
        raise
    if report.solved:
        rate = report.solved / report.solve_seconds
        click.echo(
            f"solved {report.solved:,} turns in {report.solve_seconds:.2f} s "
            f"({rate:,.0f} a second); writing took {report.write_seconds:.2f} s",
            err=True,
        )
    else:
        click.echo("built already", err=True)
    click.echo(report.folder)


@tables.command()
@_DIR
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
def info(folder: Path | None, as_json: bool) -> None:
    """List the tables with their size and what they are of."""
    from pickomino.tables.places import find_tables
    from pickomino.tables.table import Table

    found, bad = [], []
    for place in find_tables(folder):
        try:
            found.append(Table.open(place))
        except TableError as error:
            bad.append(str(error))
    if as_json:
        rows = [{"folder": str(t.folder), "size": _bytes(t.folder), **t.manifest} for t in found]
        click.echo(json.dumps(rows))
    head = ("rules", "objective", "equipment", "opponents", "dtype", "turns", "size", "folder")
    lines = [
        (
            t.spec.rules,
            t.spec.objective,
            t.spec.equipment,
            t.spec.opponents,
            t.spec.dtype + (", values only" if t.spec.values_only else ""),
            f"{t.manifest['files']['value.npy']['shape'][0]:,}",
            _size(_bytes(t.folder)),
            t.folder,
        )
        for t in found
    ]
    if not as_json:
        click.echo(table([head, *lines], "<<<><>><") if lines else "no tables")
    if bad:
        raise TableError(bad[0])


@tables.command()
@_DIR
@click.option("--sample", metavar="N", default=3, show_default=True, help="Turns to solve again.")
def verify(folder: Path | None, sample: int) -> None:
    """Check every byte, every shape, and a sample of turns against rationals."""
    from pickomino.tables.places import find_tables
    from pickomino.tables.verify import verify_table

    places = find_tables(folder)
    if not places:
        raise TableError(f"no table is in {folder or 'the usual places'}: name another DIR")
    for place in places:
        verify_table(place, max(0, sample))
        click.echo(f"{place}: sound")


@tables.command()
@_DIR
@click.option("--yes", is_flag=True, help="Do not ask.")
def remove(folder: Path | None, yes: bool) -> None:
    """Remove a table, or all tables of a folder, with what interrupted builds left."""
    from pickomino.tables.places import default_folder, removable, remove_tables

    places = removable(folder or default_folder())
    if not places:
        raise TableError(f"no table is in {folder or default_folder()}: name another DIR")
    for place in places:
        click.echo(place, err=True)
    if not yes:
        click.confirm("Remove these?", abort=True, err=True)
    remove_tables(places)


@tables.command()
@_DIR
@_spec_options
@click.option("--position", metavar="NOTATION", help="The position [default: a first turn].")
@click.option("--csv", "as_csv", is_flag=True, help="Print lines of chart, row, column, value.")
@click.option("--image", metavar="FILE", help="Draw a sheet of A4 as a PNG file.")
def chart(
    folder: Path | None,
    rules: str,
    objective: str,
    equipment: str,
    position: str | None,
    as_csv: bool,
    image: str | None,
) -> None:
    """Print strategy charts in human size, with what a player who follows them loses.

    \b
    pickomino tables chart --rules bga --image chart.png
    """  # noqa: D301
    from pickomino.tables.chart import chart_csv, chart_text, make_chart
    from pickomino.tables.lookup import open_tables
    from pickomino.tables.sheet import draw_chart

    box = Equipment.parse(equipment)
    place = Position.start(equipment=box) if position is None else Position.parse(position)
    found = open_tables(folder, Rules.parse(rules), objective, box)
    made = make_chart(found.solution(place).table, place)
    if image is not None:
        draw_chart(made, image)
    click.echo(chart_csv(made) if as_csv else chart_text(made), nl=not as_csv)


def _bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir() if file.is_file())


def _size(size: int) -> str:
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.3g} {unit}" if unit != "bytes" else f"{size} bytes"
        size /= 1000  # type: ignore[assignment]
    return f"{size:.3g} GB"
