"""Reading what is known. Every answer is of one team; lists are bounded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count, Q, QuerySet

from outreach.campaigns.models import SenderIdentity
from outreach.teams.models import Membership, Team, User
from outreach.teams.paging import Page, page_after
from prospects.domain import common_ground
from prospects.domain.career import career_of
from prospects.domain.dates import DateInterval
from prospects.domain.derived import Derived
from prospects.domain.evidence import Actor, Kind, fields_of
from prospects.domain.evidence import Evidence as Fact
from prospects.domain.identity import KeyKind as Kinds
from prospects.domain.identity import slug_key
from prospects.domain.imported import Archive
from prospects.domain.names import fold_name
from prospects.domain.style import style_of
from prospects.domain.succession import Known
from prospects.models import (
    ColumnMapping,
    Evidence,
    EvidenceState,
    IdentityKey,
    ImportBatch,
    KeyKind,
    Prospect,
    ProspectState,
    Suppression,
)

#: States in which a record is one of the team's people; erased and merged ones are not shown.
SHOWN = (ProspectState.ACTIVE, ProspectState.CONFLICTED)
_ROLES_IN_ORDER = ("admin", "manager", "writer", "reviewer", "analyst")
_KNOWN = ("pk", "kind", "slot", "content_hash", "observed_at", "last_seen_at", "state", "fields__end")


def fact_of(row: Evidence) -> Fact:
    """A stored row as the rules see it. It ages from the last day on which a source said it."""
    occurred = None
    if row.occurred_first is not None and row.occurred_last is not None:
        occurred = DateInterval(row.occurred_first, row.occurred_last)
    return Fact(
        ref=row.ref or str(row.pk),
        kind=Kind(row.kind),
        actor=Actor(row.actor),
        text=row.text,
        fields=fields_of((name, str(value)) for name, value in row.fields.items()),
        occurred=occurred,
        observed_at=max(row.observed_at, row.last_seen_at) if row.last_seen_at else row.observed_at,
        source=row.source,
        language=row.language,
        row_id=str(row.pk),
    )


def facts_of_rows(*, rows: Iterable[Evidence]) -> list[tuple[int, Fact]]:
    """(prospect id, fact) of each row."""
    return [(row.prospect_id or 0, fact_of(row)) for row in rows]


def known_rows(
    *,
    prospect_ids: Iterable[int] = (),
    company_ids: Iterable[int] = (),
    owner: User | None = None,
    team: Team | None = None,
) -> dict[int, list[Known]]:
    """What is stored about these records, in any state, by record. One query for each kind of record asked for."""
    found: dict[int, list[Known]] = {}
    for column, ids in (("prospect_id", list(prospect_ids)), ("company_id", list(company_ids))):
        if ids:
            _collect(found, Evidence.objects.filter(**{f"{column}__in": ids}), column)
    if owner is not None:
        _collect(found, Evidence.objects.filter(owner=owner, team=team), "owner_id")
    return found


def _collect(found: dict[int, list[Known]], rows: QuerySet[Evidence], column: str) -> None:
    for record_id, *values in rows.order_by("pk").values_list(column, *_KNOWN):
        row_id, kind, slot, content_hash, observed, seen, state, end = values
        found.setdefault(record_id, []).append(
            Known(
                row_id=row_id,
                kind=kind,
                slot=slot,
                content_hash=content_hash,
                observed_at=max(observed, seen) if seen else observed,
                current=state == EvidenceState.CURRENT,
                open_position=kind == Kind.POSITION and not end,
            )
        )


def owner_facts(*, team: Team, owner: User) -> tuple[Fact, ...]:
    """What a team mate's own archive says about them."""
    rows = Evidence.objects.filter(team=team, owner=owner, state=EvidenceState.CURRENT).order_by("id")[:2_000]
    return tuple(fact_of(row) for row in rows)


def evidence_of(*, prospect: Prospect, owner: User | None = None) -> tuple[Fact, ...]:
    """Everything current that may be said about a prospect: their own evidence and their company's.

    With `owner`, the team mate who writes: also the connection and the things in common that hold for them,
    recorded or derived from their own archive. Without, such evidence is left out: it would hold for somebody else.
    """
    own = _current(Q(prospect=prospect))
    company = _current(Q(company_id=prospect.company_id)) if prospect.company_id else []
    facts = [item for item in own if not common_ground.is_relative(item)]
    if owner is not None:
        names = [owner.full_name, *_sender_names(team=prospect.team, owner=owner)]
        facts += [
            item
            for item in own
            if common_ground.is_relative(item) and common_ground.concerns(item, owner_id=owner.pk, owner_names=names)
        ]
        ours = owner_facts(team=prospect.team, owner=owner)
        facts += common_ground.shared_places(prospect=own, owner=ours, owner_name=str(owner))
    return (*facts, *company)


def _current(condition: Q) -> list[Fact]:
    rows = Evidence.objects.filter(condition, state=EvidenceState.CURRENT).order_by("id")[:2_000]
    return [fact_of(row) for row in rows]


def _sender_names(*, team: Team, owner: User) -> list[str]:
    return list(SenderIdentity.objects.filter(team=team, user=owner).values_list("full_name", flat=True)[:20])


@dataclass(frozen=True)
class ProspectCard:
    """A prospect as pages and commands show one. Relative evidence (connections, things in common) included."""

    prospect: Prospect
    emails: tuple[str, ...]
    keys: tuple[IdentityKey, ...]
    rows: tuple[Evidence, ...]
    company_rows: tuple[Evidence, ...]

    @property
    def positions(self) -> tuple[dict[str, object], ...]:
        """Roles with `current` True, False, or None where no source says whether it has ended."""
        return tuple(_position(row.fields) for row in self.rows if row.kind == Kind.POSITION)


@dataclass(frozen=True)
class Conclusions:
    """What is derived from a person's own evidence: where they stand, and how they write."""

    career: tuple[Derived, ...]
    style: tuple[Derived, ...]


def conclusions_of(*, card: ProspectCard, today: date) -> Conclusions:
    """No query: from the rows of the card, without those about the company."""
    facts = [fact_of(row) for row in card.rows]
    return Conclusions(career=career_of(facts, today=today), style=style_of(facts, language=card.prospect.language))


def _position(fields: Mapping[str, str]) -> dict[str, object]:
    end = fields.get("end", "")
    named = {name: fields.get(name) or None for name in ("title", "company", "start", "location", "description")}
    return {
        **named,
        "end": end if end not in {"", "unknown"} else None,
        "current": {"": True, "unknown": None}.get(end, False),
    }


def prospect_card(*, team: Team, prospect_id: int) -> ProspectCard | None:
    """A prospect of this team with all current evidence, newest event first. None where there is none of that id."""
    prospect = Prospect.objects.filter(team=team, pk=prospect_id).select_related("company", "team").first()
    return card_for(prospect=prospect) if prospect is not None else None


def card_for(*, prospect: Prospect) -> ProspectCard:
    condition = Q(prospect=prospect)
    if prospect.company_id:
        condition |= Q(company_id=prospect.company_id)
    rows = list(
        Evidence.objects.filter(condition, state=EvidenceState.CURRENT)
        .select_related("added_by")
        .defer("snapshot")
        .order_by("id")[:2_000]
    )
    keys = tuple(IdentityKey.objects.filter(prospect=prospect).order_by("id")[:100])
    return ProspectCard(
        prospect=prospect,
        emails=tuple(key.value for key in keys if key.kind == KeyKind.EMAIL),
        keys=keys,
        rows=tuple(row for row in rows if row.prospect_id == prospect.pk),
        company_rows=tuple(row for row in rows if row.prospect_id != prospect.pk),
    )


def batch_of(*, team: Team, batch_id: int) -> ImportBatch | None:
    return ImportBatch.objects.filter(team=team, pk=batch_id).select_related("owner", "prospect", "created_by").first()


def batch_page(*, team: Team, after: str, size: int = 20) -> Page[ImportBatch]:
    rows = ImportBatch.objects.filter(team=team).select_related("created_by").defer("warnings")
    return page_after(queryset=rows, order=("-id",), after=after, size=size)


def suppression_page(*, team: Team, after: str, size: int = 50) -> Page[Suppression]:
    rows = Suppression.objects.filter(team=team).select_related("added_by")
    return page_after(queryset=rows, order=("-id",), after=after, size=size)


def suppression_counts(*, team: Team) -> dict[str, int]:
    rows: Any = Suppression.objects.filter(team=team).values_list("kind").annotate(number=Count("id")).order_by("kind")
    return dict(rows)


def archive_owner(*, team: Team, named: User | None, actor_id: int | None, reading: Archive) -> tuple[User | None, str]:
    """Whose archive it is, and a sentence for the person where that was not said or does not fit.

    The one who was named; the member whose name or address the archive bears; who imports it; the first
    administrator, manager or writer.
    """
    members = list(
        Membership.objects.filter(team=team, active=True, user__is_active=True)
        .select_related("user")
        .order_by("id")[:500]
    )
    if named is not None:
        return named, _other_name(named, reading)
    addresses = {key.value for key in reading.owner_keys if key.kind is Kinds.EMAIL}
    for member in members:
        if member.user.email in addresses or _same_name(member.user, reading):
            return member.user, ""
    ranked = sorted(members, key=lambda member: (_ROLES_IN_ORDER.index(member.role), member.pk))
    by_id = {member.user_id: member.user for member in members}
    owner = by_id.get(actor_id or 0) or (ranked[0].user if ranked else None)
    if owner is None:
        return None, ""
    whose = f" of {reading.owner_name}" if reading.owner_name else ""
    warning = (
        f"No owner was named for this archive{whose}; it was taken as that of {owner} ({owner.email}). "
        "If it is somebody else's, import it again with that owner."
    )
    return owner, warning


def _same_name(user: User, reading: Archive) -> bool:
    return bool(reading.owner_name) and fold_name(user.full_name) == fold_name(reading.owner_name)


def _other_name(user: User, reading: Archive) -> str:
    if not reading.owner_name or _same_name(user, reading):
        return ""
    return f"The archive names its owner {reading.owner_name}; it was imported as that of {user}, as you said."


def find_prospect(*, team: Team, text: str) -> Prospect | None:
    """A prospect by number or by the address of the LinkedIn profile. Erased and merged records are not found."""
    if text.strip().isascii() and text.strip().isdecimal():
        return Prospect.objects.filter(team=team, pk=int(text.strip()[:18]), state__in=SHOWN).first()
    key = slug_key(text) if text.strip() else None
    if key is None:
        return None
    rows = IdentityKey.objects.filter(team=team, kind=key.kind.value, value=key.value)
    row = rows.select_related("prospect").first()
    return row.prospect if row is not None else None


def mapping_page(*, team: Team, after: str, size: int = 30) -> Page[ColumnMapping]:
    """Remembered columns of the team, newest first."""
    rows = ColumnMapping.objects.filter(team=team).select_related("saved_by")
    return page_after(queryset=rows, order=("-id",), after=after, size=size)


def members_of(*, team: Team) -> list[User]:
    rows = Membership.objects.filter(team=team, active=True, user__is_active=True).select_related("user")
    return [row.user for row in rows.order_by("user__full_name", "user_id")[:500]]


def evidence_history(*, team: Team, prospect: Prospect, limit: int = 50) -> list[Evidence]:
    """What was superseded or retracted, newest first."""
    rows = Evidence.objects.filter(team=team, prospect=prospect, state__in=["superseded", "retracted"])
    return list(rows.defer("snapshot").order_by("-id")[:limit])
