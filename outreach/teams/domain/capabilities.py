"""Which role may do what: one table, read by pages, API, commands and tasks alike."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from outreach.teams.domain.refusal import Refusal


class Capability(StrEnum):
    VIEW = "view"
    IMPORT = "import"
    WRITE = "write"
    REVIEW = "review"
    SEND = "send"
    REPLY = "reply"
    MANAGE = "manage"
    ADMIN = "admin"
    ANALYSE = "analyse"


#: What each capability lets a person do, as the end of "This needs the right to …".
PURPOSE: Mapping[Capability, str] = MappingProxyType(
    {
        Capability.VIEW: "see the team's pages",
        Capability.IMPORT: "import prospects",
        Capability.WRITE: "enrol people and write or edit messages",
        Capability.REVIEW: "approve or reject messages",
        Capability.SEND: "send approved messages",
        Capability.REPLY: "answer replies",
        Capability.MANAGE: "manage campaigns, strategies, prompts and policies",
        Capability.ADMIN: "manage people, accounts and tokens",
        Capability.ANALYSE: "see the insights",
    }
)

_C = Capability
#: Keyed by the value stored in `Membership.role`.
CAPABILITIES: Mapping[str, frozenset[Capability]] = MappingProxyType(
    {
        "writer": frozenset({_C.VIEW, _C.IMPORT, _C.WRITE, _C.SEND, _C.REPLY, _C.ANALYSE}),
        "reviewer": frozenset({_C.VIEW, _C.REVIEW, _C.WRITE, _C.ANALYSE}),
        "manager": frozenset({_C.VIEW, _C.IMPORT, _C.WRITE, _C.REVIEW, _C.SEND, _C.REPLY, _C.MANAGE, _C.ANALYSE}),
        "admin": frozenset(Capability),
        "analyst": frozenset({_C.VIEW, _C.ANALYSE}),
    }
)


def capabilities_of(*, role: str) -> frozenset[Capability]:
    """An unknown role may do nothing."""
    return CAPABILITIES.get(role, frozenset())


def roles_with(*, capability: Capability) -> tuple[str, ...]:
    return tuple(role for role, granted in CAPABILITIES.items() if capability in granted)


def refusal_for(*, capability: Capability) -> Refusal:
    roles = " or ".join(roles_with(capability=capability))
    return Refusal(
        code="not-allowed",
        message=f"This needs the right to {PURPOSE[capability]}, which the role {roles} has. Ask an administrator.",
    )
