"""What was stopped is shown as counted, for this team alone; where there is nothing, the page says so."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from messaging.models import AuthorKind, Claim, Draft, PromptVersion, Revision
from messaging.writing.revisions import recheck
from tests.factories import FALSE_BODY, a_campaign, a_draft
from tests.people import a_member, a_team, signed_in

pytestmark = pytest.mark.django_db


def _page(team, role="analyst", **query):
    client = signed_in(user=a_member(team=team, role=role).user)
    return client.get(reverse("analytics:truth", kwargs={"team": team.slug}), query)


def test_a_stopped_claim_is_counted_once_however_often_its_text_is_checked(django_assert_max_num_queries) -> None:
    now = timezone.now()
    draft = a_draft(campaign=a_campaign(team=a_team()), body=FALSE_BODY, now=now)
    first = Claim.objects.count()
    recheck(revision=draft.current, now=now)
    client = signed_in(user=a_member(team=draft.team, role="analyst").user)
    with django_assert_max_num_queries(6):  # session, user, membership, claims, answers, rejections
        shown = client.get(reverse("analytics:truth", kwargs={"team": draft.team.slug}))
    assert (shown.context["read"], shown.context["stopped"]) == (first, 1)
    assert "<svg" in shown.text
    assert "Title" in shown.text


def _tables(shown) -> dict[str, dict[str, tuple[int, int]]]:
    return {str(name): {row.name: (row.read, row.stopped) for row in rows} for name, rows in shown.context["tables"]}


def test_claims_are_counted_by_model_prompt_version_and_length() -> None:
    now = timezone.now()
    draft = a_draft(campaign=a_campaign(team=a_team()), body=FALSE_BODY, now=now)
    prompt = PromptVersion.objects.create(
        team=draft.team, stage="writing", channel="email", language="en", number=3, text="Write."
    )
    Draft.objects.filter(pk=draft.pk).update(model="small-7b", prompt_version=prompt)
    kind = Revision.objects.get(pk=draft.current_id).author_kind
    tables = _tables(_page(draft.team))
    read = Claim.objects.count()
    by_machine = {"small-7b": (read, 1)} if kind == AuthorKind.MODEL else {}
    assert tables["Model"] == by_machine
    assert tables["Prompt version"] == ({"Version 3 · email · en": (read, 1)} if by_machine else {})
    assert sum(one for one, _ in tables["Length"].values()) == read
    assert all("words" in name for name in tables["Length"])


@pytest.mark.parametrize(
    ("words", "band"),
    [(59, "under 60 words"), (60, "60 to 99 words"), (149, "100 to 149 words"), (150, "150 words and more")],
)
def test_lengths_are_those_of_the_text(words, band) -> None:
    body = "Hi Mira,\n\n" + " ".join(["word"] * (words - 2))
    draft = a_draft(campaign=a_campaign(team=a_team()), body=body, now=timezone.now())
    assert list(_tables(_page(draft.team))["Length"]) == [band]


def test_where_no_model_wrote_the_page_says_so() -> None:
    draft = a_draft(campaign=a_campaign(team=a_team()), body=FALSE_BODY, now=timezone.now())
    Draft.objects.filter(pk=draft.pk).update(model="")
    assert "No text of a language model was checked in this time." in _page(draft.team).text


def test_what_people_did_about_stopped_texts_is_counted() -> None:
    now = timezone.now()
    team = a_team()
    a_draft(campaign=a_campaign(team=team), body=FALSE_BODY, now=now)
    a_draft(campaign=a_campaign(team=a_team()), body=FALSE_BODY, now=now)
    answered = _page(team).context["answered"]
    assert (answered.total, answered.waiting) == (1, 1)


def test_another_teams_claims_are_not_shown() -> None:
    a_draft(campaign=a_campaign(team=a_team()), body=FALSE_BODY, now=timezone.now())
    assert "Nothing was checked in this time" in _page(a_team()).text
    assert "Nobody rejected a message" in _page(a_team(), days="nonsense").text
