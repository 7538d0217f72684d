"""Beyond what can be solved exactly: values of positions that are approximate and say so.

``normal`` gives chances to win from expected margins, by a normal approximation.
"""
