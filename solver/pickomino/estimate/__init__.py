"""Approximate values of positions, labelled as such, where no game can be solved.

============  ====================================================================================
``normal``    chances to win from expected margins, by a normal approximation
``inputs``    what a network sees of a position
``batches``   the same from boards, in compiled code
``network``   a network that values positions for every seat at once
``training``  learning what positions are worth from self-play
============  ====================================================================================
"""
