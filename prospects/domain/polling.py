"""How often a feed or page is asked, and which of its entries are worth reading. Plain rules."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from prospects.domain.articles import Item, shortened
from prospects.domain.evidence import Actor, Evidence, Kind
from prospects.domain.imported import fact

EVERY = timedelta(hours=6)
_FIRST_WAIT, _LONGEST_WAIT = timedelta(hours=1), timedelta(days=7)
#: Pages that one visit to a feed opens beside it; older entries are told in the feed's own words.
ARTICLES = 5
_GIVE_UP, _GIVE_UP_GONE = 12, 3


def wait_after_failure(*, failures: int, retry_after: int) -> timedelta:
    """Doubled with each failure in a row, never shorter than the site asks for (up to a week)."""
    doubled: timedelta = min(_LONGEST_WAIT, _FIRST_WAIT * 2 ** min(failures, 10))
    return min(_LONGEST_WAIT, max(doubled, timedelta(seconds=max(0, retry_after))))


def gives_up(*, failures: int, gone: bool) -> bool:
    """Whether a source is paused until a person looks at it."""
    return failures >= (_GIVE_UP_GONE if gone else _GIVE_UP)


@dataclass(frozen=True, slots=True)
class News:
    """One piece of news on its way in. snapshot is the whole text as it was found."""

    item: Item
    snapshot: str

    @property
    def words(self) -> str:
        text = shortened(self.snapshot)
        title = self.item.title
        return text if not title or text.startswith(title) else f"{title}\n{text}".strip()


def unread(items: Sequence[Item], *, known: Collection[str]) -> list[Item]:
    """The entries that are not stored yet, each once."""
    return [item for item in {item.item_id: item for item in items}.values() if item.item_id not in known]


def evidence_of(news: News, *, source: str, today: date) -> Evidence:
    """Company news: said by or about the company, never by a prospect."""
    return fact(
        Kind.COMPANY_NEWS,
        news.words,
        ref=news.item.item_id,
        actor=Actor.COMPANY,
        observed_at=today,
        source=source,
        occurred=news.item.published,
        fields=(("id", news.item.item_id), ("title", news.item.title), ("url", news.item.url)),
    )
