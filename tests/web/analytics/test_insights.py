"""The funnel shows what was counted, or says that there is nothing."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from analytics.queries.funnel import funnel_rows
from messaging.delivery.ports import Accepted
from messaging.models import DeliveryEvent
from tests.factories import FALSE_BODY, NOW, a_campaign, a_draft
from tests.people import a_member, a_team, signed_in
from tests.services.delivery.scenes import DUE, Fake, a_delivery, an_approval, send
from tests.services.replies.scenes import answered

pytestmark = pytest.mark.django_db
SINCE = NOW - timedelta(days=1)


def test_each_stage_counts_who_reached_it() -> None:
    campaign = a_campaign(team=a_team())
    a_draft(campaign=campaign, body=FALSE_BODY)
    an_approval(campaign=campaign)
    asked, booked, bounced = (a_delivery(campaign=campaign) for _ in range(3))
    send(transport=Fake(Accepted("<x@y.example>")), now=DUE)
    answered(delivery=asked, text="What does it cost?")
    answered(delivery=booked, text="Thursday at 3pm works, see you then.")
    DeliveryEvent.objects.create(delivery=bounced, kind="bounced", at=DUE)
    row = funnel_rows(team=campaign.team, since=SINCE, campaign=campaign)[0]
    assert row.counts == {
        "drafted": 5,
        "verified": 4,
        "approved": 4,
        "delivered": 3,
        "replied": 2,
        "positive": 1,
        "meeting": 1,
    }


def test_other_teams_and_older_drafts_do_not_count() -> None:
    approval = an_approval()
    assert funnel_rows(team=a_team(), since=SINCE, campaign=None) == ()
    assert funnel_rows(team=approval.draft.team, since=NOW + timedelta(days=1), campaign=None) == ()


def test_the_page_shows_figures_and_a_table(django_assert_max_num_queries) -> None:
    approval = an_approval(now=timezone.now())
    client = signed_in(user=a_member(team=approval.draft.team, role="analyst").user)
    with django_assert_max_num_queries(8):
        shown = client.get(reverse("analytics:insights", kwargs={"team": approval.draft.team.slug})).text
    assert "What is counted" in shown
    assert "<table" in shown


def test_an_empty_team_is_told_so() -> None:
    team = a_team()
    client = signed_in(user=a_member(team=team, role="analyst").user)
    shown = client.get(
        reverse("analytics:insights", kwargs={"team": team.slug}), {"days": "nonsense", "campaign": "none"}
    )
    assert "Nothing was written in this time" in shown.text
