"""Check the promises and every invariant over the whole database."""

from __future__ import annotations

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from messaging.delivery import invariants as delivery
from messaging.replies import invariants as replies
from messaging.writing import invariants as writing
from outreach.campaigns import invariants as campaigns
from outreach.teams import invariants as teams
from outreach.teams.domain.invariants import Invariant
from prospects import invariants as prospects

BROKEN = 1
#: Every room that declares invariants.
ROOMS = (writing, teams, campaigns, prospects, delivery, replies)


def every_invariant() -> tuple[Invariant, ...]:
    return tuple(invariant for room in ROOMS for invariant in room.invariants())


class Command(BaseCommand):
    help = "Check every invariant over the whole database; exits with 1 where one is broken."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="One JSON object.")

    def handle(self, *args: Any, **options: Any) -> None:
        checked: dict[str, int] = {}
        violations: list[dict[str, object]] = []
        for invariant in every_invariant():
            checked[invariant.name] = invariant.rows()
            violations += [
                {"invariant": invariant.name, "id": broken.id, "detail": broken.detail} for broken in invariant.broken()
            ]
        if options["json"]:
            self.stdout.write(json.dumps({"checked": checked, "violations": violations}, ensure_ascii=False))
        else:
            for name, rows in checked.items():
                self.stdout.write(f"{name}: {rows} rows")
            for violation in violations:
                self.stdout.write(f"BROKEN {violation['invariant']} {violation['id']}: {violation['detail']}")
        if violations:
            self.stderr.write(f"{len(violations)} violations.")
            sys.exit(BROKEN)
