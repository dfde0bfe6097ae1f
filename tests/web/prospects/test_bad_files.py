"""Whatever is dropped into the wizard: a clear message, no server error, nothing half imported."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from outreach.teams.access import Member
from outreach.teams.models import Team
from prospects.models import Evidence, ImportBatch, ImportState, Prospect
from prospects.tasks import run_imports
from tests.files import MESSY
from tests.people import a_member, signed_in


@pytest.fixture
def writer(team: Team) -> Member:
    return a_member(team=team, role="writer")


@pytest.fixture
def client(writer: Member) -> Client:
    return signed_in(user=writer.user)


def url(team: Team, name: str, **arguments: object) -> str:
    return reverse(f"prospects:{name}", kwargs={"team": team.slug, **arguments})


def zipped(files: dict[str, bytes], *, flags: int = 0) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    raw = bytearray(packed.getvalue())
    if flags:
        for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            at = raw.find(signature)
            while at >= 0:
                struct.pack_into("<H", raw, at + offset, flags)
                at = raw.find(signature, at + 4)
    return bytes(raw)


WORKBOOK = (
    b'<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    b'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
    b'<sheets><sheet name="People" sheetId="1" r:id="rId1"/></sheets></workbook>'
)
RELATIONS = (
    b'<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    b'<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" '
    b'Target="worksheets/sheet1.xml"/></Relationships>'
)

TYPES = (
    b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    b'<Default Extension="xml" ContentType="application/xml"/></Types>'
)
ROOT_RELATIONS = (
    b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" '
    b'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/>'
    b"</Relationships>"
)


def workbook(*rows: tuple[str, ...], sheet: bytes = b"") -> bytes:
    """An XLSX of inline strings; a cell that starts with "=" is a formula with its stored value after a tab."""

    def cell(value: str) -> str:
        if value.startswith("="):
            formula, _, stored = value.partition("\t")
            return f'<c t="str"><f>{formula[1:]}</f><v>{stored}</v></c>'
        return f'<c t="inlineStr"><is><t>{value}</t></is></c>'

    body = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)
    default = f'<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{body}</sheetData></worksheet>'
    return zipped(
        {
            "[Content_Types].xml": TYPES,
            "_rels/.rels": ROOT_RELATIONS,
            "xl/workbook.xml": WORKBOOK,
            "xl/_rels/workbook.xml.rels": RELATIONS,
            "xl/worksheets/sheet1.xml": sheet or default.encode(),
        }
    )


HEADER = "First Name,Last Name,Company,Email\n"
REFUSED: list[tuple[str, Callable[[], bytes], str]] = [
    ("empty.csv", lambda: b"", "The file is empty"),
    ("blank.csv", lambda: b" \r\n\r\n ", "The file is empty"),
    ("empty.xlsx", workbook, "holds no rows"),
    ("header.csv", HEADER.encode, "no rows under them"),
    ("header.xlsx", lambda: workbook(("Name", "Company")), "no rows under them"),
    ("picture.csv", lambda: b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, "a picture"),
    ("noise.csv", lambda: bytes((n * 7919) % 256 for n in range(5_000)), "not a text file"),
    ("paper.csv", lambda: b"%PDF-1.7\n%\xe2\xe3", "This is a PDF"),
    ("locked.xlsx", lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "password-protected Office file"),
    ("locked.zip", lambda: zipped({"Connections.csv": HEADER.encode()}, flags=1), "protected by a password"),
    ("bomb.zip", lambda: zipped({"Connections.csv": b"\0" * 60_000_000}), "which no export does"),
    ("bomb.xlsx", lambda: workbook(sheet=b" " * 60_000_000), "which no export does"),
    ("torn.zip", lambda: zipped({"Connections.csv": HEADER.encode()})[:60], "The ZIP archive is broken"),
    ("torn.xlsx", lambda: workbook(("Name",), ("Maren",), sheet=b"<worksheet><sheetData><row><c"), "cannot be opened"),
    ("wide.csv", lambda: b",".join(b"c%d" % n for n in range(1_000_000)) + b"\n", "Row 1 has 1,000,000 columns"),
    ("wide2.csv", lambda: HEADER.encode() + b"Maren" + b"," * 1_000_000 + b"\n", "Row 2 has 1,000,001 columns"),
    (
        "quote.csv",
        (HEADER + 'Maren,Oduya,Tarnhelm,m@x.example\nTheo,"Brisebois,Vexelle,t@x.example\nA,B,C,\n').encode,
        "Row 3, column 2: a quotation mark is opened and never closed",
    ),
    ("nothing.json", lambda: b'{"people": []}', "is in no format that is known here"),
    ("broken.json", lambda: b'[{"prospect": {"full_name": "Maren"},]', "line 1, column"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "data", "words"), REFUSED, ids=[name for name, _, _ in REFUSED])
def test_what_cannot_be_read_is_refused_with_the_place_and_leaves_nothing(
    client: Client, team: Team, name: str, data: Callable[[], bytes], words: str
) -> None:
    answer = client.post(url(team, "import"), {"file": SimpleUploadedFile(name, data())}, follow=True)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert words in page
    assert "Choose another file" in page
    batch = ImportBatch.objects.get(team=team)
    assert client.post(url(team, "start", pk=batch.pk), {"whose": ""}).status_code in {302, 422}
    run_imports()
    batch.refresh_from_db()
    assert (batch.state, words in batch.message) == (ImportState.REFUSED, True)
    assert client.get(url(team, "batch", pk=batch.pk)).status_code == 200
    assert (Prospect.objects.count(), Evidence.objects.count()) == (0, 0)


def through(client: Client, team: Team, name: str, data: bytes, **columns: str) -> ImportBatch:
    """The whole wizard, with the proposed columns where none are given."""
    answer = client.post(url(team, "import"), {"file": SimpleUploadedFile(name, data)}, follow=True)
    batch = ImportBatch.objects.latest("id")
    chosen = columns or {f"c{line.column.number}": line.target for line in answer.context["lines"]}
    header = str(answer.context["head"].header_row)
    answer = client.post(url(team, "columns", pk=batch.pk), {"header": header, **chosen})
    assert answer.status_code == 302, answer.content.decode()
    assert client.get(url(team, "batch", pk=batch.pk)).status_code == 200
    client.post(url(team, "start", pk=batch.pk))
    run_imports()
    batch.refresh_from_db()
    assert batch.state == ImportState.DONE, batch.message
    return batch


def names(team: Team) -> set[str]:
    return set(Prospect.objects.filter(team=team).values_list("full_name", flat=True))


ODD: list[tuple[str, bytes, set[str], int]] = [
    ("nulls.csv", (HEADER + "Maren,Oduya,NULL,n/a\nnull,None,Tarnhelm,-\n").encode(), {"Maren Oduya"}, 1),
    ("twice.csv", b"Name,Email,Email\nMaren Oduya,,second@x.example\n", {"Maren Oduya"}, 0),
    ("rtl.csv", "الاسم الكامل,الشركة,Email\nنور الحداد,شركة المثال,n@x.example\nشيرה כהן,חברה,s@x.example\n".encode(), {"نور الحداد", "شيرה כהן"}, 0),
    ("formula.xlsx", workbook(("Name", "Company"), ("Maren Oduya", '=HYPERLINK("http://x")\tTarnhelm')), {"Maren Oduya"}, 0),
    ("blank_rows.csv", (HEADER + "\n,,,\nMaren,Oduya,T,\n\n").encode(), {"Maren Oduya"}, 0),
    ("utf16.csv", (HEADER + "Zoë,Müller,T,\n").encode("utf-16"), {"Zoë Müller"}, 0),
    ("mixed.csv", HEADER.encode() + "Zoë,Müller,T,\n".encode() + "Théo,Dürr,V,\n".encode("cp1252"), {"Zoë Müller", "Théo Dürr"}, 0),
    ("ragged.csv", (HEADER + "Maren,Oduya\nTheo,Brisebois,Vexelle,t@x.example,more,and,more\n").encode(), {"Maren Oduya", "Theo Brisebois"}, 0),
]  # fmt: skip


@pytest.mark.parametrize("odd", ODD, ids=[odd[0] for odd in ODD])
def test_odd_tables_come_through_the_wizard(client: Client, team: Team, odd: tuple[str, bytes, set[str], int]) -> None:
    name, data, people, skipped = odd
    columns = {"c1": "full", "c2": "company", "c3": "email"} if name == "rtl.csv" else {}
    batch = through(client, team, name, data, **columns)
    assert (names(team), len(batch.skipped)) == (people, skipped)


@pytest.mark.parametrize("name", sorted(path.name for path in MESSY.glob("*.csv") if path.stat().st_size > 70))
def test_every_messy_sample_comes_through_the_wizard_or_says_why_not(client: Client, team: Team, name: str) -> None:
    data = (MESSY / name).read_bytes()
    answer = client.post(url(team, "import"), {"file": SimpleUploadedFile(name, data)}, follow=True)
    assert answer.status_code == 200
    if {"full", "first", "last"} & {line.target for line in answer.context["lines"]}:
        assert through(client, team, name, data).rows > 0
    else:
        assert "No column holds a name" in answer.content.decode()


def test_the_second_column_of_a_name_is_used_when_it_is_chosen(client: Client, team: Team) -> None:
    through(client, team, "twice.csv", b"Name,Email,Email\nMaren Oduya,,second@x.example\n", c1="full", c3="email")
    assert Prospect.objects.get(team=team).email == "second@x.example"


def test_formulas_are_shown_as_text_and_leave_inert(client: Client, team: Team) -> None:
    data = b'Name,Email\n"=HYPERLINK(""http://evil.example"",""x"")",@SUM(1)\nMaren Oduya,m@x.example\n'
    batch = through(client, team, "f.csv", data, c1="full", c2="email")
    rows = client.get(url(team, "problems", pk=batch.pk)).content.decode("utf-8-sig").splitlines()
    assert rows[0] == "Footnote row,Footnote reason,Name,Email"
    assert "'=HYPERLINK(" in rows[1]
    assert ",'@SUM(1)" in rows[1]
