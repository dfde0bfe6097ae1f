"""How a command uses the embedded services: it joins their users, and leaves. Standard library only."""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from outreach.embedded.account import own
from outreach.embedded.child import last_words
from outreach.embedded.launch import ONESELF
from outreach.embedded.layout import EmbeddedError, Layout

ROOT = Path(__file__).resolve().parent.parent.parent
JOIN_SECONDS = 150.0
RESTART_SECONDS = 5.0
LEAVE_SECONDS = 30.0


@contextmanager
def embedded_services(layout: Layout, *, throwaway: bool = False) -> Iterator[None]:
    """The services run inside this block; they stop after it unless somebody else uses them.

    Raises `EmbeddedError` with what to do when they cannot be had.
    """
    connection = join(layout, throwaway=throwaway)
    try:
        yield
    finally:
        leave(connection)


def join(layout: Layout, *, throwaway: bool = False) -> socket.socket:
    """Become a user. The connection ends when the keeper dies: join again."""
    make_data_folder(layout)
    deadline = time.monotonic() + JOIN_SECONDS
    start_at = 0.0
    pause = threading.Event()
    while time.monotonic() < deadline:
        connection = _connect(layout)
        if connection and _is_ready(connection):
            return connection
        if connection:  # that keeper was just stopping
            start_at = 0.0
        if time.monotonic() >= start_at:
            _start_keeper(layout, throwaway=throwaway)
            start_at = time.monotonic() + RESTART_SECONDS
        pause.wait(0.02)
    log = layout.logs / "keeper.log"
    raise EmbeddedError(f"The embedded services did not come up within {JOIN_SECONDS:.0f} seconds. {last_words(log)}")


def leave(connection: socket.socket) -> None:
    """Stop being a user; the last one returns when everything is stopped."""
    with suppress(OSError):
        connection.settimeout(LEAVE_SECONDS)
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(256):
            pass
    connection.close()


def make_data_folder(layout: Layout) -> None:
    try:
        layout.data.mkdir(parents=True, exist_ok=True)
        layout.logs.mkdir(exist_ok=True)
        if not os.access(layout.data, os.W_OK):
            raise PermissionError(f"no write access to {layout.data}")
        own(layout.keeper_socket.parent, account=ONESELF)
        _make_secret(layout)
    except OSError as error:
        raise EmbeddedError(
            f"The data folder {layout.data} cannot be used ({error}): set FOOTNOTE_DATA to a folder that you may write to."
        ) from error


def _make_secret(layout: Layout) -> None:
    try:
        handle = os.open(layout.data / "secret_key", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    with os.fdopen(handle, "w") as file:
        file.write(secrets.token_urlsafe(64))


def _connect(layout: Layout) -> socket.socket | None:
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(str(layout.keeper_socket))
        connection.sendall(b"use\n")
    except OSError:
        connection.close()
        return None
    return connection


def _is_ready(connection: socket.socket) -> bool:
    """What the keeper says first; it may also end before that, as one that was just stopping.

    Raises `EmbeddedError` with the keeper's reason why the services cannot be had.
    """
    connection.settimeout(JOIN_SECONDS)
    line = b""
    with suppress(OSError):
        while not line.endswith(b"\n") and (part := connection.recv(4096)):
            line += part
    connection.settimeout(None)
    answer = json.loads(line) if line.endswith(b"\n") else {}
    if answer.get("state") == "ready":
        return True
    connection.close()
    if "message" in answer:
        raise EmbeddedError(answer["message"])
    return False


def _start_keeper(layout: Layout, *, throwaway: bool) -> None:
    """It goes into the background by itself: it belongs to nobody, as it may outlive whoever came first."""
    flags = ["--throwaway"] if throwaway else []
    with (layout.logs / "keeper.log").open("ab") as log:
        subprocess.run(
            [sys.executable, "-P", "-m", "outreach.embedded.keeper", str(layout.data), *flags],
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            cwd="/",
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
