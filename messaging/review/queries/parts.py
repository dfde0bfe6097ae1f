"""What somebody had to do with a text: who had a part in it leaves its approval to another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import Min

from messaging.models import Authorship, FrozenDossier, Revision
from messaging.review.domain.approval import NEWLY_IMPORTED, Part
from outreach.teams.models import User
from prospects.models import Evidence


def part_in(*, revision: Revision, authors: Iterable[Authorship], cited: Sequence[Evidence], user: User) -> Part | None:
    """The part of the user in the text, None for none. A query for whoever had one, one for each import of theirs.

    A part is: having written, prompted or evidenced this draft; having added evidence that it cites by hand, for this
    message or earlier; having handed in or started the file that such evidence came with, less than a day before
    the text was written from it. cited: rows with their batch.
    """
    if any(author.user_id == user.pk for author in authors):
        first = Authorship.objects.filter(revision__draft=revision.draft_id, user=user).aggregate(at=Min("created_at"))
        return Part("You wrote, prompted or evidenced this text.", first["at"])
    numbers = {item["evidence_id"]: item["ref"] for item in revision.dossier.items}
    by_hand = [row for row in cited if row.added_by_id == user.pk]
    if by_hand:
        return Part(f"You added {_named(by_hand, numbers)} by hand, which it cites.", _first(by_hand))
    brought = [row for row in cited if row.batch and user.pk in (row.batch.created_by_id, row.batch.started_by_id)]
    fresh = [row for row in brought if row.created_at > _frozen_at(revision=revision, row=row) - NEWLY_IMPORTED]
    if fresh:
        words = f"You imported {_named(fresh, numbers)}, which it cites, less than a day before it was written from it."
        return Part(words, _first(fresh))
    return None


def _frozen_at(*, revision: Revision, row: Evidence) -> datetime:
    """When the draft was first given that evidence. A dossier that only grew since does not make an import older."""
    dossiers = FrozenDossier.objects.filter(
        revisions__draft=revision.draft_id, items__contains=[{"evidence_id": row.pk}]
    )
    return dossiers.aggregate(at=Min("created_at"))["at"] or revision.dossier.created_at


def _first(rows: Iterable[Evidence]) -> datetime:
    return min(row.created_at for row in rows)


def _named(rows: Iterable[Evidence], numbers: dict[int, str]) -> str:
    return ", ".join(f"[{numbers.get(row.pk, '?')}]" for row in rows)
