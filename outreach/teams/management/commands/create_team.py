"""Make a team of one's own, with its first administrator."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from outreach.teams.adapters.invitations import set_password_link
from outreach.teams.domain.refusal import Refusal
from outreach.teams.services import found_team

REFUSED = 1


class Command(BaseCommand):
    help = "Makes a team and its first administrator, and prints the link under which they set their password."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="short name that stands in addresses: /t/SLUG/")
        parser.add_argument("--name", required=True, help="name of the team")
        parser.add_argument("--admin", required=True, metavar="EMAIL", help="e-mail address of the administrator")
        parser.add_argument("--admin-name", required=True, metavar="NAME", help="name of the administrator")

    def handle(self, *args: Any, **options: Any) -> None:
        founded = found_team(
            slug=options["slug"], name=options["name"], email=options["admin"], full_name=options["admin_name"]
        )
        if isinstance(founded, Refusal):
            self.stderr.write(founded.message)
            sys.exit(REFUSED)
        self.stdout.write(f"Made the team “{founded.team.name}” with {founded.administrator.email} as administrator.")
        if not founded.administrator.has_usable_password():
            # Whoever runs the installation may see it; it works once.
            self.stdout.write(f"They set a password here: {set_password_link(founded.administrator)}")
