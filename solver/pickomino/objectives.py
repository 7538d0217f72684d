"""Objectives: what the ways to end a turn are worth.

An *outcome* is a final total with the claim made, or none, which is a bust.  The final total of a
turn that ends without a worm, or on a dead roll that is a bust, is 0.

=============  ====================================================================================
``worms``      worms of the tile taken; a bust costs the worms on one's own top tile (default)
``swing``      the same, but a steal pays twice, for what one wins and what another loses
``reach:N``    1 for a total of at least N, with a worm: the value is a probability
``exactly:N``  1 for a total of N, with a worm
``total``      the final total itself
=============  ====================================================================================

The last three look at the total alone, whatever the grill offers; grill and rules decide only
where the turn may be stopped.  A mapping or a callable over outcomes is an objective as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from typing import Literal, get_args

from pickomino._checks import count, given, one_of, shown
from pickomino.dice import LEAST_TOTAL, MAX_DICE, PIPS, WORM, final_totals
from pickomino.equipment import Equipment
from pickomino.errors import ObjectiveError
from pickomino.position import Claim, Position
from pickomino.rules import Rules
from pickomino.turn.payoffs import (
    MAX_PAYOFF,
    MIN_SPREAD,
    Number,
    TurnPayoffs,
    exact_number,
    first_best,
    of_one_kind,
    tie_tolerance,
)

__all__ = [
    "OBJECTIVES",
    "STEAL_PAYS",
    "UNITS",
    "GameObjective",
    "Objective",
    "Outcome",
    "Payoff",
    "TurnProblem",
    "check_game_objective",
    "check_objective",
    "check_turn_objective",
    "game_objective",
    "payoff_of",
    "total_payoff",
    "turn_problem",
]


def game_objective(objective: object) -> GameObjective | None:
    """The objective if it looks to the end of a game; None if the turn is all that counts."""
    if not isinstance(objective, str):
        return None
    return next((known for known in get_args(GameObjective) if known == objective), None)


def check_turn_objective(name: object) -> None:
    """Refuse what is no name of an objective of a turn, whatever total it asks for.

    Raises:
        ObjectiveError: An unknown name, or no text.
    """
    if not isinstance(name, str) or name not in STEAL_PAYS:
        _total_kind(name)


def check_objective(objective: object) -> None:
    """Refuse what is no objective, whatever position it is asked of.

    Raises:
        ObjectiveError: An unknown name, or neither a name nor a payoff of one's own.
    """
    if isinstance(objective, str):
        if game_objective(objective) is None:
            check_turn_objective(objective)
    elif not callable(objective) and not isinstance(objective, Mapping):
        raise ObjectiveError(
            f"{shown(objective)} is no objective: give a name, or a mapping or callable over "
            "outcomes"
        )


def _total_kind(name: object) -> tuple[str, int]:
    """The kind of an objective that looks at the total alone, and the total that it asks for."""
    if isinstance(name, str) and name == "total":
        return "total", 0
    if game_objective(name) is not None:
        raise ObjectiveError(
            f"{name} looks beyond the turn, as {name} is of a whole game: use "
            f"{one_of(OBJECTIVES)} here"
        )
    match = re.fullmatch(r"(reach|exactly):([0-9]{1,4})", name) if isinstance(name, str) else None
    if match is None:
        raise ObjectiveError(
            f"no objective is called {shown(name)}: use {one_of(OBJECTIVES)}, or "
            f"{one_of(get_args(GameObjective))} for a game of two"
        )
    return match[1], int(match[2])


def check_game_objective(objective: object) -> None:
    """Refuse an objective that does not look to the end of a game.

    Raises:
        ObjectiveError: Any other than ``win`` and ``margin``.
    """
    if game_objective(objective) is None:
        raise ObjectiveError(
            f"no game objective is called {shown(objective)}: use {one_of(get_args(GameObjective))}"
        )


HIGHEST = PIPS[WORM] * MAX_DICE
"""The highest final total of any game."""


@dataclass(frozen=True)
class Outcome:
    """How a turn ends.

    Attributes:
        total: The final total; 0 without a worm or after a dead roll that is a bust.
        claim: The tile taken; None for a bust.

    Raises:
        ArgumentError: A total that no dice make, or a claim that is none.
    """

    total: int
    claim: Claim | None = None

    def __post_init__(self) -> None:
        # There are many of these, and nearly all are of plain numbers.
        if type(self.total) is not int or not 0 <= self.total <= HIGHEST:
            object.__setattr__(self, "total", count("total", self.total, HIGHEST))
        if self.claim is not None and type(self.claim) is not Claim:
            given("claim", self.claim, Claim)


Payoff = Callable[[Outcome], Number]
Objective = str | Mapping[Outcome, Number] | Payoff

STEAL_PAYS = {"worms": 1, "swing": 2}
"""The objectives that count worms, with how often a stolen tile's worms count."""

GameObjective = Literal["win", "margin"]
"""The objectives that look to the end of a two-player game; see :mod:`pickomino.game`."""

OBJECTIVES = (*STEAL_PAYS, "total", "reach:N", "exactly:N")
"""The names of all objectives of a turn."""

UNITS = {"worms": "worms", "swing": "worms", "total": "points"}
"""What the named objectives without an argument are counted in; ``reach`` is a probability."""


@dataclass(frozen=True, eq=False)
class TurnProblem:
    """A turn to be solved.

    Attributes:
        position: Where the tiles are.
        rules: The rule set.
        objective: What to maximise.
        exact: Whether to compute in rationals, which takes about a second.
    """

    position: Position
    rules: Rules
    objective: Objective
    exact: bool = False

    @property
    def unit(self) -> str:
        """What the payoff is counted in; empty for a probability or an unknown payoff."""
        return UNITS.get(self.objective, "") if isinstance(self.objective, str) else ""

    @property
    def payoffs(self) -> TurnPayoffs:
        """What each final total is worth, by the best claim."""
        return self._stated[0]

    @property
    def claims(self) -> tuple[Claim | None, ...]:
        """The claim made at each final total; None for a bust."""
        return self._stated[1]

    def check_payoffs(self) -> None:
        """Evaluate the payoffs now, so that what is wrong with them is said now.

        Raises:
            ObjectiveError: A payoff that is missing, no number, or beyond 1e100.
        """
        self._stated  # noqa: B018  (it is remembered)

    @cached_property
    def _stated(self) -> tuple[TurnPayoffs, tuple[Claim | None, ...]]:
        """Payoffs and claims; tables look up solved turns, and mostly need neither."""
        position, rules = self.position, self.rules
        payoff = payoff_of(self.objective, position)
        worth: dict[int, Number] = {}
        claim: dict[int, Claim | None] = {}
        outcomes: dict[int, tuple[Outcome, ...]] = {}
        for total in final_totals(position.equipment.dice):
            claims = position.claims(total, rules) if total else ()
            outcomes[total] = tuple(Outcome(total, c) for c in claims) or (Outcome(total),)
        every = of_one_kind([payoff(o) for ways in outcomes.values() for o in ways])
        rest = iter(every)
        values = {total: list(islice(rest, len(ways))) for total, ways in outcomes.items()}
        best_of = [max(worths) for worths in values.values()]
        spread = max(best_of) - min(best_of)
        if 0 < spread < MIN_SPREAD:
            raise ObjectiveError(
                f"the payoffs differ by no more than {float(spread):g}: scale them up, so that "
                f"they spread over {MIN_SPREAD:g} or more"
            )
        tolerance = 0 if self.exact else tie_tolerance(best_of)
        for total, worths in values.items():
            best = first_best(worths, tolerance)
            worth[total], claim[total] = worths[best], outcomes[total][best].claim
        # Totals that cannot occur stand in the arrays with the values of 0.
        highest = position.equipment.max_total
        totals = [total if total in worth else 0 for total in range(highest + 1)]
        payoffs = TurnPayoffs(
            tuple(worth[t] for t in totals),
            tuple(rules.may_stop(t, claim[t] is not None) for t in totals),
            rules.keeps_sum,
        )
        return payoffs, tuple(claim[t] for t in totals)


def turn_problem(
    position: Position, rules: Rules, objective: Objective = "worms", *, exact: bool = False
) -> TurnProblem:
    """State the turn of a position, and check that it can be solved.

    Args:
        position: Where the tiles are; the grill must not be empty.
        rules: The rule set.
        objective: A name from this module, or a payoff of one's own: a mapping or a callable
            from :class:`Outcome` to a number; what a callable raises itself is passed on.
        exact: Whether to compute in rationals.

    Raises:
        GameOverError: The grill is empty.
        ObjectiveError: An unknown name, or a payoff that is missing, no number, or beyond 1e100.
    """
    position.check_not_over()
    if isinstance(objective, str):
        return _named_problem(position, rules, objective, exact)
    check_objective(objective)
    problem = TurnProblem(position, rules, objective, exact)
    problem.check_payoffs()
    return problem


@lru_cache(maxsize=4096)
def _named_problem(position: Position, rules: Rules, name: str, exact: bool) -> TurnProblem:
    problem = TurnProblem(position, rules, name, exact)
    problem.check_payoffs()
    return problem


def payoff_of(objective: Objective, position: Position) -> Payoff:
    """The payoff of each outcome of a position's turn.

    Args:
        objective: A name from this module, or a payoff of one's own.
        position: Where the tiles are.

    Raises:
        ObjectiveError: An unknown name, or a total that the dice cannot make.
    """
    if not isinstance(objective, str):
        return _own_payoff(objective)
    return _named_payoff(objective, position)


def _named_payoff(name: str, position: Position) -> Payoff:
    if name in STEAL_PAYS:
        stolen = STEAL_PAYS[name]
        worms = dict(zip(position.equipment.tiles, position.equipment.worms, strict=True))
        at_stake = worms[position.own[-1]] if position.own else 0

        def worms_won(outcome: Outcome) -> Number:
            if outcome.claim is None:
                return -at_stake
            return worms[outcome.claim.tile] * (1 if outcome.claim.victim is None else stolen)

        return worms_won
    by_total = total_payoff(name, position.equipment)
    return lambda outcome: by_total[outcome.total]


def total_payoff(name: str, equipment: Equipment) -> tuple[int, ...]:
    """The payoff of each final total, for an objective that looks at nothing else.

    Returns:
        One number for each total from 0 to the highest.

    Raises:
        ObjectiveError: An unknown name, or a total that the dice cannot make.
    """
    totals = [total if total >= LEAST_TOTAL else 0 for total in range(equipment.max_total + 1)]
    kind, n = _total_kind(name)
    if kind == "total":
        return tuple(totals)
    if n > equipment.max_total:
        raise ObjectiveError(f"{name} is out of reach: use a total from 0 to {equipment.max_total}")
    # A final total of 0 has no worm, so it neither reaches nor hits anything.
    if kind == "reach":
        return tuple(int(total >= max(n, 1)) for total in totals)
    return tuple(int(total == n and n > 0) for total in totals)


def _own_payoff(objective: Mapping[Outcome, Number] | Payoff) -> Payoff:
    def payoff(outcome: Outcome) -> Number:
        if callable(objective):
            value: object = objective(outcome)
        else:
            try:
                value = objective[outcome]
            except KeyError:
                lacks = f"the payoffs lack {outcome}: give every outcome a number"
                raise ObjectiveError(lacks) from None
        number = exact_number(value)
        if number is None:
            raise ObjectiveError(
                f"the payoff of {outcome} is {shown(value)}: give a number up to {MAX_PAYOFF:g} "
                "in size"
            )
        return number

    return payoff
