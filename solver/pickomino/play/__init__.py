"""Whole games, played: states and actions, players, matches and reviews.

In reading order:

============  ====================================================================================
``engine``    moments of a game, legal actions, what they bring about, and records
``players``   whoever chooses among the legal actions
``match``     many games between players, with intervals
``review``    a recorded game looked back on: regret and luck
============  ====================================================================================
"""
