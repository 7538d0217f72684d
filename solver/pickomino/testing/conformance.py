"""The check of someone else's engine against the rules as ours plays them."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pickomino._checks import shown, whole_number
from pickomino._runtime.jobs import progress_bar
from pickomino.equipment import Equipment
from pickomino.errors import GameError
from pickomino.play.engine import GameState
from pickomino.rules import Rules
from pickomino.testing._chooser import player
from pickomino.testing._reduce import reduced
from pickomino.testing.adapter import Adapter
from pickomino.testing.script import Script, follow

__all__ = ["MOST_ACTIONS", "Conformance", "Deviation", "check_conformance"]

MOST_ACTIONS = 1000
"""Actions after which a game is left: games of two or three take some 330, none over 610."""


@dataclass(frozen=True)
class Deviation:
    """One kind of difference from the rules.

    Attributes:
        kind: A short name, derived from what was expected and what was got.
        games: In how many games it was the first difference.
        script: The shortest way to it that was found.
    """

    kind: str
    games: int
    script: Script


@dataclass(frozen=True)
class Conformance:
    """What a check has found; true if the engine follows the rules.

    Attributes:
        rules: The rules it was held against.
        games: How many games were played.
        actions: How many actions were followed by an observation that told something.
        deviations: The kinds of difference, the most frequent first.
        inexpressible: What the engine could not be told, with how often; it is left out of the
            games and is no deviation.
    """

    rules: Rules
    games: int
    actions: int
    deviations: tuple[Deviation, ...]
    inexpressible: tuple[tuple[str, int], ...] = ()

    @property
    def ok(self) -> bool:
        """Whether no difference was found."""
        return not self.deviations

    def __bool__(self) -> bool:
        return self.ok

    @property
    def kinds(self) -> dict[str, int]:
        """In how many games each kind of difference came first."""
        return {deviation.kind: deviation.games for deviation in self.deviations}

    def report(self) -> str:
        """The findings as text: a paragraph with a script for each kind of difference."""
        found = len(self.deviations)
        head = f"{_counted(self.games, 'game')} under {self.rules}, "
        head += f"{_counted(self.actions, 'action')} compared: "
        head += f"{_counted(found, 'kind')} of deviation" if found else "no deviation"
        parts = [head]
        for deviation in self.deviations:
            script = textwrap.indent(str(deviation.script), "    ")
            parts.append(f"{deviation.kind} ({_counted(deviation.games, 'game')})\n{script}")
        if self.inexpressible:
            words = ", ".join(f"{why} ({n})" for why, n in self.inexpressible)
            parts.append(f"left out, as the engine cannot say it: {words}")
        return "\n\n".join(parts)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def check_conformance(
    adapter: Adapter,
    *,
    rules: Rules | str = "rulebook",
    equipment: Equipment | str = "standard",
    games: int = 200,
    players: int | Sequence[int] = (2, 3),
    seed: int = 0,
    progress: bool = False,
) -> Conformance:
    """Drive an engine through games next to ours and find where the two part.

    Each game ends with its first difference.  Differences of the same kind are counted together,
    and the shortest script of each is made shorter still.

    Args:
        adapter: The engine.
        rules: The rules to hold it against, or their text.
        equipment: The dice and tiles that the engine plays with, or their text.
        games: How many games to play, at least 1.
        players: How many play, 1 to 7; of several numbers each game takes the next.
        seed: The same seed plays the same games.
        progress: Whether to show a progress bar on standard error.

    Returns:
        What was found; false if there is a deviation.

    Raises:
        GameError: No games, no number of players, no seed, an adapter that observes something else
            than an :class:`Observation`, or one that left nothing to compare.
        PickominoError: Rules or a number of players that do not exist.
    """
    rule_set, most, drawn = Rules.of(rules), whole_number(games), whole_number(seed)
    numbers = list(players) if isinstance(players, Sequence) else [players]
    if most is None or most < 1 or not numbers:
        raise GameError(
            f"games={shown(games)} with players={shown(players)} checks nothing: play at least one"
        )
    if drawn is None or abs(drawn) >= 2**64:
        raise GameError(f"seed={shown(seed)} is no seed: use a whole number below 2^64")
    for name in ("reset", "step", "observe"):
        if isinstance(adapter, type) or not callable(getattr(adapter, name, None)):
            raise GameError(f"{shown(adapter)} is no adapter: give an object with {name}()")
    starts = [GameState.start(number, rules=rule_set, equipment=equipment) for number in numbers]
    counts: Counter[str] = Counter()
    unsaid: Counter[str] = Counter()
    shortest: dict[str, Script] = {}
    actions = 0
    with progress_bar("check", most, progress, unit="game") as bar:
        for game in range(most):
            start = starts[game % len(starts)]
            done, script = follow(adapter, start, player(f"{drawn} {game}"), MOST_ACTIONS, unsaid)
            actions += done
            bar.update()
            if script is not None:
                counts[script.kind] += 1
                known = shortest.setdefault(script.kind, script)
                if len(script.actions) < len(known.actions):
                    shortest[script.kind] = script
    if not actions and not counts:
        raise GameError(
            "nothing was compared: let the adapter observe something, and say some actions"
        )
    deviations = tuple(
        Deviation(kind, number, reduced(adapter, shortest[kind]))
        for kind, number in counts.most_common()
    )
    return Conformance(rule_set, most, actions, deviations, tuple(unsaid.most_common()))
