"""The rule switches: what varies from one edition to the next.

Glossary, used with these meanings everywhere:

=============  ==================================================================================
face           one side of a die: ``1``-``5`` or ``W``, the worm, which counts 5
roll           the dice thrown together: all that are not kept yet
keep           set aside *all* dice of one face that is not kept yet
total          the sum of the kept dice; it counts only with a worm among them
stop           end the turn on purpose
dead roll      a roll that shows only faces already kept
bust           a turn that ends without a claim
grill          the face-up tiles in the middle of the table
stack          a player's tiles; only its *top* can be stolen or lost
claim          take a tile: from the grill, or as a *steal* from the top of a stack
flip           turn the highest grill tile face down after a bust
worms          what a tile scores
=============  ==================================================================================

The published rules disagree, so every point on which they do is a switch of :class:`Rules`
and every source is a preset.  ``docs/rules.md`` compares them.

What a switch says is carried out elsewhere: ``stop`` by :meth:`Rules.may_stop`, ``dead_roll`` by
:func:`pickomino.turn.payoffs.dead_total`, the others, which are about tiles, in
:mod:`pickomino.position`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, get_args, overload

from pickomino._checks import cut, given, is_flag, one_of, shown, word_of
from pickomino.errors import ArgumentError, RulesError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["PRESETS", "SWITCHES", "GrillClaim", "Preset", "Rules"]

Stop = Literal["any_time", "worm_required", "claim_required"]
DeadRoll = Literal["bust", "keep_sum"]
GrillClaim = Literal["next_lower", "any_lower", "any_leq"]
Steal = Literal["mandatory", "optional"]
Flip = Literal["unless_returned_highest", "always"]
TieBreak = Literal["highest_tile", "shared"]

SWITCHES: Mapping[str, tuple[str | bool, ...]] = MappingProxyType(
    {
        "stop": get_args(Stop),
        "dead_roll": get_args(DeadRoll),
        "grill_claim": get_args(GrillClaim),
        "steal": get_args(Steal),
        "flip": get_args(Flip),
        "flip_without_tile": (False, True),
        "tie_break": get_args(TieBreak),
    }
)
"""Every switch with its legal values."""


@dataclass(frozen=True)
class Rules:
    """One rule set; the defaults are the 2005 rulebook.

    Attributes:
        stop: When a turn may be ended on purpose after the first keep: at any time, with a worm
            kept, or only when the total claims a tile.
        dead_roll: Whether a dead roll is a bust, or ends the turn with the sum so far, which may
            claim a tile.
        grill_claim: With no exact match, the highest lower grill tile or any lower one;
            ``any_leq`` is any grill tile up to the total even if the exact one lies there.
        steal: Whether an exact match with an opponent's top must be stolen, or may be passed
            over for a lower grill tile if there is one.
        flip: After a bust, whether the highest tile of the grill is always turned face down, or
            stays when it is the tile that was just returned.
        flip_without_tile: Whether a bust flips a tile even if the player had none to return.
        tie_break: Whether equal worms are decided by the highest single tile or shared.

    Raises:
        RulesError: A value that its switch does not have.
    """

    stop: Stop = "any_time"
    dead_roll: DeadRoll = "bust"
    grill_claim: GrillClaim = "next_lower"
    steal: Steal = "optional"
    flip: Flip = "unless_returned_highest"
    flip_without_tile: bool = False
    tie_break: TieBreak = "highest_tile"

    def __post_init__(self) -> None:
        for name, known in SWITCHES.items():
            value = getattr(self, name)
            if is_flag(value):
                value = bool(value)  # NumPy's, too
                object.__setattr__(self, name, value)
            if not isinstance(value, type(known[0])) or value not in known:
                raise RulesError(f"{name}={cut(word_of(value))} is not a rule: use {one_of(known)}")

    @classmethod
    def preset(cls, name: str) -> Rules:
        """The rule set of a published source.

        Args:
            name: A key of :data:`PRESETS`, such as ``"rulebook"`` or ``"bga"``.

        Raises:
            RulesError: No preset has this name; the message lists them all.
        """
        if not isinstance(name, str) or name not in PRESETS:
            raise RulesError(f"no rules are called {shown(name)}: use {one_of(tuple(PRESETS))}")
        return PRESETS[name].rules

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Read ``"preset"`` or ``"preset,switch=value,..."``, as ``str(rules)`` prints it.

        Raises:
            RulesError: An unknown preset, switch or value; the message lists the known ones.
        """
        name, *changes = (part.strip() for part in given("text", text, str).split(","))
        rules = cls.preset(name)
        values: dict[str, str | bool] = {}
        for change in changes:
            switch, _, word = (part.strip() for part in change.partition("="))
            if switch not in SWITCHES:
                raise RulesError(
                    f"no switch is called {shown(switch)}: use {one_of(tuple(SWITCHES))}"
                )
            if switch in values:
                raise RulesError(f"the switch {switch} is set twice in {shown(text)}: set it once")
            values[switch] = {word_of(k): k for k in SWITCHES[switch]}.get(word, word)
        return replace(rules, **values)  # type: ignore[arg-type]

    @classmethod
    def of(cls, rules: Rules | str) -> Rules:
        """The rules themselves, or as :meth:`parse` reads them."""
        if isinstance(rules, str):
            return cls.parse(rules)
        if not isinstance(rules, Rules):
            raise RulesError(f"{shown(rules)} are no rules: give Rules or the name of a preset")
        return rules

    @property
    def keeps_sum(self) -> bool:
        """Whether a dead roll ends the turn with the sum so far; else it ends it with 0."""
        return self.dead_roll == "keep_sum"

    @overload
    def may_stop(self, final: int, claims: bool) -> bool: ...
    @overload
    def may_stop(self, final: NDArray[Any], claims: NDArray[Any]) -> NDArray[Any]: ...
    def may_stop(self, final: Any, claims: Any) -> Any:
        """Whether a turn may be ended on purpose, once dice are kept.

        Args:
            final: The final total it would end with, 0 without a worm; or an array of them.
            claims: Whether that total claims a tile; an array for an array.
        """
        if self.stop == "claim_required":
            return claims
        try:
            return final > 0 if self.stop == "worm_required" else final >= 0
        except TypeError:
            raise ArgumentError(f"{shown(final)} is no final total: give a number") from None

    def changes_from(self, other: Rules | str) -> dict[str, str | bool]:
        """The switches whose values differ from another rule set's, with the values here."""
        theirs = Rules.of(other)
        return {s: getattr(self, s) for s in SWITCHES if getattr(self, s) != getattr(theirs, s)}

    def __repr__(self) -> str:
        return f"Rules({str(self)!r})"

    def __str__(self) -> str:
        """The nearest preset's name, followed by the switches that differ from it."""
        changes, name = min(
            ((self.changes_from(p.rules), n) for n, p in PRESETS.items()), key=lambda x: len(x[0])
        )
        return ",".join([name, *(f"{s}={word_of(v)}" for s, v in changes.items())])


@dataclass(frozen=True)
class Preset:
    """A rule set with where it comes from.

    Attributes:
        rules: The switches.
        source: The text or program it restates.
        readings: The switches on which the source is silent or unclear, so that the value is
            our reading.
    """

    rules: Rules
    source: str
    readings: tuple[str, ...] = ()


_ANY_LOWER = Rules(grill_claim="any_lower")
_BGA = replace(
    _ANY_LOWER, steal="mandatory", flip="always", flip_without_tile=True, tie_break="shared"
)

PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "rulebook": Preset(Rules(), "the 2005 rulebook, in English"),
        "rulebook-short": Preset(Rules(flip="always"), "the 2005 rulebook, its shorter game"),
        "finnish": Preset(
            _ANY_LOWER, "a Finnish retelling of the rulebook", ("steal", "flip_without_tile")
        ),
        "finnish-short": Preset(
            replace(_ANY_LOWER, flip="always"),
            "a Finnish retelling of the rulebook, its shorter variant",
            ("steal", "flip_without_tile"),
        ),
        "bga": Preset(
            _BGA,
            "the BoardGameArena help page, with the rulebook's dead roll",
            ("dead_roll", "tie_break"),
        ),
        "bga-literal": Preset(
            replace(_BGA, dead_roll="keep_sum"),
            "the BoardGameArena help page to the letter: any end of a turn may claim",
            ("flip_without_tile", "tie_break"),
        ),
        "french": Preset(
            Rules(stop="worm_required", steal="mandatory", tie_break="shared"),
            "a French description of the game",
            ("dead_roll", "flip_without_tile", "tie_break"),
        ),
        "dutch": Preset(
            Rules(stop="claim_required", tie_break="shared"),
            "an earlier text of the Dutch Wikipedia article",
            ("tie_break",),
        ),
        "pickomino-env": Preset(
            Rules(steal="mandatory", flip="always"),
            "the Python package pickomino-env 1.4.1: its rules without its bugs",
        ),
        "tag": Preset(
            Rules(stop="claim_required", steal="mandatory"),
            "GAIGResearch's TabletopGames framework",
        ),
        "septaseven": Preset(
            Rules(grill_claim="any_leq", tie_break="shared"),
            "the web game at pickomino.septaseven.com",
            ("stop", "flip_without_tile", "tie_break"),
        ),
    }
)
"""Every published rule set by name; the first is the default."""
