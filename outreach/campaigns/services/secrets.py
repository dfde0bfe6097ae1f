"""Keeping passwords and keys. They go in, are used by what connects, and never come out; the trail names them only."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from outreach.campaigns.models import Secret, SendingAccount
from outreach.campaigns.queries import secret_purpose
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from outreach.vault import reseal, seal

#: Longer than any password or key that a server gives out.
LONGEST = 4_000
BATCH = 500


def secret_fault(*, field: str, value: str | None) -> Refusal | None:
    """What is wrong with a password as entered; its text is not repeated."""
    if value and (len(value) > LONGEST or not value.isprintable()):
        return Refusal("invalid", f"{field}: this is no password: it is too long or holds line breaks.")
    return None


def keep(*, team: Team, kind: str, value: str | None, account: SendingAccount | None, now: datetime) -> bool:
    """Inside the caller's transaction: replace the secret, forget it for "", leave it for None. Whether it changed."""
    rows = Secret.objects.filter(team=team, kind=kind, account=account)
    if value is None:
        return False
    if not value:
        return bool(rows.delete()[0])
    purpose = secret_purpose(team_id=team.pk, kind=kind, account_id=account.pk if account else None)
    token = seal(purpose=purpose, value=value)
    Secret.objects.update_or_create(team=team, kind=kind, account=account, defaults={"token": token, "set_at": now})
    return True


def rotate_secrets() -> tuple[int, int]:
    """Write every secret anew under the newest key. How many were, and how many no key reads; those are left alone."""
    done = unreadable = last = 0
    while True:
        with transaction.atomic():
            rows = list(Secret.objects.select_for_update().filter(pk__gt=last).order_by("pk")[:BATCH])
            for row in rows:
                token = reseal(token=row.token)
                if token is None:
                    unreadable += 1
                    continue
                Secret.objects.filter(pk=row.pk).update(token=token)
                done += 1
        if len(rows) < BATCH:
            return done, unreadable
        last = rows[-1].pk
