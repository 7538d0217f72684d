"""The best move: every legal choice ranked, and what it is worth.

``advise`` answers the two questions of a turn.  Given a roll it ranks the faces that may be kept;
without one it weighs rolling on against stopping.  ``odds`` tells how the turn ends under optimal
play.  Values are floats, or with ``exact=True`` the rational numbers that they approximate.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import overload

from pickomino.dice import FACES, Dice, check_roll
from pickomino.objectives import Objective, TurnProblem, turn_problem
from pickomino.position import Claim, Position
from pickomino.rules import Rules
from pickomino.turn.payoffs import Number, TurnPayoffs
from pickomino.turn.solve import Solution, Then, solve


@dataclass(frozen=True)
class ClaimChance:
    """The probability ``p`` that a turn ends with a claim."""

    claim: Claim
    p: Number


@dataclass(frozen=True)
class Odds:
    """How a turn ends under optimal play.

    Attributes:
        value: The expected payoff.
        variance: The variance of the payoff.
        bust: The probability that the turn makes no claim.
        claims: The claims that can happen, lowest tile first; with ``bust`` they sum to 1.
        totals: The probability of each final total that can happen; 0 is a turn without a worm
            or one ended by a dead roll that is a bust.
    """

    value: Number
    variance: Number
    bust: Number
    claims: tuple[ClaimChance, ...]
    totals: dict[int, Number]

    @property
    def likeliest(self) -> tuple[ClaimChance, ...]:
        """The claims, most probable first."""
        return tuple(sorted(self.claims, key=lambda c: -c.p))


@dataclass(frozen=True)
class Option:
    """One face that a roll lets the player keep.

    Attributes:
        face: ``1``-``5`` or ``W``.
        dice: How many dice that keeps.
        total: The sum of all kept dice afterwards.
        value: The expected payoff after keeping it, with optimal play from there.
        then: Whether to ``roll`` or ``stop`` afterwards, or ``end`` where dice or faces are spent.
        roll_value: The expected payoff of rolling on; None where the turn is over.
        stop_value: The payoff of ending the turn; None where that is not legal.
        regret: What it loses against the best option; 0 for a tie.
        tie: Whether it is worth as much as the best option.
        odds: How the turn ends after this keep; None unless asked for.
    """

    face: str
    dice: int
    total: int
    value: Number
    then: Then
    roll_value: Number | None
    stop_value: Number | None
    regret: Number
    tie: bool
    odds: Odds | None = None


@dataclass(frozen=True)
class KeepAdvice:
    """What to keep of a roll.

    Attributes:
        value: The expected payoff with this roll on the table.
        options: Every legal keep, best first; empty for a dead roll.
        reason: One sentence that says why the first is the best.
    """

    value: Number
    options: tuple[Option, ...]
    reason: str

    @property
    def best(self) -> Option | None:
        """The best keep; None for a dead roll."""
        return self.options[0] if self.options else None


@dataclass(frozen=True)
class StopAdvice:
    """Whether to roll on.

    Attributes:
        value: The expected payoff before the decision.
        then: ``roll``, ``stop``, or ``end`` where dice or faces are spent.
        roll_value: The expected payoff of rolling; None where the turn is over.
        stop_value: The payoff of ending the turn; None where that is not legal.
        tie: Whether both are worth the same, in which case the turn is stopped.
        reason: One sentence that says why.
        odds: How the turn ends from here; None unless asked for.
    """

    value: Number
    then: Then
    roll_value: Number | None
    stop_value: Number | None
    tie: bool
    reason: str
    odds: Odds | None = None


@overload
def advise(
    position: Position,
    kept: Dice | str = ...,
    roll: None = ...,
    rules: Rules | str = ...,
    objective: Objective = ...,
    *,
    with_odds: bool = ...,
    exact: bool = ...,
) -> StopAdvice: ...
@overload
def advise(
    position: Position,
    kept: Dice | str,
    roll: Dice | str,
    rules: Rules | str = ...,
    objective: Objective = ...,
    *,
    with_odds: bool = ...,
    exact: bool = ...,
) -> KeepAdvice: ...
def advise(
    position: Position,
    kept: Dice | str = "",
    roll: Dice | str | None = None,
    rules: Rules | str = Rules(),
    objective: Objective = "worms",
    *,
    with_odds: bool = False,
    exact: bool = False,
) -> KeepAdvice | StopAdvice:
    """The best move.

    Args:
        position: Where the tiles are; the player to move is advised.
        kept: The dice kept so far in this turn, such as ``"3 3 3"``.
        roll: The roll to choose from, such as ``"1 3 4 4 W"``; None to choose between rolling
            and stopping.
        rules: The rule set, or its text such as ``"rulebook,steal=mandatory"``.
        objective: What to maximise; see :mod:`pickomino.objectives`.
        with_odds: Whether to add how the turn ends after each choice.
        exact: Whether to compute in rationals, which takes about a second.

    Returns:
        Every legal choice with its value, the best one first.

    Raises:
        DiceError: Dice that cannot lie on the table.
        GameOverError: The grill is empty.
        ObjectiveError: An unknown objective or an unusable payoff.
    """
    problem = turn_problem(position, Rules.of(rules), objective)
    solution = _solve(problem.payoffs, exact)
    kept = Dice.of(kept)
    if roll is None:
        return stop_advice(problem, solution, kept, with_odds)
    return keep_advice(problem, solution, kept, Dice.of(roll), with_odds)


def odds(
    position: Position,
    kept: Dice | str = "",
    rules: Rules | str = Rules(),
    objective: Objective = "worms",
    *,
    exact: bool = False,
) -> Odds:
    """How the turn ends under one optimal policy; mid-turn, from the better of roll and stop.

    Args:
        position: Where the tiles are.
        kept: The dice kept so far in this turn.
        rules: The rule set, or its text.
        objective: What the policy maximises.
        exact: Whether to compute in rationals.

    Returns:
        Value and variance of the payoff, and the probabilities of claims, bust and totals.

    Raises:
        DiceError: More dice kept than the game has.
        GameOverError: The grill is empty.
        ObjectiveError: An unknown objective or an unusable payoff.
    """
    problem = turn_problem(position, Rules.of(rules), objective)
    return turn_odds(problem, _solve(problem.payoffs, exact), Dice.of(kept))


def reach_chances(
    position: Position, kept: Dice | str = "", rules: Rules | str = Rules(), *, exact: bool = False
) -> dict[int, Number]:
    """The best chance to end the turn with a worm and at least each tile's number.

    Each is the value of its own objective ``reach:N``: no single policy attains them all.

    Args:
        position: Where the tiles are.
        kept: The dice kept so far in this turn.
        rules: The rule set, or its text.
        exact: Whether to compute in rationals.

    Returns:
        The probability for each tile of the equipment, ascending.

    Raises:
        DiceError: More dice kept than the game has.
        GameOverError: The grill is empty.
    """
    dice, equipment = Dice.of(kept), position.equipment
    return {
        tile: solve_turn(position, rules, f"reach:{tile}", exact=exact).value(dice)
        if tile <= equipment.max_total
        else 0
        for tile in equipment.tiles
    }


def solve_turn(
    position: Position,
    rules: Rules | str = Rules(),
    objective: Objective = "worms",
    *,
    exact: bool = False,
) -> Solution:
    """The solved turn itself: values, decisions and distributions for any dice.

    Args:
        position: Where the tiles are.
        rules: The rule set, or its text.
        objective: What to maximise.
        exact: Whether to compute in rationals.

    Returns:
        The solution, whose methods take the dice kept.

    Raises:
        GameOverError: The grill is empty.
        ObjectiveError: An unknown objective or an unusable payoff.
    """
    return _solve(turn_problem(position, Rules.of(rules), objective).payoffs, exact)


@lru_cache(maxsize=128)
def _solve(payoffs: TurnPayoffs, exact: bool) -> Solution:
    if exact:
        # Imported only when asked for, as the command line starts in a fraction of a second.
        from pickomino.turn.rational import ExactSolution

        return ExactSolution(payoffs)
    return solve(payoffs)


def turn_odds(problem: TurnProblem, solution: Solution, kept: Dice) -> Odds:
    """How a turn ends, given its solution."""
    value = solution.value(kept)
    totals = {t: p for t, p in enumerate(solution.distribution(kept)) if p}
    variance = sum(p * (solution.end_value(t) - value) ** 2 for t, p in totals.items())
    chances: dict[Claim | None, Number] = {None: 0}
    for total, p in totals.items():
        claim = problem.claims[total]
        chances[claim] = chances.get(claim, 0) + p
    bust = chances.pop(None)
    claims = sorted(chances.items(), key=lambda item: item[0].tile if item[0] else 0)
    return Odds(value, variance, bust, tuple(ClaimChance(c, p) for c, p in claims if c), totals)


def keep_advice(
    problem: TurnProblem, solution: Solution, kept: Dice, roll: Dice, with_odds: bool
) -> KeepAdvice:
    """What to keep of a roll, given the turn's solution; refuses a roll that cannot fall."""
    check_roll(problem.position.equipment.dice, kept, roll)
    unit = problem.unit
    options: list[Option] = []
    for face, tie in solution.rank(kept, roll):
        after = kept.plus(face, roll.counts[face])
        value = solution.value(after)
        best = options[0].value if options else value
        options.append(
            Option(
                face=FACES[face],
                dice=roll.counts[face],
                total=after.total,
                value=value,
                then=solution.then(after),
                roll_value=solution.roll_value(after),
                stop_value=solution.stop_value(after),
                regret=best - best if tie else best - value,
                tie=tie,
                odds=turn_odds(problem, solution, after) if with_odds else None,
            )
        )
    if options:
        return KeepAdvice(options[0].value, tuple(options), _why_keep(options, unit))
    # A dead roll: only under keep_sum does it leave the total.
    total = kept.final if solution.payoffs.keep_sum else 0
    value, ending = solution.end_value(total), _ending(problem, total)
    reason = f"The roll is dead, as every face in it is kept: {ending}, {_worth(value, unit)}."
    return KeepAdvice(value, (), reason)


def stop_advice(
    problem: TurnProblem, solution: Solution, kept: Dice, with_odds: bool
) -> StopAdvice:
    """Whether to roll on, given the turn's solution."""
    unit = problem.unit
    value, then = solution.value(kept), solution.then(kept)
    roll, stop = solution.roll_value(kept), solution.stop_value(kept)
    tie = False
    if then == "end":
        reason = f"The turn is over: {_ending(problem, kept.final)}, {_worth(value, unit)}."
    elif roll is None or stop is None:
        why = "the first roll is compulsory" if not kept.number else "the turn may not stop here"
        reason = f"Roll, as {why}: {_worth(value, unit)}."
    else:
        gap = roll - stop if then == "roll" else stop - roll
        tie = gap <= solution.tolerance
        other = "rolling" if then == "stop" else "stopping"
        gain = "the same as" if tie else f"{_number(gap)} more than"
        claim = problem.claims[kept.final] if then == "stop" else None
        move = f"Stop and take {problem.position.describe(claim)}" if claim else then.capitalize()
        reason = f"{move}: {_worth(value, unit)}, {gain} {other}."
    ends = turn_odds(problem, solution, kept) if with_odds else None
    return StopAdvice(value, then, roll, stop, tie, reason, ends)


_THEN = {"roll": " and roll on", "stop": " and stop", "end": ", which ends the turn"}


def _why_keep(options: list[Option], unit: str) -> str:
    best = options[0]
    move = f"Keep {best.face}{_THEN[best.then]}: {_worth(best.value, unit)}"
    if len(options) == 1:
        return f"{move}, the only legal keep."
    second = options[1]
    if second.tie:
        return f"{move}, the same as keeping {second.face}."
    return f"{move}, {_number(second.regret)} more than keeping {second.face}."


def _ending(problem: TurnProblem, total: int) -> str:
    claim = problem.claims[total] if total else None
    return f"it takes {problem.position.describe(claim)}" if claim else "it is a bust"


def _worth(value: Number, unit: str) -> str:
    return f"worth {_number(value)} {unit}".rstrip()


def _number(value: Number) -> str:
    # Four decimals would show a small chance as none.
    number = float(value)
    return f"{number:.4g}" if 0 < abs(number) < 1e-3 else f"{number:.4f}"
