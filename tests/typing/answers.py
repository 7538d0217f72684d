"""Each call has one type: checked by mypy --strict and by pyright, never run.

A line whose type is another fails the check, as ``assert_type`` compares the exact type.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import assert_type

import pickomino
from pickomino import (
    DeadRoll,
    Dice,
    Equipment,
    GameSolution,
    KeepAdvice,
    MatchResult,
    Odds,
    Option,
    Player,
    Position,
    RationalSolution,
    Review,
    Rules,
    StopAdvice,
    TurnSolution,
    advise,
    odds,
    open_game,
    open_tables,
    play_game,
    play_match,
    review_game,
    solve_game,
    solve_turn,
)

position = Position.seen(own=[25], opponents=[[24, 29], []])

assert_type(advise(position), StopAdvice[float])
assert_type(advise(position, "3 3 3"), StopAdvice[float])
assert_type(advise(position, "3 3 3", objective="win", max_states=1000), StopAdvice[float])
assert_type(advise(position, roll="1 3 4 4 W 1 1 1"), KeepAdvice[float])
assert_type(advise(position, "3 3 3", "1 3 4 4 W"), KeepAdvice[float])
assert_type(advise("21-36 -/- 1", kept="3 3 3", roll="1 3 4 4 W"), KeepAdvice[float])
assert_type(advise(position, "3 3 3", exact=True), StopAdvice[Fraction])
assert_type(advise(position, "3 3 3", "1 3 4 4 W", exact=True), KeepAdvice[Fraction])
assert_type(advise(position, Dice.parse("3"), roll=Dice.parse("1 3"), rules=Rules()).value, float)

keep = advise(position, "3 3 3", "1 3 4 4 W", with_odds=True)
assert_type(keep.best, Option[float])
assert_type(keep.best.face, str)
assert_type(keep.best.regret, float)
if isinstance(keep, DeadRoll):
    assert_type(keep.reason, str)

stop = advise(position, "3 3 3")
assert_type(stop.value, float)
assert_type(stop.roll_value, float | None)

assert_type(odds(position), Odds[float])
assert_type(odds(position).value, float)
assert_type(odds(position, exact=True), Odds[Fraction])
assert_type(odds(position, "W", exact=True).claims[0].p, Fraction)

assert_type(solve_turn(position), TurnSolution)
assert_type(solve_turn(position).value("333W"), float)
assert_type(solve_turn(position, exact=True), RationalSolution)
assert_type(solve_turn(position, exact=True).value("333W"), Fraction)

with open_tables(rules="bga", objective="swing") as tables:
    assert_type(tables.probe(position), StopAdvice[float])
    assert_type(tables.probe(position, "3 3 3", "1 3 4 4 W").best.face, str)
    assert_type(tables.odds(position).value, float)

solved = solve_game("21-24 -/- 1", rules="bga", objective="win", depth=1)
assert_type(solved, GameSolution)
assert_type(solved.value, float)
assert_type(solved.values(position), tuple[float, ...])
with open_game(equipment=Equipment.parse("8d:21-24x1"), objective="win") as table:
    assert_type(
        table.probe(position, "3 3 3", roll="1 3 4 4 W").best.then in ("roll", "stop"), bool
    )

players: Sequence[Player | str] = ["worms", pickomino.make_player("cautious")]
assert_type(play_match(players, 100, rules="bga", seed=1), MatchResult)
assert_type(review_game(play_game(players).record, objective="swing"), Review)
assert_type(pickomino.__version__, str)
