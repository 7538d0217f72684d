"""The linear equations of a fixed policy: directly where they are few, else by sweeps."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import splu

from pickomino.turn.graph import FloatArray

FEW = 1000
MAX_SWEEPS = 5000
ACCURACY = 2e-15


def solve_linear(move: Any, right: FloatArray, sign: float) -> FloatArray:
    """Solve ``x = right + sign * move x``.

    Args:
        move: ``(n, n)`` probabilities of moves, sparse, by rows; the sums of rows are at most 1.
        right: ``(n,)`` the right side.
        sign: 1 or -1.

    Returns:
        ``(n,)`` the solution; each equation holds to rounding.
    """
    if len(right) > FEW:
        # The factors of many equations fill up, while sweeps converge as fast as play leaves them.
        values = np.zeros(len(right))
        if _sweep(move.indptr, move.indices, move.data, right, sign, values):
            return values
    equations = sparse.eye_array(len(right)) - sign * move
    found: FloatArray = splu(equations.tocsc()).solve(right)
    return found


@numba.njit(cache=True, nogil=True)
def _sweep(
    begin: NDArray[Any],
    column: NDArray[Any],
    chance: FloatArray,
    right: FloatArray,
    sign: float,
    values: FloatArray,
) -> bool:
    """Sweep to and fro (Gauss-Seidel) until no value changes; False if that does not come."""
    n = len(right)
    for sweep in range(MAX_SWEEPS):
        change = 0.0
        size = 0.0
        for place in range(n):
            x = place if sweep % 2 == 0 else n - 1 - place
            total, own = right[x], 0.0
            for i in range(begin[x], begin[x + 1]):
                if column[i] == x:
                    own += chance[i]
                else:
                    total += sign * chance[i] * values[column[i]]
            total /= 1.0 - sign * own
            change = max(change, abs(total - values[x]))
            size = max(size, abs(total))
            values[x] = total
        if change <= ACCURACY * size:
            return True
    return False
