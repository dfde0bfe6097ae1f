"""Evidence: one immutable, dated fact or text, and the dossier that freezes a set of them.

These dataclasses are what all rooms share. Rows, files and prompts are read into them; every
rule (hooks, verification, composing) takes them and nothing else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from json.encoder import encode_basestring
from types import MappingProxyType

from prospects.domain.dates import DateInterval


class Actor(StrEnum):
    """Whose doing, saying or being the evidence is."""

    __hash__ = str.__hash__

    PROSPECT = "prospect"
    COMPANY = "company"
    COLLEAGUE = "colleague"
    SENDER = "sender"
    INDUSTRY = "industry"
    OTHER = "other"  # a reshared author, for example


class Kind(StrEnum):
    """What the evidence is. The comment names its `fields` (all values are text).

    Dates inside `fields` are partial ISO dates: "2024", "2024-03", "2024-03-05".
    An empty "end" means *still open when observed*.
    """

    # That of enumerations is written in Python, and takes ten times as long.
    __hash__ = str.__hash__

    NAME = "name"  # full_name, first_name, last_name
    HEADLINE = "headline"  # -
    LOCATION = "location"  # -
    ABOUT = "about"  # -
    PROFILE_LANGUAGE = "profile_language"  # code
    LANGUAGE = "language"  # name, level
    POSITION = "position"  # title, company, start, end, description
    EDUCATION = "education"  # school, degree, start, end
    SKILL = "skill"  # name
    CERTIFICATION = "certification"  # name, issuer, date
    AWARD = "award"  # title, issuer, date
    TALK = "talk"  # title, event, date
    PUBLICATION = "publication"  # title, publisher, date, url
    PROJECT = "project"  # title, start, end, url
    POST = "post"  # id, url: the prospect's own words
    COMMENT = "comment"  # id, url, on: the prospect's own words about something
    RESHARE = "reshare"  # id, url, original_author: NOT the prospect's words (actor other)
    COMPANY_FACT = "company_fact"  # attribute (name alias industry size headquarters description website), value
    COMPANY_NEWS = "company_news"  # id, title, url; actor company
    COLLEAGUE = "colleague"  # full_name, title, note; actor colleague
    JOB = "job"  # title, url; actor company
    IN_COMMON = "in_common"  # kind (mutual_connection event school employer group), full_name, title,
    #                          company, name, date, sender_role, prospect_role, sender_years, prospect_years
    CONNECTION = "connection"  # degree, connected_on, to (the team mate's name)
    SENDER = "sender"  # full_name, title, company; actor sender
    OFFER = "offer"  # -; actor sender
    PROOF_POINT = "proof_point"  # id, source, date; actor sender
    INDUSTRY_NOTE = "industry_note"  # industry; actor industry


OWN_WORDS = frozenset({Kind.POST, Kind.COMMENT, Kind.ABOUT, Kind.HEADLINE})
#: Evidence made of sentences, which honest people put into other words.
PROSE = (OWN_WORDS - {Kind.HEADLINE}) | {
    Kind.RESHARE, Kind.COMPANY_NEWS, Kind.COMPANY_FACT, Kind.COLLEAGUE, Kind.JOB, Kind.TALK, Kind.PUBLICATION,
    Kind.PROJECT, Kind.OFFER, Kind.PROOF_POINT, Kind.INDUSTRY_NOTE,
}  # fmt: skip


def _no_fields() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Evidence:
    """One dated fact or text.

    ref         name inside a dossier: "post1", "positions[0]", or the number of a frozen dossier, "7"
    text        the words as found (a post's text, a news item's text, a fact in one line)
    fields      typed values, see Kind
    occurred    interval of the event, or of the *start* of a period; None is undated
    observed_at the day the source was seen; a present-tense claim ages from here
    source      file and row, or URL, for people
    row_id      primary key of the stored row; "" when it comes from a file
    """

    ref: str
    kind: Kind
    actor: Actor
    text: str
    fields: Mapping[str, str] = field(default_factory=_no_fields)
    occurred: DateInterval | None = None
    observed_at: date | None = None
    source: str = ""
    language: str = ""
    row_id: str = ""

    def get(self, name: str) -> str:
        """The field's text, "" when it is missing."""
        return self.fields.get(name, "")

    @property
    def link(self) -> str:
        """The address where it was seen, "" where the source gives none that a browser may safely open."""
        return web_link(self.get("url"))

    @property
    def content_hash(self) -> str:
        """SHA-256 (hex) over what the evidence says: kind, actor, text, fields and interval."""
        return self.hash_of(self.encoded_fields)

    @property
    def encoded_fields(self) -> str:
        """The fields as JSON in the order of their names."""
        pairs = [f"{encode_basestring(name)}: {encode_basestring(text)}" for name, text in sorted(self.fields.items())]
        return "{" + ", ".join(pairs) + "}"

    def hash_of(self, encoded_fields: str) -> str:
        """The content hash, where the encoded fields are at hand."""
        occurred = "null"
        if self.occurred:
            occurred = f'["{self.occurred.first.isoformat()}", "{self.occurred.last.isoformat()}"]'
        # Kinds and actors are plain words, which need no escaping.
        begin = '["' + self.kind + '", "' + self.actor + '", '
        content = f"{begin}{encode_basestring(self.text)}, {encoded_fields}, {occurred}]"
        return hashlib.sha256(content.encode()).hexdigest()


def encoded(value: Mapping[str, str] | str) -> str:
    """JSON of text or of named texts, letter for letter what json.dumps(ensure_ascii=False) writes, several times as fast."""
    if isinstance(value, str):
        return encode_basestring(value)
    pairs = [f"{encode_basestring(name)}: {encode_basestring(text)}" for name, text in value.items()]
    return "{" + ", ".join(pairs) + "}"


@dataclass(frozen=True, slots=True)
class Dossier:
    """The frozen, numbered set of evidence that one draft is written from.

    send_by is the day all date arithmetic is against: the text must be true through that day.
    """

    dossier_id: str
    send_by: date
    items: tuple[Evidence, ...]

    def of(self, *kinds: Kind) -> tuple[Evidence, ...]:
        """The items of these kinds, in order."""
        return tuple(item for item in self.items if item.kind in kinds)

    def by_ref(self, ref: str) -> Evidence | None:
        """The item of that name, or None."""
        return next((item for item in self.items if item.ref == ref), None)

    @property
    def content_hash(self) -> str:
        """SHA-256 (hex) over refs and content of all items, in order."""
        joined = "\n".join(f"{item.ref}:{item.content_hash}" for item in self.items)
        return hashlib.sha256(joined.encode()).hexdigest()


def web_link(address: str) -> str:
    """The address if it is one of the web, "" otherwise: a file may hold anything there, "javascript:" too."""
    found = address.strip()[:1000]
    return found if found.lower().startswith(("https://", "http://")) else ""


def fields_of(pairs: Iterable[tuple[str, str | None]]) -> Mapping[str, str]:
    """A read-only mapping without the values that are missing or blank."""
    return MappingProxyType({name: value for name, value in pairs if value is not None and value.strip()})
