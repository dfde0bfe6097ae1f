"""The words of verification: what goes in, what comes out. Pure Python, importable alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from prospects.domain.evidence import Dossier


class Verdict(StrEnum):
    VERIFIED = "verified"
    JUDGE_CORROBORATED = "judge-corroborated"
    CONTRADICTED = "contradicted"
    UNSUPPORTED = "unsupported"
    UNDECLARED = "undeclared"
    AMBIGUOUS = "ambiguous"


#: A revision may be approved only while every claim has one of these.
APPROVABLE = frozenset({Verdict.VERIFIED, Verdict.JUDGE_CORROBORATED})


class ClaimType(StrEnum):
    """Kinds of claim; the values are the error kinds of the labelled set, and `undeclared`."""

    TITLE = "title"
    RECENCY = "recency"
    ACHIEVEMENT = "achievement"
    QUOTE = "quote"
    CONNECTION = "connection"
    COMPANY = "company"
    NUMBER = "number"
    DATE = "date"
    EDUCATION = "education"
    SENDER = "sender"
    INFERENCE = "inference"
    OTHER = "other"
    UNDECLARED = "undeclared"


@dataclass(frozen=True, slots=True)
class MessageText:
    """A message to be checked. `channel` is linkedin_connection, linkedin_message, inmail or email."""

    subject: str
    body: str
    language: str
    channel: str


@dataclass(frozen=True, slots=True)
class DeclaredClaim:
    """A claim as the model declared it: a segment of the message with typed arguments and citations.

    start and end count code points of `field_name` ("subject" or "body").
    """

    field_name: str
    start: int
    end: int
    type: ClaimType
    arguments: Mapping[str, str]
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """One claim found in the text, with its verdict.

    field_name   "subject" or "body"; start, end count code points of that text as given
    reason       one sentence for a person
    evidence     refs of the dossier items that decide it
    hint         what would be true instead, "" when there is none
    valid_until  last day on which the claim stays true, None when it does not age
    """

    field_name: str
    start: int
    end: int
    span: str
    type: ClaimType
    verdict: Verdict
    reason: str
    evidence: tuple[str, ...] = ()
    hint: str = ""
    valid_until: date | None = None


@dataclass(frozen=True, slots=True)
class OtherPeople:
    """Names of other prospects of the batch: none of them may appear in this prospect's message."""

    names: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Report:
    """All claims of a message in reading order, and whether it may be approved.

    refused      why the message could not be read at all (a language without lexicons), else ""
    valid_until  last day on which all claims stay true; never later than the policy's own limit
    """

    claims: tuple[CheckedClaim, ...]
    verifier_version: str
    refused: str = ""
    valid_until: date | None = None

    @property
    def passes(self) -> bool:
        return not self.refused and all(claim.verdict in APPROVABLE for claim in self.claims)

    @property
    def findings(self) -> tuple[CheckedClaim, ...]:
        """The claims that block."""
        return tuple(claim for claim in self.claims if claim.verdict not in APPROVABLE)


@dataclass(frozen=True, slots=True)
class CheckInput:
    """Everything one verification needs; the entry point is `messaging.verification.engine.verify`.

    max_observed_days: how old an observation may be on the day of sending for a claim in the present tense, in days by
        evidence kind ("position": open positions only); a kind that is not listed does not age
    earliest: the first day on which it may be sent, when observations are to be young enough still; the send-by date
        when None. Where they are not through the send-by date, `Report.valid_until` ends sooner
    """

    message: MessageText
    dossier: Dossier
    declared: tuple[DeclaredClaim, ...] | None = None
    others: OtherPeople = field(default_factory=OtherPeople)
    max_observed_days: Mapping[str, int] = field(default_factory=dict)
    earliest: date | None = None
