"""Exact optimal play for the dice game Pickomino (Heckmeck, Regenwormen).

What users need is here.  ``__init__.pyi`` lists the names with their modules, and each is loaded
when it is first touched, so that a small program starts fast.  Two packages stand beside them,
``rl`` and ``testing``.

A question goes from words to objects, payoff, turn and advice, and comes back as words.  What is
decided where, in reading order, with what all of them use at the end:

==============  ====================================================================================
``dice``        faces, rolls, what may be kept
``equipment``   how many dice, which tiles, their worms
``rules``       the switches in which editions differ, the presets, where a turn may stop
``position``    grill and stacks; which tiles a total may claim, what a claim or a bust moves, who
                wins
``objectives``  what the ways to end a turn are worth
``turn``        one turn solved for any payoff; when two choices tie, where a dead roll ends
``advice``      what a solved turn says: options, regret, odds, reasons
``tables``      policy tables of turns: built, opened, looked up, verified, drawn
``game``        the game of two solved, exactly or to a depth: listing, policy iteration, tables
``estimate``    approximate values where no game can be solved
``ask``         who answers: the turn; for a game a solution, a game table, an approximation
``play``        moments of a game and their actions, records, players, matches, reviews
``cli``         the command line: options, exit codes, errors in its words
``rl``          environments for reinforcement learning
``testing``     tests of other programs
``errors``      every error
``_storage``    any table on disk: manifests, checksums, folders, builds, locks
``_runtime``    streams, files, limits, the compiler and its cache, parallel jobs
``_words``      questions read from text, answers as text and JSON
==============  ====================================================================================
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
