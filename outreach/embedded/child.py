"""A process that is kept running: started, watched, restarted, stopped. Standard library only."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from outreach.embedded.launch import Program

BACKOFF_SECONDS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
SETTLED_SECONDS = 10.0
LARGE_LOG = 10_000_000


class Service(Protocol):
    @property
    def name(self) -> str: ...
    def prepare(self) -> None: ...
    def program(self) -> Program: ...
    def ready(self) -> bool: ...
    def set_up(self) -> None: ...


@dataclass
class Child:
    """One service and its process; restarted with growing pauses when it ends by itself."""

    service: Service
    log: IO[bytes]
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    failures: int = 0
    restart_at: float = 0.0
    usable: bool = False

    def tend(self, *, now: float) -> None:
        """Start it when it is due, notice its end, find out whether it can be used. Never blocks long."""
        if self.process is not None and self.process.poll() is not None:
            self._ended(now=now)
        if self.process is None and now >= self.restart_at:
            self.service.prepare()
            self.process = self.service.program().start(log=self.log)
            self.started_at = now
        if self.process is not None and not self.usable and self.service.ready():
            self.service.set_up()
            self.usable = True

    def signal(self, number: signal.Signals) -> None:
        if self.process is not None and self.process.poll() is None:
            with suppress(ProcessLookupError):
                self.process.send_signal(number)

    def _ended(self, *, now: float) -> None:
        self.failures = 0 if now - self.started_at > SETTLED_SECONDS else self.failures + 1
        self.restart_at = now + BACKOFF_SECONDS[min(self.failures, len(BACKOFF_SECONDS) - 1)]
        self.process, self.usable = None, False


def stop_all(children: Sequence[Child], *, seconds: float) -> None:
    """Ask each to stop in its own way, in the order given, and kill what does not within the time."""
    for child in children:
        child.signal(child.service.program().stop_signal)
    deadline = time.monotonic() + seconds
    for child in children:
        if child.process is not None:
            try:
                child.process.wait(timeout=max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.signal(signal.SIGKILL)
                child.process.wait()


def open_log(path: Path) -> IO[bytes]:
    """Appended to; what has grown large is put aside once, in place of the one put aside before."""
    if path.exists() and path.stat().st_size > LARGE_LOG:
        path.replace(path.with_suffix(".old.log"))
    return path.open("ab", buffering=0)


def last_words(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines()[-5:]
    return "It last said: " + " / ".join(lines) if lines else f"Its log {log} is empty."
