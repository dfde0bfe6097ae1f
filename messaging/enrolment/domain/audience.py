"""Whom a campaign is for: one value that a page's address, a form and the stored campaign all hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from prospects.domain.evidence import Kind
from prospects.domain.title_levels import Level


class Layer(StrEnum):
    """What a message to the person could rest on; the words are those of the hooks."""

    CONTEXTUAL = "contextual"
    SITUATIONAL = "situational"
    MOTIVATIONAL = "motivational"


#: For people, in the order in which they are offered.
SENIORITIES: Mapping[str, str] = MappingProxyType(
    {
        "chief": "Chief or owner", "vice_president": "Vice president", "head": "Head or director", "manager": "Manager",
        "lead": "Lead", "staff": "Staff", "unknown": "Not said",
    }
)  # fmt: skip
FUNCTIONS = (
    "engineering", "data", "product", "design", "sales", "marketing", "customer", "finance", "people", "operations",
    "security", "it", "legal", "procurement", "research",
)  # fmt: skip
#: Lowest number of each band, as LinkedIn and most databases cut them.
SIZES: Mapping[str, int] = MappingProxyType(
    {
        "1-10": 1, "11-50": 11, "51-200": 51, "201-500": 201, "501-1000": 501, "1001-5000": 1_001,
        "5001-10000": 5_001, "10001+": 10_001,
    }
)  # fmt: skip
LAYERS: Mapping[str, str] = MappingProxyType(
    {
        Layer.CONTEXTUAL: "Who they are: a present role is known",
        Layer.SITUATIONAL: "What is happening now: something of theirs or their company’s is recent",
        Layer.MOTIVATIONAL: "Why it matters to them: words of their own are known",
    }
)
#: Kinds that show what is happening now, and for how many days each does; as hooks count it.
CURRENT_DAYS: Mapping[Kind, int] = MappingProxyType(
    {
        Kind.POST: 120, Kind.COMMENT: 120, Kind.TALK: 365, Kind.PUBLICATION: 365, Kind.AWARD: 240, Kind.POSITION: 120,
        Kind.COMPANY_NEWS: 180, Kind.JOB: 120,
    }
)  # fmt: skip
CONNECTED: Mapping[str, str] = MappingProxyType(
    {"first": "Connected to us", "mutual": "Something or somebody in common", "none": "Not connected"}
)
MOST_DAYS = 3_650
MOST_PER_COMPANY = 1_000
_LONGEST_TEXT = 100
_MOST_CHOICES = 60
_BIGGEST_ID = 2**62


@dataclass(frozen=True, slots=True)
class Audience:
    """What people must fulfil, every part that is given; and which limits leave some of them out.

    title        words that all stand in the title
    seniority    keys of SENIORITIES; functions: of FUNCTIONS; sizes: of SIZES; one of each must hold
    industry     words in an industry of the company
    countries    two-letter codes; languages: codes as prospects have them, "unknown" where none is known
    seen_days    their present role was seen within so many days; 0 asks nothing, in all numbers of days
    layers       what there must be, every one of it
    connected    a key of CONNECTED
    owner        team mate (user id) for whom the connection or what is in common holds
    quiet_days   nothing went to them for so many days
    batch        import whose file names them
    rest_days    limit: who was written to within so many days, by any campaign, is left out
    fresh_only   limit: whose present role was not seen recently enough for "you are" is left out
    sure_language limit: whose language is not known is left out where the campaign writes several
    per_company  limit: people of one company enrolled on one day; 0 sets no limit
    """

    title: str = ""
    seniority: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    industry: str = ""
    sizes: tuple[str, ...] = ()
    countries: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    seen_days: int = 0
    layers: tuple[str, ...] = ()
    connected: str = ""
    owner: int = 0
    quiet_days: int = 0
    batch: int = 0
    rest_days: int = 30
    fresh_only: bool = True
    sure_language: bool = True
    per_company: int = 1

    def as_json(self) -> dict[str, Any]:
        """What differs from everybody under the usual limits, for storing."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value, usual in self._parts()
            if value != usual
        }

    def as_pairs(self) -> tuple[tuple[str, str], ...]:
        """The same as it stands in an address: one pair for each choice, 1 and 0 for yes and no."""
        pairs: list[tuple[str, str]] = []
        for name, value, usual in self._parts():
            if value == usual:
                continue
            values = value if isinstance(value, tuple) else (int(value) if isinstance(value, bool) else value,)
            pairs += [(name, str(one)) for one in values]
        return tuple(pairs)

    def _parts(self) -> Iterable[tuple[str, Any, Any]]:
        return ((field.name, getattr(self, field.name), field.default) for field in fields(self))

    @property
    def narrows(self) -> bool:
        """Whether it asks for anything at all."""
        return any(value != usual and name not in _LIMITS for name, value, usual in self._parts())

    @property
    def reads_texts(self) -> bool:
        """Whether titles, places or sizes have to be understood, and not only compared."""
        return bool(self.seniority or self.functions or self.sizes or self.countries)


_LIMITS = frozenset({"rest_days", "fresh_only", "sure_language", "per_company"})
EVERYBODY = Audience()


@dataclass(frozen=True, slots=True)
class Unusable:
    """A part that cannot be used, and what to do about it; the part is dropped."""

    part: str
    message: str


_CHOICES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "seniority": frozenset(SENIORITIES), "functions": frozenset(FUNCTIONS), "sizes": frozenset(SIZES),
        "layers": frozenset(LAYERS), "connected": frozenset(CONNECTED),
    }
)  # fmt: skip
_DAYS = frozenset({"seen_days", "quiet_days", "rest_days"})


def read_audience(values: Mapping[str, Sequence[str]]) -> tuple[Audience, tuple[Unusable, ...]]:
    """From the lists of texts of an address or a form. What cannot be used is dropped and told.

    A form that was filled in says `limits=1`: a box that is not ticked is not sent, and means no.
    """
    found: dict[str, Any] = {}
    wrong: list[Unusable] = []
    for field in fields(Audience):
        texts = [text.strip()[:200].strip() for text in values.get(field.name, ()) if text.strip()]
        if any("\0" in text for text in texts):
            wrong.append(Unusable(field.name, "The character U+0000 is no part of a text; leave it out."))
            continue
        if isinstance(field.default, bool):
            if texts or values.get("limits"):
                found[field.name] = bool(texts) and texts[-1] not in {"0", "false", "off"}
        elif texts:
            value = _value(field.name, field.default, texts)
            if isinstance(value, Unusable):
                wrong.append(value)
            else:
                found[field.name] = value
    return Audience(**found), tuple(wrong)


def stored_audience(said: Mapping[str, Any]) -> tuple[Audience, tuple[Unusable, ...]]:
    """From the stored form, or a file's."""
    texts: dict[str, list[str]] = {}
    unknown = [Unusable(str(name), f"{name!s}: there is no such filter.") for name in said if name not in _NAMES]
    for name, value in said.items():
        values = value if isinstance(value, (list, tuple)) else [value]
        texts[name] = [str(int(one)) if isinstance(one, bool) else str(one) for one in values]
    audience, wrong = read_audience(texts)
    return audience, (*unknown, *wrong)


_NAMES = frozenset(field.name for field in fields(Audience))


def _value(name: str, usual: Any, texts: list[str]) -> Any:
    if isinstance(usual, tuple):
        return _many(name, texts)
    if isinstance(usual, int):
        return _number(name, texts[-1])
    if name in _CHOICES and texts[-1] not in _CHOICES[name]:
        return _unknown(name, texts[-1])
    return " ".join(texts[-1].split())[:_LONGEST_TEXT].strip()


def _many(name: str, texts: list[str]) -> tuple[str, ...] | Unusable:
    """Choices, each once and in one order, so that equal audiences are equal; words may come with commas."""
    parts = [part.strip() for text in texts for part in text.split(",") if part.strip()]
    known = _CHOICES.get(name)
    if name == "countries":
        parts = [part.upper() for part in parts]
        wrong = next((part for part in parts if len(part) != 2 or not part.isascii() or not part.isalpha()), None)
        if wrong is not None:
            return Unusable(name, f"{wrong[:40]} is no country code; write two letters, as DE or US.")
    elif known is not None:
        unknown = next((part for part in parts if part not in known), None)
        if unknown is not None:
            return _unknown(name, unknown)
    return tuple(sorted({part[:16].strip() if known is None else part for part in parts}))[:_MOST_CHOICES]


def _unknown(name: str, text: str) -> Unusable:
    return Unusable(
        name, f"{text[:40]} is no {name.replace('_', ' ')}; choose one of {', '.join(sorted(_CHOICES[name]))}."
    )


def _number(name: str, text: str) -> int | Unusable:
    most = MOST_DAYS if name in _DAYS else MOST_PER_COMPANY if name == "per_company" else _BIGGEST_ID
    if not (text.isascii() and text.isdecimal() and len(text) < 20):
        return Unusable(name, f"{text[:40]} is no whole number.")
    number = int(text)
    if number > most:
        return Unusable(name, f"{text[:40]} is too large; write at most {most:,}.")
    return number


def level_key(level: Level) -> str:
    """The key of SENIORITIES."""
    return level.name.lower()


def size_band(text: str) -> str:
    """The band of what a source says of a company's size: "51-200 employees", "1.200", "5k+"; "" where it says none.

    A range belongs to the band of its lower end.
    """
    first = ""
    for sign in text.strip().lower():
        if sign.isascii() and sign.isdigit():
            first += sign
        elif sign in ".,'’ \u00a0\u202f" and first:
            continue
        elif first:
            thousands = sign == "k"
            number = int(first[:9]) * (1_000 if thousands else 1)
            return _band(number)
    return _band(int(first[:9])) if first else ""


def _band(number: int) -> str:
    return next((name for name, lowest in reversed(list(SIZES.items())) if number >= lowest), "")
