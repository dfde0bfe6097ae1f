"""The trail of what was done."""

import pytest
from django.db import DatabaseError, transaction

from outreach.teams.access import Member
from outreach.teams.audit import matches, record
from outreach.teams.models import AuditEvent, CommitmentSalt


def test_an_event_commits_to_its_content_without_holding_it(admin: Member) -> None:
    event = record(team=admin.team, actor=admin.user, action="draft.edited", target=admin.team, content="Dear Ida")
    stored = AuditEvent.objects.filter(pk=event.pk).values_list().get()
    assert "Ida" not in str(stored)
    assert matches(event=event, content="Dear Ida")
    assert not matches(event=event, content="Dear Eve")


def test_the_same_content_gives_another_commitment_every_time(admin: Member) -> None:
    events = [
        record(team=admin.team, actor=None, action="x.y", target=admin.team, content="Dear Ida") for _ in range(2)
    ]
    assert events[0].commitment != events[1].commitment


def test_erasing_the_salt_makes_the_commitment_say_nothing(admin: Member) -> None:
    event = record(team=admin.team, actor=None, action="x.y", target=admin.team, content="Dear Ida")
    CommitmentSalt.objects.filter(event=event).delete()
    assert not matches(event=event, content="Dear Ida")


@pytest.mark.parametrize("change", ["update", "delete"])
def test_the_trail_is_append_only(admin: Member, change: str) -> None:
    event = record(team=admin.team, actor=admin.user, action="x.y", target=admin.team)
    rows = AuditEvent.objects.filter(pk=event.pk)
    with pytest.raises(DatabaseError), transaction.atomic():
        rows.update(action="z") if change == "update" else rows._raw_delete(rows.db)
    assert rows.get().action == "x.y"
