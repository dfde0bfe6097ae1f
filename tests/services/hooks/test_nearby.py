"""What the ranking learns from the rest of the team: how rare a thing is, and what was said to people nearby."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest
from pytest_django import DjangoAssertNumQueries

from messaging.hooks.queries import rarity_for, used_nearby
from messaging.hooks.services import FRESH_FOR, count_due, count_shared_things
from messaging.models import Draft, DraftState, SharedThing
from messaging.writing.dossiers import thaw
from messaging.writing.services import write_due
from outreach.teams.models import Team
from prospects.domain.evidence import Actor, Kind
from prospects.domain.evidence import Evidence as Fact
from prospects.models import Evidence, Prospect
from tests.factories import BODY, NOW, TODAY, a_campaign, a_draft, a_policy, a_prospect, an_unwritten_draft, evidence
from tests.people import a_team

pytestmark = pytest.mark.django_db
NEWS = "Pipewren opened a support centre in Guadalajara with 40 desks."


def a_policed_team() -> Team:
    team = a_team()
    a_policy(team=team)
    return team


def company_news(prospect: Prospect) -> Evidence:
    fact = Fact(ref="news1", kind=Kind.COMPANY_NEWS, actor=Actor.COMPANY, text=NEWS)
    return Evidence.objects.create(
        team=prospect.team, company=prospect.company, kind=Kind.COMPANY_NEWS, actor=Actor.COMPANY, text=NEWS, ref="news1",
        fields={"title": "A new centre"}, occurred_first=TODAY - timedelta(days=9),
        occurred_last=TODAY - timedelta(days=9), observed_at=TODAY, source="feed", content_hash=fact.content_hash,
    )  # fmt: skip


def with_skill(team: Team, *names: str) -> Prospect:
    prospect = a_prospect(team=team)
    for name in names:
        evidence(prospect=prospect, kind=Kind.SKILL, text=name, fields={"name": name})
    return prospect


def test_things_are_counted_by_people_and_within_the_team() -> None:
    team, other = a_team(), a_team()
    with_skill(team, "Kafka", "Lace making")
    with_skill(team, "kafka ")
    with_skill(other, "Lace making")
    count_shared_things(team=team, now=NOW)
    counts = dict(SharedThing.objects.values_list("key", "people"))
    assert counts == {"skill:kafka": 2}
    assert set(SharedThing.objects.values_list("team", flat=True)) == {team.pk}


def test_counting_again_replaces_and_only_what_is_a_day_old_is_counted() -> None:
    team = a_team()
    with_skill(team, "Kafka")
    count_shared_things(team=team, now=NOW)
    with_skill(team, "Kafka")
    with_skill(team, "Kafka")
    assert count_due(now=NOW + timedelta(hours=1)) == 0
    assert not SharedThing.objects.exists()
    assert count_due(now=NOW + FRESH_FOR) == 1
    assert SharedThing.objects.get().people == 3


def test_a_shared_skill_is_less_rare_than_one_of_their_own(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    team = a_policed_team()
    prospect = with_skill(team, "Kafka", "Lace making")
    company_news(prospect)
    with_skill(team, "Kafka")
    count_shared_things(team=team, now=NOW)
    draft = an_unwritten_draft(campaign=a_campaign(team=team), prospect=prospect)
    assert draft.dossier is not None
    dossier = thaw(frozen=draft.dossier, send_by=TODAY)
    with django_assert_num_queries(3):
        rarity = rarity_for(prospect=prospect, dossier=dossier)
    told = {item.text: rarity.get(item.ref, 1.0) for item in dossier.items}
    assert told["Kafka"] < 1 == told["Lace making"]
    assert told[NEWS] < 1


def used_news(draft: Draft, news: Evidence) -> None:
    """The draft's text is taken to cite the news: a claim of its check says so."""
    assert draft.current is not None
    checked = draft.current.checks.latest("pk")
    checked.claims.create(
        field_name="body",
        start=0,
        end=4,
        span=BODY[:4],
        type="company",
        verdict="verified",
        reason="",
        evidence=["1"],
        evidence_ids=[news.pk],
    )


@pytest.mark.parametrize(
    ("state", "seen"), [(DraftState.READY, True), (DraftState.SENT, True), (DraftState.CANCELLED, False)]
)
def test_news_told_to_a_colleague_is_used(state: str, seen: bool) -> None:
    team = a_policed_team()
    campaign = a_campaign(team=team)
    colleague, prospect = a_prospect(team=team, full_name="Bo Lund"), a_prospect(team=team)
    news = company_news(prospect)
    draft = a_draft(campaign=campaign, prospect=colleague)
    used_news(draft, news)
    Draft.objects.filter(pk=draft.pk).update(state=state)
    used = used_nearby(prospect=prospect, campaign_id=campaign.pk, now=NOW)
    assert (used.get(str(news.pk)) == "on Bo Lund at the same company") is seen
    assert (news.content_hash in used) is seen
    assert used_nearby(prospect=colleague, campaign_id=campaign.pk, now=NOW) == {}


def test_what_another_campaign_said_to_them_is_used() -> None:
    team = a_policed_team()
    prospect = a_prospect(team=team)
    first, second = a_campaign(team=team, name="Spring"), a_campaign(team=team)
    news = company_news(prospect)
    used_news(a_draft(campaign=first, prospect=prospect), news)
    assert used_nearby(prospect=prospect, campaign_id=second.pk, now=NOW)[str(news.pk)] == "by the campaign “Spring”"
    assert str(news.pk) not in used_nearby(prospect=prospect, campaign_id=first.pk, now=NOW)


def test_a_used_hook_is_marked_in_the_written_draft() -> None:
    team = a_policed_team()
    campaign = a_campaign(team=team)
    colleague, prospect = a_prospect(team=team, full_name="Bo Lund"), a_prospect(team=team)
    news = company_news(prospect)
    other = a_draft(campaign=campaign, prospect=colleague, body=BODY.replace("Diego", "Bo"))
    assert other.state == DraftState.READY
    used_news(other, news)
    draft = an_unwritten_draft(campaign=campaign, prospect=prospect)
    write_due(only=[draft.pk], model=None, now=NOW, rng=Random(7), clock=lambda: NOW)
    draft.refresh_from_db()
    (told,) = [hook for hook in draft.hooks if hook["kind"] == "company_news"]
    assert "already used on Bo Lund at the same company" in told["reason"]
    assert draft.hooks[0]["kind"] == "post"
