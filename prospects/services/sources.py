"""Feeds and pages of companies: added by a person, read again and again by a worker. New entries become company news."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.db import IntegrityError, transaction
from django.db.models import Q

from outreach.addresses import url_fault
from outreach.teams import audit
from outreach.teams.access import Member, gate
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from prospects.domain import polling
from prospects.domain.articles import Feed, Item, looks_like_feed, read_feed, read_page
from prospects.domain.evidence import Kind
from prospects.domain.reading import Unreadable
from prospects.domain.succession import plan
from prospects.domain.web import Asked, Fetched, NotModified, Unfetched
from prospects.models import Company, CompanySource, Evidence, SourceKind, SourceState
from prospects.ports import Fetcher
from prospects.queries import known_rows
from prospects.services.absorbing import lock_team
from prospects.services.ledger import Ledger

LEASE = timedelta(minutes=5)
AFTER_A_CRASH = timedelta(hours=1)
MAX_SOURCES = 20


@dataclass(frozen=True)
class Reading:
    """What one visit brought: the kind and title of the source, and news with their snapshots."""

    kind: str
    title: str
    news: tuple[polling.News, ...]
    answer: Fetched | None


def add_source(*, member: Member, company: Company, url: str, now: datetime) -> CompanySource | Refusal:
    """Watch a feed or page. It is read within the next minute."""
    refused = gate(member=member, capability=Capability.WRITE) or _refuse(member=member, company=company, url=url)
    if refused is not None:
        return refused
    try:
        with transaction.atomic():
            source = CompanySource.objects.create(
                team=member.team,
                company=company,
                url=url.strip(),
                created_by=member.user,
                next_fetch_at=now,
                created_at=now,
            )
            audit.record(team=member.team, actor=member.user, action="source.added", target=source)
    except IntegrityError:
        return Refusal(code="known", message="This address is watched for the company already.")
    return source


def _refuse(*, member: Member, company: Company, url: str) -> Refusal | None:
    if company.team_id != member.team.pk:
        return Refusal(code="not-found", message="There is no such company in this team.")
    fault = url_fault(url.strip())
    if fault:
        return Refusal(code="address-unusable", message=fault)
    if CompanySource.objects.filter(company=company).count() >= MAX_SOURCES:
        return Refusal(
            code="too-many", message=f"At most {MAX_SOURCES} addresses are watched for a company. Remove one."
        )
    return None


def move_source(*, member: Member, source: CompanySource, step: str, now: datetime) -> CompanySource | Refusal:
    """step: pause, resume, refresh (read it now) or remove. News that it brought stays."""
    refused = gate(member=member, capability=Capability.WRITE)
    if refused is not None:
        return refused
    if source.team_id != member.team.pk or step not in ("pause", "resume", "refresh", "remove"):
        return Refusal(code="not-found", message="There is no such source in this team.")
    with transaction.atomic():
        audit.record(team=member.team, actor=member.user, action=f"source.{step}", target=source)
        if step == "remove":
            source.delete()
            return source
        source.state = SourceState.PAUSED if step == "pause" else SourceState.ACTIVE
        if step != "pause":
            source.next_fetch_at, source.failures = now, 0
        source.save(update_fields=["state", "next_fetch_at", "failures"])
    return source


def refresh_companies(*, member: Member, company_ids: Sequence[int], now: datetime) -> int | Refusal:
    """Have everything that is watched for these companies read now. Returns how many addresses that are."""
    refused = gate(member=member, capability=Capability.WRITE)
    if refused is not None:
        return refused
    rows = CompanySource.objects.filter(team=member.team, company__in=company_ids, state=SourceState.ACTIVE)
    with transaction.atomic():
        number = rows.update(next_fetch_at=now)
        details = {"sources": number, "companies": len(company_ids)}
        audit.record(
            team=member.team, actor=member.user, action="source.refreshed", target=member.team, details=details
        )
    return number


def claim_source(*, now: datetime) -> CompanySource | None:
    """The source that has waited longest, under a lease; None when none is due.

    It is due again an hour later if its reader dies: a page that kills readers does not keep the others waiting.
    """
    with transaction.atomic():
        due = CompanySource.objects.filter(
            Q(lease_until__isnull=True) | Q(lease_until__lt=now), state=SourceState.ACTIVE, next_fetch_at__lte=now
        ).order_by("next_fetch_at")
        source = (
            due.select_for_update(skip_locked=True, of=("self",)).select_related("company", "team", "created_by")
        ).first()
        if source is not None:
            source.lease_until, source.next_fetch_at = now + LEASE, now + AFTER_A_CRASH
            source.save(update_fields=["lease_until", "next_fetch_at"])
    return source


def read_source(*, source: CompanySource, fetcher: Fetcher, clock: Callable[[], datetime]) -> CompanySource:
    """Visit a claimed source, outside any transaction, then write what came in one. A failure stands in `error`."""
    outcome = fetcher.fetch(Asked(url=source.url, etag=source.etag, last_modified=source.last_modified))
    if isinstance(outcome, NotModified):
        return _written(source, Reading(kind=source.kind, title=source.title, news=(), answer=None), clock())
    if isinstance(outcome, Unfetched):
        return _failed(source, outcome, clock())
    reading = _understood(source, outcome, fetcher, clock())
    if isinstance(reading, Unreadable):
        return _failed(source, Unfetched(reading.message), clock())
    return _written(source, reading, clock())


def _understood(source: CompanySource, answer: Fetched, fetcher: Fetcher, now: datetime) -> Reading | Unreadable:
    if looks_like_feed(answer.body):
        feed = read_feed(answer.body, url=answer.url, content_type=answer.content_type, today=now.date())
        return feed if isinstance(feed, Unreadable) else _of_feed(source, feed, answer, fetcher, now)
    page = read_page(answer.body, url=answer.url, charset=answer.charset, today=now.date())
    if isinstance(page, Unreadable):
        return page
    # Its name is the address that is watched: a redirect that changes does not make it another page.
    page = replace(page, item_id=f"web-source-{source.pk}", url=source.url)
    return Reading(
        kind=SourceKind.PAGE, title=page.title, news=(polling.News(item=page, snapshot=page.text),), answer=answer
    )


def _of_feed(source: CompanySource, feed: Feed, answer: Fetched, fetcher: Fetcher, now: datetime) -> Reading:
    known = _known_items(source, feed.items)
    news = []
    for number, item in enumerate(polling.unread(feed.items, known=known)):
        may_open = answer.articles and number < polling.ARTICLES and item.url != answer.url
        news.append(_with_article(item, fetcher, now) if may_open else polling.News(item=item, snapshot=item.text))
    return Reading(kind=SourceKind.FEED, title=feed.title, news=tuple(news), answer=answer)


def _known_items(source: CompanySource, items: Sequence[Item]) -> set[str]:
    """Entries that are stored, in any state: what a person retracted does not come back."""
    wanted = [item.item_id for item in items]
    rows = Evidence.objects.filter(company=source.company, kind=Kind.COMPANY_NEWS.value, ref__in=wanted)
    return set(rows.values_list("ref", flat=True))


def _with_article(item: Item, fetcher: Fetcher, now: datetime) -> polling.News:
    """The whole article where its page can be read and says more; else the feed's own words."""
    outcome = fetcher.fetch(Asked(url=item.url))
    page = (
        read_page(outcome.body, url=item.url, charset=outcome.charset, today=now.date())
        if isinstance(outcome, Fetched)
        else None
    )
    if not isinstance(page, Item) or len(page.text) <= len(item.text):
        return polling.News(item=item, snapshot=item.text)
    return polling.News(item=replace(item, published=item.published or page.published), snapshot=page.text)


def _written(source: CompanySource, reading: Reading, now: datetime) -> CompanySource:
    with transaction.atomic():
        lock_team(team=source.team)
        held = _held(source)
        if held is None:
            return source
        brought = _enter(held, reading, now)
        held.kind, held.title = reading.kind, (reading.title or held.title)[:300]
        if reading.answer is not None:
            held.etag, held.last_modified = reading.answer.etag, reading.answer.last_modified
        held.error, held.failures = "", 0
        held.last_fetch_at = held.last_success_at = now
        held.found += brought
        held.next_fetch_at, held.lease_until = now + polling.EVERY, None
        held.save()
        if brought:
            audit.record(team=held.team, actor=None, action="source.read", target=held, details={"news": brought})
    return held


def _held(source: CompanySource) -> CompanySource | None:
    """The row if it is still ours: a removed source, or one that somebody else claimed since, takes nothing in."""
    rows = CompanySource.objects.select_for_update(of=("self",)).select_related("company", "team")
    return rows.filter(pk=source.pk, lease_until=source.lease_until).first()


def _enter(source: CompanySource, reading: Reading, now: datetime) -> int:
    host = urlsplit(source.url).hostname or source.url
    words = f"{'feed' if reading.kind == SourceKind.FEED else 'page'} of {host}"
    items = [polling.evidence_of(news, source=words, today=now.date()) for news in reading.news]
    snapshots = {item.ref: news.snapshot for item, news in zip(items, reading.news, strict=True)}
    known = known_rows(company_ids=[source.company_id]).get(source.company_id, []) if items else []
    ledger = Ledger(team=source.team, batch=None, now=now)
    planned = plan(items=items, known=known, complete=frozenset())
    ledger.enter(planned, about=source.company, known=known)
    for row in ledger.rows.values():
        row.snapshot = snapshots.get(row.ref, "")
    ledger.write()
    return len(planned.additions)


def _failed(source: CompanySource, outcome: Unfetched, now: datetime) -> CompanySource:
    with transaction.atomic():
        held = _held(source)
        if held is None:
            return source
        held.failures += 1
        held.error, held.last_fetch_at = outcome.reason[:400], now
        wait = polling.wait_after_failure(failures=held.failures - 1, retry_after=outcome.retry_after)
        held.next_fetch_at, held.lease_until = now + wait, None
        if polling.gives_up(failures=held.failures, gone=outcome.gone):
            held.state = SourceState.PAUSED
            audit.record(team=held.team, actor=None, action="source.given_up", target=held)
        held.save()
    return held
