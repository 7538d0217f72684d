"""Who answers a question: the turn alone, or for a game somebody who values what follows.

In reading order:

==============  ==================================================================================
``advisor``     answers for every objective: the turn solved, for a game on top of those values
``evaluators``  who answers ``win`` and ``margin``: a solved game, a table, or an approximation
==============  ==================================================================================
"""
