"""Every sample file: its format, its people, and what is peculiar to it."""

from __future__ import annotations

import io
import json
import random
import zipfile
from datetime import date
from pathlib import Path

import pytest

from prospects.domain.evidence import Evidence, Kind
from prospects.domain.formats.registry import read_upload
from prospects.domain.imported import ImportedPerson, Reading
from prospects.domain.reading import Unreadable
from prospects.domain.upload import Upload
from tests.files import SAMPLES

TODAY = date(2026, 12, 1)
MAREN, PRIYANKA, THEO = "Maren Oduya-Lindqvist", "Priyanka Raghavan-Holt", "Théo Brisebois"
JUNK = [
    b'"',
    b"\x00",
    b"\xff",
    b",",
    b";",
    b"\n",
    b"{",
    b"]",
    b"9",
    b"null",
    b"=",
    b":",
    b"\xed\xa0\x80",
    b"\\ud800",
    b"",
    b"31/31/2031",
]
#: file → format, people in order, rows that are not used
EXPECTED = {
    "03_phantombuster_salesnav_search/result.csv": ("phantombuster_search", [MAREN, THEO, MAREN], []),
    "04_phantombuster_profile_scraper/result.csv": ("phantombuster_profile", [PRIYANKA, "Théo B."], []),
    "05_phantombuster_posts/result.csv": ("phantombuster_posts", [PRIYANKA, PRIYANKA], [4]),
    "06_apollo_contacts/apollo-contacts-export-old.csv": ("apollo", [MAREN, THEO], []),
    "06_apollo_contacts/apollo-contacts-export.csv": ("apollo", [MAREN, THEO], []),
    "07_hubspot_contacts/hubspot-crm-exports-all-contacts-2025-03-01.csv": ("hubspot", [THEO, MAREN, MAREN], [4, 6]),
    "07_hubspot_contacts/hubspot-with-associations.csv": ("hubspot", ["Zoë Østergård", "Noor Al Haddad"], []),
    "10_clay_table/Find-people-Table-Default-view-export.csv": ("clay", [MAREN, THEO], []),
    "11_heyreach_conversations/heyreach_conversations_sample.csv": ("heyreach", [MAREN, THEO], []),
    "12_google_contacts/google-new.csv": ("google_contacts", [MAREN, "No Phone Person"], []),
    "12_google_contacts/google-old.csv": ("google_contacts", [MAREN, "Имя Фамилия"], []),
    "13_vcard/android-2.1-quoted-printable.vcf": ("vcard", ["Zoë Østergård", "Bartholomew Quill"], []),
    "13_vcard/apple-3.0-folded.vcf": ("vcard", [PRIYANKA, "نور الحداد"], []),
    "14_json_resume/resume-legacy-0.0.16.json": ("json_resume", ["Kenji Aoyama-Reyes"], []),
    "14_json_resume/resume.json": ("json_resume", ["Ottoline Marsh-Verne"], []),
    "16_proxycurl_person/person-error.json": ("proxycurl", [], [1]),
    "16_proxycurl_person/profiles.json": ("proxycurl", [PRIYANKA, MAREN], []),
    "18_apify_harvestapi/profiles.json": ("apify_harvestapi", [MAREN, "نور الحداد"], []),
    "19_linkedin_posts_json/harvestapi-posts.json": ("linkedin_posts", [MAREN, MAREN], [3]),
    "20_brightdata_people/snapshot.json": ("brightdata", [MAREN], [2, 3]),
    "21_people_data_labs/person.json": ("people_data_labs", [MAREN], []),
    "21_people_data_labs/profiles_python_repr.csv": ("people_data_labs", [MAREN], []),
    "22_rapidapi_fresh_linkedin/profile.json": ("rapidapi_fresh", [PRIYANKA], []),
    "23_linkedin_api_tomquirk/profile.json": ("linkedin_api", ["Kenji Aoyama-Reyes"], []),
    "26_messy_csv/cr_only_classic_mac.csv": ("csv", ["Maren", "Théo"], []),
    "26_messy_csv/european_semicolon_cp1252.csv": ("csv", [THEO, "Zoë Müller-Weiß"], []),
    "26_messy_csv/excel_mangled.csv": ("csv", [MAREN, THEO], []),
    "26_messy_csv/formula_injection.csv": ("csv", [], [2, 3]),
    "26_messy_csv/sep_hint.csv": ("csv", [MAREN], []),
    "26_messy_csv/utf8_bom_quoted_header.csv": ("csv", ["Bartholomew Quill", MAREN], []),
}


def read(name: str, data: bytes | None = None) -> Reading:
    raw = (SAMPLES / name).read_bytes() if data is None else data
    found = read_upload(Upload(file_name=Path(name).name, data=raw), today=TODAY)
    assert isinstance(found, Reading), found
    return found


def of_kind(person: ImportedPerson, kind: Kind) -> list[Evidence]:
    return [item for item in person.evidence if item.kind is kind]


def roles(person: ImportedPerson) -> list[tuple[str, str, str, str]]:
    return [
        (item.get("title"), item.get("company"), item.get("start"), item.get("end"))
        for item in of_kind(person, Kind.POSITION)
    ]


@pytest.mark.parametrize("name", EXPECTED)
def test_a_sample_is_read_as_its_format_with_its_people(name: str) -> None:
    reading = read(name)
    people, skipped = [person.name.full for person in reading.people], [entry.row for entry in reading.skipped]
    assert (reading.format, people, skipped) == EXPECTED[name]


@pytest.mark.parametrize("name", EXPECTED)
def test_every_person_has_a_key_and_evidence_with_source_and_day(name: str) -> None:
    for person in read(name).people:
        assert person.keys
        assert all(item.source and item.observed_at for item in (*person.evidence, *person.about_company))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "03_phantombuster_salesnav_search/result.csv",
            [
                ("VP Revenue Operations", "Tarnhelm Logistics GmbH", "", ""),
                ("Head of Sales Operations", "Lumen Freight AG", "2016-03", "2019-11"),
            ],
        ),
        (
            "04_phantombuster_profile_scraper/result.csv",
            [
                ("VP Product", "Quillmark Analytics, Inc.", "2022-01", ""),
                ("Board Advisor", "Ledgerlight Advisory", "2023", ""),
            ],
        ),
        (
            "16_proxycurl_person/profiles.json",  # the first of January is how that service writes a bare year
            [
                ("VP Product", "Quillmark Analytics, Inc.", "2022", ""),
                ("Board Advisor", "Ledgerlight Advisory", "2023", ""),
                ("Director of Product, Payments", "Bigcorp Holdings plc", "2017-11", "2021"),
            ],
        ),
        (
            "18_apify_harvestapi/profiles.json",
            [
                ("VP Revenue Operations", "Tarnhelm Logistics", "2022-11", ""),
                ("Head of Sales Operations", "Tarnhelm Logistics", "2019-11", "2022-11"),
                ("Sales Operations Lead", "Lumen Freight AG", "2016-03", "2019-11"),
            ],
        ),
        (
            "20_brightdata_people/snapshot.json",
            [
                ("VP Revenue Operations", "Tarnhelm Logistics", "2022-11", ""),
                ("Head of Sales Operations", "Tarnhelm Logistics", "2019-11", "2022-11"),
                ("Sales Operations Lead", "Lumen Freight AG", "2016-03", "2019-11"),
            ],
        ),
        (
            "21_people_data_labs/person.json",
            [
                ("vp revenue operations", "tarnhelm logistics gmbh", "2022-11", ""),
                ("sales operations lead", "lumen freight ag", "2016-03", "2019"),
            ],
        ),
        (
            "22_rapidapi_fresh_linkedin/profile.json",
            [
                ("VP Product", "Quillmark Analytics", "2022-01", ""),
                ("Board Advisor", "Ledgerlight Advisory", "2023", ""),
            ],
        ),
        (
            "23_linkedin_api_tomquirk/profile.json",
            [("Founder", "Hollow Fir", "2016-02", ""), ("Engineer", "FERRAMENTAS EXEMPLO LTDA", "2013", "2015-09")],
        ),
        (
            "14_json_resume/resume.json",
            [("Head of Data", "Pellucid Labs", "2021-05", ""), ("Analyst", "Grandcorp SA", "2016", "2021-04-30")],
        ),
        ("26_messy_csv/sep_hint.csv", [("VP Revenue Operations", "Tarnhelm; Logistics GmbH", "", "")]),
    ],
)
def test_roles_keep_company_and_precision(name: str, expected: list[tuple[str, str, str, str]]) -> None:
    assert roles(read(name).people[0]) == expected


@pytest.mark.parametrize("name", EXPECTED)
def test_mutated_samples_are_read_or_refused(name: str) -> None:
    rng, data = random.Random(name), (SAMPLES / name).read_bytes()
    for _ in range(20):
        mutated = bytearray(data)
        for _ in range(rng.randint(1, 25)):
            place = rng.randrange(len(mutated))
            mutated[place : place + rng.randint(0, 5)] = rng.choice(JUNK)
        found = read_upload(Upload(file_name=Path(name).name, data=bytes(mutated)), today=TODAY)
        assert isinstance(found, (Reading, Unreadable))


def test_a_title_that_names_the_company_is_the_role_alone() -> None:
    assert roles(read("03_phantombuster_salesnav_search/result.csv").people[1])[0][0] == "Directeur commercial"


@pytest.mark.parametrize("name", ["05_phantombuster_posts/result.csv", "19_linkedin_posts_json/harvestapi-posts.json"])
def test_own_posts_are_told_from_reposts(name: str) -> None:
    first, second = read(name).people
    assert [(item.kind, item.actor) for item in first.evidence[1:]] == [("post", "prospect")]
    assert [(item.kind, item.actor) for item in second.evidence[1:]] == [("reshare", "other")]


def test_what_was_liked_is_not_written() -> None:
    assert of_kind(read("20_brightdata_people/snapshot.json").people[0], Kind.POST) == []


def test_a_guessed_address_is_no_identity() -> None:
    rows = (SAMPLES / "06_apollo_contacts/apollo-contacts-export.csv").read_text().replace("Verified", "Extrapolated")
    assert read("apollo.csv", rows.encode()).people[0].emails == ()


def test_one_person_has_one_key_in_all_kinds_of_addresses() -> None:
    reading = read("03_phantombuster_salesnav_search/result.csv")
    assert [key.kind for key in reading.people[0].keys] == ["linkedin_slug", "linkedin_urn"]
    harvest = read("18_apify_harvestapi/profiles.json")
    assert set(reading.people[0].keys) == set(harvest.people[0].keys)


def test_a_table_says_what_it_did_not_use() -> None:
    warnings = read("26_messy_csv/european_semicolon_cp1252.csv").warnings
    assert any("Téléphone" in warning for warning in warnings)
    assert any("not UTF-8" in warning for warning in warnings)


def test_what_a_spreadsheet_spoiled_is_flagged() -> None:
    warnings = " ".join(read("26_messy_csv/excel_mangled.csv").warnings)
    assert "'Jan-20' is not a date" in warnings
    assert "'11-Oct' was a size" in warnings


def test_a_cell_is_never_filled_from_the_row_above() -> None:
    assert read("26_messy_csv/utf8_bom_quoted_header.csv").people[1].emails == ()


def test_two_people_of_one_name_and_company_stay_two() -> None:
    people = read("x.csv", b"Name,Company,Title\nMaren Oduya,T,CEO\nMaren Oduya,T,CTO\n").people
    assert people[0].keys != people[1].keys


@pytest.mark.parametrize(
    ("name", "said"), [("empty.csv", "empty"), ("header_only.csv", "no rows"), ("dates_hard.csv", "none of its columns is named")]
)
def test_samples_without_people_say_why(name: str, said: str) -> None:
    found = read_upload(Upload(file_name=name, data=(SAMPLES / "26_messy_csv" / name).read_bytes()), today=TODAY)
    assert isinstance(found, Unreadable)
    assert said in found.message


# -- formats without a sample, from their description ----------------------------------------
def test_a_salesforce_report_ends_in_a_footer() -> None:
    data = (
        "First Name,Last Name,Title,Account Name,Email,Contact ID\nMaren,Oduya,CRO,Tarnhelm,m@t.example,0031\n\n"
        '"Grand Totals (1 records)"\n"Confidential Information - Do Not Distribute"\n'
        '"Copyright (c) 2000-2026 salesforce.com, inc. All rights reserved."\n'
    )
    reading = read("report.csv", data.encode())
    assert (reading.format, [person.name.full for person in reading.people]) == ("salesforce", ["Maren Oduya"])
    assert {entry.reason for entry in reading.skipped} == {"it is a line of the report's footer"}


def test_zoominfo_names_come_last_name_first() -> None:
    data = (
        "ZoomInfo Contact ID,Last Name,First Name,Job Title,Email Address,LinkedIn Contact Profile URL,Company Name,Website\n"
        "77,Oduya,Maren,CRO,m@t.example,https://www.linkedin.com/in/maren-o,Tarnhelm,tarnhelm.example\n"
    )
    reading = read("zi.csv", data.encode())
    assert (reading.format, reading.people[0].name.full) == ("zoominfo", "Maren Oduya")
    assert reading.people[0].company_domain == "tarnhelm.example"


def test_a_europass_cv_keeps_partial_dates() -> None:
    data = """<?xml version="1.0"?><SkillsPassport xmlns="http://europass.cedefop.europa.eu/Europass"><LearnerInfo>
    <Identification><PersonName><FirstName>Maren</FirstName><Surname>Oduya</Surname></PersonName></Identification>
    <WorkExperienceList><WorkExperience><Period><From year="2013" month="--03" day="-----"/><Current>true</Current></Period>
    <Position><Label>CRO</Label></Position><Employer><Name>Tarnhelm</Name></Employer></WorkExperience>
    <WorkExperience><Period><From year="2009"/><To year="2012" month="--05"/></Period>
    <Position><Label>Clerk</Label></Position><Employer><Name>Lumen</Name></Employer></WorkExperience></WorkExperienceList>
    </LearnerInfo></SkillsPassport>"""
    reading = read("cv.xml", data.encode())
    assert reading.format == "europass"
    assert roles(reading.people[0]) == [("CRO", "Tarnhelm", "2013-03", ""), ("Clerk", "Lumen", "2009", "2012-05")]


@pytest.mark.parametrize(
    ("record", "format_name", "expected"),
    [
        (
            {
                "fullName": "Maren Oduya", "linkedinUrl": "https://www.linkedin.com/in/maren-o", "addressWithCountry": "Hamburg Germany",
                "experiences": [
                    {"title": "CRO", "subtitle": "Tarnhelm · Full-time", "caption": "May 2024 - Present · 1 yr 6 mos"},
                    {"breakdown": True, "title": "Lumen", "subComponents": [{"title": "Lead", "caption": "2019 - Apr 2024 · 5 yrs"}]},
                ],
            },
            "apify_dev_fusion",
            [("CRO", "Tarnhelm", "2024-05", ""), ("Lead", "Lumen", "2019", "2024-04")],
        ),
        (
            {
                "object": "UserProfile", "provider_id": "ACoAAAexample11", "public_identifier": "maren-o", "first_name": "Maren",
                "last_name": "Oduya", "work_experience": [
                    {"position": "CRO", "company": "Tarnhelm", "start": "11/1/2021", "end": None},
                    {"position": "Lead", "company": "Lumen", "start": "2/1/2018", "end": "10/1/2021"},
                ],
            },
            "unipile",
            [("CRO", "Tarnhelm", "2021-11", ""), ("Lead", "Lumen", "2018-02", "2021-10")],
        ),
        (
            {
                "id": 9, "name": "Maren Oduya", "url": "https://www.linkedin.com/in/maren-o", "member_experience_collection": [
                    {"title": "CRO", "company_name": "Tarnhelm", "date_from": "May 2022", "date_to": None, "deleted": 0},
                    {"title": "Gone", "company_name": "Nowhere", "date_from": "2001", "deleted": 1},
                    {"title": "Lead", "company_name": "Lumen", "date_from": "01/2018", "date_to": "04/2022", "deleted": 0},
                ],
            },
            "coresignal",
            [("CRO", "Tarnhelm", "2022-05", ""), ("Lead", "Lumen", "2018-01", "2022-04")],
        ),
    ],
)  # fmt: skip
def test_a_described_form_is_read(record: dict[str, object], format_name: str, expected: list[tuple[str, ...]]) -> None:
    reading = read("x.json", json.dumps([record]).encode())
    assert reading.format == format_name
    assert roles(reading.people[0]) == expected
    assert reading.people[0].keys[0].value == "maren-o"


def workbook(*rows: tuple[str, ...]) -> bytes:
    """The least that is a workbook, with inline strings."""
    cells = "".join(
        f'<row r="{r}">' + "".join(f'<c r="{chr(64 + c)}{r}" t="inlineStr"><is><t>{text}</t></is></c>' for c, text in enumerate(row, 1)) + "</row>"
        for r, row in enumerate(rows, 1)
    )  # fmt: skip
    main, package = (
        "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
        "http://schemas.openxmlformats.org/package/2006",
    )
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    files = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type="{relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{relations}"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" Type="{relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{cells}</sheetData></worksheet>',
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return packed.getvalue()


def test_a_workbook_is_read_as_a_table() -> None:
    data = workbook(("Legend",), ("Name", "E-Mail", "Firma"), ("Maren Oduya", "m@t.example", "Tarnhelm"))
    reading = read("people.xlsx", data)
    assert (reading.format, reading.people[0].name.full, reading.people[0].emails) == (
        "xlsx",
        "Maren Oduya",
        ("m@t.example",),
    )


def test_a_tools_export_saved_as_a_workbook_keeps_its_format() -> None:
    data = workbook(("Record ID", "First Name", "Last Name", "Email"), ("1", "Maren", "Oduya", "m@t.example"))
    assert read("hubspot.xlsx", data).format == "hubspot"


def test_a_broken_workbook_is_refused() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook")
    found = read_upload(Upload(file_name="x.xlsx", data=packed.getvalue()), today=TODAY)
    assert isinstance(found, Unreadable)
