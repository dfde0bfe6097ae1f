"""Keyset paging over every order of nullable and repeated values."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from outreach.teams.models import AuditEvent, Team
from outreach.teams.paging import page_after
from tests.people import a_team

ORDERS = st.sampled_from(
    [("target_id", "id"), ("-target_id", "id"), ("target_id", "-id"), ("action", "-target_id", "id"), ("-id",)]
)
ROWS = st.lists(st.tuples(st.none() | st.integers(0, 2), st.sampled_from(["a", "B", "é"])), max_size=9)


class Paging(TestCase):
    team: Team

    @classmethod
    def setUpTestData(cls) -> None:
        cls.team = a_team()

    @settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(rows=ROWS, order=ORDERS, size=st.integers(1, 4))
    def test_walking_forwards_and_back_shows_every_row_once_in_order(
        self, rows: list[tuple[int | None, str]], order: tuple[str, ...], size: int
    ) -> None:
        AuditEvent.objects.bulk_create(
            AuditEvent(team=self.team, action=action, target_type="t", target_id=target) for target, action in rows
        )
        found = AuditEvent.objects.filter(team=self.team)
        everything = list(found.order_by(*order))
        pages = [page_after(queryset=found, order=order, after="", size=size)]
        while pages[-1].next:
            pages.append(page_after(queryset=found, order=order, after=pages[-1].next, size=size))
        assert [row for page in pages for row in page.rows] == everything
        back = pages[-1]
        for earlier in reversed(pages[:-1]):
            back = page_after(queryset=found, order=order, after=back.previous, size=size)
            assert back.rows == earlier.rows
        assert not pages[0].previous
        assert not back.previous

    def test_a_forged_cursor_or_one_of_another_order_gives_the_first_page(self) -> None:
        AuditEvent.objects.bulk_create(AuditEvent(team=self.team, action="a", target_type="t") for _ in range(3))
        found = AuditEvent.objects.filter(team=self.team)
        foreign = page_after(queryset=found, order=("-id",), after="", size=1).next
        for after in ("nonsense", foreign, foreign[:-2] + "xx", "\x00"):
            assert page_after(queryset=found, order=("id",), after=after, size=1).rows == (found.earliest("id"),)

    def test_a_page_is_one_query(self) -> None:
        with self.assertNumQueries(1):
            page_after(queryset=AuditEvent.objects.all(), order=("-id",), after="", size=2)
