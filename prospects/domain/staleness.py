"""What is known of a person but has grown old, so that a message written now could say little or say it wrongly."""

from __future__ import annotations

from datetime import date, timedelta

from prospects.domain.timeline import OBSERVED_DAYS, SILENT_DAYS


def role_limit(today: date) -> date:
    """A role last seen before this day no longer carries "you are"."""
    return today - timedelta(days=OBSERVED_DAYS)


def words_limit(today: date) -> date:
    """Own words last written before this day carry no time word."""
    return today - timedelta(days=SILENT_DAYS)


def stale_reasons(*, role_seen: date | None, words_on: date | None, today: date) -> tuple[str, ...]:
    """Sentences, worst first; none when nothing known has grown old. Words that were never known are a gap, not stale."""
    reasons = []
    if role_seen is None:
        reasons.append("no present role is known")
    elif role_seen < role_limit(today):
        reasons.append(f"the role was last seen {_ago(today - role_seen)} ago")
    if words_on is not None and words_on < words_limit(today):
        reasons.append(f"the newest post or comment is {_ago(today - words_on)} old")
    return tuple(reasons)


def _ago(age: timedelta) -> str:
    months = age.days // 30
    return f"{months} months" if months < 24 else f"{age.days // 365} years"
