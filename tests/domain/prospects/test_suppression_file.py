"""Files of whom not to write to, as tables of cases."""

from __future__ import annotations

import pytest

from prospects.domain.reading import Unreadable
from prospects.domain.suppression_file import ListKind, SuppressionFile, read_suppressions
from prospects.domain.upload import Upload


def read(text: str | bytes, kind: ListKind = ListKind.OPT_OUT) -> SuppressionFile:
    data = text.encode() if isinstance(text, str) else text
    found = read_suppressions(Upload(file_name="list.csv", data=data), kind=kind)
    assert isinstance(found, SuppressionFile), found
    return found


def covered(text: str | bytes, kind: ListKind = ListKind.OPT_OUT) -> list[str]:
    return [f"{target.kind}:{target.value}" for target in read(text, kind).targets]


ROW = "Email,Company,Website,LinkedIn\nMaya@Corva.example,Corva Pay GmbH,https://www.corva.example,https://www.linkedin.com/in/maya\n"


def test_who_opted_out_is_one_person() -> None:
    assert covered(ROW) == ["email:maya@corva.example", "profile:linkedin_slug:maya"]


@pytest.mark.parametrize("kind", [ListKind.CUSTOMER, ListKind.OPPORTUNITY])
def test_a_customer_or_an_opportunity_is_the_whole_company(kind: ListKind) -> None:
    assert covered(ROW, kind) == [
        "email:maya@corva.example", "company:corva pay", "domain:corva.example", "profile:linkedin_slug:maya",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Domain\ncorva.example\n", ["domain:corva.example"]),  # an opt-out of a whole company
        ("a@x.example\nb@x.example\na@X.example\n", ["email:a@x.example", "email:b@x.example"]),
        ("corva.example\nhttps://www.linkedin.com/in/maya\n", ["domain:corva.example", "profile:linkedin_slug:maya"]),
        ("E-Mail-Adresse;Firma\nm@x.example;Nordbau\n", ["email:m@x.example"]),
        ("Name,Email\nMaya,a@x.example; b@x.example\n", ["email:a@x.example", "email:b@x.example"]),
        ("Exported 1 Dec 2026\n\nEmail\nm@x.example\n", ["email:m@x.example"]),
        ("\ufeffEmail\r\nm@x.example\r\n", ["email:m@x.example"]),
        ("Email\nm@x.example\n".encode("utf-16"), ["email:m@x.example"]),
    ],
)
def test_lists_as_people_have_them(text: str | bytes, expected: list[str]) -> None:
    assert covered(text) == expected


@pytest.mark.parametrize(
    ("text", "row", "reason"),
    [
        ("Email\nnot an address\nm@x.example\n", 2, "no e-mail address"),
        ("Email,Name\n,Maya\nm@x.example,Ola\n", 2, "has no email"),
        ("Domain\ngmail.com\ncorva.example\n", 2, "many companies"),
        ("Email\nn/a\nm@x.example\n", 2, "has no email"),
        ("m@x.example\nwhat is this\n", 2, "no address, domain or profile"),
    ],
)
def test_a_row_that_names_nobody_says_why(text: str, row: int, reason: str) -> None:
    (skipped,) = read(text).skipped
    assert skipped.row == row
    assert reason in skipped.reason
    assert len(read(text).targets) == 1


@pytest.mark.parametrize("data", [b"", b"Name,City\nMaya,Bern\n", b"\x00\x01\x02\xff" * 50, b"PK\x03\x04broken"])
def test_what_is_no_list_is_refused_with_a_message(data: bytes) -> None:
    found = read_suppressions(Upload(file_name="list.csv", data=data), kind=ListKind.OPT_OUT)
    assert isinstance(found, Unreadable)
    assert found.message
