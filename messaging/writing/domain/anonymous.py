"""A message with placeholders for everybody and every company in it, so that it can be shown as an example.

A name is taken out wherever it stands: whole, its parts, with a genitive, in capitals, without its accents. What a
dossier names is known; a text that still holds a part of a name afterwards is not used at all.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from prospects.domain.evidence import Actor, Dossier, Kind

NAME, COLLEAGUE, SENDER = "[Name]", "[Somebody]", "[Sender]"
COMPANY, OURS, EVENT = "[Company]", "[Our company]", "[Event]"
ADDRESS = "[Address]"
#: Parts of a name shorter than this are no names by themselves: initials, "de", "van", "AG".
LEAST_PART = 3
#: A word that begins with a part of so many letters is made of it.
LONG_PART = 7
_WORD = re.compile(r"[^\W\d_]+(?:[’'-][^\W\d_]+)*")
_ADDRESS = re.compile(
    r"\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}\b|\bhttps?://[^\s<>]{1,300}|\bwww\.[^\s<>]{1,200}|\+\d[\d ()./-]{6,20}\d"
    r"|(?<![\w.])@[\w.-]{2,60}\b|\b[a-z0-9-]{2,60}(?:\.[a-z0-9-]{2,60}){0,3}\.[a-z]{2,12}(?:/[^\s<>]{0,200}|(?!\w))|\b0\d{2,5}[ /-]?\d{3,}[\d -]{0,12}"
)
_FILLERS = frozenset(
    ["von", "van", "der", "den", "das", "des", "del", "della", "dos", "das", "bin", "ibn", "the", "and", "und", "les", "los", "las", "ltd", "inc", "llc", "gmbh", "group", "grupo", "gruppe", "groupe", "company", "solutions", "services", "systems", "bank", "banque", "banco", "partners", "holding", "international", "consulting", "software", "health", "energy", "foods", "media", "digital", "data", "labs", "studio", "studios", "works", "logistics", "logistik", "capital"]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Named:
    """Placeholders by what they stand for, as written."""

    placeholders: Mapping[str, str]


def _plain(text: str) -> str:
    """Without accents and case, one character for each: offsets stay."""
    folded = (unicodedata.normalize("NFD", letter)[0] for letter in text)
    return "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in folded)


def named_in(dossier: Dossier) -> Named:
    """Everybody and every company of the dossier, the ones it is about first."""
    found: dict[str, str] = {}

    def add(placeholder: str, *names: str, least: int = LEAST_PART) -> None:
        for name in names:
            if len(name.strip()) >= least:
                found.setdefault(name.strip(), placeholder)

    for item in dossier.items:
        fields, sender = item.fields, item.actor is Actor.SENDER
        person = SENDER if sender else NAME if item.kind is Kind.NAME else COLLEAGUE
        add(person, fields.get("original_author", ""))
        # "Bo", "李": short, yet the whole of a name
        add(person, *(fields.get(key, "") for key in ("full_name", "first_name", "last_name")), least=1)
        add(OURS if sender else COMPANY, fields.get("company", ""), fields.get("school", ""))
        if item.kind is Kind.COMPANY_FACT and fields.get("attribute") in ("name", "alias"):
            add(COMPANY, fields.get("value", ""))
        if item.kind is Kind.IN_COMMON and not fields.get("full_name"):
            add(EVENT, fields.get("name", ""))
        add(EVENT, fields.get("event", ""), fields.get("publisher", ""), fields.get("issuer", ""))
    return Named(found)


def _targets(named: Named) -> list[tuple[str, str]]:
    """Whole names, then their telling parts; longer ones first."""
    found = {_plain(name): mark for name, mark in named.placeholders.items()}
    for name, mark in named.placeholders.items():
        for word in _WORD.findall(name):
            part = _plain(word)
            telling = len(part) >= LEAST_PART and part not in _FILLERS and word[:1].isupper()
            if telling and mark != EVENT:
                found.setdefault(part, mark)
        if mark in (COMPANY, OURS) and len(initials := _initials(name)) >= LEAST_PART:
            found.setdefault(initials, mark)
    return sorted(found.items(), key=lambda pair: (-len(pair[0]), pair[0]))


def _initials(name: str) -> str:
    """ "CLH" of "Coral Lantern Hotels"."""
    return "".join(_plain(word[0]) for word in _WORD.findall(name) if word[:1].isupper())


def _as_written(named: Named) -> frozenset[str]:
    """Plain forms of names that are written without a capital, or of several words: they are names in any case."""
    names = named.placeholders
    return frozenset(_plain(name) for name in names if " " in name or not any(map(str.isupper, name)))


def anonymised(text: str, *, named: Named) -> str:
    """The text with placeholders. A genitive's ending stays beside them."""
    text = _ADDRESS.sub(ADDRESS, unicodedata.normalize("NFC", text))
    small = _as_written(named)
    for target, mark in _targets(named):
        pattern = re.compile(rf"(?<!\w){re.escape(target)}(?=(?:[’']?s|[’']|n|en)?(?!\w))")
        plain, pieces, at = _plain(text), [], 0
        for match in pattern.finditer(plain):
            words = text[match.start() : match.end()]
            if _inside_mark(text, match.start()) or not (target in small or any(map(str.isupper, words))):
                continue
            pieces += [text[at : match.start()], mark]
            at = match.end()
        text = "".join([*pieces, text[at:]])
    return re.sub(r"(\[(?:Name|Sender|Somebody|Company|Our company)\])(?: \1)+", r"\1", text)


def _inside_mark(text: str, at: int) -> bool:
    opened = text.rfind("[", max(0, at - 14), at + 1)
    return opened >= 0 and "]" not in text[opened:at]


def leaks(text: str, *, named: Named) -> tuple[str, ...]:
    """Parts of names of people and companies that still stand in the text with a capital."""
    bare = re.sub(r"\[[A-Z][a-z ]{2,12}\]", " ", unicodedata.normalize("NFC", text))
    words = {_plain(word) for found in _WORD.findall(bare) if found[:1].isupper() for word in re.split(r"[’'-]", found)}
    parts = {part for target, mark in _targets(named) if mark != EVENT for part in _words(target)}
    # "Clayworkteam", "Rosenbergsche": what begins with a long part of a name tells it.
    long = tuple(part for part in parts if len(part) >= LONG_PART)
    joined = {part for part in long if any(word.startswith(part) for word in words)}
    return tuple(sorted(joined | (parts & words)))


def _words(target: str) -> Iterable[str]:
    return (word for word in _WORD.findall(target) if len(word) >= LEAST_PART and word not in _FILLERS)


def shrunken(*, positive: int, sent: int, base: float, weight: float = 50.0) -> float:
    """A rate that leans on the base until messages are many. base: 0 to 1; weight: messages the base counts for."""
    return (positive + weight * base) / (sent + weight)
