"""Every way to decide goes through a service, and every service asks who it is for."""

import inspect

import pytest

from messaging.models import Draft, RejectionReason
from messaging.review import services
from messaging.review.queries.queue import Filters, Lane
from messaging.review.services import NewEvidence
from prospects.domain.evidence import Actor, Kind
from tests.factories import BODY, NOW
from tests.people import a_member, a_team
from tests.services.review.scenes import LATER, a_scene

pytestmark = pytest.mark.django_db

EVIDENCE = NewEvidence(
    kind=Kind.POST, actor=Actor.PROSPECT, text="x", fields={}, occurred=None, url="https://x.example", snapshot="",
    observed_at=NOW.date(),
)
#: What each service is called with, beside member, draft and time. A new service must be added here.
CALLS = {
    "approve": {"revision_id": 1, "payload_sha256": "0" * 64},
    "undo": {},
    "reject": {"revision_id": 1, "reason_position": 1},
    "request_changes": {"revision_id": 1, "note": "x"},
    "skip": {},
    "edit": {"revision_id": 1, "subject": "", "body": BODY},
    "add_evidence": {"revision_id": 1, "evidence": EVIDENCE},
    "regenerate": {"revision_id": 1, "instruction": "x"},
    "comment": {"text": "x"},
    "open_draft": {},
    "review": {"lane": Lane.REVIEW, "filters": Filters()},
}
#: These act for nobody (rules of the product) or only read a team's own list.
FOR_NOBODY = {"lapse_due", "recheck_changed_offers", "recheck_queue", "reasons_of"}
#: The list of reasons belongs to no draft; the tests of its page look at it from outside.
OF_THE_LIST = {"add_reason", "all_reasons_of", "set_reason_active"}
REVIEWERS_ONLY = {"approve", "undo", "reject", "request_changes", "skip"}


def test_the_table_names_every_service():
    public = {name for name in services.__all__ if inspect.isfunction(getattr(services, name))}
    assert public == set(CALLS) | FOR_NOBODY | OF_THE_LIST


@pytest.mark.parametrize("name", CALLS)
def test_a_member_of_another_team_finds_nothing(name):
    scene, outsider = a_scene(), a_member(team=a_team(), role="admin")
    result = getattr(services, name)(member=outsider, draft_id=scene.draft.pk, now=LATER, **CALLS[name])
    assert result.code == "not-found"


@pytest.mark.parametrize("name", CALLS)
def test_an_analyst_may_do_none_of_it(name):
    scene = a_scene()
    analyst = a_member(team=scene.draft.team, role="analyst")
    before = Draft.objects.filter(pk=scene.draft.pk).values().get()
    result = getattr(services, name)(member=analyst, draft_id=scene.draft.pk, now=LATER, **CALLS[name])
    assert result.code == "not-allowed"
    assert Draft.objects.filter(pk=scene.draft.pk).values().get() == before


@pytest.mark.parametrize("name", sorted(REVIEWERS_ONLY))
def test_a_writer_may_not_decide(name):
    scene = a_scene()
    result = getattr(services, name)(member=scene.writer, draft_id=scene.draft.pk, now=LATER, **CALLS[name])
    assert result.code == "not-allowed"


def test_a_refused_rejection_stores_nothing_for_the_team():
    scene = a_scene()
    services.reject(member=scene.writer, draft_id=scene.draft.pk, now=LATER, **CALLS["reject"])
    assert not RejectionReason.objects.exists()
