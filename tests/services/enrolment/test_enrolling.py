"""Enrolment: everyone left out is told with the reason, and nobody gets two purposes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from messaging.enrolment.domain.audience import Audience
from messaging.enrolment.domain.exclusions import Why
from messaging.enrolment.services import Enrolled, enrol, enrol_due, release_finished, remove
from messaging.enrolment.services.audiences import save_audience
from messaging.models import Enrolment
from outreach.campaigns.models import Campaign
from outreach.teams.access import Member
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import AuditEvent, Team
from prospects import suppression
from tests.factories import NOW, a_campaign, a_draft, a_policy, a_prospect
from tests.people import a_member, a_team

pytestmark = pytest.mark.django_db
Enrol = Callable[..., Enrolled]


@pytest.fixture
def writer(team: Team) -> Member:
    return a_member(team=team, role="writer")


def enrolled(member: Member, campaign: Campaign, *prospect_ids: int) -> Enrolled:
    done = enrol(member=member, campaign=campaign, prospect_ids=prospect_ids, now=NOW)
    assert isinstance(done, Enrolled), done
    return done


def test_people_are_enrolled_once(team: Team, writer: Member) -> None:
    campaign, prospect = a_campaign(team=team), a_prospect(team=team)
    assert enrolled(writer, campaign, prospect.pk, prospect.pk).enrolled == (prospect.pk,)
    assert enrolled(writer, campaign, prospect.pk).counted() == {Why.ENROLLED_ALREADY: 1}


def test_each_exclusion_is_counted_with_its_reason(team: Team, writer: Member) -> None:
    campaign = a_campaign(team=team)
    good = a_prospect(team=team)
    conflicted = a_prospect(team=team, state="conflicted")
    german = a_prospect(team=team, language="de")
    nowhere = a_prospect(team=team)
    type(nowhere).objects.filter(pk=nowhere.pk).update(email="")
    gone = 10**9
    done = enrolled(writer, campaign, good.pk, conflicted.pk, german.pk, nowhere.pk, gone)
    assert done.enrolled == (good.pk,)
    assert {one.prospect_id: one.reason for one in done.excluded} == {
        conflicted.pk: Why.CONFLICTED,
        german.pk: Why.LANGUAGE_NOT_ALLOWED,
        nowhere.pk: Why.NO_ADDRESS,
        gone: Why.UNKNOWN,
    }


def test_a_suppressed_company_keeps_its_people_out(team: Team, writer: Member) -> None:
    campaign, prospect = a_campaign(team=team), a_prospect(team=team)
    suppression.suppress(team=team, actor=None, kind="company", value="Pipewren", reason="asked", now=NOW)
    assert enrolled(writer, campaign, prospect.pk).counted() == {Why.SUPPRESSED: 1}


def test_another_teams_people_do_not_exist(team: Team, writer: Member, other_team: Team) -> None:
    stranger = a_prospect(team=other_team)
    assert enrolled(writer, a_campaign(team=team), stranger.pk).counted() == {Why.UNKNOWN: 1}


def test_another_teams_campaign_does_not_exist(writer: Member, other_team: Team) -> None:
    done = enrol(member=writer, campaign=a_campaign(team=other_team), prospect_ids=[], now=NOW)
    assert isinstance(done, Refusal)
    assert done.code == "not-found"


def test_an_analyst_is_refused(team: Team) -> None:
    analyst = a_member(team=team, role="analyst")
    done = enrol(member=analyst, campaign=a_campaign(team=team), prospect_ids=[], now=NOW)
    assert isinstance(done, Refusal)
    assert done.code == "not-allowed"


def test_a_finished_campaign_takes_nobody_and_releases_its_people(team: Team, writer: Member) -> None:
    first, second, prospect = a_campaign(team=team), a_campaign(team=team), a_prospect(team=team)
    enrolled(writer, first, prospect.pk)
    assert enrolled(writer, second, prospect.pk).counted() == {Why.OTHER_PURPOSE: 1}
    Campaign.objects.filter(pk=first.pk).update(status="finished")
    assert enrolled(writer, second, prospect.pk).enrolled == (prospect.pk,)
    assert release_finished() == 0


def test_a_removed_person_is_free_and_their_drafts_are_cancelled(team: Team, writer: Member) -> None:
    a_policy(team=team)
    here, elsewhere = a_campaign(team=team), a_campaign(team=team)
    draft = a_draft(campaign=here)
    assert isinstance(remove(member=writer, campaign=here, enrolment_id=draft.enrolment_id, now=NOW), Enrolment)
    draft.refresh_from_db()
    assert draft.state == "cancelled"
    assert enrolled(writer, elsewhere, draft.prospect_id).enrolled == (draft.prospect_id,)


def test_a_person_with_an_approved_message_is_not_removed(team: Team, writer: Member) -> None:
    a_policy(team=team)
    draft = a_draft(campaign=a_campaign(team=team))
    type(draft).objects.filter(pk=draft.pk).update(state="approved")
    refused = remove(member=writer, campaign=draft.campaign, enrolment_id=draft.enrolment_id, now=NOW)
    assert isinstance(refused, Refusal)
    assert refused.code == "approved"


def test_another_teams_person_is_not_removed(writer: Member, other_team: Team) -> None:
    a_policy(team=other_team)
    draft = a_draft(campaign=a_campaign(team=other_team))
    refused = remove(member=writer, campaign=draft.campaign, enrolment_id=draft.enrolment_id, now=NOW)
    assert isinstance(refused, Refusal)
    assert refused.code == "not-found"


def test_enrolling_is_in_the_audit_trail_with_counts(team: Team, writer: Member) -> None:
    enrolled(writer, a_campaign(team=team), a_prospect(team=team).pk, 10**9)
    event = AuditEvent.objects.get(action="campaign.enrolled")
    assert (event.actor, event.details) == (writer.user, {"enrolled": 1, "excluded": {"unknown": 1}})


def test_enrolling_by_rule_takes_people_who_are_in_no_campaign(team: Team, writer: Member) -> None:
    here, elsewhere = a_campaign(team=team), a_campaign(team=team)
    taken, free, later = (a_prospect(team=team) for _ in range(3))
    enrolled(writer, elsewhere, taken.pk)
    assert enrol_due(campaign=here, limit=1, now=NOW).enrolled == (free.pk,)
    assert enrol_due(campaign=here, limit=5, now=NOW).enrolled == (later.pk,)


def test_enrolling_by_rule_keeps_to_the_saved_audience_and_its_limits(team: Team, writer: Member) -> None:
    campaign = a_campaign(team=team)
    a_prospect(team=team, title="Pilot")
    chiefs = [a_prospect(team=team, title="CEO") for _ in range(2)]
    save_audience(member=writer, campaign=campaign, audience=Audience(seniority=("chief",)), now=NOW)
    assert enrol_due(campaign=campaign, limit=5, now=NOW).enrolled == (chiefs[0].pk,)
    save_audience(member=writer, campaign=campaign, audience=Audience(seniority=("chief",), per_company=0), now=NOW)
    assert enrol_due(campaign=campaign, limit=5, now=NOW).enrolled == (chiefs[1].pk,)
    assert enrol_due(campaign=campaign, limit=5, now=NOW).enrolled == ()


def test_a_long_list_costs_no_more_queries_than_a_short_one(
    team: Team, writer: Member, django_assert_max_num_queries: Callable[..., object]
) -> None:
    campaign = a_campaign(team=team)
    ids = [a_prospect(team=team).pk for _ in range(20)]
    with django_assert_max_num_queries(20):
        assert len(enrolled(writer, campaign, *ids).enrolled) == 20


@pytest.mark.django_db(transaction=True)
def test_two_connections_give_one_person_one_purpose() -> None:
    team = a_team()
    member = a_member(team=team)
    campaigns = [a_campaign(team=team) for _ in range(4)]
    prospect = a_prospect(team=team)
    start = threading.Barrier(4)

    def worker(campaign: Campaign) -> int:
        try:
            start.wait()
            return len(enrolled(member, campaign, prospect.pk).enrolled)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(worker, campaigns)) == [0, 0, 0, 1]
    assert Enrolment.objects.filter(prospect=prospect).count() == 1
