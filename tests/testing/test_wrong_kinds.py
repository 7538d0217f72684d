"""Whatever kind of thing stands for an argument of a check of an engine."""

from engines import Ours
from kinds import tried
from pickomino.testing import check_conformance


def test_check_conformance_takes_no_wrong_kind():
    """A result, or a typed error with a sentence."""
    words = {
        "adapter": Ours(),
        "rules": "bga",
        "equipment": "4d:9x1,10x2",
        "games": 1,
        "players": 2,
        "seed": 1,
        "progress": False,
    }
    assert tried(check_conformance, words) == []
