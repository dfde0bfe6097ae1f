"""The embedded Valkey: a broker and cache in memory, on a Unix socket only. Standard library only."""

from __future__ import annotations

import signal
import socket
from dataclasses import dataclass
from pathlib import Path

from outreach.embedded.account import own
from outreach.embedded.launch import Account, Program
from outreach.embedded.layout import Layout, valkey_binary


@dataclass(frozen=True)
class Valkey:
    layout: Layout
    account: Account
    name: str = "Valkey"

    def prepare(self) -> None:
        own(self.layout.sockets, account=self.account)
        self.layout.valkey_socket.unlink(missing_ok=True)

    def program(self) -> Program:
        # Nothing is kept: the rows in PostgreSQL are the queue, and a sweep dispatches them again.
        command: list[str | Path] = [
            valkey_binary(),
            "--port",
            "0",
            "--unixsocket",
            self.layout.valkey_socket,
            "--unixsocketperm",
            "700",
        ]
        command += ["--save", "", "--appendonly", "no", "--dir", self.layout.sockets, "--daemonize", "no"]
        return Program(command, on_owner_death=signal.SIGTERM, account=self.account)

    def ready(self) -> bool:
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(2)
                connection.connect(str(self.layout.valkey_socket))
                connection.sendall(b"PING\r\n")
                return connection.recv(5) == b"+PONG"
        except OSError:
            return False

    def set_up(self) -> None:
        """Nothing to make."""
