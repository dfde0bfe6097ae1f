"""Writing a claimed draft: what stops it, what is stamped on it, and what a crash leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from decimal import Decimal
from random import Random

import pytest
from django.db import connection

from messaging.models import Authorship, AuthorshipKind, Draft, Enrolment, ModelCall, StrategyWeight
from messaging.writing.ports import Failed, LanguageModel, ModelFailure, ModelRequest
from messaging.writing.queue import LEASE, MOST_ATTEMPTS, claim_drafts
from messaging.writing.services import Written, lease_of, request_drafts, start_drafting, write_draft, write_due
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from prospects import suppression
from tests.factories import NOW, a_campaign, a_draft, a_policy, a_prospect, an_unwritten_draft
from tests.people import a_member, a_team, a_user
from tests.services.writing.model_server import ModelServer, Reply, model_server
from tests.services.writing.models import ANALYSIS, FAITHFUL, BrokenModel, model_at

pytestmark = pytest.mark.django_db


@pytest.fixture
def draft(db: None) -> Draft:
    return a_waiting_draft()


def a_waiting_draft(**changes: object) -> Draft:
    team = a_team()
    a_policy(team=team)
    return an_unwritten_draft(campaign=a_campaign(team=team), **changes)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


def write(draft: Draft, *, model: LanguageModel | None = None, at: timedelta = timedelta()) -> tuple[Written, ...]:
    written = write_due(only=[draft.pk], model=model, now=NOW + at, rng=Random(7), clock=lambda: NOW + at)
    draft.refresh_from_db()
    return written


def test_a_draft_in_a_language_without_a_lexicon_is_blocked_with_that_reason() -> None:
    draft = a_waiting_draft(language="xx")
    (written,) = write(draft)
    assert written.outcome == "blocked"
    assert "No lexicon for the language “xx”" in draft.state_reason


def test_a_person_the_sources_disagree_about_is_not_written_to(server: ModelServer, draft: Draft) -> None:
    type(draft.prospect).objects.filter(pk=draft.prospect_id).update(state="conflicted", conflict="Paolo or Diego?")
    (written,) = write(draft, model=model_at(server))
    assert written.outcome == "blocked"
    assert "Paolo or Diego?" in draft.state_reason
    assert server.requests == []


def test_a_person_suppressed_meanwhile_is_not_written_to(draft: Draft) -> None:
    address = draft.prospect.email
    suppression.suppress(team=draft.team, actor=None, kind="email", value=address, reason="opted out", now=NOW)
    type(draft.prospect).objects.filter(pk=draft.prospect_id).update(linkedin_url="")
    draft.prospect.identity_keys.create(team=draft.team, kind="email", value=address)
    (written,) = write(draft)
    assert (written.outcome, draft.state) == ("cancelled", "cancelled")
    assert "opted out" in draft.state_reason


def test_a_person_removed_meanwhile_is_not_written_to(draft: Draft) -> None:
    Enrolment.objects.filter(pk=draft.enrolment_id).update(state="removed")
    write(draft)
    assert draft.state == "cancelled"


def test_a_written_draft_is_stamped_with_how_it_came_about(draft: Draft) -> None:
    write(draft)
    assert draft.strategy is not None
    assert sum(draft.propensities.values()) == pytest.approx(1)
    assert draft.prompt_version is not None
    assert draft.hooks[0]["score"] >= draft.hooks[-1]["score"]
    assert (draft.lease_token, draft.lease_until, draft.attempts) == (None, None, 0)
    assert draft.review_due_at == NOW + timedelta(hours=24)


def test_a_strategy_without_weight_is_never_drawn(draft: Draft) -> None:
    write(draft)
    only = StrategyWeight.objects.filter(campaign=draft.campaign).first()
    assert only is not None
    StrategyWeight.objects.filter(campaign=draft.campaign).exclude(pk=only.pk).update(weight=0)
    for number in range(5):
        other = an_unwritten_draft(
            campaign=draft.campaign, prospect=a_prospect(team=draft.team, company=None, full_name=f"Ana Lund{number}")
        )
        write(other)
        assert other.strategy_id == only.strategy_id


def test_colleagues_get_one_strategy(draft: Draft) -> None:
    write(draft)
    colleague = an_unwritten_draft(campaign=draft.campaign, prospect=a_prospect(team=draft.team))
    write(colleague)
    assert (colleague.strategy_id, colleague.propensities) == (draft.strategy_id, draft.propensities)


def test_a_regeneration_is_signed_by_who_asked_and_who_added_evidence(team: Team) -> None:
    a_policy(team=team)
    asker, evidencer = a_user(), a_user()
    draft = a_draft(campaign=a_campaign(team=team), authors={evidencer: AuthorshipKind.EVIDENCED})
    Draft.objects.filter(pk=draft.pk).update(state="waiting", instruction="Shorter.", instructed_by=asker)
    write(draft)
    signed = set(Authorship.objects.filter(revision=draft.current).values_list("user_id", "kind"))
    assert signed == {(asker.pk, "prompted"), (evidencer.pk, "evidenced")}
    assert (draft.instruction, draft.instructed_by) == ("", None)


def test_a_worker_killed_in_the_middle_leaves_the_draft_to_the_next_one(draft: Draft) -> None:
    model = BrokenModel(SystemExit())
    with pytest.raises(SystemExit):
        write(draft, model=model)
    draft.refresh_from_db()
    assert (draft.state, draft.revisions.count()) == ("writing", 0)
    assert write(draft) == ()  # the dead worker's lease still runs
    (written,) = write(draft, at=lease_of(model=model))
    assert (written.outcome, draft.revisions.count()) == ("ready", 1)


def test_a_draft_that_breaks_every_worker_is_put_aside_and_stops_nobody(draft: Draft) -> None:
    model = BrokenModel(ZeroDivisionError())
    at = timedelta()
    for _ in range(MOST_ATTEMPTS):
        (written,) = write(draft, model=model, at=at)
        assert written.outcome == "failed"
        at += timedelta(minutes=5)
    assert write(draft, model=model, at=at) == ()
    assert draft.state == "blocked"
    assert "ZeroDivisionError" in draft.state_reason


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_lost_its_lease_stores_nothing_but_what_it_cost(server: ModelServer) -> None:
    draft = a_waiting_draft()

    def taken_over(_request: dict[str, object]) -> Reply:
        """Another worker claims the draft on a connection of its own while the first waits for the model."""
        try:
            assert claim_drafts(now=NOW + timedelta(hours=1), limit=1)
        finally:
            connection.close()
        return FAITHFUL

    server.will(ANALYSIS, taken_over)
    (written,) = write(draft, model=model_at(server))
    assert written.outcome == "lost"
    assert (draft.state, draft.revisions.count(), draft.attempts) == ("writing", 0, 2)
    assert ModelCall.objects.filter(draft=draft).count() == 2


def test_whoever_answers_while_the_text_is_written_is_not_queued(server: ModelServer, draft: Draft) -> None:
    class Answered:
        name, longest = "answered", 1.0

        def most(self, *, request: ModelRequest) -> Decimal:
            return Decimal(0)

        def complete(self, *, request: ModelRequest) -> ModelFailure:
            Enrolment.objects.filter(pk=draft.enrolment_id).update(state="replied")
            return ModelFailure(Failed.UNAVAILABLE, "gone")

    (written,) = write(draft, model=Answered())
    assert (written.outcome, draft.state, draft.revisions.count()) == ("cancelled", "cancelled", 1)


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_write_each_draft_once() -> None:
    first = a_waiting_draft()
    for _ in range(3):
        an_unwritten_draft(campaign=first.campaign, prospect=a_prospect(team=first.team))

    def work(_number: int) -> int:
        try:
            return len(write_due(model=None, now=NOW, rng=Random(7), limit=4, clock=lambda: NOW))
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert sum(pool.map(work, range(2))) == 4
    assert [draft.revisions.count() for draft in Draft.objects.all()] == [1, 1, 1, 1]


def test_drafts_are_asked_for_once_and_in_turn(team: Team) -> None:
    campaign = a_campaign(team=team)
    for _ in range(3):
        Enrolment.objects.create(team=team, campaign=campaign, prospect=a_prospect(team=team), due_at=NOW)
    later = Enrolment.objects.create(team=team, campaign=campaign, prospect=a_prospect(team=team), due_at=NOW + LEASE)
    assert len(request_drafts(campaign=campaign, limit=2, now=NOW)) == 2
    assert len(request_drafts(campaign=campaign, limit=9, now=NOW)) == 1
    assert not Draft.objects.filter(enrolment=later).exists()


@pytest.mark.parametrize(
    ("role", "status", "code"), [("analyst", "running", "not-allowed"), ("writer", "paused", "not-running")]
)
def test_drafting_is_refused_without_the_right_or_a_running_campaign(
    team: Team, role: str, status: str, code: str
) -> None:
    member = a_member(team=team, role=role)
    asked = start_drafting(member=member, campaign=a_campaign(team=team, status=status), limit=5, now=NOW)
    assert isinstance(asked, Refusal)
    assert asked.code == code


def test_another_teams_campaign_is_not_found(team: Team, other_team: Team) -> None:
    outsider = a_member(team=other_team, role="admin")
    asked = start_drafting(member=outsider, campaign=a_campaign(team=team), limit=5, now=NOW)
    assert isinstance(asked, Refusal)
    assert asked.code == "not-found"


def test_writing_takes_a_fixed_number_of_queries(
    draft: Draft, django_assert_max_num_queries: Callable[..., object]
) -> None:
    write(draft)
    for _ in range(6):
        a_draft(campaign=draft.campaign, prospect=a_prospect(team=draft.team))
    other = an_unwritten_draft(campaign=draft.campaign, prospect=a_prospect(team=draft.team))
    (claimed,) = claim_drafts(now=NOW, limit=1, only=[other.pk])
    with django_assert_max_num_queries(45):
        write_draft(claimed=claimed, model=None, now=NOW, rng=Random(7), clock=lambda: NOW)
