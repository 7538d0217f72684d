"""Answers as people and as programs read them: aligned text and JSON objects."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from pickomino._layout import decimal, percent, table
from pickomino.advice import DeadRoll, KeepAdvice, Odds, StopAdvice
from pickomino.position import Position
from pickomino.rules import PRESETS, SWITCHES, Rules
from pickomino.turn.payoffs import Number

Json = dict[str, Any]

_THEN = {"roll": "roll on", "stop": "stop", "end": "the turn ends"}


def keep_json(advice: KeepAdvice[Number]) -> Json:
    """The fields of an answer to a roll; an option's ``exact`` only for rational advice."""
    best = None if isinstance(advice, DeadRoll) else advice.best
    return {
        **_values(value=advice.value),
        "best": {"face": best.face, "then": best.then} if best else None,
        "options": [
            {
                "face": o.face,
                "dice": o.dice,
                "total": o.total,
                **_values(value=o.value),
                "then": o.then,
                "roll_value": _float(o.roll_value),
                "stop_value": _float(o.stop_value),
                "bust": _float(o.odds.bust) if o.odds else None,
                "regret": float(o.regret),
                "tie": o.tie,
            }
            for o in advice.options
        ],
        "reason": advice.reason,
    }


def stop_json(advice: StopAdvice[Number]) -> Json:
    """The fields of an answer without a roll."""
    return {
        **_values(value=advice.value),
        "best": {"then": advice.then},
        "roll_value": _float(advice.roll_value),
        "stop_value": _float(advice.stop_value),
        "bust": _float(advice.odds.bust) if advice.odds else None,
        "tie": advice.tie,
        "reason": advice.reason,
    }


def odds_json(odds: Odds[Number], position: Position, reach: dict[int, Number] | None) -> Json:
    """The fields of an answer about the odds."""
    answer = {
        **_values(value=odds.value),
        "variance": float(odds.variance),
        "bust": float(odds.bust),
        "outcomes": [
            {"tile": c.claim.tile, "from": position.source(c.claim), "p": float(c.p)}
            for c in odds.claims
        ],
        "totals": {str(t): float(p) for t, p in odds.totals.items()},
    }
    if reach is not None:
        answer["reach"] = {str(t): float(p) for t, p in reach.items()}
    return answer


def keep_text(advice: KeepAdvice[Number], position: Position) -> str:
    """The options as a table, and the reason."""
    if isinstance(advice, DeadRoll):
        return advice.reason
    rows = [
        (
            f"{'>' if o is advice.best else '=' if o.tie else ' '} {o.face}",
            o.dice,
            o.total,
            _THEN[o.then],
            decimal(o.value),
            "-" if o.tie else decimal(o.regret),
            percent(o.odds.bust) if o.odds else "",
            ", ".join(f"{position.describe(c.claim)} {percent(c.p)}" for c in o.odds.likeliest[:2])
            if o.odds
            else "",
        )
        for o in advice.options
    ]
    head = ("  keep", "dice", "total", "then", "value", "regret", "bust", "most likely")
    return f"{table([head, *rows], '<>><>>><')}\n\n{advice.reason}"


def stop_text(advice: StopAdvice[Number]) -> str:
    """Rolling against stopping, and the reason."""
    rows = [
        ("roll", "-" if advice.roll_value is None else decimal(advice.roll_value)),
        ("stop", "-" if advice.stop_value is None else decimal(advice.stop_value)),
    ]
    bust = f" Chance of a bust: {percent(advice.odds.bust)}." if advice.odds else ""
    return f"{table(rows, '<>')}\n\n{advice.reason}{bust}"


def odds_text(odds: Odds[Number], position: Position, reach: dict[int, Number] | None) -> str:
    """The claims with their chances, and the best chance of each total if given."""
    rows: list[tuple[object, ...]] = [("claim", "chance")]
    rows += [(position.describe(c.claim), percent(c.p)) for c in odds.claims]
    rows.append(("bust", percent(odds.bust)))
    deviation = float(odds.variance) ** 0.5
    text = f"value {decimal(odds.value)}, standard deviation {decimal(deviation)}\n\n"
    text += table(rows, "<>")
    if reach is not None:
        text += "\n\n" + table(
            [("reach", "best chance"), *((t, percent(p)) for t, p in reach.items())]
        )
    return text


def presets_text() -> str:
    """The presets with their sources."""
    return table([("rules", "source"), *((name, p.source) for name, p in PRESETS.items())])


def rules_json(rules: Rules) -> Json:
    """A rule set's switches and, for a preset, its source and our readings."""
    name = str(rules)
    answer: Json = {"schema": "pickomino.rules/1", "rules": name}
    answer["switches"] = {switch: getattr(rules, switch) for switch in SWITCHES}
    if name in PRESETS:
        answer["source"] = PRESETS[name].source
        answer["readings"] = list(PRESETS[name].readings)
    return answer


def rules_text(rules: Rules) -> str:
    """A rule set's switches, with the source and our readings for a preset."""
    fields = rules_json(rules)
    readings = fields.get("readings", [])
    rows = [
        (f"{s}{'*' if s in readings else ''}", str(v).lower())
        for s, v in fields["switches"].items()
    ]
    text = table(rows)
    if "source" in fields:
        text = f"{fields['rules']}: {fields['source']}\n\n{text}"
    if readings:
        text += "\n\n* our reading, as the source is silent or unclear"
    return text


def exact_text(value: Fraction) -> str:
    """A fraction as ``p/q``, whole numbers too."""
    return f"{value.numerator}/{value.denominator}"


def _values(value: Number) -> Json:
    if isinstance(value, Fraction):
        return {"value": float(value), "exact": exact_text(value)}
    return {"value": value}


def _float(value: Number | None) -> float | None:
    return None if value is None else float(value)
