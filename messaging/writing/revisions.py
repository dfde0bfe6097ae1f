"""Storing texts of a draft with what the verifier said of them. A person's edit goes the same way as a model's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date, datetime, timedelta
from hashlib import sha256

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from messaging.models import (
    AuthorKind,
    Authorship,
    AuthorshipKind,
    Check,
    Claim,
    Draft,
    DraftState,
    FrozenDossier,
    Revision,
)
from messaging.verification.contract import ClaimType, DeclaredClaim, Report, Verdict
from messaging.verification.judge import as_json, from_json
from messaging.writing.checking import Checked, SecondReading, checker_for
from messaging.writing.dossiers import extended
from messaging.writing.sharing import shared_policy
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import User
from prospects.models import Evidence as EvidenceRow

#: One letter a claim, for lists: what `verdict_string` draws.
LETTERS = {
    Verdict.VERIFIED: "v",
    Verdict.JUDGE_CORROBORATED: "j",
    Verdict.CONTRADICTED: "c",
    Verdict.UNSUPPORTED: "u",
    Verdict.UNDECLARED: "n",
    Verdict.AMBIGUOUS: "a",
}
#: A text of a draft in one of these can still change.
OPEN = frozenset({DraftState.READY, DraftState.BLOCKED, DraftState.CHANGES, DraftState.REJECTED})


def content_hash(*, subject: str, body: str) -> str:
    """SHA-256 (hex) over subject, NUL, body."""
    return sha256(f"{subject}\0{body}".encode()).hexdigest()


def with_relations(*, draft_id: int) -> Draft:
    """The draft with everything a check reads of it, in one query. Raises Draft.DoesNotExist."""
    return Draft.objects.select_related(
        "team",
        "campaign__sender",
        "campaign__account",
        "campaign__other_account",
        "campaign__team",
        "prospect__company",
        "strategy",
        "dossier",
        "current",
        "enrolment",
        "prompt_version",
    ).get(pk=draft_id)


def declared_json(*, declared: Sequence[DeclaredClaim] | None) -> list[dict[str, object]] | None:
    """Declared claims as kept with a revision."""
    if declared is None:
        return None
    return [
        {
            "field_name": claim.field_name,
            "start": claim.start,
            "end": claim.end,
            "type": str(claim.type),
            "arguments": dict(claim.arguments),
            "evidence": list(claim.evidence),
        }
        for claim in declared
    ]


def declared_of(*, revision: Revision) -> tuple[DeclaredClaim, ...] | None:
    """The claims a revision's author declared; None for a text written by a person."""
    if revision.declared is None:
        return None
    return tuple(
        DeclaredClaim(
            field_name=claim["field_name"],
            start=claim["start"],
            end=claim["end"],
            type=ClaimType(claim["type"]),
            arguments=claim["arguments"],
            evidence=tuple(claim["evidence"]),
        )
        for claim in revision.declared
    )


def append(
    *,
    draft: Draft,
    frozen: FrozenDossier,
    author_kind: AuthorKind,
    subject: str,
    body: str,
    declared: Sequence[DeclaredClaim] | None,
    checked: Checked,
    now: datetime,
) -> Revision:
    """One more text, with its check. The caller holds the draft's lock and settles the draft afterwards."""
    highest = draft.revisions.aggregate(highest=Max("number"))["highest"] or 0
    revision = Revision.objects.create(
        draft=draft,
        number=highest + 1,
        author_kind=author_kind,
        subject=subject,
        body=body,
        content_hash=content_hash(subject=subject, body=body),
        dossier=frozen,
        declared=declared_json(declared=declared),
        quality=[asdict(finding) for finding in checked.quality],
        created_at=now,
    )
    store_check(revision=revision, frozen=frozen, checked=checked, now=now)
    return revision


def store_check(*, revision: Revision, frozen: FrozenDossier, checked: Checked, now: datetime) -> Check:
    """Keep what one run of the verifier said, and the judge's part in it."""
    report = checked.report
    check = Check.objects.create(
        revision=revision,
        verifier_version=report.verifier_version,
        passes=report.passes,
        refused=report.refused,
        valid_until=report.valid_until,
        send_by=checked.send_by,
        judged=_reading_json(checked.reading),
        quality=[asdict(finding) for finding in checked.quality],
        created_at=now,
    )
    rows = {item["ref"]: item["evidence_id"] for item in frozen.items}
    Claim.objects.bulk_create(
        Claim(
            checked=check,
            field_name=claim.field_name,
            start=claim.start,
            end=claim.end,
            span=claim.span,
            type=claim.type,
            verdict=claim.verdict,
            reason=claim.reason,
            hint=claim.hint,
            evidence=list(claim.evidence),
            evidence_ids=[rows[ref] for ref in claim.evidence if rows.get(ref)],
            valid_until=claim.valid_until,
        )
        for claim in report.claims
    )
    return check


def _reading_json(reading: SecondReading | None) -> dict[str, object] | None:
    if reading is None:
        return None
    return {"model": reading.model, "failure": reading.failure, "opinions": as_json(reading.opinions)}


def reading_of(*, revision: Revision) -> SecondReading | None:
    """What the judge last said of this text; None when it was never asked."""
    kept = revision.checks.order_by("-pk").values_list("judged", flat=True).first()
    return SecondReading(kept["model"], kept["failure"], from_json(kept["opinions"])) if kept else None


def sign(
    *,
    revision: Revision,
    authors: Mapping[User, AuthorshipKind],
    inherit_from: Revision | None = None,
) -> None:
    """Who shaped the text: these people, and everyone who shaped the text it came from."""
    signed = {(user.pk, str(kind)) for user, kind in authors.items()}
    if inherit_from is not None:
        signed |= set(inherit_from.authorships.values_list("user_id", "kind"))
    Authorship.objects.bulk_create(
        Authorship(revision=revision, user_id=user_id, kind=kind) for user_id, kind in sorted(signed)
    )


def settle(*, draft: Draft, revision: Revision, checked: Checked, now: datetime) -> None:
    """Make the revision the draft's current one, and the draft ready or blocked by what the check said."""
    report = checked.report
    draft.current = revision
    draft.dossier = revision.dossier
    draft.verdicts = "".join(LETTERS[claim.verdict] for claim in report.claims)[:200]
    draft.open_findings = len(checked.reasons)
    draft.state = DraftState.READY if checked.clean else DraftState.BLOCKED
    draft.state_reason = "\n".join(checked.reasons)
    if draft.ready_at is None:
        hours = shared_policy(team=draft.team).review_target_hours
        draft.ready_at = now
        draft.review_due_at = now + timedelta(hours=hours)
    draft.save()


def store_revision(
    *,
    draft: Draft,
    author_kind: AuthorKind,
    subject: str,
    body: str,
    declared: Sequence[DeclaredClaim] | None,
    authors: Mapping[User, AuthorshipKind],
    inherit_from: Revision | None = None,
    now: datetime,
) -> Revision | Refusal:
    """Store a text of a draft that is open, check it on the draft's dossier, and make it the current one.

    Authors are those given and, with `inherit_from`, everyone who shaped that revision.
    """
    with transaction.atomic():
        Draft.objects.select_for_update().get(pk=draft.pk)
        locked = with_relations(draft_id=draft.pk)
        frozen = _open_dossier(draft=locked)
        if isinstance(frozen, Refusal):
            return frozen
        checker = checker_for(draft=locked, frozen=frozen, now=now)
        checked = checker.check(subject=subject, body=body, declared=tuple(declared) if declared is not None else None)
        revision = append(
            draft=locked,
            frozen=frozen,
            author_kind=author_kind,
            subject=subject,
            body=body,
            declared=declared,
            checked=checked,
            now=now,
        )
        sign(revision=revision, authors=authors, inherit_from=inherit_from)
        settle(draft=locked, revision=revision, checked=checked, now=now)
    return revision


def _open_dossier(*, draft: Draft) -> FrozenDossier | Refusal:
    """The dossier of a draft whose text may still change."""
    if draft.dossier is None:
        return Refusal("not-written", "The draft has not been written yet; wait until it is.")
    if draft.state in (DraftState.WAITING, DraftState.WRITING):
        return Refusal("being-written", "The draft is being written; wait until that is done.")
    if draft.state not in OPEN:
        return Refusal("closed", f"The draft is {draft.get_state_display().lower()}; its text cannot change any more.")
    return draft.dossier


def recheck(*, revision: Revision, now: datetime, send_by: date | None = None) -> Check:
    """Run today's verifier over a stored text and keep what it says; an open draft changes its state with it.

    What the judge said of the text still holds, for the same words and evidence; it is not asked again.

    send_by: an approval's own day, when an approved text is rechecked.
    """
    with transaction.atomic():
        Draft.objects.select_for_update().get(pk=revision.draft_id)
        draft = with_relations(draft_id=revision.draft_id)
        checker = checker_for(draft=draft, frozen=revision.dossier, now=now, send_by=send_by)
        checked = checker.check(
            subject=revision.subject, body=revision.body, declared=declared_of(revision=revision),
            reading=reading_of(revision=revision),
        )  # fmt: skip
        check = store_check(revision=revision, frozen=revision.dossier, checked=checked, now=now)
        if draft.current_id == revision.pk and draft.state in (DraftState.READY, DraftState.BLOCKED):
            settle(draft=draft, revision=revision, checked=checked, now=now)
    return check


def check_typed(*, draft: Draft, subject: str, body: str, now: datetime) -> Checked | Refusal:
    """What a text being typed would be told; nothing is stored."""
    loaded = with_relations(draft_id=draft.pk)
    if loaded.dossier is None:
        return Refusal("not-written", "The draft has not been written yet; wait until it is.")
    return checker_for(draft=loaded, frozen=loaded.dossier, now=now).check(subject=subject, body=body)


def live_check(*, draft: Draft, subject: str, body: str, now: datetime | None = None) -> Report:
    """The verifier's report on a text being typed; nothing is stored. `check_typed` adds the quality findings.

    Raises ValueError for a draft that was never written.
    """
    checked = check_typed(draft=draft, subject=subject, body=body, now=now or timezone.now())
    if isinstance(checked, Refusal):
        raise ValueError(checked.message)  # noqa: TRY004 - a draft of the wrong state, not of the wrong type
    return checked.report


def extend_dossier(*, draft: Draft, evidence_rows: Sequence[EvidenceRow], now: datetime) -> FrozenDossier:
    """Number added evidence into the draft's dossier. The text is checked against it with its next revision.

    Raises ValueError for a draft that was never written.
    """
    with transaction.atomic():
        locked = Draft.objects.select_for_update(of=("self",)).select_related("dossier", "prospect").get(pk=draft.pk)
        frozen = extended(draft=locked, rows=evidence_rows, now=now)
        Draft.objects.filter(pk=draft.pk).update(dossier=frozen)
    return frozen
