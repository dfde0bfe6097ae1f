"""A worker is killed with SIGKILL in the middle of an import, and of taking mail in: nothing doubled, nothing lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.db import connection

from messaging.models import RawMail, Reply
from messaging.replies.services import ingest
from prospects.models import Evidence, ImportBatch, ImportState, Prospect
from prospects.services import queue_import
from prospects.services.batches import CHUNK, LEASE, claim, work
from prospects.services.reading import APART
from tests import wide_csv
from tests.people import a_member, a_team
from tests.services.prospects.imports import NOW, a_mail, connections, counts, imported, known_of

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).parents[3]
PEOPLE = 6 * CHUNK


def killed_after(rows: int, *, job: str, model: type[Prospect | RawMail], moment: datetime) -> int:
    """Start the worker and kill it once that many rows are committed; its exit code."""
    command = [sys.executable, "-m", "tests.services.prospects.import_child", str(connection.settings_dict["NAME"]), job, moment.isoformat()]
    worker = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "DJANGO_SETTINGS_MODULE": "outreach.settings"})
    while model.objects.count() < rows:
        try:
            return worker.wait(0.02)
        except subprocess.TimeoutExpired:
            continue
    worker.send_signal(signal.SIGKILL)
    return worker.wait(60)


def test_a_killed_import_is_finished_by_the_next_worker() -> None:
    team, moment = a_team(), NOW
    a_member(team=team)
    rows = [f"Person,Nr{n},https://www.linkedin.com/in/p{n},,X,CEO," for n in range(PEOPLE)]
    queue_import(team=team, actor=None, file_name="Connections.csv", data=connections(*rows).encode(), now=moment)
    codes = []
    for chunks in (1, 3):
        codes.append(killed_after(chunks * CHUNK, job="import", model=Prospect, moment=moment))
        moment += LEASE + timedelta(seconds=1)
    lease = claim(now=moment)
    assert -signal.SIGKILL in codes
    assert lease is not None
    batch = work(lease=lease, clock=lambda: moment)
    assert (batch.state, batch.created, Prospect.objects.count()) == (ImportState.DONE, PEOPLE, PEOPLE)
    assert Evidence.objects.filter(kind="name").count() == PEOPLE
    assert ImportBatch.objects.count() == 1


def test_a_long_file_whose_worker_and_reader_are_killed_comes_to_the_same_as_undisturbed(tmp_path: Path) -> None:
    wide_csv.write(tmp_path / "wide.csv", rows=4_500)
    data = (tmp_path / "wide.csv").read_bytes()
    assert len(data) > APART
    disturbed, undisturbed = a_team(), a_team()
    queue_import(team=disturbed, actor=None, file_name="wide.csv", data=data, now=NOW)
    code = killed_after(2 * CHUNK, job="import", model=Prospect, moment=NOW)
    assert code == -signal.SIGKILL
    kept = ImportBatch.objects.get(team=disturbed)
    assert kept.state == ImportState.RUNNING
    assert 2 * CHUNK <= kept.rows_done < kept.rows == 4_500
    later = NOW + LEASE + timedelta(seconds=1)
    lease = claim(now=later)
    assert lease is not None
    resumed = work(lease=lease, clock=lambda: later)
    whole = imported(team=undisturbed, data=data, name="wide.csv")
    assert counts(resumed) == counts(whole) == (4_410, 0, 79, 11)
    assert resumed.skipped == whole.skipped
    assert known_of(disturbed) == known_of(undisturbed)


def test_mail_taken_in_again_after_a_kill_is_there_once_with_its_reading() -> None:
    team = a_team()
    codes = [killed_after(rows, job="ingest", model=RawMail, moment=NOW) for rows in (5, 25)]
    for number in range(60):
        ingest(team=team, raw=a_mail(number), source="imap", received_at=NOW, now=NOW)
    assert -signal.SIGKILL in codes
    assert RawMail.objects.count() == Reply.objects.count() == 60
    assert RawMail.objects.filter(reply__isnull=True).count() == 0
