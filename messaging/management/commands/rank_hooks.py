"""Stage 2 on a dossier file, without a database."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from messaging.hooks.domain.ranking import Hook
from messaging.hooks.queries import RankedDossier, UnreadableFile, rank_file

UNREADABLE = 2


def _as_json(hook: Hook) -> dict[str, object]:
    values = asdict(hook)
    del values["kind"]
    return {"evidence_id": values.pop("ref"), **values}


class Command(BaseCommand):
    help = "Ranks the conversation hooks of a dossier file, best first. Needs no database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dossier", required=True, metavar="FILE", help=".json or .jsonl in the dossier form")
        parser.add_argument("--json", action="store_true", help="one JSON object; one a line for several dossiers")

    def handle(self, *args: object, **options: object) -> None:
        path = Path(str(options["dossier"]))
        try:
            data = path.read_bytes()
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror or error}.", returncode=UNREADABLE) from error
        ranked = rank_file(data=data)
        if isinstance(ranked, UnreadableFile):
            raise CommandError(f"{path}: {ranked.message}", returncode=UNREADABLE)
        for one in ranked:
            if options["json"]:
                self._print_json(one, several=len(ranked) > 1)
            else:
                self._print_table(one)

    def _print_json(self, one: RankedDossier, *, several: bool) -> None:
        values: dict[str, object] = {"dossier_id": one.dossier_id} if several else {}
        values["hooks"] = [_as_json(hook) for hook in one.hooks]
        self.stdout.write(json.dumps(values, ensure_ascii=False))

    def _print_table(self, one: RankedDossier) -> None:
        self.stdout.write(one.dossier_id or "(no id)")
        for hook in one.hooks:
            self.stdout.write(f"  {hook.score:.3f}  {hook.layer:<12}  {hook.ref:<20}  {hook.reason}")
