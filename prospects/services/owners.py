"""What an archive says about its owner becomes evidence about a team mate, or about a prospect whose own archive it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from outreach.teams.models import Team, User
from prospects.domain.evidence import Actor, Kind
from prospects.domain.evidence import Evidence as Fact
from prospects.domain.identity import Key, KeyKind
from prospects.domain.imported import ImportedPerson, OwnerRow
from prospects.domain.names import NoName, PersonName
from prospects.domain.succession import plan
from prospects.models import IdentityKey, ImportBatch, Prospect
from prospects.queries import known_rows
from prospects.services.ledger import Ledger


def absorb_owner(
    *, team: Team, batch: ImportBatch, owner: User, rows: Sequence[OwnerRow], now: datetime
) -> tuple[int, int]:
    """(rows that brought something new, rows that did not)."""
    items = [_of_sender(item) for row in rows for item in row.evidence]
    known = known_rows(owner=owner, team=team).get(owner.pk, [])
    planned = plan(items=items, known=known, complete=_complete(items))
    fresh = {addition.item.content_hash for addition in planned.additions}
    ledger = Ledger(team=team, batch=batch, now=now)
    ledger.enter(planned, about=owner, known=known)
    ledger.write()
    updated = sum(any(_of_sender(item).content_hash in fresh for item in row.evidence) for row in rows)
    return updated, len(rows) - updated


def _of_sender(item: Fact) -> Fact:
    """In a dossier a team mate is the sender: nothing of theirs may be said of a prospect."""
    return replace(item, actor=Actor.SENDER) if item.actor is Actor.PROSPECT else item


def _complete(items: Sequence[Fact]) -> frozenset[Kind]:
    return frozenset({Kind.POSITION} & {item.kind for item in items})


def as_person(*, rows: Sequence[OwnerRow], prospect: Prospect, name: PersonName | NoName) -> ImportedPerson | None:
    """A prospect's own archive as one imported person, under keys that the prospect has already."""
    items = tuple(item for row in rows for item in row.evidence)
    keys = tuple(
        Key(KeyKind(kind), value)
        for kind, value in IdentityKey.objects.filter(prospect=prospect).values_list("kind", "value")
    )
    if not items or isinstance(name, NoName) or not keys:
        return None
    return ImportedPerson(
        row=rows[0].row, place=rows[0].place, name=name, keys=keys, evidence=items, complete=_complete(items)
    )
