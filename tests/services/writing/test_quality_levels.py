"""A team's quality rules: what blocks really blocks, in the service and in the database; colleagues are told apart."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone
from pytest_django.fixtures import DjangoAssertNumQueries

from messaging.models import Approval, AuthorKind, AuthorshipKind, Draft, DraftState
from messaging.review import services as review
from messaging.review.queries.lapsing import outdated_checks
from messaging.verification.engine import VERIFIER_VERSION
from messaging.writing.checking import texts_nearby
from messaging.writing.quality_levels import change_levels, rule_levels
from messaging.writing.revisions import recheck, store_revision, with_relations
from outreach.campaigns.models import TeamPolicy
from outreach.campaigns.queries import policy_of
from outreach.campaigns.services import PolicySaved, confirm_policy
from outreach.teams.models import AuditEvent, Team
from prospects.models import Company
from tests.factories import BODY, NOW, SUBJECT, a_campaign, a_draft, a_policy, a_prospect
from tests.people import a_member, a_user
from tests.services.review.scenes import a_scene, approve, approved, code

pytestmark = pytest.mark.django_db
JARGON = BODY.replace("Would a short call", "Hearthdesk, we think, is seamless.\n\nWould a short call")


def edit(draft: Draft, body: str) -> Draft:
    store_revision(
        draft=draft, author_kind=AuthorKind.PERSON, subject=SUBJECT, body=body, declared=None,
        authors={a_user(): AuthorshipKind.EDITED}, inherit_from=draft.current, now=NOW,
    )  # fmt: skip
    return with_relations(draft_id=draft.pk)


def blocking(draft: Draft) -> set[str]:
    assert draft.current is not None
    check = draft.current.checks.latest("pk")
    return {finding["rule"] for finding in check.quality if finding["level"] == "block"}


def test_stricter_levels_hold_at_once_and_looser_ones_wait_for_a_second_manager(team: Team) -> None:
    mara, ada = a_member(team=team, role="manager"), a_member(team=team, role="admin")
    saved = change_levels(member=mara, levels={"jargon": "block", "superlative": "warn"}, now=NOW)
    assert isinstance(saved, PolicySaved)
    assert saved.waiting is not None
    assert policy_of(team=team).quality_levels == {"jargon": "block"}
    confirm_policy(member=ada, change_id=saved.waiting.pk, now=NOW)
    assert policy_of(team=team).quality_levels == {"jargon": "block", "superlative": "warn"}
    back = change_levels(member=mara, levels={"jargon": "block"}, now=NOW)
    assert isinstance(back, PolicySaved)
    assert back.waiting is None
    actions = AuditEvent.objects.filter(team=team).order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["policy.changed", "policy.asked", "policy.weakened", "policy.changed"]
    assert {one.rule.id: one.in_force for one in rule_levels(team=team)}["jargon"] == "block"


def test_nonsense_and_fixed_rules_are_refused_and_so_is_whoever_may_not_manage(team: Team) -> None:
    mara = a_member(team=team, role="manager")
    assert code(change_levels(member=mara, levels={"hard-limit": "warn"}, now=NOW)) == "invalid"
    assert code(change_levels(member=mara, levels={"nonsense": "warn"}, now=NOW)) == "invalid"
    writer = a_member(team=team, role="writer")
    assert code(change_levels(member=writer, levels={"jargon": "block"}, now=NOW)) == "not-allowed"
    assert not TeamPolicy.objects.filter(team=team).exclude(quality_levels={}).exists()


def test_the_database_lets_nobody_soften_a_rule_alone(team: Team) -> None:
    TeamPolicy.objects.create(team=team, quality_levels={"jargon": "block"})
    for looser in ({}, {"jargon": "block", "superlative": "warn"}):
        with pytest.raises(DatabaseError, match="second person"), transaction.atomic():
            TeamPolicy.objects.filter(team=team).update(quality_levels=looser)
    TeamPolicy.objects.filter(team=team).update(quality_levels={"jargon": "block", "link": "block"})


def test_a_blocking_rule_stops_the_approval_in_the_service() -> None:
    scene = a_scene()
    TeamPolicy.objects.filter(team=scene.reviewer.team).update(
        quality_levels={"near-duplicate": "warn", "too-short": "block"}, quality_changed_at=timezone.now()
    )
    refused = approve(member=scene.reviewer, draft=scene.draft)
    assert code(refused) in {"quality", "state", "blocked"}
    assert not Approval.objects.exists()
    scene.draft.refresh_from_db()
    assert scene.draft.state == DraftState.BLOCKED
    assert "the strategy asks for" in scene.draft.state_reason


def test_a_blocking_rule_stops_the_approval_in_the_database() -> None:
    scene = a_scene()
    approval = approved(member=scene.reviewer, draft=scene.draft)
    assert approval.checked.quality is not None
    check = approval.checked
    check.pk, check.quality = None, [{"rule": "jargon", "level": "block", "reason": "", "fix": ""}]
    check.save()
    Approval.objects.filter(pk=approval.pk).update(lapsed_at=NOW, lapse_reason="for the test")
    values = {
        name: getattr(approval, name)
        for name in ("draft", "revision", "payload_sha256", "approved_by", "send_by", "evidence_ids")
    }
    with pytest.raises(DatabaseError, match="quality rule"), transaction.atomic():
        Approval.objects.create(payload=approval.payload, checked=check, **values)


def test_drafts_in_the_queue_are_checked_again_when_the_levels_change(team: Team) -> None:
    a_policy(team=team, quality_levels={})
    draft = a_draft(campaign=a_campaign(team=team), body=JARGON)
    before = draft.state
    assert draft.pk not in outdated_checks(version=VERIFIER_VERSION, limit=10)
    later = timezone.now() + timedelta(minutes=1)
    change_levels(member=a_member(team=team, role="manager"), levels={"too-short": "block"}, now=later)
    assert outdated_checks(version=VERIFIER_VERSION, limit=10) == (draft.pk,)
    review.recheck_queue(now=later + timedelta(minutes=1))
    draft.refresh_from_db()
    assert "too-short" in blocking(draft)
    assert (before, draft.state)[1] == DraftState.BLOCKED
    assert outdated_checks(version=VERIFIER_VERSION, limit=10) == ()


def colleagues(team: Team) -> tuple[Draft, Draft]:
    a_policy(team=team, quality_levels={})
    campaign = a_campaign(team=team)
    first = a_draft(campaign=campaign, prospect=a_prospect(team=team))
    second = a_draft(campaign=campaign, prospect=a_prospect(team=team, full_name="Paula Okafor"), body=BODY.replace("Diego", "Paula"))
    return first, second


def test_colleagues_never_get_the_same_text_whoever_wrote_it(team: Team) -> None:
    first, second = colleagues(team)
    assert (first.state, "near-duplicate" in blocking(first)) == (DraftState.READY, False)
    assert second.state == DraftState.BLOCKED
    assert blocking(second) == {"near-duplicate"}
    assert "Diego Armenta Ruiz, a colleague" in second.state_reason
    edited = edit(second, second.current.body + "\n\nP.S. Thank you.")  # type: ignore[union-attr]
    assert "near-duplicate" in blocking(edited)


def test_the_one_that_is_approved_keeps_its_words_and_the_earlier_one_yields(team: Team) -> None:
    first, second = colleagues(team)
    assert texts_nearby(draft=with_relations(draft_id=first.pk)) == ()
    Draft.objects.filter(pk=second.pk).update(state=DraftState.APPROVED)
    assert [other.name for other in texts_nearby(draft=with_relations(draft_id=first.pk))] == ["Paula Okafor"]
    assert texts_nearby(draft=with_relations(draft_id=second.pk)) == ()
    assert first.current is not None
    recheck(revision=first.current, now=NOW)
    first.refresh_from_db()
    assert first.state == DraftState.BLOCKED


def test_people_elsewhere_and_other_campaigns_are_no_colleagues(team: Team) -> None:
    first, second = colleagues(team)
    elsewhere = Company.objects.create(team=team, normalized_name="claywork", name="Claywork")
    second.prospect.company = elsewhere
    second.prospect.save()
    assert [other.colleague for other in texts_nearby(draft=with_relations(draft_id=second.pk))] == [False]
    Draft.objects.filter(pk=first.pk).update(state=DraftState.REJECTED)
    assert texts_nearby(draft=with_relations(draft_id=second.pk)) == ()
    apart = a_draft(campaign=a_campaign(team=team), prospect=a_prospect(team=team))
    assert texts_nearby(draft=with_relations(draft_id=apart.pk)) == ()


def test_what_a_text_is_compared_with_takes_two_queries_however_many_there_are(
    team: Team, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    _first, second = colleagues(team)
    for _ in range(3):
        a_draft(campaign=second.campaign, prospect=a_prospect(team=team))
    newest = a_draft(campaign=second.campaign, prospect=a_prospect(team=team))
    loaded = with_relations(draft_id=newest.pk)
    with django_assert_num_queries(2):
        assert len(texts_nearby(draft=loaded)) == 5
