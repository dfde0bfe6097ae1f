"""A campaign with what it has and lacks."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from outreach.campaigns.queries import campaign_by_slug, story_of
from outreach.teams.models import Team


class Command(BaseCommand):
    help = "Shows a campaign: offer, proof points, steps, what is missing, and how far its people have come."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", metavar="SLUG")
        parser.add_argument("--team", required=True, help="slug of the team")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        team = Team.objects.filter(slug=options["team"]).first()
        if team is None:
            raise CommandError(f"There is no team {options['team']!r}.")
        campaign = campaign_by_slug(team=team, slug=options["campaign"])
        if campaign is None:
            raise CommandError(f"The team {options['team']!r} has no campaign {options['campaign']!r}.")
        story = story_of(campaign=campaign, today=timezone.localdate())
        if options["json"]:
            self.stdout.write(json.dumps(story, ensure_ascii=False))
            return
        lines = [f"{story['name']} ({story['slug']}), {story['status']}: {story['offer'] or 'no offer yet'}"]
        lines += [
            f"  {step['position']}. {step['channel']}, {step['wait_days']} days later, {step['condition']}"
            for step in story["steps"]
        ]
        lines += [f"  missing: {one['says']}" for one in story["missing"]]
        lines.append("  " + ", ".join(f"{name} {number}" for name, number in story["numbers"].items() if number))
        self.stdout.write("\n".join(lines))
