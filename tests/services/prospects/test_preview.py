"""The preview says beforehand, number by number, what the import then does, and writes nothing."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from outreach.teams.access import Member
from outreach.teams.models import AuditEvent, Team
from prospects.domain.reading import Unreadable
from prospects.models import Company, Evidence, IdentityKey, ImportBatch, ImportState, Prospect
from prospects.services import claim, preview_of, queue_import, start, work
from prospects.services.preview import SHOWN, TRIED, Preview
from tests.files import CONNECTIONS, SAMPLES
from tests.people import a_member
from tests.services.prospects.imports import NOW, connections, imported

FILES = sorted(path for path in SAMPLES.rglob("*") if path.is_file() and path.suffix != ".md" and path.stat().st_size)


@pytest.fixture
def writer(team: Team) -> Member:
    return a_member(team=team, role="writer")


def prepared(team: Team, writer: Member, name: str, data: bytes) -> ImportBatch:
    batch = queue_import(team=team, actor=writer.user, file_name=name, data=data, state=ImportState.PREPARED, now=NOW)
    assert isinstance(batch, ImportBatch), batch
    return batch


def begun(team: Team, writer: Member, batch: ImportBatch) -> ImportBatch:
    start(team=team, actor=writer.user, batch_id=batch.pk, owner=writer.user, prospect=None, now=NOW)
    lease = claim(now=NOW)
    assert lease is not None
    return work(lease=lease, clock=lambda: NOW)


def rows_stored() -> tuple[int, ...]:
    return tuple(model.objects.count() for model in (Prospect, Evidence, IdentityKey, Company))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_is_shown_is_what_happens(team: Team, writer: Member, path: Path) -> None:
    for _ in ("first", "again"):
        batch = prepared(team, writer, path.name, path.read_bytes())
        before = rows_stored()
        shown = preview_of(batch=batch, now=NOW)
        assert rows_stored() == before
        done = begun(team, writer, batch)
        if not isinstance(shown, Preview):
            assert isinstance(shown, Unreadable)
            assert (done.state, done.message) == (ImportState.REFUSED, shown.message)
            continue
        owner = done.updated + done.unchanged - shown.updated - shown.unchanged
        assert 0 <= owner <= shown.owner_rows
        assert (shown.created, shown.skipped) == (done.created, len(done.skipped))
        assert shown.rows == done.rows
        reasons = Counter(entry["reason"] for entry in done.skipped)
        assert dict(shown.reasons) == dict(reasons.most_common(8)) or len(reasons) > 8
        if not shown.owner_rows:
            assert (shown.updated, shown.unchanged) == (done.updated, done.unchanged)


def test_a_change_is_shown_with_what_it_replaces(team: Team, writer: Member) -> None:
    imported(
        team=team,
        data=connections("Maren,Oduya,https://www.linkedin.com/in/maren,,Tarnhelm,VP Sales,"),
        owner=writer.user,
    )
    data = connections(
        "Maren,Oduya,https://www.linkedin.com/in/maren,m@x.example,Vexelle,CRO,",
        "Theo,Brisebois,https://www.linkedin.com/in/theo,,Vexelle,CTO,",
        ",,https://www.linkedin.com/in/nobody,,,,",
    )
    shown = preview_of(batch=prepared(team, writer, "Connections.csv", data.encode()), now=NOW)
    assert isinstance(shown, Preview)
    assert [(row.name, row.outcome) for row in shown.sample] == [
        ("Maren Oduya", "updated"),
        ("Theo Brisebois", "new"),
        ("", "skipped"),
    ]
    changes = {change.column: (change.before, change.after) for change in shown.sample[0].changes}
    assert changes == {"Title": ("VP Sales", "CRO"), "Company": ("Tarnhelm", "Vexelle"), "E-mail": ("", "m@x.example")}
    assert Prospect.objects.get().title == "VP Sales"


def test_a_key_that_is_somebody_elses_is_shown_and_marks_nobody(team: Team, writer: Member) -> None:
    imported(
        team=team, data=connections("Maren,Oduya,https://www.linkedin.com/in/maren,,Tarnhelm,VP,"), owner=writer.user
    )
    data = connections("Paolo,Reni,https://www.linkedin.com/in/maren,,Tarnhelm,VP,")
    shown = preview_of(batch=prepared(team, writer, "Connections.csv", data.encode()), now=NOW)
    assert isinstance(shown, Preview)
    assert (shown.skipped, shown.sample[0].outcome) == (1, "skipped")
    assert "belongs to Maren Oduya" in shown.sample[0].reason
    assert Prospect.objects.get().state == "active"


def test_of_a_large_file_the_first_people_are_tried_at_a_bounded_cost(
    team: Team, writer: Member, django_assert_max_num_queries
) -> None:
    rows = [f"Person,Nr{n},https://www.linkedin.com/in/p{n},,X,CEO," for n in range(TRIED + 700)]
    batch = prepared(team, writer, "Connections.csv", connections(*rows).encode())
    with django_assert_max_num_queries(40 * (SHOWN + TRIED // 500 + 1)):
        shown = preview_of(batch=batch, now=NOW)
    assert isinstance(shown, Preview)
    assert (shown.created, shown.tried, shown.people, shown.whole) == (TRIED, TRIED, TRIED + 700, True)


def test_looking_leaves_no_trace_in_the_audit(team: Team, writer: Member) -> None:
    batch = prepared(team, writer, CONNECTIONS.name, CONNECTIONS.read_bytes())
    before = AuditEvent.objects.count()
    preview_of(batch=batch, now=NOW)
    assert AuditEvent.objects.count() == before
