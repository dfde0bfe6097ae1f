"""What each kind of evidence is worth as an opening, and how fast it goes stale. All figures are priors."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from prospects.domain.evidence import Kind


class Layer(StrEnum):
    """Who they are, what is happening now, why it matters to them."""

    CONTEXTUAL = "contextual"
    SITUATIONAL = "situational"
    MOTIVATIONAL = "motivational"


@dataclass(frozen=True, slots=True)
class KindPrior:
    """half_life_days  after which recency has halved; 0 means that the kind does not age
    ownness         0 to 1, how much of it is the person's own doing or saying
    preference      multiplies the score: milestones outperform company news by 23% (the method's figure)
    current_days    within so many days it is something happening now (situational); 0 never
    timeless        recency of an undated item
    """

    half_life_days: int
    ownness: float
    preference: float
    current_days: int
    timeless: float
    phrase: str


MILESTONE = 1.23

PRIORS: dict[Kind, KindPrior] = {
    Kind.POST: KindPrior(45, 1.0, 1.1, 120, 0.2, "their own post"),
    Kind.COMMENT: KindPrior(45, 0.85, 1.0, 120, 0.2, "their own comment"),
    Kind.TALK: KindPrior(150, 0.9, MILESTONE, 365, 0.3, "their own talk"),
    Kind.PUBLICATION: KindPrior(150, 0.9, 1.1, 365, 0.3, "their own publication"),
    Kind.PROJECT: KindPrior(180, 0.7, 1.0, 0, 0.2, "their own project"),
    Kind.AWARD: KindPrior(150, 0.6, MILESTONE, 240, 0.2, "an award of theirs"),
    Kind.POSITION: KindPrior(120, 0.6, MILESTONE, 120, 0.2, "their position"),
    Kind.ABOUT: KindPrior(0, 0.75, 1.0, 0, 0.5, "what they say about themselves"),
    Kind.HEADLINE: KindPrior(0, 0.4, 0.8, 0, 0.4, "their headline"),
    Kind.IN_COMMON: KindPrior(240, 0.6, 1.0, 0, 0.5, "something in common"),
    Kind.CERTIFICATION: KindPrior(180, 0.25, 0.8, 0, 0.1, "a certificate"),
    Kind.EDUCATION: KindPrior(0, 0.3, 0.8, 0, 0.15, "their education"),
    Kind.SKILL: KindPrior(0, 0.15, 0.6, 0, 0.2, "a listed skill"),
    Kind.COMPANY_NEWS: KindPrior(60, 0.25, 1.0, 180, 0.1, "news of the company"),
    Kind.JOB: KindPrior(45, 0.2, 1.0, 120, 0.2, "an opening at the company"),
    Kind.COMPANY_FACT: KindPrior(0, 0.1, 0.6, 0, 0.2, "a fact about the company"),
    Kind.INDUSTRY_NOTE: KindPrior(0, 0.0, 0.5, 0, 0.2, "what holds for their industry, not for them"),
    Kind.RESHARE: KindPrior(45, 0.0, 0.5, 0, 0.1, "a reshare: not their words"),
}

#: Only these attributes of a company say something; a website or an alias opens no conversation.
COMPANY_ATTRIBUTES = frozenset({"industry", "size", "description", "headquarters"})


def without_weakest(layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
    """The layers without the one that is hardest to prove; nothing when one alone is left."""
    for weakest in (Layer.MOTIVATIONAL, Layer.SITUATIONAL):
        if weakest in layers and len(layers) > 1:
            return tuple(layer for layer in layers if layer is not weakest)
    return ()
