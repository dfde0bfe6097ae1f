"""`bin/manage`: a Django command, with all it needs made ready before and stopped after."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import ExitStack, suppress
from pathlib import Path

from django.core.management import execute_from_command_line
from django.db import OperationalError

from outreach.embedded.client import ROOT, embedded_services
from outreach.embedded.layout import EmbeddedError, Layout
from outreach.scripts.prepare import output_to_stderr, prepare_database


def data_layout() -> Layout:
    """The data folder, made absolute for every process that is started from here: they run in other folders."""
    data = Path(os.environ.get("FOOTNOTE_DATA") or ROOT / "var").absolute()
    os.environ["FOOTNOTE_DATA"] = str(data)
    return Layout(data)


def uses_embedded_services() -> bool:
    return not os.environ.get("DATABASE_URL", "").strip()


def address_of_run(layout: Layout) -> str:
    """Where people open the `bin/run` of this data folder, for links that a command prints; "" while none runs."""
    try:
        address, number = layout.run_lock.read_text(encoding="ascii").rstrip(")").split(" (process ")
        process = int(number)
    except (OSError, ValueError):
        return ""
    with suppress(PermissionError):  # somebody else's process, but alive
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return ""
    return address


def main(arguments: list[str]) -> int:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job inherits it as ignored
    with ExitStack() as stack:
        try:
            # Somebody else's database is migrated by whoever deploys, and never gets a demonstration.
            if uses_embedded_services():
                if address := address_of_run(data_layout()):
                    os.environ.setdefault("BASE_URL", address)
                stack.enter_context(embedded_services(data_layout()))
                with output_to_stderr():
                    prepare_database(demo=True)
            execute_from_command_line(["manage.py", *arguments])
        except EmbeddedError as error:
            sys.stderr.write(f"{error}\n")
            return 1
        except OperationalError as error:
            sys.stderr.write(
                f"The database does not answer ({error}). Check DATABASE_URL, and that the server is up.\n"
            )
            return 1
        except KeyboardInterrupt:
            return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
