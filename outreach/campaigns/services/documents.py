"""Making a campaign out of a JSON file, for scripts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.text import slugify

from outreach.campaigns.domain.document import Document, at_path, read_document
from outreach.campaigns.domain.entry import CampaignEntry, Fault, faults_of
from outreach.campaigns.models import AccountKind, Campaign, SenderIdentity, SendingAccount
from outreach.campaigns.services.campaigns import create_campaign, create_for_team
from outreach.campaigns.services.changing import told
from outreach.teams.access import Member
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team


def create_from_document(*, team: Team, member: Member | None, value: Any, now: datetime) -> Campaign | Refusal:
    """A campaign in draft. member: who answers for its proof points; None leaves them to be approved by a person.

    A refusal names the JSON path of every fault, a line each.
    """
    found = read_document(value)
    if isinstance(found, tuple):
        return told(found) or Refusal("invalid", "$: nothing was understood.")
    entry = _entry(team=team, document=found)
    if isinstance(entry, Refusal):
        return entry
    refused = told(at_path(fault) for fault in faults_of(entry=entry, today=now.date()))
    if refused is not None:
        return refused
    if member is None:
        return create_for_team(team=team, entry=entry, now=now)
    return create_campaign(member=member, entry=entry, now=now)


def _entry(*, team: Team, document: Document) -> CampaignEntry | Refusal:
    """The file with the rows that it names."""
    senders = SenderIdentity.objects.filter(team=team)
    accounts = SendingAccount.objects.filter(team=team, active=True)
    faults: list[Fault] = []

    def row(name: str, said: str, rows: QuerySet[Any], shown: Callable[[Any], str]) -> int | None:
        if not said:
            return None
        matching = [one for one in rows.order_by("id")[:200] if shown(one) == said]
        if len(matching) != 1:
            known = ", ".join(sorted({shown(one) for one in rows[:10]})) or "none"
            many = "names several" if matching else "is not there"
            faults.append(Fault(f"$.{name}", f"{said!r} {many}; the team has: {known}"))
            return None
        return int(matching[0].pk)

    sending = replace(
        document.sending,
        sender_id=row("sender", document.sender, senders, lambda one: one.full_name),
        mailbox_id=row("mailbox", document.mailbox, accounts.filter(kind=AccountKind.SMTP), lambda one: one.address),
        linkedin_id=row(
            "linkedin", document.linkedin, accounts.filter(kind=AccountKind.LINKEDIN), lambda one: one.address
        ),
    )
    return told(faults) or CampaignEntry(
        slug=document.slug or slugify(document.offer.name)[:50],
        offer=document.offer,
        sending=sending,
        steps=document.steps,
        proof_points=document.proof_points,
        no_proof_needed=document.no_proof_needed,
    )
