"""A team's levels of the quality rules: who may set them, and what waits for a second person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from messaging.writing.domain.quality_catalogue import BLOCK, RULES, WARN, Rule, settled_levels
from outreach.campaigns.queries import policy_of
from outreach.campaigns.services import PolicySaved, change_settings
from outreach.teams.access import Member
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team


@dataclass(frozen=True)
class RuleLevel:
    """A rule as the settings show it. level: the team's own, "" where it is as shipped."""

    rule: Rule
    level: str

    @property
    def in_force(self) -> str:
        return self.level or self.rule.level


def rule_levels(*, team: Team) -> tuple[RuleLevel, ...]:
    """Every rule with the team's level, in the order of the catalogue. One query."""
    levels = policy_of(team=team).quality_levels
    return tuple(RuleLevel(rule, levels.get(rule.id, "")) for rule in RULES)


@transaction.atomic
def change_levels(*, member: Member, levels: Mapping[str, str], now: datetime) -> PolicySaved | Refusal:
    """Set the team's levels as a whole; rules that are not named are as shipped. The change is audited as policy.

    What blocks more holds at once; what blocks less waits for a second person, as any weaker policy.
    """
    settled = settled_levels(levels)
    if isinstance(settled, str):
        return Refusal("invalid", settled)
    stricter = _stricter(before=policy_of(team=member.team).quality_levels, after=settled)
    first = change_settings(member=member, values={"quality_levels": stricter}, now=now)
    if isinstance(first, Refusal) or stricter == settled:
        return first
    return change_settings(member=member, values={"quality_levels": settled}, now=now)


def _stricter(*, before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    """Of the new levels those that block more, on top of the old ones."""
    found = dict(before)
    for rule in RULES:
        if after.get(rule.id) == BLOCK:
            found[rule.id] = BLOCK
        elif found.get(rule.id) == WARN and rule.id not in after:
            del found[rule.id]
    return found
