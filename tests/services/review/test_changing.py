"""Whoever changes a message, by hand, by instruction or by evidence, leaves the approval to somebody else."""

from datetime import timedelta

import pytest

from messaging.models import Authorship, Decision, Draft, Revision
from messaging.review import services
from messaging.review.services import NewEvidence
from prospects.domain.dates import partial_date
from prospects.domain.evidence import Actor, Kind
from prospects.models import Evidence
from tests.factories import BODY, FALSE_BODY, NOW
from tests.services.review.scenes import LATER, Scene, a_scene, approve, approved, code, state

pytestmark = pytest.mark.django_db

POSTED = "We moved 40 services to Kubernetes in nine weeks."
TALK = NewEvidence(
    kind=Kind.POSITION, actor=Actor.PROSPECT, text="Chief Technology Officer, Pipewren",
    fields={"title": "Chief Technology Officer", "company": "Pipewren", "start": "2026-10"},
    occurred=partial_date("2026-10"), url="https://pipewren.example/team", snapshot="", observed_at=NOW.date(),
)


def edit(scene: Scene, member, body: str, *, revision: int = 0, now=LATER, subject: str = "Pipewren"):
    return services.edit(
        member=member, draft_id=scene.draft.pk, revision_id=revision or scene.draft.current_id, subject=subject,
        body=body, now=now,
    )


def test_an_edit_is_a_new_checked_revision_with_its_author():
    scene = a_scene()
    revision = edit(scene, scene.writer, BODY.replace("short", "brief"))
    assert isinstance(revision, Revision)
    assert (revision.number, revision.author_kind, revision.declared) == (2, "person", None)
    assert Authorship.objects.get(revision=revision).user == scene.writer.user
    assert revision.checks.get().passes
    assert state(scene.draft) == "ready"


def test_an_edit_that_breaks_a_claim_blocks_the_draft():
    scene = a_scene()
    edit(scene, scene.writer, FALSE_BODY)
    assert state(scene.draft) == "blocked"


def test_an_authors_part_is_inherited_by_the_edits_of_others():
    scene = a_scene()
    revision = edit(scene, scene.reviewer, BODY.replace("short", "brief"))
    edit(scene, scene.writer, BODY.replace("short", "quick"), revision=revision.pk)
    scene.draft.refresh_from_db()
    assert code(approve(member=scene.reviewer, draft=scene.draft)) == "own_text"


def test_somebody_else_may_approve_an_edit():
    scene = a_scene()
    edit(scene, scene.writer, BODY.replace("short", "brief"))
    scene.draft.refresh_from_db()
    approved(member=scene.reviewer, draft=scene.draft)


@pytest.mark.parametrize(("body", "subject", "refusal"), [
    ("  ", "Pipewren", "empty"), ("x" * 20_001, "Pipewren", "long"), (BODY, "two\nlines", "subject"),
    (BODY, "Pipewren", "unchanged"),
])
def test_a_text_that_cannot_be_stored_is_refused(body, subject, refusal):
    scene = a_scene()
    assert code(edit(scene, scene.writer, body, subject=subject)) == refusal


def test_an_edit_of_an_old_text_is_refused():
    scene = a_scene()
    edit(scene, scene.writer, BODY.replace("short", "brief"))
    assert code(edit(scene, scene.second, BODY.replace("short", "quick"))) == "stale"


def test_nothing_is_edited_while_somebody_else_has_it_open():
    scene = a_scene()
    services.open_draft(member=scene.second, draft_id=scene.draft.pk, now=LATER)
    assert code(edit(scene, scene.writer, FALSE_BODY)) == "leased"


def test_an_approved_text_is_not_edited():
    scene = a_scene()
    approved(member=scene.reviewer, draft=scene.draft)
    assert code(edit(scene, scene.writer, FALSE_BODY)) == "state"


def test_a_rejected_draft_comes_back_by_editing():
    scene = a_scene()
    services.reject(member=scene.reviewer, draft_id=scene.draft.pk, revision_id=scene.draft.current_id,
                    reason_position=4, now=LATER)
    assert state(scene.draft) == "rejected"
    edit(scene, scene.writer, BODY.replace("short", "brief"))
    assert state(scene.draft) == "ready"


def add(scene: Scene, member, evidence: NewEvidence = TALK):
    return services.add_evidence(
        member=member, draft_id=scene.draft.pk, revision_id=scene.draft.current_id, evidence=evidence, now=LATER
    )


def test_evidence_added_by_hand_clears_the_finding_it_proves_and_makes_an_author():
    scene = a_scene(body=FALSE_BODY)
    assert state(scene.draft) == "blocked"
    revision = add(scene, scene.reviewer)
    assert isinstance(revision, Revision), revision
    assert state(scene.draft) == "ready", Draft.objects.get(pk=scene.draft.pk).state_reason
    row = Evidence.objects.get(added_by=scene.reviewer.user)
    assert row.source_url == "https://pipewren.example/team"
    scene.draft.refresh_from_db()
    assert code(approve(member=scene.reviewer, draft=scene.draft)) == "own_text"
    services.open_draft(member=scene.second, draft_id=scene.draft.pk, now=LATER, take_over=True)
    approved(member=scene.second, draft=scene.draft)


def test_evidence_needs_a_place_where_it_can_be_seen():
    scene = a_scene()
    nowhere = NewEvidence(
        kind=Kind.POST, actor=Actor.PROSPECT, text=POSTED, fields={}, occurred=None, url=" ", snapshot="",
        observed_at=NOW.date(),
    )
    assert code(add(scene, scene.writer, nowhere)) == "source"


def regenerate(scene: Scene, member, instruction: str = "Shorter, please."):
    return services.regenerate(
        member=member, draft_id=scene.draft.pk, revision_id=scene.draft.current_id, instruction=instruction, now=LATER
    )


def test_an_instruction_hands_the_draft_back_to_the_writer():
    scene = a_scene()
    assert isinstance(regenerate(scene, scene.reviewer), Draft)
    scene.draft.refresh_from_db()
    assert (scene.draft.state, scene.draft.instruction) == ("waiting", "Shorter, please.")
    assert scene.draft.instructed_by == scene.reviewer.user
    assert Decision.objects.get(draft=scene.draft).kind == "regenerated"


@pytest.mark.parametrize(("instruction", "refusal"), [(" ", "empty"), ("x" * 1001, "long")])
def test_an_instruction_says_something_and_not_too_much(instruction, refusal):
    assert code(regenerate(a_scene(), a_scene().reviewer, instruction)) == refusal


def test_a_blocked_draft_can_be_regenerated():
    scene = a_scene(body=FALSE_BODY)
    regenerate(scene, scene.writer)
    assert state(scene.draft) == "waiting"


def test_a_writing_draft_cannot_be_changed():
    scene = a_scene()
    Draft.objects.filter(pk=scene.draft.pk).update(state="writing")
    assert code(edit(scene, scene.writer, FALSE_BODY, now=LATER + timedelta(hours=1))) == "state"
