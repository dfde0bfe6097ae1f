"""The demonstration team."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest
from django.db import connection
from django.test import Client

from messaging.models import Draft, Enrolment, RejectionReason
from outreach.home.domain.demo import dated
from outreach.home.services import PASSWORD, load_demo
from outreach.teams.models import Team
from prospects.models import Prospect
from tests.factories import NOW


@pytest.mark.django_db
def test_a_newcomer_finds_people_campaigns_and_verified_drafts() -> None:
    loaded = load_demo(now=NOW)
    assert loaded.created
    assert set(Draft.objects.values_list("state", flat=True)) == {"ready"}
    assert Draft.objects.count() == 6
    assert RejectionReason.objects.count() == 7
    assert Enrolment.objects.filter(campaign__slug="demo", drafts=None).count() >= 10
    assert Client().login(username="rafael@demo.example", password=PASSWORD)


@pytest.mark.django_db
def test_loading_it_again_changes_nothing() -> None:
    load_demo(now=NOW)
    people = Prospect.objects.count()
    assert not load_demo(now=NOW).created
    assert (Team.objects.count(), Prospect.objects.count()) == (1, people)


@pytest.mark.django_db(transaction=True)
def test_two_commands_at_once_load_it_once() -> None:
    start = threading.Barrier(2)

    def load(_number: int) -> bool:
        try:
            start.wait()
            return load_demo(now=NOW).created
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(load, range(2))) == [False, True]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("@-12d", "2026-11-19"),
        ("@-11m", "2026-01"),
        ("@-12m", "2025-12"),
        ("@-3y", "2023"),
        ("a@b.example", "a@b.example"),
    ],
)
def test_distances_become_dates(written: str, read: str) -> None:
    assert dated(text=written, today=date(2026, 12, 1)) == read
