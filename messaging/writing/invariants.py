"""What must hold over enrolments, drafts and their texts, whoever wrote them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery

from messaging.enrolment.queries import LIVE
from messaging.models import Check, Claim, Draft, DraftState, Enrolment, FrozenDossier, Revision
from messaging.writing.dossiers import thaw
from messaging.writing.revisions import content_hash
from outreach.teams.domain.invariants import Invariant, Violation

BATCH = 500
#: Drafts in one of these have a text that people see.
_SHOWN = (DraftState.READY, DraftState.CHANGES, DraftState.APPROVED, DraftState.REJECTED, DraftState.SENT)


def _rule(name: str, rows: QuerySet[Any], broken: QuerySet[Any], detail: str) -> Invariant:
    """A rule that one query decides."""

    def violations() -> Iterator[Violation]:
        for pk in broken.order_by("pk").values_list("pk", flat=True).iterator(chunk_size=BATCH):
            yield Violation(pk, detail)

    return Invariant(name, rows.count, violations)


def _each(name: str, rows: QuerySet[Any], fault: Callable[[Any], str]) -> Invariant:
    """A rule that looks at each row; fault is "" where it holds."""

    def violations() -> Iterator[Violation]:
        for row in rows.order_by("pk").iterator(chunk_size=BATCH):
            detail = fault(row)
            if detail:
                yield Violation(row.pk, detail)

    return Invariant(name, rows.count, violations)


def _hash_fault(revision: Revision) -> str:
    right = content_hash(subject=revision.subject, body=revision.body)
    return "" if revision.content_hash == right else "the hash is not the text's"


def _dossier_fault(dossier: FrozenDossier) -> str:
    right = thaw(frozen=dossier, send_by=dossier.created_at.date()).content_hash
    return "" if dossier.content_hash == right else "the hash is not the items'"


def _span_fault(claim: Claim) -> str:
    revision = claim.checked.revision
    text = revision.subject if claim.field_name == "subject" else revision.body
    return "" if text[claim.start : claim.end] == claim.span else "the span is not what stands in the text"


def _odds_fault(draft: Draft) -> str:
    total = sum(draft.propensities.values())
    return "" if abs(total - 1) < 1e-6 else f"the propensities sum to {total:.6f}"


def invariants() -> tuple[Invariant, ...]:
    """One purpose per person; nothing shown unverified; leases where work is, and nowhere else."""
    drafts = Draft.objects.all()
    doubled = Enrolment.objects.filter(prospect=OuterRef("prospect"), state__in=LIVE).exclude(pk=OuterRef("pk"))
    live = Enrolment.objects.filter(state__in=LIVE)
    newest = Check.objects.filter(revision=OuterRef("current")).order_by("-pk").values("passes")[:1]
    foreign = (
        ~Q(campaign__team=F("team")) | ~Q(prospect__team=F("team")) | ~Q(enrolment__team=F("team"))
        | ~Q(enrolment__campaign=F("campaign")) | ~Q(enrolment__prospect=F("prospect"))
    )  # fmt: skip
    ready = drafts.filter(state=DraftState.READY)
    shown = drafts.filter(state__in=_SHOWN)
    leased = Q(state=DraftState.WRITING, lease_token__isnull=True) | (
        ~Q(state=DraftState.WRITING) & Q(lease_token__isnull=False)
    )
    return (
        _rule("one_purpose", live, live.filter(Exists(doubled)), "the person is written to for two purposes"),
        _rule("draft_is_of_one_team", drafts, drafts.filter(foreign), "draft, campaign, person and enrolment disagree"),
        _rule("shown_has_text", shown, shown.filter(current__isnull=True), "there is no text"),
        _rule(
            "ready_is_verified",
            ready,
            ready.annotate(passes=Subquery(newest)).exclude(passes=True),
            "the newest check of its text does not pass",
        ),
        _rule("lease_where_work_is", drafts, drafts.filter(leased), "state and lease disagree"),
        _rule(
            "current_is_own_text",
            shown,
            shown.exclude(current__draft=F("pk")),
            "the current text belongs to another draft",
        ),
        _rule(
            "every_text_is_checked",
            Revision.objects.all(),
            Revision.objects.annotate(number_of_checks=Count("checks")).filter(number_of_checks=0),
            "the text was never checked",
        ),
        _each("revision_hash", Revision.objects.all(), _hash_fault),
        _each("dossier_hash", FrozenDossier.objects.all(), _dossier_fault),
        _each("claim_span", Claim.objects.select_related("checked__revision"), _span_fault),
        _each("propensities", drafts.filter(strategy__isnull=False).exclude(propensities={}), _odds_fault),
    )
