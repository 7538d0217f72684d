"""Arrays that several callers hold."""

from __future__ import annotations

import numpy as np


def freeze(record: object) -> None:
    """Make the arrays of a record read-only, as whoever wrote into one would change it for all.

    Args:
        record: A dataclass, or a tuple, with arrays among its fields.
    """
    for field in record if isinstance(record, tuple) else vars(record).values():
        if isinstance(field, np.ndarray):
            field.setflags(write=False)
