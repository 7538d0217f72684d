"""Policy tables: the turns of every grill, computed once, kept on disk, looked up.

In reading order:

===========  =====================================================================================
``keys``     which turns are the same: from tiles to the number of a turn
``spec``     what a table is of
``build``    solving all turns of a table
``table``    one table on disk, and a turn read from it
``lookup``   the tables of one question: open, probe
``_bulk``    many decisions at once, in compiled code
``verify``   checking a table against the rational solver
``chart``    the strategy of a turn in human size
``sheet``    the same drawn on a sheet of paper
===========  =====================================================================================
"""
