"""Exact optimal play for the dice game Pickomino (Heckmeck, Regenwormen).

All public names are here; ``__init__.pyi`` lists them with their modules, and each is loaded when
it is first touched, so that a small program starts fast.  Two packages stand beside them:
:mod:`pickomino.rl`, environments for reinforcement learning, and :mod:`pickomino.testing`, tests of
other programs.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
