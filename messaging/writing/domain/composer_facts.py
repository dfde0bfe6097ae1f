"""What a dossier lets one say, as references: a phrase key, the slots to fill, and what it cites.

Titles, names and quotations are taken as written. Nothing is inferred; what cannot be said safely is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType
from typing import Any

from messaging.hooks.domain.kinds import Layer
from messaging.hooks.domain.ranking import Hook
from messaging.hooks.domain.relevance import OfferTerms
from messaging.verification.contract import ClaimType
from messaging.writing.domain.composer_dates import DateWords
from messaging.writing.domain.composer_quotes import quotes_of
from messaging.writing.domain.composer_text import at_company, in_running_text, one_line
from prospects.domain.dates import DateInterval, partial_date
from prospects.domain.evidence import Dossier, Evidence, Kind

_DATE_SLOTS = frozenset({"date", "on_date", "of_date", "in_month", "since"})
#: Slots that put another one's value into a form of the language.
_FORMS = frozenset({"quote_bare", "at_company"})
#: A title longer than this, or built of several with bars, is a headline and not a title.
LONGEST_TITLE, LONGEST_NAME, LONGEST_COMPANY = 80, 90, 24
_LEGAL_FORMS = frozenset(
    {"gmbh", "ag", "kg", "se", "inc", "llc", "llp", "ltd", "plc", "corp", "bv", "nv", "sa", "sas", "sarl", "srl", "spa",
     "sl", "ltda", "kgaa", "ohg"}
)  # fmt: skip
#: What stands inside a form of several words.
_INSIDE_FORMS = frozenset({"&", "und", "co", "mbh"})
#: How old the observation of a position may be for "you have been", in days.
OBSERVED_DAYS = 180
_UNTIDY = re.compile(r"[|•·/\\<>{}\[\]@#“”„«»\"\n]|https?:")
_NAME = re.compile(r"[^\W\d_][^\W\d_'’.-]*(?:['’-][^\W\d_]+)*\Z")
_HONORIFICS = frozenset({"dr", "prof", "mr", "mrs", "ms", "mx", "sir", "ing", "dipl.-ing", "dott", "dra", "sr", "sra"})
_NOBODY = frozenset({"linkedin", "member", "user", "unknown", "n/a"})


@dataclass(frozen=True, slots=True)
class Reference:
    """One thing that can be said about the person.

    keys     phrase keys, all of which the slots fill
    group    words, doing, news or common: which reaction may follow
    subject  phrase key for a subject line, "" for none
    aim      the words tell what they are after
    bearing  0 to 1: how near it is to the offer
    """

    keys: tuple[str, ...]
    slots: Mapping[str, str]
    type: ClaimType
    arguments: Mapping[str, str]
    evidence: tuple[str, ...]
    layer: Layer
    group: str
    subject: str = ""
    aim: bool = False
    question: bool = False
    bearing: float = 0.0
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the reading of single items needs to know of the whole."""

    dossier: Dossier
    language: str
    style: Mapping[str, Any]
    dates: DateWords
    terms: OfferTerms
    longest_quote: int


def _tidy(text: str, longest: int) -> str:
    """The text on one line when it can stand inside a sentence, else ""."""
    line = one_line(text)
    return line if line and len(line) <= longest and not _UNTIDY.search(line) else ""


def _closed(name: str) -> str:
    """A name with a comma inside gets one behind it, as an apposition; a stop that follows replaces it."""
    return f"{name}," if "," in name else name


@dataclass(frozen=True, slots=True)
class Greeted:
    """The names to greet with and the ref that proves them; all "" when no part of the record is surely a name."""

    first: str = ""
    full: str = ""
    ref: str = ""


def greeted(dossier: Dossier) -> Greeted:
    """First and full name as recorded, without titles."""
    for item in dossier.of(Kind.NAME):
        words = one_line(item.get("full_name") or item.text).replace(",", " ").split()
        words = [word for word in words if word.casefold().rstrip(".") not in _HONORIFICS]
        if not words or words[0].casefold() in _NOBODY:
            continue
        name = words[0]
        if len(name) >= 2 and _NAME.match(name) and not (name.isupper() and len(words) > 1 and words[1].islower()):
            full = all(_NAME.match(word.rstrip(".")) for word in words) and 2 <= len(words) <= 5
            return Greeted(name, " ".join(words) if full else "", item.ref)
    return Greeted()


def _without_form(words: list[str]) -> list[str]:
    """Without the legal form; "mbH & Co. KG" is one form, not a name that ends with "& Co."."""

    def ends(forms: frozenset[str]) -> bool:
        return len(kept) > 1 and kept[-1].casefold().replace(".", "").rstrip(",") in forms

    kept = list(words)
    if ends(_LEGAL_FORMS):
        kept.pop()
        while ends(_LEGAL_FORMS | _INSIDE_FORMS):
            kept.pop()
    return kept


def short_company(name: str, dossier: Dossier) -> str:
    """The company as people call it: without its legal form, or by a recorded alias that begins a long name."""
    tidy = _tidy(name, LONGEST_NAME)
    words = _without_form(tidy.split())
    if words != tidy.split():
        return " ".join(words).rstrip(",")
    known = {item.get("attribute"): item.get("value") for item in dossier.of(Kind.COMPANY_FACT)}
    if one_line(known.get("name", "")) != tidy or len(tidy) <= LONGEST_COMPANY:
        return tidy
    aliases = [item.get("value") for item in dossier.of(Kind.COMPANY_FACT) if item.get("attribute") == "alias"]
    shorter = [alias for alias in aliases if tidy.startswith(alias) and 4 <= len(alias) < len(tidy)]
    return max(shorter, key=len, default=tidy)


def company_name(dossier: Dossier) -> tuple[str, tuple[str, ...]]:
    """The prospect's company and its ref; ("", ()) when unknown."""
    for item in dossier.of(Kind.COMPANY_FACT):
        if item.get("attribute") == "name":
            return short_company(item.get("value"), dossier), (item.ref,)
    return "", ()


def _reference(item: Evidence, *keys: str, slots: Mapping[str, str], **rest: Any) -> Reference:
    given = {name: value for name, value in slots.items() if value}
    arguments = {name: value.rstrip(",") for name, value in given.items() if name not in _DATE_SLOTS | _FORMS}
    if any(name in given for name in _DATE_SLOTS):
        arguments["date"] = partial_iso(item.occurred or _start(item))
    return Reference(
        keys=keys,
        slots=MappingProxyType(given),
        arguments=MappingProxyType(arguments),
        evidence=(item.ref,),
        **rest,
    )


def partial_iso(interval: DateInterval | None) -> str:
    """The interval as a partial date of the evidence form; "" where no partial date says it."""
    if interval is None:
        return ""
    forms = {"day": "%Y-%m-%d", "month": "%Y-%m", "year": "%Y"}
    form = forms.get(interval.precision)
    return interval.first.strftime(form) if form else ""


def _when(item: Evidence, around: Surroundings) -> dict[str, str]:
    """The date slots; all empty for an undated item and for one that lies ahead."""
    interval = item.occurred
    if interval is not None and interval.last > around.dossier.send_by:
        interval = None
    dates = around.dates
    return {
        "date": dates.bare(interval),
        "on_date": dates.on(interval),
        "of_date": dates.of(interval),
        "in_month": dates.month(interval),
    }


def _ahead(item: Evidence, around: Surroundings) -> bool:
    """Not surely past on the day of sending: "you spoke" would be a guess."""
    return item.occurred is not None and item.occurred.last > around.dossier.send_by


def _same_language(item: Evidence, around: Surroundings) -> bool:
    """A quotation is only made in the message's own language; an unlabelled text takes the profile's."""
    spoken = item.language
    if not spoken:
        profile = around.dossier.of(Kind.PROFILE_LANGUAGE)
        spoken = profile[0].get("code") if profile else around.language
    return spoken.casefold().partition("-")[0] == around.language.casefold().partition("-")[0]


def _words(item: Evidence, around: Surroundings) -> Iterable[Reference]:
    """Own words: an exact sentence of them, with its date."""
    if not _same_language(item, around):
        return
    name = {Kind.POST: "post", Kind.COMMENT: "comment"}.get(item.kind, "about")
    when = _when(item, around) if name != "about" else {}
    dated = "dated" if when.get("date") else "undated"
    for quote in quotes_of(text=item.text, terms=around.terms, style=around.style, longest=around.longest_quote):
        asked = {"dated": "question", "undated": "question_undated"}[dated]
        key = f"{name}.{asked}" if quote.question and name != "about" else f"{name}.{dated}"
        yield _reference(
            item,
            key,
            slots={**when, "quote": quote.text, "quote_bare": quote.text.rstrip(".")},
            type=ClaimType.QUOTE,
            layer=Layer.SITUATIONAL,
            group="words",
            subject=name if when.get("date") else "",
            aim=quote.aim,
            question=quote.question,
            bearing=around.terms.overlap(quote.text).relevance,
            score=quote.score,
        )


def _shared_event(talk: Evidence, around: Surroundings) -> Evidence | None:
    """The recorded event at which they spoke and the sender was present, when it is this talk's."""
    for item in around.dossier.of(Kind.IN_COMMON):
        same = item.get("kind") == "event" and one_line(item.get("name")) == one_line(talk.get("event"))
        if same and item.get("prospect_role") == "spoke" and item.get("sender_role") == "attended":
            return item if item.occurred == talk.occurred else None
    return None


def _talk(item: Evidence, around: Surroundings) -> Iterable[Reference]:
    title, event = _tidy(item.get("title"), 110), _tidy(item.get("event"), LONGEST_NAME)
    if not title or _ahead(item, around):
        return
    slots = {**_when(item, around), "title": title, "event": _closed(event)}
    shared = _shared_event(item, around)
    key = ("talk.dated" if slots["date"] else "talk.undated") if event else "talk.no_event"
    if shared is not None and event and slots["in_month"]:
        key = "talk.shared"
    made = _reference(
        item,
        key,
        slots=slots,
        type=ClaimType.ACHIEVEMENT if shared is None else ClaimType.CONNECTION,
        layer=Layer.SITUATIONAL,
        group="doing",
        subject="talk" if event else "",
        bearing=around.terms.overlap(title).relevance,
    )
    yield made if shared is None else _also_citing(made, shared.ref)


def _also_citing(made: Reference, ref: str) -> Reference:
    return replace(made, evidence=(*made.evidence, ref))


def _publication(item: Evidence, around: Surroundings) -> Iterable[Reference]:
    title = _tidy(item.get("title"), 110)
    if title and not _ahead(item, around):
        slots = {**_when(item, around), "title": title}
        key = "publication.dated" if slots["date"] else "publication.undated"
        yield _reference(
            item,
            key,
            slots=slots,
            type=ClaimType.ACHIEVEMENT,
            layer=Layer.SITUATIONAL,
            group="doing",
            bearing=around.terms.overlap(title).relevance,
        )


def _award(item: Evidence, around: Surroundings) -> Iterable[Reference]:
    title, issuer = _tidy(item.get("title"), 90), _tidy(item.get("issuer"), LONGEST_NAME)
    if title and not _ahead(item, around):
        interval = item.occurred
        slots = {"title": title, "issuer": issuer, "date": around.dates.full(interval)}
        key = "award.dated" if issuer and slots["date"] else "award.undated"
        yield _reference(item, key, slots=slots, type=ClaimType.ACHIEVEMENT, layer=Layer.SITUATIONAL, group="doing")


def _colleagues(title: str, dossier: Dossier) -> bool:
    """Whether a headline names a colleague: their day is no opening to somebody else."""
    return any(
        name and name in title for one in dossier.of(Kind.COLLEAGUE) for name in [one_line(one.get("full_name"))]
    )


def _news(item: Evidence, around: Surroundings) -> Iterable[Reference]:
    """Company news says something about the company and nothing about the person."""
    name, refs = company_name(around.dossier)
    title = _tidy(item.get("title"), 110)
    when = _when(item, around)
    if name and title and when["date"] and not _ahead(item, around) and not _colleagues(title, around.dossier):
        key = "news.dated" if item.kind is Kind.COMPANY_NEWS else "job.dated"
        made = _reference(
            item,
            key,
            slots={**when, "title": title, "company": name},
            type=ClaimType.COMPANY,
            layer=Layer.SITUATIONAL,
            group="news",
            bearing=around.terms.overlap(item.text).relevance,
        )
        yield _also_citing(made, refs[0])


def _in_common(item: Evidence, around: Surroundings) -> Iterable[Reference]:
    kind, slots = item.get("kind"), {}
    name = _tidy(item.get("name"), LONGEST_NAME)
    if kind == "mutual_connection":
        slots = {"full_name": _tidy(item.get("full_name"), LONGEST_NAME), "company": _tidy(item.get("company"), 60)}
        key = "common.mutual_company" if slots["company"] else "common.mutual"
        needed = slots["full_name"]
    elif kind == "event":
        when = _when(item, around)
        slots, key = {"event": _closed(name), **when}, "common.event"
        needed = "" if _ahead(item, around) or not when["in_month"] else name
    elif kind in ("school", "employer", "group"):
        slots, key, needed = {kind: name}, f"common.{kind}", name
    else:
        return
    if needed:
        yield _reference(item, key, slots=slots, type=ClaimType.CONNECTION, layer=Layer.CONTEXTUAL, group="common")


def _open_positions(dossier: Dossier) -> tuple[Evidence, ...]:
    """Present positions, those at the known company first, each observed recently enough."""
    limit = OBSERVED_DAYS
    name = next((i.get("value") for i in dossier.of(Kind.COMPANY_FACT) if i.get("attribute") == "name"), "")
    found = []
    for item in dossier.of(Kind.POSITION):
        stale = item.observed_at is not None and (dossier.send_by - item.observed_at).days > limit
        if not item.get("end") and not stale and not _begins_later(item, dossier.send_by):
            found.append(item)
    return tuple(sorted(found, key=lambda item: one_line(item.get("company")) != one_line(name)))


def _begins_later(item: Evidence, day: date) -> bool:
    return item.occurred is not None and item.occurred.last > day


def _position(item: Evidence, around: Surroundings) -> Iterable[Reference]:
    title, company = _tidy(item.get("title"), LONGEST_TITLE), short_company(item.get("company"), around.dossier)
    if not title or not company:
        return
    title = in_running_text(title, around.style)
    since = around.dates.since(item.occurred or _start(item))
    slots = {
        "title": _closed(title),
        "company": company,
        "since": since,
        "at_company": at_company(company, around.style),
    }
    keys = ("position.role", "position.fit", "position.fit_since") if since else ("position.role", "position.fit")
    made = _reference(item, *keys, slots=slots, type=ClaimType.TITLE, layer=Layer.CONTEXTUAL, group="role")
    yield made


def _start(item: Evidence) -> DateInterval | None:
    return partial_date(item.get("start")) if item.get("start") else None


_READERS: Mapping[Kind, Callable[[Evidence, Surroundings], Iterable[Reference]]] = MappingProxyType(
    {
        Kind.POST: _words,
        Kind.COMMENT: _words,
        Kind.ABOUT: _words,
        Kind.TALK: _talk,
        Kind.PUBLICATION: _publication,
        Kind.AWARD: _award,
        Kind.COMPANY_NEWS: _news,
        Kind.JOB: _news,
        Kind.IN_COMMON: _in_common,
    }
)


def specific_references(
    *, hooks: Iterable[Hook], around: Surroundings
) -> tuple[tuple[Hook, tuple[Reference, ...]], ...]:
    """Hooks that can be put into words, in their order, each with its ways of saying it."""
    found = []
    for hook in hooks:
        item = around.dossier.by_ref(hook.ref)
        reader = _READERS.get(item.kind) if item else None
        references = tuple(reader(item, around)) if item and reader else ()
        if references:
            found.append((hook, references))
    return tuple(found)


def role_references(*, around: Surroundings) -> tuple[Reference, ...]:
    """Their present role, where it was seen recently enough."""
    for item in _open_positions(around.dossier):
        references = tuple(_position(item, around))
        if references:
            return references
    return ()
