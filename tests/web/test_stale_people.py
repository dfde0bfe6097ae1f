"""Who is looked up again before drafting: what has grown old, and what can be done about it."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from messaging.enrolment.services import enrol
from outreach.campaigns.models import Campaign
from outreach.teams.access import Member
from outreach.teams.models import Team
from prospects.domain.evidence import Kind
from prospects.domain.staleness import stale_reasons
from prospects.models import CompanySource, Evidence, Prospect
from tests.factories import a_campaign, a_policy, a_prospect, evidence
from tests.people import a_member, signed_in

TODAY = timezone.localdate()


@pytest.fixture
def writer(team: Team) -> Member:
    return a_member(team=team, role="writer")


@pytest.fixture
def campaign(team: Team, writer: Member) -> Campaign:
    a_policy(team=team)
    return a_campaign(team=team, user=writer.user)


def known(campaign: Campaign, name: str, *, role: int | None, post: int | None) -> Prospect:
    """Enrolled; role seen and post written so many days ago."""
    prospect = a_prospect(team=campaign.team, full_name=name)
    Evidence.objects.filter(prospect=prospect, kind__in=["position", "post"]).update(state="superseded")
    if role is not None:
        evidence(
            prospect=prospect, kind=Kind.POSITION, text=f"{name} is CTO", fields={"title": "CTO"}, observed_at=TODAY - timedelta(days=role)
        )  # fmt: skip
    if post is not None:
        evidence(
            prospect=prospect, kind=Kind.POST, text=f"{name} wrote", occurred=(TODAY - timedelta(days=post)).isoformat()
        )
    member = a_member(team=campaign.team, role="writer")
    enrol(member=member, campaign=campaign, prospect_ids=[prospect.pk], now=timezone.now())
    return prospect


@pytest.mark.parametrize(
    ("role", "words", "expected"),
    [
        (10, 10, ()),
        (180, 120, ()),
        (181, 10, ("the role was last seen 6 months ago",)),
        (10, 121, ("the newest post or comment is 4 months old",)),
        (800, 800, ("the role was last seen 2 years ago", "the newest post or comment is 2 years old")),
        (None, None, ("no present role is known",)),
        (10, None, ()),  # never having written is a gap, not something old
    ],
)
def test_what_is_old_is_said(role: int | None, words: int | None, expected: tuple[str, ...]) -> None:
    today = date(2026, 12, 1)
    ago = [None if days is None else today - timedelta(days=days) for days in (role, words)]
    assert stale_reasons(role_seen=ago[0], words_on=ago[1], today=today) == expected


def test_the_list_names_the_stale_and_leaves_out_the_fresh(campaign: Campaign, writer: Member) -> None:
    known(campaign, "Ada Fresh", role=5, post=5)
    known(campaign, "Bo Stale", role=400, post=5)
    known(campaign, "Cy Silent", role=5, post=300)
    known(campaign, "Di Unknown", role=None, post=None)
    client = signed_in(user=writer.user)
    page = client.get(f"/t/north/campaigns/{campaign.slug}/stale/").content.decode()
    assert [name in page for name in ("Ada Fresh", "Bo Stale", "Cy Silent", "Di Unknown")] == [False, True, True, True]
    assert "Refresh 3 first" in client.get(f"/t/north/campaigns/{campaign.slug}/").content.decode()
    csv = client.get(f"/t/north/campaigns/{campaign.slug}/stale.csv").content.decode("utf-8-sig").splitlines()
    assert [line.split(",")[0] for line in csv] == ["Full Name", "Bo Stale", "Cy Silent", "Di Unknown"]


def test_a_role_that_was_confirmed_lately_is_fresh(campaign: Campaign, writer: Member) -> None:
    prospect = known(campaign, "Bo Stale", role=400, post=5)
    Evidence.objects.filter(prospect=prospect, kind="position", state="current").update(last_seen_at=TODAY)
    page = signed_in(user=writer.user).get(f"/t/north/campaigns/{campaign.slug}/stale/").content.decode()
    assert "Nothing has grown old" in page


def test_feeds_of_their_companies_are_read_now(campaign: Campaign, writer: Member, other_team: Team) -> None:
    stale, fresh = known(campaign, "Bo Stale", role=400, post=5), known(campaign, "Ada Fresh", role=5, post=5)
    assert stale.company_id == fresh.company_id
    later = timezone.now() + timedelta(hours=5)
    source = CompanySource.objects.create(
        team=campaign.team, company=stale.company, url="https://a.example/feed", next_fetch_at=later
    )
    paused = CompanySource.objects.create(
        team=campaign.team, company=stale.company, url="https://b.example/feed", next_fetch_at=later, state="paused"
    )
    answer = signed_in(user=writer.user).post(f"/t/north/campaigns/{campaign.slug}/stale/", follow=True)
    assert "1 feed or page is read now" in answer.content.decode()
    source.refresh_from_db()
    paused.refresh_from_db()
    assert source.next_fetch_at < later == paused.next_fetch_at


def test_the_list_takes_few_queries(campaign: Campaign, writer: Member, django_assert_max_num_queries: object) -> None:
    for number in range(12):
        known(campaign, f"Bo Stale{number}", role=400, post=5)
    client = signed_in(user=writer.user)
    with django_assert_max_num_queries(9):  # type: ignore[operator]
        client.get(f"/t/north/campaigns/{campaign.slug}/stale/")


def test_others_see_nothing(campaign: Campaign, other_team: Team) -> None:
    outsider: Client = signed_in(user=a_member(team=other_team, role="admin").user)
    analyst = signed_in(user=a_member(team=campaign.team, role="analyst").user)
    for address in ("stale/", "stale.csv"):
        assert outsider.get(f"/t/north/campaigns/{campaign.slug}/{address}").status_code == 404
        assert outsider.get(f"/t/south/campaigns/{campaign.slug}/{address}").status_code == 404
        assert analyst.get(f"/t/north/campaigns/{campaign.slug}/{address}").status_code == 403
