"""Two real connections: one delivery an approval, one claim a delivery, caps held under eight workers."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from messaging.delivery import services
from messaging.models import Delivery
from outreach.campaigns.models import SendingAccount
from tests.factories import a_campaign
from tests.people import a_team
from tests.services.delivery.scenes import DUE, a_delivery, an_approval

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(work: Callable[[], object], workers: int = 2) -> list[object]:
    def run(_: int) -> object:
        try:
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(run, range(workers)))


def test_two_workers_open_one_delivery() -> None:
    approval = an_approval()
    at_once(lambda: services.open_deliveries(now=DUE), workers=4)
    assert Delivery.objects.filter(approval=approval).count() == 1


def test_two_workers_claim_a_delivery_once() -> None:
    a_delivery()
    claims = at_once(lambda: services.claim_due(now=DUE), workers=4)
    assert sum(len(found) for found in claims) == 1  # type: ignore[arg-type]


def test_eight_workers_keep_the_cap() -> None:
    campaign = a_campaign(team=a_team())
    SendingAccount.objects.filter(pk=campaign.account_id).update(daily_cap=5)
    for _ in range(9):
        a_delivery(campaign=campaign)
    claims = at_once(lambda: services.claim_due(now=DUE, limit=9), workers=8)
    assert sum(len(found) for found in claims) == 5  # type: ignore[arg-type]
