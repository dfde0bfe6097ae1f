"""A campaign as a JSON file: read strictly, every fault with the JSON path at which it stands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from outreach.campaigns.domain.entry import Fault, OfferEntry, SendingEntry
from outreach.campaigns.domain.offer import ProofPoint
from outreach.campaigns.domain.sequence import ALWAYS, Step

_OFFER = ("name", "purpose", "offer", "value_proposition", "call_to_action", "tone")
_TEXTS = (*_OFFER, "slug", "sender", "mailbox", "linkedin")
_LISTS = ("must_not_say", "languages")
_KNOWN = frozenset(
    [*_TEXTS, *_LISTS, "steps", "proof_points", "no_proof_needed", "starts_on", "ends_on", "budget", "drafts_per_day"]
)
_STEP = frozenset(["channel", "wait_days", "condition", "instruction"])
_POINT = frozenset(["key", "text", "source", "date", "expires_on"])
#: Characters of an unknown name that are told back.
_SHOWN = 60
_ROW = re.compile(r"^(steps|proof_points)\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class Document:
    """What the file says. sender: full name; mailbox, linkedin: addresses of the team's accounts; "" names none."""

    slug: str
    offer: OfferEntry
    sending: SendingEntry
    sender: str
    mailbox: str
    linkedin: str
    steps: tuple[Step, ...]
    proof_points: tuple[ProofPoint, ...]
    no_proof_needed: bool


def at_path(fault: Fault) -> Fault:
    """A fault of an entry as one of the file: `steps[2].wait_days` stands at `$.steps[1].wait_days`."""
    place = _ROW.match(fault.field)
    name = fault.field
    if place:
        name = f"{place.group(1)}[{int(place.group(2)) - 1}]{fault.field[place.end() :]}"
    return Fault(f"$.{name}", fault.message)


class _Reader:
    """Takes values out of the file and collects what is wrong."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def wrong(self, path: str, message: str) -> None:
        self.faults.append(Fault(path, message))

    def object(self, value: Any, path: str, known: frozenset[str]) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            self.wrong(path, "write an object in braces")
            return {}
        for name in value:
            if name not in known:
                shown = name[:_SHOWN].encode(errors="backslashreplace").decode()
                self.wrong(f"{path}.{shown}", f"is not known here; known are {', '.join(sorted(known))}")
        return value

    def text(self, of: Mapping[str, Any], name: str, path: str, otherwise: str = "") -> str:
        value = of.get(name, otherwise)
        if isinstance(value, str):
            return value
        self.wrong(f"{path}.{name}", "write a text in quotes")
        return otherwise

    def number(self, of: Mapping[str, Any], name: str, path: str) -> int | None:
        value = of.get(name)
        if value is None or (isinstance(value, int) and not isinstance(value, bool)):
            return value
        self.wrong(f"{path}.{name}", "write a whole number")
        return None

    def amount(self, of: Mapping[str, Any], name: str, path: str) -> Decimal | None:
        value = of.get(name)
        if value is None:
            return None
        try:
            found = Decimal(str(value)).quantize(Decimal("0.01"))
        except InvalidOperation:
            found = Decimal("NaN")
        if not found.is_finite():
            self.wrong(f"{path}.{name}", "write an amount, as 12.50")
            return None
        return found

    def day(self, of: Mapping[str, Any], name: str, path: str) -> date | None:
        value = of.get(name)
        if value is None:
            return None
        try:
            return date.fromisoformat(value)
        except (TypeError, ValueError):
            self.wrong(f"{path}.{name}", "write a day as YYYY-MM-DD")
            return None

    def truth(self, of: Mapping[str, Any], name: str, path: str) -> bool:
        value = of.get(name, False)
        if not isinstance(value, bool):
            self.wrong(f"{path}.{name}", "write true or false")
        return value is True

    def rows(self, of: Mapping[str, Any], name: str, path: str) -> list[Any]:
        value = of.get(name, [])
        if isinstance(value, list):
            return value
        self.wrong(f"{path}.{name}", "write a list in brackets")
        return []

    def texts(self, of: Mapping[str, Any], name: str, path: str) -> tuple[str, ...]:
        found = self.rows(of, name, path)
        for place, value in enumerate(found):
            if not isinstance(value, str):
                self.wrong(f"{path}.{name}[{place}]", "write a text in quotes")
        return tuple(value for value in found if isinstance(value, str))


def read_document(value: Any) -> Document | tuple[Fault, ...]:
    """The campaign, or everything wrong with the form of the file; what the values mean is checked with the entry."""
    reader = _Reader()
    root = reader.object(value, "$", _KNOWN)
    texts = {name: reader.text(root, name, "$") for name in _TEXTS}
    lists = {name: reader.texts(root, name, "$") for name in _LISTS}
    found = Document(
        slug=texts["slug"],
        offer=OfferEntry(
            **{name: texts[name] for name in _OFFER}, must_not_say="\n".join(lists["must_not_say"]),
            languages=lists["languages"],
        ),
        sending=SendingEntry(
            starts_on=reader.day(root, "starts_on", "$"), ends_on=reader.day(root, "ends_on", "$"),
            budget=reader.amount(root, "budget", "$"), drafts_per_day=reader.number(root, "drafts_per_day", "$"),
        ),
        sender=texts["sender"],
        mailbox=texts["mailbox"],
        linkedin=texts["linkedin"],
        steps=tuple(_step(reader, row, place) for place, row in enumerate(reader.rows(root, "steps", "$"))),
        proof_points=tuple(
            _point(reader, row, place) for place, row in enumerate(reader.rows(root, "proof_points", "$"))
        ),
        no_proof_needed=reader.truth(root, "no_proof_needed", "$"),
    )  # fmt: skip
    return tuple(reader.faults) or found


def _step(reader: _Reader, row: Any, place: int) -> Step:
    path = f"$.steps[{place}]"
    said = reader.object(row, path, _STEP)
    return Step(
        place + 1,
        reader.text(said, "channel", path),
        reader.number(said, "wait_days", path) or 0,
        reader.text(said, "condition", path, ALWAYS),
        reader.text(said, "instruction", path),
    )


def _point(reader: _Reader, row: Any, place: int) -> ProofPoint:
    path = f"$.proof_points[{place}]"
    said = reader.object(row, path, _POINT)
    key, text, source, day = (reader.text(said, name, path) for name in ("key", "text", "source", "date"))
    return ProofPoint(key, text, source, day, reader.day(said, "expires_on", path))
