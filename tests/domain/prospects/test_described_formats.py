"""Forms that are described and of which no sample lies beside the description, made by hand."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from datetime import date

import pytest

from prospects.domain.evidence import Kind
from prospects.domain.formats.registry import read_upload
from prospects.domain.imported import ImportedPerson, Reading
from prospects.domain.upload import Upload
from tests.files import SAMPLES

TODAY = date(2026, 12, 1)


def read(name: str, data: bytes | str | Mapping[str, object] | Sequence[object]) -> Reading:
    raw = data if isinstance(data, bytes) else (data if isinstance(data, str) else json.dumps(data)).encode()
    found = read_upload(Upload(file_name=name, data=raw), today=TODAY)
    assert isinstance(found, Reading), found
    return found


def facts(person: ImportedPerson, kind: Kind, *fields: str) -> list[tuple[str, ...]]:
    return [tuple(item.get(name) for name in fields) for item in person.evidence if item.kind is kind]


def roles(person: ImportedPerson) -> list[tuple[str, ...]]:
    return facts(person, Kind.POSITION, "title", "company", "start", "end")


def wide(*rows: Sequence[str]) -> bytes:
    """UTF-16, tabs, all quoted, under the name of a CSV."""
    lines = ("\t".join(f'"{cell}"' for cell in row) for row in rows)
    return b"\xff\xfe" + "\r\n".join(lines).encode("utf-16-le")


def archive(files: Mapping[str, bytes | str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as target:
        for name, data in files.items():
            target.writestr(name, data)
    return packed.getvalue()


def test_the_archive_of_2018_is_read_with_both_of_its_encodings() -> None:
    shares = wide(
        ["Date", "Share Title", "Share Description", "Share Link", "Share Commentary", "Shared URL", "Media URL", "Type", "Visibility"],
        ["2018-10-01 10:00:00", "T", "D", "https://www.linkedin.com/feed/update/urn:li:activity:6450000000000000001", "We ship, and sleep.", "", "", "SHARE", "PUBLIC"],
        ["2018-09-01 10:00:00", "Theirs", "Their words", "https://www.linkedin.com/feed/update/urn:li:activity:6450000000000000002", "", "", "", "SHARE", "PUBLIC"],
    )  # fmt: skip
    data = archive(
        {
            "Connections.csv": "First Name,Last Name,Email Address,Company,Position,Connected On\n"
            'Maren,Oduya,m@t.example,Tarnhelm,CRO,"11/3/18, 9:15 AM"\n',
            "Profile.csv": "First Name,Last Name,Birth Date,Contact Instructions,Headline,Summary,Country\nPri,Holt,Mar 9,,VP,I build.,us\n",
            "Shares.csv": shares,
            "Logins.csv": wide(["Login Date", "IP Address"], ["2018", "192.0.2.1"]),
            "Ad Targeting.csv": wide(["Member Age", "Company Names", "Company Names"], ["35", "a", "b"]),
            "Projects.csv": "Title,Description,Url,Start Date,End Date\nHeron,M,,Jun 2017,2018\n",
            "Honors.csv": "Title,Description,Issue Date\nLeader,By x,Oct 2017\n",
            "Positions.csv": "Company Name,Title,Description,Location,Started On,Finished On\nQuillmark,VP,,,Jan 2017,\n",
            "Messages.csv": "From,To,Date,Subject,Content,Direction,Folder\nA,B,2018-01-01,x,y,INCOMING,INBOX\n",
        }
    )
    reading = read("Complete_LinkedInDataExport_11-04-2018.zip", data)
    assert (reading.format, reading.owner_name) == ("linkedin_archive_2018", "Pri Holt")
    (maren,) = reading.people
    assert (maren.first_degree, str(maren.connected_on and maren.connected_on.first)) == (True, "2018-11-03")
    assert str(maren.evidence[1].observed_at) == "2018-11-04"  # the day of the archive, not of the import
    owner = {(item.kind.value, item.text) for row in reading.owner_rows for item in row.evidence}
    assert ("post", "We ship, and sleep.") in owner
    assert ("project", "Heron, 2017-06, 2018") in owner
    assert ("award", "Leader, 2017-10") in owner
    assert [entry.reason for entry in reading.skipped] == ["it is a repost without words of their own"]


@pytest.mark.parametrize("note", ["Notes:\n", ""])
def test_notes_stand_before_or_after_the_header(note: str) -> None:
    header = "First Name,Last Name,URL,Email Address,Company,Position,Connected On\n"
    said = '"When exporting your connection data, you may notice that some addresses are missing."\n\n'
    row = "Maren,Oduya,https://www.linkedin.com/in/maren-o,,Tarnhelm,CRO,16 Dec 2024\n"
    for text in (header + note + said + row, note + said + header + row):
        reading = read("Connections.csv", text)
        assert (reading.format, [person.name.full for person in reading.people]) == (
            "linkedin_archive",
            ["Maren Oduya"],
        )


@pytest.mark.parametrize(
    "name",
    [
        "ImportedContacts.csv",
        "Rich_Media.csv",
        "Rich Media.csv",
        "Verifications/Verifications.csv",
        "Jobs/Saved Jobs.csv",
    ],
)
def test_newer_members_of_an_archive_do_no_harm(name: str) -> None:
    data = archive(
        {
            "Profile.csv": "First Name,Last Name,Headline,Summary,Industry,Geo Location\nPri,Holt,VP,,,Here\n",
            name: "A,B\n1,2\n",
        }
    )
    assert read("Basic_LinkedInDataExport_01-20-2026.zip", data).format == "linkedin_archive"


@pytest.mark.parametrize("file", ["apollo-contacts-export.csv", "apollo-contacts-export-old.csv"])
@pytest.mark.parametrize("width", [2, 5, 11])
def test_labels_that_were_overwritten_are_taken_from_their_places(file: str, width: int) -> None:
    rows = list(csv.reader(io.StringIO((SAMPLES / "06_apollo_contacts" / file).read_text())))
    rows[0][:width] = ["Contact"] * width
    written = io.StringIO()
    csv.writer(written).writerows(rows)
    mended, whole = (
        read("apollo.csv", written.getvalue()),
        read("apollo.csv", (SAMPLES / "06_apollo_contacts" / file).read_bytes()),
    )
    assert (mended.format, mended.people) == ("apollo", whole.people)
    assert "overwritten" in mended.warnings[-1]


@pytest.mark.parametrize("labels", ["A,A,B,C", "Email,Email,First Name,Last Name", "x" + ",x" * 40])
def test_other_repeated_labels_are_left_as_they_are(labels: str) -> None:
    found = read_upload(Upload(file_name="x.csv", data=f"{labels}\n{'1,' * 3}1\n".encode()), today=TODAY)
    assert getattr(found, "format", "") != "apollo"


def test_google_contacts_come_in_utf_16_too() -> None:
    text = "First Name,Middle Name,Last Name,Labels,E-mail 1 - Label,E-mail 1 - Value,Organization Name,Organization Title\nZoë,,Oduya,* x,* Work,z@t.example,Tarnhelm,CRO\n"
    reading = read("contacts.csv", text.encode("utf-16"))
    assert (reading.format, reading.people[0].name.full, reading.people[0].emails) == (
        "google_contacts",
        "Zoë Oduya",
        ("z@t.example",),
    )


def test_a_salesforce_report_in_latin_1_with_not_provided() -> None:
    text = 'First Name,Last Name,Title,Account Name,Email,Mailing City\nZoë,Østergård,[not provided],Fjordlys,z@f.example,Århus\n\n"Grand Totals (1 records)"\n'
    reading = read("report.csv", text.encode("latin-1"))
    assert (reading.format, reading.people[0].name.full) == ("salesforce", "Zoë Østergård")
    assert roles(reading.people[0]) == [("", "Fjordlys", "", "")]
    assert facts(reading.people[0], Kind.LOCATION) == [()]


def test_dev_fusion_in_full() -> None:
    record = {
        "linkedinUrl": "https://www.linkedin.com/in/maren-o", "fullName": "Maren Oduya", "headline": "CRO | x", "jobTitle": "CRO",
        "jobStartedOn": "2023", "companyName": "Tarnhelm", "companyWebsite": "tarnhelm.example", "addressWithCountry": "Hamburg Germany",
        "experiences": [
            {"title": "CRO", "subtitle": "Tarnhelm · Full-time", "caption": "Jan 2023 - Present · 2 yrs", "metadata": "Hamburg", "breakdown": False,
             "subComponents": [{"description": [{"type": "textComponent", "text": "Owns it"}]}]},
            {"title": "Lumen", "subtitle": "Full-time · 5 yrs", "breakdown": True, "subComponents": [
                {"title": "Head", "caption": "Mar 2018 - Dec 2022 · 4 yrs", "description": [{"text": "Led it"}]},
                {"title": "Lead", "caption": "2016 - Mar 2018 · 2 yrs"}]},
        ],
        "licenseAndCertificates": [{"title": "CRM Admin", "subtitle": "Example", "caption": "Issued Aug 2020 · Expires Aug 2023"}],
        "honorsAndAwards": [{"title": "Best", "subtitle": "Issued by X · Oct 2023"}],
    }  # fmt: skip
    (maren,) = read("x.json", [record]).people
    assert roles(maren) == [
        ("CRO", "Tarnhelm", "2023-01", ""),
        ("Head", "Lumen", "2018-03", "2022-12"),
        ("Lead", "Lumen", "2016", "2018-03"),
    ]
    assert facts(maren, Kind.POSITION, "description") == [("Owns it",), ("Led it",), ("",)]
    assert facts(maren, Kind.CERTIFICATION, "name", "issuer", "date") == [("CRM Admin", "Example", "2020-08")]
    assert facts(maren, Kind.AWARD, "title", "issuer", "date") == [("Best", "X", "2023-10")]


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (
            {"commentary": "We run.", "actor": {"name": "Maren Oduya", "linkedinUrl": "https://www.linkedin.com/in/maren-o"}, "numComments": 3,
             "postedAt": {"timestamp": 1775039354}, "linkedinUrl": "https://www.linkedin.com/feed/update/urn:li:activity:7445054664800227328"},
            ("7445054664800227328", "2026-04-01"),
        ),
        (
            {"text": "We run.", "authorName": "Maren Oduya", "authorProfileUrl": "https://www.linkedin.com/in/maren-o", "postedAtISO": "2026-04-01T10:29:14Z",
             "urn": "urn:li:activity:7445054664800227328", "shareUrn": "urn:li:share:7445054664800227327"},
            ("7445054664800227328", "2026-04-01"),
        ),
        (
            {"text": "We run.", "authorName": "Maren Oduya", "authorProfileUrl": "https://www.linkedin.com/in/maren-o", "urn": "urn:li:activity:7445054664800227328"},
            ("7445054664800227328", "None"),
        ),
        (
            {"content": "We run.", "author": {"name": "Maren Oduya", "publicIdentifier": "maren-o"}, "postedAt": {"timestamp": 1775039354515, "postedAgoShort": "5d"}, "id": "9"},
            ("9", "2026-04-01"),
        ),
    ],
)  # fmt: skip
def test_posts_come_in_several_shapes(record: dict[str, object], expected: tuple[str, str]) -> None:
    (maren,) = read("posts.json", [record]).people
    (post,) = [item for item in maren.evidence if item.kind is Kind.POST]
    assert (post.text, post.get("id"), str(post.occurred and post.occurred.first)) == ("We run.", *expected)


def test_bright_data_as_lines_with_dead_records() -> None:
    whole = {
        "id": "maren-o", "linkedin_num_id": "90000001", "name": "Maren Oduya", "position": "CRO | x", "url": "https://www.linkedin.com/in/maren-o",
        "timestamp": "2026-04-06T10:00:00Z", "experience": [{"title": "CRO", "company": "Tarnhelm", "start_date": "Nov 2022", "end_date": "Present"}],
        "activity": [{"interaction": "Liked by Maren", "title": "x", "id": "1"}],
    }  # fmt: skip
    dead: list[dict[str, object]] = [
        {"input": {"url": "https://www.linkedin.com/in/x"}, "url": "https://www.linkedin.com/in/x"},
        {"id": "y", "name": None, "experience": [{}], "url": "https://www.linkedin.com/in/y"},
        {"warning": "dead page", "warning_code": "dead_page", "input": {"url": "https://www.linkedin.com/in/z"}},
    ]
    reading = read("snapshot.jsonl", "\n".join(json.dumps(record) for record in [whole, *dead]))
    assert (reading.format, [entry.row for entry in reading.skipped]) == ("brightdata", [2, 3, 4])
    assert roles(reading.people[0]) == [("CRO", "Tarnhelm", "2022-11", "")]
    assert str(reading.people[0].evidence[0].observed_at) == "2026-04-06"


def test_unipile_withholds_sections_and_names_languages_by_locale() -> None:
    record = {
        "object": "UserProfile", "provider_id": "ACoAAAexample11", "public_identifier": "maren-o", "first_name": "Maren", "last_name": "Oduya",
        "primary_locale": {"country": "DE", "language": "de"}, "network_distance": "FIRST_DEGREE", "languages": [{"name": "German (Germany)", "proficiency": "Native"}],
        "work_experience": [{"position": "CRO", "company": "Tarnhelm", "start": "11/1/2021", "end": None}], "work_experience_total_count": 4,
    }  # fmt: skip
    (maren,) = read("x.json", record).people
    assert maren.complete == frozenset()  # what was withheld has not ended
    assert facts(maren, Kind.LANGUAGE, "name", "level") == [("German", "Native")]
    assert facts(maren, Kind.PROFILE_LANGUAGE, "code") == [("de",)]
    assert maren.first_degree
    (whole,) = read("x.json", record | {"work_experience_total_count": 1}).people
    assert whole.complete == {Kind.POSITION}


@pytest.mark.parametrize("deleted", [1, "1", True, "true"])
def test_coresignal_leaves_out_what_was_deleted(deleted: object) -> None:
    role = {
        "title": "CRO",
        "company_name": "Tarnhelm",
        "date_from": "01/2018",
        "date_from_year": 2018,
        "date_from_month": 1,
        "date_to": None,
        "deleted": 0,
    }
    record = {
        "id": 9,
        "full_name": "Maren Oduya",
        "shorthand_name": "maren-o",
        "experience": [role, role | {"title": "Gone", "deleted": deleted}],
    }
    assert roles(read("x.json", record).people[0]) == [("CRO", "Tarnhelm", "2018-01", "")]


def test_nulls_as_words_in_saved_dumps_say_nothing() -> None:
    proxycurl = {
        "public_identifier": "maren-o", "full_name": "Maren Oduya", "occupation": "CRO at Tarnhelm", "headline": "null", "summary": "null",
        "experiences": [{"starts_at": "null", "ends_at": "null", "company": "Tarnhelm", "title": "CRO", "description": "null"}],
        "accomplishment_publications": [{"name": "P", "publisher": "Y", "published_on": {"day": 4, "month": 5, "year": 2022}}],
    }  # fmt: skip
    (maren,) = read("x.json", proxycurl).people
    assert [item.kind for item in maren.evidence] == [Kind.NAME, Kind.POSITION, Kind.PUBLICATION]
    assert facts(maren, Kind.PUBLICATION, "title", "date") == [("P", "2022-05-04")]
    library = {
        "firstName": "Kenji", "lastName": "Aoyama", "public_id": "kenji-a", "headline": "Founder", "summary": "false", "geoLocationName": "false",
        "experience": [{"companyName": "Hollow", "title": "Founder", "timePeriod": {"startDate": {"year": 2016}}}],
        "honors": [{"title": "H", "issuer": "I", "issueDate": {"year": 2020}}], "publications": [{"name": "P", "publisher": "Q", "date": {"day": 4, "month": 5, "year": 2022}}],
    }  # fmt: skip
    (kenji,) = read("x.json", library).people
    assert [item.kind for item in kenji.evidence if item.kind in (Kind.ABOUT, Kind.LOCATION)] == []
    assert facts(kenji, Kind.AWARD, "date") == [("2020",)]
    assert facts(kenji, Kind.PUBLICATION, "date") == [("2022-05-04",)]


def test_people_data_labs_without_a_wrapper_and_with_ends_that_nobody_knows() -> None:
    record = {
        "id": "x1", "full_name": "maren oduya", "linkedin_url": "linkedin.com/in/maren-o", "job_company_name": "tarnhelm", "job_last_updated": "2025-12-01",
        "experience": [
            {"company": {"name": "tarnhelm"}, "title": {"name": "cro"}, "start_date": "2020", "end_date": None, "is_primary": True},
            {"company": {"name": "lumen"}, "title": {"name": "lead"}, "start_date": "2016", "end_date": None, "is_primary": False},
        ],
    }  # fmt: skip
    reading = read("x.jsonl", json.dumps(record) + "\n" + json.dumps({"status": 404, "error": {"type": "not_found"}}))
    assert (reading.format, len(reading.skipped)) == ("people_data_labs", 1)
    assert roles(reading.people[0]) == [("cro", "tarnhelm", "2020", ""), ("lead", "lumen", "2016", "unknown")]


def test_a_europass_of_another_generator_writes_dates_as_text() -> None:
    cv = """<?xml version="1.0"?><SkillsPassport xmlns="http://europass.cedefop.europa.eu/Europass"><LearnerInfo><Identification><PersonName>
    <FirstName>Maren</FirstName><Surname>Oduya</Surname></PersonName><ContactInfo><Address><Contact><Municipality>Hamburg</Municipality>
    <Country><Code>DE</Code><Label>Germany</Label></Country></Contact></Address></ContactInfo></Identification><WorkExperienceList>
    <WorkExperience><Period><From>2013-03</From><To>05/2016</To></Period><Position><Label>CRO</Label></Position><Employer><Name>Tarnhelm</Name></Employer></WorkExperience>
    <WorkExperience><Period><From>2009</From></Period><Position><Label>Clerk</Label></Position><Employer><Name>Lumen</Name></Employer></WorkExperience>
    </WorkExperienceList></LearnerInfo></SkillsPassport>"""
    (maren,) = read("cv.xml", cv).people
    assert roles(maren) == [("CRO", "Tarnhelm", "2013-03", "2016-05"), ("Clerk", "Lumen", "2009", "unknown")]
    assert [item.text for item in maren.evidence if item.kind is Kind.LOCATION] == ["Hamburg, Germany"]


def test_a_card_that_was_cut_off_is_kept() -> None:
    text = "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Maren Oduya\r\nLANG:de\r\nitem1.EMAIL;TYPE=work:m@t.example\r\nBEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada Ek\r\n"
    reading = read("x.vcf", text)
    assert [person.name.full for person in reading.people] == ["Maren Oduya", "Ada Ek"]
    assert facts(reading.people[0], Kind.PROFILE_LANGUAGE, "code") == [("de",)]
