"""The statement that leaves people out agrees with the rule, on random people."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from uuid import uuid4

import pytest
from django.utils import timezone

from messaging.enrolment.domain.exclusions import Candidate, Limits, Why, exclusion_of
from messaging.enrolment.services.audiences import screen_for
from messaging.models import Delivery, Enrolment
from messaging.verification.language import resolve
from outreach.campaigns.models import Campaign
from outreach.teams.models import Team
from prospects import suppression
from prospects.models import Company, Evidence, Merge, Prospect, Suppression
from tests.factories import NOW, a_campaign, a_policy
from tests.services.delivery.scenes import a_delivery

pytestmark = pytest.mark.django_db
TODAY = NOW.date()
CHANNELS = ("email", "linkedin_connection", "linkedin_message", "inmail")
LANGUAGES = ("", "en", "de", "pt-BR", "pt", "fi", "xx")
PEOPLE = 60


def _sent_to(*, team: Team, days: int) -> Prospect:
    """Somebody to whom a message left so many days ago, by a campaign that is done with them."""
    delivery = a_delivery(team=team)
    Delivery.objects.filter(pk=delivery.pk).update(state="claimed")
    Delivery.objects.filter(pk=delivery.pk).update(state="sent", sent_at=NOW - timedelta(days=days))
    Enrolment.objects.filter(pk=delivery.draft.enrolment_id).update(state="finished", created_at=NOW - timedelta(days=95))
    return delivery.prospect


def _role(*, prospect: Prospect, seen: int, ended: bool) -> None:
    Evidence.objects.create(
        team=prospect.team, prospect=prospect, kind="position", actor="prospect", text="Head", content_hash=uuid4().hex,
        fields={"title": "Head", **({"end": "2025-01"} if ended else {})}, observed_at=TODAY - timedelta(days=seen),
        last_seen_at=None, source="people.csv",
    )


def _a_random_person(rng: Random, *, team: Team, companies: list[Company], number: int) -> Prospect:
    return Prospect.objects.create(
        team=team, full_name=f"Person {number}", company=rng.choice([*companies, None]),
        email=rng.choice(["", f"p{number}@a{number % 3}.example"]), linkedin_url=rng.choice(["", f"https://www.linkedin.com/in/p{number}"]),
        first_degree=rng.random() < 0.4, language=rng.choice(LANGUAGES),
        state=rng.choice(["active"] * 12 + ["conflicted", "merged", "erased"]),
    )


def _random_facts(
    rng: Random, *, person: Prospect, here: Campaign, there: Campaign
) -> tuple[int | None, bool, bool, str | None]:
    """(days since the role was seen, enrolled here, enrolled elsewhere, the list that suppresses them)"""
    seen = rng.choice([None, 5, 179, 180, 181, 400])
    if seen is not None:
        _role(prospect=person, seen=seen, ended=False)
    if rng.random() < 0.3:
        _role(prospect=person, seen=1, ended=True)
    was, busy = rng.random() < 0.1, rng.random() < 0.1
    if was:
        _enrolled(person, campaign=here, state="removed", days=2)
    if busy:
        _enrolled(person, campaign=there, state=rng.choice(["active", "paused"]), days=rng.choice([0, 3]))
    listed = rng.choice([None] * 6 + ["", "customer", "opt_out"]) if person.email else None
    if listed is not None:
        row = suppression.suppress(team=person.team, actor=None, kind="email", value=person.email, reason="asked", now=NOW)
        assert isinstance(row, Suppression)
        Suppression.objects.filter(pk=row.pk).update(origin=listed)
    return seen, was, busy, listed


def _enrolled(person: Prospect, *, campaign: Campaign, state: str, days: int) -> None:
    Enrolment.objects.create(
        team=person.team, campaign=campaign, prospect=person, state=state, created_at=NOW - timedelta(days=days)
    )


def _candidate(
    person: Prospect, facts: tuple[int | None, bool, bool, str | None], *, contacted_on: date | None, mates: int, was: bool
) -> Candidate:
    seen, here, there, listed = facts
    return Candidate(
        state=person.state, suppressed=listed is not None, customer=listed == "customer", enrolled_here=here or was,
        active_elsewhere=there, has_email=bool(person.email), has_profile=bool(person.linkedin_url),
        first_degree=person.first_degree, language=person.language, contacted_on=contacted_on,
        role_seen=None if seen is None else TODAY - timedelta(days=seen), company_mates=mates,
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(8))
def test_the_statement_agrees_with_the_rule(team: Team, seed: int) -> None:
    rng = Random(seed)
    a_policy(team=team)
    allowed = rng.choice([[], ["en"], ["en", "de"], ["pt"], ["de"]])
    campaign = a_campaign(team=team, channel=rng.choice(CHANNELS), languages=allowed)
    elsewhere = a_campaign(team=team)
    companies = [Company.objects.create(team=team, name=f"C{n}", normalized_name=f"c{n}") for n in range(8)]
    limits = Limits(
        rested_since=rng.choice([None, TODAY - timedelta(days=30)]), fresh_since=rng.choice([None, TODAY - timedelta(days=180)]),
        sure_language=rng.random() < 0.5, per_company=rng.choice([0, 1, 2]),
    )
    people, facts = [], {}
    for number in range(PEOPLE):
        person = _a_random_person(rng, team=team, companies=companies, number=number)
        people.append(person)
        facts[person.pk] = _random_facts(rng, person=person, here=campaign, there=elsewhere)
    contacted = {}
    for days in (0, 29, 30, 31, 90):
        person = _sent_to(team=team, days=days)
        contacted[person.pk] = TODAY - timedelta(days=days)
        facts[person.pk] = (10, False, False, None)
        people.append(person)
    absorbed, kept = rng.sample(people, 2)
    Merge.objects.create(team=team, kept=kept, absorbed=absorbed, absorbed_state="active")
    day = timezone.localtime(NOW).replace(hour=0, minute=0, second=0, microsecond=0)
    mates = {
        company.pk: Enrolment.objects.filter(prospect__company=company, created_at__gte=day).count() for company in Company.objects.filter(team=team)
    }
    want = {}
    for person in sorted(people, key=lambda one: one.pk):
        candidate = _candidate(
            person, facts[person.pk], contacted_on=contacted.get(person.pk), mates=mates.get(person.company_id or 0, 0),
            was=person is kept and facts[absorbed.pk][1],
        )
        why = exclusion_of(
            candidate=candidate, channel=campaign.channel, allowed=tuple(allowed), limits=limits,
            can_be_checked=lambda code: bool(resolve(code)),
        )
        want[person.pk] = why
        if why is None and person.company_id:
            mates[person.company_id] += 1
    ids = [person.pk for person in people]
    screen = screen_for(campaign=campaign, ids=ids, limits=limits, now=NOW)
    told = screen.told(ids)
    assert told == want
    enrolled, excluded = screen.enrol(ids, now=NOW)
    assert enrolled == sum(why is None for why in want.values())
    assert excluded == {why: list(want.values()).count(why) for why in set(want.values()) - {None}}
    assert set(Enrolment.objects.filter(campaign=campaign, state="active").values_list("prospect_id", flat=True)) == {
        pk for pk, why in want.items() if why is None
    }


def test_who_is_not_of_the_team_is_not_told_of(team: Team, other_team: Team) -> None:
    stranger = Prospect.objects.create(team=other_team, full_name="Somebody", email="a@b.example", language="en")
    screen = screen_for(campaign=a_campaign(team=team), ids=[stranger.pk], limits=Limits(), now=NOW)
    assert screen.told([stranger.pk]) == {}
    assert screen.enrol([stranger.pk], now=NOW) == (0, {})


def test_a_person_in_two_chunks_is_enrolled_once(team: Team) -> None:
    person = Prospect.objects.create(team=team, full_name="Somebody", email="a@b.example", language="en")
    campaign = a_campaign(team=team)
    for enrolled, excluded in ((1, {}), (0, {Why.ENROLLED_ALREADY: 1})):
        screen = screen_for(campaign=campaign, ids=[person.pk], limits=Limits(), now=NOW)
        assert screen.enrol([person.pk], now=NOW) == (enrolled, excluded)
