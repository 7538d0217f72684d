"""Whole games, played: states and actions, players, matches and reviews.

In reading order:

============  ====================================================================================
``engine``    moments of a game, legal actions, and what they bring about
``record``    games as they were played: actions in text, and records that replay
``players``   whoever chooses among the legal actions
``many``      games side by side, of players whose turns are known as distributions
``match``     many games between players, with intervals
``review``    a recorded game looked back on: regret and luck
============  ====================================================================================
"""
