"""Invented campaigns, prospects and drafts, made in one line. The texts are checked by the real verifier."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from itertools import count

from messaging.models import AuthorKind, AuthorshipKind, Draft, DraftState, Enrolment, Revision
from messaging.writing.dossiers import freeze
from messaging.writing.revisions import store_revision
from outreach.campaigns.models import Campaign, Channel, ProofPoint, SenderIdentity, SendingAccount, TeamPolicy
from outreach.teams.models import Team, User
from prospects.domain.dates import partial_date
from prospects.domain.evidence import Actor, Kind
from prospects.domain.evidence import Evidence as Fact
from prospects.models import Company, Evidence, IdentityKey, Prospect

_number = count(1)
NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
TODAY = NOW.date()
SUBJECT = "A question for Pipewren"
#: Every sentence is verified on the evidence of `a_prospect`.
BODY = (
    "Hi Diego,\n\n"
    "You are Head of Platform Engineering at Pipewren. "
    "Hearthdesk is a shared support inbox for engineering teams.\n\n"
    "Would a short call be useful?\n\n"
    "Best regards,\nNaledi Mokoena"
)
#: The next message of the sequence: says nothing of the first again, and something new.
NEXT_BODY = (
    "Hi Diego,\n\n"
    "Every engineer at Pipewren does one day of customer support every two weeks. "
    "Hearthdesk is free in the first year.\n\n"
    "Is a shared inbox of interest to you at the moment?\n\n"
    "Best regards,\nNaledi Mokoena"
)
#: Says what nobody knows of them: blocked.
FALSE_BODY = BODY.replace("Head of Platform Engineering", "Chief Technology Officer")


def a_policy(*, team: Team, **changes: object) -> TeamPolicy:
    """Length and call to action only warn, texts to colleagues may be alike, so that one short text will do; mail leaves on every day of the week."""
    values: dict[str, object] = {
        "quality_blocks": False, "quality_levels": {"near-duplicate": "warn"}, "postal_address": "1 Main Road, Cape Town",
        "send_on_weekends": True, "send_on_holidays": True, **changes,
    }
    policy, _created = TeamPolicy.objects.update_or_create(team=team, defaults=values)
    return policy


def a_campaign(*, team: Team, channel: str = Channel.EMAIL, user: User | None = None, **changes: object) -> Campaign:
    number = next(_number)
    sender = SenderIdentity.objects.create(
        team=team, user=user, full_name="Naledi Mokoena", title="Founder", company="Hearthdesk"
    )
    email = channel == Channel.EMAIL
    account = SendingAccount.objects.create(
        team=team, kind="smtp" if email else "linkedin", address=f"naledi{number}@hearthdesk.example" if email else f"naledi-{number}",
        display_name="Naledi Mokoena",
    )
    values: dict[str, object] = {
        "slug": f"campaign-{number}", "name": f"Engineers on support {number}", "purpose": "Support tooling",
        "offer": "Hearthdesk is a shared support inbox for engineering teams.", "channel": channel,
        "value_proposition": "Engineers answer customers themselves.",
        "call_to_action": "Would a short call be useful?", "languages": ["en"], "status": "running", **changes,
    }
    campaign = Campaign.objects.create(team=team, sender=sender, account=account, created_by=user, **values)
    ProofPoint.objects.create(
        campaign=campaign, key="s1", text="Hearthdesk is free in the first year.", source="price list", date="2026-09", approved_at=NOW
    )
    return campaign


def a_prospect(
    *,
    team: Team,
    full_name: str = "Diego Armenta Ruiz",
    email: str = "",
    came: Mapping[str, object] | None = None,
    **changes: object,
) -> Prospect:
    """Head of Platform Engineering at Pipewren, with a name, an open position and a post as evidence.

    came: columns that say how the evidence came, as batch and created_at.
    """
    number = next(_number)
    company, _created = Company.objects.get_or_create(
        team=team, normalized_name="pipewren", defaults={"name": "Pipewren", "domain": "pipewren.example"}
    )
    values: dict[str, object] = {
        "title": "Head of Platform Engineering", "company": company, "location": "Guadalajara", "language": "en",
        "linkedin_url": f"https://www.linkedin.com/in/diego-{number}", **changes,
    }
    prospect = Prospect.objects.create(
        team=team, full_name=full_name, email=email or f"diego{number}@pipewren.example", **values
    )
    IdentityKey.objects.create(team=team, prospect=prospect, kind="source_id", value=f"example:{prospect.pk}")
    first, last = full_name.split(" ", 1)
    evidence(
        prospect=prospect, kind=Kind.NAME, text=full_name,
        fields={"full_name": full_name, "first_name": first, "last_name": last}, came=came,
    )
    evidence(
        prospect=prospect, kind=Kind.POSITION, text="Head of Platform Engineering, Pipewren", occurred="2024-08",
        fields={"title": "Head of Platform Engineering", "company": "Pipewren", "start": "2024-08"}, came=came,
    )
    evidence(
        prospect=prospect, kind=Kind.POST, occurred="2026-11-05", fields={"id": f"p{number}"}, came=came,
        text="Every engineer at Pipewren, me included, does one day of customer support every two weeks.",
    )
    return prospect


def evidence(
    *,
    prospect: Prospect,
    kind: Kind,
    text: str,
    fields: Mapping[str, str] | None = None,
    occurred: str = "",
    actor: Actor = Actor.PROSPECT,
    observed_at: date = TODAY - timedelta(days=10),
    source: str = "people.csv, row 1",
    came: Mapping[str, object] | None = None,
) -> Evidence:
    interval = partial_date(occurred) if occurred else None
    fact = Fact(ref="", kind=kind, actor=actor, text=text, fields=fields or {}, occurred=interval)
    return Evidence.objects.create(
        team=prospect.team, prospect=prospect, kind=kind, actor=actor, text=text, fields=dict(fields or {}),
        occurred_first=interval.first if interval else None, occurred_last=interval.last if interval else None,
        observed_at=observed_at, source=source, content_hash=fact.content_hash, **(came or {}),
    )


def an_unwritten_draft(
    *, campaign: Campaign, prospect: Prospect | None = None, step: int = 1, now: datetime = NOW, **changes: object
) -> Draft:
    """Waiting to be written; its dossier is frozen."""
    prospect = prospect or a_prospect(team=campaign.team)
    enrolment, _created = Enrolment.objects.get_or_create(
        team=campaign.team, campaign=campaign, prospect=prospect, defaults={"created_at": now}
    )
    values: dict[str, object] = {
        "channel": campaign.channel, "language": "en", "state": DraftState.WAITING,
        "dossier": freeze(prospect=prospect, campaign=campaign, now=now), **changes,
    }
    return Draft.objects.create(
        team=campaign.team, campaign=campaign, enrolment=enrolment, prospect=prospect, step=step, created_at=now, **values
    )


def a_draft(
    *,
    campaign: Campaign,
    prospect: Prospect | None = None,
    subject: str = SUBJECT,
    body: str = BODY,
    authors: Mapping[User, AuthorshipKind] | None = None,
    now: datetime = NOW,
    **changes: object,
) -> Draft:
    """Written by the composer and checked: ready when every sentence is verified, else blocked."""
    draft = an_unwritten_draft(campaign=campaign, prospect=prospect, now=now, state=DraftState.READY, **changes)
    revision = store_revision(
        draft=draft, author_kind=AuthorKind.COMPOSER, subject=subject, body=body, declared=None,
        authors=authors or {}, now=now,
    )
    assert isinstance(revision, Revision), revision
    return Draft.objects.get(pk=draft.pk)
