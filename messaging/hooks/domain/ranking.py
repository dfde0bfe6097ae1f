"""Stage 2: evidence becomes ranked conversation hooks, each score explained.

A similarity function (an offline embedding, say) may be passed in; it ranks only and verifies nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from messaging.hooks.domain.kinds import COMPANY_ATTRIBUTES, MILESTONE, PRIORS, KindPrior, Layer
from messaging.hooks.domain.relevance import OfferTerms, Overlap, Similarity, folded
from messaging.hooks.domain.topics import TOPIC_PRIORS, topic_of
from prospects.domain.evidence import Actor, Dossier, Evidence, Kind

__all__ = ["Hook", "Layer", "rank"]

RECENCY_WEIGHT = 0.30
RELEVANCE_WEIGHT = 0.40
UNIQUENESS_WEIGHT = 0.30
#: Something used on a colleague or by another campaign loses most of its worth, not its place in the list.
FATIGUE = 0.35
#: Own words that are fewer than this say too little to open with ("Congratulations, great campaign!").
FEWEST_WORDS, EMPTY_WORDS = 6, 0.4
#: What an achievement of an earlier job, or a colleague's, keeps of its score.
FORMER_JOB = 0.6
SOMEONE_ELSES = 0.5
NAMED_IN_NEWS = 0.7
#: How specific a text counts as, in words; and a rarity under which something counts as common.
SPECIFIC, GENERIC, COMMON = 0.55, 0.2, 0.6
FUTURE_RECENCY = 0.6

_NUMBER = re.compile(r"\d")
_CAPITALISED = re.compile(r"(?<=[\w,;:] )[A-ZÀ-Þ][\w’'-]+")


@dataclass(frozen=True, slots=True)
class Hook:
    """Evidence plus the reason to open with it. Scores run from 0 to 1.

    ref      of the dossier item
    reason   for a person: a sentence on each score, and on what lowers the sum
    kind     of the evidence
    """

    ref: str
    layer: Layer
    score: float
    recency: float
    relevance: float
    uniqueness: float
    reason: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class _Person:
    """What the ranking must know of the prospect to tell their doings from others'."""

    names: tuple[str, ...]
    others: tuple[str, ...]
    current_start: date | None


def _person(dossier: Dossier) -> _Person:
    full = next((item.get("full_name") for item in dossier.of(Kind.NAME)), "")
    others = tuple(item.get("full_name") for item in dossier.of(Kind.COLLEAGUE) if item.get("full_name"))
    starts = [
        item.occurred.first
        for item in dossier.of(Kind.POSITION)
        if item.occurred is not None and not item.get("end") and item.actor is Actor.PROSPECT
    ]
    return _Person(names=(full,) if full else (), others=others, current_start=max(starts, default=None))


def _candidates(dossier: Dossier) -> tuple[Evidence, ...]:
    """Items that could open a message: no former positions, no bare attributes."""
    found = []
    for item in dossier.items:
        if item.kind not in PRIORS:
            continue
        if item.kind is Kind.POSITION and item.get("end"):
            continue
        if item.kind is Kind.COMPANY_FACT and item.get("attribute") not in COMPANY_ATTRIBUTES:
            continue
        found.append(item)
    return tuple(found)


def _prior_of(item: Evidence, person: _Person) -> KindPrior:
    """The prior of the kind; of news, by its subject, and a milestone where it tells of the person."""
    prior = PRIORS[item.kind]
    if item.kind is not Kind.COMPANY_NEWS:
        return prior
    topic = topic_of(title=item.get("title"), text=item.text)
    pace = TOPIC_PRIORS[topic]
    prior = replace(prior, half_life_days=pace.half_life_days, current_days=pace.current_days, phrase=str(topic))
    if _names_person(person.names, item.text):
        own = PRIORS[Kind.AWARD]
        prior = replace(prior, preference=MILESTONE, half_life_days=own.half_life_days, current_days=own.current_days)
    return prior


def _age_days(item: Evidence, send_by: date) -> int | None:
    """Days since the latest day on which it can have happened; negative when it lies ahead; None undated."""
    return None if item.occurred is None else (send_by - item.occurred.last).days


def _recency(prior: KindPrior, age: int | None) -> tuple[float, str]:
    if prior.half_life_days == 0:
        return prior.timeless, "its kind does not age"
    if age is None:
        return prior.timeless, "undated"
    if age < 0:
        return FUTURE_RECENCY, f"{-age} day{'' if age == -1 else 's'} ahead"
    return 0.5 ** (
        age / prior.half_life_days
    ), f"{age} day{'' if age == 1 else 's'} old by the last day to send, halves every {prior.half_life_days} days"


def _layer(item: Evidence, prior: KindPrior, age: int | None) -> Layer:
    """Recent doings are situational; own words past that still tell what moves them; the rest is who they are."""
    if prior.current_days and age is not None and age <= prior.current_days:
        return Layer.SITUATIONAL
    if item.kind in (Kind.POST, Kind.COMMENT, Kind.ABOUT):
        return Layer.MOTIVATIONAL
    return Layer.CONTEXTUAL


def _names_person(names: tuple[str, ...], text: str) -> bool:
    """First and last name both stand in the text; a family name alone may be the company's or a cousin's."""
    words = set(re.findall(r"\w+", folded(text)))
    parts = [folded(name).split() for name in names]
    return any(len(name) > 1 and {name[0], name[-1]} <= words for name in parts)


def _names_colleague(names: tuple[str, ...], text: str) -> bool:
    """A known colleague's family name stands in the text."""
    words = set(re.findall(r"\w+", folded(text)))
    return any(folded(name).split()[-1] in words for name in names if name.split())


def _ownness(item: Evidence, prior: KindPrior, person: _Person) -> tuple[float, str]:
    """Whose doing it is: the person's own, the company's, or a named colleague's."""
    if item.kind is Kind.COMPANY_NEWS:
        if _names_person(person.names, item.text):
            return NAMED_IN_NEWS, f"{prior.phrase} that names them"
        if _names_colleague(person.others, item.text):
            return prior.ownness * SOMEONE_ELSES, f"{prior.phrase}, a colleague's doing"
    if item.kind is Kind.RESHARE or (item.actor is Actor.OTHER and item.kind is not Kind.IN_COMMON):
        return 0.0, "someone else's words"
    if item.kind is Kind.IN_COMMON and item.get("prospect_role") == "spoke":
        return 0.8, "they spoke, the sender was there"
    if item.kind in (Kind.POST, Kind.COMMENT) and len(item.text.split()) < FEWEST_WORDS:
        return prior.ownness * EMPTY_WORDS, f"{prior.phrase}, too short to say anything"
    return prior.ownness, prior.phrase


def _specificity(item: Evidence) -> float:
    """Figures, names and enough substance to quote, against a bare label."""
    length = min(len(item.text) / 400, 1.0)
    numbers = min(len(_NUMBER.findall(item.text)) / 6, 1.0)
    names = min(len(_CAPITALISED.findall(item.text)) / 6, 1.0)
    return 0.5 * length + 0.3 * numbers + 0.2 * names


def _uniqueness(ownness: float, item: Evidence, rarity: Mapping[str, float]) -> tuple[float, str]:
    """Own words before press, the specific before the generic, the rare before what all have."""
    rare = min(max(next((rarity[key] for key in _keys(item) if key in rarity), 1.0), 0.0), 1.0)
    specific = _specificity(item)
    note = "specific" if specific >= SPECIFIC else "generic" if specific < GENERIC else "fairly specific"
    if rare < 1.0:
        note += ", and many in your list have it" if rare < COMMON else ", and some in your list have it"
    return (0.65 * ownness + 0.35 * specific) * rare, note


def _keys(item: Evidence) -> tuple[str, ...]:
    """Names by which a rarity or a former use may refer to the item."""
    return tuple(key for key in (item.ref, item.row_id, item.content_hash) if key)


def _factor(
    item: Evidence, prior: KindPrior, person: _Person, used: Mapping[str, str]
) -> tuple[float, tuple[str, ...]]:
    """What multiplies the sum, with a word on each."""
    factor, notes = prior.preference, []
    before = (
        person.current_start is not None and item.occurred is not None and item.occurred.last < person.current_start
    )
    if before and item.kind in (Kind.AWARD, Kind.TALK, Kind.COMPANY_NEWS):
        factor *= FORMER_JOB
        notes.append("Lowered: from before their present position.")
    near = next((used[key] for key in _keys(item) if key in used), None)
    if near is not None:
        factor *= FATIGUE
        notes.append(f"Lowered: already used {near or 'on someone near them'}.")
    return factor, tuple(notes)


def _scored(
    item: Evidence,
    *,
    person: _Person,
    terms: OfferTerms,
    offer: str,
    send_by: date,
    rarity: Mapping[str, float],
    used: Mapping[str, str],
    similarity: Similarity | None,
) -> Hook:
    prior = _prior_of(item, person)
    age = _age_days(item, send_by)
    recency, age_note = _recency(prior, age)
    overlap: Overlap = terms.overlap(item.text)
    relevance = overlap.relevance
    if similarity is not None:
        relevance = 0.5 * relevance + 0.5 * min(max(similarity(offer, item.text), 0.0), 1.0)
    ownness, whose = _ownness(item, prior, person)
    uniqueness, rare_note = _uniqueness(ownness, item, rarity)
    factor, notes = _factor(item, prior, person, used)
    total = RECENCY_WEIGHT * recency + RELEVANCE_WEIGHT * relevance + UNIQUENESS_WEIGHT * uniqueness
    shared = ", ".join(overlap.shared[:4])
    touches = f"touches the offer ({shared})" if shared else "does not touch the offer"
    return Hook(
        ref=item.ref,
        layer=_layer(item, prior, age),
        score=round(min(total * factor, 1.0), 4),
        recency=round(recency, 4),
        relevance=round(relevance, 4),
        uniqueness=round(uniqueness, 4),
        reason=" ".join(
            (
                f"{whose[0].upper()}{whose[1:]}.",
                f"Recency {recency:.2f}: {age_note}.",
                f"Relevance {relevance:.2f}: {touches}.",
                f"Uniqueness {uniqueness:.2f}: {rare_note}.",
                *notes,
            )
        ),
        kind=str(item.kind),
    )


def rank(
    *,
    dossier: Dossier,
    value_proposition: str,
    rarity: Mapping[str, float] | None = None,
    used: Mapping[str, str] | None = None,
    similarity: Similarity | None = None,
) -> tuple[Hook, ...]:
    """Every item that could open a message, best first; ties keep the order of the dossier.

    value_proposition  what the offer changes for them; "" falls back to the dossier's own offer
    rarity             0 (everybody has it) to 1 (only they), by ref, row id or content hash; missing is 1
    used               refs, row ids or content hashes of what was used before → on whom or where, for the reason
    similarity         (offer, text) → 0 to 1, averaged with the shared stems; never needed
    """
    offers = " ".join(item.text for item in dossier.of(Kind.OFFER))
    offer = " ".join(filter(None, (value_proposition, offers)))
    candidates = _candidates(dossier)
    terms = OfferTerms(
        offer=offer,
        supporting=" ".join(item.text for item in dossier.of(Kind.PROOF_POINT)),
        texts=[item.text for item in candidates],
    )
    person = _person(dossier)
    hooks = [
        _scored(
            item,
            person=person,
            terms=terms,
            offer=offer,
            send_by=dossier.send_by,
            rarity=rarity or {},
            used=used or {},
            similarity=similarity,
        )
        for item in candidates
    ]
    return tuple(sorted(hooks, key=lambda hook: -hook.score))
