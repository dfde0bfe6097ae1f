"""Killing worker, web and supervisor at random moments of drafting and sending loses nothing and doubles nothing."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from outreach.scripts.run import free_port
from tests.services.running.processes import ROOT, belonging_to, embedded_environment, named, python, until
from tests.services.running.product import Product

#: What is killed, by what its command line holds; the supervisor takes the database and the broker with it.
VICTIMS = {"worker": " worker", "web": "gunicorn", "supervisor": "outreach.scripts.run"}
ROUNDS = 10
BATCH = 6
BUSY = """
SELECT EXISTS (SELECT 1 FROM messaging_draft WHERE state = 'writing')
    OR EXISTS (SELECT 1 FROM messaging_delivery WHERE state = 'claimed')
"""
UNFINISHED = """
SELECT (SELECT count(*) FROM messaging_draft WHERE state IN ('waiting', 'writing', 'ready'))
     + (SELECT count(*) FROM messaging_delivery WHERE state IN ('waiting', 'claimed'))
     + (SELECT count(*) FROM messaging_approval a WHERE a.lapsed_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM messaging_delivery d WHERE d.approval_id = a.id))
"""


class Killable(Product):
    def load(self, *arguments: str) -> dict[str, Any]:
        done = subprocess.run(
            [*python("tests.services.running.load"), *arguments],
            env=embedded_environment(self.data) | {"DJANGO_SETTINGS_MODULE": "outreach.settings"},
            cwd=ROOT, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-3000:]
        answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return answer

    def kill(self, victim: str, *, chance: random.Random) -> None:
        """SIGKILL while something is being written or handed over, a random moment after it began."""
        busy = until(lambda: self.ask(BUSY), seconds=10)
        threading.Event().wait(chance.uniform(0, 0.12))
        victims = named(self.data, VICTIMS[victim])
        for process in victims:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self.hits[victim] = self.hits.get(victim, 0) + bool(busy and victims)
        if victim == "supervisor" and self.process is not None:
            self.process.wait(timeout=20)
            assert until(lambda: belonging_to(self.data) == []), [p.cmdline() for p in belonging_to(self.data)]
            self.start()
        assert until(self.works, seconds=60), self.log.read_text()


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Killable]:
    running = Killable(tmp_path / "data", free_port(), tmp_path / "run.log")
    running.start()
    yield running
    running.stop()


def _finish(product: Killable) -> None:
    """Leases run out, what is ready is approved, what is approved is sent."""
    for _attempt in range(4):
        product.load("settle")
        until(lambda: product.ask(UNFINISHED + "-- nothing is being written") == 0, seconds=8)
        product.load("ready")
        if until(lambda: product.ask(UNFINISHED) == 0, seconds=15):
            return


def test_thirty_kills_lose_no_draft_double_no_mail_and_leave_no_orphan(product: Killable) -> None:
    chance = random.Random(20)
    product.load("begin")
    for _round in range(ROUNDS):
        for victim in VICTIMS:
            product.load("feed", str(BATCH))
            product.kill(victim, chance=chance)
    _finish(product)
    state = product.load("state")
    sys.stdout.write(f"\nkilled while at work: {product.hits}; in the end: {state}\n")
    assert (state["doubled"], state["wrong"], state["violations"]) == ([], [], [])
    assert state["drafts"].get("waiting", 0) + state["drafts"].get("writing", 0) == 0
    assert sum(state["drafts"].values()) == state["enrolments"] == 3 * ROUNDS * BATCH
    assert set(state["deliveries"]) <= {"sent", "unconfirmed"}
    product.stop()
    assert until(lambda: belonging_to(product.data) == [])
