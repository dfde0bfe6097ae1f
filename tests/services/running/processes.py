"""Watching real processes from tests."""

import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parent.parent.parent.parent
SERVICES = ("DATABASE_URL", "BROKER_URL", "EMAIL_URL", "BASE_URL", "ALLOWED_HOSTS", "SECRET_KEY")


def until(condition: Callable[[], object], *, seconds: float = 60) -> bool:
    """Whether the condition comes true in time."""
    deadline = time.monotonic() + seconds
    pause = threading.Event()
    while not condition():
        if time.monotonic() > deadline:
            return False
        pause.wait(0.05)
    return True


def belonging_to(data: Path) -> list[psutil.Process]:
    """Every living process that was started for this data folder; its environment tells."""
    return [process for process, _ in _started_for(data)]


def named(data: Path, text: str) -> list[psutil.Process]:
    """Those whose command line holds the text."""
    return [process for process, command in _started_for(data) if text in command]


def _started_for(data: Path) -> list[tuple[psutil.Process, str]]:
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):  # it may end while it is looked at
            if process.status() != psutil.STATUS_ZOMBIE and process.environ().get("FOOTNOTE_DATA") == str(data):
                found.append((process, " ".join(process.cmdline())))
    return found


def embedded_environment(data: Path) -> dict[str, str]:
    """The environment of a command that uses embedded services in this folder."""
    kept = {key: value for key, value in os.environ.items() if key not in SERVICES and not key.startswith("COV")}
    return kept | {"FOOTNOTE_DATA": str(data), "PYTHONPATH": str(ROOT)}


def python(module: str) -> list[str]:
    return [sys.executable, "-P", "-m", module]
