"""What must hold over everything that is known, whoever wrote it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.db.models import Count, Exists, F, Max, Model, OuterRef, Q, QuerySet, Sum

from outreach.teams.domain.invariants import Invariant, Violation
from prospects.models import (
    Doubt,
    DoubtState,
    Evidence,
    EvidenceState,
    IdentityKey,
    ImportBatch,
    ImportPart,
    ImportState,
    IndustryNote,
    Merge,
    NoteState,
    Prospect,
    ProspectState,
)
from prospects.queries import fact_of


def _slots() -> Iterator[Violation]:
    current = Evidence.objects.filter(state=EvidenceState.CURRENT).exclude(slot="")
    for column in ("prospect_id", "company_id"):
        doubled = (
            current.filter(**{f"{column}__isnull": False})
            .values_list(column, "slot")
            .annotate(number=Count("id"))
            .filter(number__gt=1)
            .order_by(column)
        )
        for record, slot, number in doubled:
            yield Violation(record, f"{number} current rows in the slot {slot!r} of {column} {record}")


def _steps() -> Iterator[Violation]:
    """What describes an archive's owner goes in before the first step."""
    rows = ImportBatch.objects.annotate(stepped=Sum("steps__rows"), last=Max(F("steps__first") + F("steps__rows")))
    wrong = rows.filter(Q(stepped__gt=F("rows_done")) | ~Q(last=F("rows_done")), stepped__isnull=False)
    for pk in wrong.order_by("pk").values_list("pk", flat=True):
        yield Violation(pk, "its steps and its count of rows disagree")


def _foreign(rows: QuerySet[Any], detail: str) -> Callable[[], Iterator[Violation]]:
    return lambda: (Violation(pk, detail) for pk in rows.order_by("pk").values_list("pk", flat=True).iterator())


def _hashes() -> Iterator[Violation]:
    for row in _live().defer("snapshot").order_by("pk").iterator(chunk_size=2_000):
        row.last_seen_at = None
        if fact_of(row).content_hash != row.content_hash:
            yield Violation(row.pk, "the content is not what its hash was made of")


def _live() -> QuerySet[Evidence]:
    return Evidence.objects.exclude(state=EvidenceState.ERASED)


def _count(model: type[Model]) -> Callable[[], int]:
    rows: QuerySet[Any] = QuerySet(model=model)
    return rows.count


_OTHER_TEAM = Q(prospect__isnull=False) & ~Q(prospect__team=F("team")) | Q(company__isnull=False) & ~Q(
    company__team=F("team")
)
_KEYS = IdentityKey.objects.filter(prospect=OuterRef("pk"))
_LIVE_MERGE = Merge.objects.filter(absorbed=OuterRef("pk"), undone_at__isnull=True)


def invariants() -> tuple[Invariant, ...]:
    """The rules of this room."""
    return (
        Invariant("evidence_slot_holds_one_value", _count(Evidence), _slots),
        Invariant("evidence_is_what_its_hash_says", lambda: _live().count(), _hashes),
        Invariant(
            "evidence_is_of_its_records_team",
            _count(Evidence),
            _foreign(Evidence.objects.filter(_OTHER_TEAM), "it is about a record of another team"),
        ),
        Invariant(
            "superseded_evidence_is_not_its_own_successor",
            _count(Evidence),
            _foreign(Evidence.objects.filter(superseded_by=F("pk")), "it supersedes itself"),
        ),
        Invariant(
            "identity_key_is_of_its_prospects_team",
            _count(IdentityKey),
            _foreign(IdentityKey.objects.exclude(prospect__team=F("team")), "its prospect is of another team"),
        ),
        Invariant(
            "prospect_is_known_by_something",
            _count(Prospect),
            _foreign(
                Prospect.objects.exclude(state__in=[ProspectState.ERASED, ProspectState.MERGED]).filter(~Exists(_KEYS)),
                "it has no identity key",
            ),
        ),
        Invariant(
            "conflicted_prospect_says_why",
            _count(Prospect),
            _foreign(
                Prospect.objects.filter(state=ProspectState.CONFLICTED, conflict=""), "the conflict has no reason"
            ),
        ),
        Invariant(
            "merged_prospect_says_into_which",
            _count(Prospect),
            _foreign(
                Prospect.objects.filter(~Exists(_LIVE_MERGE), state=ProspectState.MERGED), "no merge says where it went"
            ),
        ),
        Invariant(
            "merge_is_of_its_prospects_team",
            _count(Merge),
            _foreign(
                Merge.objects.exclude(kept__team=F("team"), absorbed__team=F("team")),
                "its prospects are of another team",
            ),
        ),
        Invariant(
            "open_doubt_keeps_its_prospect_out",
            _count(Doubt),
            _foreign(
                Doubt.objects.filter(state=DoubtState.OPEN, prospect__state=ProspectState.ACTIVE),
                "the prospect is written to although it is open who this is",
            ),
        ),
        Invariant(
            "industry_note_has_one_current_version",
            _count(IndustryNote),
            _foreign(
                IndustryNote.objects.filter(state=NoteState.APPROVED, replaces__state=NoteState.APPROVED),
                "the version it replaces is approved too",
            ),
        ),
        Invariant(
            "finished_import_keeps_no_file",
            _count(ImportBatch),
            _foreign(
                ImportBatch.objects.filter(
                    Exists(ImportPart.objects.filter(batch=OuterRef("pk"))),
                    state__in=[ImportState.DONE, ImportState.REFUSED],
                ),
                "the file is still stored",
            ),
        ),
        Invariant("import_steps_cover_its_rows", _count(ImportBatch), _steps),
        Invariant(
            "import_is_not_done_before_its_rows",
            _count(ImportBatch),
            _foreign(
                ImportBatch.objects.filter(state=ImportState.DONE).exclude(rows_done=F("rows")), "rows are missing"
            ),
        ),
    )
