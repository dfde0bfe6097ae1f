"""What the screen costs."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from messaging.review import services
from messaging.review.queries.queue import Filters, Lane
from messaging.review.queries.screen import screen_of
from tests.services.review.scenes import LATER, a_scene, approve, seen_sha

pytestmark = pytest.mark.django_db


def test_the_screens_data_take_thirteen_queries():
    scene = a_scene()
    opened = services.open_draft(member=scene.reviewer, draft_id=scene.draft.pk, now=LATER)
    with CaptureQueriesContext(connection) as queries:
        screen_of(
            draft=opened.draft, token=opened.token, member=scene.reviewer, lane=Lane.REVIEW, filters=Filters(),
            done=None, now=LATER,
        )
    assert len(queries) == 13


def test_an_approval_takes_at_most_forty_seven_statements():
    scene = a_scene()
    sha = seen_sha(member=scene.reviewer, draft=scene.draft)
    with CaptureQueriesContext(connection) as queries:
        approve(member=scene.reviewer, draft=scene.draft, sha=sha)
    assert len(queries) <= 47
