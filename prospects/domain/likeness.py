"""Whether two records may be one person: what speaks for it and against it, side by side. It decides nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from prospects.domain.identity import Key, KeyKind, normalized_company
from prospects.domain.names import NoName, fold_name, names_agree, read_name

#: Keys of which a person has one at a time: two different ones speak for two people.
_SINGULAR = (KeyKind.LINKEDIN_SLUG, KeyKind.LINKEDIN_ID, KeyKind.LINKEDIN_URN)
_LABELS = {
    KeyKind.LINKEDIN_SLUG: "LinkedIn profile",
    KeyKind.LINKEDIN_URN: "LinkedIn URN",
    KeyKind.LINKEDIN_ID: "LinkedIn number",
    KeyKind.EMAIL: "E-mail address",
    KeyKind.SOURCE_ID: "Id in the source",
}
#: Parts of addresses that are no names.
_DEPARTMENTS = (
    "info contact hello sales office admin support team mail post jobs hr marketing press kontakt buero vertrieb bonjour "
    "ventas contacto vendas contato vendite verkoop noreply"
)
_ROLE_WORDS = frozenset(_DEPARTMENTS.split())


class Agreement(StrEnum):
    """How one line of two records compares."""

    SAME = "same"
    DIFFERS = "differs"
    ONE_SIDED = "one-sided"


@dataclass(frozen=True, slots=True)
class Record:
    """A person's record, as far as the comparison looks at it."""

    full_name: str
    title: str = ""
    company: str = ""
    location: str = ""
    keys: tuple[Key, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the comparison; several values of a record stand in one tuple."""

    label: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    agreement: Agreement


def _one(text: str) -> tuple[str, ...]:
    return (text,) if text else ()


def _line(label: str, first: tuple[str, ...], second: tuple[str, ...], *, same: bool) -> Line:
    if not first or not second:
        return Line(label, first, second, Agreement.ONE_SIDED)
    return Line(label, first, second, Agreement.SAME if same else Agreement.DIFFERS)


def _same_name(first: str, second: str) -> bool:
    read, other = read_name(first), read_name(second)
    if isinstance(read, NoName) or isinstance(other, NoName):
        return False
    return names_agree(read, other)


def _of_kind(record: Record, kind: KeyKind) -> tuple[str, ...]:
    return tuple(sorted({key.value for key in record.keys if key.kind is kind}))


def compare(first: Record, second: Record) -> tuple[Line, ...]:
    """Every line on which one of them says something. Keys agree when any is shared."""
    lines = [
        _line(
            "Name", _one(first.full_name), _one(second.full_name), same=_same_name(first.full_name, second.full_name)
        ),
        _line("Title", _one(first.title), _one(second.title), same=fold_name(first.title) == fold_name(second.title)),
        _line(
            "Company",
            _one(first.company),
            _one(second.company),
            same=normalized_company(first.company) == normalized_company(second.company),
        ),
        _line(
            "Location",
            _one(first.location),
            _one(second.location),
            same=fold_name(first.location) == fold_name(second.location),
        ),
    ]
    for kind in KeyKind:
        ours, theirs = _of_kind(first, kind), _of_kind(second, kind)
        lines.append(_line(_LABELS[kind], ours, theirs, same=bool(set(ours) & set(theirs))))
    return tuple(line for line in lines if line.first or line.second)


def speaks_against(first: Sequence[Key], second: Sequence[Key]) -> str:
    """Why two records of one name are two people all the same: each has a LinkedIn profile of its own. "" if nothing."""
    for kind in _SINGULAR:
        ours = {key.value for key in first if key.kind is kind}
        theirs = {key.value for key in second if key.kind is kind}
        if ours and theirs and not ours & theirs:
            return f"each has a {_LABELS[kind]} of its own"
    return ""


def _words_of_key(key: Key) -> list[str]:
    """The words of a profile name or address that can be a name: "diego-armenta-4b1a" → diego, armenta."""
    text = key.value.rpartition("@")[0] if key.kind is KeyKind.EMAIL else key.value
    words = [fold_name(word) for word in re.split(r"[.\-_+\s]", text)]
    return [word for word in words if len(word) > 2 and word.isalpha() and word not in _ROLE_WORDS]


def strangers(full_name: str, keys: Iterable[Key]) -> tuple[Key, ...]:
    """Keys that spell out a first and a last name of which neither occurs in the name: "diego.ruiz@…" of Paolo Conti.

    A hint for people. Handles, initials and mailboxes of departments prove nothing and are left out.
    """
    name = fold_name(full_name)
    parts = name.split()
    found = []
    for key in keys:
        if key.kind not in {KeyKind.EMAIL, KeyKind.LINKEDIN_SLUG}:
            continue
        words = _words_of_key(key)
        if len(words) == 2 and not any(_related(word, part) for word in words for part in parts):
            found.append(key)
    return tuple(found)


def _related(word: str, part: str) -> bool:
    """Whether they may be one name: "kate" and "katherine", "joerg" and the folded "jorg", "muellerj" and "muller"."""
    bare, ours = (text.replace("ae", "a").replace("oe", "o").replace("ue", "u") for text in (word, part))
    return len(ours) > 1 and (bare[:3] == ours[:3] or ours in bare)
