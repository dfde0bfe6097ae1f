"""What was stopped is shown as counted, for this team alone; where there is nothing, the page says so."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from messaging.models import Claim
from messaging.writing.revisions import recheck
from tests.factories import FALSE_BODY, a_campaign, a_draft
from tests.people import a_member, a_team, signed_in

pytestmark = pytest.mark.django_db


def _page(team, role="analyst", **query):
    client = signed_in(user=a_member(team=team, role=role).user)
    return client.get(reverse("analytics:truth", kwargs={"team": team.slug}), query)


def test_a_stopped_claim_is_counted_once_however_often_its_text_is_checked(django_assert_max_num_queries) -> None:
    now = timezone.now()
    draft = a_draft(campaign=a_campaign(team=a_team()), body=FALSE_BODY, now=now)
    first = Claim.objects.count()
    recheck(revision=draft.current, now=now)
    client = signed_in(user=a_member(team=draft.team, role="analyst").user)
    with django_assert_max_num_queries(5):  # session, user, membership, claims, rejections
        shown = client.get(reverse("analytics:truth", kwargs={"team": draft.team.slug}))
    assert (shown.context["read"], shown.context["stopped"]) == (first, 1)
    assert "<svg" in shown.text
    assert "Title" in shown.text


def test_another_teams_claims_are_not_shown() -> None:
    a_draft(campaign=a_campaign(team=a_team()), body=FALSE_BODY, now=timezone.now())
    assert "Nothing was checked in this time" in _page(a_team()).text
    assert "Nobody rejected a message" in _page(a_team(), days="nonsense").text
