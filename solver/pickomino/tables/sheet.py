"""The charts of :mod:`pickomino.tables.chart` drawn on one sheet of A4."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

from pickomino._checks import given
from pickomino._runtime.files import replace_file
from pickomino._storage.folders import folder_of
from pickomino.errors import TableError
from pickomino.tables.chart import Chart, Rows, chart_sections

__all__ = ["draw_chart"]

Paint = Callable[[int, int], tuple[str, float]]  # row and column to colour and opacity


def draw_chart(chart: Chart, path: Path | str) -> None:
    """Draw the charts on a sheet of A4, a PNG of 150 dots an inch.

    Args:
        chart: What to draw.
        path: Where the image goes; one that is there is replaced when the new one is whole.

    Raises:
        TableError: Matplotlib is missing, or the file cannot be written.
    """
    image, drawn = folder_of(path, "file"), io.BytesIO()
    given("chart", chart, Chart)
    try:
        _figure(chart).savefig(drawn, format="png", metadata={"Software": None})
        replace_file(image, drawn.getvalue())
    except ImportError:
        need = "drawing needs matplotlib: install it with pip install 'pickomino[plot]'"
        raise TableError(need) from None
    except OSError as error:
        why = error.strerror or error
        raise TableError(f"{path} cannot take the chart: {why}; name another file") from None


def _figure(chart: Chart) -> Any:
    """The sheet, laid out in inches from its upper left corner."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    figure = Figure((8.27, 11.69), dpi=150, facecolor="white")
    FigureCanvasAgg(figure)
    page = figure.add_axes((0, 0, 1, 1), xlim=(0, 8.27), ylim=(11.69, 0))
    page.axis("off")
    left, room = 0.65, 6.97
    ink, green, red, blue, gold = "#26221c", "#2f8a4c", "#cf452c", "#3d78b4", "#c98208"

    def write(x: float, y: float, text: str, size: float, **style: Any) -> None:
        size = min(size, 136 * room / max(1, *map(len, text.split("\n"))))
        style = {"ha": "left", "va": "center", "color": ink, "linespacing": 1.4, **style}
        page.text(x, y, text, fontsize=size, **style)

    def box(x: float, y: float, w: float, h: float, fill: str, alpha: float, text: str) -> None:
        page.add_patch(Rectangle((x, y), w, h, facecolor=fill, alpha=alpha, linewidth=0))
        size = min(
            13, 100 * w / max(2, *map(len, text.split("\n"))), 46 * h / (1 + text.count("\n"))
        )
        style = {"ha": "center", "weight": "bold", "color": "white" if alpha > 0.75 else ink}
        write(x + w / 2, y + h / 2, text, size, **style)

    def grid(y: float, h: float, rows: Rows, paint: Paint) -> None:
        w = (room - 0.85) / max(1, len(rows[0]) - 1)
        for (i, row), j in product(enumerate(rows), range(len(rows[0]))):
            text = str(row[j])
            if i and j:
                text = text.replace(" ", "\n") if min(w, h) > 0.34 else text[:1].upper()
            label = (gold, 0.9) if i else (gold, 0.0)
            look = paint(i - 1, j - 1) if i and j else label
            at = (left + 0.85 + w * (j - 1), w - 0.03) if j else (left, 0.8)
            box(at[0], y + h * i, at[1], h - 0.03, *look, text)

    def entry(face: int, k: int) -> tuple[str, float]:
        best = max(map(max, chart.first_keep))
        gain = (chart.first_keep[face][k] - chart.value) / max(best - chart.value, 1e-9)
        return (green, 0.2 + 0.8 * gain) if gain > 0 else (ink, 0.06)

    def stop(dice: int, at: int) -> tuple[str, float]:
        found = [c for c in chart.stop if (c.left, c.total - chart.stop[0].total) == (dice + 1, at)]
        sure = [(red if c.stop else green, 0.2 + 0.8 * abs(2 * c.share - 1)) for c in found]
        return sure[0] if sure else (ink, 0.04)

    sections = chart_sections(chart)
    heights = (1.6, 4.98, 6.17, 8.62, 10.72)
    for number, (y, (title, hint, rows)) in enumerate(zip(heights, sections, strict=True), 1):
        write(left, y, f"{number}  {title}", 15, weight="bold", color=red)
        size, width, below = (9.5, 110, 0.26) if rows else (11.5, 88, 0.53)
        write(left, y + below, "\n".join(textwrap.wrap(hint, width)), size)
    write(left, 0.62, "Pickomino: a turn on one page", 25, weight="bold")
    names = f"Position {chart.position}, rules {chart.rules}, objective {chart.objective}"
    write(left, 1.0, names, min(11, 110 * room / len(names)))
    worth = f"Played exactly, the turn is worth {chart.value:.4f} {chart.unit}".rstrip()
    write(left, 1.22, f"{worth}.", 11)
    grid(2.0, 0.385, sections[0][2], entry)
    turned = list(zip(*sections[2][2], strict=True))
    grid(6.57, min(0.45, 1.85 / len(turned)), turned, stop)
    most = max(1e-9, *(t.worth for t in chart.tiles)), max(1e-9, *(t.chance for t in chart.tiles))
    w = min(0.6, room / len(chart.tiles))
    for i, t in enumerate(chart.tiles):
        x, up, down = left + w * i, max(0, 0.5 * t.worth / most[0]), 0.35 * t.chance / most[1]
        box(x, 9.69, w - 0.03, 0.34, gold, 0.9, str(t.tile))
        box(x, 9.67 - up, w - 0.03, up, red, 0.7, "")
        box(x, 10.05, w - 0.03, down, blue, 0.7, "")
        write(x + w / 2, 9.59 - up, f"{t.worth:.3f}", min(9, 18 * w), ha="center")
        write(x + w / 2, 10.14 + down, f"{t.chance:.1%}", min(9, 18 * w), ha="center")
    lost = "     ".join(f"{name}  {loss}" for name, loss in sections[4][2])
    write(left, 11.26, lost, 11, weight="bold")
    return figure
