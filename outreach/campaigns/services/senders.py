"""The people messages come from. Each change needs its right and is in the audit trail."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from django.db import transaction

from outreach.campaigns.domain.letterhead import link_fault, signature_fault
from outreach.campaigns.domain.offer import Sender
from outreach.campaigns.domain.policy import texts_faults
from outreach.campaigns.models import SenderIdentity
from outreach.teams.access import Member, gate
from outreach.teams.audit import record
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Membership

#: Characters of a signature in one language.
LONGEST = 600


def save_sender(
    *, member: Member, sender: Sender, sender_id: int | None = None, user_id: int | None = None
) -> SenderIdentity | Refusal:
    """A person messages come from, new (no sender_id) or changed. Approved messages keep the words they have."""
    refused = gate(member=member, capability=Capability.MANAGE) or _sender_refusal(
        member=member, sender=sender, user_id=user_id
    )
    if refused is not None:
        return refused
    with transaction.atomic():
        row = SenderIdentity(team=member.team)
        if sender_id is not None:
            found = SenderIdentity.objects.select_for_update().filter(team=member.team, pk=sender_id).first()
            if found is None:
                return Refusal("not-found", "There is no such sender in your team.")
            row = found
        for name, value in {**asdict(sender), "user_id": user_id}.items():
            setattr(row, name, value)
        row.save()
        action = "sender.created" if sender_id is None else "sender.changed"
        record(team=member.team, actor=member.user, action=action, target=row, content=sender.signature)
    return row


def _sender_refusal(*, member: Member, sender: Sender, user_id: int | None) -> Refusal | None:
    return next(_faults(member=member, sender=sender, user_id=user_id), None)


def _faults(*, member: Member, sender: Sender, user_id: int | None) -> Iterator[Refusal]:
    if not (sender.full_name.strip() and sender.company.strip()):
        yield Refusal("invalid", "full_name, company: a message says who writes and for which company; give both.")
    if not (sender.full_name + sender.title + sender.company).isprintable():
        yield Refusal("invalid", "full_name, title, company: leave out line breaks and control characters.")
    fault = signature_fault(sender=sender)
    if fault:
        yield Refusal("invalid", f"signature: {fault}")
    yield from texts_faults(key="signatures", texts=sender.signatures, longest=LONGEST)
    fault = link_fault(url=sender.calendar_url)
    if fault:
        yield Refusal("invalid", f"calendar_url: {fault}")
    if user_id and not Membership.objects.filter(team=member.team, user_id=user_id, active=True).exists():
        yield Refusal("invalid", "user: choose somebody of your team, or nobody.")
