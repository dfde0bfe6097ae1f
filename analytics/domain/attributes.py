"""What was assigned to a message when it was written, in the words that effects are told in. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

LAYERS = ("contextual", "situational", "motivational")
#: Attributes whose effect is estimated: name, and what is compared with what.
EFFECTS: tuple[tuple[str, str], ...] = (
    ("milestone", "Opens with a milestone rather than anything else"),
    ("few_references", "One or two references rather than three and more"),
    ("situational", "Says what happens now"),
    ("motivational", "Asks about what it may mean to them"),
    ("short", "The shorter half of the lengths in use"),
    ("warm", "Warm tone rather than plain or crisp"),
)
_SHORT = {"linkedin_connection": 150, "linkedin_message": 80, "inmail": 125, "email": 110}


def assigned(
    *, parameters: Mapping[str, Any], channel: str, hook: str, layers: Sequence[str], dropped: Sequence[str]
) -> dict[str, Any]:
    """As decided by the strategy and the evidence, before any word was written.

    hook: group of the first hook. layers: those used; dropped: those the evidence or a threshold did not allow.
    """
    band = parameters.get("bands", {}).get(channel, {})
    most = int(band.get("most", 0))
    allowed = [layer for layer in LAYERS if layer in parameters.get("layers", LAYERS)]
    return {
        "length": f"{band.get('least', 0)}-{most}",
        "short": bool(most) and most <= _SHORT.get(channel, 110),
        "hook": hook,
        "tone": str(parameters.get("tone", "plain")),
        "depth": int(parameters.get("depth", 2)),
        "layers": [layer for layer in allowed if layer in layers],
        "eligible": [layer for layer in allowed if layer not in dropped],
    }


def flags(attributes: Mapping[str, Any]) -> dict[str, bool]:
    """The attributes of EFFECTS as yes or no."""
    layers = attributes.get("layers", ())
    return {
        "milestone": attributes.get("hook") == "milestone",
        "few_references": int(attributes.get("depth", 2)) <= 2,
        "situational": "situational" in layers,
        "motivational": "motivational" in layers,
        "short": bool(attributes.get("short")),
        "warm": attributes.get("tone") == "warm",
    }


def alike(attributes: Mapping[str, Any], propensities: Mapping[str, float]) -> str:
    """One key for messages with the same attributes and the same odds."""
    return _hashed([attributes, odds_key(propensities)])


def odds_key(propensities: Mapping[str, float]) -> str:
    """One key for draws under the same odds."""
    return _hashed({key: round(float(value), 6) for key, value in propensities.items()})


def _hashed(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
