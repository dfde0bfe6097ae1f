"""Write every stored password anew under the newest key."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from outreach.campaigns.services import rotate_secrets


class Command(BaseCommand):
    help = (
        "Encrypts every stored password and key anew under the highest number of SECRET_STORE_KEYS. Put the new key "
        "beside the old one, restart, run this, then take the old one away."
    )

    def handle(self, **_options: Any) -> None:
        done, unreadable = rotate_secrets()
        self.stdout.write(f"{done} secret{'' if done == 1 else 's'} now under the newest key")
        if unreadable:
            raise CommandError(f"{unreadable} could not be read with any key; they stay as they are. Enter them again.")
