"""Whom the filters find, what is counted and explained, and that it stays quick and bounded."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from messaging.enrolment.domain.audience import EVERYBODY, Audience
from messaging.enrolment.domain.exclusions import Why
from messaging.enrolment.queries.audience import Size, audience_of, people_of, size_of
from messaging.enrolment.services.audiences import count_audience, explain_audience, read_texts, save_audience
from messaging.models import Delivery, TextReading
from outreach.teams.models import AuditEvent, Team
from prospects.domain.evidence import Actor, Kind
from prospects.models import Company, Evidence, ImportBatch, ImportStep, Prospect
from tests.factories import NOW, TODAY, a_campaign, a_prospect, evidence
from tests.people import a_member
from tests.services.delivery.scenes import a_delivery
from tests.services.enrolment.crowds import a_crowd

pytestmark = pytest.mark.django_db


def found(team: Team, **parts: object) -> set[int]:
    audience = Audience(**parts)  # type: ignore[arg-type]
    read_texts(people=Prospect.objects.filter(team=team), audience=audience)
    return set(people_of(team=team, audience=audience, now=NOW).values_list("pk", flat=True))


def a_fact(company: Company | None, attribute: str, value: str) -> None:
    assert company is not None
    Evidence.objects.create(
        team=company.team, company=company, kind="company_fact", actor="company", text=value, content_hash=f"{attribute}{value}",
        fields={"attribute": attribute, "value": value}, observed_at=TODAY, source="people.csv",
    )


@pytest.fixture
def ana(team: Team) -> Prospect:
    """A Portuguese chief at a small bank, connected, who has said nothing herself."""
    bank = Company.objects.create(team=team, name="Banco", normalized_name="banco")
    a_fact(bank, "industry", "Retail Banking")
    a_fact(bank, "size", "11-50 employees")
    person = a_prospect(team=team, full_name="Ana Prado", title="CEO", location="Lisboa, Portugal", language="pt", company=bank, first_degree=True)
    Evidence.objects.filter(prospect=person, kind="post").update(state="retracted")
    return person


@pytest.fixture
def ben(team: Team) -> Prospect:
    """A German engineer whose role was last seen a year ago, with an old post and somebody in common."""
    works = Company.objects.create(team=team, name="Werk", normalized_name="werk")
    a_fact(works, "industry", "Machinery")
    a_fact(works, "size", "5001-10000")
    person = a_prospect(team=team, full_name="Ben Rau", title="Senior Software Engineer", location="Berlin, Germany", language="", company=works)
    Evidence.objects.filter(prospect=person).update(state="superseded")
    evidence(prospect=person, kind=Kind.POSITION, text="Engineer, Werk", fields={"title": "Engineer"}, observed_at=TODAY - timedelta(days=365), occurred="2020")
    evidence(prospect=person, kind=Kind.POST, text="On lathes.", occurred="2024-01", fields={"id": "1"})
    evidence(prospect=person, kind=Kind.IN_COMMON, text="Eva Holt", actor=Actor.OTHER, fields={"kind": "mutual_connection", "with": "Naledi Mokoena"})
    return person


@pytest.mark.parametrize(
    ("parts", "who"),
    [
        ({}, "ab"),
        ({"title": "software senior"}, "b"),
        ({"title": "pilot"}, ""),
        ({"seniority": ("chief",)}, "a"),
        ({"seniority": ("staff", "lead")}, "b"),
        ({"functions": ("engineering",)}, "b"),
        ({"industry": "banking"}, "a"),
        ({"industry": "machin"}, "b"),
        ({"sizes": ("11-50",)}, "a"),
        ({"sizes": ("5001-10000", "1-10")}, "b"),
        ({"countries": ("PT",)}, "a"),
        ({"countries": ("DE", "PT")}, "ab"),
        ({"languages": ("pt",)}, "a"),
        ({"languages": ("unknown",)}, "b"),
        ({"seen_days": 30}, "a"),
        ({"seen_days": 400}, "ab"),
        ({"layers": ("contextual",)}, "ab"),
        ({"layers": ("motivational",)}, "b"),
        ({"layers": ("situational",)}, ""),
        ({"connected": "first"}, "a"),
        ({"connected": "none"}, "b"),
        ({"connected": "mutual"}, "b"),
        ({"seniority": ("chief",), "countries": ("DE",)}, ""),
    ],
)
def test_each_filter_finds_whom_it_says(team: Team, ana: Prospect, ben: Prospect, parts: dict[str, object], who: str) -> None:
    people = {"a": ana.pk, "b": ben.pk}
    assert found(team, **parts) == {people[letter] for letter in who}


def test_news_of_the_company_is_something_happening_now(team: Team, ben: Prospect) -> None:
    Evidence.objects.create(
        team=team, company=ben.company, kind="company_news", actor="company", text="Opened a plant.", content_hash="n", fields={},
        observed_at=TODAY, source="feed", occurred_first=TODAY - timedelta(days=20), occurred_last=TODAY - timedelta(days=20),
    )
    assert found(team, layers=("situational",)) == {ben.pk}


def test_what_is_in_common_holds_for_the_team_mate_who_is_named(team: Team, ana: Prospect, ben: Prospect) -> None:
    mine, other = a_member(team=team).user, a_member(team=team).user
    a_campaign(team=team, user=mine)
    evidence(prospect=ana, kind=Kind.CONNECTION, text="Connected", actor=Actor.OTHER, fields={"degree": "1", "to_id": str(other.pk)})
    assert found(team, owner=mine.pk) == {ben.pk}
    assert found(team, owner=other.pk) == {ana.pk}
    assert found(team, owner=mine.pk, connected="first") == set()


def test_who_was_written_to_lately_is_not_asked_again(team: Team, ana: Prospect) -> None:
    delivery = a_delivery(team=team)
    Delivery.objects.filter(pk=delivery.pk).update(state="claimed")
    Delivery.objects.filter(pk=delivery.pk).update(state="sent", sent_at=NOW - timedelta(days=10))
    assert found(team, quiet_days=9) == {ana.pk, delivery.prospect_id}
    assert found(team, quiet_days=11) == {ana.pk}


def test_an_import_is_an_audience_of_its_own_team(team: Team, other_team: Team, ana: Prospect, ben: Prospect) -> None:
    batch = ImportBatch.objects.create(team=team, file_name="fair.csv", file_sha256="x")
    ImportStep.objects.create(batch=batch, first=0, rows=1, prospect_ids=[ben.pk, 10**9])
    foreign = ImportBatch.objects.create(team=other_team, file_name="theirs.csv", file_sha256="y")
    ImportStep.objects.create(batch=foreign, first=0, rows=1, prospect_ids=[ana.pk])
    assert found(team, batch=batch.pk) == {ben.pk}
    assert found(team, batch=foreign.pk) == set()


def test_other_teams_people_and_merged_or_erased_records_are_nobody(team: Team, other_team: Team, ana: Prospect, ben: Prospect) -> None:
    a_prospect(team=other_team)
    Prospect.objects.filter(pk=ben.pk).update(state="merged")
    assert found(team) == {ana.pk}


def test_only_digests_of_titles_are_kept(team: Team, ana: Prospect) -> None:
    found(team, seniority=("chief",))
    assert {row.value for row in TextReading.objects.all()} == {"chief", ""}
    assert not any("ceo" in str(field).lower() for row in TextReading.objects.values_list() for field in row)


def test_everybody_left_out_is_counted_with_the_reason(team: Team, ana: Prospect, ben: Prospect) -> None:
    campaign = a_campaign(team=team, languages=["en", "pt"])
    fit = a_prospect(team=team)
    mate = a_prospect(team=team)
    told = explain_audience(team=team, campaign=campaign, audience=EVERYBODY, now=NOW)
    assert dict(told.reasons) == {Why.LANGUAGE_UNKNOWN: 1, Why.SAME_COMPANY_AND_DAY: 1}
    assert (told.looked_at, told.whole, told.fit) == (4, True, 2)
    assert set(told.first) == {ana.pk, fit.pk}
    assert mate.pk not in told.first


def test_a_saved_audience_is_read_back_and_audited(team: Team, ana: Prospect) -> None:
    campaign, writer = a_campaign(team=team), a_member(team=team, role="writer")
    assert audience_of(campaign=campaign) == EVERYBODY
    for audience in (Audience(title="ceo"), Audience(countries=("PT",), fresh_only=False)):
        save_audience(member=writer, campaign=campaign, audience=audience, now=NOW)
        assert audience_of(campaign=campaign) == audience
    assert [event.details for event in AuditEvent.objects.filter(action="audience.saved").order_by("pk")] == [
        {"filters": ["title"]}, {"filters": ["countries", "fresh_only"]},
    ]


def test_a_large_team_is_counted_in_bounded_time(team: Team) -> None:
    a_crowd(team=team, people=100)

    def size(audience: Audience, cap: int) -> Size:
        read_texts(people=Prospect.objects.filter(team=team), audience=audience)
        return size_of(team=team, audience=audience, now=NOW, most=40, cap=cap)

    assert size(Audience(title="ceo"), 50) == Size(number=20, people=100, looked_at=100)
    assert size(Audience(title="ceo"), 10) == Size(number=10, people=100, capped=True, looked_at=100)
    assert size(Audience(seniority=("chief",)), 50) == Size(number=20, people=100, estimated=True, looked_at=40)


def test_counting_and_explaining_cost_a_fixed_number_of_queries(
    team: Team, django_assert_max_num_queries: Callable[..., object]
) -> None:
    campaign = a_campaign(team=team)
    a_crowd(team=team, people=50)
    audience = Audience(title="e", seniority=("chief", "head"), countries=("DE",), layers=("contextual",), seen_days=90, quiet_days=5)
    count_audience(team=team, audience=audience, now=NOW)
    with django_assert_max_num_queries(5):
        count_audience(team=team, audience=audience, now=NOW)
    with django_assert_max_num_queries(6):
        explain_audience(team=team, campaign=campaign, audience=audience, now=NOW)
