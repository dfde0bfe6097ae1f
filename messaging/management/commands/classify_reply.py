"""Read raw mail or JSON lines of replies, without a database."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from messaging.replies.domain.files import Unreadable, records_of
from messaging.replies.domain.output import reading_json
from messaging.replies.domain.reading import read

REFUSED, UNREADABLE = 1, 2


class Command(BaseCommand):
    help = "Classify replies: .eml files, mbox files, or JSON lines. One line of output a message."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument("--json", action="store_true", help="One JSON object a line.")

    def handle(self, *args: Any, **options: Any) -> None:
        status = 0
        for name in options["files"]:
            try:
                data = Path(name).read_bytes()
            except OSError as failed:
                self.stderr.write(f"{name}: cannot be read: {failed.strerror}")
                status = UNREADABLE
                continue
            for record in records_of(data=data, now=timezone.now()):
                if isinstance(record, Unreadable):
                    self.stderr.write(f"{name}, line {record.line}: {record.reason}")
                    status = max(status, UNREADABLE if record.whole else REFUSED)
                    continue
                reading = read(mail=record.mail, received=record.received.date())
                line = reading_json(file=name, reading=reading, case_id=record.case_id)
                self._print(line, as_json=options["json"])
        if status:
            sys.exit(status)

    def _print(self, line: dict[str, object], *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(line, ensure_ascii=False))
        else:
            self.stdout.write(
                f"{line.get('case_id') or line['file']}: {line['kind']}, {line['intent']}, {line['sentiment']}"
            )
