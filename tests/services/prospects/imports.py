"""Imports in one line."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from outreach.teams.models import Team, User
from prospects.models import Company, Evidence, IdentityKey, ImportBatch, Prospect
from prospects.services import import_bytes

NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
HEADER = "First Name,Last Name,URL,Email Address,Company,Position,Connected On\n"


def imported(
    *, team: Team, data: bytes | str, name: str = "Connections.csv", now: datetime = NOW, **more: Any
) -> ImportBatch:
    raw = data.encode() if isinstance(data, str) else data
    batch = import_bytes(team=team, actor=more.pop("actor", None), file_name=name, data=raw, now=now, **more)
    assert isinstance(batch, ImportBatch), batch
    return batch


def connections(*rows: str) -> str:
    return HEADER + "\n".join(rows) + "\n"


def dossier(**prospect: object) -> str:
    return json.dumps({"dossier_id": "d1", "prospect": {"full_name": "Maren Oduya", **prospect}})


def counts(batch: ImportBatch) -> tuple[int, int, int, int]:
    return batch.created, batch.updated, batch.unchanged, len(batch.skipped)


def only_prospect(team: Team) -> Prospect:
    return Prospect.objects.get(team=team)


def someone(*, email: str = "ada@north.example", full_name: str = "Ada Lindgren") -> User:
    return User.objects.create_user(email, None, full_name=full_name)


def a_mail(number: int) -> bytes:
    """One of many different mails that come in."""
    return (
        f"From: Person {number} <p{number}@people.example>\r\nTo: us@hearthdesk.example\r\nSubject: Hello {number}\r\n"
        f"Message-ID: <m{number}@people.example>\r\n\r\nNumber {number} says hello.\r\n"
    ).encode()


def known_of(team: Team) -> dict[str, Any]:
    """Everything that an import writes, without numbers of rows and moments."""
    owner = {pk: sorted(IdentityKey.objects.filter(prospect=pk).values_list("kind", "value")) for pk in ids(team)}
    left_out = {
        "id",
        "team_id",
        "batch_id",
        "created_at",
        "updated_at",
        "superseded_by_id",
        "prospect_id",
        "company_id",
    }

    def rows(model: type[Any]) -> list[str]:
        found = []
        for row in model.objects.filter(team=team).select_related("company"):
            shown = {
                f.attname: getattr(row, f.attname) for f in model._meta.concrete_fields if f.attname not in left_out
            }
            whose = owner.get(row.pk if model is Prospect else row.prospect_id)
            found.append(repr((sorted(shown.items()), whose, row.company.name if row.company else "")))
        return sorted(found)

    companies = sorted(Company.objects.filter(team=team).values_list("name", "normalized_name", "domain"))
    return {"people": rows(Prospect), "evidence": rows(Evidence), "companies": companies}


def ids(team: Team) -> list[int]:
    return list(Prospect.objects.filter(team=team).values_list("pk", flat=True))
