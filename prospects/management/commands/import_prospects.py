"""`import_prospects FILE… --team SLUG`: any supported file or archive, with the reasons for what was not used."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team, User
from prospects.models import ImportBatch, ImportState, Prospect
from prospects.services import import_bytes

REFUSED, UNREADABLE = 1, 2


@dataclass(frozen=True)
class Target:
    """Where the files go."""

    team: Team
    owner: User | None
    prospect: Prospect | None


class Command(BaseCommand):
    help = "Import prospects from files of any supported format."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument("--team", required=True, metavar="SLUG")
        parser.add_argument("--owner", metavar="EMAIL", help="The team mate whose LinkedIn archive it is.")
        parser.add_argument("--prospect", metavar="ID", help="The prospect whose own LinkedIn archive it is.")
        parser.add_argument("--json", action="store_true", help="One JSON object a file on standard output.")

    def handle(self, *args: Any, **options: Any) -> None:
        target = self._target(options)
        status = 0
        for name in options["files"]:
            status = max(status, self._import(Path(name), target, as_json=options["json"]))
        if status:
            sys.exit(status)

    def _target(self, options: dict[str, Any]) -> Target:
        team = Team.objects.filter(slug=options["team"]).first()
        if team is None:
            raise CommandError(f"There is no team {options['team']}.", returncode=REFUSED)
        owner = prospect = None
        if options["owner"]:
            owner = User.objects.filter(email__iexact=options["owner"]).first()
            if owner is None:
                raise CommandError(f"Nobody has the address {options['owner']}.", returncode=REFUSED)
        if options["prospect"]:
            number = options["prospect"]
            prospect = Prospect.objects.filter(team=team, pk=number).first() if str(number).isdecimal() else None
            if prospect is None:
                raise CommandError(f"The team {team.slug} has no prospect {number}.", returncode=REFUSED)
        return Target(team=team, owner=owner, prospect=prospect)

    def _import(self, path: Path, target: Target, *, as_json: bool) -> int:
        try:
            file = path.open("rb")
        except OSError as error:
            self.stderr.write(f"{path}: {error.strerror or error}. Check the name and whether you may read it.")
            return UNREADABLE
        with file:
            batch = import_bytes(
                team=target.team,
                actor=None,
                file_name=path.name,
                data=file,
                owner=target.owner,
                prospect=target.prospect,
                now=timezone.now(),
            )
        if isinstance(batch, Refusal):
            self.stderr.write(f"{path}: {batch.message}")
            return REFUSED
        self.stdout.write(json.dumps(report(path, batch), ensure_ascii=False) if as_json else words(path, batch))
        if batch.state == ImportState.REFUSED:
            self.stderr.write(f"{path}: {batch.message}")
            return UNREADABLE
        if batch.message:
            self.stderr.write(f"{path}: {batch.message}")
            return REFUSED
        return 0


def report(path: Path, batch: ImportBatch) -> dict[str, object]:
    warnings = [*batch.warnings, batch.message] if batch.state == ImportState.REFUSED else batch.warnings
    return {
        "file": str(path),
        "format": batch.format or None,
        "rows": batch.rows,
        "created": batch.created,
        "updated": batch.updated,
        "unchanged": batch.unchanged,
        "skipped": [{"row": entry["row"], "reason": _with_file(entry)} for entry in batch.skipped],
        "warnings": warnings,
        "prospects": batch.prospect_ids,
    }


def _with_file(entry: dict[str, Any]) -> str:
    """In an archive a row number says nothing without the file it is in."""
    member = str(entry.get("place", "")).rpartition(" › ")[2]
    return f"{member}: {entry['reason']}" if " › " in str(entry.get("place", "")) else str(entry["reason"])


def words(path: Path, batch: ImportBatch) -> str:
    if batch.state == ImportState.REFUSED:
        return f"{path}: not imported"
    counts = f"{batch.created} new, {batch.updated} updated, {batch.unchanged} unchanged, {batch.problems} not used"
    lines = [f"{path}: {batch.format}, {batch.rows} rows: {counts}"]
    lines += [f"  row {entry['row']}: {entry['reason']}" for entry in batch.skipped[:50]]
    lines += [f"  note: {warning}" for warning in batch.warnings[:50]]
    return "\n".join(lines)
