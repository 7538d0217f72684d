"""The positions that a game leads to."""

from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from pickomino import Equipment
from pickomino.game.listing import list_game
from pickomino.game.model import Bank, Model

TINY = Equipment(3, (7, 8, 10, 12), (1, 2, 1, 3))


small_games = given(
    strategies.positions(st.just(TINY), min_grill=1).filter(lambda p: len(p.stacks) == 2),
    strategies.rules,
    st.sampled_from(["win", "margin"]),
    st.sampled_from([1, 2, None]),
)


@settings(max_examples=30)
@small_games
def test_listed_positions_are_those_that_play_leads_to(position, rules, objective, depth):
    """Against a walk over positions and what is banked, with the rules' own claims and busts."""
    model = Model(position, rules, objective, depth)
    first = model.unpack(model.pack(position))
    found, queue = {first}, [first]
    for here, bank in queue:
        totals = range(5, here.equipment.max_total + 1)
        after = [here.after_claim(c) for t in totals for c in here.claims(t, rules)]
        for then in [*after, here.after_bust(rules)]:
            theirs = Bank(-bank.lead, bank.height, bool(bank.height) and not bank.mine)
            if then.grill and (state := model.unpack(model.pack(then, theirs))) not in found:
                found.add(state)
                queue.append(state)
    graph = list_game(model)
    assert {model.unpack(words) for words in graph.words.tolist()} == found
    assert [graph.number(tuple(words)) for words in graph.words.tolist()] == [*range(len(found))]
