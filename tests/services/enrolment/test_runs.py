"""Enrolling an audience in the background: progress, cancel, resume, a real kill, and one purpose under eight writers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from django.db import IntegrityError, connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from messaging.enrolment.domain.audience import Audience
from messaging.enrolment.services import Enrolled, enrol
from messaging.enrolment.services.audiences import save_audience
from messaging.enrolment.services.runs import LEASE, cancel_run, claim_run, resume_run, start_run, work_run
from messaging.models import CampaignAudience, Enrolment, EnrolmentRun, RunState
from outreach.campaigns.models import Campaign
from outreach.teams.access import Member
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import AuditEvent, Team
from prospects.models import Prospect
from tests.factories import NOW, a_campaign
from tests.people import a_member, a_team
from tests.services.enrolment.crowds import a_crowd

ROOT = Path(__file__).parents[3]
EVERYBODY = Audience(per_company=0)


@pytest.fixture
def writer(team: Team) -> Member:
    return a_member(team=team, role="writer")


def started(member: Member, campaign: Campaign, audience: Audience = EVERYBODY) -> EnrolmentRun:
    run = start_run(member=member, campaign=campaign, audience=audience, now=NOW)
    assert isinstance(run, EnrolmentRun), run
    return run


def worked(*, chunk: int = 7) -> EnrolmentRun:
    lease = claim_run(now=NOW)
    assert lease is not None
    return work_run(lease=lease, clock=lambda: NOW, chunk=chunk)


@pytest.mark.django_db
def test_everybody_of_the_audience_is_enrolled_once_and_counted(team: Team, writer: Member) -> None:
    a_crowd(team=team, people=40, companies=10)
    Prospect.objects.filter(team=team, pk__in=Prospect.objects.filter(team=team)[:3]).update(email="")
    run = started(writer, a_campaign(team=team))
    run = worked()
    assert (run.state, run.total, run.looked_at, run.enrolled) == (RunState.DONE, 40, 40, 37)
    assert run.excluded == {"no-address": 3}
    assert Enrolment.objects.filter(campaign=run.campaign, state="active").count() == 37
    event = AuditEvent.objects.get(action="campaign.enrolled")
    assert event.details == {"run": run.pk, "enrolled": 37, "excluded": {"no-address": 3}}


@pytest.mark.django_db
def test_only_who_fits_is_enrolled_and_colleagues_wait_for_another_day(team: Team, writer: Member) -> None:
    a_crowd(team=team, people=40, companies=4)
    started(writer, a_campaign(team=team), Audience(seniority=("chief",), countries=("DE",)))
    run = worked()
    chiefs = [pk for pk, title, place in Prospect.objects.filter(team=team).values_list("pk", "title", "location")
              if title.startswith("CEO") and place.startswith("Berlin")]
    assert run.enrolled + sum(run.excluded.values()) == len(chiefs) > 1
    companies = Enrolment.objects.filter(campaign=run.campaign).values_list("prospect__company", flat=True)
    assert len(set(companies)) == len(companies) == run.enrolled
    assert set(run.excluded) == {"same-company-and-day"}


@pytest.mark.django_db
def test_a_cancelled_run_stops_and_goes_on_where_it_stopped(team: Team, writer: Member) -> None:
    a_crowd(team=team, people=30)
    campaign = a_campaign(team=team)
    run = started(writer, campaign)
    lease = claim_run(now=NOW)
    assert lease is not None
    ticks = iter(range(100))

    def clock() -> object:
        if next(ticks) == 2:
            assert isinstance(cancel_run(member=writer, campaign=campaign, run_id=run.pk, now=NOW), EnrolmentRun)
        return NOW

    stopped = work_run(lease=lease, clock=clock, chunk=5)  # type: ignore[arg-type]
    assert (stopped.state, stopped.looked_at, stopped.enrolled) == (RunState.CANCELLED, 10, 10)
    assert claim_run(now=NOW + timedelta(hours=1)) is None
    assert isinstance(resume_run(member=writer, campaign=campaign, run_id=run.pk), EnrolmentRun)
    done = worked()
    assert (done.state, done.looked_at, done.enrolled, done.excluded) == (RunState.DONE, 30, 30, {})


@pytest.mark.django_db
def test_one_run_at_a_time(team: Team, writer: Member) -> None:
    campaign = a_campaign(team=team)
    started(writer, campaign)
    again = start_run(member=writer, campaign=campaign, audience=EVERYBODY, now=NOW)
    assert isinstance(again, Refusal)
    assert again.code == "running"


@pytest.mark.django_db
def test_a_finished_campaign_stops_the_run(team: Team, writer: Member) -> None:
    a_crowd(team=team, people=5)
    campaign = a_campaign(team=team)
    started(writer, campaign)
    Campaign.objects.filter(pk=campaign.pk).update(status="finished")
    run = worked()
    assert (run.state, run.enrolled, run.message) == (RunState.CANCELLED, 0, "The campaign was finished.")
    refused = resume_run(member=writer, campaign=Campaign.objects.get(pk=campaign.pk), run_id=run.pk)
    assert isinstance(refused, Refusal)


@pytest.mark.django_db
def test_outsiders_start_cancel_and_save_nothing(team: Team, other_team: Team, writer: Member) -> None:
    campaign = a_campaign(team=team)
    run = started(writer, campaign)
    stranger, analyst = a_member(team=other_team, role="admin"), a_member(team=team, role="analyst")
    for member, code in ((stranger, "not-found"), (analyst, "not-allowed")):
        for refused in (
            start_run(member=member, campaign=campaign, audience=EVERYBODY, now=NOW),
            cancel_run(member=member, campaign=campaign, run_id=run.pk, now=NOW),
            resume_run(member=member, campaign=campaign, run_id=run.pk),
            save_audience(member=member, campaign=campaign, audience=EVERYBODY, now=NOW),
        ):
            assert isinstance(refused, Refusal)
            assert refused.code == code
    assert not CampaignAudience.objects.exists()


@pytest.mark.django_db
def test_the_run_of_one_team_enrols_nobody_of_another(team: Team, other_team: Team, writer: Member) -> None:
    a_crowd(team=team, people=3)
    a_crowd(team=other_team, people=6)
    started(writer, a_campaign(team=team))
    assert worked().enrolled == 3
    assert Enrolment.objects.exclude(team=team).count() == 0


@pytest.mark.django_db(transaction=True)
def test_a_killed_worker_loses_nobody_and_enrols_nobody_twice() -> None:
    team, moment = a_team(), NOW
    member = a_member(team=team, role="writer")
    a_crowd(team=team, people=4_000)
    campaign = a_campaign(team=team)
    run = started(member, campaign)
    codes = []
    for seen in (100, 900):
        command = [sys.executable, "-m", "tests.services.enrolment.run_child", str(connection.settings_dict["NAME"]), moment.isoformat(), "20"]
        worker = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "DJANGO_SETTINGS_MODULE": "outreach.settings"})
        while Enrolment.objects.count() < seen and worker.poll() is None:
            threading.Event().wait(0.01)
        worker.send_signal(signal.SIGKILL)
        codes.append(worker.wait(60))
        moment += LEASE + timedelta(seconds=1)
    assert codes == [-signal.SIGKILL, -signal.SIGKILL]
    between = EnrolmentRun.objects.get(pk=run.pk)
    assert between.state == RunState.RUNNING
    assert 900 <= between.looked_at == between.enrolled == Enrolment.objects.count() < 4_000
    lease = claim_run(now=moment)
    assert lease is not None
    done = work_run(lease=lease, clock=lambda: moment)
    assert (done.state, done.looked_at, done.enrolled, done.excluded) == (RunState.DONE, 4_000, 4_000, {})
    assert Enrolment.objects.filter(campaign=campaign).count() == 4_000


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_lost_its_lease_writes_nothing_more() -> None:
    team = a_team()
    a_crowd(team=team, people=10)
    started(a_member(team=team, role="writer"), a_campaign(team=team))
    first = claim_run(now=NOW)
    assert first is not None
    assert claim_run(now=NOW) is None
    second = claim_run(now=NOW + LEASE)
    assert second is not None
    work_run(lease=first, clock=lambda: NOW, chunk=2)
    assert Enrolment.objects.count() == 0
    assert work_run(lease=second, clock=lambda: NOW + LEASE).enrolled == 10


WRITERS = 8


@pytest.mark.django_db(transaction=True)
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
def test_eight_writers_at_once_give_nobody_two_purposes(seed: int) -> None:
    """Runs over everybody and lists ticked by hand, of eight campaigns, all for the same people at the same time."""
    rng = Random(seed)
    team = a_team()
    member = a_member(team=team, role="writer")
    a_crowd(team=team, people=60, companies=12)
    ids = list(Prospect.objects.filter(team=team).values_list("pk", flat=True))
    campaigns = [a_campaign(team=team) for _ in range(WRITERS)]
    runs = [started(member, campaign) for campaign in campaigns]
    begin = threading.Barrier(WRITERS)
    jobs = []
    for number in range(WRITERS):
        chosen = rng.sample(ids, 50)
        jobs.append((number, rng.random() < 0.5, rng.choice([5, 11, 60]), chosen))

    def write(job: tuple[int, bool, int, list[int]]) -> int:
        number, by_hand, chunk, chosen = job
        try:
            begin.wait()
            if by_hand:
                done = enrol(member=member, campaign=campaigns[number], prospect_ids=chosen, now=NOW)
                assert isinstance(done, Enrolled)
                return len(done.enrolled)
            lease = claim_run(now=NOW, only=runs[number].pk)
            assert lease is not None
            return work_run(lease=lease, clock=lambda: NOW, chunk=chunk).enrolled
        finally:
            connection.close()

    with ThreadPoolExecutor(WRITERS) as pool:
        told = sum(pool.map(write, jobs))
    rows = list(Enrolment.objects.filter(team=team).values_list("prospect_id", "state"))
    assert len(rows) == len({pk for pk, _state in rows}) == told
    assert {state for _pk, state in rows} <= {"active"}
    if any(not by_hand for _number, by_hand, _chunk, _chosen in jobs):
        assert len(rows) == len(ids)


@pytest.mark.django_db
def test_the_database_itself_refuses_a_second_purpose(team: Team) -> None:
    a_crowd(team=team, people=1)
    person = Prospect.objects.get(team=team)
    Enrolment.objects.create(team=team, campaign=a_campaign(team=team), prospect=person)
    with pytest.raises(IntegrityError, match="one_purpose_per_person"):
        Enrolment.objects.create(team=team, campaign=a_campaign(team=team), prospect=person, state="paused")
