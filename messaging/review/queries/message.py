"""A text with its verdicts, ready for the page: stored or just being typed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from messaging.models import Claim, Draft
from messaging.review.domain.letters import findings
from messaging.review.domain.notes import ICONS, CheckedSpan, Note, noted
from messaging.review.domain.segments import Paragraph, paragraphs
from messaging.verification.contract import CheckedClaim
from messaging.writing.checking import parameters_of
from messaging.writing.domain.quality_catalogue import BY_ID


@dataclass(frozen=True)
class Counted:
    verdict: str
    count: int
    icon: str


@dataclass(frozen=True)
class Finding:
    """A quality rule that spoke. blocks: it keeps the message from being approved. places: how often it is marked."""

    name: str
    reason: str
    fix: str
    blocks: bool
    places: int = 0


@dataclass(frozen=True)
class Message:
    subject: tuple[Paragraph, ...]
    body: tuple[Paragraph, ...]
    notes: tuple[Note, ...]
    tally: tuple[Counted, ...]
    length: int
    least: int
    most: int
    unit: str
    questions: int
    references: int
    quality: tuple[Finding, ...]

    @property
    def in_band(self) -> bool:
        return self.least <= self.length <= self.most


def message_of(
    *, draft: Draft, subject: str, body: str, claims: Iterable[Claim | CheckedClaim], quality: Iterable[dict[str, Any]]
) -> Message:
    """No query; the draft needs its strategy."""
    spans = [
        CheckedSpan(
            claim.field_name,
            claim.start,
            claim.end,
            claim.span,
            str(claim.type),
            str(claim.verdict),
            claim.reason,
            claim.hint,
            tuple(claim.evidence),
        )
        for claim in claims
    ]
    numbered = noted(spans)
    spoken = list(quality)
    band = parameters_of(draft=draft).band(draft.channel)
    return Message(
        subject=paragraphs(text=subject, claims=numbered.subject, faults=_places(spoken, "subject")),
        body=paragraphs(text=body, claims=numbered.body, faults=_places(spoken, "body")),
        notes=numbered.notes,
        tally=_tally(spans),
        length=band.measure(body),
        least=band.least,
        most=band.most,
        unit=band.unit,
        questions=body.count("?"),
        references=_references(spans, draft),
        quality=tuple(
            Finding(_name(item), item["reason"], item["fix"], item["level"] == "block", len(item.get("spans", ())))
            for item in spoken
        ),
    )


def _name(item: Mapping[str, Any]) -> str:
    rule = BY_ID.get(item["rule"])
    return rule.name if rule else str(item["rule"])


#: Rules whose place is whole sentences or the whole subject: said in words, or everything would be underlined.
_WIDE = frozenset({"several-requests", "questions", "long-sentence", "subject-long", "subject-unused", "subject-limit"})


def _places(quality: Iterable[Mapping[str, Any]], field_name: str) -> list[tuple[int, int]]:
    return [
        (span["start"], span["end"])
        for item in quality
        for span in item.get("spans", ())
        if span["field_name"] == field_name and item["rule"] not in _WIDE
    ]


def _tally(spans: Iterable[CheckedSpan]) -> tuple[Counted, ...]:
    """Verified first, then what is open, as the quality bar shows it."""
    counts = Counter(span.verdict for span in spans)
    order = ["verified", "judge-corroborated", "contradicted", "unsupported", "undeclared", "ambiguous"]
    return tuple(Counted(verdict, counts[verdict], ICONS[verdict]) for verdict in order if counts[verdict])


def _references(spans: Iterable[CheckedSpan], draft: Draft) -> int:
    """Different pieces of evidence that are not our own words about ourselves."""
    dossier = draft.dossier.items if draft.dossier else []
    ours = {item["ref"] for item in dossier if item["actor"] == "sender" or item["kind"] == "name"}
    return len({ref for span in spans for ref in span.evidence} - ours)


def findings_in_row(letters: str) -> tuple[Counted, ...]:
    """What is open, the worst first."""
    return tuple(Counted(str(verdict), count, ICONS[verdict]) for verdict, count in findings(letters))
