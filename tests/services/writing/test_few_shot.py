"""Examples for the model: found among messages that did well, without names, and used once a manager said so."""

from __future__ import annotations

from random import Random

import pytest
from django.db import DatabaseError, transaction
from pytest_django.fixtures import DjangoAssertNumQueries

from messaging.models import Delivery, ExampleState, FewShotExample
from messaging.writing import few_shot
from messaging.writing.domain.window import shipped_examples
from messaging.writing.preparing import prepare
from messaging.writing.revisions import with_relations
from outreach.teams.access import Member
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import AuditEvent
from tests.factories import NOW, a_prospect, an_unwritten_draft
from tests.messages import a_reply
from tests.people import a_member, a_team
from tests.services.delivery.scenes import a_delivery

pytestmark = pytest.mark.django_db


def code(result: object) -> str:
    assert isinstance(result, Refusal), result
    return result.code


@pytest.fixture
def answered(db: None) -> Delivery:
    """A message that was sent and answered with interest."""
    delivery = a_delivery()
    a_reply(prospect=delivery.prospect, delivery=delivery, intent="interested")
    return delivery


@pytest.fixture
def mara(answered: Delivery) -> Member:
    return a_member(team=answered.team, role="manager")


def proposed(mara: Member) -> FewShotExample:
    assert few_shot.propose_examples(member=mara, now=NOW) == few_shot.Proposed(candidates=1)
    return FewShotExample.objects.get()


def test_a_message_that_was_answered_well_is_proposed_without_names(mara: Member) -> None:
    row = proposed(mara)
    assert row.state == ExampleState.CANDIDATE
    assert "[Name]" in row.body
    for name in ("Diego", "Armenta", "Pipewren", "Hearthdesk", "Naledi"):
        assert name not in row.subject + row.body
    assert few_shot.propose_examples(member=mara, now=NOW) == few_shot.Proposed()


def test_only_what_a_manager_approved_is_shown_to_the_model(mara: Member, answered: Delivery) -> None:
    row = proposed(mara)
    draft = an_unwritten_draft(campaign=answered.draft.campaign, prospect=a_prospect(team=mara.team))
    shipped = shipped_examples(language="en", channel=draft.channel)
    assert few_shot.examples_for(draft=draft, few_shot="team") == shipped
    few_shot.decide_example(member=mara, example_id=row.pk, use=True, now=NOW)
    (shown,) = few_shot.examples_for(draft=draft, few_shot="team")
    assert shown.body == row.body
    assert few_shot.examples_for(draft=draft, few_shot="starter") == shipped
    assert few_shot.examples_for(draft=draft, few_shot="") == ()
    job = prepare(draft=with_relations(draft_id=draft.pk), now=NOW, rng=Random(1))
    assert job.brief.examples in ((shown,), shipped)
    draft.language = "de"
    assert few_shot.examples_for(draft=draft, few_shot="team") == shipped_examples(language="de", channel=draft.channel)


def test_declining_blanks_the_text_and_is_final(mara: Member) -> None:
    row = proposed(mara)
    few_shot.decide_example(member=mara, example_id=row.pk, use=False, now=NOW)
    row.refresh_from_db()
    assert (row.state, row.body, row.decided_by) == (ExampleState.DECLINED, "", mara.user)
    assert code(few_shot.decide_example(member=mara, example_id=row.pk, use=True, now=NOW)) == "decided"
    actions = AuditEvent.objects.filter(team=mara.team, action__startswith="example").order_by("pk")
    assert [one.action for one in actions] == ["examples.proposed", "example.declined"]
    with pytest.raises(DatabaseError), transaction.atomic():
        FewShotExample.objects.filter(pk=row.pk).update(state="approved")


def test_what_was_written_to_somebody_erased_is_neither_shown_nor_used(mara: Member) -> None:
    row = proposed(mara)
    row.prospect.state = "erased"
    row.prospect.save()
    assert not few_shot.examples_of(team=mara.team, state=ExampleState.CANDIDATE).exists()
    assert code(few_shot.decide_example(member=mara, example_id=row.pk, use=True, now=NOW)) == "not-found"


def test_outsiders_and_writers_decide_nothing(mara: Member) -> None:
    row = proposed(mara)
    writer, stranger = a_member(team=mara.team, role="writer"), a_member(team=a_team(), role="manager")
    assert code(few_shot.propose_examples(member=writer, now=NOW)) == "not-allowed"
    assert code(few_shot.decide_example(member=writer, example_id=row.pk, use=True, now=NOW)) == "not-allowed"
    assert code(few_shot.decide_example(member=stranger, example_id=row.pk, use=True, now=NOW)) == "not-found"
    assert few_shot.propose_examples(member=stranger, now=NOW) == few_shot.Proposed()


def test_examples_cost_a_draft_one_query(
    mara: Member, answered: Delivery, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    draft = with_relations(draft_id=answered.draft_id)
    with django_assert_num_queries(1):
        few_shot.examples_for(draft=draft, few_shot="team")
