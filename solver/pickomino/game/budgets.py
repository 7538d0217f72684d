"""How many positions of a game are solved unless said, by what waits for them.

Solving takes some 0.1 ms a position on one core, with numba's code compiled.
"""

from __future__ import annotations

from pickomino._checks import shown, whole_number
from pickomino.errors import PositionError

__all__ = ["PER_ANSWER", "PER_CALL", "PER_MOVE", "PER_VALUE", "check_max_states"]

PER_MOVE = 2_000
"""A player's decision in a match: a fifth of a second, and then whole turns are known."""

PER_ANSWER = 20_000
"""Somebody at the table, in ``advise`` and ``best``: some two seconds."""

PER_VALUE = 200_000
"""Whoever asks the command line for the value of a game: some twenty seconds."""

PER_CALL = 2_000_000
"""A program that calls ``solve_game``: some minutes, and 1 GB of memory."""


LARGEST = 10**12
"""More positions than any machine holds."""


def check_max_states(max_states: object) -> int:
    """A budget of positions as a number.

    Raises:
        PositionError: It is no whole number from 1 on, or beyond all machines.
    """
    most = whole_number(max_states)
    if most is None or not 1 <= most <= LARGEST:
        raise PositionError(
            f"max_states={shown(max_states)} is no budget: use a whole number from 1 to {LARGEST:,}"
        )
    return most
