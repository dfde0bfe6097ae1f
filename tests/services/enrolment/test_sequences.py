"""People on their way through the steps."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from messaging.enrolment.domain.advance import NOT_SAID
from messaging.enrolment.queries.steps import people_at, steps_with_people
from messaging.enrolment.services.sequences import Acted, Action, act_on, advance_due
from messaging.models import Delivery, Draft, Enrolment
from messaging.review.queries.outgoing import thread_of
from messaging.writing.services import request_drafts
from outreach.campaigns.models import Campaign, SendingAccount, SequenceStep
from outreach.teams.access import Member
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import AuditEvent, Team
from outreach.teams.paging import page_after
from tests.factories import NOW, a_campaign, a_policy, a_prospect, an_unwritten_draft
from tests.messages import a_reply
from tests.people import a_member
from tests.services.delivery.scenes import a_delivery

pytestmark = pytest.mark.django_db


@pytest.fixture
def writer(team: Team) -> Member:
    return a_member(team=team, role="writer")


def with_steps(campaign: Campaign, *steps: tuple[str, int, str]) -> Campaign:
    linkedin = SendingAccount.objects.create(team=campaign.team, kind="linkedin", address=f"in-{campaign.pk}")
    Campaign.objects.filter(pk=campaign.pk).update(other_account=linkedin)
    for number, (channel, days, condition) in enumerate(steps, start=2):
        SequenceStep.objects.create(
            campaign=campaign, position=number, channel=channel, wait_days=days, condition=condition, instruction="Be brief."
        )
    return Campaign.objects.get(pk=campaign.pk)


def sent(campaign: Campaign, *, at: datetime = NOW) -> Enrolment:
    delivery = a_delivery(campaign=campaign)
    Delivery.objects.filter(pk=delivery.pk).update(state="claimed")
    Delivery.objects.filter(pk=delivery.pk).update(state="sent", sent_at=at, transport_id=f"<{delivery.pk}@x>")
    Draft.objects.filter(pk=delivery.draft_id).update(state="sent")
    Enrolment.objects.filter(pk=delivery.draft.enrolment_id).update(due_at=at)
    return Enrolment.objects.get(pk=delivery.draft.enrolment_id)


def test_a_follow_up_is_written_when_its_wait_is_over(team: Team) -> None:
    campaign = with_steps(a_campaign(team=team), ("email", 4, "no_reply"))
    enrolment = sent(campaign)
    for days, step in ((1, 1), (3.9, 1), (4, 2)):
        now = NOW + timedelta(days=days)
        advance_due(now=now)
        enrolment.refresh_from_db()
        assert enrolment.step == step
        made = request_drafts(campaign=campaign, limit=10, now=now)
        assert len(made) == (step == 2)
    draft = Draft.objects.get(pk=made[0])
    assert (draft.step, draft.channel, draft.instruction, draft.state) == (2, "email", "", "waiting")
    assert AuditEvent.objects.get(action="enrolments.advanced").details == {"people": 1}
    assert advance_due(now=now) == 0


def test_a_step_has_the_channel_of_the_sequence(team: Team) -> None:
    campaign = with_steps(a_campaign(team=team), ("linkedin_message", 0, "connected"))
    enrolment = sent(campaign)
    Enrolment.objects.filter(pk=enrolment.pk).update(connected=True)
    advance_due(now=NOW)
    made = request_drafts(campaign=campaign, limit=10, now=NOW)
    assert Draft.objects.get(pk=made[0]).channel == "linkedin_message"


def test_nothing_follows_a_message_that_was_not_sent(team: Team) -> None:
    campaign = with_steps(a_campaign(team=team), ("email", 0, "always"))
    draft = an_unwritten_draft(campaign=campaign)
    advance_due(now=NOW + timedelta(days=9))
    assert Enrolment.objects.get(pk=draft.enrolment_id).step == 1
    Enrolment.objects.filter(pk=draft.enrolment_id).update(step=2)
    assert request_drafts(campaign=campaign, limit=10, now=NOW + timedelta(days=9)) == ()


def test_an_answer_stops_the_sequence(team: Team) -> None:
    campaign = with_steps(a_campaign(team=team), ("email", 2, "always"))
    enrolment = sent(campaign)
    a_reply(prospect=enrolment.prospect, delivery=Delivery.objects.get(draft__enrolment=enrolment))
    advance_due(now=NOW + timedelta(days=3))
    enrolment.refresh_from_db()
    assert (enrolment.state, enrolment.step) == ("replied", 1)


def test_whether_they_are_connected_is_asked_of_a_person_and_then_goes_on(team: Team, writer: Member) -> None:
    campaign = with_steps(a_campaign(team=team), ("email", 1, "not_connected"))
    enrolment = sent(campaign)
    advance_due(now=NOW + timedelta(days=2))
    enrolment.refresh_from_db()
    assert (enrolment.step, enrolment.state_reason) == (1, NOT_SAID)
    act_on(member=writer, campaign=campaign, enrolment_ids=[enrolment.pk], action=Action.NOT_CONNECTED, now=NOW + timedelta(days=2))
    advance_due(now=NOW + timedelta(days=2))
    enrolment.refresh_from_db()
    assert (enrolment.step, enrolment.state_reason) == (2, "")


def test_a_paused_campaign_and_a_paused_person_stand_still(team: Team, writer: Member) -> None:
    campaign = with_steps(a_campaign(team=team), ("email", 0, "always"))
    enrolment = sent(campaign)
    act_on(member=writer, campaign=campaign, enrolment_ids=[enrolment.pk], action=Action.PAUSE, now=NOW)
    assert advance_due(now=NOW + timedelta(days=1)) == 0
    act_on(member=writer, campaign=campaign, enrolment_ids=[enrolment.pk], action=Action.RESUME, now=NOW)
    Campaign.objects.filter(pk=campaign.pk).update(status="paused")
    assert advance_due(now=NOW + timedelta(days=1)) == 0
    Campaign.objects.filter(pk=campaign.pk).update(status="running")
    assert advance_due(now=NOW + timedelta(days=1)) == 1


def test_a_step_that_was_passed_over_holds_no_approval_up(team: Team) -> None:
    campaign = with_steps(a_campaign(team=team), ("email", 1, "connected"), ("email", 1, "always"))
    enrolment = sent(campaign)
    Enrolment.objects.filter(pk=enrolment.pk).update(connected=False)
    advance_due(now=NOW + timedelta(days=1))
    advance_due(now=NOW + timedelta(days=2))
    made = request_drafts(campaign=campaign, limit=10, now=NOW + timedelta(days=2))
    draft = Draft.objects.get(pk=made[0])
    assert draft.step == 3
    thread = thread_of(draft=draft)
    assert (len(thread.references), thread.pending) == (1, False)


def acted(member: Member, campaign: Campaign, action: Action, *ids: int, step: int = 0) -> Acted:
    done = act_on(member=member, campaign=campaign, enrolment_ids=ids, action=action, step=step, now=NOW)
    assert isinstance(done, Acted), done
    return done


def test_each_is_changed_or_told_why_not(team: Team, writer: Member) -> None:
    a_policy(team=team)
    campaign = with_steps(a_campaign(team=team), ("email", 3, "always"))
    went, waits, approved = sent(campaign), an_unwritten_draft(campaign=campaign), an_unwritten_draft(campaign=campaign)
    Draft.objects.filter(pk=approved.pk).update(state="approved")
    ids = (went.pk, waits.enrolment_id, approved.enrolment_id, 10**9)
    moved = acted(writer, campaign, Action.MOVE, *ids, step=2)
    assert moved.changed == 1
    assert dict(moved.left) == {
        "Nothing was sent to them yet; a follow-up needs a message before it.": 1,
        "A message to them is approved; take the approval back first.": 1,
        "They are not in this campaign.": 1,
    }
    went.refresh_from_db()
    assert (went.step, went.due_at) == (2, NOW)
    assert acted(writer, campaign, Action.PAUSE, *ids).changed == 3
    assert acted(writer, campaign, Action.PAUSE, *ids).changed == 0
    assert acted(writer, campaign, Action.RESUME, *ids).changed == 3
    assert acted(writer, campaign, Action.REMOVE, *ids).changed == 2
    waits.refresh_from_db()
    assert waits.state == "cancelled"
    assert acted(writer, campaign, Action.RESUME, went.pk).left == (("They are no longer written to here: removed.", 1),)
    assert [event.details.get("enrolments") for event in AuditEvent.objects.filter(action="enrolments.remove")] == [
        [went.pk, waits.enrolment_id]
    ]


def test_outsiders_change_nobody(team: Team, other_team: Team, writer: Member) -> None:
    campaign = a_campaign(team=team)
    draft = an_unwritten_draft(campaign=campaign)
    theirs = a_campaign(team=other_team)
    foreign = an_unwritten_draft(campaign=theirs)
    for member, where, code in (
        (a_member(team=other_team, role="admin"), campaign, "not-found"),
        (a_member(team=team, role="analyst"), campaign, "not-allowed"),
        (writer, theirs, "not-found"),
    ):
        done = act_on(member=member, campaign=where, enrolment_ids=[draft.enrolment_id], action=Action.REMOVE, now=NOW)
        assert isinstance(done, Refusal)
        assert done.code == code
    assert acted(writer, campaign, Action.REMOVE, foreign.enrolment_id).changed == 0
    assert set(Enrolment.objects.values_list("state", flat=True)) == {"active"}


def test_an_unknown_step_is_refused(team: Team, writer: Member) -> None:
    done = act_on(member=writer, campaign=a_campaign(team=team), enrolment_ids=[1], action=Action.MOVE, step=7, now=NOW)
    assert isinstance(done, Refusal)
    assert done.code == "no-such-step"


def test_people_are_counted_and_listed_by_step_in_a_fixed_number_of_queries(
    team: Team, django_assert_num_queries: Callable[..., object]
) -> None:
    campaign = with_steps(a_campaign(team=team), ("email", 3, "always"))
    for number in range(6):
        draft = an_unwritten_draft(campaign=campaign, prospect=a_prospect(team=team))
        if number < 2:
            Enrolment.objects.filter(pk=draft.enrolment_id).update(step=2, state="paused")
    with django_assert_num_queries(2):
        told = steps_with_people(campaign=campaign)
    assert [(one.position, one.people, one.states) for one in told] == [(1, 4, (("active", 4),)), (2, 2, (("paused", 2),))]
    with django_assert_num_queries(2):
        page = page_after(queryset=people_at(campaign=campaign, step=1), order=("-id",), after="", size=3)
        assert [len(one.newest) for one in page.rows] == [1, 1, 1]
    assert page.next


def test_many_are_changed_and_advanced_in_a_fixed_number_of_queries(
    team: Team, writer: Member, django_assert_max_num_queries: Callable[..., object]
) -> None:
    campaign = with_steps(a_campaign(team=team), ("email", 0, "always"))
    ids = [sent(campaign).pk for _ in range(4)]
    with django_assert_max_num_queries(14):
        assert advance_due(now=NOW) == 4
    with django_assert_max_num_queries(14):
        assert acted(writer, campaign, Action.PAUSE, *ids).changed == 4
