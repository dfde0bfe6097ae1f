"""What many drafts are written from alike, read once for all that a crew begins or ends within a second.

The policy of a team, the offer of a campaign, its weights and prompts: each draft would read them anew, and get the same.
A draft takes seconds to write from what it read when it was begun; this reads it as though it had been begun up to a
second before. Nothing of a person is shared, and outside a crew every reading is fresh.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import cast

from messaging.writing.ports import Value
from outreach.campaigns.domain.offer import CampaignOffer, Policy
from outreach.campaigns.models import Campaign
from outreach.campaigns.queries import offer_of, policy_of
from outreach.teams.models import Team

#: Seconds for which a reading holds.
HOLDS = 1.0
#: Readings kept at most.
MOST_KEPT = 512


class Readings:
    """Readings of one crew; threads may share it, two that ask at once may both read."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._kept: dict[Hashable, tuple[float, object]] = {}

    def of(self, key: Hashable, read: Callable[[], Value]) -> Value:
        """The reading of that name, made when there is none that holds."""
        now = self._clock()
        kept = self._kept.get(key)
        if kept is None or kept[0] <= now:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            kept = self._kept[key] = (now + HOLDS, read())
        return cast("Value", kept[1])


_READINGS: ContextVar[Readings | None] = ContextVar("readings", default=None)


@contextmanager
def sharing(readings: Readings) -> Iterator[None]:
    """Whatever is read in here by `shared` holds for others too."""
    before = _READINGS.set(readings)
    try:
        yield
    finally:
        _READINGS.reset(before)


def shared(key: Hashable, read: Callable[[], Value]) -> Value:
    """What `read` says, or what it said to another draft a moment ago."""
    readings = _READINGS.get()
    return read() if readings is None else readings.of(key, read)


def shared_policy(*, team: Team) -> Policy:
    """The team's policy."""
    return shared(("policy", team.pk), lambda: policy_of(team=team))


def shared_offer(*, campaign: Campaign) -> CampaignOffer:
    """The campaign as a plain value."""
    return shared(("offer", campaign.pk), lambda: offer_of(campaign=campaign))
