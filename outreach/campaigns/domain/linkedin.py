"""What a LinkedIn account may do, by its plan. The platform publishes no numbers and changes them: all can be set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class PlanLimits:
    """note: characters of a connection note. monthly_notes: notes in any 30 days, 0 is no limit of its own.

    weekly_invitations: in any 7 days. Users report 100 to 200 before the platform refuses, and 3 to 5 notes a month on
    a basic account: the defaults stay below.
    """

    note: int
    weekly_invitations: int
    monthly_notes: int


PLANS: Mapping[str, PlanLimits] = MappingProxyType(
    {
        "free": PlanLimits(note=200, weekly_invitations=80, monthly_notes=5),
        "premium": PlanLimits(note=300, weekly_invitations=80, monthly_notes=0),
        "sales_navigator": PlanLimits(note=300, weekly_invitations=80, monthly_notes=0),
    }
)
