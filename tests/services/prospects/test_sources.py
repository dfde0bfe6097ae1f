"""Feeds and pages of companies, read from a real server on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from outreach.teams.access import Member
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import AuditEvent, Team
from prospects import sources
from prospects.domain.web import snapshot_hash
from prospects.invariants import invariants
from prospects.models import Company, CompanySource, Evidence, SourceState
from prospects.services import add_source, claim_source, move_source, read_source, retract
from tests.domain.prospects.test_articles import BODY, page
from tests.people import a_member
from tests.services.prospects.imports import NOW
from tests.webserver import Page, Site, a_site

FEED_TYPE = {"Content-Type": "application/rss+xml"}


def entry(name: str, *, day: str = "12 Nov 2026", words: str = "In short.") -> str:
    return (
        f"<item><title>News {name}</title><link>/news/{name}</link><guid isPermaLink='false'>{name}</guid>"
        f"<pubDate>{day} 09:00:00 GMT</pubDate><description>{words}</description></item>"
    )


def feed(*entries: str, **headers: str) -> Page:
    body = f"<rss version='2.0'><channel><title>Tarnhelm news</title>{''.join(entries)}</channel></rss>"
    return Page(body=body.encode(), headers=FEED_TYPE | headers)


@pytest.fixture
def site() -> Iterator[Site]:
    with a_site({"/feed": feed(entry("a"), entry("b", day="3 Nov 2026")), "/news/a": Page(body=page())}) as running:
        yield running


@pytest.fixture
def writer(team: Team) -> Member:
    return a_member(team=team, role="writer")


@pytest.fixture
def company(team: Team) -> Company:
    return Company.objects.create(team=team, name="Tarnhelm", normalized_name="tarnhelm")


def watched(company: Company, url: str) -> CompanySource:
    """As a person adds it; the port of the test's server is one that a person could not name."""
    return CompanySource.objects.create(team=company.team, company=company, url=url, next_fetch_at=NOW)


def visit(site: Site, *, now: datetime = NOW) -> CompanySource:
    source = claim_source(now=now)
    assert source is not None
    return read_source(source=source, fetcher=site.fetcher(), clock=lambda: now)


def news(company: Company) -> list[Evidence]:
    return list(sources.news_of(company=company).defer(None).order_by("id"))


def test_new_entries_become_company_news_with_day_address_and_text(company: Company, site: Site) -> None:
    watched(company, f"{site.url}/feed")
    source = visit(site)
    assert (source.kind, source.title, source.error, source.found) == ("feed", "Tarnhelm news", "", 2)
    first, second = news(company)
    assert (first.actor, str(first.occurred_first), str(first.occurred_last)) == ("company", "2026-11-12", "2026-11-12")
    assert first.text.startswith("News a\n")
    assert "has raised 20 million euros" in first.text  # the article, which says more than the feed
    assert first.source_url == f"{site.url}/news/a"
    assert first.snapshot_sha256 == snapshot_hash(first.snapshot)
    assert second.text == "News b\nIn short."  # its page is gone: the feed's own words
    assert not any(list(invariant.broken()) for invariant in invariants())


def test_the_next_visit_asks_whether_anything_changed(company: Company, site: Site) -> None:
    site.pages["/feed"] = feed(entry("a"), ETag='"1"')
    watched(company, f"{site.url}/feed")
    assert visit(site).etag == '"1"'
    later = NOW + timedelta(hours=7)
    source = visit(site, now=later)
    assert site.asked[-1] == ("/feed", site.asked[-1][1])
    assert site.asked[-1][1]["if-none-match"] == '"1"'
    assert (source.last_success_at, source.error, len(news(company))) == (later, "", 1)


def test_known_entries_are_not_opened_or_stored_again(company: Company, site: Site) -> None:
    watched(company, f"{site.url}/feed")
    visit(site)
    site.pages["/feed"] = feed(entry("c"), entry("a", words="Other words."), entry("b"))
    before = site.paths().count("/news/a")
    assert visit(site, now=NOW + timedelta(hours=7)).found == 3
    assert site.paths().count("/news/a") == before
    assert len(news(company)) == 3


def test_what_a_person_retracted_does_not_come_back(company: Company, site: Site, writer: Member) -> None:
    watched(company, f"{site.url}/feed")
    visit(site)
    retract(member=writer, evidence_id=news(company)[0].pk, reason="another Tarnhelm", now=NOW)
    visit(site, now=NOW + timedelta(hours=7))
    assert [row.fields["title"] for row in news(company)] == ["News b"]


def test_a_page_that_changes_takes_the_place_of_what_it_said(company: Company, site: Site) -> None:
    site.pages["/about"] = Page(body=page())
    watched(company, f"{site.url}/about")
    assert visit(site).kind == "page"
    visit(site, now=NOW + timedelta(hours=7))
    assert len(news(company)) == 1
    site.pages["/about"] = Page(body=page(text=BODY.replace("20 million", "25 million")))
    visit(site, now=NOW + timedelta(hours=14))
    assert ["25 million" in row.text for row in news(company)] == [True]
    assert Evidence.objects.filter(company=company, state="superseded").count() == 1


def test_a_failure_is_told_and_waited_for(company: Company, site: Site) -> None:
    watched(company, f"{site.url}/nothing")
    source = visit(site)
    assert "error 404" in source.error
    assert source.next_fetch_at == NOW + timedelta(hours=1)
    assert claim_source(now=NOW + timedelta(minutes=59)) is None
    for number in range(2, 4):
        source = visit(site, now=NOW + timedelta(days=number))
    assert (source.state, source.failures) == (SourceState.PAUSED, 3)
    assert claim_source(now=NOW + timedelta(days=30)) is None
    assert AuditEvent.objects.filter(action="source.given_up").count() == 1


def test_a_private_address_is_never_fetched(company: Company, site: Site) -> None:
    watched(company, "http://169.254.169.254/latest/meta-data/")
    assert "private" in visit(site).error


def test_a_site_that_asks_for_pauses_is_not_opened_page_by_page(company: Company, site: Site) -> None:
    site.pages["/robots.txt"] = Page(body=b"User-agent: *\nCrawl-delay: 30\n")
    watched(company, f"{site.url}/feed")
    assert visit(site).found == 2
    assert "/news/a" not in site.paths()


def test_one_worker_at_a_time_and_a_dead_one_is_taken_over(company: Company, site: Site) -> None:
    source = watched(company, f"{site.url}/feed")
    first = claim_source(now=NOW)
    assert first is not None
    assert claim_source(now=NOW + timedelta(minutes=1)) is None
    assert claim_source(now=NOW + timedelta(minutes=59)) is None
    second = claim_source(now=NOW + timedelta(minutes=61))
    assert second is not None
    read_source(source=second, fetcher=site.fetcher(), clock=lambda: NOW + timedelta(minutes=61))
    read_source(source=first, fetcher=site.fetcher(), clock=lambda: NOW + timedelta(minutes=62))  # comes late
    source.refresh_from_db()
    assert (source.found, len(news(company)), source.last_fetch_at) == (2, 2, NOW + timedelta(minutes=61))


def test_a_source_that_was_removed_meanwhile_takes_nothing_in(company: Company, site: Site) -> None:
    watched(company, f"{site.url}/feed")
    claimed = claim_source(now=NOW)
    assert claimed is not None
    CompanySource.objects.all().delete()
    read_source(source=claimed, fetcher=site.fetcher(), clock=lambda: NOW)
    assert news(company) == []


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("https://tarnhelm.example/feed", ""),
        ("file:///etc/passwd", "address-unusable"),
        ("http://a.example:22/", "address-unusable"),
    ],
)
def test_an_address_is_added_or_refused(company: Company, writer: Member, url: str, code: str) -> None:
    outcome = add_source(member=writer, company=company, url=url, now=NOW)
    assert getattr(outcome, "code", "") == code


def test_an_address_is_watched_once_and_only_by_those_who_may(
    team: Team, other_team: Team, company: Company, writer: Member
) -> None:
    url = "https://tarnhelm.example/feed"
    source = add_source(member=writer, company=company, url=url, now=NOW)
    assert isinstance(source, CompanySource)
    again = add_source(member=writer, company=company, url=url, now=NOW)
    assert isinstance(again, Refusal)
    assert again.code == "known"
    for member in (a_member(team=team, role="analyst"), a_member(team=other_team, role="admin")):
        assert isinstance(add_source(member=member, company=company, url=url + "2", now=NOW), Refusal)
        assert isinstance(move_source(member=member, source=source, step="remove", now=NOW), Refusal)
    assert CompanySource.objects.count() == 1


def test_a_source_is_paused_resumed_refreshed_and_removed(company: Company, writer: Member) -> None:
    source = add_source(member=writer, company=company, url="https://tarnhelm.example/feed", now=NOW)
    assert isinstance(source, CompanySource)
    move_source(member=writer, source=source, step="pause", now=NOW)
    assert claim_source(now=NOW) is None
    move_source(member=writer, source=source, step="resume", now=NOW)
    assert claim_source(now=NOW) is not None
    assert isinstance(move_source(member=writer, source=source, step="explode", now=NOW), Refusal)
    move_source(member=writer, source=source, step="remove", now=NOW)
    assert not CompanySource.objects.exists()
    assert set(AuditEvent.objects.values_list("action", flat=True)) >= {
        "source.added",
        "source.pause",
        "source.resume",
        "source.remove",
    }
