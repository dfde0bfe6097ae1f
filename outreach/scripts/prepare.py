"""Making the database ready for use: migrations, and the demonstration team."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import django
from django.apps import apps
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

DEMO = "load_demo"
DEMO_TEAM = "demo"
_ONE_AT_A_TIME = 0x666F6F746E6F7465  # any number; the same in every process


def prepare_database(*, demo: bool) -> bool:
    """Migrate, and load the demonstration team if there is no team; several processes wait for each other.

    Returns whether the demonstration team is there.
    """
    django.setup()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [_ONE_AT_A_TIME])
        try:
            _migrate()
            teams = apps.get_model("teams", "Team").objects
            if demo and not teams.exists():
                call_command(DEMO, stdout=io.StringIO())
            return bool(teams.filter(slug=DEMO_TEAM).exists())
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [_ONE_AT_A_TIME])


def _migrate() -> None:
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", verbosity=0, interactive=False)


@contextmanager
def output_to_stderr() -> Iterator[None]:
    """Whatever is printed inside, by Python or below it, leaves standard output alone."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)


def main(arguments: list[str]) -> int:
    """For `bin/run`: prints what the demonstration says about its logins, each time."""
    demo = "--demo" in arguments
    try:
        with output_to_stderr():
            django.setup()
            call_command("check", stdout=io.StringIO())
            demonstrated = prepare_database(demo=demo)
    except SystemCheckError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except OperationalError as error:
        sys.stderr.write(f"The database does not answer ({error}). Check DATABASE_URL, and that the server is up.\n")
        return 1
    if demo and demonstrated:
        call_command(DEMO)  # it makes nothing twice, and says who may sign in
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
