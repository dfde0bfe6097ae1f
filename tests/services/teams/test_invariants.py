"""Broken states that no service makes are found."""

from __future__ import annotations

import pgtrigger

from outreach.campaigns.invariants import invariants as campaign_invariants
from outreach.teams.access import Member
from outreach.teams.audit import record
from outreach.teams.invariants import invariants as team_invariants
from outreach.teams.models import AuditEvent, Membership, Team
from tests.messages import a_campaign
from tests.people import a_member


def broken() -> dict[str, list[int]]:
    found = (*team_invariants(), *campaign_invariants())
    return {rule.name: ids for rule in found if (ids := [violation.id for violation in rule.broken()])}


def test_what_the_services_make_breaks_nothing(admin: Member, other_team: Team) -> None:
    record(team=admin.team, actor=None, action="x.y", target=admin.team, content="words")
    a_campaign(team=admin.team)
    assert broken() == {}


def test_a_team_without_administrator_is_found(admin: Member) -> None:
    a_member(team=admin.team, role="writer")
    Membership.objects.filter(user=admin.user).update(active=False)
    assert broken() == {"team_has_administrator": [admin.team.pk]}


def test_a_commitment_that_is_no_hash_is_found(admin: Member) -> None:
    event = AuditEvent.objects.create(team=admin.team, action="x.y", target_type="t", commitment="secret")
    assert broken() == {"audit_commits": [event.pk]}


def test_a_campaign_that_sends_from_another_team_s_account_is_found(admin: Member, other_team: Team) -> None:
    campaign, foreign = a_campaign(team=admin.team), a_campaign(team=other_team)
    a_member(team=other_team, role="admin")
    campaign.account = foreign.account
    with pgtrigger.ignore("campaigns.Campaign:accounts_serve_steps"):
        campaign.save()
    assert broken() == {"campaign_within_team": [campaign.pk]}
