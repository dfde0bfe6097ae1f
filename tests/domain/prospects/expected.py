"""What a file says, in lines that a person can check against it. `python -m tests.domain.prospects.expected` writes the table anew."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

from prospects.domain.evidence import Evidence, Kind
from prospects.domain.formats.registry import read_upload
from prospects.domain.imported import ImportedPerson
from prospects.domain.reading import Unreadable
from prospects.domain.upload import Upload
from tests.files import DATA, SAMPLES

TABLE = DATA / "prospects_expected.json"
TODAY = date(2026, 12, 1)
_SHOWN = {Kind.POSITION: ("title", "company", "start", "end"), Kind.EDUCATION: ("school", "degree", "start", "end")}


def files() -> list[Path]:
    return sorted(path for path in SAMPLES.rglob("*") if path.is_file())


def name_of(path: Path) -> str:
    return str(path.relative_to(SAMPLES))


def told(path: Path) -> dict[str, object]:
    """Format, what was not used with the reason, and every fact with kind, actor, interval and words."""
    found = read_upload(Upload(file_name=path.name, data=path.read_bytes()), today=TODAY)
    if isinstance(found, Unreadable):
        return {"format": found.format, "refused": found.message}
    return {
        "format": found.format,
        "skipped": [f"{entry.row}: {entry.reason}" for entry in found.skipped],
        "owner": found.owner_name,
        "owner_facts": [_line(item) for row in found.owner_rows for item in row.evidence],
        "people": [_person(person) for person in found.people],
    }


def _person(person: ImportedPerson) -> dict[str, object]:
    degree = ["first-degree"] if person.first_degree else []
    connected = [f"connected {person.connected_on.first}"] if person.connected_on else []
    return {
        "row": person.row,
        "name": f"{person.name.full} / {person.name.first} / {person.name.last} / {person.name.suffix}",
        "keys": [f"{key.kind.value} {key.value}" for key in person.keys],
        "facts": [
            *degree, *connected, *(_line(item) for item in (*person.evidence, *person.about_company) if item.kind is not Kind.NAME),
        ],
    }  # fmt: skip


def _line(item: Evidence) -> str:
    """ "position prospect [2022-01-01..2022-01-31] seen 2025-02-01: VP Product | Quillmark | 2022-01 | "."""
    interval = f"[{item.occurred.first}..{item.occurred.last}] " if item.occurred else ""
    names = _SHOWN.get(item.kind)
    words = " | ".join(item.get(name) for name in names) if names else " ".join(item.text.split())
    author = f" (by {item.get('original_author')})" if item.kind is Kind.RESHARE else ""
    return f"{item.kind.value} {item.actor.value} {interval}seen {item.observed_at}: {words}{author}"


if __name__ == "__main__":
    table = {name_of(path): told(path) for path in files()}
    TABLE.write_text(json.dumps(table, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
