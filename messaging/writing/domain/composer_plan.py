"""What one call of the composer asks for, and which layers it can reach or has to drop."""

from __future__ import annotations

from dataclasses import dataclass

from messaging.hooks.domain.kinds import Layer
from messaging.writing.domain.composer_blocks import NOTE, motive_of
from messaging.writing.domain.composer_material import Material
from messaging.writing.domain.strategy import ChannelLimits, LengthBand
from messaging.writing.domain.style import Style
from messaging.writing.languages.reader import LanguageData
from outreach.campaigns.domain.offer import CampaignOffer

#: A note of fewer characters has no room for a third layer.
ROOMY_NOTE = 260
_REFUSED = "What could be said did not pass the check."


@dataclass(frozen=True, slots=True)
class DroppedLayer:
    """A layer that is not in the text, and why."""

    layer: Layer
    reason: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What one call asks for."""

    data: LanguageData
    style: Style
    material: Material
    offer: CampaignOffer
    channel: str
    band: LengthBand
    limits: ChannelLimits
    depth: int
    layers: tuple[Layer, ...]
    threshold: float
    follow_up: bool = False


def reachable(plan: Plan) -> int:
    """How many layers the evidence and the strategy allow in this channel."""
    if plan.follow_up:
        return 0
    hooks = [refs for _, refs in plan.material.specific] if plan.depth else []
    situational = Layer.SITUATIONAL in plan.layers and bool(hooks)
    contextual = Layer.CONTEXTUAL in plan.layers and bool(plan.material.role)
    motive = Layer.MOTIVATIONAL in plan.layers and bool(hooks) and motive_of(hooks[0][0]).confidence >= plan.threshold
    count = sum((situational, contextual, motive))
    return min(count, 2) if plan.channel == NOTE and plan.limits.body < ROOMY_NOTE else count


def dropped(plan: Plan, used: tuple[Layer, ...], *, refused: bool) -> tuple[DroppedLayer, ...]:
    best = plan.material.specific[0][1][0] if plan.material.specific else None
    motive = motive_of(best)
    nothing = {
        Layer.CONTEXTUAL: not plan.material.role and not plan.material.common,
        Layer.SITUATIONAL: best is None,
        Layer.MOTIVATIONAL: best is None or motive.confidence < plan.threshold,
    }
    below = motive.reason or f"Confidence {motive.confidence:.2f} is below the strategy's {plan.threshold:.2f}."
    reasons = {
        Layer.CONTEXTUAL: "No present role was seen recently enough.",
        Layer.SITUATIONAL: "Nothing of theirs or their company's can be cited.",
        Layer.MOTIVATIONAL: below,
    }
    left_out = []
    for layer in Layer:
        if layer in used:
            continue
        if layer not in plan.layers:
            left_out.append(DroppedLayer(layer, "The strategy leaves it out."))
        elif nothing[layer]:
            left_out.append(DroppedLayer(layer, reasons[layer]))
        else:
            left_out.append(DroppedLayer(layer, _REFUSED if refused else "There was no room for it within the length."))
    return tuple(left_out)
