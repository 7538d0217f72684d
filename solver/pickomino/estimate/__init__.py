"""Approximate values of positions, labelled as such, where no game can be solved.

==========  ======================================================================================
``normal``  chances to win from expected margins, by a normal approximation
==========  ======================================================================================
"""
