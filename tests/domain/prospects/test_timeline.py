"""What the page of a prospect says about age and gaps, as tables of cases."""

from __future__ import annotations

from datetime import date

import pytest

from prospects.domain.dates import partial_date
from prospects.domain.evidence import Actor, Evidence, Kind, fields_of
from prospects.domain.timeline import entry_of, gaps_of, timeline

TODAY = date(2026, 12, 1)


def item(kind: Kind, when: str = "", *, seen: date = TODAY, **fields: str) -> Evidence:
    return Evidence(
        ref="x", kind=kind, actor=Actor.PROSPECT, text="Words.", fields=fields_of(fields.items()),
        occurred=partial_date(when) if when else None, observed_at=seen,
    )  # fmt: skip


def role(start: str = "2024-08-01", *, seen: date = TODAY, end: str = "") -> Evidence:
    return item(Kind.POSITION, start, seen=seen, title="CTO", company="Pipewren", start=start, end=end)


def said(*items: Evidence, has_email: bool = True) -> str:
    return " | ".join(gap.text for gap in gaps_of(items, has_email=has_email, today=TODAY))


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([role(), item(Kind.POST, "2026-11-05")], ""),
        ([role(), item(Kind.POST, "2026-03")], "No post since Mar 2026"),
        ([role(), item(Kind.POST, "2026-03"), item(Kind.POST, "2025")], "No post since Mar 2026"),
        ([role(), item(Kind.POST)], "undated"),
        ([role(), item(Kind.RESHARE, "2026-11-20")], "No post of their own"),
        ([item(Kind.POST, "2026-11-05")], "No current position"),
        ([role(end="2025-01"), item(Kind.POST, "2026-11-05")], "No current position"),
        ([role(""), item(Kind.POST, "2026-11-05")], "No start known at Pipewren"),
        ([role("2024"), item(Kind.POST, "2026-11-05")], "must hold for all of 2024"),
        ([role(seen=date(2026, 3, 1)), item(Kind.POST, "2026-11-05")], "last seen on 1 Mar 2026"),
    ],
)
def test_gaps_say_what_cannot_be_claimed(items: list[Evidence], expected: str) -> None:
    found = said(*items)
    assert (expected in found) if expected else (found == "")


def test_no_address_is_a_gap() -> None:
    assert "LinkedIn only" in said(role(), item(Kind.POST, "2026-11-05"), has_email=False)


@pytest.mark.parametrize(
    ("one", "freshness", "words"),
    [
        (item(Kind.POST, "2026-11-20"), "", "fresh to 19 Jan"),
        (item(Kind.POST, "2026-10-10"), "aging", "aging, to 9 Dec"),
        (item(Kind.POST, "2026-03-01"), "stale", "no “recently”"),
        (item(Kind.POST), "stale", "undated"),
        (item(Kind.RESHARE, "2026-11-20"), "stale", "never quoted"),
        (role(), "", "seen 1 Dec 2026"),
        (role(seen=date(2026, 3, 1)), "stale", "too long ago"),
        (role(end="2025"), "stale", "closed"),
        (item(Kind.HEADLINE), "", "seen 1 Dec 2026"),
    ],
)
def test_each_line_says_how_fresh_it_is(one: Evidence, freshness: str, words: str) -> None:
    entry = entry_of(one, today=TODAY)
    assert entry.freshness == freshness
    assert words in entry.freshness_words


def test_the_newest_event_comes_first_and_the_undated_last() -> None:
    items = [item(Kind.HEADLINE), item(Kind.POST, "2025"), item(Kind.POST, "2026-11-05"), role("2026-01-01")]
    whens = [entry.when for entry in timeline(((one, "") for one in items), today=TODAY)]
    assert whens == ["5 Nov 2026", "1 Jan 2026 –", "2025", ""]
