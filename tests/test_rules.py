"""Rules as data: presets, switches, their text, and what is refused."""

from dataclasses import fields, replace

import pytest
from hypothesis import given

import strategies
from pickomino import PRESETS, Rules, RulesError
from pickomino.rules import SWITCHES
from samples import ROOT

DOCS = ROOT / "docs" / "rules.md"


def test_every_switch_is_a_field_and_the_first_value_of_the_rulebook():
    """SWITCHES names the fields of Rules in order."""
    assert [f.name for f in fields(Rules)] == list(SWITCHES)
    assert Rules() == Rules.preset("rulebook")


def test_presets_differ_from_each_other():
    """A rule set has at most one preset name."""
    assert len({p.rules for p in PRESETS.values()}) == len(PRESETS) == 11


def test_documented_table_is_the_presets():
    """docs/rules.md shows each preset's row, with * at the switches that are our reading."""
    rows = {}
    for line in DOCS.read_text().splitlines():
        cells = [cell.strip(" `") for cell in line.strip("|").split("|")]
        if len(cells) == 1 + len(SWITCHES) and cells[0] in PRESETS:
            rows[cells[0]] = cells[1:]
    expected = {
        name: [
            str(getattr(p.rules, s)).lower() + ("*" if s in p.readings else "") for s in SWITCHES
        ]
        for name, p in PRESETS.items()
    }
    assert {name: [c.replace("`", "") for c in row] for name, row in rows.items()} == expected


@given(strategies.rules)
def test_rules_round_trip_through_their_text(rules):
    """str and parse are inverse for every combination of switches."""
    assert Rules.parse(str(rules)) == rules


@pytest.mark.parametrize("name", PRESETS)
def test_presets_print_as_their_name(name):
    """A preset is its own nearest preset."""
    assert str(Rules.preset(name)) == name
    assert set(PRESETS[name].readings) <= set(SWITCHES)


def test_single_switches_change_by_text_and_by_replace():
    """Both ways of changing a switch give the same rules."""
    rules = Rules.parse("bga, flip_without_tile=false, steal = optional")
    assert rules == replace(Rules.preset("bga"), flip_without_tile=False, steal="optional")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("germn", "no rules are called 'germn': use rulebook, .* or septaseven"),
        ("", "no rules are called ''"),
        ("rulebook,steel=mandatory", "no switch is called 'steel': use stop, .* or tie_break"),
        ("rulebook,steal=always", "steal=always is not a rule: use mandatory or optional"),
        ("rulebook,flip_without_tile=yes", "flip_without_tile=yes .* use false or true"),
        ("rulebook,steal", "steal= is not a rule"),
        ("rulebook,steal=optional,steal=mandatory", "steal is set twice"),
    ],
)
def test_unknown_rules_are_refused_with_the_known_ones(text, message):
    """The sentence names the word and lists the alternatives."""
    with pytest.raises(RulesError, match=message):
        Rules.parse(text)


def test_a_number_is_no_switch_value():
    """1 == True in Python, yet flip_without_tile=1 is refused."""
    with pytest.raises(RulesError, match="flip_without_tile=1 is not a rule"):
        Rules(flip_without_tile=1)
