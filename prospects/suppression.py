"""Whom a team must not write to. Checked on import, enrolment, approval and sending."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import connection, transaction

from outreach.teams import audit
from outreach.teams.access import Member, gate
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team, User
from prospects.domain.identity import Key, KeyKind, email_keys, own_domain, profile_keys
from prospects.domain.imported import Skipped
from prospects.domain.reading import Unreadable
from prospects.domain.suppression import Hasher, SuppressionKind, Target, read_target, targets_of
from prospects.domain.suppression_file import ListKind, read_suppressions
from prospects.domain.upload import Upload
from prospects.models import Company, IdentityKey, Prospect, Suppression


def find(*, team: Team, email: str = "", profile: str = "", company: str = "") -> Suppression | None:
    """The suppression that covers any of these, as a person writes them; None when free. One query."""
    targets = list(targets_of(keys=email_keys(email), companies=[company] if company else []))
    if profile:
        target = read_target(SuppressionKind.PROFILE, profile)
        targets += [target] if isinstance(target, Target) else []
    return among(team=team, candidates={0: targets}).get(0)


def among(*, team: Team, candidates: Mapping[int, Iterable[Target]]) -> dict[int, Suppression]:
    """Which of many candidates (by any number of theirs) are suppressed. At most two queries."""
    if not Suppression.objects.filter(team=team).exists():
        return {}
    return _matched(team=team, candidates=candidates)


def of_prospect(*, team: Team, prospect: Prospect) -> Suppression | None:
    """The suppression that covers one person, by every address, profile and their company. At most three queries."""
    if not Suppression.objects.filter(team=team).exists():
        return None
    keys = [
        Key(KeyKind(kind), value)
        for kind, value in IdentityKey.objects.filter(prospect=prospect).values_list("kind", "value")
    ]
    keys += [*email_keys(prospect.email), *profile_keys(prospect.linkedin_url)]
    company = prospect.company
    targets = targets_of(
        keys=keys,
        companies=[company.name] if company else [],
        domains=[company.domain] if company and company.domain else [],
    )
    return _matched(team=team, candidates={0: targets}).get(0)


def of_company(*, team: Team, company: Company) -> Suppression | None:
    """The suppression that covers everybody at a company, by its name or its domain. One query."""
    targets = targets_of(keys=[], companies=[company.name], domains=[company.domain] if company.domain else [])
    return _matched(team=team, candidates={0: targets}).get(0)


def suppress_company(*, member: Member, company: Company, reason: str, now: datetime) -> int | Refusal:
    """Write to nobody at a company: its name, and its domain where one is known. Returns how many keys are covered."""
    refused = gate(member=member, capability=Capability.WRITE)
    if refused is not None:
        return refused
    if company.team_id != member.team.pk:
        return Refusal(code="not-found", message="There is no such company in this team.")
    targets = [target for target in (read_target(SuppressionKind.COMPANY, company.name),) if isinstance(target, Target)]
    if own_domain(company.domain):
        targets.append(Target(SuppressionKind.DOMAIN, own_domain(company.domain)))
    with transaction.atomic():
        for target in targets:
            _add(team=member.team, actor=member.user, target=target, reason=reason, now=now)
    return len(targets)


def _matched(*, team: Team, candidates: Mapping[int, Iterable[Target]]) -> dict[int, Suppression]:
    numbers: dict[str, list[int]] = {}
    for number, targets in candidates.items():
        for target in targets:
            numbers.setdefault(target.hashed, []).append(number)
    owners: dict[str, list[int]] = {}
    for hasher in [Hasher(team_id=team.pk, key=key) for key in settings.SUPPRESSION_KEYS.values()]:
        owners.update((hasher.of_text(text), found) for text, found in numbers.items())
    if not owners:
        return {}
    found: dict[int, Suppression] = {}
    for row in Suppression.objects.filter(team=team, pk__in=_among(team=team, hashes=owners)).order_by("id"):
        for number in owners[row.keyed_hash]:
            found.setdefault(number, row)
    return found


def _among(*, team: Team, hashes: Collection[str]) -> list[int]:
    """Numbers of the suppressions with these hashes. The list is read whole where it is the shorter of the two."""
    listed = Suppression.objects.filter(team=team)
    if len(hashes) < _FEW or listed.count() > len(hashes):
        return list(listed.filter(keyed_hash__in=hashes).values_list("pk", flat=True))
    return [pk for pk, keyed_hash in listed.values_list("pk", "keyed_hash") if keyed_hash in hashes]


_KEYS = "SELECT prospect_id, kind, value FROM prospects_identitykey WHERE team_id = %s AND prospect_id = ANY(%s)"
_PEOPLE = """
SELECT p.id, p.email, p.linkedin_url, c.name, c.domain
FROM prospects_prospect p LEFT JOIN prospects_company c ON c.id = p.company_id
WHERE p.team_id = %s AND p.id = ANY(%s)
"""


def of_prospects(*, team: Team, prospect_ids: Iterable[int]) -> dict[int, Suppression]:
    """The suppressed ones of these prospects, by id. Looks at all their addresses, profiles and their company."""
    kinds = set(Suppression.objects.filter(team=team).order_by().values_list("kind", flat=True).distinct())
    if not kinds:
        return {}
    ids = list(prospect_ids)
    asked: list[Any] = [team.pk, ids]
    keys: dict[int, list[Key]] = {prospect_id: [] for prospect_id in ids}
    candidates = {}
    with connection.cursor() as cursor:
        cursor.execute(_KEYS, asked)
        for prospect_id, kind, value in cursor.fetchall():
            keys[prospect_id].append(Key(KeyKind(kind), value))
        cursor.execute(_PEOPLE, asked)
        for pk, email, url, company, domain in cursor.fetchall():
            known = dict.fromkeys((*keys[pk], *email_keys(email), *profile_keys(url)))
            targets = targets_of(
                keys=known, companies=[company] if company else [], domains=[domain] if domain else []
            )
            candidates[pk] = [target for target in targets if target.kind in kinds]
    return _matched(team=team, candidates=candidates)


def suppress(
    *, team: Team, actor: User | None, kind: str, value: str, reason: str, now: datetime
) -> Suppression | Refusal:
    """Never write to this again. Doing it twice keeps the first. A rule that does it passes actor None."""
    if kind not in Suppression.Kind.values:
        return Refusal(code="unknown-kind", message=f"Choose one of {', '.join(Suppression.Kind.values)}.")
    target = read_target(kind, value)
    if isinstance(target, str):
        return Refusal(code="unusable-value", message=target)
    with transaction.atomic():
        return _add(team=team, actor=actor, target=target, reason=reason, now=now)


def suppress_prospect(*, prospect: Prospect, actor: User | None, reason: str, now: datetime) -> int:
    """Suppress every address and profile of a person. Returns how many keys are covered."""
    keys = IdentityKey.objects.filter(prospect=prospect).values_list("kind", "value")
    targets = targets_of(keys=[Key(KeyKind(kind), value) for kind, value in keys])
    own = [target for target in targets if target.kind is not SuppressionKind.DOMAIN]
    with transaction.atomic():
        for target in own:
            _add(team=prospect.team, actor=actor, target=target, reason=reason, now=now)
    return len(own)


def _add(*, team: Team, actor: User | None, target: Target, reason: str, now: datetime) -> Suppression:
    version = max(settings.SUPPRESSION_KEYS)
    row, created = Suppression.objects.get_or_create(
        team=team,
        kind=target.kind.value,
        key_version=version,
        keyed_hash=target.keyed_hash(team_id=team.pk, key=settings.SUPPRESSION_KEYS[version]),
        origin="",
        defaults={"reason": reason.strip()[:200] or "no reason given", "added_by": actor, "created_at": now},
    )
    if created:
        audit.record(team=team, actor=actor, action="suppression.added", target=row, details={"kind": row.kind})
    return row


def lift(*, team: Team, actor: User, suppression_id: int, reason: str) -> bool | Refusal:
    """Take a suppression away, with a reason for the trail. What another list covers stays covered by that list."""
    if not reason.strip():
        return Refusal(code="reason-missing", message="Say why this may be written to again.")
    with transaction.atomic():
        row = Suppression.objects.select_for_update().filter(team=team, pk=suppression_id).first()
        if row is None:
            return Refusal(code="not-found", message="There is no such suppression in this team.")
        audit.record(
            team=team, actor=actor, action="suppression.lifted", target=row, details={"kind": row.kind}, content=reason
        )
        row.delete()
    return True


@dataclass(frozen=True)
class Taken:
    """What a file of suppressions did."""

    rows: int
    added: int
    known: int
    lifted: int
    skipped: tuple[Skipped, ...]


#: Rows of a file that a page takes while somebody waits; longer lists go by command.
MOST_ON_A_PAGE = 20_000
_REASONS = {
    ListKind.OPT_OUT: "opted out",
    ListKind.CUSTOMER: "customer",
    ListKind.OPPORTUNITY: "open opportunity",
}
_AT_ONCE = 2_000
#: Hashes that are asked for one by one, however short the list.
_FEW = 1_000


def take_file(
    *,
    team: Team,
    actor: User | None,
    file_name: str,
    data: bytes,
    kind: str,
    reason: str = "",
    replace: bool = False,
    most: int | None = None,
    now: datetime,
) -> Taken | Refusal:
    """Put everything a file names on the list, in one go or not at all. The same file again adds nothing.

    replace: what came from an earlier list of this kind and is not in this file may be written to again. Not for
    opt-outs: who once said no is not let go by a file that forgot them.
    """
    if kind not in set(ListKind):
        return Refusal(code="unknown-kind", message=f"Choose one of {', '.join(ListKind)}.")
    if replace and kind == ListKind.OPT_OUT:
        return Refusal(code="opt-outs-stay", message="Opt-outs are only added to; lift single ones by hand.")
    read = read_suppressions(Upload(file_name=file_name, data=data), kind=ListKind(kind))
    if isinstance(read, Unreadable):
        return Refusal(code="unreadable", message=read.message)
    if most is not None and read.rows > most:
        return Refusal(
            code="too-long", message=f"The file has {read.rows:,} rows; here at most {most:,} are taken. Use the command "
            "import_suppressions for longer ones, or split the file.",
        )  # fmt: skip
    if not read.targets:
        return Refusal(code="nobody-named", message="No row names an address, domain, profile or company.")
    words = reason.strip()[:200] or _REASONS[ListKind(kind)]
    with transaction.atomic():
        added, hashes = _add_all(team=team, actor=actor, targets=read.targets, kind=kind, reason=words, now=now)
        lifted = _lift_others(team=team, kind=kind, hashes=hashes) if replace else 0
        audit.record(
            team=team, actor=actor, action="suppression.list_taken", target=team,
            details={"list": kind, "rows": read.rows, "added": added, "lifted": lifted},
        )  # fmt: skip
    return Taken(rows=read.rows, added=added, known=len(read.targets) - added, lifted=lifted, skipped=read.skipped)


def _add_all(
    *, team: Team, actor: User | None, targets: Sequence[Target], kind: str, reason: str, now: datetime
) -> tuple[int, set[str]]:
    """How many are new, and the hashes of all under every key that is still read."""
    version = max(settings.SUPPRESSION_KEYS)
    hashes: set[str] = set()
    added = 0
    for start in range(0, len(targets), _AT_ONCE):
        part = targets[start : start + _AT_ONCE]
        by_key = {
            number: {target: target.keyed_hash(team_id=team.pk, key=key) for target in part}
            for number, key in settings.SUPPRESSION_KEYS.items()
        }
        all_hashes = {value for hashed in by_key.values() for value in hashed.values()}
        hashes |= all_hashes
        known = set(
            Suppression.objects.filter(team=team, origin=kind, keyed_hash__in=all_hashes).values_list(
                "kind", "keyed_hash"
            )
        )
        rows = [
            Suppression(
                team=team, kind=target.kind.value, key_version=version, keyed_hash=by_key[version][target], origin=kind,
                reason=reason, added_by=actor, created_at=now,
            )
            for target in part
            if not any((target.kind.value, hashed[target]) in known for hashed in by_key.values())
        ]  # fmt: skip
        Suppression.objects.bulk_create(rows, ignore_conflicts=True)
        added += len(rows)
    return added, hashes


def _lift_others(*, team: Team, kind: str, hashes: set[str]) -> int:
    """Take away what an earlier list of the kind put there and the new one does not name."""
    rows = Suppression.objects.filter(team=team, origin=kind).values_list("pk", "keyed_hash")
    gone = [pk for pk, keyed_hash in rows.iterator() if keyed_hash not in hashes]
    for start in range(0, len(gone), _AT_ONCE):
        Suppression.objects.filter(pk__in=gone[start : start + _AT_ONCE]).delete()
    return len(gone)
