"""Run the catch-all mail server of the demonstration until it is stopped."""

from __future__ import annotations

import signal
import threading
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from messaging.delivery.channels.catchall.server import controller


class Command(BaseCommand):
    help = "Take every mail sent to 127.0.0.1 and show it in the demonstration's mailbox. Nothing leaves this machine."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=settings.EMAIL_PORT)

    def handle(self, *args: Any, **options: Any) -> None:
        stop = threading.Event()
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, lambda *_: stop.set())
        server = controller(host="127.0.0.1", port=options["port"])
        server.start()
        self.stdout.write(f"Catching all mail on 127.0.0.1:{options['port']}.")
        stop.wait()
        server.stop()
