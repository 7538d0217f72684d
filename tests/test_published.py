"""Values that others published, or that independent programs agree on; see data/turn.json."""

from fractions import Fraction

import pytest

from pickomino import Dice, Position, Rules, advise, odds, solve_turn
from pickomino.objectives import turn_problem
from pickomino.turn.rational import RationalSolution, offers
from samples import ROOT, facts

DATA = facts("turn.json")
REACH_FILE = ROOT.parent / "shared" / "oracles" / "reach_probabilities.txt"


def position(fact):
    """The position of a fact; the own top tile is off the grill."""
    own = [fact["own"]] if fact.get("own") else []
    return Position.seen(own, [[t] for t in fact.get("opponents", [])], fact.get("grill"))


@pytest.mark.parametrize("fact", DATA["values"], ids=lambda f: f["source"])
def test_values(fact):
    """Expected worms, totals and chances, to the digits printed."""
    value = solve_turn(position(fact), rules=Rules(), objective=fact["objective"]).value(Dice())
    assert value == pytest.approx(fact["value"], abs=1e-12)


@pytest.mark.parametrize("fact", [f for f in DATA["values"] if "exact" in f], ids=str)
def test_exact_values(fact):
    """The rationals themselves."""
    solution = solve_turn(position(fact), rules=Rules(), objective=fact["objective"], exact=True)
    assert solution.value(Dice()) == Fraction(fact["exact"])


@pytest.mark.parametrize("kind", ["at_least", "exactly"])
def test_reach_chances_of_a_turn(kind):
    """The best chance to end with a worm and at least, or exactly, a total."""
    objective = {"at_least": "reach", "exactly": "exactly"}[kind]
    for total, p in DATA["reach"][kind].items():
        solution = solve_turn(Position.start(), rules=Rules(), objective=f"{objective}:{total}")
        assert solution.value(Dice()) == pytest.approx(p, abs=1e-12)


def test_a_worm_is_no_six():
    """Published chances of 1-4 worms from a program whose worm counts 6 are higher than ours."""
    ours = [
        solve_turn(Position.start(), rules=Rules(), objective=f"reach:{t}").value(Dice())
        for t in (21, 25, 29, 33)
    ]
    wrong = DATA["wrong"]["reach worms with a worm counted as 6"]
    ratios = [theirs / p for theirs, p in zip(wrong, ours, strict=True)]
    assert ratios == sorted(ratios)  # the more so, the more worms it takes
    assert ratios[0] > 1.03


@pytest.mark.parametrize(
    "fact", DATA["distributions"], ids=lambda f: f"{f.get('grill')} {f['own']}"
)
def test_distributions(fact):
    """Worms won: ours sums to 1, has the same mean, and differs by no more than exact ties can."""
    table = position(fact)
    answer = odds(table)
    stake = table.equipment.worms_on(fact["own"]) if fact["own"] else 0
    ours = {-stake: answer.bust}
    for chance in answer.claims:
        worms = table.equipment.worms_on(chance.claim.tile)
        ours[worms] = ours.get(worms, 0) + chance.p
    theirs = {int(w): p for w, p in fact["worms"].items()}
    assert sum(ours.values()) == pytest.approx(1, abs=1e-12)
    mean = sum(w * p for w, p in theirs.items())
    assert sum(w * p for w, p in ours.items()) == pytest.approx(mean, abs=1e-12)
    assert ours == pytest.approx(theirs, abs=fact["tolerance"])
    low, high = fact.get("bust_between", (0, 1))
    assert low <= answer.bust <= high


@pytest.mark.parametrize("fact", DATA["decisions"], ids=lambda f: f"{f['kept']}|{f.get('roll')}")
def test_decisions(fact):
    """The face to keep, or whether to go on, and its value."""
    advice = advise(position(fact), fact["kept"], fact.get("roll"))
    assert advice.value == pytest.approx(fact["value"], abs=1e-12)
    if "roll" in fact:
        assert advice.best.face == fact["face"]
        if "second" in fact:
            second = advice.options[1]
            assert [second.face, second.value] == [
                fact["second"][0],
                pytest.approx(fact["second"][1], abs=1e-12),
            ]
    else:
        assert advice.then == fact["then"]


@pytest.mark.skipif(
    not REACH_FILE.exists(),
    reason="needs ../shared/oracles/reach_probabilities.txt, which belongs to the public project "
    "daniel-sc/bratwurm-app and is not copied into this one",
)
def test_reach_probabilities_of_every_state():
    """All 52,320 chances of daniel-sc/bratwurm-app, and its chances of a lost roll, as rounded.

    A line holds the counts kept of 1-5 and W; the thousandths of rolls that are dead or leave no
    worm obtainable; then the best chances of exactly, and of at least, 21 to 36.
    """
    start = Position.start()
    solutions = [
        solve_turn(start, rules=Rules(), objective=f"{kind}:{total}")
        for kind in ("exactly", "reach")
        for total in range(21, 37)
    ]
    worm = RationalSolution(turn_problem(start, Rules(), "reach:0").payoffs)
    checked = 0
    for line in REACH_FILE.read_text().split():
        counts, lost, exactly, at_least = line.split(":")
        kept = Dice(tuple(map(int, counts)))
        left = 8 - kept.number
        hopeless = sum(
            ways
            for offer, ways in offers(kept.mask, left).items()
            if all(worm.value(kept.plus(f, k)) == 0 for f, k in offer)
        )
        assert hopeless / 6**left == rounded(lost), line
        texts = [*exactly.split(","), *at_least.split(",")]
        for solution, text in zip(solutions, texts, strict=True):
            assert solution.value(kept) == rounded(text), line
            checked += 1
    assert checked == 52_320


def rounded(text):
    """A printed probability: exact if one digit, else rounded to thousandths."""
    if len(text) == 1:
        return pytest.approx(int(text), abs=1e-12)
    return pytest.approx(int(text) / 1000, abs=0.0005 + 1e-12)
