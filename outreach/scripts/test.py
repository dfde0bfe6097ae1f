"""`bin/test`: the lint, then pytest on a database and broker of its own."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

from outreach.embedded.client import ROOT, embedded_services
from outreach.embedded.layout import DATABASE, ROLE, EmbeddedError, Layout
from outreach.scripts import lint

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def main(arguments: list[str]) -> int:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    chosen = [argument for argument in arguments if argument != "--full"]
    full = len(chosen) != len(arguments)
    if not chosen:
        browser = find_browser() or install_browser()
        if browser is None:
            return 1
        if status := lint.main([]):
            return status
    selection = [] if full or "-m" in chosen else ["-m", "not slow"]
    try:
        return run_pytest([*selection, *chosen])
    except EmbeddedError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except KeyboardInterrupt:
        return 130


def run_pytest(arguments: list[str]) -> int:
    """Two runs on one server would destroy each other's test database, so that each has its own."""
    folder = Path(tempfile.mkdtemp(prefix="footnote-test-"))
    try:
        layout = Layout(folder)
        with embedded_services(layout, throwaway=True):
            command = [sys.executable, "-P", "-m", "pytest", *arguments]
            return subprocess.run(command, check=False, env=environment(layout), cwd=ROOT).returncode
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def environment(layout: Layout) -> dict[str, str]:
    """External services as far as the settings are concerned; nothing of the developer's own leaks in."""
    ours = {
        key: value for key, value in os.environ.items() if not key.startswith(("OPENAI_", "EMAIL_", "FOOTNOTE_DATA"))
    }
    return ours | {
        "DATABASE_URL": f"postgres://{ROLE}@{quote(str(layout.sockets), safe='')}:5432/{DATABASE}",
        "BROKER_URL": layout.broker_url(),
        "EMAIL_URL": "smtp://127.0.0.1:1025",
        "BASE_URL": "http://testserver",
        "ALLOWED_HOSTS": "testserver,localhost,127.0.0.1",
        "SECRET_KEY": secrets.token_urlsafe(48),
        "FOOTNOTE_DATA": str(layout.data),
        "DJANGO_SETTINGS_MODULE": "outreach.settings",
        "DJANGO_ALLOW_ASYNC_UNSAFE": "true",  # the browser's driver runs an event loop in the test's thread
        "PYTHONPATH": str(ROOT),
    }


def find_browser() -> str | None:
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def install_browser() -> str | None:
    """Debian's Chromium where we may install it; otherwise say what is missing."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        sys.stderr.write("Installing Chromium for the browser journeys …\n")
        quiet = {"stdout": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}
        subprocess.run(["apt-get", "update", "-q"], check=False, **quiet)  # type: ignore[call-overload]
        command = ["apt-get", "install", "-y", "-q", "--no-install-recommends", "chromium"]
        subprocess.run(command, check=False, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, **quiet)  # type: ignore[call-overload]
    if (browser := find_browser()) is None:
        sys.stderr.write(
            "The browser journeys need Chromium or Chrome, and none was found. Install it (Debian: apt install chromium; "
            "macOS: brew install --cask google-chrome), or run the rest: bin/test tests --ignore=tests/journeys\n"
        )
    return browser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
