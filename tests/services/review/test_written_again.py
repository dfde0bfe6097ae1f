"""A message written again on a reviewer's instruction: that reviewer is one of its authors."""

from datetime import timedelta
from random import Random

import pytest

from messaging.models import Authorship, Draft
from messaging.review import services
from messaging.writing.services import claim_drafts, write_draft
from tests.services.review.scenes import LATER, Scene, a_scene, approve, approved, code

pytestmark = pytest.mark.django_db

WRITTEN = LATER + timedelta(minutes=1)


def written_again(scene: Scene) -> Draft:
    services.regenerate(
        member=scene.reviewer, draft_id=scene.draft.pk, revision_id=scene.draft.current_id,
        instruction="Ask about their support days.", now=LATER,
    )
    (claimed,) = claim_drafts(now=WRITTEN, limit=1, only=[scene.draft.pk])
    write_draft(claimed=claimed, model=None, now=WRITTEN, rng=Random(7), clock=lambda: WRITTEN)
    return Draft.objects.select_related("current").get(pk=scene.draft.pk)


def test_who_instructed_is_an_author_and_somebody_else_approves():
    scene = a_scene()
    draft = written_again(scene)
    assert draft.state == "ready", draft.state_reason
    assert Authorship.objects.get(revision=draft.current, user=scene.reviewer.user).kind == "prompted"
    assert code(approve(member=scene.reviewer, draft=draft, now=WRITTEN)) == "own_text"
    services.open_draft(member=scene.second, draft_id=draft.pk, now=WRITTEN, take_over=True)
    approved(member=scene.second, draft=draft, now=WRITTEN)


def test_the_instruction_is_used_once():
    draft = written_again(a_scene())
    assert draft.instruction == ""
