"""What a person may add by hand, and how two boxes of a form become the fields of each kind."""

from __future__ import annotations

from dataclasses import dataclass

from prospects.domain.evidence import Actor, Kind


@dataclass(frozen=True, slots=True)
class HandKind:
    """title_field and place_field: what "Title" and "Where" of the form are called for this kind; "" is none."""

    label: str
    actor: Actor
    title_field: str = ""
    place_field: str = ""
    date_field: str = ""


BY_HAND = {
    Kind.POST: HandKind("Something they wrote", Actor.PROSPECT),
    Kind.COMMENT: HandKind("A comment of theirs", Actor.PROSPECT, place_field="on"),
    Kind.TALK: HandKind("A talk they gave", Actor.PROSPECT, "title", "event", "date"),
    Kind.POSITION: HandKind("A position they hold", Actor.PROSPECT, "title", "company", "start"),
    Kind.AWARD: HandKind("An award they received", Actor.PROSPECT, "title", "issuer", "date"),
    Kind.PUBLICATION: HandKind("Something they published", Actor.PROSPECT, "title", "publisher", "date"),
    Kind.COMPANY_NEWS: HandKind("News about their company", Actor.COMPANY, "title"),
}


def fields_for(*, kind: Kind, title: str, place: str, date: str, url: str) -> dict[str, str]:
    """The typed fields of evidence added by hand; empty ones are left out."""
    hand = BY_HAND[kind]
    pairs = ((hand.title_field, title), (hand.place_field, place), (hand.date_field, date), ("url", url))
    return {name: value.strip() for name, value in pairs if name and value.strip()}
