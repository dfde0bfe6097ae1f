"""A worker is killed with SIGKILL while the server has its message: nothing doubled, nothing lost."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.db import connection

from messaging.delivery import services
from messaging.delivery.domain.rules import CLAIM_LEASE
from messaging.models import Delivery
from messaging.replies.domain.mail import parse
from tests.factories import a_campaign
from tests.people import a_team
from tests.services.delivery.scenes import DUE, a_delivery, free_port

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).parents[3]


@dataclass
class Killer:
    """Kills the worker at every other message: before it answers, once with and once without keeping the text."""

    worker: subprocess.Popen[bytes] | None = None
    received: list[str] = field(default_factory=list)
    seen: int = 0

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        self.seen += 1
        kill = self.seen % 2 == 0
        if not kill or self.seen % 4 == 0:
            self.received.append(parse(envelope.content).message_id)
        if kill and self.worker is not None:
            self.worker.send_signal(signal.SIGKILL)
            await asyncio.to_thread(self.worker.wait)
        return "250 OK"


def test_killed_workers_double_nothing_and_lose_nothing() -> None:
    campaign = a_campaign(team=a_team())
    expected = {a_delivery(campaign=campaign).payload.message_id for _ in range(9)}
    killer, port, moment, kills = Killer(), free_port(), DUE, 0
    controller = Controller(killer, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        while Delivery.objects.filter(state__in=["waiting", "claimed"]).exists():
            killer.worker = start_worker(port=port, moment=moment.isoformat())
            kills += killer.worker.wait(60) == -signal.SIGKILL
            moment += CLAIM_LEASE + timedelta(minutes=1)
            services.mark_interrupted(now=moment)
    finally:
        controller.stop()
    states = {row.payload.message_id: row.state for row in Delivery.objects.select_related("payload")}
    assert kills >= 4
    assert len(killer.received) == len(set(killer.received))
    assert set(states) == expected
    assert {state for message_id, state in states.items() if message_id in killer.received} <= {"sent", "unconfirmed"}
    assert all(message_id in killer.received for message_id, state in states.items() if state == "sent")
    assert sum(state == "unconfirmed" for state in states.values()) == kills


def start_worker(*, port: int, moment: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.services.delivery.worker_child", str(connection.settings_dict["NAME"]), str(port), moment]
    return subprocess.Popen(command, cwd=ROOT, env={**os.environ, "DJANGO_SETTINGS_MODULE": "outreach.settings"})
