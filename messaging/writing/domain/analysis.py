"""Stage 2, the model's part: its choice of hooks is checked against the scores, its reading against the threshold."""

from __future__ import annotations

from dataclasses import dataclass

from messaging.hooks.domain.kinds import Layer
from messaging.hooks.domain.ranking import Hook
from messaging.writing.domain.schema import Analysis, Motivation
from messaging.writing.domain.strategy import StrategyParameters
from prospects.domain.evidence import OWN_WORDS, Dossier, Kind

#: A chosen hook must score at least this share of the best one; below it the model was talked into something.
LEAST_SHARE = 0.5
#: Own words and career stage: what a motivation may be read from.
_SUGGESTS = OWN_WORDS | {Kind.POSITION, Kind.TALK}


@dataclass(frozen=True, slots=True)
class Settled:
    """hooks       the choice first, then the rest in the order of their scores
    motivation  what the writing stage is told, "" when the layer is dropped
    dropped     why it is dropped, "" when it is not
    ignored     what of the model's choice was not followed, one sentence each
    """

    hooks: tuple[Hook, ...]
    motivation: str
    dropped: str
    ignored: tuple[str, ...]


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
    if not any(item is not None and item.kind in _SUGGESTS for item in cited):
        return "It cites neither their own words nor their career."
    return ""


def settle(*, analysis: Analysis, hooks: tuple[Hook, ...], dossier: Dossier, parameters: StrategyParameters) -> Settled:
    """The analysis as far as scores, evidence and threshold bear it out."""
    kept, ignored = _chosen(analysis, hooks)
    dropped = _fault(analysis.motivation, dossier, parameters)
    words = ""
    if not dropped and analysis.motivation is not None:
        cited = ", ".join(analysis.motivation.evidence)
        proof = analysis.motivation.proof_point
        words = (
            f"Motivation suggested by {cited}: {analysis.motivation.reading} Write it as a question that presupposes "
            "nothing, or as one hedged conditional" + (f" whose consequence cites {proof}." if proof else ".")
        )
    rest = [hook for hook in hooks if hook not in kept]
    return Settled(hooks=(*kept, *rest), motivation=words, dropped=dropped, ignored=tuple(ignored))
