"""A task that a web process enqueues is done by a worker in another process."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

from outreach.scripts.processes import worker
from tests.services.running.processes import ROOT, until

# As a view does it, in a process that was started as gunicorn starts it: nothing but the WSGI application is loaded.
WEB_PROCESS = """
import outreach.wsgi
from celery import current_app
print(current_app.send_task("messaging.delivery.tasks.sweep_outbox").id)
"""


@pytest.fixture
def environment(transactional_db: None) -> dict[str, str]:
    """The processes see the test database."""
    address = os.environ["DATABASE_URL"].rpartition("/")[0]
    return {
        **os.environ,
        "DATABASE_URL": f"{address}/{connection.settings_dict['NAME']}",
        "PYTHONPATH": str(ROOT),
        "LOG_LEVEL": "DEBUG",
    }


@pytest.fixture
def log(environment: dict[str, str], tmp_path: Path) -> Iterator[Path]:
    """What a real worker logs; it lives as long as the test."""
    path = tmp_path / "worker.log"
    command = [sys.executable, "-P", *worker().command]
    with path.open("wb") as file, subprocess.Popen(command, env=environment, stdout=file, stderr=file) as process:
        yield path
        process.send_signal(signal.SIGTERM)


def test_a_task_enqueued_by_a_web_process_reaches_a_real_worker(environment: dict[str, str], log: Path) -> None:
    web = subprocess.run(
        [sys.executable, "-P", "-c", WEB_PROCESS], env=environment, capture_output=True, text=True, check=True
    )
    number = web.stdout.strip()
    assert until(lambda: f"[{number}] succeeded" in log.read_text()), log.read_text()
