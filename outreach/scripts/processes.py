"""The processes of the product, as the supervisor starts them."""

from __future__ import annotations

import os
import signal
import socket
import sys
from dataclasses import dataclass

from django.core.management import find_commands

from outreach.embedded.client import ROOT
from outreach.embedded.launch import Program
from outreach.embedded.layout import Layout

COMMAND_FOLDERS = ("outreach/home", "outreach/teams", "outreach/campaigns", "prospects", "messaging", "analytics")
WORKER_THREADS = 4


@dataclass(frozen=True)
class Process:
    """A Python module with its arguments. `port`: it can be used once somebody answers there to `greeting`."""

    name: str
    command: tuple[str, ...]
    on_owner_death: signal.Signals
    port: int | None = None
    greeting: bytes = b""
    inherited: tuple[int, ...] = ()

    def prepare(self) -> None:
        """Nothing to make."""

    def program(self) -> Program:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "DJANGO_SETTINGS_MODULE": "outreach.settings"}
        return Program(
            (sys.executable, "-P", *self.command),
            on_owner_death=self.on_owner_death,
            environment=environment,
            inherited=self.inherited,
        )

    def ready(self) -> bool:
        """Whether it says something; a port of ours accepts connections before anybody serves them."""
        if self.port is None:
            return True
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as probe:
                probe.sendall(self.greeting)
                return probe.recv(1) != b""
        except OSError:
            return False

    def set_up(self) -> None:
        """Nothing to make."""


def web(*, layout: Layout, listener: socket.socket) -> Process:
    """gunicorn with threads, on a socket that is listening already; its own workers notice when it is killed."""
    options = ["--bind", f"fd://{listener.fileno()}", "--worker-class", "gthread", "--workers", "2", "--threads", "8"]
    options += ["--graceful-timeout", "5", "--keep-alive", "15"]
    options += ["--worker-tmp-dir", str(layout.data), "--no-control-socket"]
    return Process(
        "web",
        ("-m", "gunicorn", "outreach.wsgi", *options),
        signal.SIGTERM,
        port=listener.getsockname()[1],
        greeting=b"GET /accounts/login/ HTTP/1.0\r\nHost: localhost\r\n\r\n",
        inherited=(listener.fileno(),),
    )


def worker() -> Process:
    """One Celery worker with threads. It dies at once with its owner: the rows are the queue."""
    options = ["worker", "--pool", "threads", "--concurrency", str(WORKER_THREADS), "--loglevel", "INFO"]
    options += ["--without-gossip", "--without-mingle"]
    return Process("worker", ("-m", "celery", "--app", "outreach.celery", *options), signal.SIGKILL)


def beat(*, layout: Layout) -> Process:
    options = ["beat", "--schedule", str(layout.data / "beat-schedule"), "--pidfile", "", "--loglevel", "WARNING"]
    return Process("beat", ("-m", "celery", "--app", "outreach.celery", *options), signal.SIGKILL)


def catchall(*, layout: Layout) -> Process:
    port = layout.catchall_port()
    return Process("catchall", (str(ROOT / "manage.py"), "catchall", "--port", str(port)), signal.SIGKILL, port)


def has_command(name: str) -> bool:
    """Whether a room brings this management command; found by its file, without loading Django."""
    return any(name in find_commands(str(ROOT / folder / "management")) for folder in COMMAND_FOLDERS)
