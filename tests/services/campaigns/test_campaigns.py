"""Campaigns from an empty draft to a clone: what is refused, what the database holds, what is logged."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import IntegrityError, transaction

from messaging.models import Check, Draft, Enrolment
from messaging.review.services import recheck_changed_offers
from messaging.writing.services import request_drafts
from outreach.campaigns import services
from outreach.campaigns.domain.entry import CampaignEntry, OfferEntry, SendingEntry
from outreach.campaigns.domain.lifecycle import Step as Move
from outreach.campaigns.domain.offer import ProofPoint
from outreach.campaigns.domain.sequence import Step
from outreach.campaigns.models import Campaign, OfferChange, SenderIdentity, SendingAccount
from outreach.campaigns.queries import checklist_of, proof_points_of, sequence_of
from outreach.teams.access import Member
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import AuditEvent, Team
from tests.factories import BODY, NOW, TODAY, a_campaign, a_draft, a_policy, a_prospect
from tests.people import a_member, a_team

pytestmark = pytest.mark.django_db
OFFER = OfferEntry(
    name="Spring", purpose="Support tooling", offer="Hearthdesk is a shared support inbox.",
    call_to_action="Would a short call be useful?", languages=("en",),
)  # fmt: skip
FREE = ProofPoint("free", "The first year is free.", "Price list", "2026-09")
LATER = NOW + timedelta(hours=1)
SILENT = "Hi Diego,\n\nWould a short call be useful?\n\nBest regards,\nNaledi Mokoena"


@pytest.fixture
def manager(team: Team) -> Member:
    return a_member(team=team, role="manager")


def sending(team: Team, *kinds: str) -> SendingEntry:
    sender = SenderIdentity.objects.create(team=team, full_name="Naledi Mokoena", company="Hearthdesk")
    rows = {kind: SendingAccount.objects.create(team=team, kind=kind, address=f"n@{kind}.example").pk for kind in kinds}
    return SendingEntry(sender_id=sender.pk, mailbox_id=rows.get("smtp"), linkedin_id=rows.get("linkedin"))


def a_whole(team: Team, manager: Member) -> Campaign:
    """Two channels and a follow-up, in draft, with somebody in it."""
    a_policy(team=team)
    entry = CampaignEntry(
        slug="spring", offer=OFFER, sending=sending(team, "smtp", "linkedin"), proof_points=(FREE,),
        steps=(Step(1, "linkedin_connection"), Step(2, "email", 4, "not_connected"), Step(3, "email", 6, "no_reply")),
    )  # fmt: skip
    made = services.create_campaign(member=manager, entry=entry, now=NOW)
    assert isinstance(made, Campaign)
    Enrolment.objects.create(team=team, campaign=made, prospect=a_prospect(team=team))
    return made


def test_a_campaign_grows_page_by_page(team: Team, manager: Member) -> None:
    a_policy(team=team)
    begun = services.begin_campaign(member=manager, name="Spring", purpose="", now=NOW)
    assert isinstance(begun, Campaign)
    assert [step.channel for step in sequence_of(campaign=begun)] == ["email"]
    assert services.save_offer(member=manager, campaign=begun, entry=OFFER, now=NOW) == begun
    steps = (Step(1, "linkedin_connection"), Step(2, "email", 4, "not_connected"))
    assert services.save_steps(member=manager, campaign=begun, steps=steps, now=NOW) == begun
    entry = sending(team, "smtp", "linkedin")
    services.save_sending(member=manager, campaign=begun, entry=entry, now=NOW)
    services.save_proof(member=manager, campaign=begun, points=(FREE,), no_proof_needed=False, now=NOW)
    begun.refresh_from_db()
    assert (begun.channel, begun.account_id, begun.other_account_id) == (
        "linkedin_connection", entry.linkedin_id, entry.mailbox_id,
    )  # fmt: skip
    assert [point.key for point in checklist_of(campaign=begun, today=TODAY) if not point.done] == ["audience"]
    actions = list(AuditEvent.objects.filter(target_id=begun.pk).order_by("id").values_list("action", flat=True))
    assert actions == ["campaign.created", "campaign.offer", "campaign.steps", "campaign.sending", "campaign.proof"]


def test_the_same_name_gets_another_short_name(team: Team, manager: Member) -> None:
    slugs = [services.begin_campaign(member=manager, name="New", purpose="", now=NOW) for _ in range(2)]
    assert [made.slug for made in slugs if isinstance(made, Campaign)] == ["new-2", "new-3"]


def test_what_is_missing_is_told_and_nothing_starts(team: Team, manager: Member) -> None:
    begun = services.begin_campaign(member=manager, name="Spring", purpose="", now=NOW)
    assert isinstance(begun, Campaign)
    refused = services.move_campaign(member=manager, campaign=begun, step=Move.START, now=NOW)
    assert isinstance(refused, Refusal)
    assert "Say in one sentence what you offer." in refused.message
    begun.refresh_from_db()
    assert begun.status == "draft"


def test_the_whole_way_and_its_log(team: Team, manager: Member) -> None:
    campaign = a_whole(team, manager)
    for step, status in (
        ("ready", "ready"),
        ("start", "running"),
        ("pause", "paused"),
        ("start", "running"),
        ("finish", "finished"),
    ):
        moved = services.move_campaign(member=manager, campaign=campaign, step=Move(step), now=NOW)
        assert isinstance(moved, Campaign), moved
        assert moved.status == status
    event = AuditEvent.objects.filter(action="campaign.finish").get()
    assert event.details["changed"] == {"status": ["running", "finished"]}


def test_a_ready_campaign_that_loses_something_is_a_draft_again(team: Team, manager: Member) -> None:
    campaign = a_whole(team, manager)
    services.move_campaign(member=manager, campaign=campaign, step=Move.READY, now=NOW)
    services.save_proof(member=manager, campaign=campaign, points=(FREE,), no_proof_needed=True, now=NOW)
    campaign.refresh_from_db()
    assert campaign.status == "ready"
    services.save_proof(member=manager, campaign=campaign, points=(), no_proof_needed=False, now=NOW)
    campaign.refresh_from_db()
    assert campaign.status == "draft"


def test_a_running_campaign_stays_whole(team: Team, manager: Member) -> None:
    campaign = a_whole(team, manager)
    services.start_campaign(member=manager, campaign=campaign, now=NOW)
    refusals = [
        services.save_proof(member=manager, campaign=campaign, points=(), no_proof_needed=False, now=NOW),
        services.save_offer(member=manager, campaign=campaign, entry=OfferEntry(name="Spring"), now=NOW),
        services.save_steps(member=manager, campaign=campaign, steps=(Step(1, "email"),), now=NOW),
        services.save_sending(member=manager, campaign=campaign, entry=SendingEntry(), now=NOW),
    ]
    assert [isinstance(one, Refusal) for one in refusals] == [True] * 4
    assert [point.key for point in proof_points_of(campaign=campaign)] == ["free"]
    assert len(sequence_of(campaign=campaign)) == 3


@pytest.mark.parametrize(
    ("before", "after"),
    [("draft", "running"), ("draft", "paused"), ("running", "draft"), ("running", "ready"), ("finished", "running"),
     ("finished", "draft"), ("paused", "ready")],
)  # fmt: skip
def test_the_database_refuses_other_moves(team: Team, before: str, after: str) -> None:
    campaign = a_campaign(team=team, status=before)
    with pytest.raises(IntegrityError, match="campaign refused"), transaction.atomic():
        Campaign.objects.filter(pk=campaign.pk).update(status=after)


def test_the_database_wants_an_account_for_every_step(team: Team, manager: Member) -> None:
    campaign = a_whole(team, manager)
    services.start_campaign(member=manager, campaign=campaign, now=NOW)
    with pytest.raises(IntegrityError, match="no account of its channel"), transaction.atomic():
        Campaign.objects.filter(pk=campaign.pk).update(other_account=None)


def test_a_clone_has_everything_but_the_people(team: Team, manager: Member) -> None:
    campaign = a_whole(team, manager)
    clone = services.clone_campaign(member=manager, campaign=campaign, name="Spring again", now=LATER)
    assert isinstance(clone, Campaign)
    assert (clone.status, clone.slug, clone.offer, clone.account_id) == (
        "draft", "spring-again", campaign.offer, campaign.account_id,
    )  # fmt: skip
    assert sequence_of(campaign=clone) == sequence_of(campaign=campaign)
    assert proof_points_of(campaign=clone) == proof_points_of(campaign=campaign)
    assert not clone.enrolments.exists()


def test_a_changed_statement_has_waiting_texts_verified_again(team: Team, manager: Member) -> None:
    campaign = a_campaign(team=team)
    claims = a_draft(campaign=campaign, body=BODY.replace("Would", "Hearthdesk is free in the first year.\n\nWould"))
    silent = a_draft(campaign=campaign, body=SILENT)
    assert [Draft.objects.get(pk=one.pk).state for one in (claims, silent)] == ["ready", "ready"]
    points = (ProofPoint("s1", "Hearthdesk is free in the first month.", "price list", "2026-10"),)
    done = services.save_proof(member=manager, campaign=campaign, points=points, no_proof_needed=False, now=LATER)
    assert isinstance(done, Campaign), done
    swept = recheck_changed_offers(now=LATER + timedelta(minutes=1))
    assert swept.rechecked == 2
    assert [Draft.objects.get(pk=one.pk).state for one in (claims, silent)] == ["blocked", "ready"]
    change = OfferChange.objects.get()
    assert (change.fields, change.checked, bool(change.settled_at)) == (["proof_points.s1"], 2, True)
    checks = Check.objects.count()
    assert recheck_changed_offers(now=LATER + timedelta(minutes=2)).rechecked == 0
    assert Check.objects.count() == checks


def test_a_change_of_a_draft_verifies_nothing(team: Team, manager: Member) -> None:
    campaign = a_whole(team, manager)
    services.save_proof(member=manager, campaign=campaign, points=(), no_proof_needed=True, now=NOW)
    assert not OfferChange.objects.exists()


@pytest.mark.parametrize(
    ("changes", "drafts"),
    [({}, 3), ({"drafts_per_day": 2}, 2), ({"starts_on": date(2026, 12, 2)}, 0), ({"ends_on": date(2026, 11, 30)}, 0)],
)
def test_dates_and_the_daily_number_hold(team: Team, changes: dict[str, object], drafts: int) -> None:
    campaign = a_campaign(team=team, **changes)
    for _ in range(3):
        Enrolment.objects.create(team=team, campaign=campaign, prospect=a_prospect(team=team), due_at=NOW)
    assert len(request_drafts(campaign=campaign, limit=25, now=NOW)) == drafts
    assert len(request_drafts(campaign=campaign, limit=25, now=NOW)) == 0


def test_others_learn_nothing(team: Team, manager: Member) -> None:
    foreign, writer = a_campaign(team=a_team()), a_member(team=team, role="writer")
    for refused in (
        services.clone_campaign(member=manager, campaign=foreign, name="Mine", now=NOW),
        services.save_offer(member=manager, campaign=foreign, entry=OFFER, now=NOW),
        services.begin_campaign(member=writer, name="Spring", purpose="", now=NOW),
        services.save_steps(member=writer, campaign=a_campaign(team=team), steps=(), now=NOW),
    ):
        assert isinstance(refused, Refusal)
