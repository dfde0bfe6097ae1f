"""`import_suppressions FILE… --team SLUG --list KIND`: opt-outs, customers or open opportunities from CSV or XLSX."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from prospects import suppression
from prospects.domain.suppression_file import ListKind

REFUSED, UNREADABLE = 1, 2


class Command(BaseCommand):
    help = "Put everybody a file names on the suppression list: opt-outs, customers or open opportunities."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument("--team", required=True, metavar="SLUG")
        parser.add_argument("--list", required=True, choices=list(ListKind), help="What list it is.")
        parser.add_argument("--reason", default="", help="Shown on the list instead of the kind of list.")
        parser.add_argument(
            "--replace", action="store_true", help="Lift what the last list of this kind named and this does not."
        )
        parser.add_argument("--json", action="store_true", help="One JSON object a file on standard output.")

    def handle(self, *args: Any, **options: Any) -> None:
        team = Team.objects.filter(slug=options["team"]).first()
        if team is None:
            raise CommandError(f"There is no team {options['team']}.", returncode=REFUSED)
        if options["replace"] and len(options["files"]) > 1:
            raise CommandError(
                "One file can replace the last list; several would replace each other.", returncode=REFUSED
            )
        status = max(self._take(Path(name), team, options) for name in options["files"])
        if status:
            sys.exit(status)

    def _take(self, path: Path, team: Team, options: dict[str, Any]) -> int:
        try:
            data = path.read_bytes()
        except OSError as error:
            self.stderr.write(f"{path}: {error.strerror}")
            return UNREADABLE
        taken = suppression.take_file(
            team=team, actor=None, file_name=path.name, data=data, kind=options["list"], reason=options["reason"],
            replace=options["replace"], now=timezone.now(),
        )  # fmt: skip
        if isinstance(taken, Refusal):
            self.stderr.write(f"{path}: {taken.message}")
            return UNREADABLE if taken.code == "unreadable" else REFUSED
        self._show(path, taken, as_json=options["json"])
        return 0

    def _show(self, path: Path, taken: suppression.Taken, *, as_json: bool) -> None:
        skipped = [{"row": entry.row, "reason": entry.reason} for entry in taken.skipped]
        if as_json:
            shown = {
                "file": str(path),
                "rows": taken.rows,
                "added": taken.added,
                "known": taken.known,
                "lifted": taken.lifted,
            }
            self.stdout.write(json.dumps({**shown, "skipped": skipped}, ensure_ascii=False))
            return
        self.stdout.write(f"{path}: {taken.rows} rows, {taken.added} added, {taken.known} known, {taken.lifted} lifted")
        for entry in skipped:
            self.stdout.write(f"  row {entry['row']}: {entry['reason']}")
