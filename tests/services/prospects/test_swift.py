"""Rows settled many at once come to the same as each by itself; memory stays flat; a long file is read apart."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

from django.db import transaction

from outreach.teams.models import Team
from prospects.domain.formats.registry import read_upload
from prospects.domain.imported import Reading
from prospects.domain.parcels import parcel_of, unpacked
from prospects.domain.upload import Upload
from prospects.models import Evidence, ImportStep, Prospect
from prospects.services.absorbing import absorb, lock_team
from prospects.services.reading import APART
from prospects.services.swift import absorb_parcels
from tests import wide_csv
from tests.services.prospects.imports import NOW, counts, imported, known_of

ROOT = Path(__file__).parents[3]


def wide(folder: Path, rows: int) -> bytes:
    path = folder / "wide.csv"
    wide_csv.write(path, rows=rows)
    return path.read_bytes()


def reading_of(data: bytes) -> Reading:
    found = read_upload(Upload(file_name="wide.csv", data=data), today=NOW.date())
    assert isinstance(found, Reading)
    return found


def test_many_at_once_write_what_each_by_itself_writes(team: Team, other_team: Team, tmp_path: Path) -> None:
    people = reading_of(wide(tmp_path, 300)).people
    for written, swift in ((team, True), (other_team, False)):
        with transaction.atomic():
            lock_team(team=written)
            if swift:
                parcels = [parcel_of(person, None, cards=True) for person in people]
                done = absorb_parcels(team=written, batch=None, owner=None, parcels=parcels, now=NOW)
            else:
                done = absorb(team=written, batch=None, owner=None, people=people, now=NOW)
        assert (done.created, done.unchanged, len(done.prospect_ids)) == (294, 6, 294)
    assert known_of(team) == known_of(other_team)


def test_a_parcel_holds_the_whole_person(tmp_path: Path) -> None:
    people = reading_of(wide(tmp_path, 60)).people
    assert tuple(unpacked(parcel_of(person, None, cards=False).packed) for person in people) == people


def test_the_same_words_on_a_later_day_are_confirmed_at_once(team: Team, tmp_path: Path) -> None:
    data = wide(tmp_path, 100)
    imported(team=team, data=data, name="wide.csv")
    later = NOW + timedelta(days=30)
    again = imported(team=team, data=data + b"\n", name="wide.csv", now=later)
    assert counts(again) == (0, 0, 100, 0)
    current = Evidence.objects.filter(team=team, prospect__isnull=False)
    assert set(current.values_list("last_seen_at", flat=True)) == {later.date()}


def test_a_long_file_is_read_apart_with_the_same_result(team: Team, tmp_path: Path) -> None:
    data = wide(tmp_path, 4_500)
    assert len(data) > APART
    batch = imported(team=team, data=data, name="wide.csv")
    assert counts(batch) == (4_410, 0, 79, 11)
    assert sum(ImportStep.objects.filter(batch=batch).values_list("rows", flat=True)) == batch.rows == 4_500
    assert counts(imported(team=team, data=data, name="wide.csv")) == (0, 0, 4_489, 11)


def test_a_long_file_that_breaks_off_leaves_nothing_behind(team: Team, tmp_path: Path) -> None:
    data = wide(tmp_path, 4_500) + b'"Ada,never closed\n'
    batch = imported(team=team, data=data, name="wide.csv")
    assert "never closed" in batch.message
    assert not Prospect.objects.exists()


_MEASURE = """
import sys
from datetime import date
from pathlib import Path
from prospects.domain.formats.registry import stream_of
from prospects.domain.parcels import chunks_of
from prospects.domain.upload import Upload
def most():
    return int(next(l for l in Path("/proc/self/status").read_text().splitlines() if l.startswith("VmHWM")).split()[1]) / 1024
def read(path):
    stream = stream_of(Upload(file_name=path.name, opener=lambda: path.open("rb"), size=path.stat().st_size), today=date(2026, 12, 1))
    chunks = chunks_of(stream.outcomes(0), size=500, owner=None, cards=False, warnings=stream.warnings, told=0)
    return sum(chunk.rows for chunk in chunks)
rows = read(Path(sys.argv[1]))
before = most()
print(rows, read(Path(sys.argv[2])), most() - before)
"""


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    small, large = tmp_path / "small.csv", tmp_path / "large.csv"
    wide_csv.write(small, rows=8_000)
    data = small.read_bytes()
    header, _, body = data.partition(b"\n")
    large.write_bytes(header + b"\n" + body * 4)
    done = subprocess.run(
        [sys.executable, "-c", _MEASURE, str(small), str(large)], cwd=ROOT, check=True, capture_output=True, text=True
    )
    few, many, grown = done.stdout.split()
    assert (int(few), int(many)) == (8_000, 32_000)
    assert float(grown) < 8
