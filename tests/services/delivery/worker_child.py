"""A worker in a process of its own, for the test that kills it. Arguments: database name, SMTP port, moment."""

from __future__ import annotations

import os
import sys
from datetime import datetime

import django
from django.conf import settings


def run(*, database: str, port: int, moment: datetime) -> None:
    settings.DATABASES["default"]["NAME"] = database
    django.setup()
    from messaging.delivery import services
    from messaging.delivery.channels.smtp.transport import SmtpServer, SmtpTransport, date_header

    with SmtpTransport(server=SmtpServer(host="127.0.0.1", port=port, timeout=10)) as transport:
        services.send_due(transport=transport, clock=lambda: moment, date_header=date_header)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "outreach.settings")
    run(database=sys.argv[1], port=int(sys.argv[2]), moment=datetime.fromisoformat(sys.argv[3]))
