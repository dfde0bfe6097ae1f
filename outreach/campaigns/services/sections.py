"""Filling a campaign in, part by part: what each page of the wizard saves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.db import transaction

from outreach.campaigns.domain.entry import (
    OfferEntry,
    SendingEntry,
    offer_faults,
    proof_faults,
    sending_faults,
    step_faults,
)
from outreach.campaigns.domain.lifecycle import STARTED
from outreach.campaigns.domain.offer import ProofPoint as Point
from outreach.campaigns.domain.sequence import Step
from outreach.campaigns.models import (
    AccountKind,
    Campaign,
    Channel,
    ProofPoint,
    SenderIdentity,
    SendingAccount,
    SequenceStep,
)
from outreach.campaigns.queries import sequence_of
from outreach.campaigns.services.changing import Changed, change, refused_for, told
from outreach.teams.access import Member
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import User

#: What a message says, or must not: a change of it makes texts that wait be verified again.
_SAID = frozenset({"offer", "call_to_action", "must_not_say"})


def save_offer(
    *, member: Member, campaign: Campaign, entry: OfferEntry, now: datetime, seen: int | None = None
) -> Campaign | Refusal:
    """What is offered and how it is said. A draft may leave parts empty."""
    return refused_for(member=member, campaign=campaign) or change(
        campaign=campaign,
        by=member.user,
        section="offer",
        now=now,
        seen=seen,
        apply=lambda row: put_offer(campaign=row, entry=entry),
    )


def save_proof(
    *,
    member: Member,
    campaign: Campaign,
    points: Sequence[Point],
    no_proof_needed: bool,
    now: datetime,
    seen: int | None = None,
) -> Campaign | Refusal:
    """The statements that may be made. Whoever saves them answers for each that is new or changed."""
    return refused_for(member=member, campaign=campaign) or change(
        campaign=campaign, by=member.user, section="proof", now=now, seen=seen,
        apply=lambda row: put_proof(
            campaign=row, points=points, no_proof_needed=no_proof_needed, approver=member.user, now=now
        ),
    )  # fmt: skip


def save_steps(
    *, member: Member, campaign: Campaign, steps: Sequence[Step], now: datetime, seen: int | None = None
) -> Campaign | Refusal:
    """The sequence. Positions are made anew from the order."""
    return refused_for(member=member, campaign=campaign) or change(
        campaign=campaign,
        by=member.user,
        section="steps",
        now=now,
        seen=seen,
        apply=lambda row: put_steps(campaign=row, steps=steps),
    )


def save_sending(
    *, member: Member, campaign: Campaign, entry: SendingEntry, now: datetime, seen: int | None = None
) -> Campaign | Refusal:
    """Who sends, from where, when and for how much."""
    return refused_for(member=member, campaign=campaign) or change(
        campaign=campaign, by=member.user, section="sending", now=now, seen=seen,
        apply=lambda row: put_sending(campaign=row, entry=entry),
    )  # fmt: skip


def put_offer(*, campaign: Campaign, entry: OfferEntry) -> Changed | Refusal:
    refused = told(offer_faults(entry=entry, unfinished=campaign.status not in STARTED))
    if refused is not None:
        return refused
    fields = _assigned(campaign, {**asdict(entry), "languages": list(dict.fromkeys(entry.languages))})
    campaign.save()
    return Changed(fields, tuple(name for name in fields if name in _SAID))


def _assigned(campaign: Campaign, values: dict[str, Any]) -> dict[str, list[Any]]:
    changed = {name: [getattr(campaign, name), new] for name, new in values.items() if getattr(campaign, name) != new}
    for name, (_old, new) in changed.items():
        setattr(campaign, name, new)
    return changed


def put_proof(
    *, campaign: Campaign, points: Sequence[Point], no_proof_needed: bool, approver: User | None, now: datetime
) -> Changed | Refusal:
    """approver: who answers for what is new or changed; None leaves it unapproved."""
    kept = {row.key: row for row in campaign.proof_points.all()}
    touched = [point for point in points if _differs(kept.get(point.key), point, approving=approver is not None)]
    renamed = _keys_only(points)
    refused = told(
        fault for fault in proof_faults(points=points, today=now.date()) if _counts(fault.field, points, touched)
    )
    if refused is not None:
        return refused
    gone = [key for key in kept if key not in renamed]
    campaign.proof_points.filter(key__in=gone).delete()
    for point in touched:
        ProofPoint.objects.update_or_create(
            campaign=campaign, key=point.key,
            defaults={
                "text": point.text, "source": point.source, "date": point.date, "expires_on": point.expires_on,
                "approved_by": approver, "approved_at": now if approver else None,
            },
        )  # fmt: skip
    fields = {f"proof_points.{name}": ["", ""] for name in [*gone, *(point.key for point in touched)]}
    said = tuple(fields)
    fields |= _assigned(campaign, {"no_proof_needed": no_proof_needed})
    campaign.save(update_fields=["no_proof_needed"])
    return Changed(fields, said)


def _keys_only(points: Sequence[Point]) -> frozenset[str]:
    return frozenset(point.key for point in points)


def _differs(row: ProofPoint | None, point: Point, *, approving: bool) -> bool:
    if row is None or (approving and row.approved_at is None):
        return True
    return (row.text, row.source, row.date, row.expires_on) != (point.text, point.source, point.date, point.expires_on)


def _counts(field: str, points: Sequence[Point], touched: Sequence[Point]) -> bool:
    """An expired statement that nobody touched may stay where it is: it licenses nothing."""
    if not field.endswith(".expires_on"):
        return True
    return points[int(field.partition("[")[2].partition("]")[0]) - 1] in touched


def put_steps(*, campaign: Campaign, steps: Sequence[Step]) -> Changed | Refusal:
    before = sequence_of(campaign=campaign)
    wanted = [Step(place, *_parts(step)) for place, step in enumerate(steps, start=1)]
    refused = told(step_faults(steps=wanted, started=before if campaign.status in STARTED else ()))
    if refused is not None:
        return refused
    SequenceStep.objects.filter(campaign=campaign, position__gt=len(wanted)).delete()
    changed: dict[str, list[Any]] = {}
    old = {step.position: step for step in before}
    for step in wanted:
        if old.get(step.position) != step:
            changed[f"steps.{step.position}"] = ["", ""]
            values = {name: value for name, value in asdict(step).items() if name != "position"}
            SequenceStep.objects.update_or_create(campaign=campaign, position=step.position, defaults=values)
    changed |= {f"steps.{place}": ["", ""] for place in old if place > len(wanted)}
    campaign.refresh_from_db(fields=["channel"])
    _paired(campaign, [one for one in (campaign.account, campaign.other_account) if one])
    return Changed(changed)


def _parts(step: Step) -> tuple[str, int, str, str]:
    return step.channel, step.wait_days, step.condition, step.instruction.strip()


def _paired(campaign: Campaign, accounts: Sequence[SendingAccount]) -> None:
    """`account` is of the first step's kind; both stay what they are."""
    wanted = AccountKind.SMTP if campaign.channel == Channel.EMAIL else AccountKind.LINKEDIN
    first = next((one for one in accounts if one.kind == wanted), None)
    other = next((one for one in accounts if one.kind != wanted), None)
    if (campaign.account_id, campaign.other_account_id) != (first and first.pk, other and other.pk):
        campaign.account, campaign.other_account = first, other
        campaign.save(update_fields=["account", "other_account"])


def put_sending(*, campaign: Campaign, entry: SendingEntry) -> Changed | Refusal:
    refused = told(sending_faults(entry=entry))
    if refused is not None:
        return refused
    chosen = _chosen(campaign, entry)
    if isinstance(chosen, Refusal):
        return chosen
    sender, accounts = chosen
    before = [campaign.account_id, campaign.other_account_id]
    fields = _assigned(
        campaign,
        {
            "sender": sender, "starts_on": entry.starts_on, "ends_on": entry.ends_on, "budget": entry.budget,
            "drafts_per_day": entry.drafts_per_day,
        },
    )  # fmt: skip
    with transaction.atomic():
        lost = _lost_account(campaign, accounts)
        if lost is not None:
            return lost
        _paired(campaign, accounts)
        campaign.save()
    after = [campaign.account_id, campaign.other_account_id]
    if before != after:
        fields["accounts"] = [before, after]
    return Changed(fields, ("sender",) if "sender" in fields else ())


def _lost_account(campaign: Campaign, accounts: Sequence[SendingAccount]) -> Refusal | None:
    """What runs keeps an account for every step; the database would refuse it too."""
    if campaign.status not in STARTED:
        return None
    kinds = {str(one.kind) for one in accounts}
    needed = {"smtp" if step.channel == "email" else "linkedin" for step in sequence_of(campaign=campaign)}
    if campaign.sender is None:
        return Refusal("incomplete", "sender: a running campaign keeps a sender; choose one.")
    if needed - kinds:
        name = "mailbox" if "smtp" in needed - kinds else "linkedin"
        return Refusal("incomplete", f"{name}: a running campaign keeps an account for every step; choose one.")
    return None


def _chosen(campaign: Campaign, entry: SendingEntry) -> tuple[SenderIdentity | None, list[SendingAccount]] | Refusal:
    """The rows that the entry points to, of the campaign's own team."""
    sender = None
    if entry.sender_id is not None:
        sender = SenderIdentity.objects.filter(team=campaign.team_id, pk=entry.sender_id).first()
        if sender is None:
            return Refusal("unknown-sender", "sender: choose one of your team's senders.")
    accounts = []
    for name, kind, pk in (
        ("mailbox", AccountKind.SMTP, entry.mailbox_id), ("linkedin", AccountKind.LINKEDIN, entry.linkedin_id)
    ):  # fmt: skip
        if pk is None:
            continue
        found = SendingAccount.objects.filter(team=campaign.team_id, kind=kind, pk=pk, active=True).first()
        if found is None:
            return Refusal("unknown-account", f"{name}: choose one of your team's active accounts of that kind.")
        accounts.append(found)
    return sender, accounts
