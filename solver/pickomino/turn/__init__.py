"""One turn, solved for any payoff of how it ends; it knows dice and nothing of tiles.

In reading order:

============  ====================================================================================
``payoffs``   what a turn is worth by how it ends, and when two choices tie
``graph``     the states of a turn and what each roll leads to
``solve``     the recursion in NumPy: one turn in a fraction of a millisecond
``rational``  the same in rationals, slow and obvious: the reference
``batch``     the same in compiled code: turns by the thousand
============  ====================================================================================
"""
