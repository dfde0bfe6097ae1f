"""The small parts that every page shares."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.template import Context, Template
from django.utils import timezone

from outreach.teams.templatetags.footnote import (
    action_words,
    ago,
    capped,
    detail,
    exact,
    icon,
    initials,
    verdict_string,
    verdict_words,
)  # fmt: skip


@pytest.mark.parametrize(
    ("letters", "words"),
    [
        ("", "no claims"),
        ("vv", "2 verified"),
        ("vcvu", "2 verified, 1 contradicted, 1 unsupported"),
        ("nja", "1 judge-corroborated, 1 undeclared, 1 ambiguous"),
    ],
)
def test_verdicts_are_said_in_words(letters: str, words: str) -> None:
    assert verdict_words(letters) == words
    assert words in verdict_string(letters)


def test_each_verdict_has_a_shape_of_its_own() -> None:
    shapes = {re.sub(r'aria-label="[^"]*"', "", verdict_string(letter)) for letter in "vjcuna"}
    assert len(shapes) == 6


@pytest.mark.parametrize(
    ("count", "shown"), [(0, "0"), (None, "0"), (999, "999"), (1000, "1,000"), (1001, "1,000+"), (5000, "1,000+")]
)
def test_a_count_is_capped(count: int | None, shown: str) -> None:
    assert capped(count) == shown


def test_a_time_is_shown_in_the_viewer_s_zone_with_the_exact_instant_on_hover() -> None:
    instant = dt.datetime(2020, 7, 1, 22, 30, 15, tzinfo=dt.UTC)
    with timezone.override(ZoneInfo("Asia/Tokyo")):
        shown = exact(instant)
    assert 'datetime="2020-07-01T22:30:15+00:00"' in shown
    assert "Thursday, 2 July 2020, 07:30:15 JST" in shown
    assert ">2 Jul 2020, 07:30<" in shown


def test_a_date_has_no_zone_and_nothing_is_nothing() -> None:
    assert exact(dt.date(2026, 2, 1)) == '<time datetime="2026-02-01">1 Feb 2026</time>'
    assert exact(None) == ""


@pytest.mark.parametrize(("minutes", "shown"), [(0, "less than a minute"), (5, "5 minutes"), (130, "2 hours")])
def test_a_wait_is_said_in_its_largest_unit(minutes: int, shown: str) -> None:
    assert ago(timezone.now() - dt.timedelta(minutes=minutes)).replace("\xa0", " ") == shown


@pytest.mark.parametrize(
    ("name", "letters"), [("Ada Okafor", "AO"), ("Ada", "A"), ("  ", "?"), ("Ana de la Cruz", "AC"), ("ärla öst", "ÄÖ")]
)
def test_initials_are_of_the_first_and_last_name(name: str, letters: str) -> None:
    assert initials(name) == letters


def test_details_of_an_event_are_one_line() -> None:
    assert detail({"four_eyes": [True, False], "undo_seconds": [60, 0]}) == "Four eyes yes → no; Undo seconds 60 → 0"
    assert detail([1, 2, 3]) == "1, 2, 3"
    assert detail(None) == "–"
    assert action_words("draft.taken_over") == "Draft taken over"


def test_an_icon_is_decoration_unless_it_is_labelled() -> None:
    assert 'aria-hidden="true"' in icon("check")
    assert 'role="img" aria-label="&lt;ready&gt;"' in icon("check", label="<ready>")


def test_an_icon_that_a_template_names_exists_in_the_sprite() -> None:
    root = Path(__file__).parents[3]
    named = {
        match
        for path in (root / "templates").rglob("*.html")
        for match in re.findall(r'{% icon "([\w-]+)"', path.read_text())
    }
    sprite = set(re.findall(r'id="([\w-]+)"', (root / "static/footnote/icons.svg").read_text()))
    assert named - sprite == set()


def test_text_of_other_people_is_escaped_in_the_parts() -> None:
    template = Template("{% load footnote %}{{ name|initials }}{{ name|action_words }}{% verdict_string name %}")
    assert "<x" not in template.render(Context({"name": "<x> <y>"})).replace("<svg", "").replace("<rect", "")
