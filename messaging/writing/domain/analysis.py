"""Stage 2, the model's part: its choice of hooks is checked against the scores, its reading against the threshold."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from messaging.hooks.domain.kinds import Layer
from messaging.hooks.domain.ranking import Hook
from messaging.writing.domain.schema import Analysis, Generation, Motivation, PainPoint
from messaging.writing.domain.strategy import StrategyParameters
from prospects.domain.evidence import OWN_WORDS, Actor, Dossier, Evidence, Kind

#: A chosen hook must score at least this share of the best one; below it the model was talked into something.
LEAST_SHARE = 0.5
#: Own words and career stage: what a motivation may be read from.
_SUGGESTS = OWN_WORDS | {Kind.POSITION, Kind.TALK}
#: What a problem may be read from: what they said themselves, and what the team's reviewed notes say of the industry.
_TELLS_OF_PAIN = OWN_WORDS | {Kind.TALK, Kind.INDUSTRY_NOTE}


@dataclass(frozen=True, slots=True)
class Settled:
    """hooks       the choice first, then the rest in the order of their scores
    motivation  what the writing stage is told, "" when the layer is dropped
    pains       problems that may be asked about, each with what it is read from
    reading     the motivation itself, for people to see; None when the layer is dropped
    dropped     why it is dropped, "" when it is not
    ignored     what of the model's choice was not followed, one sentence each
    """

    hooks: tuple[Hook, ...]
    motivation: str
    dropped: str
    ignored: tuple[str, ...]
    pains: tuple[PainPoint, ...] = ()
    reading: Motivation | None = None


def _pains(analysis: Analysis, dossier: Dossier) -> tuple[list[PainPoint], list[str]]:
    """The problems that stand on their own words or an industry note; the rest is ignored with the reason."""
    kept, ignored = [], []
    for one in analysis.pain_points:
        cited = [dossier.by_ref(ref) for ref in one.evidence]
        if cited and all(item is not None and _tells_of_pain(item) for item in cited):
            kept.append(one)
        else:
            ignored.append(f"“{one.text}” stands neither on their own words nor on an industry note.")
    return kept, ignored


def _tells_of_pain(item: Evidence) -> bool:
    return item.kind in _TELLS_OF_PAIN and (item.actor is Actor.PROSPECT or item.kind is Kind.INDUSTRY_NOTE)


def _chosen(analysis: Analysis, hooks: tuple[Hook, ...]) -> tuple[list[Hook], list[str]]:
    by_ref = {hook.ref: hook for hook in hooks}
    best = hooks[0].score if hooks else 0.0
    kept, ignored = [], []
    for choice in analysis.hooks:
        hook = by_ref.get(choice.evidence)
        if hook is None:
            ignored.append(f"{choice.evidence} is no hook of this person.")
        elif hook.score < LEAST_SHARE * best:
            ignored.append(f"{choice.evidence} scores {hook.score:.2f}, less than half of the best ({best:.2f}).")
        elif hook not in kept:
            kept.append(hook)
    return kept, ignored


def _fault(motivation: Motivation | None, dossier: Dossier, parameters: StrategyParameters) -> str:
    """Why the motivational layer is not written, "" when it may be."""
    if Layer.MOTIVATIONAL not in parameters.layers:
        return "The strategy leaves it out."
    if motivation is None:
        return "The analysis found nothing that suggests one."
    if motivation.confidence < parameters.threshold:
        return f"Confidence {motivation.confidence:.2f} is below the strategy's {parameters.threshold:.2f}."
    cited = [dossier.by_ref(ref) for ref in motivation.evidence]
    if not any(item is not None and item.kind in _SUGGESTS and item.actor is Actor.PROSPECT for item in cited):
        return "It cites neither their own words nor their career."
    return ""


def _told(motivation: Motivation, dossier: Dossier) -> str:
    """What the writing stage hears of a motivation that is borne out."""
    proof = dossier.by_ref(motivation.proof_point)
    consequence = ""
    if proof is not None and proof.kind in (Kind.PROOF_POINT, Kind.OFFER):
        consequence = f" whose consequence cites {proof.ref}"
    serves = f" What of the offer serves it: {quoted(motivation.outcome)}." if motivation.outcome else ""
    return (
        f"Motivation suggested by {', '.join(motivation.evidence)}: {quoted(motivation.reading)}{serves} It is a reading, no fact: "
        f"write it as a question that presupposes nothing, or as one hedged conditional{consequence}."
    )


def settle(*, analysis: Analysis, hooks: tuple[Hook, ...], dossier: Dossier, parameters: StrategyParameters) -> Settled:
    """The analysis as far as scores, evidence and threshold bear it out."""
    kept, ignored = _chosen(analysis, hooks)
    dropped = _fault(analysis.motivation, dossier, parameters)
    pains, unfounded = _pains(analysis, dossier)
    reading = analysis.motivation if not dropped else None
    words = _told(reading, dossier) if reading is not None else ""
    rest = [hook for hook in hooks if hook not in kept]
    return Settled((*kept, *rest), words, dropped, (*ignored, *unfounded), tuple(pains), reading)


def quoted(text: str) -> str:
    """Words of a model as one line between quotation marks: it has read other people's texts and may repeat them."""
    return json.dumps(" ".join(text.split()), ensure_ascii=False)


def fault_of_layers(*, read: Generation, parameters: StrategyParameters, given: bool) -> tuple[str, ...]:
    """Why a text may not use the motivational layer it says it uses; nothing when it may, or does not.

    given: the analysis bore a motivation out. Without one the writer's own confidence must reach the threshold.
    """
    if Layer.MOTIVATIONAL not in read.layers or given:
        return ()
    if Layer.MOTIVATIONAL not in parameters.layers:
        return ("The motivational layer was dropped: leave out what may move the person.",)
    sure = read.motivation.confidence if read.motivation is not None else 0.0
    if sure >= parameters.threshold:
        return ()
    return (f"The motivation has a confidence of {sure:.2f}, below {parameters.threshold:.2f}: leave that layer out.",)


def as_json(settled: Settled) -> dict[str, Any]:
    """What is kept with the draft, for people to see; citations are the dossier's numbers."""
    reading = settled.reading
    return {
        "motivation": {
            "reading": reading.reading, "career_stage": reading.career_stage, "outcome": reading.outcome,
            "evidence": list(reading.evidence), "proof_point": reading.proof_point, "confidence": reading.confidence,
        } if reading is not None else None,
        "dropped": settled.dropped,
        "pain_points": [{"text": one.text, "evidence": list(one.evidence)} for one in settled.pains],
        "ignored": list(settled.ignored),
    }  # fmt: skip
