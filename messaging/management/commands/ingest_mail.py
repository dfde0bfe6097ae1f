"""Store raw mail, match it to what was sent, read it, and act on it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from messaging.replies.domain.files import Record, Unreadable, records_of
from messaging.replies.domain.output import reading_json
from messaging.replies.domain.reading import read
from messaging.replies.services import ingest
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team

REFUSED, UNREADABLE = 1, 2


class Command(BaseCommand):
    help = "Take in raw mail (.eml or mbox) for a team."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument("--team", required=True, metavar="SLUG")
        parser.add_argument("--json", action="store_true", help="One JSON object a line.")

    def handle(self, *args: Any, **options: Any) -> None:
        team = Team.objects.filter(slug=options["team"]).first()
        if team is None:
            self.stderr.write(f"There is no team {options['team']!r}.")
            sys.exit(REFUSED)
        status = 0
        for name in options["files"]:
            try:
                data = Path(name).read_bytes()
            except OSError as failed:
                self.stderr.write(f"{name}: cannot be read: {failed.strerror}")
                status = UNREADABLE
                continue
            status = max(status, self._file(name=name, data=data, team=team, as_json=options["json"]))
        if status:
            sys.exit(status)

    def _file(self, *, name: str, data: bytes, team: Team, as_json: bool) -> int:
        now, status = timezone.now(), 0
        for record in records_of(data=data, now=now):
            if isinstance(record, Unreadable) and record.whole:
                self.stderr.write(f"{name}, line {record.line}: {record.reason}")
                return UNREADABLE
            if not isinstance(record, Record) or not record.raw:
                self.stderr.write(f"{name}: raw mail is expected (.eml or mbox); JSON lines have no wire form.")
                return REFUSED
            done = ingest(team=team, raw=record.raw, source="file", received_at=record.received, now=now)
            if isinstance(done, Refusal):
                self.stderr.write(f"{name}: {done.message}")
                status = REFUSED
                continue
            line = reading_json(file=name, reading=read(mail=record.mail, received=record.received.date()))
            line["matched_delivery"] = done.reply.delivery_id if done.reply is not None else None
            line["actions"] = ["own_mail"] if done.own else list(done.actions)
            text = json.dumps(line, ensure_ascii=False)
            self.stdout.write(text if as_json else f"{name}: {line['kind']}, delivery {line['matched_delivery']}")
        return status
