"""Rows as aligned columns of text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(rows: Iterable[Sequence[object]], align: str = "") -> str:
    """Rows as aligned columns, each left (<) or right (>); without ``align`` all are left."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    align = align or "<" * len(widths)
    lines = (
        "  ".join(f"{c:{a}{w}}" for c, a, w in zip(row, align, widths, strict=True))
        for row in cells
    )
    return "\n".join(line.rstrip() for line in lines)
