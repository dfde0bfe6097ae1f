"""Every kind of evidence: read from the product's own JSON, stored whole, and shown on the page of the person."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse

from outreach.teams.models import Team
from prospects.domain.evidence import Actor, Kind
from prospects.models import Evidence, Prospect
from prospects.queries import fact_of
from tests.people import a_member, a_user, signed_in
from tests.services.prospects.imports import NOW, imported

ON_THE_DAY = ("2026-11-05", "2026-11-05")
IN_THE_MONTH = ("2026-11-01", "2026-11-30")
IN_THE_YEAR = ("2026-01-01", "2026-12-31")
POST_URL = "https://www.linkedin.com/posts/activity-7123456789012345678"


@dataclass(frozen=True)
class Case:
    """Where a kind stands in the form, and what must be stored and shown of it."""

    kind: Kind
    actor: Actor
    given: dict[str, object]
    text: str
    fields: dict[str, str]
    shown: str
    occurred: tuple[str, str] | None = None
    part: str = "prospect"
    url: str = ""
    language: str = ""
    about: str = field(default="prospect")


def of_company(
    kind: Kind, given: dict[str, object], text: str, fields: dict[str, str], shown: str, **more: object
) -> Case:
    actor = Actor.COLLEAGUE if kind is Kind.COLLEAGUE else Actor.COMPANY
    return Case(kind, actor, given, text, fields, shown, part="company", about="company", **more)  # type: ignore[arg-type]


CASES = [
    Case(Kind.NAME, Actor.PROSPECT, {}, "Maren Oduya", {"first_name": "Maren", "last_name": "Oduya"}, "Maren Oduya"),
    Case(Kind.HEADLINE, Actor.PROSPECT, {"headline": "Moving freight"}, "Moving freight", {}, "Headline, their own words"),
    Case(Kind.LOCATION, Actor.PROSPECT, {"location": "Hamburg"}, "Hamburg", {}, "Location"),
    Case(Kind.ABOUT, Actor.PROSPECT, {"about": "I like quiet ports."}, "I like quiet ports.", {}, "I like quiet ports."),
    Case(Kind.PROFILE_LANGUAGE, Actor.PROSPECT, {"profile_language": "de"}, "de", {"code": "de"}, "Language of the profile"),
    Case(Kind.LANGUAGE, Actor.PROSPECT, {"languages": ["German (native)"]}, "German (native)", {"name": "German", "level": "native"}, "Speaks"),
    Case(
        Kind.POSITION, Actor.PROSPECT,
        {"positions": [{"title": "VP Sales", "company": "Tarnhelm", "start": "2026", "end": None, "description": "Runs it."}]},
        "VP Sales, Tarnhelm (2026 to today): Runs it.", {"title": "VP Sales", "company": "Tarnhelm", "start": "2026"}, "VP Sales, Tarnhelm", IN_THE_YEAR,
    ),
    Case(
        Kind.EDUCATION, Actor.PROSPECT, {"education": [{"school": "TU Kiel", "degree": "MSc", "start": "2026-11", "end": "2027"}]},
        "MSc, TU Kiel, 2026-11, 2027", {"school": "TU Kiel", "end": "2027"}, "MSc, TU Kiel", IN_THE_MONTH,
    ),
    Case(Kind.SKILL, Actor.PROSPECT, {"skills": ["Kubernetes"]}, "Kubernetes", {"name": "Kubernetes"}, "Skill"),
    Case(
        Kind.CERTIFICATION, Actor.PROSPECT, {"certifications": [{"name": "CKA", "issuer": "CNCF", "date": "2026-11"}]},
        "CKA, CNCF, 2026-11", {"name": "CKA", "issuer": "CNCF", "date": "2026-11"}, "CNCF", IN_THE_MONTH,
    ),
    Case(
        Kind.AWARD, Actor.PROSPECT, {"awards": [{"title": "Port of the Year", "issuer": "Hafenblatt", "date": "2026"}]},
        "Port of the Year, Hafenblatt, 2026", {"title": "Port of the Year"}, "Port of the Year", IN_THE_YEAR,
    ),
    Case(
        Kind.TALK, Actor.PROSPECT, {"talks": [{"title": "Quiet ports", "event": "BuildCamp", "date": "2026-11-05"}]},
        "Quiet ports, BuildCamp, 2026-11-05", {"event": "BuildCamp"}, "BuildCamp", ON_THE_DAY,
    ),
    Case(
        Kind.PUBLICATION, Actor.PROSPECT,
        {"publications": [{"title": "On noise", "publisher": "Quill", "date": "2026-11-05", "url": "https://quill.example/noise"}]},
        "On noise, Quill, 2026-11-05", {"publisher": "Quill"}, "On noise", ON_THE_DAY, url="https://quill.example/noise",
    ),
    Case(
        Kind.PROJECT, Actor.PROSPECT, {"projects": [{"title": "Harbour One", "start": "2026-11", "end": None, "url": "https://one.example"}]},
        "Harbour One, 2026-11", {"title": "Harbour One"}, "Harbour One", IN_THE_MONTH, url="https://one.example",
    ),
    Case(
        Kind.POST, Actor.PROSPECT, {"posts": [{"id": "post1", "date": "2026-11-05", "kind": "post", "text": "Wir sind umgezogen.", "language": "de", "url": POST_URL}]},
        "Wir sind umgezogen.", {"url": POST_URL}, "Post, their own words", ON_THE_DAY, url=POST_URL, language="de",
    ),
    Case(
        Kind.COMMENT, Actor.PROSPECT, {"posts": [{"id": "post1", "date": "2026-11-05", "kind": "comment", "text": "So true.", "on": "Ola's post", "language": "en"}]},
        "So true.", {"on": "Ola's post"}, "Comment, their own words", ON_THE_DAY, language="en",
    ),
    Case(
        Kind.RESHARE, Actor.OTHER, {"posts": [{"id": "post1", "date": "2026-11-05", "kind": "reshare", "text": "Other words.", "original_author": "Ola Brandt"}]},
        "Other words.", {"original_author": "Ola Brandt"}, "Reshare of Ola Brandt", ON_THE_DAY,
    ),
    of_company(Kind.COMPANY_FACT, {"industry": "Logistics"}, "Logistics", {"attribute": "industry", "value": "Logistics"}, "Company: industry"),
    of_company(
        Kind.COMPANY_NEWS, {"news": [{"id": "n1", "date": "2026-11-05", "title": "Series B", "text": "Twenty million.", "url": "https://t.example/b"}]},
        "Series B\nTwenty million.", {"title": "Series B"}, "Series B", occurred=ON_THE_DAY, url="https://t.example/b",
    ),
    of_company(
        Kind.COLLEAGUE, {"people": [{"full_name": "Ola Brandt", "title": "CFO", "note": "spoke at BuildCamp"}]},
        "Ola Brandt, CFO, spoke at BuildCamp", {"full_name": "Ola Brandt", "note": "spoke at BuildCamp"}, "Ola Brandt",
    ),
    of_company(
        Kind.JOB, {"jobs": [{"title": "Site engineer", "date": "2026-11-05", "text": "Kubernetes.", "url": "https://t.example/jobs/1"}]},
        "Site engineer\nKubernetes.", {"title": "Site engineer"}, "Site engineer", occurred=ON_THE_DAY, url="https://t.example/jobs/1",
    ),
    Case(
        Kind.IN_COMMON, Actor.OTHER, {"in_common": [{"kind": "event", "name": "BuildCamp", "date": "2026-11", "sender_role": "speaker", "prospect_role": "guest"}]},
        "event, BuildCamp, 2026-11, speaker, guest", {"kind": "event", "sender_role": "speaker", "prospect_role": "guest"}, "BuildCamp", IN_THE_MONTH, part="top",
    ),
]  # fmt: skip


def read(team: Team, case: Case) -> Evidence:
    role = {"positions": [{"title": "Director", "company": "Tarnhelm"}]} if case.part == "company" else {}
    prospect: dict[str, object] = {
        "full_name": "Maren Oduya",
        **role,
        **(case.given if case.part == "prospect" else {}),
    }
    company = {"name": "Tarnhelm", **(case.given if case.part == "company" else {})}
    top = case.given if case.part == "top" else {}
    sender = {"full_name": "Nadia Ferrante"}
    data = json.dumps({"dossier_id": "d1", "prospect": prospect, "company": company, "sender": sender, **top})
    imported(team=team, data=data, name="people.json")
    (row,) = [row for row in Evidence.objects.filter(team=team, kind=case.kind.value) if row.text == case.text]
    return row


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.kind.value)
def test_a_kind_is_stored_whole(team: Team, case: Case) -> None:
    row = read(team, case)
    assert (row.actor, row.text) == (case.actor.value, case.text)
    assert case.fields.items() <= row.fields.items()
    span = (row.occurred_first.isoformat(), row.occurred_last.isoformat()) if row.occurred_first else None
    assert span == case.occurred
    assert (row.source, row.source_url, row.observed_at) == ("people.json line 1", case.url, NOW.date())
    assert row.language == case.language
    assert row.content_hash == fact_of(row).content_hash
    assert (row.prospect_id is None, row.company_id is None) == (case.about == "company", case.about == "prospect")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.kind.value)
def test_a_kind_is_shown_with_its_source(team: Team, case: Case) -> None:
    member = a_member(team=team, user=a_user(full_name="Nadia Ferrante"))
    read(team, case)
    where = reverse("prospects:detail", kwargs={"team": team.slug, "pk": Prospect.objects.get().pk})
    answer = signed_in(user=member.user).get(where)
    entry = next(entry for entry in answer.context["entries"] if case.shown in f"{entry.title} {entry.text}")
    assert (entry.source, entry.url) == ("people.json line 1", case.url)
    assert case.shown in answer.content.decode()
    if case.occurred:
        assert entry.when.startswith(
            {ON_THE_DAY: "5 Nov 2026", IN_THE_MONTH: "Nov 2026", IN_THE_YEAR: "2026"}[case.occurred]
        )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.kind.value)
def test_a_kind_is_printed_by_the_command(team: Team, case: Case) -> None:
    read(team, case)
    printed = StringIO()
    call_command("show_prospect", str(Prospect.objects.get().pk), "--json", stdout=printed)
    shown = next(
        item
        for item in json.loads(printed.getvalue())["evidence"]
        if item["kind"] == case.kind.value and item["text"] == case.text
    )
    assert set(shown) == {"id", "kind", "actor", "text", "fields", "occurred", "source", "observed_at"}
    assert shown["occurred"] == (list(case.occurred) if case.occurred else None)


def test_the_table_holds_every_kind_that_is_known_of_people_and_companies() -> None:
    elsewhere = {Kind.CONNECTION, Kind.SENDER, Kind.OFFER, Kind.PROOF_POINT, Kind.INDUSTRY_NOTE}
    assert {case.kind for case in CASES} == set(Kind) - elsewhere
