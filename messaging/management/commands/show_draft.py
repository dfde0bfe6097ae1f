"""A draft with everything that happened to it."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from messaging.writing.queries import story_of


class Command(BaseCommand):
    help = "Shows a draft: texts with their claims and verdicts, dossier, approval and delivery."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("draft", type=int, help="id of the draft")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        story = story_of(draft_id=options["draft"])
        if story is None:
            raise CommandError(f"There is no draft {options['draft']}.")
        text = json.dumps(story, ensure_ascii=False) if options["json"] else _told(story)
        self.stdout.write(text)


def _told(story: dict[str, Any]) -> str:
    lines = [f"Draft {story['id']} by {story['channel']} in {story['language']}: {story['state']}"]
    for revision in story["revisions"]:
        lines += ["", f"Revision by {revision['author']}", f"Subject: {revision['subject']}", "", revision["body"], ""]
        lines += [
            f"  {claim['verdict']}: “{claim['span']}” – {claim['reason']} {claim['refs']}"
            for claim in revision["claims"]
        ]
    lines += ["", *(f"[{item['ref']}] {item['text']}" for item in story["dossier"])]
    return "\n".join(lines)
