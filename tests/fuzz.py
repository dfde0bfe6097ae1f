"""Samples spoiled in the ways that files are spoiled, and in ways that somebody may think of. Seeded: a number is a file."""

from __future__ import annotations

import csv
import io
import json
import random
import warnings
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from tests.files import DOSSIERS, SAMPLES

Mutation = Callable[[random.Random, bytes], bytes]

JUNK = (
    b'"', b"\x00", b"\xff", b",", b";", b"\t", b"\n", b"\r", b"{", b"}", b"[", b"]", b":", b"9", b"=", b"null", b"\xed\xa0\x80", b"\\ud800",
    b"\\u0000", b"\xef\xbb\xbf", b"\xff\xfe", b"<!--", b"]]>", b"&x;", b"BEGIN:VCARD", b"=\r\n", b"31/31/2031", b"\xe2\x80\xae", b"\x1a", b"\x85",
)  # fmt: skip
CELLS = (
    "", " ", "null", "N/A", "undefined", "#REF!", "=1+1", "@SUM(A1)", "+49 40 1", "-2+3", "\u202eevil", "نور", "陈晓彤", "👩‍👩‍👧", "x" * 3_000, "\u0000", "\ud83d",
    "0000-00-00", "2023-02-30", "99999-01-01", "29/02/2023", "13/13/2013", "1e308", "9" * 400, "NaN", "Infinity", "-1", "a@b", "a@b.c,d@e.f", "javascript:alert(1)",
    "https://www.linkedin.com/in/%", "https://www.linkedin.com/in/%FF%FE", "urn:li:member:" + "9" * 60, '"', '""', "\n\n", "a\r\nb", ",,,,", "<script>", "{{7*7}}", "%s%n",
)  # fmt: skip
VALUES: tuple[object, ...] = (
    None, True, False, 0, -1, 10**30, 1.5e308, [], {}, [[]], [None], {"": {}}, [{"a": [{"b": None}]}], *CELLS,
)  # fmt: skip
NAMES = (
    "x", "x.csv", "x.json", "x.zip", "x.vcf", "x.xlsx", "x.xml", "x.CSV", "../../etc/passwd", "a\\b\\c.csv", "", ".", "Connections.csv", "Profile.csv", "Shares.csv",
    "n" * 400 + ".csv", "名前.csv", "\u202egnp.csv", "x\x00y.csv", "2031-99-99.csv", "2020-02-30.csv", "Basic_LinkedInDataExport_99-99-2024.zip",
)  # fmt: skip


@cache
def sources() -> tuple[tuple[str, bytes], ...]:
    paths: list[Path] = [
        *sorted(path for path in SAMPLES.rglob("*") if path.is_file() and path.stat().st_size),
        DOSSIERS,
    ]
    return tuple((path.name, path.read_bytes()[:15_000]) for path in paths)


def _junk(rng: random.Random, data: bytes) -> bytes:
    spoiled = bytearray(data)
    for _ in range(rng.randint(1, 30)):
        at = rng.randrange(len(spoiled) + 1)
        spoiled[at : at + rng.randint(0, 6)] = rng.choice(JUNK)
    return bytes(spoiled)


def _cut(rng: random.Random, data: bytes) -> bytes:
    first, last = sorted((rng.randrange(len(data) + 1), rng.randrange(len(data) + 1)))
    return rng.choice((data[:last], data[first:], data[first:last], data[:first] + data[last:]))


def _spliced(rng: random.Random, data: bytes) -> bytes:
    _, other = rng.choice(sources())
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other)) :]


def _encoded(rng: random.Random, data: bytes) -> bytes:
    text = data.decode("utf-8", errors="replace")
    name = rng.choice(
        ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "latin-1", "cp1252", "cp437", "utf-7")
    )
    written = text.encode(name, errors="replace")
    return written + data[: rng.randrange(40)] if rng.random() < 0.3 else written


def _lines(rng: random.Random, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    for _ in range(rng.randint(1, 5)):
        at = rng.randrange(len(lines) + 1)
        lines[at : at + rng.randint(0, 2)] = rng.choices(lines or [b"\n"], k=rng.randint(0, 3))
    if rng.random() < 0.2:
        rng.shuffle(lines)
    joined = b"".join(lines)
    return joined.replace(b",", rng.choice((b";", b"\t", b"|", b","))).replace(
        b"\r\n", rng.choice((b"\r", b"\n", b"\r\n"))
    )


def _cells(rng: random.Random, data: bytes) -> bytes:
    try:
        rows = list(csv.reader(io.StringIO(data.decode("utf-8", errors="replace").replace("\0", ""))))
    except csv.Error:
        return _junk(rng, data)
    for _ in range(rng.randint(1, 12)):
        row = rng.choice(rows) if rows else []
        if row:
            row[rng.randrange(len(row))] = rng.choice(CELLS)
        if rng.random() < 0.1:
            row.extend(rng.choices(CELLS, k=rng.choice((1, 5, 2_500))))
    written = io.StringIO()
    csv.writer(written).writerows(rows)
    return written.getvalue().encode("utf-8", errors="surrogatepass")


def _tree(rng: random.Random, data: bytes) -> bytes:
    try:
        values = [json.loads(data)]
    except (ValueError, RecursionError):
        try:
            values = [json.loads(line) for line in data.splitlines() if line.strip()]
        except (ValueError, RecursionError):
            return _cells(rng, data)
    for _ in range(rng.randint(1, 10)):
        _change(rng, values)
    text = "\n".join(json.dumps(value) for value in values)
    return (rng.choice(("[" * 3_000, '{"a":' * 3_000)) + text if rng.random() < 0.02 else text).encode()


def _change(rng: random.Random, node: object) -> None:
    """Replace, rename, drop or double one value somewhere in the tree."""
    while True:
        keys: list[object] = (
            list(node) if isinstance(node, dict) else list(range(len(node))) if isinstance(node, list) else []
        )
        if not keys:
            return
        key = rng.choice(keys)
        child = node[key]  # type: ignore[index]
        if not isinstance(child, (dict, list)) or not child or rng.random() < 0.2:
            break
        node = child
    match rng.randrange(4):
        case 0 if isinstance(node, dict):
            node[rng.choice(CELLS[:30])] = node.pop(key)
        case 1 if isinstance(node, list):
            node.extend([child] * rng.randint(1, 3))
        case 2:
            del node[key]  # type: ignore[attr-defined]
        case _:
            node[key] = rng.choice(VALUES)  # type: ignore[index]


def _packed(rng: random.Random, data: bytes) -> bytes:
    """A ZIP of spoiled and unspoiled files, or a spoiled ZIP."""
    packed = io.BytesIO()
    with (
        warnings.catch_warnings(action="ignore"),
        zipfile.ZipFile(
            packed, "w", rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2))
        ) as archive,
    ):
        for number in range(rng.randint(0, 5)):
            name, content = rng.choice(sources())
            archive.writestr(
                rng.choice((name, f"d/{number}/{name}", f"../{name}", "xl/workbook.xml", f"__MACOSX/{name}")),
                rng.choice((content, data, _junk(rng, content))),
            )
    whole = packed.getvalue()
    return (
        whole if rng.random() < 0.5 else _junk(rng, whole) if rng.random() < 0.5 else whole[: rng.randrange(len(whole))]
    )


MUTATIONS: tuple[Mutation, ...] = (
    _junk,
    _junk,
    _cut,
    _spliced,
    _encoded,
    _lines,
    _cells,
    _cells,
    _tree,
    _tree,
    _packed,
)


def spoiled(number: int) -> tuple[str, bytes]:
    """(name, bytes) of the file with this number; the same whenever it is asked for."""
    rng = random.Random(number)
    name, data = rng.choice(sources())
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        data = rng.choice(MUTATIONS)(rng, data)[:60_000]
    return (rng.choice(NAMES) if rng.random() < 0.25 else name), data
