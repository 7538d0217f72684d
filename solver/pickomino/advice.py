"""What a solved turn says: every legal choice ranked, how the turn ends, and why.

Given a roll, the faces that may be kept are ranked; without one, rolling on is weighed against
stopping.  Numbers are floats, or with ``exact=True`` the fractions that they approximate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Generic, TypeVar

from pickomino._checks import flag
from pickomino._layout import decimal, html_table, percent
from pickomino.dice import FACES, PIPS, Dice
from pickomino.errors import DiceError
from pickomino.objectives import TurnProblem
from pickomino.position import Claim
from pickomino.turn.payoffs import Number, TurnPayoffs, dead_total
from pickomino.turn.solve import Choice, Solution, Then, solve, stop_ties

__all__ = [
    "ClaimChance",
    "DeadRoll",
    "KeepAdvice",
    "Odds",
    "Option",
    "SolvedTurn",
    "StopAdvice",
    "solved",
]

N = TypeVar("N", bound=Number, covariant=True)
"""``float``, or ``Fraction`` for an exact answer."""


@dataclass(frozen=True)
class ClaimChance(Generic[N]):
    """The probability ``p`` that a turn ends with a claim."""

    claim: Claim
    p: N


@dataclass(frozen=True)
class Odds(Generic[N]):
    """How a turn ends under optimal play.

    Attributes:
        value: The expected payoff.
        variance: The variance of the payoff.
        bust: The probability that the turn makes no claim.
        claims: The claims that can happen, lowest tile first; with ``bust`` they sum to 1.
        totals: The probability of each final total that can happen; 0 is a turn without a worm
            or one ended by a dead roll that is a bust.
    """

    value: N
    variance: N
    bust: N
    claims: tuple[ClaimChance[N], ...]
    totals: dict[int, N] = field(hash=False)

    @property
    def likeliest(self) -> tuple[ClaimChance[N], ...]:
        """The claims, most probable first."""
        return tuple(sorted(self.claims, key=lambda c: -c.p))

    def _repr_html_(self) -> str:
        rows = [(_from(c.claim), percent(c.p)) for c in self.claims]
        return html_table(("claim", "chance"), [*rows, ("bust", percent(self.bust))])


@dataclass(frozen=True)
class Option(Generic[N]):
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
    value: N
    then: Then
    roll_value: N | None
    stop_value: N | None
    regret: N
    tie: bool
    odds: Odds[N] | None = None


@dataclass(frozen=True)
class KeepAdvice(Generic[N]):
    """What to keep of a roll; :class:`DeadRoll` where nothing can be kept.

    Attributes:
        value: The expected payoff with this roll on the table.
        options: Every legal keep, best first.
        reason: One sentence that says why the first is the best.
    """

    value: N
    options: tuple[Option[N], ...]
    reason: str

    @property
    def best(self) -> Option[N]:
        """The best keep.

        Raises:
            DiceError: The roll is dead.
        """
        return self.options[0]

    def _repr_html_(self) -> str:
        head = ("keep", "dice", "total", "then", "value", "regret")
        rows = [
            (o.face, o.dice, o.total, o.then, decimal(o.value), decimal(o.regret))
            for o in self.options
        ]
        return html_table(head, rows, self.reason)


@dataclass(frozen=True)
class DeadRoll(KeepAdvice[N]):
    """A roll that shows only faces kept already, so that the turn has ended.

    Attributes:
        value: The payoff of the turn.
        options: Empty.
        reason: One sentence that says what the turn ended with.
    """

    @property
    def best(self) -> Option[N]:
        """There is none.

        Raises:
            DiceError: Always; look whether the advice is a ``DeadRoll`` first.
        """
        raise DiceError(f"no face can be kept: {self.reason[0].lower()}{self.reason[1:]}")


@dataclass(frozen=True)
class StopAdvice(Generic[N]):
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

    value: N
    then: Then
    roll_value: N | None
    stop_value: N | None
    tie: bool
    reason: str
    odds: Odds[N] | None = None

    def _repr_html_(self) -> str:
        values = (("roll", self.roll_value), ("stop", self.stop_value))
        rows = [(name, "-" if value is None else decimal(value)) for name, value in values]
        return html_table(("choice", "value"), rows, self.reason)


@lru_cache(maxsize=128)
def _solution(payoffs: TurnPayoffs, exact: bool) -> Solution:
    if exact:
        # Imported only when asked for, as the command line starts in a fraction of a second.
        from pickomino.turn.rational import RationalSolution

        return RationalSolution(payoffs)
    return solve(payoffs)


def solved(problem: TurnProblem) -> SolvedTurn:
    """Solve a turn, in rationals if it is to be exact; the last ones are remembered."""
    return SolvedTurn(problem, _solution(problem.payoffs, problem.exact))


@dataclass(frozen=True, eq=False)
class SolvedTurn:
    """A position's turn with its solution, and what that says about any dice.

    Attributes:
        problem: The turn: position, rules, objective and claims.
        solution: Values, decisions and distributions.
    """

    problem: TurnProblem
    solution: Solution

    def advise(
        self,
        kept: Dice | str = "",
        roll: Dice | str | None = None,
        *,
        with_odds: bool = False,
    ) -> KeepAdvice[Number] | StopAdvice[Number]:
        """The best move.

        Args:
            kept: The dice kept so far, or their text.
            roll: The roll to choose from; None to choose between rolling and stopping.
            with_odds: Whether to add how the turn ends after each choice.

        Raises:
            DiceError: Dice that cannot lie on the table.
        """
        if roll is None:
            return self.stop(kept, with_odds=with_odds)
        return self.keep(kept, roll, with_odds=with_odds)

    def odds(self, kept: Dice | str = "") -> Odds[Number]:
        """How the turn ends under one optimal policy.

        Args:
            kept: The dice kept so far.

        Raises:
            DiceError: More dice kept than the game has.
        """
        solution = self.solution
        mean = solution.choice(kept).value
        totals = {t: p for t, p in enumerate(solution.distribution(kept)) if p}
        ends = solution.payoffs.by_total
        variance = sum(p * (ends[t] - solution.floor - mean) ** 2 for t, p in totals.items())
        chances: dict[Claim | None, Number] = {None: 0}
        for total, p in totals.items():
            claim = self.problem.claims[total]
            chances[claim] = chances.get(claim, 0) + p
        bust = chances.pop(None)
        claims = sorted(chances.items(), key=lambda item: item[0].tile if item[0] else 0)
        return Odds(
            solution.value(kept),
            variance,
            bust,
            tuple(ClaimChance(c, p) for c, p in claims if c),
            totals,
        )

    def keep(
        self, kept: Dice | str, roll: Dice | str, *, with_odds: bool = False
    ) -> KeepAdvice[Number]:
        """What to keep of a roll; Args and Raises as for :meth:`advise`."""
        before, thrown = Dice.of(kept), Dice.of(roll)
        with_odds = flag("with_odds", with_odds)
        keeps = self.solution.keeps(before, thrown)
        if not keeps:
            return self._dead_roll(before)
        best, options = keeps[0].choice.value, []
        for face, tie, choice in keeps:
            count = thrown.counts[face]
            total = before.total + count * PIPS[face]
            regret = best - (best if tie else choice.value)
            odds = self.odds(before.plus(face, count)) if with_odds else None
            options.append(
                Option(
                    FACES[face],
                    count,
                    total,
                    *_with_floor(choice, self.solution.floor),
                    regret,
                    tie,
                    odds,
                )
            )
        return KeepAdvice(options[0].value, tuple(options), _why_keep(options, self.problem.unit))

    def _dead_roll(self, kept: Dice) -> DeadRoll[Number]:
        total = dead_total(kept.final, self.problem.rules.keeps_sum)
        value = self.solution.end_value(total)
        worth = _worth(value, self.problem.unit)
        reason = f"The roll is dead, as every face in it is kept: {self._ending(total)}, {worth}."
        return DeadRoll(value, (), reason)

    def stop(self, kept: Dice | str = "", *, with_odds: bool = False) -> StopAdvice[Number]:
        """Whether to roll on; Args and Raises as for :meth:`advise`."""
        dice, with_odds = Dice.of(kept), flag("with_odds", with_odds)
        choice = self.solution.choice(dice)
        value, then, roll, stop = _with_floor(choice, self.solution.floor)
        worth, tie = _worth(value, self.problem.unit), False
        if then == "end":
            reason = f"The turn is over: {self._ending(dice.final)}, {worth}."
        elif choice.roll_value is None or choice.stop_value is None:
            first = "the first roll is compulsory"
            why = "the turn may not stop here" if dice.number else first
            reason = f"Roll, as {why}: {worth}."
        else:
            gap = choice.roll_value - choice.stop_value
            if then == "stop":
                gap = choice.stop_value - choice.roll_value
            tie = stop_ties(choice, self.solution.tolerance)
            other = "rolling" if then == "stop" else "stopping"
            gain = "the same as" if tie else f"{_number(gap)} more than"
            claim = self.problem.claims[dice.final] if then == "stop" else None
            take = f"Stop and take {self.problem.position.describe(claim)}" if claim else None
            reason = f"{take or then.capitalize()}: {worth}, {gain} {other}."
        ends = self.odds(dice) if with_odds else None
        return StopAdvice(value, then, roll, stop, tie, reason, ends)

    def _ending(self, total: int) -> str:
        claim = self.problem.claims[total] if total else None
        return f"it takes {self.problem.position.describe(claim)}" if claim else "it is a bust"


def _with_floor(choice: Choice[Number], floor: Number) -> Choice[Number]:
    """A choice with its payoffs as they are, not above the floor."""
    if not floor:
        return choice
    value, then, roll, stop = choice
    whole = [None if above is None else floor + above for above in (roll, stop)]
    return Choice(floor + value, then, whole[0], whole[1])


_THEN = {"roll": " and roll on", "stop": " and stop", "end": ", which ends the turn"}


def _why_keep(options: Sequence[Option[Number]], unit: str) -> str:
    best = options[0]
    move = f"Keep {best.face}{_THEN[best.then]}: {_worth(best.value, unit)}"
    if len(options) == 1:
        return f"{move}, the only legal keep."
    second = options[1]
    if second.tie:
        return f"{move}, the same as keeping {second.face}."
    return f"{move}, {_number(second.regret)} more than keeping {second.face}."


def _worth(value: Number, unit: str) -> str:
    return f"worth {_number(value)} {unit}".rstrip()


def _number(value: Number) -> str:
    # Four decimals would show a small chance as none.
    number = float(value)
    return f"{number:.4g}" if 0 < abs(number) < 1e-3 else f"{number:.4f}"


def _from(claim: Claim) -> str:
    source = "the grill" if claim.victim is None else f"player {claim.victim + 1}"
    return f"{claim.tile} from {source}"
