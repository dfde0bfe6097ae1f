"""Campaigns in the browser: made, started, filled with people, drafted."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from django.test import Client

from messaging.models import Draft, Enrolment
from outreach.campaigns.models import Campaign
from outreach.teams.models import AuditEvent, Team
from tests.factories import FALSE_BODY, NOW, a_campaign, a_draft, a_policy, a_prospect, an_unwritten_draft
from tests.people import a_member, a_team, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def manager(team: Team) -> Client:
    return signed_in(user=a_member(team=team, role="manager").user)


@pytest.fixture
def writer(team: Team) -> Client:
    return signed_in(user=a_member(team=team, role="writer").user)


def address(campaign: Campaign, page: str) -> str:
    return f"/t/north/campaigns/{campaign.slug}/setup/{page}/"


OFFER = {
    "name": "Spring launch", "purpose": "Support tooling", "offer": "Hearthdesk is a shared support inbox.",
    "call_to_action": "Would a short call be useful?", "languages": "en",
}  # fmt: skip


def rows(prefix: str, *found: dict[str, object]) -> dict[str, object]:
    """What a formset sends."""
    sent: dict[str, object] = {f"{prefix}-TOTAL_FORMS": len(found), f"{prefix}-INITIAL_FORMS": 0}
    return sent | {f"{prefix}-{place}-{name}": value for place, row in enumerate(found) for name, value in row.items()}


POINT = {"key": "free", "text": "The first year is free.", "source": "Price list", "date": "2026-09", "expires_on": ""}


def test_the_wizard_is_left_and_resumed(team: Team, manager: Client) -> None:
    other = a_campaign(team=team)
    begun = manager.post("/t/north/campaigns/new/", {"name": "Spring launch"})
    made = Campaign.objects.get(slug="spring-launch")
    assert begun["Location"] == address(made, "offer")
    assert (
        manager.post(address(made, "offer"), {**OFFER, "then": "leave"})["Location"]
        == f"/t/north/campaigns/{made.slug}/"
    )
    assert manager.get(f"/t/north/campaigns/{made.slug}/edit/")["Location"] == address(made, "proof")
    assert manager.post(address(made, "proof"), rows("proof", POINT))["Location"].endswith("/audience/")
    steps = rows(
        "step",
        {"channel": "linkedin_connection"},
        {"channel": "email", "wait_days": 4, "condition": "not_connected"},
        {"channel": ""},
    )
    assert manager.post(address(made, "steps"), steps)["Location"] == address(made, "sending")
    linkedin = a_campaign(team=team, channel="inmail").account_id
    sending = {"sender_id": other.sender_id, "mailbox_id": other.account_id, "linkedin_id": linkedin}
    assert manager.post(address(made, "sending"), sending)["Location"] == address(made, "check")
    a_policy(team=team)
    shown = manager.get(address(made, "check")).content.decode()
    assert "1 thing is missing." in shown
    assert "Choose whom the campaign is for" in shown
    made.refresh_from_db()
    assert (made.status, made.channel, [point.text for point in made.proof_points.all()]) == (
        "draft", "linkedin_connection", ["The first year is free."],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("page", "sent", "says"),
    [
        ("offer", {**OFFER, "call_to_action": "Call me."}, "ask exactly one question"),
        ("offer", {**OFFER, "languages": "english"}, "is no language code"),
        ("proof", rows("proof", {**POINT, "source": ""}), "This field is required"),
        ("proof", rows("proof", {**POINT, "date": "September"}), "use YYYY, YYYY-MM or YYYY-MM-DD"),
        ("proof", rows("proof", {**POINT, "expires_on": "2020-01-01"}), "this day is past"),
        (
            "steps",
            rows("step", {"channel": "email"}, {"channel": "email", "wait_days": 999}),
            "less than or equal to 180",
        ),
        ("sending", {"sender_id": "0"}, "Select a valid choice"),
        ("sending", {"starts_on": "2026-12-05", "ends_on": "2026-12-01"}, "choose a day after the first"),
    ],
)
def test_a_fault_is_told_beside_its_field_and_nothing_is_lost(
    team: Team, manager: Client, page: str, sent: dict[str, object], says: str
) -> None:
    campaign = a_campaign(team=team, status="draft")
    shown = manager.post(address(campaign, page), sent)
    assert shown.status_code == 422
    assert says in shown.content.decode()
    assert not AuditEvent.objects.filter(target_id=campaign.pk, target_type="campaigns.campaign").exists()


def test_a_running_campaign_keeps_its_channel(team: Team, manager: Client) -> None:
    campaign = a_campaign(team=team)
    shown = manager.post(address(campaign, "steps"), rows("step", {"channel": "inmail"}))
    assert "it stays, with its channel" in shown.content.decode()


def test_a_change_of_a_statement_is_shown_with_how_far_it_is_verified(team: Team, manager: Client) -> None:
    campaign = a_campaign(team=team)
    manager.post(address(campaign, "proof"), {**rows("proof", POINT), "then": "leave"})
    shown = manager.get(f"/t/north/campaigns/{campaign.slug}/").content.decode()
    assert "is being verified again" in shown
    assert f"/t/north/campaigns/{campaign.slug}/changed/" in shown


def test_a_clone_is_a_draft_of_its_own(team: Team, manager: Client) -> None:
    campaign = a_campaign(team=team)
    manager.post(f"/t/north/campaigns/{campaign.slug}/clone/", {"name": "Autumn"})
    clone = Campaign.objects.get(slug="autumn")
    assert (clone.status, clone.offer, clone.cloned_from) == ("draft", campaign.offer, campaign)
    assert "cloned from" in manager.get("/t/north/campaigns/autumn/").content.decode()


def test_the_list_tells_what_is_stuck_in_a_fixed_number_of_queries(
    team: Team, manager: Client, django_assert_max_num_queries: Callable[[int], AbstractContextManager[object]]
) -> None:
    for number in range(4):
        campaign = a_campaign(team=team)
        if number == 0:
            campaign.proof_points.update(expires_on="2020-01-01")
            a_draft(campaign=campaign)
    with django_assert_max_num_queries(9):
        shown = manager.get("/t/north/campaigns/").content.decode()
    assert "1 proof point has expired" in shown
    assert "nobody is in it now" in shown


def test_the_log_says_who_changed_what(team: Team, manager: Client) -> None:
    campaign = a_campaign(team=team)
    manager.post(address(campaign, "offer"), {**OFFER, "tone": "warm"})
    shown = manager.get(f"/t/north/campaigns/{campaign.slug}/log/").content.decode()
    assert "warm" in shown
    assert "Nadia Ferrante" in shown


def test_another_team_finds_none_of_it(team: Team, manager: Client) -> None:
    foreign = a_campaign(team=a_team())
    for page in ("offer", "proof", "steps", "sending", "check"):
        assert manager.get(address(foreign, page)).status_code == 404
    for rest in ("edit/", "log/", "changed/"):
        assert manager.get(f"/t/north/campaigns/{foreign.slug}/{rest}").status_code == 404
    assert manager.post(f"/t/north/campaigns/{foreign.slug}/clone/", {"name": "Mine"}).status_code == 404
    assert manager.get(f"/t/north/outlook/{foreign.slug}/").status_code == 404


@pytest.mark.parametrize(
    ("status", "step", "then"),
    [("draft", "start", "running"), ("running", "pause", "paused"), ("running", "finish", "finished"),
     ("finished", "start", "finished"), ("draft", "pause", "draft")],
)  # fmt: skip
def test_a_campaign_moves_only_where_it_may(team: Team, manager: Client, status: str, step: str, then: str) -> None:
    a_policy(team=team)
    campaign = a_campaign(team=team, status=status)
    Enrolment.objects.create(team=team, campaign=campaign, prospect=a_prospect(team=team))
    manager.post(f"/t/north/campaigns/{campaign.slug}/move/{step}/")
    campaign.refresh_from_db()
    assert campaign.status == then


def test_a_writer_may_look_but_not_manage(team: Team, writer: Client) -> None:
    campaign = a_campaign(team=team, status="draft")
    assert writer.get(f"/t/north/campaigns/{campaign.slug}/").status_code == 200
    for page in ("new/", f"{campaign.slug}/edit/", f"{campaign.slug}/setup/offer/"):
        assert writer.get(f"/t/north/campaigns/{page}").status_code == 403
    assert writer.post(f"/t/north/campaigns/{campaign.slug}/clone/", {"name": "Mine"}).status_code == 403
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


def test_the_page_tells_where_each_draft_stands_and_what_it_waits_for(team: Team, writer: Client) -> None:
    campaign = a_campaign(team=team)
    address = f"/t/north/campaigns/{campaign.slug}/pipeline/"
    at_work = an_unwritten_draft(campaign=campaign, prospect=a_prospect(team=team, full_name="Ana Lund"))
    waits = an_unwritten_draft(campaign=campaign, prospect=a_prospect(team=team, full_name="Bo Quist"))
    Draft.objects.filter(pk=at_work.pk).update(state="writing", progress="Writing, try 2 of 3. <b>no</b>")
    Draft.objects.filter(pk=waits.pk).update(
        state_reason="The language model’s budget of 5 a day is used up.", lease_until=NOW
    )
    page = writer.get(address).content.decode()
    assert "Ana Lund</b>: Writing, try 2 of 3. &lt;b&gt;no" in page
    assert "Bo Quist</b>: The language model’s budget of 5 a day is used up." in page
    assert "again from" in page


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
    with django_assert_max_num_queries(24):
        writer.get(f"/t/north/campaigns/{campaign.slug}/")
