"""Industries and what their people care about: which a company belongs to, and how long a note may be relied on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from prospects.domain.evidence import Actor, Evidence, Kind, fields_of

#: Days after its review until a note has to be looked at again; later it supports nothing.
REVIEW_DAYS = 365
LONGEST_NOTE = 300


@dataclass(frozen=True, slots=True)
class Starter:
    """A statement that ships with the product, for a team to read and make its own."""

    text: str
    kind: str
    rests_on: str


@dataclass(frozen=True, slots=True)
class Industry:
    """key: as stored. names: what company records call it, folded."""

    key: str
    label: str
    names: frozenset[str]
    starters: tuple[Starter, ...]


def folded(text: str) -> str:
    return " ".join(text.casefold().split())


def industry_named(text: str, industries: Iterable[Industry]) -> str:
    """The key of the industry of exactly that name; the folded name itself where none is known by it."""
    name = folded(text)
    return next((one.key for one in industries if name in one.names or name in {one.key, folded(one.label)}), name)[:64]


def industries_of(items: Sequence[Evidence], industries: Sequence[Industry]) -> tuple[str, ...]:
    """The industries that the company's facts name, each once."""
    named = (
        item.get("value") or item.text
        for item in items
        if item.kind is Kind.COMPANY_FACT and item.get("attribute") == "industry"
    )
    return tuple(dict.fromkeys(key for text in named if (key := industry_named(text, industries))))


def usable_on(*, reviewed_on: date, day: date) -> bool:
    return day <= reviewed_on + timedelta(days=REVIEW_DAYS)


def note_evidence(
    *, number: int, industry: str, label: str, text: str, source: str, url: str, reviewed_on: date, language: str
) -> Evidence:
    """An approved note as evidence of actor industry: citable, and never said of a person."""
    fields: Mapping[str, str] = fields_of((("industry", label or industry), ("url", url)))
    return Evidence(
        ref=f"industry:{number}", kind=Kind.INDUSTRY_NOTE, actor=Actor.INDUSTRY, text=text, fields=fields,
        observed_at=reviewed_on, source=source, language=language,
    )  # fmt: skip


def fault_of(text: str) -> str:
    """Why a statement cannot be a note, "" when it can: it has to be one short sentence about an industry."""
    words = set(folded(text).replace("'", " ").replace("’", " ").replace(",", " ").replace(".", " ").split())
    if not text.strip() or len(text.strip()) > LONGEST_NOTE:
        return f"Write one statement of at most {LONGEST_NOTE} characters."
    if words & {"you", "your", "yours", "we", "our", "us", "i", "my"}:
        return "Say it of the industry: without you, your, we or our, since nobody wrote it about one person."
    return ""
