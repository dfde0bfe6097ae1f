"""The whole product, started as `bin/run` starts it, on a data folder of its own."""

from __future__ import annotations

import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from outreach.embedded.layout import DATABASE, ROLE, Layout
from tests.services.running.processes import embedded_environment, named, python, until


@dataclass
class Product:
    data: Path
    port: int
    log: Path
    demo: bool = False
    process: subprocess.Popen[bytes] | None = None
    hits: dict[str, int] = field(default_factory=dict)

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}"

    def start(self) -> None:
        extra = () if self.demo else ("--no-demo",)
        command = [*python("outreach.scripts.run"), *extra, "--port", str(self.port)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, env=embedded_environment(self.data), stdout=log, stderr=log, cwd="/"
            )
        assert until(self.works, seconds=120), self.log.read_text()

    def works(self) -> bool:
        """Web, worker, beat and the mail server are there and the database answers."""
        there = all(named(self.data, text) for text in (" worker", "gunicorn", "beat", "catchall"))
        return there and self.ask("SELECT 1") == 1

    def announced(self) -> bool:
        return f"running at {self.address}" in self.log.read_text()

    def ask(self, question: str) -> int:
        """The number a query gives; 0 while the database is away."""
        with (
            suppress(psycopg.Error),
            psycopg.connect(
                host=str(Layout(self.data).sockets), user=ROLE, dbname=DATABASE, connect_timeout=5
            ) as connection,
        ):
            row = connection.execute(question).fetchone()
            return int(row[0]) if row else 0
        return 0

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(timeout=40)
