"""The process that keeps the embedded services alive while somebody uses them.

Every command that needs the services holds a connection to this process's socket. The kernel
closes it however the command ends, so that the count of users can never be wrong; the last one
to leave stops the services. If this process is killed, the services get their parent-death
signal, and the next user starts a new keeper. Standard library only.
"""

from __future__ import annotations

import fcntl
import json
import os
import selectors
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from outreach.embedded.account import choose_account, own
from outreach.embedded.child import Child, Service, last_words, open_log, stop_all
from outreach.embedded.launch import ONESELF
from outreach.embedded.layout import EmbeddedError, Layout
from outreach.embedded.postgres import Postgres
from outreach.embedded.valkey import Valkey

STARTUP_SECONDS = 90.0
FIRST_USER_SECONDS = 20.0
STOP_SECONDS = 20.0


@dataclass
class Keeper:
    layout: Layout
    children: list[Child]
    listener: socket.socket
    clock: Callable[[], float] = time.monotonic
    users: set[socket.socket] = field(default_factory=set)
    waiting: set[socket.socket] = field(default_factory=set)
    last: socket.socket | None = None
    ever_used: bool = False
    stopping: bool = False

    def serve(self) -> None:
        """Until the last user has left, or SIGTERM."""
        selector = selectors.DefaultSelector()
        selector.register(self.listener, selectors.EVENT_READ)
        deadline = self.clock() + STARTUP_SECONDS
        unused_until = self.clock() + FIRST_USER_SECONDS
        while not self.stopping and (self.users or (not self.ever_used and self.clock() < unused_until)):
            for child in self.children:
                child.tend(now=self.clock())
            if all(child.usable for child in self.children):
                deadline = self.clock() + STARTUP_SECONDS
                self._tell({"state": "ready"})
            elif self.clock() > deadline:
                raise EmbeddedError(self._excuse())
            for key, _ in selector.select(timeout=0.25 if not self.waiting else 0.02):
                self._attend(key.fileobj, selector)

    def _attend(self, source: object, selector: selectors.BaseSelector) -> None:
        if source is self.listener:
            newcomer, _ = self.listener.accept()
            selector.register(newcomer, selectors.EVENT_READ)
        elif isinstance(source, socket.socket):
            if self._has_left(source):
                selector.unregister(source)
                self._let_go(source)
            elif source not in self.users:  # it has said what it wants; who only looks whether we are there does not
                self.users.add(source)
                self.waiting.add(source)
                self.ever_used = True

    def _let_go(self, user: socket.socket) -> None:
        """The last one's connection stays open to the end: it waits for that, and must find everything stopped."""
        self.waiting.discard(user)
        if self.users == {user}:
            self.last = user
        else:
            user.close()
        self.users.discard(user)

    def _has_left(self, user: socket.socket) -> bool:
        try:
            return user.recv(64) == b""
        except OSError:
            return True

    def _tell(self, message: dict[str, str]) -> None:
        for user in self.waiting:
            with suppress(OSError):
                user.sendall(json.dumps(message).encode() + b"\n")
        self.waiting.clear()

    def refuse(self, message: str) -> None:
        self.waiting |= self.users
        self._tell({"state": "error", "message": message})

    def _excuse(self) -> str:
        late = [child for child in self.children if not child.usable]
        names = " and ".join(child.service.name for child in late)
        return f"{names} did not start within {STARTUP_SECONDS:.0f} seconds. {last_words(Path(late[0].log.name))}"


def _take_lock(layout: Layout) -> IO[bytes] | None:
    """The lock of the data folder, or nothing when another keeper serves it. Waits for one that is stopping."""
    lock = layout.keeper_lock.open("ab")
    pause = threading.Event()
    for _ in range(int(STOP_SECONDS * 10) + 50):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if answers(layout):
                return None
            pause.wait(0.1)
        else:
            lock.truncate(0)
            lock.write(f"{os.getpid()}\n".encode())
            lock.flush()
            return lock
    return None


def answers(layout: Layout) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(layout.keeper_socket)) == 0


def _listen(layout: Layout) -> socket.socket:
    own(layout.keeper_socket.parent, account=ONESELF)
    layout.keeper_socket.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(layout.keeper_socket))
    listener.listen(64)
    return listener


def main(data: str, *flags: str) -> int:
    if os.fork():
        return 0
    layout = Layout(Path(data))
    os.umask(0o077)
    lock = _take_lock(layout)
    if lock is None:
        return 0
    keeper = Keeper(layout=layout, children=[], listener=_listen(layout))
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: setattr(keeper, "stopping", True))
    status = 0
    try:
        account = choose_account(layout=layout)
        services: list[Service] = [
            Postgres(layout=layout, account=account, throwaway="--throwaway" in flags),
            Valkey(layout=layout, account=account),
        ]
        keeper.children = [
            Child(service, open_log(layout.logs / f"{service.name.lower()}.log")) for service in services
        ]
        keeper.serve()
    except (EmbeddedError, OSError) as error:
        status = 1
        sys.stderr.write(f"{error}\n")
        _greet_latecomers(keeper)
        keeper.refuse(str(error))
    # From here on a newcomer finds no socket, starts a keeper, and that one waits for the lock.
    layout.keeper_socket.unlink(missing_ok=True)
    keeper.listener.close()
    stop_all(keeper.children, seconds=STOP_SECONDS)
    for folder in (layout.sockets, layout.keeper_socket.parent):
        with suppress(OSError):
            folder.rmdir()
    return status


def _greet_latecomers(keeper: Keeper) -> None:
    """Whoever is about to connect must hear the reason too."""
    keeper.listener.settimeout(1.0)
    with suppress(OSError):
        if not keeper.users:
            keeper.users.add(keeper.listener.accept()[0])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
