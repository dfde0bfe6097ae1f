"""Which changes of a policy weaken approval. One person alone does not make them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from outreach.campaigns.domain.offer import Policy

#: Where nobody else could confirm it, a weaker policy waits as long as somebody who has become the only reviewer.
ALONE_DELAY = timedelta(hours=24)

Value = Any


def _fewer_block(before: Mapping[str, str], after: Mapping[str, str]) -> bool:
    """Whether some rule becomes a warning, or blocks no longer; a rule that is not named is as shipped."""
    softened = any(level == "warn" and before.get(rule) != "warn" for rule, level in after.items())
    return softened or any(level == "block" and after.get(rule) != "block" for rule, level in before.items())


#: When the second value of a setting is weaker than the first.
_WEAKER: Mapping[str, Callable[[Value, Value], bool]] = {
    "four_eyes": lambda before, after: bool(before and not after),
    "quality_blocks": lambda before, after: bool(before and not after),
    "quality_levels": _fewer_block,
    "self_approval_delay": lambda before, after: after < before,
    "observed_days_position": lambda before, after: after > before,
    "observed_days_company": lambda before, after: after > before,
    "observed_days_common": lambda before, after: after > before,
    "send_by_days": lambda before, after: after > before,
    # Printed under every message, and verified by nobody but who confirms it.
    "notice_texts": lambda before, after: bool(after) and dict(after) != dict(before),
}


def weakened(*, before: Policy, after: Policy) -> tuple[str, ...]:
    """The settings whose new value approves more than the old one."""
    return tuple(name for name, weaker in _WEAKER.items() if weaker(getattr(before, name), getattr(after, name)))


def outdated(*, policy: Policy, changes: Mapping[str, list[Any]]) -> tuple[str, ...]:
    """The settings that are no longer what they were when the change was asked for. changes: name to [from, to]."""
    return tuple(name for name, (before, _after) in changes.items() if getattr(policy, name) != before)
