"""How long something has waited, in as few words as a column has room for."""

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
