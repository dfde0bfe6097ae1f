"""`show_prospect ID`: a prospect with all current evidence."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from prospects.domain.derived import Derived
from prospects.models import Evidence, Prospect
from prospects.queries import SHOWN, ProspectCard, card_for, conclusions_of


class Command(BaseCommand):
    help = "Show a prospect with all evidence."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("id", metavar="ID")
        parser.add_argument("--json", action="store_true", help="One JSON object on standard output.")

    def handle(self, *args: Any, **options: Any) -> None:
        number = str(options["id"])
        prospect = (
            Prospect.objects.select_related("company", "team").filter(pk=number).first()
            if number.isascii() and number.isdecimal() and len(number) < 19
            else None
        )
        if prospect is None or prospect.state not in SHOWN:
            raise CommandError(f"There is no prospect {number}.", returncode=1)
        shown = report(card_for(prospect=prospect), today=timezone.localdate())
        self.stdout.write(json.dumps(shown, ensure_ascii=False, indent=None if options["json"] else 2))


def report(card: ProspectCard, *, today: date) -> dict[str, object]:
    """What is derived stands beside the evidence, never in it."""
    prospect = card.prospect
    conclusions = conclusions_of(card=card, today=today)
    return {
        "id": prospect.pk,
        "full_name": prospect.full_name,
        "emails": list(card.emails),
        "linkedin": prospect.linkedin_url or None,
        "headline": prospect.headline,
        "language": {
            "code": prospect.language or None,
            "confidence": prospect.language_confidence,
            "signals": prospect.language_signals,
        },
        "positions": list(card.positions),
        "evidence": [_evidence(row) for row in (*card.rows, *card.company_rows)],
        "derived": {
            "career": [_derived(item) for item in conclusions.career],
            "style": [_derived(item) for item in conclusions.style],
        },
    }


def _derived(item: Derived) -> dict[str, object]:
    return {
        "name": item.name,
        "value": item.value,
        "text": item.words,
        "evidence": [int(row_id) for row_id in item.evidence],
    }


def _evidence(row: Evidence) -> dict[str, object]:
    occurred = None
    if row.occurred_first is not None and row.occurred_last is not None:
        occurred = [row.occurred_first.isoformat(), row.occurred_last.isoformat()]
    return {
        "id": row.pk,
        "kind": row.kind,
        "actor": row.actor,
        "text": row.text,
        "fields": row.fields,
        "occurred": occurred,
        "source": row.source,
        "observed_at": row.observed_at.isoformat(),
    }
