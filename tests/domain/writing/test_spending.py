"""A hard stop: nothing is asked that could pass a limit, and the reason says when it goes on."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messaging.writing.domain.spending import SOON, Ledger, Limits, Spending, stop_of

NOW = datetime(2026, 12, 1, 18, tzinfo=UTC)
TO_MIDNIGHT = 6 * 3600.0


def money(text):
    return Decimal(text)


def held(spent="0", aside="0"):
    return Spending(money(spent), money(aside))


#: limits, ledger, price, seconds until it goes on (None: it may be asked), words of the reason
CASES = [
    (Limits(), Ledger(), "1", None, ""),
    (Limits(daily=money("1")), Ledger(), "1", None, ""),  # the last penny may be spent
    (Limits(daily=money("1")), Ledger(), "1.000001", TO_MIDNIGHT, "tomorrow"),
    (Limits(daily=money("1")), Ledger(day=held("1")), "0", TO_MIDNIGHT, "1 a day is used up"),
    (Limits(daily=money("1")), Ledger(day=held("0.5", "0.4")), "0.2", SOON, "set aside"),
    (Limits(daily=money("9"), monthly=money("10")), Ledger(month=held("9.95")), "0.1", TO_MIDNIGHT, "next month"),
    (Limits(campaign=money("5")), Ledger(campaign=held("5")), "0.1", TO_MIDNIGHT, "this campaign"),
    (Limits(daily=money("9"), campaign=money("5")), Ledger(day=held("5"), campaign=held("4")), "0.1", None, ""),
    (Limits(daily=money("0")), Ledger(), "0", 0.0, "nought"),
    (Limits(monthly=money("0")), Ledger(), "0.1", 0.0, "nought"),
]  # fmt: skip


@pytest.mark.parametrize(("limits", "ledger", "price", "seconds", "words"), CASES)
def test_limits(limits, ledger, price, seconds, words):
    stop = stop_of(limits=limits, ledger=ledger, price=money(price), now=NOW)
    assert (stop.seconds if stop else None) == seconds
    assert words in (stop.reason if stop else "")


CENTS = st.integers(min_value=0, max_value=200).map(lambda cents: Decimal(cents) / 100)


@given(daily=CENTS, prices=st.lists(st.tuples(CENTS, CENTS), max_size=30))
def test_no_order_of_requests_spends_more_than_the_limit(daily, prices):
    """Each pair: what a request costs at most, and what it costs in the end."""
    spent = Decimal(0)
    for price, cost in prices:
        if stop_of(limits=Limits(daily=daily), ledger=Ledger(day=Spending(spent)), price=price, now=NOW) is None:
            spent += min(price, cost)
    assert spent <= daily
