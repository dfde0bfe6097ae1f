"""Verification of a file of messages against a file of dossiers: parsed lines in, plain results out.

A line or record that cannot be read costs the messages that need it, and no others: each of those is blocked, with the
place and what is wrong there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from messaging.verification.contract import CheckInput, MessageText, Report
from messaging.verification.engine import verify
from messaging.verification.judge import Judge, Judged, judged
from prospects.domain.dossier_json import UnreadableDossier, read_dossier
from prospects.domain.evidence import Dossier
from prospects.domain.json_text import load_json

#: What decoding with "surrogateescape" makes of bytes that are not UTF-8.
_NOT_UTF8 = re.compile("[\udc80-\udcff]")
_CHANNELS = frozenset({"linkedin_connection", "linkedin_message", "inmail", "email"})


class UnreadableInput(ValueError):
    """The text cannot be read at all; the message names the line and what to do."""


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a file. place: "line 3". fault: why it cannot be read ("" when it can), then value is empty."""

    place: str
    value: Mapping[str, Any]
    fault: str = ""


@dataclass(slots=True)
class Known:
    """The dossiers of a file by id. broken: by id, why that one cannot be used. lost: faults of records without an id."""

    name: str
    read: dict[str, Dossier] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)

    @property
    def faults(self) -> list[str]:
        """Everything in the file that could not be used."""
        return [*self.lost, *self.broken.values()]

    def why_not(self, dossier_id: object) -> str:
        """Why there is no such dossier."""
        known = self.broken.get(str(dossier_id))
        if known:
            return f"its dossier cannot be read: {known}"
        reason = f"no dossier {dossier_id!r} in the dossiers file"
        if self.lost:
            more = f" and {len(self.lost) - 1} more" if len(self.lost) > 1 else ""
            reason += f"; it may be the one that cannot be read: {self.lost[0]}{more}"
        return reason


@dataclass(frozen=True, slots=True)
class Case:
    """A message to be checked and the dossier it is about."""

    case_id: str
    message: MessageText
    dossier: Dossier
    given: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Unmatched:
    """A message that cannot be checked, with the reason."""

    case_id: str
    reason: str


def records(data: bytes, name: str) -> list[Record]:
    """JSON lines, one JSON object, or a list of objects, in UTF-8. Raises UnreadableInput when nothing of it can be read."""
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    try:
        whole = None if _undecoded(text) else load_json(text)
    except json.JSONDecodeError:
        whole = None
    if whole is None:
        found = [_line(line, number, name) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    else:
        listed = whole if isinstance(whole, list) else [whole]
        found = [_object(value, f"record {number}", name) for number, value in enumerate(listed, 1)]
    if not found:
        raise UnreadableInput(f"{name}: no records; expected one JSON object a line.")
    if all(record.fault for record in found):
        raise UnreadableInput(found[0].fault)
    return found


def _undecoded(text: str) -> int:
    """The place, from 1, of the first byte that is not UTF-8; 0 for none."""
    found = _NOT_UTF8.search(text)
    return found.start() + 1 if found else 0


def _line(line: str, number: int, name: str) -> Record:
    place = f"line {number}"
    if column := _undecoded(line):
        return Record(place, {}, f"{name}, {place}: not UTF-8 text at column {column}; save the file as UTF-8.")
    try:
        value = load_json(line)
    except json.JSONDecodeError as error:
        return Record(place, {}, f"{name}, {place}: not JSON ({error.msg} at column {error.colno}).")
    return _object(value, place, name)


def _object(value: object, place: str, name: str) -> Record:
    if isinstance(value, dict):
        return Record(place, value)
    return Record(place, {}, f"{name}, {place}: not a JSON object, but {_kind_of(value)} at column 1.")


def _kind_of(value: object) -> str:
    names = {str: "a text", list: "a list", bool: "true or false", int: "a number", float: "a number"}
    return names.get(type(value), "null")


def dossiers(listed: Iterable[Record], name: str) -> Known:
    """Dossiers by id; an id that occurs twice names neither, since nobody can tell which one is meant."""
    known = Known(name)
    places: dict[str, str] = {}
    for record in listed:
        if record.fault:
            known.lost.append(record.fault)
            continue
        dossier_id = str(record.value.get("dossier_id") or "")
        if not dossier_id:
            known.lost.append(f"{name}, {record.place}: 'dossier_id' is missing.")
            continue
        if dossier_id in places:
            both = f"{places[dossier_id]} and {record.place}"
            known.broken[dossier_id] = f"{name}: dossier_id {dossier_id!r} occurs twice ({both})."
            known.read.pop(dossier_id, None)
            continue
        places[dossier_id] = record.place
        try:
            known.read[dossier_id] = read_dossier(record.value)
        except UnreadableDossier as error:
            known.broken[dossier_id] = f"{name}, {record.place}: {error}"
    return known


def cases(listed: Iterable[Record], known: Known, name: str) -> Iterator[Case | Unmatched]:
    """Each message with its dossier, or why it cannot be checked, in order."""
    for record in listed:
        yield Unmatched(record.place, record.fault) if record.fault else _case(record, known, name)


def _case(record: Record, known: Known, name: str) -> Case | Unmatched:
    given = record.value
    case_id = str(given.get("case_id") or record.place)
    body = given.get("body")
    if not isinstance(body, str):
        return Unmatched(case_id, f"{name}, {record.place} ({case_id}): 'body' must be text.")
    dossier = known.read.get(str(given.get("dossier_id")))
    if dossier is None:
        return Unmatched(case_id, f"{name}, {record.place}: {known.why_not(given.get('dossier_id'))}")
    channel = str(given.get("channel") or "email")
    if channel not in _CHANNELS:
        named = ", ".join(sorted(_CHANNELS))
        return Unmatched(case_id, f"{name}, {record.place}: channel {channel!r} is not one of {named}")
    message = MessageText(str(given.get("subject") or ""), body, str(given.get("language") or ""), channel)
    return Case(case_id, message, dossier, given)


def check(case: Case) -> Report:
    """The report of one case, without a declaration."""
    return verify(CheckInput(case.message, case.dossier))


def with_judge(case: Case, report: Report, judge: Judge) -> Judged:
    """The report as a judge leaves it."""
    return judged(CheckInput(case.message, case.dossier), report, judge)


def line_of(case_id: str, report: Report, milliseconds: float) -> dict[str, Any]:
    """The line that `verify_messages --json` prints for a message."""
    findings: list[dict[str, Any]] = [
        {
            "field": claim.field_name,
            "start": claim.start,
            "end": claim.end,
            "span": claim.span,
            "kind": str(claim.type),
            "verdict": str(claim.verdict),
            "reason": claim.reason,
            "evidence": list(claim.evidence),
        }
        for claim in report.findings
    ]
    if report.refused:
        findings = [_whole("body", report.refused)]
    return {
        "case_id": case_id,
        "verdict": "pass" if report.passes else "block",
        "findings": findings,
        "ms": round(milliseconds, 2),
    }


def refused_line(unmatched: Unmatched) -> dict[str, Any]:
    """A message that could not be checked is blocked, with the reason."""
    return {"case_id": unmatched.case_id, "verdict": "block", "findings": [_whole("body", unmatched.reason)], "ms": 0.0}


def _whole(field_name: str, reason: str) -> dict[str, Any]:
    return {
        "field": field_name,
        "start": 0,
        "end": 0,
        "span": "",
        "kind": "undeclared",
        "verdict": "undeclared",
        "reason": reason,
        "evidence": [],
    }
