"""Verify messages of a file against dossiers of a file. Needs no database."""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from messaging.verification import batch
from messaging.verification.scoring import Scores


class Command(BaseCommand):
    help = "Verify free-text messages against dossiers (JSON lines); prints findings and a summary."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dossiers", required=True, type=Path, help="file of dossiers")
        parser.add_argument("--messages", required=True, type=Path, help="file of messages")
        parser.add_argument("--json", action="store_true", help="one JSON object a line, the last is the summary")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            known = batch.dossiers(
                batch.objects(_read(options["dossiers"]), str(options["dossiers"])), str(options["dossiers"])
            )
            listed = batch.objects(_read(options["messages"]), str(options["messages"]))
            cases = list(batch.cases(listed, known, str(options["messages"])))
        except batch.UnreadableInput as error:
            raise CommandError(str(error), returncode=2) from error
        scores = Scores()
        unmatched = 0
        for case in cases:
            line = _checked(case)
            self._print(line, as_json=options["json"])
            if isinstance(case, batch.Case):
                scores.add(case.given, line)
            else:
                unmatched += 1
        summary = {**scores.summary(), "unmatched": unmatched}
        self._print({"summary": summary}, as_json=options["json"])
        if unmatched:
            raise CommandError(
                f"{unmatched} of {len(cases)} messages could not be checked; see their findings.", returncode=1
            )

    def _print(self, line: dict[str, Any], *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(line, ensure_ascii=False))
        elif "summary" in line:
            self.stdout.write(json.dumps(line["summary"], ensure_ascii=False, indent=2))
        else:
            self.stdout.write(f"{line['case_id']}: {line['verdict']}")
            for finding in line["findings"]:
                self.stdout.write(f"  {finding['kind']}: “{finding['span']}” {finding['reason']}")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise batch.UnreadableInput(f"{path}: not UTF-8 text (byte {error.start}); save it as UTF-8.") from error
    except OSError as error:
        raise batch.UnreadableInput(f"{path}: {error.strerror}.") from error


def _checked(case: batch.Case | batch.Unmatched) -> dict[str, Any]:
    if isinstance(case, batch.Unmatched):
        return batch.refused_line(case)
    begun = time.perf_counter()
    report = batch.check(case)
    return batch.line_of(case.case_id, report, (time.perf_counter() - begun) * 1000)
