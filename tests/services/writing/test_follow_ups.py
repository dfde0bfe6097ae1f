"""Three steps to one person: a connection note, a message once connected, an e-mail; and nothing after an answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

import pytest
from django.utils import timezone

from messaging.delivery import stopping
from messaging.delivery.by_hand import Done, mark_sent_by_hand
from messaging.delivery.services import open_deliveries
from messaging.enrolment.services.sequences import advance_due
from messaging.models import Delivery, Draft, DraftState, Enrolment, EnrolmentState, StrategyWeight
from messaging.writing.batch import Drafted, draft_campaign
from messaging.writing.checking import Checked
from messaging.writing.crew import Crew
from messaging.writing.domain.thread import repeated
from messaging.writing.revisions import check_typed
from messaging.writing.services import request_drafts, sweep, write_due
from messaging.writing.strategies import ensure_strategies
from messaging.writing.threads import thread_of
from outreach.campaigns.models import Campaign, SendingAccount, SequenceStep
from outreach.teams.access import Member
from prospects.domain.evidence import Kind
from prospects.models import Prospect
from tests.factories import a_campaign, a_policy, a_prospect, evidence
from tests.people import a_member, a_team
from tests.services.review.scenes import approved

pytestmark = pytest.mark.django_db

OLDER_POSTS = (
    "Hiring taught us that people who have read tickets stay 2 years longer.",
    "Three dashboards told us nothing; one angry letter from Monterrey told us all.",
)
NEW_POST = "Our on-call engineers answered 31 customer questions in October before anybody opened a ticket."


@dataclass(frozen=True)
class Sequence:
    """A campaign of three steps and one person in it."""

    campaign: Campaign
    prospect: Prospect
    enrolment: Enrolment
    reviewer: Member

    def at_step(self, step: int, *, now: datetime) -> Draft:
        """The step is due: its draft is asked for and written."""
        Enrolment.objects.filter(pk=self.enrolment.pk).update(step=step, due_at=now)
        (draft_id,) = request_drafts(campaign=self.campaign, limit=5, now=now)
        write_due(only=[draft_id], model=None, now=now, rng=Random(step), clock=lambda: now)
        return Draft.objects.select_related("current", "prospect").get(pk=draft_id)

    def advanced(self, step: int, *, now: datetime) -> Draft:
        """The sequence moves on by itself to this step, whose draft is asked for and written."""
        advance_due(now=now)
        self.enrolment.refresh_from_db()
        assert self.enrolment.step == step, self.enrolment.state_reason
        return self.at_step(step, now=now)

    def sent(self, draft: Draft, *, now: datetime) -> None:
        """Approved by a reviewer, and sent by hand."""
        approval = approved(member=self.reviewer, draft=draft, now=now)
        open_deliveries(now=now + timedelta(minutes=10))
        delivery = Delivery.objects.get(approval=approval)
        done = mark_sent_by_hand(member=self.reviewer, delivery_id=delivery.pk, now=now + timedelta(minutes=20))
        assert isinstance(done, Done), done


@pytest.fixture
def sequence(db: None) -> Sequence:
    team = a_team()
    a_policy(team=team)
    campaign = a_campaign(team=team, channel="linkedin_connection")
    campaign.other_account = SendingAccount.objects.create(
        team=team, kind="smtp", address="naledi@hearthdesk.example", display_name="Naledi Mokoena"
    )
    campaign.save(update_fields=["other_account"])
    SequenceStep.objects.create(
        campaign=campaign, position=2, channel="linkedin_message", wait_days=3, condition="connected"
    )
    SequenceStep.objects.create(campaign=campaign, position=3, channel="email", wait_days=5, condition="no_reply")
    prospect = a_prospect(team=team)
    evidence(
        prospect=prospect, kind=Kind.TALK, text="Support without a support team, at Nearshore Summit",
        fields={"title": "Support without a support team", "event": "Nearshore Summit", "date": "2026-06"},
        occurred="2026-06",
    )  # fmt: skip
    for number, text in enumerate(OLDER_POSTS):
        evidence(prospect=prospect, kind=Kind.POST, text=text, fields={"id": f"old{number}"}, occurred="2026-10-09")
    enrolment = Enrolment.objects.create(team=team, campaign=campaign, prospect=prospect, due_at=timezone.now())
    return Sequence(campaign, prospect, enrolment, a_member(team=team, role="manager"))


def texts(draft: Draft) -> set[str]:
    """Posts, talks and proof points that the text declares to rest on."""
    assert draft.current is not None
    refs = {ref for claim in draft.current.declared or () for ref in claim["evidence"]}
    kinds = {"post", "talk", "proof_point"}
    items = draft.current.dossier.items
    return {item["text"] for item in items if item["kind"] in kinds and item["ref"] in refs}


def test_three_steps_in_their_channels_each_with_something_new(sequence: Sequence) -> None:
    now = timezone.now()
    note = sequence.at_step(1, now=now)
    assert (note.channel, note.state) == ("linkedin_connection", DraftState.READY), note.state_reason
    sequence.sent(note, now=now)

    later = now + timedelta(days=3, hours=1)
    evidence(
        prospect=sequence.prospect, kind=Kind.POST, text=NEW_POST, fields={"id": "new"},
        occurred=(now + timedelta(days=1)).date().isoformat(), observed_at=later.date(),
    )  # fmt: skip
    Prospect.objects.filter(pk=sequence.prospect.pk).update(first_degree=True)
    message = sequence.advanced(2, now=later)
    assert (message.channel, message.state) == ("linkedin_message", DraftState.READY), message.state_reason
    assert message.hooks[0]["kind"] == "post"
    assert "new since the last message" in message.hooks[0]["reason"]
    assert texts(message)
    assert not texts(message) & texts(note)
    sequence.sent(message, now=later)

    last = later + timedelta(days=5, hours=1)
    mail = sequence.advanced(3, now=last)
    assert (mail.channel, mail.state) == ("email", DraftState.READY), mail.state_reason
    thread = thread_of(draft=mail)
    assert [one.step for one in thread.said] == [1, 2]
    assert [one.sent_on for one in thread.said] == [now.date(), later.date()]
    assert mail.current is not None
    assert repeated(body=mail.current.body, thread=thread, free=(sequence.campaign.call_to_action,)) == ()
    assert texts(mail)
    assert not texts(mail) & (texts(note) | texts(message))


def test_a_second_email_stays_in_the_conversation() -> None:
    team = a_team()
    a_policy(team=team)
    campaign = a_campaign(team=team)
    SequenceStep.objects.create(campaign=campaign, position=2, channel="email", wait_days=4)
    prospect, now = a_prospect(team=team), timezone.now()
    enrolment = Enrolment.objects.create(team=team, campaign=campaign, prospect=prospect, due_at=now)
    mails = Sequence(campaign, prospect, enrolment, a_member(team=team, role="manager"))
    first = mails.at_step(1, now=now)
    Draft.objects.filter(pk=first.pk).update(state=DraftState.SENT)
    evidence(
        prospect=prospect, kind=Kind.POST, text=NEW_POST, fields={"id": "new"},
        occurred=(now + timedelta(days=1)).date().isoformat(),
    )  # fmt: skip
    second = mails.at_step(2, now=now + timedelta(days=4))
    assert first.current is not None
    assert second.current is not None
    assert first.current.subject
    assert second.state == DraftState.READY, second.state_reason
    assert second.current.subject == f"Re: {first.current.subject}"
    assert texts(second) - texts(first)


def test_a_strategy_of_roles_alone_finds_something_new_for_each_step() -> None:
    team = a_team()
    a_policy(team=team)
    campaign = a_campaign(team=team)
    roles = next(one for one in ensure_strategies(team=team) if one.key == "context-only")
    StrategyWeight.objects.create(campaign=campaign, strategy=roles)
    for position in (2, 3):
        SequenceStep.objects.create(campaign=campaign, position=position, channel="email", wait_days=4)
    prospect, now = a_prospect(team=team), timezone.now()
    evidence(prospect=prospect, kind=Kind.POST, text=NEW_POST, fields={"id": "z"}, occurred="2026-10-09")
    enrolment = Enrolment.objects.create(team=team, campaign=campaign, prospect=prospect, due_at=now)
    mails = Sequence(campaign, prospect, enrolment, a_member(team=team, role="manager"))
    said: set[str] = set()
    for step in (1, 2, 3):
        mail = mails.at_step(step, now=now + timedelta(days=4 * (step - 1)))
        assert mail.state == DraftState.READY, mail.state_reason
        assert step == 1 or texts(mail) - said
        said |= texts(mail)
        Draft.objects.filter(pk=mail.pk).update(state=DraftState.SENT)


def test_what_a_person_repeats_is_stopped_with_the_message_it_stands_in(sequence: Sequence) -> None:
    now = timezone.now()
    note = sequence.at_step(1, now=now)
    sequence.sent(note, now=now)
    message = sequence.at_step(2, now=now + timedelta(days=3))
    assert note.current is not None
    assert message.current is not None
    body = message.current.body.replace("\n\n", "\n\n" + note.current.body.split(", ", 1)[1].split(". ")[0] + ". ", 1)
    checked = check_typed(draft=message, subject="", body=body, now=now + timedelta(days=3))
    assert isinstance(checked, Checked)
    assert any("says again what message 1 said" in reason for reason in checked.reasons), checked.reasons


def test_the_sweep_asks_for_follow_ups_and_for_nothing_else(sequence: Sequence) -> None:
    now = timezone.now()
    sequence.sent(sequence.at_step(1, now=now), now=now)
    Enrolment.objects.create(
        team=sequence.campaign.team, campaign=sequence.campaign, prospect=a_prospect(team=sequence.campaign.team),
        due_at=now,
    )  # fmt: skip
    assert sweep(now=now) == ()
    Prospect.objects.filter(pk=sequence.prospect.pk).update(first_degree=True)
    later = now + timedelta(days=4)
    advance_due(now=later)
    (asked,) = sweep(now=later)
    draft = Draft.objects.get(pk=asked)
    assert (draft.step, draft.channel, draft.prospect_id) == (2, "linkedin_message", sequence.prospect.pk)
    assert sweep(now=later) == (asked,)


def test_the_batch_moves_the_sequence_on_and_writes_the_follow_up(sequence: Sequence) -> None:
    now = timezone.now()
    sequence.sent(sequence.at_step(1, now=now), now=now)
    Prospect.objects.filter(pk=sequence.prospect.pk).update(first_degree=True)
    later = now + timedelta(days=4)
    done = draft_campaign(
        team_slug=sequence.campaign.team.slug, campaign_slug=sequence.campaign.slug, limit=3, wait=True, model=None,
        rng=Random(1), clock=lambda: later, pause=lambda: None, crew=Crew(size=1),
    )  # fmt: skip
    assert isinstance(done, Drafted)
    assert (done.requested, done.ready) == (1, 1), done.notes
    assert Draft.objects.get(pk=done.drafts[0]).step == 2


def test_an_answer_stops_the_sequence(sequence: Sequence) -> None:
    now = timezone.now()
    sequence.sent(sequence.at_step(1, now=now), now=now)
    later = now + timedelta(days=3)
    Enrolment.objects.filter(pk=sequence.enrolment.pk).update(step=2, due_at=later)
    (asked,) = request_drafts(campaign=sequence.campaign, limit=5, now=later)
    stopping.end_enrolments(
        team=sequence.campaign.team, prospect=sequence.prospect, state=EnrolmentState.REPLIED, reason="They replied"
    )
    write_due(only=[asked], model=None, now=later, rng=Random(1), clock=lambda: later)
    assert Draft.objects.get(pk=asked).state == DraftState.CANCELLED
    Enrolment.objects.filter(pk=sequence.enrolment.pk).update(step=3)
    assert request_drafts(campaign=sequence.campaign, limit=5, now=later) == ()


def test_a_first_message_reads_no_thread(sequence: Sequence, django_assert_num_queries: object) -> None:
    note = sequence.at_step(1, now=timezone.now())
    with django_assert_num_queries(0):  # type: ignore[operator]
        assert thread_of(draft=note).said == ()
