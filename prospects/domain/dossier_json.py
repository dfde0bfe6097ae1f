"""The product's own JSON form of a prospect, read into evidence. No I/O: takes parsed JSON, gives values.

Refs are the ones of the form itself: "post1", "news2", "positions[0]", "in_common[0]", "about",
"facts[0]" (the sender's), and for single values the key: "full_name", "company.industry".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias, TypeGuard

from prospects.domain.dates import DateInterval, partial_date
from prospects.domain.evidence import Actor, Dossier, Evidence, Kind, fields_of

Json: TypeAlias = Mapping[str, object]


class UnreadableDossier(ValueError):
    """The object is not a dossier; the message says which key is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class ReadProspect:
    """What one object said. Nothing is dropped silently.

    unknown_keys  dotted paths of keys that the form does not know, e.g. "prospect.hobbies"
    warnings      one sentence each for a value that was kept as text but could not be understood
    """

    dossier_id: str
    full_name: str
    items: tuple[Evidence, ...]
    unknown_keys: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _ListShape:
    """How the entries of one list become evidence."""

    keys: tuple[str, ...]
    kind: Kind
    actor: Actor
    text: Callable[[Json], str]
    dated_by: str = "date"


def _is_object(value: object) -> TypeGuard[Json]:
    return isinstance(value, Mapping)


def _text(value: object) -> str:
    if value is None or isinstance(value, (Mapping, list, bool)):
        return ""
    return str(value).strip()


def _line(*names: str) -> Callable[[Json], str]:
    """The named values joined into one line; the blank ones are left out."""
    return lambda entry: ", ".join(filter(None, (_text(entry.get(name)) for name in names)))


def _position_line(entry: Json) -> str:
    end = _text(entry.get("end")) or "today"
    period = f"({_text(entry.get('start')) or '?'} to {end})"
    described = _text(entry.get("description"))
    line = f"{_line('title', 'company')(entry)} {period}"
    return f"{line}: {described}" if described else line


def _news_line(entry: Json) -> str:
    return "\n".join(filter(None, (_text(entry.get("title")), _text(entry.get("text")))))


PROSPECT_LISTS: Mapping[str, _ListShape] = {
    "positions": _ListShape(
        ("title", "company", "start", "end", "description"),
        Kind.POSITION,
        Actor.PROSPECT,
        _position_line,
        dated_by="start",
    ),
    "education": _ListShape(
        ("school", "degree", "start", "end"),
        Kind.EDUCATION,
        Actor.PROSPECT,
        _line("degree", "school", "start", "end"),
        dated_by="start",
    ),
    "certifications": _ListShape(
        ("name", "issuer", "date"), Kind.CERTIFICATION, Actor.PROSPECT, _line("name", "issuer", "date")
    ),
    "awards": _ListShape(("title", "issuer", "date"), Kind.AWARD, Actor.PROSPECT, _line("title", "issuer", "date")),
    "talks": _ListShape(("title", "event", "date"), Kind.TALK, Actor.PROSPECT, _line("title", "event", "date")),
    "publications": _ListShape(
        ("title", "publisher", "date", "url"),
        Kind.PUBLICATION,
        Actor.PROSPECT,
        _line("title", "publisher", "date"),
    ),
    "projects": _ListShape(
        ("title", "start", "end", "url"),
        Kind.PROJECT,
        Actor.PROSPECT,
        _line("title", "start", "end"),
        dated_by="start",
    ),
}

COMPANY_LISTS: Mapping[str, _ListShape] = {
    "news": _ListShape(("id", "date", "title", "text", "url"), Kind.COMPANY_NEWS, Actor.COMPANY, _news_line),
    "people": _ListShape(
        ("full_name", "title", "note"), Kind.COLLEAGUE, Actor.COLLEAGUE, _line("full_name", "title", "note")
    ),
    "jobs": _ListShape(("title", "date", "text", "url"), Kind.JOB, Actor.COMPANY, _news_line),
}

IN_COMMON = _ListShape(
    (
        "kind",
        "full_name",
        "title",
        "company",
        "name",
        "date",
        "sender_role",
        "prospect_role",
        "sender_years",
        "prospect_years",
    ),
    Kind.IN_COMMON,
    Actor.OTHER,
    _line(
        "kind",
        "full_name",
        "title",
        "company",
        "name",
        "date",
        "sender_role",
        "prospect_role",
        "sender_years",
        "prospect_years",
    ),
)
PROOF_POINT = _ListShape(("id", "text", "date", "source"), Kind.PROOF_POINT, Actor.SENDER, _line("text"))

_POST_KEYS = ("id", "date", "kind", "text", "language", "original_author", "on", "url")
_POST_KINDS = {"post": Kind.POST, "comment": Kind.COMMENT, "reshare": Kind.RESHARE}
_COMPANY_FACTS = ("name", "industry", "size", "headquarters", "description", "website")
_PROSPECT_KEYS = frozenset(
    {"full_name", "headline", "location", "profile_language", "languages", "about", "skills", "posts"}
    | set(PROSPECT_LISTS)
)
_COMPANY_KEYS = frozenset({*_COMPANY_FACTS, "aliases", *COMPANY_LISTS})
_TOP_KEYS = frozenset({"dossier_id", "as_of", "prospect", "company", "in_common", "sender"})
_SENDER_KEYS = frozenset({"full_name", "title", "company", "offer", "facts"})


class _Reader:
    """Collects evidence, unknown keys and warnings of one object."""

    def __init__(self, *, observed_at: date | None, source: str) -> None:
        self.observed_at = observed_at
        self.source = source
        self.items: list[Evidence] = []
        self.unknown: list[str] = []
        self.warnings: list[str] = []

    def keys(self, path: str, entry: Json, known: Iterable[str]) -> None:
        self.unknown += [f"{path}.{key}".lstrip(".") for key in entry if key not in frozenset(known)]

    def interval(self, path: str, value: object) -> DateInterval | None:
        text = _text(value)
        if not text:
            return None
        interval = partial_date(text)
        if interval is None:
            self.warnings.append(f"{path}: {text!r} is not a date (use YYYY, YYYY-MM or YYYY-MM-DD); kept as undated.")
        return interval

    def add(
        self,
        ref: str,
        kind: Kind,
        actor: Actor,
        text: str,
        *,
        fields: Iterable[tuple[str, str | None]] = (),
        occurred: DateInterval | None = None,
        language: str = "",
    ) -> None:
        self.items.append(
            Evidence(
                ref=ref,
                kind=kind,
                actor=actor,
                text=text,
                fields=fields_of(fields),
                occurred=occurred,
                observed_at=self.observed_at,
                source=self.source,
                language=language,
            )
        )

    def objects(self, path: str, value: object) -> list[tuple[int, Json]]:
        """The entries of a list that are objects; others are reported."""
        if value is None:
            return []
        if not isinstance(value, list):
            self.warnings.append(f"{path}: expected a list; ignored.")
            return []
        found = []
        for index, entry in enumerate(value):
            if _is_object(entry):
                found.append((index, entry))
            else:
                self.warnings.append(f"{path}[{index}]: expected an object; ignored.")
        return found

    def texts(self, path: str, value: object) -> list[tuple[int, str]]:
        """The entries of a list of plain values; a lone value counts as a list of one."""
        values = value if isinstance(value, list) else [value]
        texts = [(index, _text(entry)) for index, entry in enumerate(values)]
        if any(isinstance(entry, (Mapping, list)) for entry in values):
            self.warnings.append(f"{path}: expected a list of words; other entries ignored.")
        return [(index, text) for index, text in texts if text]

    def typed_list(self, path: str, name: str, value: object, shape: _ListShape) -> None:
        """Entries become name[0], name[1] …, or go by their own id where they have one."""
        for index, entry in self.objects(f"{path}.{name}".lstrip("."), value):
            place = f"{name}[{index}]"
            self.keys(f"{path}.{place}".lstrip("."), entry, shape.keys)
            ref = _text(entry.get("id")) if name == "news" else ""
            self.interval_end(place, entry)
            self.add(
                ref or place,
                shape.kind,
                shape.actor,
                shape.text(entry),
                fields=[(key, _text(entry.get(key))) for key in shape.keys if key != "text"],
                occurred=self.interval(f"{place}.{shape.dated_by}", entry.get(shape.dated_by)),
            )

    def interval_end(self, place: str, entry: Json) -> None:
        if "end" in entry:
            self.interval(f"{place}.end", entry["end"])


def _read_posts(reader: _Reader, value: object) -> None:
    for index, entry in reader.objects("prospect.posts", value):
        place = f"posts[{index}]"
        reader.keys(f"prospect.{place}", entry, _POST_KEYS)
        word = _text(entry.get("kind")) or "post"
        kind = _POST_KINDS.get(word)
        if kind is None:
            reader.warnings.append(f"{place}.kind: {word!r} is not post, comment or reshare; taken as not their own.")
            kind = Kind.RESHARE
        reader.add(
            _text(entry.get("id")) or place,
            kind,
            Actor.OTHER if kind is Kind.RESHARE else Actor.PROSPECT,
            _text(entry.get("text")),
            fields=[(key, _text(entry.get(key))) for key in ("id", "url", "on", "original_author")],
            occurred=reader.interval(f"{place}.date", entry.get("date")),
            language=_text(entry.get("language")),
        )


def _split_name(full_name: str) -> tuple[str, str]:
    first, _, last = full_name.partition(" ")
    return first, last.strip()


def _read_person(reader: _Reader, prospect: Json) -> None:
    reader.keys("prospect", prospect, _PROSPECT_KEYS)
    name = _text(prospect.get("full_name"))
    if name:
        first, last = _split_name(name)
        reader.add(
            "full_name",
            Kind.NAME,
            Actor.PROSPECT,
            name,
            fields=(("full_name", name), ("first_name", first), ("last_name", last)),
        )
    for key, kind in (("headline", Kind.HEADLINE), ("location", Kind.LOCATION), ("about", Kind.ABOUT)):
        text = _text(prospect.get(key))
        if text:
            reader.add(key, kind, Actor.PROSPECT, text)
    code = _text(prospect.get("profile_language"))
    if code:
        reader.add("profile_language", Kind.PROFILE_LANGUAGE, Actor.PROSPECT, code, fields=(("code", code),))
    for index, text in reader.texts("prospect.languages", prospect.get("languages")):
        spoken, _, level = text.partition("(")
        reader.add(
            f"languages[{index}]",
            Kind.LANGUAGE,
            Actor.PROSPECT,
            text,
            fields=(("name", spoken.strip()), ("level", level.rstrip(") "))),
        )
    for index, text in reader.texts("prospect.skills", prospect.get("skills")):
        reader.add(f"skills[{index}]", Kind.SKILL, Actor.PROSPECT, text, fields=(("name", text),))
    for key, shape in PROSPECT_LISTS.items():
        reader.typed_list("prospect", key, prospect.get(key), shape)
    _read_posts(reader, prospect.get("posts"))


def _read_company(reader: _Reader, company: Json) -> None:
    reader.keys("company", company, _COMPANY_KEYS)
    for attribute in _COMPANY_FACTS:
        text = _text(company.get(attribute))
        if text:
            reader.add(
                f"company.{attribute}",
                Kind.COMPANY_FACT,
                Actor.COMPANY,
                text,
                fields=(("attribute", attribute), ("value", text)),
            )
    for index, text in reader.texts("company.aliases", company.get("aliases")):
        reader.add(
            f"company.aliases[{index}]",
            Kind.COMPANY_FACT,
            Actor.COMPANY,
            text,
            fields=(("attribute", "alias"), ("value", text)),
        )
    for key, shape in COMPANY_LISTS.items():
        reader.typed_list("company", key, company.get(key), shape)


def _read_sender(reader: _Reader, sender: Json) -> None:
    reader.keys("sender", sender, _SENDER_KEYS)
    name = _text(sender.get("full_name"))
    reader.add(
        "sender",
        Kind.SENDER,
        Actor.SENDER,
        _line("full_name", "title", "company")(sender),
        fields=(("full_name", name), ("title", _text(sender.get("title"))), ("company", _text(sender.get("company")))),
    )
    offer = _text(sender.get("offer"))
    if offer:
        reader.add("offer", Kind.OFFER, Actor.SENDER, offer)
    reader.typed_list("", "facts", sender.get("facts"), PROOF_POINT)


def _part(obj: Json, key: str) -> Json:
    value = obj.get(key)
    if value is None:
        return {}
    if not _is_object(value):
        raise UnreadableDossier(f"{key!r} must be an object.")
    return value


def _person_and_company(obj: object, reader: _Reader) -> Json:
    if not _is_object(obj):
        raise UnreadableDossier("A dossier is a JSON object; see the description of the format.")
    prospect = _part(obj, "prospect")
    if not prospect:
        raise UnreadableDossier("The object has no 'prospect' part, so it describes nobody.")
    reader.keys("", obj, _TOP_KEYS)
    _read_person(reader, prospect)
    _read_company(reader, _part(obj, "company"))
    reader.typed_list("", "in_common", obj.get("in_common"), IN_COMMON)
    return obj


def read_prospect(obj: object, *, observed_at: date | None = None, source: str = "") -> ReadProspect:
    """Evidence about the prospect; the sender and the day of sending in the object are not used.

    observed_at is the day the file was read. Raises UnreadableDossier when the object is no dossier.
    """
    reader = _Reader(observed_at=observed_at, source=source)
    read = _person_and_company(obj, reader)
    return ReadProspect(
        dossier_id=_text(read.get("dossier_id")),
        full_name=_text(_part(read, "prospect").get("full_name")),
        items=tuple(reader.items),
        unknown_keys=tuple(reader.unknown),
        warnings=tuple(reader.warnings),
    )


def read_dossier(obj: object, *, source: str = "") -> Dossier:
    """The complete dossier with the sender's evidence, to be sent on its own `as_of`.

    Raises UnreadableDossier when the object is no dossier or `as_of` is not a full day.
    """
    as_of = _text(obj.get("as_of")) if _is_object(obj) else ""
    day = partial_date(as_of)
    if day is None or day.precision != "day":
        raise UnreadableDossier(f"'as_of' must be the day of sending as YYYY-MM-DD, not {as_of!r}.")
    reader = _Reader(observed_at=day.first, source=source)
    read = _person_and_company(obj, reader)
    _read_sender(reader, _part(read, "sender"))
    return Dossier(dossier_id=_text(read.get("dossier_id")), send_by=day.first, items=tuple(reader.items))
