"""A worker in a process of its own, for the test that kills it. Arguments: database name, "import" or "ingest", moment."""

from __future__ import annotations

import os
import sys
from datetime import datetime

import django
from django.conf import settings


def run(*, database: str, job: str, moment: datetime) -> None:
    settings.DATABASES["default"]["NAME"] = database
    django.setup()
    from messaging.replies.services import ingest
    from outreach.teams.models import Team
    from prospects.services.batches import claim, work
    from tests.services.prospects.imports import a_mail

    if job == "import":
        lease = claim(now=moment)
        if lease is not None:
            work(lease=lease, clock=lambda: moment)
        return
    team = Team.objects.get()
    for number in range(60):
        ingest(team=team, raw=a_mail(number), source="imap", received_at=moment, now=moment)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "outreach.settings")
    run(database=sys.argv[1], job=sys.argv[2], moment=datetime.fromisoformat(sys.argv[3]))
