"""Ways of playing a whole game, and what they get against each other, exactly.

Where turns tie, any of the best is taken, so that against others than itself a policy may depend on
which.
"""

from __future__ import annotations

import numpy as np

from pickomino._checks import given, shown
from pickomino.errors import ArgumentError
from pickomino.game.iteration import Policy, evaluate
from pickomino.game.levels import levels
from pickomino.game.listing import GameListing
from pickomino.game.solve import GameSolution
from pickomino.objectives import turn_problem
from pickomino.turn.solve import solve as solve_turn_problem

__all__ = ["one_turn_policy", "optimal_policy", "policy_values"]


def one_turn_policy(listing: GameListing, objective: str) -> Policy:
    """How a player plays who looks only at the turn, in every position of a game.

    Args:
        listing: The game.
        objective: A named objective of :mod:`pickomino.objectives`.

    Returns:
        The policy; ties are decided by the rule of :mod:`pickomino.turn.payoffs`.
    """
    model = given("listing", listing, GameListing).model
    bust = len(model.tiles) + 1
    play = np.zeros(listing.successor.shape)
    for number, words in enumerate(listing.words.tolist()):
        problem = turn_problem(model.unpack(words)[0], model.rules, objective)
        ended = solve_turn_problem(problem.payoffs).distribution()
        for claim, chance in zip(problem.claims, ended, strict=True):
            if claim is None:
                option = bust
            else:
                option = bust - 1 if claim.victim is not None else model.tiles.index(claim.tile)
            play[number, option] += chance
    return listing.policy_of(np.arange(listing.states), play)


def optimal_policy(solved: GameSolution, listing: GameListing | None = None) -> Policy:
    """How both sides play in a solved game, in every position.

    Args:
        solved: The game, which may be solved for another objective than the policy is judged by.
        listing: The same game with the rewards that the policy is judged by; None for its own.
    """
    own = given("solved", solved, GameSolution).listing
    judged = own if listing is None else given("listing", listing, GameListing)
    if not np.array_equal(judged.words, own.words) or judged.model.tiles != own.model.tiles:
        raise ArgumentError(f"listing={shown(judged)} is another game: list {own.model.start}")
    every = np.arange(judged.states)
    return judged.policy_of(every, solved.listing.play(every, solved.proven.value))


def policy_values(listing: GameListing, mine: Policy, theirs: Policy) -> tuple[float, float]:
    """What one policy gets against another, exactly, as a Markov chain.

    Args:
        listing: A game; its objective sets the unit: 1, 0, -1 for ``win``, worms for ``margin``.
        mine: The first player's policy in every position.
        theirs: The second player's.

    Returns:
        The first player's value when moving first, and when moving second.
    """
    states = given("listing", listing, GameListing).states
    for name, policy in (("mine", mine), ("theirs", theirs)):
        if given(name, policy, Policy).move.shape != (states, states):
            raise ArgumentError(f"{name}={shown(policy)} is of another game: use the listing's")
    first, second = np.zeros(states), np.zeros(states)
    for inside, _ in levels(listing):
        rows = [Policy(p.move[inside], p.reward[inside]) for p in (mine, theirs)]
        first[inside], second[inside] = evaluate(rows[0], rows[1], inside, (first, second))
    return float(first[0]), -float(second[0])
