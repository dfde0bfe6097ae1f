"""Columns of any table: what is proposed for them, what is wrong with a choice, and when two headers are the same."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prospects.domain.columns import (
    TARGETS,
    Plan,
    check,
    columns_of,
    fingerprint_of,
    keys_of,
    plan_from,
    propose,
    written_label,
)
from prospects.domain.evidence import Kind
from prospects.domain.formats.registry import read_upload
from prospects.domain.imported import Reading
from prospects.domain.reading import Row, Unreadable
from prospects.domain.table_head import HEAD_BYTES, Head, beginning_of, head_of
from prospects.domain.upload import Upload
from tests.files import MESSY

TODAY = date(2026, 12, 1)


def head(text: str | bytes, name: str = "people.csv", header_row: int | None = None) -> Head:
    data = text.encode() if isinstance(text, str) else text
    found = head_of(Upload(file_name=name, data=data), header_row=header_row)
    assert isinstance(found, Head), found
    return found


def proposed(text: str) -> dict[str, str]:
    found = head(text)
    return {found.columns[number - 1].label: target for number, target in propose(found.columns).items()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("First Name,Last Name,Email\nMaren,Oduya,m@x.example\n", {"First Name": "first", "Last Name": "last", "Email": "email"}),
        ("Nom;Prénom;Société\nBrisebois;Théo;Vexelle\n", {"Nom": "last", "Prénom": "first", "Société": "company"}),
        ("Nom;Société\nThéo Brisebois;Vexelle\n", {"Nom": "full", "Société": "company"}),
        ("Kontakt,Erreichbar\nMaren Oduya,m@x.example\n", {"Erreichbar": "email"}),
        ("Name,Link\nMaren,https://www.linkedin.com/in/maren\n", {"Name": "full", "Link": "linkedin"}),
        ("Lead First Name,Lead Last Name\nMaren,Oduya\n", {"Lead First Name": "first", "Lead Last Name": "last"}),
        ("Name,Account Owner Email\nMaren,rep@us.example\n", {"Name": "full"}),
        ("Name,Mailbox\nA,r@us.example\nB,r@us.example\nC,r@us.example\n", {"Name": "full"}),
        ("Name,Email,Email\nA,a@x.example,b@x.example\n", {"Name": "full", "Email": "email"}),
        ("Name,Post date\nA,2026-11-05\n", {"Name": "full"}),
        ("Name,Position Email\nA,CEO\n", {"Name": "full"}),
    ],
)  # fmt: skip
def test_what_is_proposed_for_a_header(text: str, expected: dict[str, str]) -> None:
    assert proposed(text) == expected


@pytest.mark.parametrize(
    ("chosen", "words", "blocks"),
    [
        ({1: "email"}, "“Name” (column 1) cannot be E-mail address: none of its values is an e-mail address (row 2: “Maren Oduya”)", True),
        ({3: "company"}, "No column holds a name", True),
        ({1: "full", 3: "title", 4: "title"}, "“Firm” (column 3) and “Role” (column 4) are all set to Title", True),
        ({1: "full", 9: "title"}, "no column 9", True),
        ({1: "full", 3: "colour"}, "“Firm” (column 3): there is no field “colour”", True),
        ({1: "full", 2: "email"}, "“Mail” (column 2): one value is not an e-mail address (row 3: “call her”)", False),
        ({1: "full", 2: "email"}, "the same value stands in rows 2, 4", False),
        ({1: "full", 5: "headline"}, "“Empty” (column 5) is empty in the first 3 rows", False),
        ({1: "full", 4: "degree"}, "“Role” (column 4) is Degree, but no column is School", False),
    ],
)  # fmt: skip
def test_a_choice_is_checked_and_the_column_named(chosen: dict[int, str], words: str, blocks: bool) -> None:
    text = "Name,Mail,Firm,Role,Empty\nMaren Oduya,m@x.example,Tarnhelm,CEO,\nTheo B,call her,Vexelle,CTO,\nM O,m@x.example,T,C,null\n"
    found = [problem for problem in check(head(text).columns, chosen) if words in problem.message]
    assert [problem.blocks for problem in found] == [blocks]


def test_several_addresses_may_come_from_several_columns() -> None:
    columns = head("Name,Mail,Other\nMaren,m@x.example,o@x.example\n").columns
    assert check(columns, {1: "full", 2: "email", 3: "email"}) == ()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (["First Name", "Email"], ["EMAIL", "first_name"], True),
        (["Name", "Email"], ["Name", "Email", "Footnote reason", "Footnote row"], True),
        (["Name", "Email", "Email"], ["Name", "Email", "Email ·2"], True),
        (["Name", "Email"], ["Name", "Email", "Email"], False),
        (["Name"], ["Name", "Phone"], False),
    ],
)
def test_files_have_the_same_header_whatever_order_and_case(one: list[str], other: list[str], same: bool) -> None:
    assert (fingerprint_of(one) == fingerprint_of(other)) is same


@given(st.lists(st.text(max_size=12), max_size=12))
def test_every_column_has_a_key_of_its_own_that_problem_rows_keep(labels: list[str]) -> None:
    keys = keys_of(labels)
    assert len(set(keys)) == len(labels)
    if not any("·" in label for label in labels):
        assert keys_of([written_label(key, label) for key, label in zip(keys, labels, strict=True)]) == keys


@given(st.dictionaries(st.text(max_size=8), st.sampled_from(sorted(TARGETS)), max_size=6), st.integers(0, 99))
def test_a_plan_is_stored_and_read_again(targets: dict[str, str], row: int) -> None:
    plan = Plan(header_row=row, targets=targets)
    assert plan_from(plan.as_json()) == plan
    assert plan_from({"header_row": row, "columns": {**targets, "gone": "no longer a field"}}) == plan


@given(
    st.lists(st.lists(st.text(max_size=8), max_size=5), max_size=5),
    st.dictionaries(st.integers(-1, 6), st.text(max_size=6) | st.sampled_from(sorted(TARGETS)), max_size=5),
)
def test_no_choice_breaks_the_check(rows: list[list[str]], chosen: dict[int, str]) -> None:
    columns = columns_of(rows[0] if rows else [], [Row(number=n, cells=tuple(row)) for n, row in enumerate(rows, 2)])
    check(columns, chosen)
    assert set(propose(columns).values()) <= TARGETS.keys()


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("Name,Company\nMaren,Tarnhelm\n", 1),
        ("Export of 1 Dec 2026\n\nKontakt,Firma,Straße\nMaren Oduya,Tarnhelm,Hafen 1\n", 3),
        ("Ansicht,Kunde,Ort\nx,Maren,Kiel\ny,Theo,Lyon\n", 1),
    ],
)
def test_the_header_is_found_below_a_preamble(text: str, row: int) -> None:
    assert head(text).header_row == row


def test_a_table_without_a_header_is_read_by_the_place_of_its_columns() -> None:
    upload = Upload(file_name="p.csv", data=b"Maren Oduya,m@x.example,Tarnhelm\nTheo Brisebois,t@x.example,Vexelle\n")
    found = head_of(upload, header_row=0)
    assert isinstance(found, Head)
    assert [column.key for column in found.columns] == ["@1", "@2", "@3"]
    assert propose(found.columns) == {2: "email"}
    plan = Plan(header_row=0, targets={"@1": "full", "@2": "email", "@3": "company"})
    reading = read_upload(upload, today=TODAY, plan=plan)
    assert isinstance(reading, Reading)
    assert [(person.name.full, person.company, person.row) for person in reading.people] == [
        ("Maren Oduya", "Tarnhelm", 1),
        ("Theo Brisebois", "Vexelle", 2),
    ]


def read(text: str, plan: Plan, name: str = "p.csv") -> Reading:
    reading = read_upload(Upload(file_name=name, data=text.encode()), today=TODAY, plan=plan)
    assert isinstance(reading, Reading), reading
    return reading


def test_every_field_is_read_from_the_column_it_was_given() -> None:
    header = list(TARGETS)
    row = {key: f"{key} words" for key in header} | {
        "full": "Maren Oduya", "first": "Maren", "last": "Oduya", "email": "m@x.example", "linkedin": "linkedin.com/in/maren",
        "linkedin_id": "123456", "source_id": "77", "title": "CEO", "company": "Tarnhelm", "started": "2024-03", "ended": "Present", "period": "2024-03 - Present", "domain": "tarnhelm.example",
        "language": "Deutsch", "skills": "Go; Rust", "post": "We moved.", "post_date": "2026-11-05", "post_url": "https://x.example/activity-7123456",
        "size": "11-50",
    }  # fmt: skip
    text = ",".join(f"c{n}" for n in range(len(header))) + "\n" + ",".join(row[key] for key in header) + "\n"
    person = read(text, Plan(1, {f"c{n}": key for n, key in enumerate(header)})).people[0]
    assert {key.kind.value for key in person.keys} == {"email", "linkedin_slug", "linkedin_id", "source_id"}
    assert person.company_domain == "tarnhelm.example"
    facts = {(item.kind, item.text) for item in person.evidence}
    role = next(item for item in person.evidence if item.kind is Kind.POSITION)
    assert (role.get("title"), role.get("company"), role.get("start")) == ("CEO", "Tarnhelm", "2024-03")
    assert {text for kind, text in facts if kind is Kind.SKILL} == {"Go", "Rust"}
    assert (Kind.PROFILE_LANGUAGE, "de") in facts
    assert (Kind.EDUCATION, "degree words, school words") in facts
    post = next(item for item in person.evidence if item.kind is Kind.POST)
    assert (post.text, post.occurred and post.occurred.first, post.get("url")) == (
        "We moved.", date(2026, 11, 5), "https://x.example/activity-7123456",
    )  # fmt: skip
    assert {item.get("attribute") for item in person.about_company} == {"industry", "size"}


def test_the_same_number_in_files_of_another_header_is_somebody_else() -> None:
    one = read("No,Who\n1,Maren Oduya\n", Plan(1, {"no": "source_id", "who": "full"})).people[0]
    again = read("Who,No\nMaren Oduya,1\n", Plan(1, {"no": "source_id", "who": "full"})).people[0]
    other = read("No,Who,Else\n1,Maren Oduya,\n", Plan(1, {"no": "source_id", "who": "full"})).people[0]
    assert one.keys == again.keys != other.keys


def test_a_row_that_is_not_used_keeps_the_names_of_its_columns() -> None:
    reading = read("Who,Mail,Mail,\n,a@x.example,b@x.example,note\n", Plan(1, {"who": "full", "mail": "email"}))
    assert reading.skipped[0].cells == {"Who": "", "Mail": "a@x.example", "Mail ·2": "b@x.example", "·4": "note"}


@pytest.mark.parametrize("name", sorted(path.name for path in MESSY.glob("*.csv")))
def test_messy_files_have_a_head_or_say_why_not(name: str) -> None:
    found = head_of(Upload(file_name=name, data=(MESSY / name).read_bytes()))
    expected = {"empty.csv": "The file is empty.", "header_only.csv": "no rows under them"}
    assert isinstance(found, Unreadable if name in expected else Head)
    if isinstance(found, Unreadable):
        assert expected[name] in found.message


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-be", "cp1252"])
def test_the_head_of_a_large_file_is_cut_where_no_record_is_torn(encoding: str) -> None:
    rows = "".join(f'Person {n},"said ""hello""\nand wént {n}",X{n}\n' for n in range(60_000))
    upload = Upload(file_name="p.csv", data=f"Name,Notes,Company\n{rows}".encode(encoding))
    part = beginning_of(upload)
    assert 0 < len(part.data) <= HEAD_BYTES
    found = head_of(upload)
    assert isinstance(found, Head), found
    assert (found.whole, len(found.rows), found.columns[1].filled) == (False, 200, 100)
    assert "\ufffd" not in found.rows[-1].cells[1]


@pytest.mark.parametrize(
    "data", [b'{"prospect": {}}', b"BEGIN:VCARD\nVERSION:3.0\nEND:VCARD\n", b"<?xml version='1.0'?><a/>"]
)
def test_what_is_no_table_has_no_columns(data: bytes) -> None:
    assert head_of(Upload(file_name="x", data=data)) is None
