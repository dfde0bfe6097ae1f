"""The pages of an audience, of enrolling it, and of people by step."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from messaging.enrolment.domain.audience import Audience
from messaging.enrolment.queries.audience import audience_of
from messaging.enrolment.services.runs import start_run
from messaging.enrolment.tasks import run_enrolments
from messaging.models import Enrolment, EnrolmentRun
from outreach.campaigns.models import Campaign
from outreach.teams.access import Member
from outreach.teams.models import Team
from prospects.models import Prospect
from tests.factories import NOW, a_campaign, a_policy, a_prospect
from tests.people import a_member, signed_in
from tests.services.enrolment.crowds import a_crowd

pytestmark = pytest.mark.django_db
#: What the form sends beside its filters when nothing was changed.
USUAL = {"limits": "1", "rest_days": "30", "per_company": "1", "fresh_only": "on", "sure_language": "on"}


@pytest.fixture
def member(team: Team) -> Member:
    return a_member(team=team, role="writer")


@pytest.fixture
def writer(member: Member) -> Client:
    return signed_in(user=member.user)


@pytest.fixture
def campaign(team: Team) -> Campaign:
    a_policy(team=team)
    return a_campaign(team=team, slug="spring")


def words(answer: object) -> str:
    return answer.content.decode()  # type: ignore[attr-defined]


def test_the_page_counts_explains_and_shows_the_first(team: Team, campaign: Campaign, writer: Client) -> None:
    a_prospect(team=team)
    a_prospect(team=team)
    page = words(writer.get("/t/north/campaigns/spring/audience/"))
    assert 'id="count">2<' in page
    assert "As many colleagues as the limit allows are enrolled on the same day" in page
    assert "Diego Armenta Ruiz" in page
    assert "/t/north/campaigns/spring/hooks/?p=" in page


def test_filters_stand_in_the_address(team: Team, campaign: Campaign, writer: Client) -> None:
    a_crowd(team=team, people=20)
    page = words(writer.get("/t/north/campaigns/spring/audience/?seniority=chief&countries=de,fr"))
    assert 'id="count">2<' in page
    assert 'value="DE, FR"' in page
    part = writer.get("/t/north/campaigns/spring/audience/count/", {**USUAL, "seniority": "chief"}, headers={"HX-Request": "true"})
    assert 'id="count">4<' in words(part)
    assert part["HX-Replace-Url"] == "/t/north/campaigns/spring/audience/?seniority=chief&given=1"
    assert "<html" not in words(part)
    assert "Would be enrolled" in words(writer.get("/t/north/campaigns/spring/audience/explained/?seniority=chief&given=1"))


def test_what_is_not_understood_is_told_and_kept(campaign: Campaign, writer: Client) -> None:
    answer = writer.get("/t/north/campaigns/spring/audience/", {**USUAL, "countries": "Germany", "title": "head"})
    assert answer.status_code == 422
    assert "GERMANY is no country code" in words(answer)
    assert 'value="Germany"' in words(answer)
    assert 'value="head"' in words(answer)
    refused = writer.post("/t/north/campaigns/spring/audience/", {**USUAL, "countries": "Germany", "enrol": "1"})
    assert refused.status_code == 422
    assert not EnrolmentRun.objects.exists()


def test_an_audience_is_saved_and_shown_again(campaign: Campaign, writer: Client) -> None:
    said = {**USUAL, "seniority": ["chief", "head"], "save": "1"}
    del said["fresh_only"]
    writer.post("/t/north/campaigns/spring/audience/", said)
    assert audience_of(campaign=campaign) == Audience(seniority=("chief", "head"), fresh_only=False)
    page = words(writer.get("/t/north/campaigns/spring/audience/"))
    assert page.count('name="seniority" value="chief" class="form-check-input" id="id_seniority_0" checked') == 1
    everybody = words(writer.get("/t/north/campaigns/spring/audience/?given=1"))
    assert 'id="id_seniority_0" checked' not in everybody


def test_enrolling_shows_its_progress_its_end_and_who_was_left_out(team: Team, campaign: Campaign, writer: Client) -> None:
    a_crowd(team=team, people=12)
    Prospect.objects.filter(pk=Prospect.objects.earliest("pk").pk).update(email="", full_name="=SUM(A1)")
    begun = writer.post("/t/north/campaigns/spring/audience/", {**USUAL, "enrol": "1"}, follow=True)
    assert "Runs on its own" in words(begun)
    run = EnrolmentRun.objects.get()
    address = f"/t/north/campaigns/spring/enrolling/{run.pk}/"
    assert 'hx-trigger="every 1s"' in words(writer.get(address, headers={"HX-Request": "true"}))
    assert run_enrolments() == 1
    ended = words(writer.get(address, headers={"HX-Request": "true"}))
    assert "11 people enrolled" in ended
    assert "There is no address for this channel" in ended
    assert "every 1s" not in ended
    listed = words(writer.get(f"{address}left-out.csv"))
    assert listed.splitlines()[1].startswith("'=SUM(A1)")
    assert len(listed.splitlines()) == 2


def test_a_run_is_cancelled_and_resumed(team: Team, campaign: Campaign, member: Member, writer: Client) -> None:
    a_crowd(team=team, people=3)
    run = start_run(member=member, campaign=campaign, audience=Audience(), now=NOW)
    assert isinstance(run, EnrolmentRun)
    address = f"/t/north/campaigns/spring/enrolling/{run.pk}/"
    assert "Resuming goes on where it stopped" in words(writer.post(f"{address}cancel/", follow=True))
    assert run_enrolments() == 0
    assert "Runs on its own" in words(writer.post(f"{address}resume/", follow=True))
    assert "Only a cancelled run is resumed." in words(writer.post(f"{address}resume/", follow=True))
    assert run_enrolments() == 1
    assert Enrolment.objects.count() == 3


def test_hooks_of_each_are_ranked_as_for_a_draft(team: Team, campaign: Campaign, writer: Client, other_team: Team) -> None:
    one, stranger = a_prospect(team=team), a_prospect(team=other_team, full_name="Somebody Else")
    page = words(writer.get(f"/t/north/campaigns/spring/hooks/?p={one.pk}&p={stranger.pk}&p=x"))
    assert "one day of customer support every two weeks" in page
    assert "What happens now" in page
    assert "Somebody Else" not in page


def test_people_are_listed_by_step_and_changed(team: Team, campaign: Campaign, writer: Client) -> None:
    rows = [Enrolment.objects.create(team=team, campaign=campaign, prospect=a_prospect(team=team)) for _ in range(2)]
    page = words(writer.get("/t/north/campaigns/spring/steps/?step=1"))
    assert page.count('class="row-k"') == 2
    done = writer.post("/t/north/campaigns/spring/steps/", {"enrolment": [rows[0].pk], "do": "pause"})
    assert "1 person changed." in words(done)
    assert words(writer.get("/t/north/campaigns/spring/steps/?state=paused")).count('class="row-k"') == 1
    assert "Choose at least one person." in words(writer.post("/t/north/campaigns/spring/steps/", {"do": "pause"}))
    assert "They are paused already." in words(writer.post("/t/north/campaigns/spring/steps/", {"enrolment": [rows[0].pk], "do": "pause"}))


def test_empty_pages_say_what_to_do_next(campaign: Campaign, writer: Client) -> None:
    assert "Choose the audience" in words(writer.get("/t/north/campaigns/spring/steps/"))
    assert "Import prospects" in words(writer.get("/t/north/campaigns/spring/audience/"))


def test_who_may_only_look_sees_the_steps_and_changes_nothing(team: Team, campaign: Campaign) -> None:
    analyst = signed_in(user=a_member(team=team, role="analyst").user)
    row = Enrolment.objects.create(team=team, campaign=campaign, prospect=a_prospect(team=team))
    assert 'name="do"' not in words(analyst.get("/t/north/campaigns/spring/steps/"))
    analyst.post("/t/north/campaigns/spring/steps/", {"enrolment": [row.pk], "do": "remove"})
    row.refresh_from_db()
    assert row.state == "active"
    for address in ("audience/", "audience/count/", "audience/explained/", "hooks/"):
        assert analyst.get(f"/t/north/campaigns/spring/{address}").status_code == 403


def test_runs_and_campaigns_of_others_are_not_there(team: Team, other_team: Team, campaign: Campaign, writer: Client) -> None:
    theirs = a_campaign(team=other_team, slug="theirs")
    run = start_run(member=a_member(team=other_team), campaign=theirs, audience=Audience(), now=NOW)
    assert isinstance(run, EnrolmentRun)
    for address in ("", "left-out.csv"):
        assert writer.get(f"/t/north/campaigns/spring/enrolling/{run.pk}/{address}").status_code == 404
    for address in ("cancel/", "resume/"):
        assert writer.post(f"/t/north/campaigns/spring/enrolling/{run.pk}/{address}").status_code == 404
    assert writer.get("/t/north/campaigns/theirs/audience/").status_code == 404
    run.refresh_from_db()
    assert run.state == "waiting"


def test_pages_cost_a_fixed_number_of_queries(
    team: Team, campaign: Campaign, writer: Client, django_assert_max_num_queries: Callable[..., object]
) -> None:
    a_crowd(team=team, people=60)
    for person in Prospect.objects.filter(team=team)[:40]:
        Enrolment.objects.create(team=team, campaign=campaign, prospect=person)
    with django_assert_max_num_queries(24):
        writer.get("/t/north/campaigns/spring/audience/?seniority=chief")
    with django_assert_max_num_queries(14):
        writer.get("/t/north/campaigns/spring/steps/")
