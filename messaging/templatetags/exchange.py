"""Words for what the outbox and the inbox store as codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from messaging.replies.forms import INTENT_NAMES

register = template.Library()

EVENTS: Mapping[str, Any] = {
    "opened": gettext_lazy("Entered the outbox"),
    "claimed": gettext_lazy("Hand-over began"),
    "sent": gettext_lazy("Sent"),
    "attested": gettext_lazy("Sent by hand"),
    "failed": gettext_lazy("Failed"),
    "retry": gettext_lazy("Refused for now, will be tried again"),
    "unconfirmed": gettext_lazy("Needs confirmation"),
    "cancelled": gettext_lazy("Cancelled"),
    "not_possible": gettext_lazy("Not possible"),
    "again": gettext_lazy("Put back"),
    "bounced": gettext_lazy("Came back as undeliverable"),
}
KINDS: Mapping[str, Any] = {
    "human": gettext_lazy("A person"),
    "auto_reply": gettext_lazy("Automatic reply"),
    "bounce": gettext_lazy("Undeliverable"),
    "complaint": gettext_lazy("Complaint"),
    "unsubscribe": gettext_lazy("Opt-out"),
}
ACTIONS: Mapping[str, Any] = {
    "stopped": gettext_lazy("Open messages were stopped"),
    "suppressed": gettext_lazy("Put on the suppression list"),
    "bounce_recorded": gettext_lazy("The bounce was noted on the message"),
    "confirmed_sent": gettext_lazy("The message is confirmed as sent"),
}


@register.filter
def of(mapping: Mapping[str, Any], key: str) -> Any:
    """A value of a dictionary by a key in a variable."""
    return mapping.get(key, 0)


@register.filter
def event_name(kind: str) -> str:
    return str(EVENTS.get(kind, kind))


@register.filter
def kind_name(kind: str) -> str:
    return str(KINDS.get(kind, kind))


@register.filter
def intent_name(intent: str) -> str:
    return str(INTENT_NAMES.get(intent, intent))  # type: ignore[call-overload]


@register.filter
def action_name(action: str) -> str:
    if action.startswith("paused_until:"):
        return _("Held until %(day)s") % {"day": action.partition(":")[2]}
    return str(ACTIONS.get(action, action))
