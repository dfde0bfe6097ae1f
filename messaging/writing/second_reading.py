"""The judge reads what a person wrote: later, by a worker, and never while somebody types or waits.

Texts of a model are read before they are stored. The asking holds no lock; what was heard is stored only while the
text is still the current one. A judge that fails is not asked again for the same text: it stays as the rules left it.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import OuterRef, Subquery

from messaging.models import AuthorKind, Check, Draft, DraftState, Revision
from messaging.verification.judge import Heard, Judge
from messaging.writing.checking import Checked, checker_for
from messaging.writing.generation import call_of
from messaging.writing.queries import decided_claims
from messaging.writing.revisions import declared_of, reading_of, settle, store_check, with_relations
from messaging.writing.services import keep_calls

#: Older texts are not read: naming a judge does not put a whole queue before it.
FRESH = timedelta(days=1)
MOST_IN_A_SWEEP = 20
_OPEN = (DraftState.READY, DraftState.BLOCKED)


def unread(*, now: datetime, limit: int = MOST_IN_A_SWEEP) -> tuple[int, ...]:
    """Drafts whose current text a person wrote and no judge has read, the oldest first."""
    newest = Check.objects.filter(revision=OuterRef("current")).order_by("-pk").values("judged")[:1]
    drafts = Draft.objects.filter(
        state__in=_OPEN, current__author_kind=AuthorKind.PERSON, current__created_at__gte=now - FRESH
    )
    return tuple(
        drafts.annotate(judged=Subquery(newest))
        .filter(judged__isnull=True)
        .order_by("pk")
        .values_list("pk", flat=True)[:limit]
    )


def read_again(*, draft_id: int, judge: Judge, now: datetime) -> bool:
    """Put a draft's current text before the judge and keep what it says. False when that text was not to be read."""
    draft = with_relations(draft_id=draft_id)
    revision = draft.current
    if revision is None or draft.state not in _OPEN or reading_of(revision=revision) is not None:
        return False
    checker = checker_for(draft=draft, frozen=revision.dossier, now=now)
    declared = declared_of(revision=revision)
    checked = checker.check(subject=revision.subject, body=revision.body, declared=declared)
    checked, heard = checker.put_before(
        judge=judge, checked=checked, subject=revision.subject, body=revision.body, declared=declared,
        examples=decided_claims(team=draft.team),
    )  # fmt: skip
    return _kept(draft=draft, revision=revision, checked=checked, heard=heard, now=now)


def _kept(*, draft: Draft, revision: Revision, checked: Checked, heard: Heard | None, now: datetime) -> bool:
    if heard is not None:
        # What was asked was paid for, whatever became of the text meanwhile.
        keep_calls(draft=draft, model=heard.model, calls=(call_of(heard),), now=now)
    with transaction.atomic():
        Draft.objects.select_for_update().get(pk=draft.pk)
        locked = with_relations(draft_id=draft.pk)
        current = locked.current
        if current is None or current.pk != revision.pk or locked.state not in _OPEN:
            return False
        if reading_of(revision=current) is not None:
            return False
        store_check(revision=current, frozen=current.dossier, checked=checked, now=now)
        settle(draft=locked, revision=current, checked=checked, now=now)
    return True
