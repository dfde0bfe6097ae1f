"""Verification of a file of messages against a file of dossiers: parsed lines in, plain results out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from messaging.verification.contract import CheckInput, MessageText, Report
from messaging.verification.engine import verify
from messaging.verification.judge import Judge, Judged, judged
from prospects.domain.dossier_json import UnreadableDossier, read_dossier
from prospects.domain.evidence import Dossier
from prospects.domain.json_text import load_json

_CHANNELS = frozenset({"linkedin_connection", "linkedin_message", "inmail", "email"})


class UnreadableInput(ValueError):
    """The text cannot be read at all; the message names the line and what to do."""


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


def objects(text: str, name: str) -> list[Mapping[str, Any]]:
    """JSON lines, one JSON object, or a list of objects. Raises UnreadableInput."""
    text = text.lstrip("\ufeff")
    try:
        whole = load_json(text)
        found: list[Any] = whole if isinstance(whole, list) else [whole]
    except json.JSONDecodeError:
        found = [_line(line, number, name) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    for number, item in enumerate(found, 1):
        if not isinstance(item, dict):
            raise UnreadableInput(f"{name}: record {number} is not a JSON object.")
    if not found:
        raise UnreadableInput(f"{name}: no records; expected one JSON object a line.")
    return found


def _line(line: str, number: int, name: str) -> object:
    try:
        return load_json(line)
    except json.JSONDecodeError as error:
        raise UnreadableInput(f"{name}, line {number}: not JSON ({error.msg} at column {error.colno}).") from error


def dossiers(records: Iterable[Mapping[str, Any]], name: str) -> dict[str, Dossier]:
    """Dossiers by id. Raises UnreadableInput naming the record."""
    found: dict[str, Dossier] = {}
    for number, record in enumerate(records, 1):
        try:
            dossier = read_dossier(record)
        except UnreadableDossier as error:
            raise UnreadableInput(f"{name}, record {number}: {error}") from error
        if not dossier.dossier_id:
            raise UnreadableInput(f"{name}, record {number}: 'dossier_id' is missing.")
        if dossier.dossier_id in found:
            raise UnreadableInput(f"{name}, record {number}: dossier_id {dossier.dossier_id!r} occurs twice.")
        found[dossier.dossier_id] = dossier
    return found


def cases(records: Iterable[Mapping[str, Any]], known: Mapping[str, Dossier], name: str) -> Iterator[Case | Unmatched]:
    """Each message with its dossier, in order. Raises UnreadableInput for a record that is no message."""
    for number, record in enumerate(records, 1):
        case_id = str(record.get("case_id") or f"line {number}")
        body = record.get("body")
        if not isinstance(body, str):
            raise UnreadableInput(f"{name}, record {number} ({case_id}): 'body' must be text.")
        dossier = known.get(str(record.get("dossier_id")))
        if dossier is None:
            yield Unmatched(case_id, f"no dossier {record.get('dossier_id')!r} in the dossiers file")
            continue
        channel = str(record.get("channel") or "email")
        if channel not in _CHANNELS:
            yield Unmatched(case_id, f"channel {channel!r} is not one of {', '.join(sorted(_CHANNELS))}")
            continue
        message = MessageText(str(record.get("subject") or ""), body, str(record.get("language") or ""), channel)
        yield Case(case_id, message, dossier, record)


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
