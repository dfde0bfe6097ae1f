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


@register.filter
def part(value: float | None) -> str:
    """ "41%": a share in 0..1."""
    return "" if value is None else f"{value:.0%}"


@register.filter
def rate(value: float | None) -> str:
    """ "5.3%": a small share in 0..1."""
    return "" if value is None else f"{value:.1%}"


@register.filter
def points(value: float) -> str:
    """ "+12 points", "−3 points", "none": a change of a share."""
    change = round(100 * value)
    return f"{'+' if change > 0 else '−'}{abs(change)} points" if change else "none"
