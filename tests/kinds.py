"""Things of every kind, and calls with each of them in the place of each argument."""

import inspect
import itertools
import math

import numpy as np

from pickomino import PickominoError

WRONG = {
    "None": None,
    "True": True,
    "-1": -1,
    "0": 0,
    "1.5": 1.5,
    "nan": math.nan,
    "10**30": 10**30,
    "empty": "",
    "rubbish": "rubbish",
    "bytes": b"x",
    "list": [],
    "[None]": [None],
    "dict": {},
    "object": object(),
    "array": np.arange(3.0),
    "function": lambda *arguments: None,
    "long": "9" * 5000,
    "scalar": np.array(21),
    "endless": itertools.count(21),
    "no iterator": type("Strange", (), {"__iter__": lambda self: 1})(),
    "nul": "a\0b",
    "half": "\ud800",
}

LONG_WORK = {"games", "sample"}
"""Of what a large number is none of a wrong kind, but work for years."""


def parameters(function):
    """The names of the parameters of a call."""
    return [
        n for n in inspect.signature(function).parameters if n not in ("self", "args", "kwargs")
    ]


def tried(function, words):
    """Call with every wrong kind in every place; what ended in another error than a typed one."""
    assert set(parameters(function)) == set(words), "the table of calls lacks parameters"
    function(**words)  # the call works
    bad = []
    for name, (kind, wrong) in itertools.product(words, WRONG.items()):
        if name in LONG_WORK and kind == "10**30":
            continue
        try:
            made = function(**{**words, name: wrong})
            repr(made), str(made)
        except PickominoError as error:
            sentence = str(error)
            if not sentence or "\n" in sentence or len(sentence) > 600:
                bad.append(f"{name}={kind}: {sentence[:80]!r}")
        except Exception as error:
            bad.append(f"{name}={kind}: {type(error).__name__}: {error}"[:160])
    return bad
