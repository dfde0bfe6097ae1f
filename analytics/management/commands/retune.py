"""A proposal of strategy weights for a team; applies nothing."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from analytics import services
from outreach.teams.models import Team


class Command(BaseCommand):
    help = "Compute where the next messages should go, from the outcomes so far. Nothing is applied."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--team", required=True, metavar="SLUG")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        team = Team.objects.filter(slug=options["team"]).first()
        if team is None:
            raise CommandError(f"There is no team {options['team']!r}.", returncode=2)
        now = timezone.now()
        services.sync(now=now)
        computed = services.retune(team=team, now=now, apply=False)
        if computed is None:
            raise CommandError("This team has no strategies in use yet: start a campaign first.", returncode=1)
        present = services.present_shares(team=team)
        found = {
            "proposal": {"weights": computed.judgement.weights, "present": present,
                         "arms": [asdict(arm) for arm in computed.judgement.arms]},
            "effects": [asdict(effect) for effect in computed.effects],
            "guardrails": services.guardrails_of(computed.judgement.arms),
            "messages": computed.messages,
        }  # fmt: skip
        if options["json"]:
            self.stdout.write(json.dumps(found, ensure_ascii=False))
            return
        for arm in computed.judgement.arms:
            told = arm.needs or "known"
            self.stdout.write(
                f"{arm.name}: {present.get(arm.key, 0):.0%} now, {arm.share:.0%} proposed; {arm.state}; {told}"
            )
