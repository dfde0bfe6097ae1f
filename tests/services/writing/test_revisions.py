"""Texts of a draft: each one checked, none silently replaced."""

from __future__ import annotations

from datetime import timedelta

import pytest
from pytest_django.fixtures import DjangoAssertNumQueries

from messaging.models import AuthorKind, AuthorshipKind, Draft, DraftState, Revision
from messaging.writing.checking import Checked, others_of
from messaging.writing.revisions import check_typed, live_check, recheck, store_revision
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team, User
from tests.factories import (
    BODY,
    FALSE_BODY,
    NOW,
    SUBJECT,
    a_campaign,
    a_draft,
    a_policy,
    a_prospect,
    an_unwritten_draft,
)
from tests.people import a_team, a_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def draft(team: Team) -> Draft:
    a_policy(team=team)
    return a_draft(campaign=a_campaign(team=team))


def edit(draft: Draft, body: str, *, by: User | None = None) -> Revision | Refusal:
    edited = store_revision(
        draft=draft, author_kind=AuthorKind.PERSON, subject=SUBJECT, body=body, declared=None,
        authors={by or a_user(): AuthorshipKind.EDITED}, inherit_from=draft.current, now=NOW,
    )  # fmt: skip
    draft.refresh_from_db()
    return edited


def test_a_false_edit_blocks_and_a_true_one_frees_again(draft: Draft) -> None:
    edit(draft, FALSE_BODY)
    assert (draft.state, "c" in draft.verdicts) == ("blocked", True)
    assert "Chief Technology Officer" in draft.state_reason
    edit(draft, BODY)
    assert (draft.state, draft.state_reason, draft.open_findings) == ("ready", "", 0)
    assert draft.revisions.count() == 3


def test_everyone_who_shaped_a_text_is_an_author_of_the_next(draft: Draft) -> None:
    first, second = a_user(), a_user()
    edit(draft, FALSE_BODY, by=first)
    edit(draft, BODY, by=second)
    assert draft.current is not None
    assert set(draft.current.authorships.values_list("user_id", flat=True)) == {first.pk, second.pk}


@pytest.mark.parametrize(
    ("state", "code"),
    [("approved", "closed"), ("sent", "closed"), ("cancelled", "closed"), ("writing", "being-written")],
)
def test_a_text_that_may_not_change_is_not_changed(draft: Draft, state: str, code: str) -> None:
    Draft.objects.filter(pk=draft.pk).update(state=state)
    refused = edit(draft, FALSE_BODY)
    assert isinstance(refused, Refusal)
    assert (refused.code, draft.revisions.count()) == (code, 1)


def test_typing_is_checked_and_leaves_nothing(draft: Draft) -> None:
    assert live_check(draft=draft, subject=SUBJECT, body=BODY, now=NOW).passes
    typed = check_typed(draft=draft, subject=SUBJECT, body=FALSE_BODY, now=NOW)
    assert isinstance(typed, Checked)
    assert not typed.clean
    assert draft.revisions.count() == 1


def test_what_was_never_written_cannot_be_checked(team: Team) -> None:
    unwritten = an_unwritten_draft(campaign=a_campaign(team=team), dossier=None)
    assert isinstance(check_typed(draft=unwritten, subject="", body=BODY, now=NOW), Refusal)


def test_a_recheck_adds_to_the_record_and_settles_the_draft(draft: Draft) -> None:
    assert draft.current is not None
    check = recheck(revision=draft.current, now=NOW)
    assert (check.passes, draft.current.checks.count()) == (True, 2)


def test_another_persons_name_in_the_text_blocks(draft: Draft) -> None:
    a_draft(campaign=draft.campaign, prospect=a_prospect(team=draft.team, full_name="Ottilie Brandvold"))
    edit(draft, BODY.replace("Would a short", "Ottilie Brandvold sends her regards. Would a short"))
    assert draft.state == "blocked"


def test_what_the_campaign_bars_blocks_whatever_the_policy(draft: Draft) -> None:
    type(draft.campaign).objects.filter(pk=draft.campaign_id).update(must_not_say="shared support inbox")
    edit(draft, BODY)
    assert draft.state == "blocked"
    assert "shared support inbox" in draft.state_reason


@pytest.mark.parametrize(("strict", "state"), [(True, "blocked"), (False, "ready")])
def test_policy_says_whether_a_missing_request_blocks(draft: Draft, strict: bool, state: str) -> None:
    a_policy(team=draft.team, quality_blocks=strict)
    edit(draft, BODY.replace("Would a short call be useful?\n\n", ""))
    assert draft.state == state


def test_the_name_of_another_prospect_of_the_team_blocks_a_text() -> None:
    campaign = a_campaign(team=a_team())
    stranger, foreigner = "Marta Villalobos", "Ines de la Cruz"
    a_prospect(team=campaign.team, full_name=stranger)
    a_prospect(team=a_team(), full_name=foreigner)
    mixed_up = a_draft(campaign=campaign, body=BODY.replace("Would a short", f"I wrote the same to {stranger}. Would a short"))
    assert mixed_up.state == DraftState.BLOCKED
    assert f"“{stranger}” belongs to another prospect's record." in mixed_up.state_reason
    other = a_draft(campaign=campaign, body=BODY.replace("Would a short", f"I wrote the same to {foreigner}. Would a short"))
    assert "another prospect's record" not in other.state_reason


def test_the_names_of_a_campaign_are_read_once_a_minute(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    draft = a_draft(campaign=a_campaign(team=a_team()))
    others_of(draft=draft, now=NOW)
    with django_assert_num_queries(1):
        others_of(draft=draft, now=NOW + timedelta(seconds=59))
    a_prospect(team=draft.team, full_name="Marta Villalobos")
    assert "Marta Villalobos" in others_of(draft=draft, now=NOW).names
