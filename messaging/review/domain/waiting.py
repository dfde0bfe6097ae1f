"""Figures in as few signs as a column has room for."""

from __future__ import annotations

from datetime import timedelta


def waited(span: timedelta) -> str:
    """4 min, 2 h 04, 1 d 2 h."""
    minutes = max(int(span.total_seconds() // 60), 0)
    hours, days = minutes // 60, minutes // 1440
    if hours == 0:
        return f"{minutes} min"
    if days == 0:
        return f"{hours} h {minutes % 60:02d}"
    return f"{days} d {hours % 24} h"


def score(value: float) -> str:
    """.84, 1.00"""
    return f"{value:.2f}".removeprefix("0")
