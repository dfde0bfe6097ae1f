"""Plans of succession collected for many records and written in a few statements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import count

from outreach.teams.models import Team, User
from prospects.domain.evidence import Evidence as Fact
from prospects.domain.evidence import Kind
from prospects.domain.succession import Addition, Known, Plan
from prospects.models import Company, Evidence, EvidenceState, ImportBatch, Prospect
from prospects.services import bulk

About = Prospect | Company | User


@dataclass
class Ledger:
    """Rows to insert, to supersede and to confirm. A row that is not stored yet goes by a negative number."""

    team: Team
    batch: ImportBatch | None
    now: datetime
    added_by: User | None = None
    rows: dict[int, Evidence] = field(default_factory=dict)
    facts: dict[int, Fact] = field(default_factory=dict)
    owners: dict[int, About] = field(default_factory=dict)
    superseded: dict[int, tuple[int | None, str]] = field(default_factory=dict)
    confirmed: dict[date, list[int]] = field(default_factory=dict)
    _numbers: count[int] = field(default_factory=lambda: count(1))

    def enter(self, planned: Plan, *, about: About, known: list[Known]) -> bool:
        """Note a plan, and bring `known` up to date for the next plan of the same record. Whether anything changes."""
        for addition in planned.additions:
            self._add(addition, about=about, known=known)
        for row_id in planned.ended:
            self._close(row_id, None, "not listed in a newer profile", known)
        for row_id, day in planned.seen_again.items():
            if row_id > 0:
                self.confirmed.setdefault(day, []).append(row_id)
        return bool(planned.additions or planned.ended)

    def _add(self, addition: Addition, *, about: About, known: list[Known]) -> None:
        number = -next(self._numbers)
        item = addition.item
        row = self._row(addition, about)
        self.rows[number], self.facts[number], self.owners[number] = row, item, about
        for row_id in addition.replaces:
            self._close(row_id, number, "newer evidence", known)
        current = addition.replaced_by is None
        if addition.replaced_by is not None:
            row.state = EvidenceState.SUPERSEDED
            self.superseded[number] = (addition.replaced_by, "older than what was known")
        known.append(
            Known(
                row_id=number,
                kind=item.kind.value,
                slot=addition.slot,
                content_hash=row.content_hash,
                observed_at=row.observed_at,
                current=current,
                open_position=item.kind is Kind.POSITION and not item.get("end"),
            )
        )

    def _close(self, row_id: int, by: int | None, reason: str, known: list[Known]) -> None:
        self.superseded[row_id] = (by, reason)
        if row_id in self.rows:
            self.rows[row_id].state = EvidenceState.SUPERSEDED
        for index, row in enumerate(known):
            if row.row_id == row_id:
                known[index] = Known(
                    row_id=row.row_id,
                    kind=row.kind,
                    slot=row.slot,
                    content_hash=row.content_hash,
                    observed_at=row.observed_at,
                    current=False,
                )

    def _row(self, addition: Addition, about: About) -> Evidence:
        item = addition.item
        return Evidence(
            team=self.team,
            prospect=about if isinstance(about, Prospect) else None,
            company=about if isinstance(about, Company) else None,
            owner=about if isinstance(about, User) else None,
            kind=item.kind.value,
            actor=item.actor.value,
            ref=item.ref[:64],
            text=item.text,
            fields=dict(item.fields),
            occurred_first=item.occurred.first if item.occurred else None,
            occurred_last=item.occurred.last if item.occurred else None,
            observed_at=item.observed_at or self.now.date(),
            language=item.language[:16],
            source=item.source[:500],
            source_url=item.link,
            batch=self.batch,
            added_by=self.added_by,
            content_hash=item.content_hash,
            slot=addition.slot[:200],
            created_at=self.now,
        )

    def current_facts(self, about: About) -> Sequence[Fact]:
        """The facts about a record that is not stored yet which will be current."""
        return [
            self.facts[number]
            for number, row in self.rows.items()
            if self.owners[number] is about and row.state == EvidenceState.CURRENT
        ]

    def write(self) -> None:
        """Insert, then point superseded rows at what replaced them. The records have to be stored by now."""
        for number, row in self.rows.items():
            self._point_at_owner(row, self.owners[number])
        bulk.insert(list(self.rows.values()))
        stored = Evidence.objects.in_bulk([row_id for row_id in self.superseded if row_id > 0])
        closed = []
        for row_id, (by, reason) in self.superseded.items():
            row = self.rows.get(row_id) or stored[row_id]
            row.state, row.state_reason = EvidenceState.SUPERSEDED, reason
            row.superseded_by_id = self.rows[by].pk if by is not None and by in self.rows else by
            closed.append(row)
        Evidence.objects.bulk_update(closed, ["state", "state_reason", "superseded_by"], batch_size=500)
        for day, row_ids in self.confirmed.items():
            Evidence.objects.filter(pk__in=row_ids).update(last_seen_at=day)

    @staticmethod
    def _point_at_owner(row: Evidence, about: About) -> None:
        if isinstance(about, Prospect):
            row.prospect_id = about.pk
        elif isinstance(about, Company):
            row.company_id = about.pk
        else:
            row.owner_id = about.pk
