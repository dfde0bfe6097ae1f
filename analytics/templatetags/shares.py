"""Shares as people read them."""

from __future__ import annotations

from django import template

from analytics.domain.funnel import Interval

register = template.Library()


@register.filter
def percent(interval: Interval | None) -> str:
    """ "9.8% (8.8–10.8)": the share with its 95% interval."""
    if interval is None:
        return ""
    return f"{interval.share:.1%} ({100 * interval.low:.1f}–{100 * interval.high:.1f})"


@register.filter
def share(interval: Interval | None) -> str:
    return "" if interval is None else f"{interval.share:.1%}"
