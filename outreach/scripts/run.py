"""`bin/run`: the whole product on this machine, under one supervisor.

Web, worker, beat and the catch-all mail server are children that cannot outlive this process and
are restarted when they end; the database and the broker belong to the keeper, which this process
uses like any other command.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import select
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType

from outreach.embedded.child import Child, last_words, open_log, stop_all
from outreach.embedded.client import ROOT, join, leave, make_data_folder
from outreach.embedded.layout import EmbeddedError, Layout
from outreach.scripts.manage import data_layout, uses_embedded_services
from outreach.scripts.processes import Process, beat, catchall, has_command, web, worker

DEFAULT_PORT = 8000
STOP_SECONDS = 15.0
START_SECONDS = 120.0
ATTEMPTS = 3


class Refused(Exception):
    """It cannot run; the message says what to do."""


@dataclass
class Stop:
    """Set by a signal; the loop looks at it."""

    asked: bool = False

    def ask(self, _number: int, _frame: FrameType | None) -> None:
        self.asked = True


@dataclass
class Supervisor:
    layout: Layout
    children: list[Child]
    connection: socket.socket | None
    stop: Stop = field(default_factory=Stop)

    def run(self, *, announcement: str) -> None:
        """Until a signal asks to stop. Announces once, when every child can be used."""
        clock = _Clock()
        announced = False
        while not self.stop.asked:
            for child in self.children:
                child.tend(now=clock())
            if not announced and all(child.usable for child in self.children):
                sys.stdout.write(announcement)
                sys.stdout.flush()
                announced = True
            if not announced and (clock() > START_SECONDS or any(child.failures > ATTEMPTS for child in self.children)):
                raise Refused(self._excuse())
            self._watch_keeper(seconds=0.5 if announced else 0.05)

    def _watch_keeper(self, *, seconds: float) -> None:
        """Wait a moment; when the keeper is gone, the services are too: have them started again."""
        if self.connection is None:
            select.select([], [], [], seconds)
            return
        readable, _, _ = select.select([self.connection], [], [], seconds)
        if readable and not self.connection.recv(256):
            self.connection.close()
            self.connection = join(self.layout)

    def _excuse(self) -> str:
        late = max(self.children, key=lambda child: (not child.usable, child.failures))
        return f"The {late.service.name} process does not start. {last_words(Path(late.log.name))}"


class _Clock:
    """Seconds since it was made."""

    def __init__(self) -> None:
        self._start = os.times().elapsed

    def __call__(self) -> float:
        return os.times().elapsed - self._start


def arguments_of(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="bin/run", description="Run Footnote on this machine, with everything it needs."
    )
    parser.add_argument(
        "--port", type=int, help=f"port of the web server (default {DEFAULT_PORT}, or the next free one)"
    )
    parser.add_argument("--no-demo", action="store_true", help="do not load the demonstration team")
    return parser.parse_args(arguments)


def open_port(wanted: int | None) -> socket.socket:
    """Listen on the wanted port, or on the first free one from the default on.

    It is held from here on: two clones that start at once would otherwise find the same port free.
    Raises `Refused` when the wanted one is taken or cannot be used.
    """
    if wanted is not None:
        listener = _listen(wanted)
        if isinstance(listener, str):
            raise Refused(
                f"Port {wanted} cannot be used ({listener}): stop what listens there, or choose another with --port."
            )
        return listener
    for port in range(DEFAULT_PORT, DEFAULT_PORT + 50):
        listener = _listen(port)
        if not isinstance(listener, str):
            return listener
    raise Refused(f"Ports {DEFAULT_PORT} to {DEFAULT_PORT + 49} are all taken: choose one with --port.")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number: int = probe.getsockname()[1]
        return number


def _listen(port: int) -> socket.socket | str:
    """The listening socket, or why there can be none."""
    listener = socket.socket()
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(128)
    except (OSError, OverflowError) as error:
        listener.close()
        return getattr(error, "strerror", None) or str(error)
    return listener


def _is_free(port: int) -> bool:
    listener = _listen(port)
    if isinstance(listener, str):
        return False
    listener.close()
    return True


def take_run_lock(layout: Layout) -> int:
    """One supervisor for each data folder. The lock file holds its address, for whoever comes second."""
    handle = os.open(layout.run_lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        where = os.read(handle, 256).decode() or "and is just starting"
        os.close(handle)
        raise Refused(
            f"Footnote is already running for {layout.data}: {where}. Stop it there with Ctrl-C first."
        ) from None
    os.ftruncate(handle, 0)
    return handle


def settle_catchall_port(layout: Layout) -> None:
    """The port of the catch-all stays the same from start to start as long as nobody else takes it."""
    if not (layout.data / "catchall_port").exists() or not _is_free(layout.catchall_port()):
        (layout.data / "catchall_port").write_text(str(free_port()))


def prepare(*, demo: bool) -> str:
    """Migrations and the demonstration team, in a process of its own. Returns what it says about logins."""
    command = [sys.executable, "-P", "-m", "outreach.scripts.prepare", *(["--demo"] if demo else [])]
    done = subprocess.run(
        command, check=False, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    if done.returncode != 0:
        raise Refused("Footnote cannot start; the reason is above.")
    return done.stdout


def children_of(*, layout: Layout, listener: socket.socket) -> list[Child]:
    processes: list[Process] = [web(layout=layout, listener=listener), worker(), beat(layout=layout)]
    # Only where no other mail server is named: the demonstration must not catch real mail.
    if uses_embedded_services() and not os.environ.get("EMAIL_URL") and has_command("catchall"):
        processes.append(catchall(layout=layout))
    return [Child(replace(process), open_log(layout.logs / f"{process.name}.log")) for process in processes]


def run(options: argparse.Namespace) -> None:
    layout = data_layout()
    make_data_folder(layout)
    lock = take_run_lock(layout)
    listener = open_port(options.port)
    address = f"http://localhost:{listener.getsockname()[1]}"
    os.environ.setdefault("BASE_URL", address)
    os.write(lock, f"{address} (process {os.getpid()})".encode())
    stop = Stop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop.ask)  # also where a background job inherited it as ignored
    supervisor = Supervisor(layout, [], None, stop)
    try:
        if uses_embedded_services():
            settle_catchall_port(layout)
            supervisor.connection = join(layout)
        logins = prepare(demo=uses_embedded_services() and not options.no_demo)
        supervisor.children = children_of(layout=layout, listener=listener)
        supervisor.run(announcement=f"\nFootnote is running at {address}\n{logins}\nPress Ctrl-C to stop.\n")
    finally:
        sys.stderr.write("Stopping …\n")
        listener.close()
        stop_all(supervisor.children, seconds=STOP_SECONDS)
        if supervisor.connection is not None:
            leave(supervisor.connection)
        with suppress(OSError):
            os.close(lock)


def main(arguments: list[str]) -> int:
    try:
        run(arguments_of(arguments))
    except (EmbeddedError, Refused) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
