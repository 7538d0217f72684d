"""Environments for reinforcement learning; they need ``pip install 'pickomino[rl]'``.

======================  =========================================================================
:func:`env`             PettingZoo, one agent per seat, who act in turn (AEC)
:class:`PickominoEnv`   Gymnasium, one seat against players, registered as ``pickomino/Seat-v0``
:func:`parallel_env`    PettingZoo, for libraries that want an action of everybody every cycle
:class:`Codec`          the numbers that all three share: actions, masks and observations
======================  =========================================================================

``docs/environments.md`` describes the spaces and the rewards.  In reading order: ``codec``
(numbers), ``environment`` (a game that goes on by numbers, and its rewards), ``_seats`` (an agent a
seat), and the three forms ``aec``, ``single`` and ``parallel``.
"""

from pickomino.errors import EnvironmentSetupError, MissingExtraError

try:
    import gymnasium
    import pettingzoo  # noqa: F401
except ModuleNotFoundError as error:
    if error.name not in ("gymnasium", "pettingzoo"):
        raise
    raise MissingExtraError(
        f"{error.name} is not installed, which the environments need: "
        "run pip install 'pickomino[rl]'"
    ) from error

from pickomino.rl.aec import PickominoAEC, env
from pickomino.rl.codec import Codec
from pickomino.rl.environment import REWARDS, Game
from pickomino.rl.parallel import PickominoParallel, parallel_env
from pickomino.rl.single import PickominoEnv

ENV_ID = "pickomino/Seat-v0"
"""What ``gymnasium.make`` calls :class:`PickominoEnv` once this package is imported."""

if ENV_ID not in gymnasium.registry:
    gymnasium.register(ENV_ID, entry_point="pickomino.rl.single:PickominoEnv")

__all__ = [
    "ENV_ID",
    "REWARDS",
    "Codec",
    "EnvironmentSetupError",
    "Game",
    "MissingExtraError",
    "PickominoAEC",
    "PickominoEnv",
    "PickominoParallel",
    "env",
    "parallel_env",
]
