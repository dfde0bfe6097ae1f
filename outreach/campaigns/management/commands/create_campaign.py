"""A campaign out of a JSON file."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from outreach.campaigns import services
from outreach.campaigns.queries import story_of
from outreach.teams.access import Member, member_of
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from outreach.teams.queries import user_by_email

UNREADABLE = 2
#: A campaign is a few pages of text; whatever is longer is another file.
MOST_BYTES = 1_000_000


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names are each given once: of two values one would be lost without a word."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"{name!r} is given twice in one object; leave one")
        found[name] = value
    return found


def _parsed(name: str) -> Any:
    """Raises OSError, UnicodeDecodeError, JSONDecodeError, RecursionError; ValueError for what JSON lets pass and we do not."""
    with Path(name).open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise ValueError(f"it is larger than {MOST_BYTES:,} bytes")
    return json.loads(content, object_pairs_hook=_once, parse_constant=_no_number)


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number of JSON")


class Command(BaseCommand):
    help = "Makes a campaign in draft out of a JSON file. Faults are told with their JSON path; all of it or nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE.json")
        parser.add_argument("--team", required=True, help="slug of the team")
        parser.add_argument(
            "--by",
            metavar="EMAIL",
            default="",
            help="who answers for the proof points; without, a person approves them",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object, as show_campaign")

    def handle(self, *args: Any, **options: Any) -> None:
        value = self._read(options["file"])
        team = Team.objects.filter(slug=options["team"]).first()
        if team is None:
            raise CommandError(f"There is no team {options['team']!r}.")
        member = self._member(team, options["by"]) if options["by"] else None
        made = services.create_from_document(team=team, member=member, value=value, now=timezone.now())
        if isinstance(made, Refusal):
            raise CommandError(made.message)
        story = story_of(campaign=made, today=timezone.localdate())
        if options["json"]:
            self.stdout.write(json.dumps(story, ensure_ascii=False))
        else:
            self.stdout.write(f"Campaign {made.slug} is in draft; {len(story['missing'])} things are missing.")

    def _read(self, name: str) -> Any:
        try:
            return _parsed(name)
        except OSError as failed:
            self.stderr.write(f"{name}: cannot be read: {failed.strerror}")
        except UnicodeDecodeError as failed:
            self.stderr.write(f"{name}: byte {failed.start} is no UTF-8; save the file as UTF-8")
        except json.JSONDecodeError as failed:
            self.stderr.write(f"{name}, line {failed.lineno}, column {failed.colno}: this is no JSON: {failed.msg}")
        except RecursionError:
            self.stderr.write(f"{name}: this is no campaign: brackets stand in brackets too deep")
        except ValueError as failed:
            self.stderr.write(f"{name}: {failed}")
        sys.exit(UNREADABLE)

    def _member(self, team: Team, email: str) -> Member:
        user = user_by_email(email=email)
        if user is None:
            raise CommandError(f"There is nobody with the address {email}.")
        member = member_of(team=team, user=user)
        if isinstance(member, Refusal):
            raise CommandError(member.message)
        return member
