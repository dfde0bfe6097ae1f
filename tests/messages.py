"""Invented prospects, drafts and replies, made in one line."""

from __future__ import annotations

import hashlib
from itertools import count

from messaging.models import Draft, Enrolment, FrozenDossier, RawMail, Reply, Revision
from outreach.campaigns.models import Campaign, CampaignStatus, SenderIdentity, SendingAccount
from outreach.teams.models import Team
from prospects.models import IdentityKey, Prospect

_number = count(1)


def a_prospect(*, team: Team, full_name: str = "Ida Sørensen", **fields: object) -> Prospect:
    prospect = Prospect.objects.create(team=team, full_name=full_name, **fields)
    IdentityKey.objects.create(team=team, prospect=prospect, kind="source_id", value=f"example:{prospect.pk}")
    return prospect


def a_campaign(*, team: Team, name: str = "Query profiling") -> Campaign:
    number = next(_number)
    return Campaign.objects.create(
        team=team, slug=f"campaign-{number}", name=name, purpose="one", offer="A profiler", call_to_action="Worth a look?",
        channel="email", status=CampaignStatus.RUNNING,
        sender=SenderIdentity.objects.create(team=team, full_name="Nadia Ferrante", company="Northwind"),
        account=SendingAccount.objects.create(team=team, kind="smtp", address=f"nadia{number}@northwind.example"),
    )  # fmt: skip


def a_draft(
    *, prospect: Prospect, campaign: Campaign | None = None, body: str = "Hi Ida,\n\nWorth a look?", **fields: object
) -> Draft:
    campaign = campaign or a_campaign(team=prospect.team)
    enrolment = Enrolment.objects.create(
        team=prospect.team, campaign=campaign, prospect=prospect, state="finished"
    )  # finished: a person may be active in one campaign only
    dossier = FrozenDossier.objects.create(team=prospect.team, prospect=prospect, items=[], content_hash="0" * 64)
    draft = Draft.objects.create(
        team=prospect.team, campaign=campaign, enrolment=enrolment, prospect=prospect, channel="email", dossier=dossier,
        **fields,
    )  # fmt: skip
    digest = hashlib.sha256(f"Hello\0{body}".encode()).hexdigest()
    draft.current = Revision.objects.create(
        draft=draft, number=1, author_kind="composer", subject="Hello", body=body, content_hash=digest, dossier=dossier
    )
    draft.save()
    return draft


def a_reply(*, prospect: Prospect, text: str = "How does it work?", intent: str = "question", **fields: object) -> Reply:
    content = f"reply {next(_number)}".encode()
    raw = RawMail.objects.create(
        team=prospect.team, source="file", content=content, sha256=hashlib.sha256(content).hexdigest()
    )
    return Reply.objects.create(
        team=prospect.team, raw=raw, prospect=prospect, kind="human", intent=intent, text=text, classifier_version="1",
        **fields,
    )  # fmt: skip
