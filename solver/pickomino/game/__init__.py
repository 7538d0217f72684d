"""Games beyond one turn: of two players exactly or to a depth, and boards of any number.

In reading order:

==============  ==================================================================================
``budgets``     how many positions are solved unless said
``code``        tiles and rules as compiled code takes them
``model``       which game is solved, and what its positions are
``_packing``    how a position is packed into three integers
``_moves``      the moves on packed positions, in compiled code
``listing``     all positions that play can lead to
``levels``      the order in which a game is solved, within the tiers of a listing
``iteration``   values of any such game by policy iteration, with bounds that prove them
``_linear``     the linear equations of a fixed policy
``solve``       solving a game from a position
``evaluator``   whoever knows what positions are worth, and what that makes a turn worth
``boards``      positions of many games at once, for any number of players
``policies``    ways of playing a whole game against each other
``spec``        what a game table is of
``rank``        the place of a position in a table
``build``       building a game table
``table``       one game table on disk
``verify``      a slow second look at solutions and tables
==============  ==================================================================================
"""
