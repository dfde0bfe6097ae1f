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
from outreach.embedded.launch import ONESELF
from outreach.embedded.layout import EmbeddedError, Layout

ROOT = Path(__file__).resolve().parent.parent.parent
JOIN_SECONDS = 90.0
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
    pause = threading.Event()
    keeper: subprocess.Popen[bytes] | None = None
    while time.monotonic() < deadline:
        connection = _connect(layout)
        answer = _answer(connection) if connection else {}
        if connection and answer.get("state") == "ready":
            return connection
        if answer.get("state") == "error":
            raise EmbeddedError(answer["message"])
        if keeper is None or keeper.poll() is not None:
            _complain_about(keeper, layout)
            keeper = _start_keeper(layout, throwaway=throwaway)
        pause.wait(0.02)
    raise EmbeddedError(f"The embedded services did not answer within {JOIN_SECONDS:.0f} seconds: see {layout.logs}.")


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
    except OSError:
        connection.close()
        return None
    return connection


def _answer(connection: socket.socket) -> dict[str, str]:
    """What the keeper says first; nothing when it ends before that."""
    connection.settimeout(JOIN_SECONDS)
    line = b""
    with suppress(OSError):
        while not line.endswith(b"\n"):
            part = connection.recv(4096)
            if not part:
                break
            line += part
    connection.settimeout(None)
    if line.endswith(b"\n"):
        answer: dict[str, str] = json.loads(line)
        return answer
    connection.close()
    return {}


def _start_keeper(layout: Layout, *, throwaway: bool) -> subprocess.Popen[bytes]:
    flags = ["--throwaway"] if throwaway else []
    with (layout.logs / "keeper.log").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "outreach.embedded.keeper", str(layout.data), *flags],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            cwd="/",
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )


def _complain_about(keeper: subprocess.Popen[bytes] | None, layout: Layout) -> None:
    """A keeper that failed before it could answer has left its reason in the log."""
    if keeper is not None and keeper.returncode not in {0, None}:
        lines = (layout.logs / "keeper.log").read_text(errors="replace").strip().splitlines()
        raise EmbeddedError(f"The embedded services cannot start: {lines[-1] if lines else 'no reason was given'}")
