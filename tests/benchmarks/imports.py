"""Importing a wide CSV, validated, deduplicated, with all evidence rows and every trigger on, by the worker's own service.

The baseline is a raw COPY, in the same run, of the same database rows into the same tables with the same indexes,
constraints and triggers, emptied before. The same file is imported a second time. Memory is that of the importing
process and of the one that reads beside it, over what the importing process has after a file of a few rows.
Speeds are those of the clock, which what else the machine does slows down; those named after processors count the
seconds of all processors that worked on it, the database's included, instead.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

import django
from django.db import connection

from tests import wide_csv

ROOT = Path(__file__).parents[2]
SIZES = (20_000, 200_000)
#: In the order in which they refer to each other.
TABLES = (
    "prospects_company", "prospects_prospect", "prospects_importbatch", "prospects_importstep", "prospects_identitykey",
    "prospects_evidence",
)  # fmt: skip
_MEGABYTE = 1 << 20


def run(size: int = 0) -> Iterator[dict[str, Any]]:
    """For each size (or the one asked for): rows a second, both runs against each other, memory."""
    django.setup()
    for rows in (size,) if size else SIZES:
        with tempfile.TemporaryDirectory(prefix="footnote-bench-imports-") as folder:
            path = Path(folder) / "wide.csv"
            wide_csv.write(path, rows=rows)
            first = _in_own_process(path)
            copied = _copied(Path(folder))
            again = _in_own_process(path)
            raw = _copy_in(Path(folder))
        what = f"{rows} rows of {len(wide_csv.HEADER)} columns, {sum(copied.values())} database rows"
        if (again["created"], again["updated"]) != (0, 0):
            raise RuntimeError(f"The same file again changed something: {again}")
        yield _line("imports, first time", rows / first["seconds"], rows / raw["seconds"], "rows/s", what)
        yield _line("imports, processors first time", rows / first["worked"], rows / raw["worked"], "rows/s", what)
        yield _line("imports, the same file again", rows / again["seconds"], rows / first["seconds"], "rows/s", what)
        yield _line("imports, memory over base", first["over"], first["base"], "MB", what)


def _in_own_process(path: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "tests.benchmarks.imports", str(path)]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    measured: dict[str, float] = json.loads(done.stdout)
    return measured


def _import(path: Path) -> None:
    """What the process does that is measured: a few rows first, which load everything, then the file."""
    django.setup()
    from django.utils import timezone

    from outreach.teams.models import Team
    from prospects.services import import_bytes

    def imported(team: Team, data: Any) -> Any:
        return import_bytes(team=team, actor=None, file_name="wide.csv", data=data, now=timezone.now())

    few = path.with_name("few.csv")
    wide_csv.write(few, rows=40)
    imported(Team.objects.get_or_create(slug="warm", name="Warm")[0], few.read_bytes())
    base = _resident("self", "VmRSS")
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    team = Team.objects.get_or_create(slug="bench", name="Bench")[0]
    readers = _Readers()
    server = _server_seconds()
    begun, worked = time.perf_counter(), _own_seconds()
    with path.open("rb") as file:
        batch = imported(team, file)
    seconds, worked = time.perf_counter() - begun, _own_seconds() - worked
    measured = {
        "seconds": seconds,
        "worked": worked + _server_seconds() - server,
        "base": base,
        "over": max(0.0, _resident("self", "VmHWM") - base) + readers.most(),
        "created": batch.created,
        "updated": batch.updated,
    }
    json.dump(measured, sys.stdout)


class _Readers(Thread):
    """Looks after the memory of the processes that are started."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._most, self._done = 0.0, Event()
        self.start()

    def run(self) -> None:
        while not self._done.wait(0.1):
            for children in Path("/proc/self/task").glob("*/children"):
                with suppress(OSError, StopIteration):
                    pids = children.read_text(encoding="ascii").split()
                    self._most = max([self._most, *(_resident(pid, "VmHWM") for pid in pids)])

    def most(self) -> float:
        """Megabytes of the largest, all of it."""
        self._done.set()
        self.join()
        return self._most


def _own_seconds() -> float:
    """Processor seconds of this process and of those that it started and that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _server_seconds() -> float:
    """Processor seconds of the database's process behind this connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        fields = Path(f"/proc/{cursor.fetchone()[0]}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _resident(process: str, name: str) -> float:
    """Megabytes."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    return int(next(line for line in lines if line.startswith(name)).split()[1]) / 1024


def _copied(folder: Path) -> dict[str, int]:
    """The rows as COPY gives them, in a file for each table. How many there are."""
    counts = {}
    with connection.cursor() as cursor:
        for table in TABLES:
            with (folder / table).open("wb") as file, cursor.copy(f"COPY {table} TO STDOUT") as copy:
                for data in copy:
                    file.write(data)
            counts[table] = cursor.rowcount
    return counts


def _copy_in(folder: Path) -> dict[str, float]:
    """Seconds of the clock and of processors for the same rows."""
    empty = f"TRUNCATE {', '.join(TABLES)} CASCADE"
    with connection.cursor() as cursor:
        cursor.execute("SET footnote.truncate = 'tests'")
        cursor.execute(empty)
        server = _server_seconds()
        begun, worked = time.perf_counter(), _own_seconds()
        for table in TABLES:
            with (folder / table).open("rb") as file, cursor.copy(f"COPY {table} FROM STDIN") as copy:
                while data := file.read(_MEGABYTE):
                    copy.write(data)
        seconds, worked = time.perf_counter() - begun, _own_seconds() - worked
        worked += _server_seconds() - server
        cursor.execute(empty)
    return {"seconds": seconds, "worked": worked}


def _line(name: str, value: float, baseline: float, unit: str, size: str) -> dict[str, Any]:
    ratio = round(value / baseline, 4) if baseline else 0.0
    return {
        "name": name, "value": round(value, 1), "baseline": round(baseline, 1), "ratio": ratio, "unit": unit, "size": size,
    }  # fmt: skip


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "outreach.settings")
    _import(Path(sys.argv[1]))
