"""vCard 2.1 (quoted-printable, soft breaks), 3.0 (folded, escaped, grouped) and 4.0."""

from __future__ import annotations

import quopri
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from prospects.domain.building import PersonBuilder
from prospects.domain.evidence import Kind
from prospects.domain.imported import Format, ImportedPerson, Reading, Skipped
from prospects.domain.reading import Text, Unreadable, scrub
from prospects.domain.upload import Upload
from prospects.domain.wild_dates import Period

NAME = "vcard"
_FOLD = re.compile(r"\r?\n[ \t]")
_ESCAPED = re.compile(r"\\([nN,;:\\])")
_LINE = re.compile(
    r"(?:[\w-]+\.)?(?P<name>[A-Za-z][\w-]*)(?P<parameters>(?:;[^:\"]*(?:\"[^\"]*\")?)*):(?P<value>.*)\Z", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Property:
    name: str
    parameters: str
    value: str

    def parts(self, separator: str) -> list[str]:
        """The value split at separators that are not escaped, each part unescaped."""
        return [_unescape(part) for part in re.split(rf"(?<!\\){separator}", self.value)]


def _unescape(text: str) -> str:
    return _ESCAPED.sub(lambda match: "\n" if match.group(1) in "nN" else match.group(1), text).strip()


def _unfolded(text: str) -> Iterator[str]:
    """Logical lines: folds of 3.0 joined, and the soft breaks of quoted-printable."""
    pending = ""
    for line in _FOLD.sub("", text).replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        joined = pending + line
        if "QUOTED-PRINTABLE" in joined.upper().split(":", 1)[0] and joined.endswith("="):
            pending = joined[:-1]
            continue
        pending = ""
        yield joined


def _property(line: str) -> Property | None:
    match = _LINE.match(line)
    if match is None:
        return None
    name, parameters, value = match.group("name").upper(), match.group("parameters").upper(), match.group("value")
    if "QUOTED-PRINTABLE" in parameters:
        charset = re.search(r"CHARSET=\"?([\w-]+)", parameters)
        value = _decoded(quopri.decodestring(value.encode()), charset.group(1) if charset else "UTF-8")
    return Property(name=name, parameters=parameters, value=scrub(value))


def _decoded(data: bytes, charset: str) -> str:
    try:
        return data.decode(charset)
    except (LookupError, UnicodeDecodeError):
        return data.decode("cp1252", errors="replace")


def _cards(text: str) -> Iterator[list[Property]]:
    card: list[Property] | None = None
    for line in _unfolded(text):
        upper = line.strip().upper()
        if upper == "BEGIN:VCARD":
            if card:  # the one before was cut off: what it says is kept all the same
                yield card
            card = []
        elif upper == "END:VCARD":
            if card is not None:
                yield card
            card = None
        elif card is not None and (found := _property(line)) is not None:
            card.append(found)
    if card:
        yield card


def _first(card: list[Property], *names: str) -> Property | None:
    return next((entry for entry in card if entry.name in names), None)


def _fill(builder: PersonBuilder, card: list[Property]) -> None:
    _identify(builder, card)
    organisation, title = _first(card, "ORG"), _first(card, "TITLE", "ROLE")
    company = organisation.parts(";")[0] if organisation else ""
    builder.position(title=_unescape(title.value) if title else "", company=company, period=Period(current=True))
    builder.works_at(company)


def _identify(builder: PersonBuilder, card: list[Property]) -> None:
    """N holds the parts, the fifth of them what follows the name; FN, which every version but 2.1 demands, stands in."""
    parts, full = _first(card, "N"), _first(card, "FN")
    if full is not None:
        builder.named(full=_unescape(full.value))
    if parts is not None:
        last, first, _, _, suffix = [*parts.parts(";"), "", "", "", ""][:5]
        builder.named(first=first, last=", ".join(filter(None, (last, suffix))) if first and last else last)
    spoken = _first(card, "LANG")
    if spoken is not None:
        builder.text(Kind.PROFILE_LANGUAGE, spoken.value, fields=(("code", spoken.value.strip()),))
    for entry in card:
        value = _unescape(entry.value)
        if entry.name == "EMAIL":
            builder.emails(value)
        elif entry.name in {"URL", "X-SOCIALPROFILE", "SOCIALPROFILE"}:
            builder.profile(value)
        elif entry.name == "UID":
            builder.source_id(value)


def recognises(upload: Upload) -> bool:
    return (
        not upload.is_zip and isinstance(upload.decoded, Text) and "BEGIN:VCARD" in upload.decoded.head[:2_000].upper()
    )


def read(upload: Upload, today: date) -> Reading | Unreadable:
    if isinstance(upload.decoded, Unreadable):
        return upload.decoded
    people: list[ImportedPerson] = []
    skipped: list[Skipped] = []
    for row, card in enumerate(_cards(upload.decoded.text), 1):
        place = f"{upload.file_name} card {row}"
        builder = PersonBuilder(format_name=NAME, row=row, place=place, observed_at=today)
        builder.fingerprint = repr(card)
        _fill(builder, card)
        found = builder.build()
        if isinstance(found, ImportedPerson):
            people.append(found)
        else:
            skipped.append(Skipped(row=row, reason=found, place=place))
    return Reading(format=NAME, people=tuple(people), skipped=tuple(skipped), warnings=upload.decoded.warnings)


FORMAT = Format(name=NAME, label="vCard", recognises=recognises, read=read)
