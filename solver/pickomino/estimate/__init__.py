"""Values of positions beyond what one turn says, as exact as their size allows; labelled if not.

In reading order:

==============  ==================================================================================
``evaluators``  who values a position: a solved game, a table, or an approximation
``normal``      chances to win from expected margins, by a normal approximation
==============  ==================================================================================
"""
