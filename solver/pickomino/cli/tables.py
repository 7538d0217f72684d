"""The ``pickomino tables`` commands."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pickomino._layout import byte_size, table
from pickomino._runtime.jobs import check_jobs
from pickomino._runtime.streams import say
from pickomino._storage.folders import default_folder, find_tables
from pickomino._storage.spec import Json
from pickomino.cli.options import EQUIPMENT, FILE, FOLDER, OBJECTIVE, RULES
from pickomino.equipment import Equipment
from pickomino.errors import TableError
from pickomino.position import Position
from pickomino.rules import Rules
from pickomino.tables.spec import TurnSpec, default_dtype

__all__ = ["tables"]

if TYPE_CHECKING:
    from pickomino._storage.building import BuildReport
    from pickomino.game.spec import GameSpec

_DIR = click.argument("folder", required=False, metavar="[DIR]", type=FOLDER)


def _spec_options(command: Any) -> Any:
    """Add the options that say what a table is of."""
    return RULES(OBJECTIVE(EQUIPMENT(command)))


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
@click.option("--tiles", metavar="TILES", help="Only these of the equipment's tiles.")
@click.option(
    "--depth", metavar="D", type=int, help="Of a game: tiles of a stack that can be lost."
)
@click.option("--opponents", metavar="K", type=int, default=0, show_default=True, help="Most tops.")
@click.option("--dtype", metavar="DTYPE", help="float64, or float32 [default from 6 opponents].")
@click.option("--values-only", is_flag=True, help="Only turns from the empty hand; small.")
@click.option("--out", metavar="DIR", type=FOLDER, help="Where tables lie.")
@click.option("--jobs", metavar="N", type=int, default=-1, help="Threads [default: all cores].")
@click.option("--scheduler", metavar="ADDRESS", help="Solve on this Dask cluster instead.")
def build(
    rules: str,
    objective: str,
    equipment: str,
    tiles: str | None,
    depth: int | None,
    opponents: int,
    dtype: str | None,
    values_only: bool,
    out: Path | None,
    jobs: int,
    scheduler: str | None,
) -> None:
    """Build a table, or finish one that was interrupted.

    With the objective win or margin it is of the two-player game, with full stacks or to a depth.

    \b
    pickomino tables build --rules bga --objective swing --opponents 2
    pickomino tables build --objective win --tiles 21-26
    pickomino tables build --objective margin --depth 1
    """  # noqa: D301
    check_jobs(jobs, TableError)
    box = Equipment.parse(equipment)
    if tiles is not None:
        box = box.only(tiles)
    where = {"jobs": jobs, "scheduler": scheduler}
    try:
        if objective in ("win", "margin"):
            if opponents or dtype or values_only:
                raise TableError(
                    f"a table of {objective} is of two players in float64: leave out --opponents, "
                    "--dtype and --values-only"
                )
            _build_game(rules, box, objective, depth, out, where)
        elif depth is not None:
            raise TableError(f"--depth {depth} is for games: use --objective win or margin")
        else:
            stored = dtype or default_dtype(opponents)
            spec = TurnSpec(Rules.parse(rules), box, objective, opponents, stored, values_only)  # type: ignore[arg-type]
            _build_turns(spec, out, where)
    except KeyboardInterrupt:
        say("interrupted: the same command goes on from here")
        raise


def _build_game(
    rules: str, box: Equipment, objective: str, depth: int | None, out: Path | None, where: Any
) -> None:
    from pickomino.game.build import build_game, check_fits
    from pickomino.game.spec import GameSpec

    spec = GameSpec(Rules.parse(rules), box, objective, depth)  # type: ignore[arg-type]
    place = out or default_folder()
    check_fits(spec, place)
    say(
        f"{spec.name}: {spec.rows:,} positions, {byte_size(spec.size)} on disk, "
        f"some {byte_size(spec.memory)} of memory"
    )
    _say(build_game(spec, place, **where), "positions")


def _build_turns(spec: TurnSpec, out: Path | None, where: Any) -> None:
    from pickomino.tables.build import build_turns

    say(f"{spec.name}: {spec.rows:,} turns, {byte_size(spec.size)} on disk")
    _say(build_turns(spec, out or default_folder(), **where), "turns")


def _say(report: BuildReport, rows: str) -> None:
    """Print what a build did."""
    if report.solved:
        rate = report.solved / max(report.solve_seconds, 1e-9)  # a clock may stand still
        say(
            f"solved {report.solved:,} {rows} in {report.solve_seconds:.2f} s "
            f"({rate:,.0f} a second); writing took {report.write_seconds:.2f} s"
        )
    else:
        say("built already")
    click.echo(report.folder)


@tables.command()
@_DIR
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array.")
def info(folder: Path | None, as_json: bool) -> None:
    """List the tables with their size and what they are of."""
    from pickomino._storage.building import folder_size
    from pickomino._storage.manifest import read_manifest
    from pickomino.game.spec import GameSpec

    if folder is not None and not folder.is_dir():
        raise TableError(f"{folder} is no folder: name another DIR")
    found: list[tuple[Path, TurnSpec | GameSpec, Json]] = []
    bad = []
    for place in find_tables(folder):
        try:
            kind: type[TurnSpec | GameSpec] = GameSpec if _is_game(place) else TurnSpec
            found.append((place, *read_manifest(place, kind)))
        except TableError as error:
            bad.append(error)
    if as_json:
        rows = [{"folder": str(f), "size": folder_size(f), **m} for f, _, m in found]
        click.echo(json.dumps(rows))
    head = ("rules", "objective", "equipment", "of", "rows", "size", "folder")
    lines = [
        (
            spec.rules,
            spec.objective,
            spec.equipment,
            spec.summary,
            f"{manifest['files']['value.npy']['shape'][0]:,}",
            byte_size(folder_size(place)),
            place,
        )
        for place, spec, manifest in found
    ]
    if not as_json:
        click.echo(table([head, *lines], "<<<<>><") if lines else "no tables")
    if bad:
        raise bad[0]


@tables.command()
@_DIR
@click.option(
    "--sample",
    metavar="N",
    default=3,
    show_default=True,
    help="Turns or positions to solve by a slower solver.",
)
@click.option("--seed", metavar="S", type=int, help="What draws them [default: anew each time].")
def verify(folder: Path | None, sample: int, seed: int | None) -> None:
    """Check every byte, every number by solving again, and a sample by a slower solver."""
    from pickomino.game.verify import verify_game
    from pickomino.tables.verify import verify_turns

    places = find_tables(folder)
    if not places:
        raise TableError(f"no table is in {folder or 'the usual places'}: name another DIR")
    drawn = secrets.randbits(32) if seed is None else seed
    for place in places:
        if _is_game(place):
            verify_game(place, sample=sample, seed=drawn, progress=True)
        else:
            verify_turns(place, sample=sample, seed=drawn, progress=True)
        click.echo(f"{place}: sound (sample drawn by --seed {drawn})")


@tables.command()
@_DIR
@click.option("--yes", is_flag=True, help="Do not ask.")
def remove(folder: Path | None, yes: bool) -> None:
    """Remove a table, or all tables of a folder, with what interrupted builds left."""
    from pickomino._storage.folders import removable, remove_tables
    from pickomino.game.spec import GameSpec

    places = removable(folder or default_folder())
    if not places:
        raise TableError(f"no table is in {folder or default_folder()}: name another DIR")
    for place in places:
        say(str(place))
    if not yes:
        click.confirm("Remove these?", abort=True, err=True)
    remove_tables(places, {*TurnSpec.all_arrays, *GameSpec.all_arrays})


@tables.command()
@_DIR
@_spec_options
@click.option("--position", metavar="NOTATION", help="The position [default: a first turn].")
@click.option("--csv", "as_csv", is_flag=True, help="Print lines of chart, row, column, value.")
@click.option("--image", metavar="FILE", type=FILE, help="Draw a sheet of A4 as a PNG file.")
def chart(
    folder: Path | None,
    rules: str,
    objective: str,
    equipment: str,
    position: str | None,
    as_csv: bool,
    image: Path | None,
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
    found = open_tables(folder, rules=rules, equipment=box, objective=objective)
    made = make_chart(found.solution(place).table, place)
    if image is not None:
        draw_chart(made, image)
    click.echo(chart_csv(made) if as_csv else chart_text(made), nl=not as_csv)


def _is_game(folder: Path) -> bool:
    """Whether a table is of a game, by its manifest.

    Raises:
        TableError: A manifest that is missing or damaged.
    """
    from pickomino._storage.manifest import kind_of, load_manifest
    from pickomino.game.spec import GameSpec

    return kind_of(load_manifest(folder)) in GameSpec.kinds
