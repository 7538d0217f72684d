"""Rows as aligned columns of text or as a small HTML table, and numbers as readers see them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from html import escape

Rows = Iterable[Sequence[object]]


def table(rows: Rows, align: str = "") -> str:
    """Rows as aligned columns, each left (<) or right (>); without ``align`` all are left."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    align = align or "<" * len(widths)
    lines = (
        "  ".join(f"{c:{a}{w}}" for c, a, w in zip(row, align, widths, strict=True))
        for row in cells
    )
    return "\n".join(line.rstrip() for line in lines)


def html_table(head: Sequence[object], rows: Rows, note: str = "") -> str:
    """Rows as an HTML table, for notebooks; all text is escaped."""

    def line(tag: str, cells: Sequence[object]) -> str:
        return "".join(f"<{tag}>{escape(str(cell))}</{tag}>" for cell in cells)

    body = "".join(f"<tr>{line('td', row)}</tr>" for row in rows)
    below = f"<p>{escape(note)}</p>" if note else ""
    head_row = f"<thead><tr>{line('th', head)}</tr></thead>"
    return f"<table>{head_row}<tbody>{body}</tbody></table>{below}"


def decimal(value: float | Fraction) -> str:
    """A number with four decimals."""
    return f"{float(value):.4f}"


def percent(p: float | Fraction) -> str:
    """A probability in percent."""
    return f"{float(p):.1%}"


def byte_size(size: float) -> str:
    """A number of bytes in the unit that suits it, with three digits or all before the point."""
    if size < 1000:
        return f"{size:.0f} bytes"
    for unit, bytes_of_it in (("kB", 1e3), ("MB", 1e6), ("GB", 1e9)):
        if size < 999.5 * bytes_of_it:  # what rounds to 1000 takes the next unit
            return f"{size / bytes_of_it:.3g} {unit}"
    return f"{size / 1e9:,.0f} GB"
