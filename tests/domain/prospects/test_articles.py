"""Feeds, pages and pastes: the words, the day as the source writes it, and nothing from broken input."""

from __future__ import annotations

import random
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prospects.domain.articles import Feed, Item, plain, read_feed, read_page, shortened
from prospects.domain.capture import day_of_post, read_paste
from prospects.domain.dates import partial_date
from prospects.domain.polling import gives_up, wait_after_failure
from prospects.domain.reading import Unreadable
from prospects.domain.web import snapshot_hash

TODAY = date(2026, 12, 1)
URL = "https://tarnhelm.example/feed"
RSS = b"""<?xml version="1.0"?><rss version="2.0"><channel><title>Tarnhelm news</title>
<item><title>We open in &lt;b&gt;Oslo&lt;/b&gt;</title><link>/news/oslo</link><guid isPermaLink="false">a1</guid>
<pubDate>Thu, 12 Nov 2026 09:00:00 +0100</pubDate><description>&lt;p&gt;An office.&lt;/p&gt;&lt;p&gt;Two floors.&lt;/p&gt;</description></item>
<item><title>Later</title><guid isPermaLink="false">a2</guid><pubDate>Thu, 14 Jan 2027 09:00:00 GMT</pubDate></item>
<item><title>Undated</title><guid isPermaLink="false">a3</guid></item></channel></rss>"""
BODY = (
    "Tarnhelm, which moves freight by rail, has raised 20 million euros to open depots in Oslo and Gdansk next year. "
    "The round was led by an investor in Hamburg, who knows the founders from their first company and joins the board."
)


def page(*, head: str = "", body: str = "", text: str = BODY) -> bytes:
    return (
        f'<html><head><meta charset="utf-8"><title>Tarnhelm raises</title>{head}</head><body><nav>Home Jobs</nav><article>'
        f"<h1>Tarnhelm raises 20 million</h1>{body}<p>{text}</p></article><footer>Imprint, cookies</footer></body></html>"
    ).encode()


def item_of(found: Feed | Unreadable, at: int = 0) -> Item:
    assert isinstance(found, Feed), found
    return found.items[at]


def test_a_feed_gives_its_entries_with_words_address_and_day() -> None:
    found = read_feed(RSS, url=URL, today=TODAY)
    assert isinstance(found, Feed)
    assert (found.title, [item.title for item in found.items]) == ("Tarnhelm news", ["We open in Oslo", "Undated"])
    first = found.items[0]
    assert first.text == "An office.\nTwo floors."
    assert first.url == "https://tarnhelm.example/news/oslo"
    assert first.published == partial_date("2026-11-12")
    assert found.items[1].published is None


def atom(dates: str) -> bytes:
    return (
        '<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><title>One</title><id>urn:1</id>'
        f'<link href="https://tarnhelm.example/1"/>{dates}<content type="html">&lt;p&gt;Hello&lt;/p&gt;</content></entry></feed>'
    ).encode()


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        ("<published>2026-11-05T10:00:00Z</published>", "2026-11-05"),
        ("<published>2026-11</published>", "2026-11"),  # not the first of November
        ("<published>2026</published>", "2026"),
        ("<updated>2026-11-20T10:00:00Z</updated>", None),  # when it was changed is not when it happened
        ("<published>soon</published>", None),
        ("", None),
    ],
)
def test_an_atom_entry_keeps_the_precision_of_its_day(dates: str, expected: str | None) -> None:
    assert item_of(read_feed(atom(dates), url=URL, today=TODAY)).published == (
        partial_date(expected) if expected else None
    )


@pytest.mark.parametrize(
    "data", [b"", b"hello", b"<html><body>x</body></html>", b"{}", b"<rss", b"\xff\xfe\x00", b"<?xml version='1.0'?><a/>"]
)  # fmt: skip
def test_what_is_no_feed_says_so_or_is_empty(data: bytes) -> None:
    found = read_feed(data, url=URL, today=TODAY)
    assert isinstance(found, Unreadable) or found.items == ()


def test_entities_that_multiply_do_no_harm() -> None:
    levels = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    bomb = f'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a0 "aaaaaaaaaa">{levels}]><rss version="2.0"><channel><title>&a11;</title><item><title>x</title><description>&a11;</description></item></channel></rss>'
    found = read_feed(bomb.encode(), url=URL, today=TODAY)
    assert isinstance(found, Unreadable) or all(len(item.text) < 1_000 for item in found.items)


def test_a_files_content_never_comes_in_by_an_entity() -> None:
    data = b'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss version="2.0"><channel><title>T</title><item><title>x</title><description>&x;</description></item></channel></rss>'
    found = read_feed(data, url=URL, today=TODAY)
    assert isinstance(found, Unreadable) or "root:" not in str(found)


def test_mutated_feeds_and_pages_are_read_or_refused() -> None:
    rng = random.Random(7)
    for data in (RSS, atom("<published>2026-11-05</published>"), page()):
        for _ in range(150):
            mutated = bytearray(data)
            for _ in range(rng.randint(1, 20)):
                at = rng.randrange(len(mutated))
                mutated[at : at + rng.randint(0, 6)] = rng.choice(
                    [b"<", b">", b"&", b"\x00", b"\xff", b"]]>", b"&#xD800;", b'"']
                )
            assert isinstance(read_feed(bytes(mutated), url=URL, today=TODAY), (Feed, Unreadable))
            assert isinstance(read_page(bytes(mutated), url=URL, today=TODAY), (Item, Unreadable))


@given(st.text(max_size=300))
def test_plain_words_hold_no_nul_and_never_raise(markup: str) -> None:
    assert "\x00" not in plain(markup)
    assert "\x00" not in plain(f"<p>{markup}</p>")


@pytest.mark.parametrize(
    ("head", "body", "expected"),
    [
        ('<meta property="article:published_time" content="2026-11-05T10:00:00Z">', "", "2026-11-05"),
        ("", '<time datetime="2026-11-05">last week</time>', "2026-11-05"),
        ("", '<p class="date">5 November 2026</p>', "2026-11-05"),
        ("", '<p class="date">November 5, 2026</p>', "2026-11-05"),
        ("", '<p class="date">November 2026</p>', None),
        ("", "", None),
    ],
)
def test_the_day_of_a_page_is_the_one_it_writes(head: str, body: str, expected: str | None) -> None:
    found = read_page(page(head=head, body=body), url="https://tarnhelm.example/raise", today=TODAY)
    assert isinstance(found, Item)
    assert found.published == (partial_date(expected) if expected else None)


def test_the_text_of_a_page_is_its_article_alone() -> None:
    found = read_page(page(), url="https://tarnhelm.example/raise", today=TODAY)
    assert isinstance(found, Item)
    assert "has raised 20 million euros" in found.text
    assert "cookies" not in found.text
    assert found.title == "Tarnhelm raises 20 million"


@pytest.mark.parametrize(
    "data", [b"", b"<html></html>", b"<html><body><nav>Home</nav></body></html>", b"\x00\xff" * 50, b"<div>" * 20_000]
)
def test_a_page_without_an_article_says_so(data: bytes) -> None:
    assert isinstance(read_page(data, url="https://a.example/", today=TODAY), Unreadable)


def test_a_long_text_ends_at_the_end_of_a_sentence() -> None:
    assert shortened("One sentence. " * 500, 100).endswith("sentence.")
    assert shortened("short", 100) == "short"


def test_waits_double_and_end_in_a_pause() -> None:
    hours = [wait_after_failure(failures=n, retry_after=0).total_seconds() / 3_600 for n in range(9)]
    assert hours == [1, 2, 4, 8, 16, 32, 64, 128, 168]
    assert wait_after_failure(failures=0, retry_after=7_200).total_seconds() == 7_200
    assert wait_after_failure(failures=0, retry_after=10**9).days == 7
    assert [gives_up(failures=n, gone=True) for n in (2, 3)] == [False, True]
    assert [gives_up(failures=n, gone=False) for n in (11, 12)] == [False, True]


def test_a_snapshot_is_named_by_its_words() -> None:
    assert snapshot_hash("a") == "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"


# -- pastes ----------------------------------------------------------------------------------
POST = "https://www.linkedin.com/posts/maren-o_rail-activity-7396100000000000000-abcd"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (POST, "2025-11-17"),
        ("https://www.linkedin.com/feed/update/urn:li:activity:7396100000000000000/", "2025-11-17"),
        ("https://www.linkedin.com/feed/update/urn%3Ali%3Ashare%3A7396100000000000000", "2025-11-17"),
        ("https://www.linkedin.com/posts/x-activity-9223372036854775807", None),  # in the future
        ("https://www.linkedin.com/posts/x-activity-123456789", None),
        ("https://tarnhelm.example/2026/11/05", None),
        ("", None),
    ],
)
def test_the_number_of_a_post_holds_its_day(url: str, expected: str | None) -> None:
    assert day_of_post(url, today=TODAY) == (partial_date(expected) if expected else None)


@pytest.mark.parametrize(
    ("text", "url", "words", "address"),
    [
        (f"{POST}\n\nWe run.\nStill.", "", "We run.\nStill.", POST),
        (f"We run.\n{POST}", "", "We run.", POST),
        ("We run.", POST, "We run.", POST),
        (f"We run.\n{POST}", "https://other.example/x", f"We run.\n{POST}", "https://other.example/x"),
        ("We run, see https://a.example/x today", "", "We run, see https://a.example/x today", ""),
        (POST, "", POST, ""),  # an address alone is no words
        ("", "", "", ""),
    ],
)
def test_the_address_is_taken_out_of_a_paste(text: str, url: str, words: str, address: str) -> None:
    found = read_paste(text, url=url, today=TODAY)
    assert (found.text, found.url) == (words, address)
