"""The demonstration team: invented people, campaigns, and a few drafts to look at."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from random import Random
from typing import TypeVar

from django.contrib.auth.hashers import make_password
from django.db import connection, transaction

from messaging.enrolment.services import enrol
from messaging.models import RejectionReason
from messaging.writing.prompting import ensure_shipped_prompts
from messaging.writing.services import request_drafts, write_due
from messaging.writing.strategies import ensure_weights
from outreach.campaigns.domain.entry import CampaignEntry, OfferEntry, SendingEntry
from outreach.campaigns.domain.offer import ProofPoint
from outreach.campaigns.domain.sequence import Step
from outreach.campaigns.models import AccountKind, Campaign, SenderIdentity, SendingAccount, TeamPolicy
from outreach.campaigns.services import create_campaign, start_campaign
from outreach.home.domain.demo import dated
from outreach.teams.access import Member, member_of
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Membership, Role, Team, User
from prospects.models import IdentityKey
from prospects.services import import_bytes

PASSWORD = "footnote-demo"  # noqa: S105 - printed by bin/run, for a team of invented people
PEOPLE = (
    ("wanda@demo.example", "Wanda Writer", Role.WRITER),
    ("rafael@demo.example", "Rafael Reviewer", Role.REVIEWER),
    ("mara@demo.example", "Mara Manager", Role.MANAGER),
    ("ada@demo.example", "Ada Admin", Role.ADMIN),
)
REASONS = (
    "Wrong person or wrong time",
    "Claim is true but should not be used",
    "Hook does not fit the offer",
    "Tone",
    "Too long or too dense",
    "Sounds like a machine",
    "Other, with a note",
)
_FILE = Path(__file__).parent / "demo" / "prospects.jsonl"
#: Invented people enrolled by e-mail and by LinkedIn, by their place in the file; the rest is for the newcomer.
_BY_EMAIL, _BY_LINKEDIN = range(16), range(16, 20)
_WRITTEN_BY_EMAIL, _WRITTEN_BY_LINKEDIN = 4, 2
_LOCK = 4_603_201
_OFFER = "Hearthdesk is a shared support inbox for engineers who answer customers themselves."
_VALUE = "Fewer repeated customer questions, clear ownership of every mail, and engineers who are interrupted less."


_Made = TypeVar("_Made")


class DemoRefused(Exception):
    """The shipped data was refused by the product's own rules; the message says why."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What is there now; created is False when it was there before."""

    team: Team
    created: bool
    prospects: int = 0
    drafts: int = 0


def load_demo(*, now: datetime) -> Loaded:
    """Make the demonstration team if there is none. All of it or nothing; two callers wait for each other.

    Raises DemoRefused when the shipped data is refused by the product's own rules.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        found = Team.objects.filter(slug="demo").first()
        if found is not None:
            return Loaded(found, created=False)
        return _load(now=now)


def _load(*, now: datetime) -> Loaded:
    team, users = _people()
    manager = _member(team, users["mara@demo.example"])
    writer = _member(team, users["wanda@demo.example"])
    RejectionReason.objects.bulk_create(
        RejectionReason(team=team, position=place, label=label) for place, label in enumerate(REASONS, start=1)
    )
    ensure_shipped_prompts()
    ids = _prospects(team=team, actor=writer.user, now=now)
    by_mail, by_hand = _campaigns(manager=manager, now=now)
    drafts = 0
    for campaign, places, written in (
        (by_mail, _BY_EMAIL, _WRITTEN_BY_EMAIL),
        (by_hand, _BY_LINKEDIN, _WRITTEN_BY_LINKEDIN),
    ):
        ensure_weights(campaign=campaign)
        _made(enrol(member=writer, campaign=campaign, prospect_ids=[ids[place] for place in places], now=now))
        running = _made(start_campaign(member=manager, campaign=campaign, now=now))
        asked = request_drafts(campaign=running, limit=written, now=now)
        # A seed: the first impression is the same on every machine.
        drafts += len(write_due(only=asked, limit=written, model=None, now=now, rng=Random(1), clock=lambda: now))  # noqa: S311
    return Loaded(team, created=True, prospects=len(ids), drafts=drafts)


def _people() -> tuple[Team, dict[str, User]]:
    team = Team.objects.create(slug="demo", name="Hearthdesk (demonstration)")
    TeamPolicy.objects.create(
        team=team,
        postal_address="Hearthdesk Ltd, 1 Example Street, London, United Kingdom",
        # A tour on a Saturday shows the sending too; nothing leaves the machine.
        send_on_weekends=True,
        send_on_holidays=True,
    )
    hashed = make_password(PASSWORD)
    users = {}
    for email, name, role in PEOPLE:
        user, _created = User.objects.get_or_create(email=email, defaults={"full_name": name, "password": hashed})
        Membership.objects.create(team=team, user=user, role=role)
        users[email] = user
    return team, users


def _member(team: Team, user: User) -> Member:
    member = member_of(team=team, user=user)
    if isinstance(member, Refusal):
        raise DemoRefused(member.message)
    return member


def _made(result: _Made | Refusal) -> _Made:
    if isinstance(result, Refusal):
        raise DemoRefused(f"the demonstration was refused: {result.message}")
    return result


def _prospects(*, team: Team, actor: User, now: datetime) -> list[int]:
    """Import the invented people as any file; ids in the order of the file."""
    text = dated(text=_FILE.read_text(encoding="utf-8"), today=now.date())
    batch = import_bytes(team=team, actor=actor, file_name="demonstration.jsonl", data=text.encode(), now=now)
    if isinstance(batch, Refusal):
        raise DemoRefused(f"the demonstration was refused: {batch.message}")
    keys = IdentityKey.objects.filter(team=team, kind="linkedin_slug", value__startswith="demo-")
    by_key = dict(keys.values_list("value", "prospect_id"))
    order = sorted(by_key, key=lambda value: text.find(f"/in/{value}"))
    return [by_key[value] for value in order]


def _campaigns(*, manager: Member, now: datetime) -> tuple[Campaign, Campaign]:
    team = manager.team
    sender = SenderIdentity.objects.create(
        team=team,
        user=None,
        full_name="Naledi Mokoena",
        title="Customer Lead",
        company="Hearthdesk",
        signature="Naledi",
    )
    mailbox = SendingAccount.objects.create(
        team=team, kind=AccountKind.SMTP, address="naledi@hearthdesk.example", display_name="Naledi Mokoena"
    )
    profile = SendingAccount.objects.create(
        team=team, kind=AccountKind.LINKEDIN, address="naledi-mokoena", display_name="Naledi Mokoena"
    )
    by_mail = _entry(
        slug="demo", name="Engineers on support", channel="email", sender=sender, account=mailbox, today=now.date()
    )
    by_hand = _entry(
        slug="demo-linkedin", name="Engineers on support, by LinkedIn", channel="linkedin_connection", sender=sender,
        account=profile, today=now.date(),
    )  # fmt: skip
    return (
        _made(create_campaign(member=manager, entry=by_mail, now=now)),
        _made(create_campaign(member=manager, entry=by_hand, now=now)),
    )


def _entry(
    *, slug: str, name: str, channel: str, sender: SenderIdentity, account: SendingAccount, today: date
) -> CampaignEntry:
    points = (
        ("survey", "8 of 10 customers of Hearthdesk say that repeated questions have become fewer.", "@-5m"),
        ("brightwell", "Brightwell cut repeated customer questions by 30% in four months with Hearthdesk.", "@-4m"),
        ("owner", "In Hearthdesk every customer mail has one owner.", ""),
    )
    return CampaignEntry(
        slug=slug,
        offer=OfferEntry(
            name=name,
            purpose="A shared support inbox, for founders and engineering leads who answer customers themselves.",
            offer=_OFFER,
            value_proposition=_VALUE,
            call_to_action="Would a 15-minute look at it be useful?",
            must_not_say="game changer\nbest in class",
            languages=("en",),
        ),
        steps=(Step(1, channel),),
        sending=SendingEntry(
            sender_id=sender.pk,
            mailbox_id=account.pk if account.kind == AccountKind.SMTP else None,
            linkedin_id=account.pk if account.kind == AccountKind.LINKEDIN else None,
        ),
        proof_points=tuple(
            ProofPoint(key, text, "Customer survey of Hearthdesk", dated(text=when, today=today))
            for key, text, when in points
        ),
    )
