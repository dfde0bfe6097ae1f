"""What each importer makes of its samples: a table of expected values a file."""

from __future__ import annotations

import io
import random
import zipfile
from datetime import date

import pytest

from prospects.domain.evidence import Kind
from prospects.domain.formats.registry import FORMATS, read_upload
from prospects.domain.imported import ImportedPerson, Reading
from prospects.domain.reading import Unreadable
from prospects.domain.upload import Upload
from tests.files import ARCHIVE, CONNECTIONS, DOSSIERS

TODAY = date(2026, 12, 1)


def read(name: str, data: bytes) -> Reading:
    found = read_upload(Upload(file_name=name, data=data), today=TODAY)
    assert isinstance(found, Reading), found
    return found


def refused(name: str, data: bytes) -> str:
    found = read_upload(Upload(file_name=name, data=data), today=TODAY)
    assert isinstance(found, Unreadable)
    return found.message


def zipped(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


def texts(person: ImportedPerson, kind: Kind) -> list[str]:
    return [item.text for item in person.evidence if item.kind is kind]


def test_all_formats_of_the_command_are_there() -> None:
    names = (
        "linkedin_archive linkedin_archive_2018 phantombuster_search phantombuster_profile phantombuster_posts apollo "
        "hubspot salesforce zoominfo clay heyreach google_contacts vcard json_resume europass proxycurl apify_dev_fusion "
        "apify_harvestapi linkedin_posts brightdata people_data_labs rapidapi_fresh linkedin_api unipile coresignal "
        "footnote csv xlsx"
    )
    assert {format_.name for format_ in FORMATS} == set(names.split())


class TestLinkedInArchive:
    def test_connections_are_found_below_their_preamble(self) -> None:
        reading = read(CONNECTIONS.name, CONNECTIONS.read_bytes())
        assert (reading.format, reading.rows, len(reading.people), len(reading.skipped)) == (
            "linkedin_archive",
            11,
            9,
            2,
        )

    def test_notes_may_stand_below_the_header_too(self) -> None:
        header = b"First Name,Last Name,URL,Email Address,Company,Position,Connected On\n"
        body = b'Notes:\n"When exporting ..."\n\nMaren,Oduya,https://www.linkedin.com/in/m,,T,VP,16 Dec 2024\n'
        reading = read("Connections.csv", header + body)
        assert [person.name.full for person in reading.people] == ["Maren Oduya"]
        assert reading.skipped == ()

    def test_a_connection_is_first_degree_since_a_day(self) -> None:
        person = read(CONNECTIONS.name, CONNECTIONS.read_bytes()).people[0]
        assert person.first_degree
        assert person.connected_on is not None
        assert (person.connected_on.first, person.connected_on.precision) == (date(2024, 12, 16), "day")

    def test_a_slogan_is_no_part_of_the_title(self) -> None:
        person = read(CONNECTIONS.name, CONNECTIONS.read_bytes()).people[1]
        role = next(item for item in person.evidence if item.kind is Kind.POSITION)
        assert role.get("title") == "VP Product"

    def test_the_archive_describes_its_owner(self) -> None:
        reading = read(ARCHIVE.name, ARCHIVE.read_bytes())
        kinds = [item.kind for row in reading.owner_rows for item in row.evidence]
        expected = {
            Kind.POSITION: 5, Kind.EDUCATION: 3, Kind.POST: 2, Kind.COMMENT: 3, Kind.SKILL: 4, Kind.LANGUAGE: 3,
            Kind.CERTIFICATION: 2, Kind.AWARD: 1, Kind.PROJECT: 1, Kind.PUBLICATION: 1, Kind.HEADLINE: 1,
        }  # fmt: skip
        assert {kind: kinds.count(kind) for kind in expected} == expected
        assert reading.owner_name == "Priyanka Raghavan-Holt"

    def test_two_roles_are_open_and_a_year_stays_a_year(self) -> None:
        rows = [row.evidence[0] for row in read(ARCHIVE.name, ARCHIVE.read_bytes()).owner_rows]
        roles = [item for item in rows if item.kind is Kind.POSITION]
        assert [(item.get("start"), item.get("end")) for item in roles] == [
            ("2022-01", ""), ("2023", ""), ("2017-11", "2021-12"), ("2015", "2017-11"), ("2012", "2014"),
        ]  # fmt: skip
        assert roles[1].occurred is not None
        assert roles[1].occurred.precision == "year"

    def test_a_post_keeps_its_lines_without_the_exports_quotes(self) -> None:
        data = ARCHIVE.with_name("Shares.csv").read_bytes()
        reading = read("Shares.csv", data)
        assert reading.owner_rows[0].evidence[0].text.splitlines()[1].strip() == "Three things that worked:"
        assert '""' not in reading.owner_rows[0].evidence[0].text
        assert [entry.reason for entry in reading.skipped] == ["it is a repost without words of their own"]

    def test_a_comment_goes_on_in_the_rows_below(self) -> None:
        rows = read(ARCHIVE.name, ARCHIVE.read_bytes()).owner_rows
        comments = [row.evidence[0].text for row in rows if row.evidence[0].kind is Kind.COMMENT]
        assert comments[1] == "Interested in the deck\nPri (product person)\npri@quillmark.example"

    def test_private_messages_are_no_evidence(self) -> None:
        reading = read("messages.csv", ARCHIVE.with_name("messages.csv").read_bytes())
        assert (len(reading.people), len(reading.skipped)) == (0, 4)

    def test_the_form_of_2018_is_known_by_its_columns(self) -> None:
        connections = b'First Name,Last Name,Email Address,Company,Position,Connected On\nMaren,Oduya,m@t.example,T,VP,"11/3/18, 9:15 AM"\n'
        shares = (
            '"Date"\t"Share Title"\t"Share Commentary"\t"Type"\r\n"2018-01-02 10:00:00"\t""\t"Hello"\t"x"\r\n'.encode(
                "utf-16"
            )
        )
        reading = read(
            "Complete_LinkedInDataExport_11-04-2018.zip", zipped({"Connections.csv": connections, "Shares.csv": shares})
        )
        assert reading.format == "linkedin_archive_2018"
        assert reading.people[0].connected_on is not None
        assert reading.people[0].connected_on.first == date(2018, 11, 3)
        assert reading.owner_rows[0].evidence[0].text == "Hello"


class TestFootnoteJson:
    def test_gold_dossiers_are_people_with_company_facts(self) -> None:
        reading = read(DOSSIERS.name, DOSSIERS.read_bytes())
        assert (reading.format, len(reading.people), reading.skipped, reading.warnings) == ("footnote", 15, (), ())
        assert all(person.about_company and person.keys for person in reading.people)

    def test_one_object_and_a_list_are_read_too(self) -> None:
        one = b'{"dossier_id": "a", "prospect": {"full_name": "Maren Oduya"}}'
        assert len(read("one.json", one).people) == 1
        assert len(read("list.json", b"[" + one + b"," + one + b"]").people) == 2

    def test_unknown_keys_are_reported(self) -> None:
        reading = read(
            "d.json", b'{"prospect": {"full_name": "Maren Oduya", "hobbies": "chess", "email": "m@t.example"}}'
        )
        assert any("prospect.hobbies" in warning for warning in reading.warnings)
        assert reading.people[0].emails == ("m@t.example",)

    def test_a_broken_line_is_skipped_and_named(self) -> None:
        lines = DOSSIERS.read_bytes().splitlines()
        lines[1] = lines[1][:200]
        reading = read("d.jsonl", b"\n".join(lines))
        assert (len(reading.people), [entry.row for entry in reading.skipped]) == (14, [2])

    @pytest.mark.parametrize(
        "body",
        [b'{"prospect": {}}', b'{"prospect": {"full_name": ""}}', b'{"prospect": {"full_name": "LinkedIn Member"}}'],
    )
    def test_nobody_is_skipped_with_a_reason(self, body: bytes) -> None:
        reading = read("d.json", body)
        assert (reading.people, len(reading.skipped)) == ((), 1)

    def test_signs_that_no_text_may_hold_are_left_out(self) -> None:
        reading = read("d.json", b'{"prospect": {"full_name": "Ma\\u0000ren \\ud800Oduya"}}')
        assert reading.people[0].name.full == "Maren Oduya"


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("x.zip", b"PK\x03\x04 broken", "broken"),
        ("x.zip", zipped({"a.txt": b"hello"}), "no format that is known"),
        ("x.zip", zipped({"a.txt": b"hello"}).replace(b"\x05\x00\x00\x00a.txt", b"\x00\x00\x00\x00a.txt"), "ZIP"),
        ("x.zip", zipped({"Connections.csv": b"0" * 60_000_000}), "which no export does"),
        ("x.csv", b"", "empty"),
        ("x.csv", b"just some words", "no format that is known"),
        ("Connections.csv", b"First Name,Last Name,URL,Email Address,Company,Position,Connected On\n", "no rows under them"),
        ("x.json", b"[" * 100_000, "not JSON"),
        ("x.json", b'{"a": ', "not JSON"),
        ("x.json", b'{"hello": 1}', "no format that is known"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_says_why(name: str, data: bytes, said: str) -> None:
    assert said in refused(name, data)


@pytest.mark.parametrize("path", [ARCHIVE, CONNECTIONS, DOSSIERS], ids=lambda path: path.name)
def test_mutated_files_are_read_or_refused(path) -> None:
    rng = random.Random(20)
    data = path.read_bytes()
    for _ in range(60):
        mutated = bytearray(data)
        for _ in range(rng.randint(1, 20)):
            place = rng.randrange(len(mutated))
            mutated[place : place + rng.randint(0, 4)] = rng.choice(
                [b'"', b"\x00", b"\xff", b",", b"\n", b"{", b"]", b"9", b""]
            )
        found = read_upload(Upload(file_name=path.name, data=bytes(mutated)), today=TODAY)
        assert isinstance(found, (Reading, Unreadable))
        if isinstance(found, Reading):
            assert all(person.keys for person in found.people)
