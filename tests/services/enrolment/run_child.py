"""A worker in a process of its own, for the test that kills it. Arguments: database name, moment, people in a chunk."""

from __future__ import annotations

import os
import sys
from datetime import datetime

import django
from django.conf import settings


def run(*, database: str, moment: datetime, chunk: int) -> None:
    settings.DATABASES["default"]["NAME"] = database
    django.setup()
    from messaging.enrolment.services.runs import claim_run, work_run

    lease = claim_run(now=moment)
    if lease is not None:
        work_run(lease=lease, clock=lambda: moment, chunk=chunk)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "outreach.settings")
    run(database=sys.argv[1], moment=datetime.fromisoformat(sys.argv[2]), chunk=int(sys.argv[3]))
