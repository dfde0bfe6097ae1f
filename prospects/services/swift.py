"""Most rows of a file are new people, or say what is known already. Both are settled here for many rows at once.

Whatever asks for more than that (a key that two rows or two records share, another name, anything that supersedes)
goes the way that treats each person by itself, `absorbing`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from django.db import connection

from outreach.teams.models import Team, User
from prospects import suppression
from prospects.domain.identity import Key, KeyKind, normalized_company
from prospects.domain.imported import Skipped
from prospects.domain.parcels import (
    EVIDENCE_COLUMNS,
    KEY_COLUMNS,
    PROSPECT_COLUMNS,
    RECORD,
    Parcel,
    evidence_rows,
    unpacked,
    written,
)
from prospects.domain.succession import plan
from prospects.domain.suppression import targets_of
from prospects.models import Company, Evidence, IdentityKey, ImportBatch, Prospect, Suppression
from prospects.queries import known_rows
from prospects.services import bulk
from prospects.services.absorbing import Absorbed, absorb, companies_of, owner_of
from prospects.services.ledger import Ledger

_FIND_KEYS = """
SELECT value, prospect_id FROM prospects_identitykey WHERE team_id = %s AND kind = %s AND value = ANY(%s)
"""
#: What is current about each prospect, as hash, last day on which it was said, and number of the row.
_FIND_KNOWN = """
SELECT p.id, p.full_name, p.linkedin_url, p.first_degree,
       (SELECT string_agg(e.content_hash || greatest(e.observed_at, e.last_seen_at) || e.id, ',')
          FROM prospects_evidence e WHERE e.prospect_id = p.id AND e.state = 'current')
  FROM prospects_prospect p WHERE p.id = ANY(%s)
"""
_FIND_FACTS = """
SELECT company_id, content_hash, max(greatest(observed_at, last_seen_at))::text
  FROM prospects_evidence WHERE company_id = ANY(%s) GROUP BY company_id, content_hash
"""
_SEEN_AGAIN = "UPDATE prospects_evidence SET last_seen_at = %s WHERE id = ANY(%s)"
_HASH, _DAY = 64, 74


@dataclass
class _Chunk:
    """The parcels of one chunk, sorted by what they ask for."""

    team: Team
    batch: ImportBatch | None
    owner: User | None
    now: datetime
    new: list[Parcel] = field(default_factory=list)
    unchanged: list[tuple[Parcel, int]] = field(default_factory=list)
    repeats: list[Parcel] = field(default_factory=list)
    rest: list[Parcel] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    companies: dict[str, int] = field(default_factory=dict)
    updated: int = 0


def absorb_parcels(
    *, team: Team, batch: ImportBatch | None, owner: User | None, parcels: Sequence[Parcel], now: datetime
) -> Absorbed:
    """Write one chunk. Call it inside a transaction that holds the team's lock."""
    chunk = _Chunk(team=team, batch=batch, owner=owner, now=now)
    _sort(chunk, _without_suppressed(chunk, parcels))
    settled = [*chunk.new, *chunk.repeats, *(parcel for parcel, _ in chunk.unchanged)]
    chunk.companies = _company_ids(chunk, settled)
    ids = _write_new(chunk)
    _company_facts(chunk, settled)
    done = Absorbed()
    if chunk.rest:
        people = [unpacked(parcel.packed) for parcel in chunk.rest]
        done = absorb(team=team, batch=batch, owner=owner, people=people, now=now)
    return Absorbed(
        created=len(chunk.new) + done.created,
        updated=chunk.updated + done.updated,
        unchanged=len(chunk.unchanged) + len(chunk.repeats) - chunk.updated + done.unchanged,
        skipped=(*chunk.skipped, *done.skipped),
        prospect_ids=(*ids, *(number for _, number in chunk.unchanged), *done.prospect_ids),
    )


def _without_suppressed(chunk: _Chunk, parcels: Sequence[Parcel]) -> list[Parcel]:
    if not Suppression.objects.filter(team=chunk.team).exists():
        return list(parcels)
    candidates = {
        number: targets_of(keys=[Key(KeyKind(kind), value) for kind, value in parcel.keys], companies=[parcel.company])
        for number, parcel in enumerate(parcels)
    }
    blocked = suppression.among(team=chunk.team, candidates=candidates)
    for number, row in blocked.items():
        parcel = parcels[number]
        reason = f"on the suppression list by {row.get_kind_display().lower()} ({row.reason}); nothing was stored"
        chunk.skipped.append(Skipped(row=parcel.row, reason=reason, place=parcel.place))
    return [parcel for number, parcel in enumerate(parcels) if number not in blocked]


def _sort(chunk: _Chunk, parcels: Sequence[Parcel]) -> None:
    owners = _owners_of_keys(chunk.team, parcels)
    firsts = _without_repeats(parcels)
    shared = Counter(key for parcel in firsts for key in parcel.keys)
    known: list[tuple[Parcel, int]] = []
    for parcel in firsts:
        found = {owners.get(key) for key in parcel.keys}
        if any(shared[key] > 1 for key in parcel.keys) or len(found) > 1:
            chunk.rest.append(parcel)
            continue
        owner = next(iter(found))
        if owner is None:
            whole = written(parcel, owner_of(chunk.owner))
            (chunk.new if whole.evidence else chunk.rest).append(whole)
        elif parcel.day:
            known.append((parcel, owner))
        else:
            chunk.rest.append(parcel)
    _compare(chunk, known)
    _sort_repeats(chunk, parcels, firsts)


def _without_repeats(parcels: Sequence[Parcel]) -> list[Parcel]:
    """The parcels without those that say, word for word, what an earlier one said."""
    firsts: dict[tuple[object, ...], Parcel] = {}
    for parcel in parcels:
        said = (
            parcel.keys, parcel.hashes, parcel.about, parcel.day, parcel.full_name, parcel.company, parcel.company_domain,
            parcel.first_degree, parcel.profile,
        )  # fmt: skip
        firsts.setdefault(said, parcel)
    return list(firsts.values())


def _sort_repeats(chunk: _Chunk, parcels: Sequence[Parcel], firsts: Sequence[Parcel]) -> None:
    """A row that repeats another changes nothing where that one is new or known, and goes the same way where it is not."""
    if len(firsts) == len(parcels):
        return
    # What is settled shares no key with any other row but its repeats.
    new, known = {parcel.keys for parcel in chunk.new}, {parcel.keys: number for parcel, number in chunk.unchanged}
    first = set(map(id, firsts))
    repeats = [parcel for parcel in parcels if id(parcel) not in first]
    chunk.repeats = [parcel for parcel in repeats if parcel.keys in new]
    chunk.unchanged += [(parcel, known[parcel.keys]) for parcel in repeats if parcel.keys in known]
    chunk.rest = [parcel for parcel in parcels if parcel.keys not in new and parcel.keys not in known]


def _owners_of_keys(team: Team, parcels: Sequence[Parcel]) -> dict[tuple[str, str], int]:
    values: dict[str, list[str]] = {}
    for parcel in parcels:
        for kind, value in parcel.keys:
            values.setdefault(kind, []).append(value)
    found: dict[tuple[str, str], int] = {}
    with connection.cursor() as cursor:
        for kind, wanted in values.items():
            cursor.execute(_FIND_KEYS, [team.pk, kind, wanted])
            found |= {(kind, value): number for value, number in cursor.fetchall()}
    return found


def _compare(chunk: _Chunk, known: Sequence[tuple[Parcel, int]]) -> None:
    """Whether the records hold all that the parcels say. What an older day said is confirmed by the newer one."""
    with connection.cursor() as cursor:
        cursor.execute(_FIND_KNOWN, [[number for _, number in known]])
        rows = {number: rest for number, *rest in cursor.fetchall()}
    seen_again: dict[str, list[int]] = {}
    for parcel, number in known:
        name, url, first_degree, said = rows[number]
        current = {entry[:_HASH]: entry[_HASH:] for entry in (said or "").split(",")}
        same = name == parcel.full_name and (not parcel.profile or parcel.profile == url)
        if not same or parcel.first_degree > first_degree or not all(word in current for word in parcel.hashes):
            chunk.rest.append(parcel)
            continue
        chunk.unchanged.append((parcel, number))
        older = [entry for word in parcel.hashes if (entry := current[word])[: _DAY - _HASH] < parcel.day]
        if older:
            seen_again.setdefault(parcel.day, []).extend(int(entry[_DAY - _HASH :]) for entry in older)
    with connection.cursor() as cursor:
        for day, ids in seen_again.items():
            cursor.execute(_SEEN_AGAIN, [date.fromisoformat(day), ids])


def _company_ids(chunk: _Chunk, parcels: Sequence[Parcel]) -> dict[str, int]:
    """The companies by normalised name; only those that are missing, or get their domain, are looked at one by one."""
    names = {name for parcel in parcels if (name := normalized_company(parcel.company))}
    rows = Company.objects.filter(team=chunk.team, normalized_name__in=names).values_list(
        "normalized_name", "pk", "domain"
    )
    domains = {name: (pk, domain) for name, pk, domain in rows}
    found = {name: pk for name, (pk, _) in domains.items()}
    rest = [
        parcel
        for parcel in parcels
        if (name := normalized_company(parcel.company))
        and (name not in found or (parcel.company_domain and not domains[name][1]))
    ]
    if rest:
        found |= {name: row.pk for name, row in companies_of(team=chunk.team, people=rest, now=chunk.now).items()}
    return found


def _write_new(chunk: _Chunk) -> list[int]:
    """New prospects with their keys and evidence. Their ids."""
    if not chunk.new:
        return []
    ids = bulk.numbers(Prospect, len(chunk.new))
    same = {"team_id": chunk.team.pk, "created_at": chunk.now}
    prospects = bulk.Writer(
        Prospect, same={**same, "updated_at": chunk.now}, columns=("id", "company_id", *PROSPECT_COLUMNS)
    )
    begin = prospects.begin
    prospects.write(
        "".join(
            [
                f"{begin}{number}\t{_employer(chunk, parcel)}\t{parcel.prospect}"
                for parcel, number in zip(chunk.new, ids, strict=True)
            ]
        )
    )
    keys = bulk.Writer(IdentityKey, same={"team_id": chunk.team.pk}, columns=("prospect_id", *KEY_COLUMNS))
    begin = keys.begin
    keys.write(
        "".join(
            [parcel.key_rows.replace(RECORD, f"{begin}{number}") for parcel, number in zip(chunk.new, ids, strict=True)]
        )
    )
    evidence = _evidence_writer(chunk, "prospect_id")
    begin = evidence.begin
    evidence.write(
        "".join(
            [parcel.evidence.replace(RECORD, f"{begin}{number}") for parcel, number in zip(chunk.new, ids, strict=True)]
        )
    )
    return ids


def _evidence_writer(chunk: _Chunk, record: str) -> bulk.Writer:
    same = {
        "team_id": chunk.team.pk,
        "created_at": chunk.now,
        "batch_id": chunk.batch.pk if chunk.batch else None,
    }
    return bulk.Writer(Evidence, same=same, columns=(record, *EVIDENCE_COLUMNS))


def _employer(chunk: _Chunk, parcel: Parcel) -> int | str:
    """The number of the company of the present role, for COPY."""
    return (parcel.employer and chunk.companies.get(normalized_company(parcel.employer))) or "\\N"


def _company_facts(chunk: _Chunk, parcels: Sequence[Parcel]) -> None:
    """Facts that are not known yet, of each company once. A row that brings one to a known person is an update."""
    speaking = [
        (parcel, company)
        for parcel in parcels
        if parcel.about and (company := chunk.companies.get(normalized_company(parcel.company)))
    ]
    with connection.cursor() as cursor:
        cursor.execute(_FIND_FACTS, [list({company for _, company in speaking})])
        said = {(number, word): day for number, word, day in cursor.fetchall()}
    known_companies = {number for number, _ in said}
    telling: list[tuple[Parcel, int]] = []
    for parcel, company in speaking:
        fresh = [(word, day) for word, day in parcel.about if (company, word) not in said or said[company, word] < day]
        if fresh:
            said |= {(company, word): day for word, day in fresh}
            telling.append((parcel, company))
    if telling:
        _tell(chunk, telling, known_companies)


def _tell(chunk: _Chunk, telling: Sequence[tuple[Parcel, int]], known_companies: Collection[int]) -> None:
    """Facts about companies of which nothing is known are written as they are, the others in relation to what is."""
    known_people = {id(parcel) for parcel, _ in chunk.unchanged}
    times = Counter(company for _, company in telling)
    rows: list[str] = []
    rest: list[tuple[Parcel, int]] = []
    writer = _evidence_writer(chunk, "company_id")
    for parcel, company in telling:
        if company in known_companies or times[company] > 1 or not all(day for _, day in parcel.about):
            rest.append((parcel, company))
            continue
        rows.append(evidence_rows(unpacked(parcel.packed).about_company).replace(RECORD, f"{writer.begin}{company}"))
        chunk.updated += id(parcel) in known_people
    writer.write("".join(rows))
    if rest:
        _tell_more(chunk, rest, known_people)


def _tell_more(chunk: _Chunk, telling: Sequence[tuple[Parcel, int]], known_people: Collection[int]) -> None:
    ledger = Ledger(team=chunk.team, batch=chunk.batch, now=chunk.now)
    companies = Company.objects.in_bulk({company for _, company in telling})
    known = known_rows(company_ids=companies)
    for parcel, company in telling:
        rows = known.setdefault(company, [])
        planned = plan(items=unpacked(parcel.packed).about_company, known=rows, complete=frozenset())
        changed = ledger.enter(planned, about=companies[company], known=rows)
        chunk.updated += changed and id(parcel) in known_people
    ledger.write()
