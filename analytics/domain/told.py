"""What a computation leaves behind as plain JSON: the evidence of a proposal, and what the pages show. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from analytics.domain.arms import Arm, Judgement
from analytics.domain.attributes import LAYERS
from analytics.domain.learning.delay import WINDOW
from analytics.domain.learning.effects import Effect

_COUNTS = ("sent", "replied", "positive", "meetings", "optouts")
#: Tables of the effects page: the key, and what it is read from.
DIMENSIONS = ("hook", "depth", "layers", "tone", "length", "language", "channel", "persona")
#: Values of one dimension that are shown; a team has a handful.
_ROWS = 40


@dataclass(frozen=True)
class Matured:
    """Messages sent long enough ago, alike in segment, strategy and what was assigned, counted together."""

    strategy: int
    language: str
    channel: str
    persona: str
    attributes: Mapping[str, Any]
    sent: int
    replied: int
    positive: int
    meetings: int
    optouts: int


def snapshot(*, judgement: Judgement, effects: Sequence[Effect], messages: int, today: date) -> dict[str, Any]:
    """The evidence of a proposal: it stays as it was."""
    gain = sum(arm.share * arm.rate for arm in judgement.arms)
    return {
        "as_of": today.isoformat(), "window_days": WINDOW, "messages": messages,
        "arms": [asdict(arm) for arm in judgement.arms], "effects": [asdict(effect) for effect in effects],
        "guardrails": guardrails_of(judgement.arms), "forecast_rate": round(gain, 6),
    }  # fmt: skip


def guardrails_of(arms: Iterable[Arm]) -> list[dict[str, object]]:
    """Opt-outs of each arm: whether it is frozen, and whether a promotion would be allowed."""
    return [
        {"strategy": arm.key, "name": arm.name, "optouts": arm.optouts, "frozen": arm.frozen,
         "too_many_chance": round(arm.freeze, 4), "no_worse_chance": round(arm.no_worse, 4)}
        for arm in arms
    ]  # fmt: skip


def tables(matured: Iterable[Matured]) -> dict[str, list[dict[str, Any]]]:
    """Matured messages added up by each dimension, most messages first: as written, nothing is compared."""
    summed: dict[str, dict[str, list[int]]] = {name: {} for name in DIMENSIONS}
    for row in matured:
        for name in DIMENSIONS:
            counts = summed[name].setdefault(_value(row, name), [0] * len(_COUNTS))
            for at, column in enumerate(_COUNTS):
                counts[at] += getattr(row, column)
    return {
        name: [
            {"value": value, **dict(zip(_COUNTS, counts, strict=True))}
            for value, counts in sorted(values.items(), key=lambda one: (-one[1][0], one[0]))[:_ROWS]
        ]
        for name, values in summed.items()
    }


def _value(row: Matured, name: str) -> str:
    if name in ("language", "channel", "persona"):
        return str(getattr(row, name))
    if name == "layers":
        used = row.attributes.get("layers", ())
        return ", ".join(layer for layer in LAYERS if layer in used) or "none"
    return str(row.attributes.get(name, ""))
