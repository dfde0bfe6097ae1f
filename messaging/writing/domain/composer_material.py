"""Everything one message may be made of, gathered once: references, offer, proof, names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from messaging.hooks.domain.kinds import Layer
from messaging.hooks.domain.ranking import Hook
from messaging.hooks.domain.relevance import OfferTerms
from messaging.verification.contract import ClaimType
from messaging.writing.domain.composer_dates import DateWords
from messaging.writing.domain.composer_facts import (
    Greeted,
    Reference,
    Surroundings,
    company_name,
    greeted,
    role_references,
    short_company,
    specific_references,
)
from messaging.writing.domain.composer_language import is_foreign
from messaging.writing.domain.composer_text import Segment, at_company, one_line
from messaging.writing.languages.reader import LanguageData
from outreach.campaigns.domain.offer import CampaignOffer
from prospects.domain.evidence import Dossier, Evidence, Kind

_FIGURE, _SHARE = re.compile(r"\d"), re.compile(r"\d\s?(?:%|per cent|percent|Prozent|pour cent|procent|por ciento)")
#: A proof point with a figure says more than one without, one with a change in per cent most.
FIGURE, SHARE = 0.15, 0.35
#: What nearness to their own words counts beside it.
BEARING = 0.5
#: News of the company from which on it is worth a second reference or a follow-up (bearing, 0 to 1).
NEAR_THE_OFFER = 0.2
_INNER_CAPITAL = re.compile(r"(?<=[\w,;] )[A-ZÀ-Þ][\w-]*")


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof point, its ref and how near it is to the subject at hand (0 to 1); inner: as it begins inside a sentence."""

    text: str
    ref: str
    bearing: float
    inner: str = ""


@dataclass(frozen=True, slots=True)
class Material:
    """specific  references by hook, best first; role, common: what else can be said
    offer     segments' slots and phrase key; cta: the campaign's own request, "" for none in this language
    """

    greeting: Greeted
    specific: tuple[tuple[Hook, tuple[Reference, ...]], ...]
    common: tuple[Reference, ...]
    role: tuple[Reference, ...]
    offer_key: str
    offer_refs: tuple[str, ...]
    slots: Mapping[str, str]
    proofs: tuple[Proof, ...]
    sender_ref: tuple[str, ...]
    cta: str
    signature: str
    company: tuple[str, tuple[str, ...]]


def _lower_first(text: str, data: LanguageData, dossier: Dossier) -> str:
    """A small first letter where the word is no name: it is never capitalised inside any text of the dossier.

    A language whose nouns are capitalised ("nouns") has only its determiners lowered.
    """
    word = text.split(" ", 1)[0].rstrip(",:;")
    rule = data.style.get("lower_offer")
    if not rule or word[1:] != word[1:].lower():
        return text
    if rule == "nouns":
        return text[:1].lower() + text[1:] if word.casefold() in data.style.get("determiners", ()) else text
    written = " ".join(item.text for item in dossier.items if item.kind is not Kind.OFFER)
    small = re.search(rf"\b{re.escape(word.lower())}\b", written)
    name = not small and word in set(_INNER_CAPITAL.findall(written)) | {
        part for item in dossier.of(Kind.SKILL, Kind.COMPANY_FACT) for part in item.text.split()
    }
    return text if name else text[:1].lower() + text[1:]


def _inner(text: str, data: LanguageData) -> str:
    """A whole sentence of ours as it stands behind a colon; its first word keeps its capital unless it is a small word."""
    word = text.split(" ", 1)[0]
    if data.style.get("capital_after_colon") or word.casefold() not in data.style["common_words"]:
        return text
    return text[:1].lower() + text[1:]


def _offer_shape(text: str, sender: str, data: LanguageData) -> str:
    """sentence when it has its own subject, line when it cannot stand inside one of ours, else noun.

    A language with cases takes no noun inside (offer_inline "never"); one that needs an article takes
    those that bring theirs ("determiner").
    """
    first = text.split(" ", 1)[0].casefold()
    openers = data.style.get("offer_sentence_openers", ())
    own_subject = first in openers or (sender and text.casefold().startswith(sender.casefold() + " "))
    if own_subject:
        return "sentence"
    inline = data.style.get("offer_inline", "always")
    fits = inline == "always" or (inline == "determiner" and first in data.style.get("determiners", ()))
    return "noun" if fits and not re.search(r"[.!?:]\s", text) else "line"


def _offer(dossier: Dossier, offer: CampaignOffer, sender: str, data: LanguageData) -> tuple[str, str, tuple[str, ...]]:
    """Phrase key, the offer in words, and the refs that back it; all empty when it is only said in another language."""
    said: list[tuple[Evidence | None, str]] = [(item, one_line(item.text)) for item in dossier.of(Kind.OFFER)]
    said = said or [(None, one_line(offer.offer))]
    own = [(item, text) for item, text in said if text and not is_foreign(text, data.code)]
    if not own:
        return "", "", ()
    item, text = own[0]
    shape = _offer_shape(text, sender, data)
    bare = text if shape == "sentence" else text.rstrip(".")
    lowers = shape == "noun" or (shape == "line" and data.style.get("lower_offer") == "nouns")
    words = _lower_first(bare, data, dossier) if lowers else bare
    key = f"offer.{shape}" if sender else {"noun": "offer.nameless"}.get(shape, f"offer.nameless_{shape}")
    return key, words, (item.ref,) if item else ()


def _strength(text: str) -> float:
    return SHARE if _SHARE.search(text) else FIGURE if _FIGURE.search(text) else 0.0


def _proofs(dossier: Dossier, offer: CampaignOffer, subject: OfferTerms, data: LanguageData) -> tuple[Proof, ...]:
    """Proof points of this language that hold on the day of sending, the nearest to what the person wrote first."""
    expired = {one_line(point.text) for point in offer.proof_points if not point.usable_through(day=dossier.send_by)}
    items: list[Evidence] = [item for item in dossier.of(Kind.PROOF_POINT) if one_line(item.text) not in expired]
    found = [
        Proof(
            one_line(item.text),
            item.ref,
            BEARING * subject.overlap(item.text).relevance + _strength(item.text),
            _inner(one_line(item.text), data),
        )
        for item in items
        if item.text.strip() and not is_foreign(item.text, data.code)
    ]
    return tuple(sorted(found, key=lambda proof: -proof.bearing))


def _own_request(offer: CampaignOffer, language: str) -> str:
    """The campaign's own request, where it is in the language of the message."""
    spoken = offer.languages[0] if offer.languages else "en"
    same = spoken.casefold().partition("-")[0] == language.casefold().partition("-")[0]
    return one_line(offer.call_to_action) if same and not is_foreign(offer.call_to_action, language) else ""


def _sender(dossier: Dossier, offer: CampaignOffer) -> tuple[Mapping[str, str], tuple[str, ...]]:
    item = next(iter(dossier.of(Kind.SENDER)), None)
    value: Mapping[str, str] = item.fields if item else {}
    slots = {
        "sender_name": one_line(value.get("full_name", "") or offer.sender.full_name),
        "sender_title": one_line(value.get("title", "") or offer.sender.title),
        "sender_company": short_company(one_line(value.get("company", "") or offer.sender.company), dossier),
        "sender_full": one_line(value.get("company", "") or offer.sender.company),
    }
    return slots, (item.ref,) if item else ()


def _location(dossier: Dossier) -> str:
    return next((item.text for item in dossier.of(Kind.LOCATION)), "")


def gather(
    *, dossier: Dossier, hooks: tuple[Hook, ...], offer: CampaignOffer, data: LanguageData, longest_quote: int
) -> Material:
    """What the dossier lets one say in this language. Never raises for missing evidence."""
    style: Mapping[str, Any] = data.style
    offered = " ".join([offer.offer, offer.value_proposition, *(item.text for item in dossier.of(Kind.OFFER))])
    supporting = " ".join(item.text for item in dossier.of(Kind.PROOF_POINT))
    around = Surroundings(
        dossier=dossier,
        language=data.code,
        style=style,
        dates=DateWords.of_style(style=style, location=_location(dossier), send_by=dossier.send_by),
        terms=OfferTerms(offer=offered, supporting=supporting, texts=[item.text for item in dossier.items]),
        longest_quote=longest_quote,
    )
    found = specific_references(hooks=hooks, around=around)
    specific = tuple((hook, refs) for hook, refs in found if refs[0].group != "common")
    slots, sender_ref = _sender(dossier, offer)
    key, words, offer_refs = _offer(dossier, offer, slots["sender_company"], data)
    own = " ".join(ref.slots.get("quote", "") for _, refs in specific[:2] for ref in refs)
    subject = OfferTerms(offer=own or offered, supporting=offered, texts=[])
    company, company_ref = company_name(dossier)
    return Material(
        greeting=greeted(dossier),
        specific=specific,
        common=tuple(ref for _, refs in found for ref in refs if ref.group == "common"),
        role=role_references(around=around),
        offer_key=key,
        offer_refs=offer_refs,
        slots=MappingProxyType(
            {**slots, "offer": words, "company": company, "sender_at": at_company(slots["sender_company"], style)}
        ),
        proofs=_proofs(dossier, offer, subject, data),
        sender_ref=sender_ref,
        cta=_own_request(offer, data.code),
        signature=offer.sender.signature.strip(),
        company=(company, company_ref),
    )


def without_said(material: Material, previous: tuple[str, ...]) -> Material:
    """The material without what earlier messages of the thread have said: a follow-up adds something new.

    News that is far from the offer is no reason to write again.
    """
    said = " ".join(one_line(text) for text in previous)

    def is_new(reference: Reference) -> bool:
        if reference.group == "news" and reference.bearing < NEAR_THE_OFFER:
            return False
        told = [reference.slots.get(name, "") for name in ("quote_bare", "title", "full_name", "event")]
        return not any(value and value.rstrip(",") in said for value in told)

    fresh = ((hook, tuple(filter(is_new, references))) for hook, references in material.specific)
    return replace(
        material,
        specific=tuple((hook, references) for hook, references in fresh if references),
        common=tuple(filter(is_new, material.common)),
        proofs=tuple(proof for proof in material.proofs if proof.text.rstrip(".") not in said),
    )


_SAID_BY = MappingProxyType(
    {
        "on_date": "date",
        "of_date": "date",
        "in_month": "date",
        "since": "date",
        "quote_bare": "quote",
        "at_company": "company",
    }
)


def claim(*, text: str, reference: Reference, slots: frozenset[str]) -> Segment:
    """A sentence about the person, with what it cites; its arguments are those that these slots put into words."""
    said = {_SAID_BY.get(slot, slot) for slot in slots}
    return Segment(
        kind="claim",
        text=text,
        type=reference.type,
        arguments=MappingProxyType({name: value for name, value in reference.arguments.items() if name in said}),
        evidence=reference.evidence,
        layer=reference.layer,
    )


def offering(*, text: str, refs: tuple[str, ...], **arguments: str) -> Segment:
    """A sentence about the sender or the offer."""
    return Segment(
        kind="offer",
        text=text,
        type=ClaimType.SENDER if refs else None,
        arguments=MappingProxyType(arguments),
        evidence=refs,
    )


def question(*, text: str, layer: Layer | None = None, evidence: tuple[str, ...] = ()) -> Segment:
    """A question that presupposes nothing."""
    return Segment(kind="question", text=text, layer=layer, evidence=evidence)
