"""The linear equations of a fixed policy: directly where they are few, else by sweeps."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import splu

from pickomino._runtime.compiled import kernel
from pickomino.turn.graph import FloatArray

FEW = 1000
"""Up to so many equations are solved directly, in 2 ms or less however play goes on.

The factors of more fill up: 12,000 equations took 280 ms directly and 4 ms by sweeps.
"""

MAX_SWEEPS = 5000
"""Sweeps before the equations are solved directly after all.

Games took up to 70; more are needed only where play hardly ever leaves the positions.  So many take
0.4 s for 12,000 equations, about as long as solving them directly.
"""

ACCURACY = 2e-15
"""Sweeps end when no value changes by more, relative to the largest: nine times what rounding does
to one number.  The values of games then differed from those solved directly by 7e-15 or less.
"""


class _Equations(NamedTuple):
    """Equations ``x = right + sign * move x``, the moves as a sparse array by rows.

    Attributes:
        begin: ``(n + 1,)`` where the moves of each row begin.
        column: ``(moves,)`` where each leads.
        chance: ``(moves,)`` how likely it is.
        right: ``(n,)`` the right side.
        sign: 1 or -1.
    """

    begin: NDArray[np.integer[Any]]
    column: NDArray[np.integer[Any]]
    chance: FloatArray
    right: FloatArray
    sign: float


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
        values = np.zeros(len(right))
        if _sweep(_Equations(move.indptr, move.indices, move.data, right, sign), values):
            return values
    equations = sparse.eye_array(len(right)) - sign * move
    found: FloatArray = splu(equations.tocsc()).solve(right)
    return found


@kernel()
def _sweep(equations: _Equations, values: FloatArray) -> bool:
    """Sweep to and fro (Gauss-Seidel) until no value changes; False if that does not come."""
    begin, column, chance, right, sign = equations
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
