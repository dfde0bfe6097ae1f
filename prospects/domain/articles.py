"""Text and date of web pages and feeds. Pure; broken input is a value.

feedparser reads every RSS and Atom there is, trafilatura finds the article on a page. Two of their habits are not
taken over: feedparser completes a bare month to its first day, and trafilatura's date finder may guess one from
anything that looks like it; here a day counts only where the source writes it.
"""

from __future__ import annotations

import hashlib
import io
import logging
import re
from dataclasses import dataclass
from datetime import date

import feedparser
import lxml.html
import trafilatura
from lxml.etree import LxmlError

from prospects.domain.dates import DateInterval
from prospects.domain.reading import Unreadable, scrub
from prospects.domain.wild_dates import read_date

MAX_ENTRIES = 20
MAX_WORDS = 4_000
_LEAST_ARTICLE = 80
_BLANKS = re.compile(r"[ \t\r\f\v]+")
_LINES = re.compile(r"\s*\n\s*")

logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # what it cannot read is said on our pages
logging.getLogger("htmldate").setLevel(logging.CRITICAL)


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a feed, or one page. item_id tells it from others of its source; text is plain, in paragraphs."""

    item_id: str
    url: str
    title: str
    text: str
    published: DateInterval | None


@dataclass(frozen=True, slots=True)
class Feed:
    title: str
    items: tuple[Item, ...]


def item_id(*parts: str) -> str:
    """A short name for an entry, the same whenever its feed is read."""
    return "web-" + hashlib.sha256("\n".join(parts).encode()).hexdigest()[:24]


def plain(markup: str) -> str:
    """The words of a piece of HTML, one line a paragraph."""
    text = scrub(markup)
    if "<" in text or "&" in text:
        try:
            root = lxml.html.fragment_fromstring(text[:200_000], create_parent="div")
        except (LxmlError, ValueError, AssertionError, RecursionError):
            return ""
        for node in root.iter("p", "br", "li", "h1", "h2", "h3", "h4", "div", "tr"):
            node.tail = "\n" + (node.tail or "")
        for node in list(root.iter("script", "style")):
            node.drop_tree()
        text = str(root.text_content())
    return _LINES.sub("\n", _BLANKS.sub(" ", text.replace("\xa0", " "))).strip()


def shortened(text: str, limit: int = MAX_WORDS) -> str:
    """The beginning of a text, ended at a paragraph or a sentence."""
    if len(text) <= limit:
        return text
    head = text[:limit]
    cut = head.rfind("\n")
    if cut < limit // 2:
        cut = max(head.rfind(". "), head.rfind("! "), head.rfind("? ")) + 1
    return head[: cut if cut > limit // 4 else head.rfind(" ")].strip()


def looks_like_feed(data: bytes) -> bool:
    head = data[:2_000].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return any(mark in head for mark in (b"<rss", b"<feed", b"<rdf:rdf"))


def read_feed(data: bytes, *, url: str, content_type: str = "", today: date) -> Feed | Unreadable:
    """The newest entries of an RSS or Atom feed, newest first as the feed has them; future ones are left for their day."""
    try:
        found = feedparser.parse(
            io.BytesIO(data), response_headers={"content-location": url, "content-type": content_type or "text/xml"}
        )
        entries = list(found.entries)[:200]
        title = str(found.feed.get("title", ""))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, LxmlError, UnicodeError):
        return Unreadable("The feed is broken and cannot be read.")
    if not found.get("version") and not entries:
        return Unreadable("This address holds neither RSS nor Atom. Look for the feed’s own address on the site.")
    items = [item for entry in entries if (item := _item(entry, url)) is not None]
    due = [item for item in items if item.published is None or item.published.first <= today]
    due.sort(key=lambda item: item.published.first if item.published else date.min, reverse=True)
    return Feed(title=plain(title)[:300], items=tuple(due[:MAX_ENTRIES]))


def _item(entry: feedparser.FeedParserDict, feed_url: str) -> Item | None:
    title = plain(str(entry.get("title", "")))[:300]
    link = scrub(str(entry.get("link", ""))).strip()
    link = link[:1_000] if link.lower().startswith(("https://", "http://")) else ""
    bodies = [str(part.get("value", "")) for part in entry.get("content", []) if isinstance(part, dict)]
    text = max((plain(body) for body in (*bodies, str(entry.get("summary", "")))), key=len)
    if not title and not text:
        return None
    name = str(entry.get("id", "")) or link or f"{title}\n{entry.get('published', '')}"
    return Item(
        item_id=item_id(name),
        url=link or feed_url,
        title=title or shortened(text, 120),
        text=text,
        published=read_date(str(entry.get("published", ""))).interval,
    )


def read_page(data: bytes, *, url: str, charset: str = "", today: date) -> Item | Unreadable:
    """The article of a page, with its title and the day it says it was published."""
    markup = _decoded(data, charset)
    try:
        found = trafilatura.bare_extraction(
            markup,
            url=url,
            favor_precision=True,
            include_comments=False,
            include_tables=False,
            with_metadata=True,
            date_extraction_params={
                "extensive_search": False,
                "original_date": True,
                "outputformat": "%Y-%m-%d",
                "max_date": today.isoformat(),
            },
        )
    except (LxmlError, ValueError, LookupError, TypeError, AttributeError, RecursionError, OverflowError):
        return Unreadable("The page is broken and cannot be read.")
    text = plain(str(getattr(found, "text", "") or "")) if found is not None else ""
    if found is None or isinstance(found, dict) or len(text) < _LEAST_ARTICLE:
        return Unreadable("No article was found on the page. If there is one, paste it.")
    title = plain(str(found.title or ""))[:300]
    return Item(
        item_id=item_id(url),
        url=url,
        title=title or shortened(text, 120),
        text=text,
        published=_day_as_written(str(found.date or ""), markup),
    )


def _decoded(data: bytes, charset: str) -> str:
    """As the server says, or as the page itself does; what fits nowhere is replaced, never refused."""
    declared = re.search(rb"""<meta[^>]{0,80}charset=["']?([\w-]{2,20})""", data[:4_000], re.IGNORECASE)
    for name in (charset, declared.group(1).decode("ascii") if declared else "", "utf-8"):
        try:
            return scrub(data.decode(name)) if name else scrub(data.decode("utf-8-sig"))
        except (LookupError, UnicodeError, ValueError):
            continue
    return scrub(data.decode("cp1252", errors="replace"))


def _day_as_written(iso: str, markup: str) -> DateInterval | None:
    """The day that was found, if the page writes it out; the month alone where it writes only that."""
    found = read_date(iso).interval
    if found is None:
        return None
    day = found.first
    if iso in markup or _written_out(day, markup):
        return found
    month = read_date(f"{day.year}-{day.month:02}").interval
    return month if f"{day.year}-{day.month:02}" in markup or f"/{day.year}/{day.month:02}/" in markup else None


def _written_out(day: date, markup: str) -> bool:
    """ "5 November 2026", "November 5, 2026", "05.11.2026" and their like."""
    around = re.compile(rf"[^<>\n]{{0,24}}{day.year}[^<>\n]{{0,6}}")
    texts = (match.group() for match, _ in zip(around.finditer(markup), range(2_000), strict=False))
    return any(
        (read := read_date(text.strip(" ,.;:-–|")).interval) and read.first == read.last == day for text in texts
    )
