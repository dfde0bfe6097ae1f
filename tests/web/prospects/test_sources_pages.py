"""Feeds of a company and pastes, on their pages, by role and by team."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from outreach.teams.access import Member
from outreach.teams.models import Team
from prospects.models import Company, CompanySource, Evidence, Prospect
from tests.factories import a_prospect
from tests.people import a_member, signed_in
from tests.services.prospects.imports import NOW

POST = "https://www.linkedin.com/posts/diego_support-activity-7396100000000000000-abcd"


def url(name: str, team: Team, **arguments: object) -> str:
    return reverse(f"prospects:{name}", kwargs={"team": team.slug, **arguments})


@pytest.fixture
def diego(team: Team) -> Prospect:
    return a_prospect(team=team)


@pytest.fixture
def writer(team: Team) -> Member:
    return a_member(team=team, role="writer")


@pytest.fixture
def client(writer: Member) -> Client:
    return signed_in(user=writer.user)


@pytest.fixture
def company(diego: Prospect) -> Company:
    assert diego.company is not None
    return diego.company


def watch(company: Company, **more: object) -> CompanySource:
    values = {"url": "https://pipewren.example/feed", "next_fetch_at": NOW, **more}
    return CompanySource.objects.create(team=company.team, company=company, **values)


def a_news(company: Company, *, snapshot: str = "The whole text <script>alert(1)</script>.") -> Evidence:
    return Evidence.objects.create(
        team=company.team, company=company, kind="company_news", actor="company", text="Pipewren opens in Lima\nIn short.",
        fields={"id": "web-1", "title": "Pipewren opens in Lima"}, observed_at=NOW.date(), source="feed of pipewren.example",
        source_url="https://pipewren.example/lima", snapshot=snapshot, content_hash="0" * 64,
    )  # fmt: skip


def test_an_address_is_added_and_shown(client: Client, team: Team, company: Company) -> None:
    here = url("sources", team, pk=company.pk)
    assert "Nothing is watched yet" in client.get(here).content.decode()
    answer = client.post(here, {"url": "https://pipewren.example/feed"})
    assert answer.status_code == 302
    assert "https://pipewren.example/feed" in client.get(here).content.decode()


@pytest.mark.parametrize(
    ("typed", "said"), [("", "required"), ("javascript:alert(1)", "has to begin"), ("http://a.example:22/", "port 22")]
)
def test_an_unusable_address_is_refused_with_the_reason(
    client: Client, team: Team, company: Company, typed: str, said: str
) -> None:
    answer = client.post(url("sources", team, pk=company.pk), {"url": typed})
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not CompanySource.objects.exists()


def test_a_failure_and_a_pause_are_seen(client: Client, team: Team, company: Company) -> None:
    watch(company, error="The site has a fault of its own (error 503).", state="paused", last_fetch_at=NOW)
    page = client.get(url("sources", team, pk=company.pk)).content.decode()
    assert "fault of its own" in page
    assert "paused" in page
    assert "Resume" in page


def test_news_shows_its_day_address_and_the_hash_of_its_text(client: Client, team: Team, company: Company) -> None:
    row = a_news(company)
    page = client.get(url("sources", team, pk=company.pk)).content.decode()
    assert "undated" in page
    assert "https://pipewren.example/lima" in page
    assert "SHA-256 " in page
    kept = client.get(url("snapshot", team, pk=company.pk, row=row.pk))
    assert kept["Content-Type"] == "text/plain; charset=utf-8"
    assert kept.content.decode() == row.snapshot


@pytest.mark.parametrize("step", ["pause", "resume", "refresh", "remove"])
def test_a_source_is_moved_by_those_who_write(client: Client, team: Team, company: Company, step: str) -> None:
    source = watch(company)
    here = url("move_source", team, pk=company.pk, source=source.pk, step=step)
    analyst = signed_in(user=a_member(team=team, role="analyst").user)
    assert analyst.post(here).status_code == 403
    assert client.get(here).status_code == 405
    assert client.post(here).status_code == 302
    assert CompanySource.objects.exists() is (step != "remove")


def test_other_teams_see_and_change_nothing(other_team: Team, company: Company) -> None:
    source, row = watch(company), a_news(company)
    mine = Company.objects.create(team=other_team, name="X", normalized_name="x")
    outsider = signed_in(user=a_member(team=other_team, role="admin").user)
    for here in (
        url("sources", other_team, pk=company.pk), url("snapshot", other_team, pk=company.pk, row=row.pk),
        url("snapshot", other_team, pk=mine.pk, row=row.pk), url("sources", company.team, pk=company.pk),
    ):  # fmt: skip
        assert outsider.get(here).status_code == 404
    for pk in (company.pk, mine.pk):
        here = url("move_source", other_team, pk=pk, source=source.pk, step="remove")
        assert outsider.post(here).status_code == 404
    assert CompanySource.objects.count() == 1


def test_an_analyst_reads_and_does_not_add(team: Team, company: Company) -> None:
    analyst = signed_in(user=a_member(team=team, role="analyst").user)
    page = analyst.get(url("sources", team, pk=company.pk))
    assert "Watch an address" not in page.content.decode()
    assert analyst.post(url("sources", team, pk=company.pk), {"url": "https://a.example/"}).status_code == 422
    assert not CompanySource.objects.exists()


def test_the_page_takes_few_queries(
    client: Client, team: Team, company: Company, django_assert_max_num_queries: object
) -> None:
    for number in range(15):
        watch(company, url=f"https://pipewren.example/{number}")
    for number in range(15):
        Evidence.objects.create(
            team=team, company=company, kind="company_news", actor="company", text=str(number), observed_at=NOW.date(),
            source="x", content_hash=f"{number:064}",
        )  # fmt: skip
    with django_assert_max_num_queries(10):  # type: ignore[operator]
        client.get(url("sources", team, pk=company.pk))


# -- pastes ----------------------------------------------------------------------------------
def captured(client: Client, prospect: Prospect, **typed: str) -> Evidence | None:
    answer = client.post(url("capture", prospect.team, pk=prospect.pk), {"what": "post", **typed})
    if answer.status_code != 302:
        assert answer.status_code == 422
        return None
    return Evidence.objects.filter(source__isnull=False).latest("id")


def test_a_pasted_post_takes_address_and_day_from_the_paste(client: Client, diego: Prospect) -> None:
    row = captured(client, diego, text=f"{POST}\n\nWe run.\nStill.")
    assert row is not None
    assert (row.text, row.source_url, str(row.occurred_first), row.actor) == (
        "We run.\nStill.",
        POST,
        "2025-11-17",
        "prospect",
    )


def test_what_is_typed_wins_over_what_is_read(client: Client, diego: Prospect) -> None:
    row = captured(client, diego, text=f"We run.\n{POST}", url="https://a.example/x", occurred="2026-10")
    assert row is not None
    assert (row.source_url, str(row.occurred_first), str(row.occurred_last)) == (
        "https://a.example/x",
        "2026-10-01",
        "2026-10-31",
    )


def test_a_paste_without_address_is_its_own_snapshot(client: Client, diego: Prospect, writer: Member) -> None:
    row = captured(client, diego, text="We run.")
    assert row is not None
    assert (row.snapshot, row.occurred_first, row.source) == ("We run.", None, f"added by {writer.user}")


def test_whose_words_they_are_is_kept(client: Client, diego: Prospect) -> None:
    reshared = captured(client, diego, what="reshare", text="Others wrote this.", url=POST, who="Ada Lind")
    assert reshared is not None
    assert (reshared.kind, reshared.actor, reshared.fields["original_author"]) == ("reshare", "other", "Ada Lind")
    news = captured(client, diego, what="news", text="Pipewren opened.", url="https://pipewren.example/x")
    assert news is not None
    assert (news.actor, news.prospect, news.company) == ("company", None, diego.company)


@pytest.mark.parametrize(
    "typed", [{"text": ""}, {"text": "x", "url": "javascript:alert(1)"}, {"text": "x", "occurred": "2031-01-01"}]
)
def test_an_incomplete_paste_comes_back_with_what_was_typed(
    client: Client, diego: Prospect, typed: dict[str, str]
) -> None:
    before = Evidence.objects.count()
    assert captured(client, diego, **typed) is None
    assert Evidence.objects.count() == before


def test_others_paste_nothing(diego: Prospect, other_team: Team) -> None:
    typed = {"what": "post", "text": "x", "url": POST}
    outsider = signed_in(user=a_member(team=other_team, role="admin").user)
    analyst = signed_in(user=a_member(team=diego.team, role="analyst").user)
    assert outsider.post(url("capture", other_team, pk=diego.pk), typed).status_code == 404
    assert analyst.post(url("capture", diego.team, pk=diego.pk), typed).status_code == 403
