"""What the rules of approval look at, read from rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from messaging.models import Authorship, Check, Claim, Draft, ReviewLease, Revision
from messaging.review.domain.approval import (
    NEWLY_ALONE,
    ApprovalFacts,
    FourEyes,
    LostEvidence,
    observed_through,
    send_by_of,
)
from messaging.review.domain.leases import Lease
from messaging.review.queries.outgoing import Thread, recipient_of, thread_of
from messaging.review.queries.parts import part_in
from messaging.verification.contract import APPROVABLE
from messaging.writing.domain.statements import repeats
from messaging.writing.dossiers import thaw, withdrawn_of
from outreach.campaigns.domain.offer import Policy
from outreach.campaigns.models import Campaign, Channel
from outreach.campaigns.queries import four_eyes_off_since, policy_of
from outreach.teams.access import Member
from outreach.teams.domain.capabilities import Capability, roles_with
from outreach.teams.models import AuditEvent, Membership, Team
from prospects import suppression
from prospects.domain.evidence import Evidence as Fact
from prospects.models import Evidence, EvidenceState

#: What every reader of a draft needs, in one query.
WITH_DRAFT = (
    "team",
    "campaign__sender",
    "campaign__account",
    "campaign__other_account",
    "prospect__company",
    "current__dossier",
    "dossier",
    "strategy",
    "review_lease__user",
    "enrolment",
)


@dataclass(frozen=True)
class Standing:
    """A draft with everything that decides whether it may be approved."""

    draft: Draft
    revision: Revision
    policy: Policy
    checked: Check | None
    claims: tuple[Claim, ...]
    authors: tuple[Authorship, ...]
    thread: Thread
    evidence: Mapping[int, Evidence]
    facts: ApprovalFacts


def four_eyes_of(*, team: Team, policy: Policy, now: datetime) -> FourEyes:
    """One query, one more without four eyes, three more for a team of one."""
    roles = roles_with(capability=Capability.REVIEW)
    reviewers = Membership.objects.filter(team=team, active=True, user__is_active=True, role__in=roles)[:2].count()
    return FourEyes(
        demanded=policy.four_eyes,
        reviewers=reviewers,
        delay=timedelta(minutes=policy.self_approval_delay),
        alone_from=_alone_from(team=team, roles=roles, now=now) if reviewers == 1 and policy.four_eyes else None,
        off_since=None if policy.four_eyes else four_eyes_off_since(team=team),
    )


def _alone_from(*, team: Team, roles: Sequence[str], now: datetime) -> datetime | None:
    """When somebody last lost the right to review here, within the time that counts; from the audit trail."""
    since = AuditEvent.objects.filter(team=team, at__gt=now - NEWLY_ALONE).order_by("-id")
    demoted = since.filter(action="member.role_changed", details__from__in=list(roles)).exclude(
        details__to__in=list(roles)
    )
    shut_out = since.filter(
        action="member.deactivated",
        target_id__in=Membership.objects.filter(team=team, role__in=roles, active=False).values("pk"),
    )
    moments = [rows.values_list("at", flat=True).first() for rows in (demoted, shut_out)]
    return max((moment for moment in moments if moment), default=None)


def lease_of(*, draft: Draft) -> Lease | None:
    row: ReviewLease | None = getattr(draft, "review_lease", None)
    return Lease(user_id=row.user_id, name=str(row.user), until=row.until) if row else None


def cited_ids(*, claims: Iterable[Claim]) -> tuple[int, ...]:
    """The stored evidence that decides the claims; what a campaign says of itself has no row."""
    return tuple(sorted({int(pk) for claim in claims for pk in claim.evidence_ids if pk}))


def evidence_of_dossier(*, items: Iterable[dict[str, Any]]) -> dict[int, Evidence]:
    """The stored rows behind a dossier, without their long texts, by id."""
    ids = [item["evidence_id"] for item in items if item["evidence_id"]]
    return {
        row.pk: row
        for row in Evidence.objects.filter(pk__in=ids)
        .select_related("batch")
        .only(
            "state",
            "source_url",
            "added_by_id",
            "created_at",
            "batch_id",
            "batch__created_by_id",
            "batch__started_by_id",
        )
    }


def lost_evidence(
    *, ids: Sequence[int], items: Iterable[dict[str, Any]], stored: Mapping[int, Evidence]
) -> tuple[LostEvidence, ...]:
    """What is cited and no longer current; a row that is gone altogether counts as erased."""
    numbers = {item["evidence_id"]: item["ref"] for item in items}
    states = ((pk, stored[pk].state if pk in stored else EvidenceState.ERASED) for pk in ids)
    return tuple(LostEvidence(numbers.get(pk, "?"), state) for pk, state in states if state != EvidenceState.CURRENT)


def lost_statements(
    *, revision: Revision, claims: Iterable[Claim], campaign: Campaign, day: date
) -> tuple[LostEvidence, ...]:
    """What the text cites or repeats of the campaign, and the campaign does not say through that day. One query."""
    refs = {ref for claim in claims for ref in claim.evidence}
    items = thaw(frozen=revision.dossier, send_by=day).items
    text = f"{revision.subject}\n{revision.body}"
    return tuple(
        LostEvidence(item.ref, "withdrawn")
        for item in withdrawn_of(items=items, campaign=campaign, day=day)
        if item.ref in refs or repeats(text=text, statement=item)
    )


def suppressed_reason(*, draft: Draft) -> str:
    """By every address and profile of the person and by their company, as everywhere."""
    found = suppression.of_prospect(team=draft.team, prospect=draft.prospect)
    return (found.reason or "suppressed") if found else ""


def standing_of(*, draft: Draft, revision: Revision, seen_revision: int, member: Member, now: datetime) -> Standing:
    """Everything the rules look at, in at most eight queries. The draft needs WITH_DRAFT."""
    policy = policy_of(team=draft.team)
    checked = revision.checks.order_by("-id").first()
    claims = tuple(checked.claims.order_by("id")) if checked else ()
    authors = tuple(revision.authorships.select_related("user").order_by("id"))
    thread = thread_of(draft=draft)
    items = revision.dossier.items
    stored = evidence_of_dossier(items=items)
    facts = ApprovalFacts(
        user_id=member.user.pk,
        now=now,
        state=draft.state,
        state_reason=draft.state_reason,
        seen_revision=seen_revision,
        current_revision=draft.current_id,
        written_at=revision.created_at,
        part=part_in(
            revision=revision,
            authors=authors,
            cited=[stored[pk] for pk in cited_ids(claims=claims) if pk in stored],
            user=member.user,
        ),
        four_eyes=four_eyes_of(team=draft.team, policy=policy, now=now),
        lease=lease_of(draft=draft),
        suppressed=suppressed_reason(draft=draft),
        prospect_state=draft.prospect.state,
        prospect_conflict=draft.prospect.conflict,
        enrolment_state=draft.enrolment.state,
        campaign_status=draft.campaign.status,
        connected_already=draft.channel == Channel.LINKEDIN_CONNECTION and draft.prospect.first_degree,
        recipient=recipient_of(draft=draft),
        account_active=draft.campaign.sending_account(draft.channel).active,
        parent_pending=thread.pending,
        lost_evidence=(
            *lost_evidence(ids=cited_ids(claims=claims), items=items, stored=stored),
            *lost_statements(
                revision=revision,
                claims=claims,
                campaign=draft.campaign,
                day=now.date() + timedelta(days=policy.send_by_days),
            ),
        ),
        open_findings=sum(claim.verdict not in APPROVABLE for claim in claims),
        refused=_unreadable(checked),
        quality=_blocking(quality_of(revision=revision, checked=checked)),
        send_by=_send_by(checked, _cited_items(revision, claims), policy, now),
        today=now.date(),
    )
    return Standing(draft, revision, policy, checked, claims, authors, thread, stored, facts)


def _unreadable(checked: Check | None) -> str:
    if checked is None:
        return "It has not been checked yet."
    if checked.refused:
        return checked.refused
    return ""


def _cited_items(revision: Revision, claims: Iterable[Claim]) -> tuple[Fact, ...]:
    refs = {ref for claim in claims for ref in claim.evidence}
    dossier = thaw(frozen=revision.dossier, send_by=revision.dossier.created_at.date())
    return tuple(item for item in dossier.items if item.ref in refs)


def _send_by(checked: Check | None, cited: Iterable[Fact], policy: Policy, now: datetime) -> date | None:
    if checked is None:
        return None
    limits = (checked.valid_until, observed_through(cited=cited, observed_days=policy.observed_days_position))
    known = [limit for limit in limits if limit is not None]
    return send_by_of(today=now.date(), policy_days=policy.send_by_days, valid_until=min(known, default=None))


def quality_of(*, revision: Revision, checked: Check | None) -> Sequence[dict[str, Any]]:
    """The findings of the last check; those stored with the text where the check kept none."""
    kept: Sequence[dict[str, Any]] = revision.quality if checked is None or checked.quality is None else checked.quality
    return kept


def _blocking(quality: Iterable[dict[str, Any]]) -> tuple[str, ...]:
    """Policy has made warnings of what it lets pass when the text was checked."""
    return tuple(f"{finding['reason']} {finding['fix']}".strip() for finding in quality if finding["level"] == "block")
