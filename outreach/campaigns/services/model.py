"""The team's own language model: its address, its key, and a test of both."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from outreach.campaigns.models import SecretKind
from outreach.campaigns.ports import ModelTrier, Tried
from outreach.campaigns.queries import model_access_of, policy_of
from outreach.campaigns.services.policies import change_settings
from outreach.campaigns.services.secrets import keep, secret_fault
from outreach.teams.access import Member, gate
from outreach.teams.audit import record
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal


def save_model(*, member: Member, values: Mapping[str, Any], key: str | None, now: datetime) -> Refusal | None:
    """Address, name and budgets by the keys of the settings. key: None leaves it, "" forgets it.

    Another address forgets the key that was meant for the first, unless one is given with it.
    """
    refused = gate(member=member, capability=Capability.ADMIN) or secret_fault(field="model_key", value=key)
    if refused is not None:
        return refused
    with transaction.atomic():
        before = policy_of(team=member.team)
        saved = change_settings(member=member, values=values, now=now)
        if isinstance(saved, Refusal):
            return saved
        if key is None and before.model_base_url != saved.policy.model_base_url:
            key = ""
        if keep(team=member.team, kind=SecretKind.MODEL, value=key, account=None, now=now):
            action = "secret.changed" if key else "secret.forgotten"
            record(team=member.team, actor=member.user, action=action, target=member.team, details={"kind": "model"})
    return None


def try_model(*, member: Member, trier: ModelTrier) -> Tried | Refusal:
    """Ask the team's model, or the installation's where it has none, one small question. Outside a transaction."""
    refused = gate(member=member, capability=Capability.ADMIN)
    if refused is not None:
        return refused
    access = model_access_of(team=member.team, policy=policy_of(team=member.team))
    tried = Tried(works=False, text=access.fault) if access.fault else trier(access=access)
    record(
        team=member.team, actor=member.user, action="model.tested", target=member.team, details={"works": tried.works}
    )
    return tried
