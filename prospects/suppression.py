"""Whom a team must not write to. Checked on import, enrolment, approval and sending."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.conf import settings
from django.db import transaction

from outreach.teams import audit
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team, User
from prospects.domain.identity import Key, KeyKind, email_keys, profile_keys
from prospects.domain.suppression import SuppressionKind, Target, read_target, targets_of
from prospects.models import IdentityKey, Prospect, Suppression


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
    owners: dict[str, list[int]] = {}
    for number, targets in candidates.items():
        for target in targets:
            for key in settings.SUPPRESSION_KEYS.values():
                owners.setdefault(target.keyed_hash(team_id=team.pk, key=key), []).append(number)
    if not owners:
        return {}
    found: dict[int, Suppression] = {}
    for row in Suppression.objects.filter(team=team, keyed_hash__in=owners).order_by("id"):
        for number in owners[row.keyed_hash]:
            found.setdefault(number, row)
    return found


def of_prospects(*, team: Team, prospect_ids: Iterable[int]) -> dict[int, Suppression]:
    """The suppressed ones of these prospects, by id. Looks at all their addresses, profiles and their company."""
    ids = list(prospect_ids)
    keys: dict[int, list[Key]] = {prospect_id: [] for prospect_id in ids}
    for prospect_id, kind, value in IdentityKey.objects.filter(team=team, prospect_id__in=ids).values_list(
        "prospect_id", "kind", "value"
    ):
        keys[prospect_id].append(Key(KeyKind(kind), value))
    companies: dict[int, str] = {}
    for pk, email, url, company in Prospect.objects.filter(team=team, pk__in=ids).values_list(
        "pk", "email", "linkedin_url", "company__name"
    ):
        keys[pk] += [*email_keys(email), *profile_keys(url)]
        companies |= {pk: company} if company else {}
    candidates = {
        prospect_id: targets_of(keys=found, companies=[companies[prospect_id]] if prospect_id in companies else [])
        for prospect_id, found in keys.items()
    }
    return among(team=team, candidates=candidates)


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
        defaults={"reason": reason.strip()[:200] or "no reason given", "added_by": actor, "created_at": now},
    )
    if created:
        audit.record(team=team, actor=actor, action="suppression.added", target=row, details={"kind": row.kind})
    return row


def lift(*, team: Team, actor: User, suppression_id: int, reason: str) -> bool | Refusal:
    """Take a suppression away, with a reason for the trail."""
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
