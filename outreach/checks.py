"""Misconfiguration as Django system checks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.exceptions import ImproperlyConfigured

from outreach.environment import Fault


@register(Tags.security)
def environment_is_readable(**_: Any) -> list[CheckMessage]:
    """One error for each environment variable that cannot be used."""
    return [describe(fault) for fault in settings.ENVIRONMENT_FAULTS]


def describe(fault: Fault) -> Error:
    return Error(f"{fault.variable} {fault.problem}.", hint=fault.remedy, id=f"footnote.{fault.variable}")


def refuse_misconfiguration(faults: Sequence[Fault]) -> None:
    """Web servers and workers run no system checks of their own: they stop here.

    Raises `ImproperlyConfigured` naming every fault.
    """
    if faults:
        raise ImproperlyConfigured("; ".join(str(fault) for fault in faults))
