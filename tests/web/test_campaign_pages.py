"""Campaigns in the browser: made, started, filled with people, drafted."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from messaging.models import Draft, Enrolment
from outreach.campaigns.models import Campaign
from outreach.teams.models import AuditEvent, Team
from tests.factories import FALSE_BODY, a_campaign, a_draft, a_policy, a_prospect
from tests.people import a_member, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def manager(team: Team) -> Client:
    return signed_in(user=a_member(team=team, role="manager").user)


@pytest.fixture
def writer(team: Team) -> Client:
    return signed_in(user=a_member(team=team, role="writer").user)


def entered(campaign: Campaign, **changes: object) -> dict[str, object]:
    """What the form sends for a campaign like this one."""
    return {
        "name": "Spring launch",
        "slug": "",
        "purpose": "Support tooling",
        "channel": "email",
        "sender_id": campaign.sender_id,
        "account_id": campaign.account_id,
        "offer": "Hearthdesk is a shared support inbox.",
        "call_to_action": "Would a short call be useful?",
        "languages": "en",
        "proof-TOTAL_FORMS": 1,
        "proof-INITIAL_FORMS": 0,
        "proof-0-key": "free",
        "proof-0-text": "The first year is free.",
        "proof-0-source": "Price list",
        "proof-0-date": "2026-09",
        "proof-0-expires_on": "",
        **changes,
    }


def test_a_campaign_is_made_with_its_proof_points(team: Team, manager: Client) -> None:
    done = manager.post("/t/north/campaigns/new/", entered(a_campaign(team=team)), follow=True)
    made = Campaign.objects.get(slug="spring-launch")
    assert (made.status, [point.text for point in made.proof_points.all()]) == ("draft", ["The first year is free."])
    assert "Spring launch" in done.content.decode()
    assert AuditEvent.objects.filter(action="campaign.created", target_id=made.pk).exists()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"call_to_action": "Call me."}, "ask exactly one question"),
        ({"languages": "english"}, "is no language code"),
        ({"proof-0-source": ""}, "This field is required"),
        ({"proof-0-date": "September"}, "use YYYY, YYYY-MM or YYYY-MM-DD"),
        ({"proof-0-expires_on": "2020-01-01"}, "this day is past"),
        ({"channel": "inmail"}, "cannot send this channel"),
        ({"slug": "new"}, "is an address of the site"),
        ({"sender_id": "0"}, "Select a valid choice"),
    ],
)
def test_a_fault_is_told_beside_its_field_and_nothing_is_lost(
    team: Team, manager: Client, changes: dict[str, object], says: str
) -> None:
    shown = manager.post("/t/north/campaigns/new/", entered(a_campaign(team=team), **changes))
    assert shown.status_code == 422
    assert says in shown.content.decode()
    assert "Hearthdesk is a shared support inbox." in shown.content.decode()
    assert not Campaign.objects.filter(name="Spring launch").exists()


def test_a_short_name_is_taken_once(team: Team, manager: Client) -> None:
    other = a_campaign(team=team)
    shown = manager.post("/t/north/campaigns/new/", entered(other, slug=other.slug))
    assert "has a campaign" in shown.content.decode()


def test_an_edit_keeps_what_was_not_changed_and_drops_what_was_removed(team: Team, manager: Client) -> None:
    campaign = a_campaign(team=team)
    manager.post(f"/t/north/campaigns/{campaign.slug}/edit/", entered(campaign, slug=campaign.slug))
    campaign.refresh_from_db()
    assert (campaign.name, campaign.status) == ("Spring launch", "running")
    assert [point.key for point in campaign.proof_points.all()] == ["free"]


def test_a_running_campaign_keeps_its_channel(team: Team, manager: Client) -> None:
    campaign, other = a_campaign(team=team), a_campaign(team=team, channel="inmail")
    address = f"/t/north/campaigns/{campaign.slug}/edit/"
    changes = {"slug": campaign.slug, "channel": "inmail", "account_id": other.account_id}
    assert "keeps its channel" in manager.post(address, entered(campaign, **changes)).content.decode()


@pytest.mark.parametrize(
    ("status", "step", "then"),
    [("draft", "start", "running"), ("running", "pause", "paused"), ("running", "finish", "finished"),
     ("finished", "start", "finished"), ("draft", "pause", "draft")],
)  # fmt: skip
def test_a_campaign_moves_only_where_it_may(team: Team, manager: Client, status: str, step: str, then: str) -> None:
    campaign = a_campaign(team=team, status=status)
    manager.post(f"/t/north/campaigns/{campaign.slug}/move/{step}/")
    campaign.refresh_from_db()
    assert campaign.status == then


def test_a_writer_may_look_but_not_manage(team: Team, writer: Client) -> None:
    campaign = a_campaign(team=team, status="draft")
    assert writer.get(f"/t/north/campaigns/{campaign.slug}/").status_code == 200
    for address in ("new/", f"{campaign.slug}/edit/"):
        assert writer.get(f"/t/north/campaigns/{address}").status_code == 403
    assert writer.post(f"/t/north/campaigns/{campaign.slug}/move/start/").status_code == 403


def test_the_chosen_are_enrolled_and_the_others_told(team: Team, writer: Client) -> None:
    campaign = a_campaign(team=team)
    good, conflicted = a_prospect(team=team), a_prospect(team=team, full_name="Paolo Diaz", state="conflicted")
    address = f"/t/north/campaigns/{campaign.slug}/people/"
    assert good.full_name in writer.get(address).content.decode()
    told = writer.post(address, {"prospect": [good.pk, conflicted.pk]}).content.decode()
    assert "1 person enrolled" in told
    assert "The sources disagree about who this is" in told


def test_everyone_is_enrolled_at_once(team: Team, writer: Client) -> None:
    campaign = a_campaign(team=team)
    for _ in range(3):
        a_prospect(team=team)
    writer.post(f"/t/north/campaigns/{campaign.slug}/people/", {"everyone": "1"})
    assert Enrolment.objects.filter(campaign=campaign).count() == 3


def test_choosing_nobody_says_so(team: Team, writer: Client) -> None:
    campaign = a_campaign(team=team)
    told = writer.post(f"/t/north/campaigns/{campaign.slug}/people/", {"prospect": ["x"]}, follow=True)
    assert "Choose at least one person." in told.content.decode()


def test_drafts_are_asked_for_and_the_page_watches_them(team: Team, writer: Client) -> None:
    campaign = a_campaign(team=team)
    writer.post(f"/t/north/campaigns/{campaign.slug}/people/", {"prospect": [a_prospect(team=team).pk]})
    page = writer.post(f"/t/north/campaigns/{campaign.slug}/drafts/start/", {"limit": "5"}, follow=True)
    assert "1 draft asked for." in page.content.decode()
    assert 'hx-trigger="every 2s"' in page.content.decode()
    Draft.objects.update(state="ready")
    done = writer.get(f"/t/north/campaigns/{campaign.slug}/pipeline/")
    assert "hx-trigger" not in done.content.decode()
    assert done["HX-Trigger"] == "footnote:written, footnote:counts"


def test_a_person_is_removed_from_the_page(team: Team, writer: Client) -> None:
    a_policy(team=team)
    draft = a_draft(campaign=a_campaign(team=team))
    address = f"/t/north/campaigns/{draft.campaign.slug}/people/{draft.enrolment_id}/remove/"
    assert "Removed." in writer.post(address, follow=True).content.decode()
    assert "not in this campaign" in writer.post(address, follow=True).content.decode()


def test_the_page_shows_what_is_stuck_and_why(team: Team, writer: Client) -> None:
    a_policy(team=team)
    campaign = a_campaign(team=team)
    a_draft(campaign=campaign)
    a_draft(campaign=campaign, prospect=a_prospect(team=team), body=FALSE_BODY)
    page = writer.get(f"/t/north/campaigns/{campaign.slug}/").content.decode()
    assert "1 to review" in page
    assert "1 blocked" in page
    assert "Chief Technology Officer" in page


def test_a_long_campaign_costs_no_more_queries_than_a_short_one(
    team: Team, writer: Client, django_assert_max_num_queries: Callable[..., object]
) -> None:
    a_policy(team=team)
    campaign = a_campaign(team=team)
    for _ in range(12):
        a_draft(campaign=campaign, prospect=a_prospect(team=team))
    with django_assert_max_num_queries(22):
        writer.get(f"/t/north/campaigns/{campaign.slug}/")
