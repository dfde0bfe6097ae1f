"""The embedded PostgreSQL: made once, started on a Unix socket only. Standard library only."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

from outreach.embedded.account import own
from outreach.embedded.launch import Account, Program
from outreach.embedded.layout import DATABASE, POSTGRES_MAJOR, ROLE, EmbeddedError, Layout, postgres_binary

SUPERUSER = "postgres"
# A superuser would pass by the triggers that keep evidence and approvals immutable.
_SET_UP = f"""
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{ROLE}') THEN
    CREATE ROLE {ROLE} LOGIN CREATEDB;
  END IF;
END $$;
SELECT 'CREATE DATABASE {DATABASE} OWNER {ROLE}'
 WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = '{DATABASE}') \\gexec
"""  # noqa: S608  # made of constants
_STARTUP = b"user\0" + SUPERUSER.encode() + b"\0database\0postgres\0\0"
_PROTOCOL = 196608


@dataclass(frozen=True)
class Postgres:
    """`throwaway` gives up durability for speed, for the tests' own server."""

    layout: Layout
    account: Account
    throwaway: bool = False
    name: str = "PostgreSQL"

    def prepare(self) -> None:
        """Make the cluster where there is none; clear what a killed server left.

        Raises `EmbeddedError` for a cluster of another major version, or one that cannot be made.
        """
        own(self.layout.sockets, account=self.account)
        if not (self.layout.cluster / "PG_VERSION").exists():
            self._initialise()
        version = (self.layout.cluster / "PG_VERSION").read_text().strip()
        if version != POSTGRES_MAJOR:
            raise EmbeddedError(
                f"{self.layout.cluster} was made by PostgreSQL {version}, this version of Footnote brings {POSTGRES_MAJOR}. "
                f"Either dump it with the older release (pg_dump --host {self.layout.sockets} {DATABASE}) and restore the "
                "dump after moving the folder away, or move the folder away to start empty."
            )
        self._forget_dead_server()

    def program(self) -> Program:
        sockets = str(self.layout.sockets).replace('"', '""')
        options = {
            "listen_addresses": "",
            "unix_socket_directories": f'"{sockets}"',
            "unix_socket_permissions": "0700",
            "max_connections": "200",
            "timezone": "UTC",
            "log_timezone": "UTC",
        }
        if self.throwaway:
            options |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
        settings = [part for key, value in options.items() for part in ("-c", f"{key}={value}")]
        command: list[str | Path] = [postgres_binary("postgres"), "-D", self.layout.cluster, *settings]
        # SIGINT is PostgreSQL's fast shutdown.
        return Program(
            command,
            on_owner_death=signal.SIGINT,
            stop_signal=signal.SIGINT,
            account=self.account,
            environment=_environment(),
        )

    def ready(self) -> bool:
        """Whether a connection is accepted; asked with the first message of the wire protocol."""
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(2)
                connection.connect(str(self.layout.postgres_socket))
                connection.sendall(struct.pack("!ii", len(_STARTUP) + 8, _PROTOCOL) + _STARTUP)
                return connection.recv(1) == b"R"
        except OSError:
            return False

    def set_up(self) -> None:
        """Make the site's role and database; does nothing the second time.

        Raises `EmbeddedError` with PostgreSQL's own words.
        """
        command: list[str | Path] = [postgres_binary("psql"), "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1"]
        command += [f"--host={self.layout.sockets}", f"--username={SUPERUSER}", "--dbname=postgres"]
        self._finish(
            subprocess.run(command, input=_SET_UP.encode(), check=False, capture_output=True, env=_environment())
        )

    def _initialise(self) -> None:
        """Into a folder beside it, so that a killed attempt leaves no half cluster."""
        unfinished = self.layout.cluster.with_name("postgres.new")
        shutil.rmtree(unfinished, ignore_errors=True)
        if self.layout.cluster.exists():
            self._remove_empty(self.layout.cluster)
        own(unfinished, account=self.account)
        command: list[str | Path] = [
            postgres_binary("initdb"),
            "--pgdata",
            unfinished,
            f"--username={SUPERUSER}",
            "--auth=trust",
        ]
        command += ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        if self.throwaway:
            command.append("--no-sync")
        self._finish(
            subprocess.run(
                [*self.account.prefix, *map(str, command)],
                check=False,
                capture_output=True,
                env=_environment(),
                cwd="/",
                user=self.account.user,
                group=self.account.user,
                extra_groups=self.account.groups,
            )
        )
        unfinished.rename(self.layout.cluster)

    def _remove_empty(self, folder: Path) -> None:
        try:
            folder.rmdir()
        except OSError as error:
            raise EmbeddedError(
                f"{folder} holds files but no PostgreSQL cluster: move it away, or set FOOTNOTE_DATA."
            ) from error

    def _finish(self, result: subprocess.CompletedProcess[bytes]) -> None:
        if result.returncode != 0:
            words = (result.stderr or result.stdout).decode(errors="replace").strip()
            raise EmbeddedError(f"PostgreSQL could not be set up in {self.layout.cluster}: {words}")

    def _forget_dead_server(self) -> None:
        """Remove pid files whose process is gone or is another program by now.

        Only the holder of the keeper's lock comes here, so a living server of this cluster is one
        whose keeper was killed a moment ago; it is asked to stop, and the start is tried again.
        """
        for path in (self.layout.cluster / "postmaster.pid", self.layout.sockets / ".s.PGSQL.5432.lock"):
            pid = _first_number(path)
            if pid is None:
                continue
            if _is_postgres(pid):
                os.kill(pid, signal.SIGINT)
            else:
                path.unlink(missing_ok=True)


def _environment() -> dict[str, str]:
    """Ours, without what would point PostgreSQL's programs elsewhere or change their language."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PG", "LC_", "LANG"))}
    return kept | {"LC_ALL": "C"}


def _first_number(path: Path) -> int | None:
    try:
        return int(path.read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return None


def _is_postgres(pid: int) -> bool:
    if pid <= 1:
        return False
    if Path("/proc/self").exists():
        try:
            name = Path(f"/proc/{pid}/comm").read_text()
        except OSError:
            return False
    else:
        name = subprocess.run(["ps", "-o", "comm=", "-p", str(pid)], check=False, capture_output=True, text=True).stdout
    return Path(name.strip()).name.startswith("postgres")
