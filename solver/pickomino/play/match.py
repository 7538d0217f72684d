"""Matches: many games between players, with what the shares of wins can be trusted to.

Game ``i`` of ``n`` players has the players moved round by ``i mod n`` seats and the dice of deal
``i // n``, so that the ``n`` rotations of the seats share their dice.  In a deal each turn draws
its rolls from a generator of its own.  Results depend on the seed alone, not on the jobs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import reduce

import numpy as np

from pickomino._checks import shown, whole_number, whole_numbers
from pickomino._runtime.jobs import processes, progress_bar
from pickomino.equipment import Equipment
from pickomino.errors import GameError
from pickomino.play.engine import Action, GameState, Roll, TurnEnd, throw
from pickomino.play.players import Player, players_of
from pickomino.play.record import GameRecord
from pickomino.position import MAX_PLAYERS
from pickomino.rules import Rules
from pickomino.turn.graph import FloatArray

__all__ = ["GameResult", "MatchResult", "Standing", "check_players", "play_game", "play_match"]

MAX_TURNS = 100_000
"""After how many turns a game is given up; random players need some 400."""

GAMES_A_TASK = 50
"""Games that one process plays between two reports: half a second with exact players."""


@dataclass(frozen=True)
class GameResult:
    """A finished game.

    Attributes:
        record: The game as it was played; seats in turn order.
        worms: What each seat has in the end.
        winners: The seats that win or share the win.
        turns: How many turns were played.
        busts: How many turns of each seat claimed nothing.
        steals: How many turns of each seat stole a tile.
    """

    record: GameRecord
    worms: tuple[int, ...]
    winners: tuple[int, ...]
    turns: int
    busts: tuple[int, ...]
    steals: tuple[int, ...]


def play_game(
    players: Sequence[Player | str],
    *,
    rules: Rules | str = "rulebook",
    equipment: Equipment | str = "standard",
    seed: int | Sequence[int] = 0,
) -> GameResult:
    """Play one game.

    Args:
        players: Who sits where, in turn order: players or their names.
        rules: The rule set, or its text.
        equipment: The dice and tiles, or their text.
        seed: What the dice and players of chance are drawn from: whole numbers from 0.

    Returns:
        The game and its result.

    Raises:
        GameError: A game that goes on for ever, a player that does not exist, or no seed.
        PositionError: A number of players other than 1 to 7.
        PickominoError: A player that cannot play such a game, as by its ``check_game``.
    """
    root = _seed(seed)
    seats = players_of(players)
    start = GameState.start(len(seats), rules=rules, equipment=equipment)
    check_players(seats, start)
    return _play(seats, start, root)


def check_players(players: Sequence[Player], start: GameState) -> None:
    """Refuse before the first move what would fail in the middle of a game.

    Args:
        players: Who sits where.
        start: The first state of the game.

    Raises:
        GameError: A game that never ends.
        PickominoError: What a player says in its ``check_game``.
    """
    if not start.is_over:
        start.check_can_end()
        for player in players:
            check = getattr(player, "check_game", None)
            if callable(check):
                check(start)


def _seed(seed: object) -> list[int]:
    """A seed as NumPy takes it."""
    one = whole_number(seed)
    numbers = whole_numbers(seed) if one is None else (one,)
    if not numbers or min(numbers) < 0:
        raise GameError(
            f"seed={shown(seed)} is no seed: use a whole number from 0, or a list of them"
        )
    return list(numbers)


def _play(players: Sequence[Player], start: GameState, root: list[int]) -> GameResult:
    """Play one game from its start."""
    state = start
    chance = [np.random.default_rng([*root, 0, seat]) for seat in range(len(players))]
    busts, steals = [0] * len(players), [0] * len(players)
    actions: list[Action] = []
    turn = 0
    while not state.is_over:
        if turn >= MAX_TURNS:
            raise GameError(f"no end after {turn} turns: these players never finish a game")
        turn += 1
        dice = np.random.default_rng([*root, 1, turn])
        end: TurnEnd | None = None
        while end is None:
            action = players[state.mover].choose(state, chance[state.mover])
            if isinstance(action, Roll):
                action = Roll(throw(state.dice_left, dice))
            actions.append(action)
            state, end = state.play(action)
        busts[end.seat] += end.bust
        steals[end.seat] += end.steal
    worms = tuple(state.position.worms(p) for p in range(len(players)))
    record = GameRecord(start, tuple(actions), tuple(p.name for p in players))
    return GameResult(record, worms, state.winners, turn, tuple(busts), tuple(steals))


@dataclass(frozen=True)
class Standing:
    """How one player did in a match.

    Attributes:
        name: The player.
        share: The share of wins, a shared win counting its part.
        error: Half the width of the share's 95% confidence interval; None with a single deal.
        worms: Worms a game.
        busts: Busts a game.
        steals: Steals a game.
    """

    name: str
    share: float
    error: float | None
    worms: float
    busts: float
    steals: float


@dataclass(frozen=True)
class MatchResult:
    """A match.

    Attributes:
        standings: The players, in the order given.
        games: How many games were played.
        turns: Turns a game.
        ties: The share of games whose win was shared.
    """

    standings: tuple[Standing, ...]
    games: int
    turns: float
    ties: float


def play_match(
    players: Sequence[Player | str],
    games: int,
    *,
    rules: Rules | str = "rulebook",
    equipment: Equipment | str = "standard",
    seed: int = 0,
    jobs: int = -1,
    progress: bool = True,
) -> MatchResult:
    """Play a match.

    Args:
        players: Who plays, 2 to 7: players or their names.
        games: How many games; a multiple of the players is fairest.
        rules: The rule set, or its text.
        equipment: The dice and tiles, or their text.
        seed: What all chance is drawn from.
        jobs: How many processes play; -1 for one a core.
        progress: Whether to show on standard error how far it is: a bar, or a line a minute.

    Returns:
        Shares with confidence intervals; they depend on the seed and not on the jobs.

    Raises:
        GameError: Fewer than one game or two players, a player that does not exist, no seed, or
            no number of jobs.
        PositionError: More than 7 players.
        PickominoError: A player that cannot play such a game, as by its ``check_game``.
    """
    seats, number = players_of(players), whole_number(games)
    if number is None or number < 1:
        raise GameError(f"games={shown(games)} is no match: use a whole number from 1")
    if not 2 <= len(seats) <= MAX_PLAYERS:
        raise GameError(f"a match of {len(seats)} is none: name 2 to {MAX_PLAYERS} players")
    start = GameState.start(len(seats), rules=rules, equipment=equipment)
    root = _seed(seed)
    check_players(seats, start)
    size = math.ceil(GAMES_A_TASK / len(seats)) * len(seats)  # whole deals
    tasks = ((range(at, min(at + size, number))) for at in range(0, number, size))
    tally = _Tally.none(len(seats))
    with (
        progress_bar("play", number, progress, unit="game") as bar,
        processes(jobs, -(-number // size), GameError) as run,
    ):
        for part in run(_play_task, ((seats, task, start, root) for task in tasks)):
            tally = tally.plus(part)
            bar.update(part.games)
    return tally.result(seats)


@dataclass(frozen=True, eq=False)
class _Tally:
    """What is counted of games, so that a match needs no more memory the longer it is.

    Attributes:
        games: How many.
        sums: ``(4, players)`` shares of wins, worms, busts and steals.
        turns: Turns.
        ties: Shared wins.
        deals: How many deals, the rotations of which share their dice.
        deal_shares: ``(players,)`` the sum over deals of each one's mean share.
        deal_squares: ``(players,)`` the sum of the squares of that.
    """

    games: int
    sums: FloatArray
    turns: int
    ties: int
    deals: int
    deal_shares: FloatArray
    deal_squares: FloatArray

    @classmethod
    def none(cls, players: int) -> _Tally:
        """That of no game."""
        return cls(0, np.zeros((4, players)), 0, 0, 0, np.zeros(players), np.zeros(players))

    def plus(self, other: _Tally) -> _Tally:
        """That of both."""
        return _Tally(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    def result(self, players: Sequence[Player]) -> MatchResult:
        """What the match tells: means, and how far the shares can be trusted."""
        means = self.sums / self.games
        errors: list[float | None] = [None] * len(players)
        if self.deals > 1:
            # Games of one deal share their dice, so the deals are what is independent.
            mean = self.deal_shares / self.deals
            variance = (self.deal_squares - self.deals * mean**2) / (self.deals - 1)
            errors = (1.96 * np.sqrt(np.maximum(variance, 0.0) / self.deals)).tolist()
        standings = tuple(
            Standing(player.name, float(means[0, p]), errors[p], *map(float, means[1:, p]))
            for p, player in enumerate(players)
        )
        return MatchResult(standings, self.games, self.turns / self.games, self.ties / self.games)


def _play_task(players: Sequence[Player], task: range, start: GameState, root: list[int]) -> _Tally:
    """Play some games, the first of which begins a deal; the unit of work."""
    n = len(players)
    tally = _Tally.none(n)
    for first in range(task.start, task.stop, n):
        deal = [
            _counted(players, game, start, root) for game in range(first, min(first + n, task.stop))
        ]
        of_deal = reduce(_Tally.plus, deal)
        share = of_deal.sums[0] / of_deal.games
        tally = tally.plus(replace(of_deal, deals=1, deal_shares=share, deal_squares=share**2))
    return tally


def _counted(players: Sequence[Player], game: int, start: GameState, root: list[int]) -> _Tally:
    """Play one game, and count it by player, not by seat."""
    n = len(players)
    seats = [(seat + game) % n for seat in range(n)]
    result = _play([players[p] for p in seats], start, [*root, game // n])
    sums = np.zeros((4, n))
    sums[0, [seats[w] for w in result.winners]] = 1 / len(result.winners)
    sums[1, seats], sums[2, seats], sums[3, seats] = result.worms, result.busts, result.steals
    tie = len(result.winners) > 1
    return replace(_Tally.none(n), games=1, sums=sums, turns=result.turns, ties=int(tie))
