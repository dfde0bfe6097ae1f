"""Enrol what is due in a campaign and write drafts."""

from __future__ import annotations

import json
import threading
import time
from argparse import ArgumentParser
from random import SystemRandom
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from messaging.writing.adapters.configured import configured_judge, configured_model, team_model
from messaging.writing.batch import Drafted, draft_campaign
from messaging.writing.crew import Crew
from outreach.teams.domain.refusal import Refusal


def _wait_a_little() -> None:
    threading.Event().wait(0.5)


class Command(BaseCommand):
    help = "Enrols what is due in a campaign and asks for drafts; with --wait writes them in this process."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--campaign", required=True, help="slug of the campaign")
        parser.add_argument("--team", required=True, help="slug of the team")
        parser.add_argument("--limit", type=int, default=25, help="drafts at most (25)")
        parser.add_argument("--wait", action="store_true", help="write them here and wait until they are done")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["limit"] < 1:
            raise CommandError("--limit must be 1 or more.")
        begun = time.monotonic()
        model = configured_model()
        crew = Crew(size=settings.OPENAI_CONCURRENCY if model is not None else 1)
        result = draft_campaign(
            team_slug=options["team"],
            campaign_slug=options["campaign"],
            limit=options["limit"],
            wait=options["wait"],
            model=model,
            crew=crew,
            own=team_model,
            judge=configured_judge(),
            rng=SystemRandom(),
            clock=timezone.now,
            pause=_wait_a_little,
        )
        crew.close()
        if isinstance(result, Refusal):
            raise CommandError(result.message)
        for note in result.notes:
            self.stderr.write(note)
        seconds = round(time.monotonic() - begun, 2)
        self.stdout.write(json.dumps(_plain(result, seconds)) if options["json"] else _told(result, seconds))


def _plain(result: Drafted, seconds: float) -> dict[str, Any]:
    return {
        "requested": result.requested,
        "ready": result.ready,
        "blocked": result.blocked,
        "failed": result.failed,
        "fallback": result.fallback,
        "model": result.model,
        "tokens": result.tokens,
        "cost": float(result.cost),
        "seconds": seconds,
        "drafts": result.drafts,
    }


def _told(result: Drafted, seconds: float) -> str:
    if not result.requested:
        return "Nobody is due: enrol people, or wait for the next step."
    by = "the embedded composer (no model is configured)" if result.model == "composer" else result.model
    return (
        f"{result.requested} drafts by {by}: {result.ready} ready, {result.blocked} blocked, {result.failed} not done, "
        f"{result.fallback} by the composer instead of the model; {seconds} s."
    )
