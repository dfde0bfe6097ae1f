"""A chunk of imported people goes into the database: matched by identity keys, planned in memory, written in bulk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import combinations
from typing import Protocol

from django.db import connection as database

from outreach.teams.models import Team, User
from prospects import suppression
from prospects.domain.card import Card, card_of
from prospects.domain.evidence import Evidence as Fact
from prospects.domain.identity import Key, KeyKind, normalized_company, own_domain, profile_keys, profile_url
from prospects.domain.imported import ImportedPerson, Skipped
from prospects.domain.names import NoName, PersonName, fold_name, names_agree, read_name
from prospects.domain.parcels import Owner, relative_to
from prospects.domain.succession import Known, plan
from prospects.domain.suppression import targets_of
from prospects.models import Company, DoubtState, Evidence, IdentityKey, ImportBatch, Prospect, ProspectState
from prospects.queries import facts_of_rows, known_rows
from prospects.services import bulk
from prospects.services.doubts import Rulings, note_doubts, note_pairs, rulings_on
from prospects.services.ledger import Ledger


@dataclass(frozen=True)
class Absorbed:
    """What became of a chunk. Every person is counted once, or stands in `skipped`."""

    created: int = 0
    updated: int = 0
    unchanged: int = 0
    skipped: tuple[Skipped, ...] = ()
    prospect_ids: tuple[int, ...] = ()


class Employed(Protocol):
    """Somebody with a company."""

    @property
    def company(self) -> str: ...
    @property
    def company_domain(self) -> str: ...


@dataclass
class _Record:
    """One prospect on its way: the row, its keys, what is known, and the evidence that will be current."""

    prospect: Prospect
    name: PersonName | NoName
    keys: set[Key] = field(default_factory=set)
    new_keys: list[Key] = field(default_factory=list)
    known: list[Known] = field(default_factory=list)
    changed: bool = False

    @property
    def is_new(self) -> bool:
        return self.prospect.pk is None


@dataclass
class _Chunk:
    team: Team
    batch: ImportBatch | None
    owner: User | None
    now: datetime
    ledger: Ledger
    by_key: dict[Key, _Record] = field(default_factory=dict)
    companies: dict[str, Company] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)
    outcome: dict[int, tuple[_Record, bool]] = field(default_factory=dict)
    conflicts: dict[int, _Record] = field(default_factory=dict)
    doubts: list[tuple[_Record, ImportedPerson]] = field(default_factory=list)
    pairs: list[tuple[_Record, _Record, str]] = field(default_factory=list)
    rulings: Rulings | None = None


def lock_team(*, team: Team) -> None:
    """One import writes at a time per team: two files with the same person make one prospect. Held to the commit."""
    with database.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [20_261, team.pk])


def absorb(
    *, team: Team, batch: ImportBatch | None, owner: User | None, people: Sequence[ImportedPerson], now: datetime
) -> Absorbed:
    """Match, plan and write one chunk. Call it inside a transaction that holds the team's lock."""
    chunk = _Chunk(team=team, batch=batch, owner=owner, now=now, ledger=Ledger(team=team, batch=batch, now=now))
    free = _without_suppressed(chunk, people)
    _load_records(chunk, free)
    chunk.companies = companies_of(team=team, people=free, now=now)
    for number, person in enumerate(free):
        _take(chunk, number, person)
    _write_prospects(chunk)
    _company_facts(chunk, free)
    chunk.ledger.write()
    _refresh_cards(chunk)
    return _counted(chunk)


def _without_suppressed(chunk: _Chunk, people: Sequence[ImportedPerson]) -> list[ImportedPerson]:
    candidates = {
        number: targets_of(keys=person.keys, companies=[person.company], domains=[own_domain(person.company_domain)])
        for number, person in enumerate(people)
    }
    blocked = suppression.among(team=chunk.team, candidates=candidates)
    for number, row in blocked.items():
        person = people[number]
        reason = f"on the suppression list by {row.get_kind_display().lower()} ({row.reason}); nothing was stored"
        chunk.skipped.append(Skipped(row=person.row, reason=reason, place=person.place))
    return [person for number, person in enumerate(people) if number not in blocked]


def _load_records(chunk: _Chunk, people: Sequence[ImportedPerson]) -> None:
    values = {key.value for person in people for key in person.keys}
    wanted = {key for person in people for key in person.keys}
    found = [
        (prospect_id, key)
        for prospect_id, kind, value in IdentityKey.objects.filter(
            team=chunk.team, kind__in={key.kind.value for key in wanted}, value__in=values
        ).values_list("prospect_id", "kind", "value")
        if (key := Key(KeyKind(kind), value)) in wanted
    ]
    prospects = Prospect.objects.in_bulk({prospect_id for prospect_id, _ in found})
    records: dict[int, _Record] = {}
    for prospect_id, key in found:
        prospect = prospects[prospect_id]
        record = records.setdefault(prospect_id, _Record(prospect=prospect, name=read_name(prospect.full_name)))
        record.keys.add(key)
        chunk.by_key[key] = record
    for prospect_id, known in known_rows(prospect_ids=records).items():
        records[prospect_id].known = known


def companies_of(*, team: Team, people: Iterable[Employed], now: datetime) -> dict[str, Company]:
    """The companies of these people by normalised name, made where missing.

    Names are equal or not, never prefixes. A name that is new under a domain that is known is another name of that
    company; domains that many companies share say nothing.
    """
    names: dict[str, Employed] = {}
    for person in people:
        normalized = normalized_company(person.company)
        if normalized and (normalized not in names or not names[normalized].company_domain):
            names[normalized] = person
    found = {row.normalized_name: row for row in Company.objects.filter(team=team, normalized_name__in=names)}
    domains = {name: own_domain(person.company_domain)[:253] for name, person in names.items()}
    _fill_domains(found, domains)
    missing = {name: domain for name, domain in domains.items() if name not in found}
    by_domain = _by_domain(team=team, domains={domain for domain in missing.values() if domain})
    for name, domain in missing.items():
        if domain in by_domain:
            found[name] = by_domain[domain]
            continue
        row = Company(team=team, name=names[name].company[:300], normalized_name=name, domain=domain, created_at=now)
        by_domain |= {domain: row} if domain else {}
        found[name] = row
    new = [row for row in found.values() if row.pk is None]
    if new:
        Company.objects.bulk_create(list({id(row): row for row in new}.values()), ignore_conflicts=True)
        stored = {row.normalized_name: row for row in Company.objects.filter(team=team, normalized_name__in=names)}
        found = {name: stored.get(row.normalized_name, row) for name, row in found.items()}
    return found


def _fill_domains(found: Mapping[str, Company], domains: Mapping[str, str]) -> None:
    """A company without a domain gets the first one a source gives it."""
    blank = [row for name, row in found.items() if not row.domain and domains[name]]
    for row in blank:
        row.domain = domains[row.normalized_name]
    if blank:
        Company.objects.bulk_update(blank, ["domain"])


def _by_domain(*, team: Team, domains: set[str]) -> dict[str, Company]:
    """The oldest company of each domain."""
    if not domains:
        return {}
    rows = Company.objects.filter(team=team, domain__in=domains).order_by("-id")
    return {row.domain: row for row in rows}


def _take(chunk: _Chunk, number: int, person: ImportedPerson) -> None:
    hits = {id(record): record for key in person.keys if (record := chunk.by_key.get(key))}
    if len(hits) > 1:
        chunk.pairs += [(one, other, person.place) for one, other in combinations(hits.values(), 2)]
        names = " and ".join(sorted(f"{record.prospect.full_name}" for record in hits.values()))
        reason = f"its keys belong to different people here ({names}); decide who it is, nothing was changed"
        chunk.skipped.append(Skipped(row=person.row, reason=reason, place=person.place))
        return
    record = next(iter(hits.values()), None)
    if record is None:
        record = _Record(
            prospect=Prospect(team=chunk.team, full_name=person.name.full[:300], created_at=chunk.now), name=person.name
        )
    elif (
        not isinstance(record.name, NoName)
        and not names_agree(record.name, person.name)
        and not _is_another_name(chunk, record, person)
    ):
        return
    before = record.is_new and not record.keys
    _merge(chunk, record, person)
    chunk.outcome[number] = (record, before)


def _is_another_name(chunk: _Chunk, record: _Record, person: ImportedPerson) -> bool:
    """Whether a person decided that this is another name of the prospect. If not, the row is left out, with the reason."""
    if chunk.rulings is None:
        chunk.rulings = rulings_on(prospects=[known.prospect for known in chunk.by_key.values()])
    ruling = chunk.rulings.get((record.prospect.pk, fold_name(person.name.full)))
    if ruling == DoubtState.SAME:
        return True
    shared = ", ".join(key.kind.value.replace("_", " ") for key in person.keys if chunk.by_key.get(key) is record)
    reason = f"its {shared} belongs to {record.prospect.full_name}, but the row says {person.name.full}; "
    reason += "it was decided that this is somebody else" if ruling else "nothing was changed, decide who it is"
    chunk.skipped.append(Skipped(row=person.row, reason=reason, place=person.place))
    if not ruling:
        _conflict(chunk, record, person, shared)
    return False


def _conflict(chunk: _Chunk, record: _Record, person: ImportedPerson, shared: str) -> None:
    said = f"{person.place}: {shared} of {record.prospect.full_name} under the name {person.name.full}"
    chunk.doubts.append((record, person))
    if record.prospect.state == ProspectState.ACTIVE:
        record.prospect.state = ProspectState.CONFLICTED
        record.prospect.conflict = said
        chunk.conflicts[id(record)] = record


def _merge(chunk: _Chunk, record: _Record, person: ImportedPerson) -> None:
    for key in person.keys:
        if key not in record.keys:
            record.keys.add(key)
            record.new_keys.append(key)
            record.changed = True
        chunk.by_key[key] = record
    items = relative_to(person, owner_of(chunk.owner))
    planned = plan(items=items, known=record.known, complete=person.complete)
    record.changed |= chunk.ledger.enter(planned, about=record.prospect, known=record.known)
    _columns_from_keys(record, first_degree=person.first_degree)


def owner_of(user: User | None) -> Owner | None:
    return Owner(pk=user.pk, name=str(user)) if user is not None else None


def _columns_from_keys(record: _Record, *, first_degree: bool) -> None:
    """Addresses fill what is blank; a profile name is better than the URN of a search. Nothing is blanked."""
    prospect = record.prospect
    address = next((key.value for key in record.new_keys if key.kind is KeyKind.EMAIL), "")
    if address and not prospect.email:
        prospect.email, record.changed = address, True
    url = _profile(record)
    if url and url != prospect.linkedin_url:
        prospect.linkedin_url, record.changed = url, True
    if first_degree and not prospect.first_degree:
        prospect.first_degree, record.changed = True, True


def _profile(record: _Record) -> str:
    """The address of a profile name that is new, else the one that is shown already: of two names neither pushes out the
    other when a file comes again."""
    fresh = profile_url(tuple(key for key in record.new_keys if key.kind is KeyKind.LINKEDIN_SLUG))[:500]
    shown = record.prospect.linkedin_url
    if not fresh and any(key.kind is KeyKind.LINKEDIN_SLUG for key in profile_keys(shown)):
        return shown
    return fresh or profile_url(tuple(sorted(record.keys, key=lambda key: (key.kind, key.value))))[:500]


def _write_prospects(chunk: _Chunk) -> None:
    records = {id(record): record for record, _ in chunk.outcome.values()}
    new = [record for record in records.values() if record.is_new]
    for record in new:
        facts = chunk.ledger.current_facts(record.prospect)
        apply_card(prospect=record.prospect, card=card_of(facts), companies=chunk.companies, now=chunk.now)
    bulk.insert([record.prospect for record in new])
    bulk.insert(
        [
            IdentityKey(team_id=chunk.team.pk, prospect_id=record.prospect.pk, kind=key.kind.value, value=key.value)
            for record in records.values()
            for key in record.new_keys
        ]
    )
    Prospect.objects.bulk_update(
        [record.prospect for record in chunk.conflicts.values() if not record.is_new], ["state", "conflict"]
    )
    _note_doubts(chunk)


def _note_doubts(chunk: _Chunk) -> None:
    """Once the records are stored: names that disagree, and rows that have keys of two people."""
    note_doubts(
        team=chunk.team,
        doubts=[
            (record.prospect, person, [key for key in person.keys if key in record.keys])
            for record, person in chunk.doubts
        ],
        now=chunk.now,
    )
    note_pairs(
        team=chunk.team,
        pairs=[(one.prospect, other.prospect, place) for one, other, place in chunk.pairs],
        now=chunk.now,
    )


def _company_facts(chunk: _Chunk, people: Sequence[ImportedPerson]) -> None:
    speaking = [(number, person) for number, person in enumerate(people) if person.about_company]
    companies = {
        number: chunk.companies[normalized_company(person.company)]
        for number, person in speaking
        if number in chunk.outcome and normalized_company(person.company) in chunk.companies
    }
    known = known_rows(company_ids={company.pk for company in companies.values()})
    for number, person in speaking:
        company = companies.get(number)
        if company is None:
            continue
        rows = known.setdefault(company.pk, [])
        planned = plan(items=person.about_company, known=rows, complete=frozenset())
        record, _ = chunk.outcome[number]
        record.changed |= chunk.ledger.enter(planned, about=company, known=rows)


def _refresh_cards(chunk: _Chunk) -> None:
    """Columns of prospects that were here before, from all their current evidence."""
    records = {id(record): record for record, new in chunk.outcome.values()}
    fresh = {id(record) for record, new in chunk.outcome.values() if new}
    changed = [record for number, record in records.items() if record.changed and number not in fresh]
    facts = facts_of_rows(
        rows=Evidence.objects.filter(prospect__in=[record.prospect.pk for record in changed], state="current").order_by(
            "id"
        )
    )
    by_prospect: dict[int, list[Fact]] = {}
    for prospect_id, fact in facts:
        by_prospect.setdefault(prospect_id, []).append(fact)
    for record in changed:
        card = card_of(by_prospect.get(record.prospect.pk, []))
        apply_card(prospect=record.prospect, card=card, companies=chunk.companies, now=chunk.now)
    Prospect.objects.bulk_update([record.prospect for record in changed], list(CARD_COLUMNS))


CARD_COLUMNS = (
    "full_name", "headline", "title", "company", "location", "language", "language_confidence", "language_signals",
    "email", "linkedin_url", "first_degree", "updated_at",
)  # fmt: skip


def apply_card(*, prospect: Prospect, card: Card, companies: Mapping[str, Company], now: datetime) -> None:
    """Set the columns that evidence speaks about. What it does not mention stays."""
    for column in ("full_name", "headline", "title", "location"):
        value = getattr(card, column)
        if value:
            setattr(prospect, column, value)
    company = companies.get(normalized_company(card.company))
    if company is not None:
        prospect.company = company
    if card.language.code and not prospect.language_chosen:
        prospect.language = card.language.code
        prospect.language_confidence = card.language.confidence
        prospect.language_signals = [
            {"source": signal.source, "code": signal.code, "weight": signal.weight, "reason": signal.reason}
            for signal in card.language.signals
        ]
    prospect.updated_at = now


def _counted(chunk: _Chunk) -> Absorbed:
    created = updated = unchanged = 0
    settled: set[int] = set()
    for record, new in chunk.outcome.values():
        first = id(record) not in settled
        settled.add(id(record))
        if new:
            created += 1
        elif first and record.changed:
            updated += 1
        else:
            unchanged += 1
    ids = dict.fromkeys(record.prospect.pk for record, _ in chunk.outcome.values())
    return Absorbed(
        created=created,
        updated=updated,
        unchanged=unchanged,
        skipped=tuple(chunk.skipped),
        prospect_ids=tuple(ids),
    )
