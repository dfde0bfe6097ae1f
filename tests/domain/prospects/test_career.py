"""Career stages, as tables of cases: positions in, conclusions out."""

from __future__ import annotations

from datetime import date

import pytest

from prospects.domain.card import current_position
from prospects.domain.career import career_of, span_since
from prospects.domain.dates import partial_date
from prospects.domain.evidence import Actor, Evidence, Kind, fields_of
from prospects.domain.title_levels import Level, field_of, is_founder, is_side_role, level_of

TODAY = date(2026, 12, 1)
Role = tuple[str, str, str, str]


def positions(*roles: Role) -> list[Evidence]:
    """(title, company, start, end) each; ref r0, r1, …"""
    return [
        Evidence(
            ref=f"r{number}", kind=Kind.POSITION, actor=Actor.PROSPECT, text=f"{title}, {company}",
            fields=fields_of((("title", title), ("company", company), ("start", start), ("end", end))),
            occurred=partial_date(start) if start else None, observed_at=TODAY,
        )
        for number, (title, company, start, end) in enumerate(roles)
    ]  # fmt: skip


def concluded(*roles: Role) -> dict[str, str]:
    found = career_of(positions(*roles), today=TODAY)
    stages = ",".join(sorted(item.value for item in found if item.name == "stage"))
    return {item.name: item.value for item in found if item.name != "stage"} | {"stages": stages}


@pytest.mark.parametrize(
    ("start", "years", "words"),
    [
        ("2024-11-30", "2", "2 years"),
        ("2024-12-02", "1", "1 year"),
        ("2024", "1-2", "1 to 2 years"),  # a bare year: any day of it
        ("2024-08", "2", "2 years"),
        ("2026-10-15", "0", "1 month"),
        ("2026", "0", "0 to 11 months"),
        ("2026-12-01", "0", "0 months"),
        ("2025-12", "0-1", "0 to 1 years"),
    ],
)
def test_a_span_is_as_precise_as_its_start(start: str, years: str, words: str) -> None:
    interval = partial_date(start)
    assert interval is not None
    span = span_since(interval, TODAY)
    assert span is not None
    assert (span.years, span.words) == (years, words)


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        (
            [("Head of Platform Engineering", "Pipewren", "2024-08", ""), ("Platform Engineer", "Pipewren", "2019-03", "2024-08")],
            {"years_in_role": "2", "years_at_company": "7", "years_in_field": "7", "stages": ""},
        ),
        (  # promoted inside the company, first people to lead
            [("Engineering Manager", "Pipewren", "2026-02", ""), ("Software Engineer", "Pipewren", "2021-01", "2026-02")],
            {"years_in_role": "0", "years_at_company": "5", "years_in_field": "5", "stages": "new_to_management,step_up"},
        ),
        (  # a step up with the change; managed before
            [("VP Sales", "Oakline", "2026-09", ""), ("Sales Manager", "Fenwick", "2020", "2026-08")],
            {"years_in_role": "0", "years_at_company": "0", "years_in_field": "5-6", "stages": "new_in_role,step_up"},
        ),
        (  # an earlier title that names no rank licenses neither
            [("Sales Manager", "Oakline", "2026-09", ""), ("Evangelist", "Fenwick", "2020", "2026-08")],
            {"years_in_role": "0", "years_at_company": "0", "years_in_field": "0", "stages": "new_in_role"},
        ),
        (  # nobody knows what came before
            [("Sales Manager", "Oakline", "2026-09", "")],
            {"years_in_role": "0", "years_at_company": "0", "years_in_field": "0", "stages": "new_in_role"},
        ),
        ([("Founder & CEO", "Lumenfold", "2018", "")], {"years_in_role": "7-8", "years_at_company": "7-8", "stages": "founder,long_in_role"}),
        (
            [("Product Designer", "A", "2026-01", ""), ("Frontend Developer", "B", "2020", "2025-12")],
            {"years_in_role": "0", "years_at_company": "0", "years_in_field": "0", "stages": "new_field"},
        ),
        ([("Leiterin Einkauf", "Nordbau GmbH", "", "")], {"stages": ""}),  # no start, no tenure
        ([("CTO", "A", "2020", "2024")], {"stages": ""}),  # no present role
        ([("CTO", "A", "2027-03", "")], {"stages": ""}),  # not begun yet
        (  # away and back: the years at the company are those since the return
            [("CFO", "A", "2024-01", ""), ("Controller", "B", "2019-01", "2023-12"), ("Analyst", "A", "2010", "2018")],
            {"years_in_role": "2", "years_at_company": "2", "years_in_field": "7", "stages": ""},
        ),
    ],
)  # fmt: skip
def test_what_is_concluded(roles: list[Role], expected: dict[str, str]) -> None:
    assert concluded(*roles) == expected


def test_each_conclusion_names_what_it_rests_on() -> None:
    roles = positions(("Engineering Manager", "P", "2026-02", ""), ("Software Engineer", "P", "2021-01", "2026-02"))
    rests = {f"{item.name}:{item.value}": item.evidence for item in career_of(roles, today=TODAY)}
    assert rests["years_in_role:0"] == ("r0",)
    assert rests["stage:step_up"] == ("r0", "r1")
    assert rests["years_at_company:5"] == ("r0", "r1")


@pytest.mark.parametrize(
    ("title", "level"),
    [
        ("Chief Technology Officer", Level.CHIEF),
        ("Geschäftsführerin", Level.CHIEF),
        ("VP of Engineering", Level.VICE_PRESIDENT),
        ("Vice President Sales", Level.VICE_PRESIDENT),
        ("Head of Growth", Level.HEAD),
        ("Directrice marketing", Level.HEAD),
        ("Leiter Einkauf", Level.HEAD),
        ("Director de Operaciones", Level.HEAD),
        ("Directeur général", Level.CHIEF),
        ("Engineering Manager", Level.MANAGER),
        ("Product Manager", Level.STAFF),
        ("Account Manager", Level.STAFF),
        ("Lead Developer", Level.LEAD),
        ("Entwicklerin", Level.STAFF),
        ("Ontwikkelaar", Level.STAFF),
        ("Evangelist", Level.UNKNOWN),
        ("", Level.UNKNOWN),
    ],
)
def test_ranks(title: str, level: Level) -> None:
    assert level_of(title) is level


@pytest.mark.parametrize(
    ("title", "field"),
    [
        ("Head of Platform Engineering", "engineering"),
        ("Vertriebsleiter", ""),  # compounds are not taken apart
        ("Leiter Vertrieb", "sales"),
        ("Directrice marketing", "marketing"),
        ("Responsable de compras", "procurement"),
        ("IT Manager", "it"),
        ("Evangelist", ""),
    ],
)
def test_fields_of_work(title: str, field: str) -> None:
    assert field_of(title) == field


@pytest.mark.parametrize(
    ("title", "founder"),
    [
        ("Founder", True),
        ("Co-Founder & CEO", True),
        ("Cofondatrice", True),
        ("Gründerin", True),
        ("Mitgründer und CTO", True),
        ("Ex-Founder, now advisor", False),
        ("Foundry Manager", False),
    ],
)
def test_founders(title: str, founder: bool) -> None:
    assert is_founder(title) is founder


@pytest.mark.parametrize(
    "title",
    [
        "Board Advisor", "Advisor", "Member of the Supervisory Board", "Non-Executive Director", "Angel Investor", "Startup Mentor",
        "Beirätin", "Mitglied im Aufsichtsrat", "Membre du conseil d’administration", "Bénévole", "Consejera independiente",
        "Conselheiro", "Volontario", "Lid raad van advies",
    ],
)  # fmt: skip
def test_seats_and_good_deeds_are_side_roles(title: str) -> None:
    assert is_side_role(title)


@pytest.mark.parametrize(
    "title", ["Financial Advisor", "Senior Tax Adviser", "Investor Relations Manager", "Director of Product", "Founder", ""]
)
def test_jobs_are_no_side_roles(title: str) -> None:
    assert not is_side_role(title)


def test_a_newer_seat_on_a_board_does_not_displace_the_job() -> None:
    job, seat = ("VP Product", "Quillmark", "2022-01", ""), ("Board Advisor", "Ledgerlight", "2023", "")
    for roles in ((job, seat), (seat, job)):
        role = current_position(positions(*roles))
        assert role is not None
        assert role.get("title") == "VP Product"
    alone = current_position(positions(seat))
    assert alone is not None
    assert alone.get("title") == "Board Advisor"
