"""What is noticed about who is who while files come in, and what a person decided about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Lower

from outreach.teams import audit
from outreach.teams.access import Member, gate
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from prospects.domain.identity import Key, KeyKind
from prospects.domain.imported import ImportedPerson
from prospects.domain.likeness import speaks_against
from prospects.domain.names import fold_name
from prospects.models import Doubt, DoubtState, IdentityKey, ImportBatch, MergeSuggestion, Prospect, ProspectState

#: (prospect id, folded name) → what was decided; names still to be decided are not in it.
Rulings = Mapping[tuple[int | None, str], str]
#: Pairs that one import may suggest; whoever has more of them has imported the same people twice.
MOST_PAIRS = 2_000


class Answer(StrEnum):
    """What a person says about a name that disagrees."""

    SAME = "same"
    OTHER = "other"
    THEIRS = "theirs"


def rulings_on(*, prospects: Iterable[Prospect]) -> Rulings:
    """What was decided about these prospects. One query."""
    ids = {prospect.pk for prospect in prospects if prospect.pk is not None}
    rows = Doubt.objects.filter(prospect__in=ids).exclude(state=DoubtState.OPEN)
    return {(pk, folded): state for pk, folded, state in rows.values_list("prospect_id", "folded_name", "state")}


def note_doubts(*, team: Team, doubts: Sequence[tuple[Prospect, ImportedPerson, Sequence[Key]]], now: datetime) -> None:
    """Keep what disagrees, for the person who decides. The same name of the same record is asked about once."""
    rows = [
        Doubt(
            team=team, prospect=prospect, said_name=person.name.full[:300], folded_name=fold_name(person.name.full)[:300],
            keys=[[key.kind.value, key.value] for key in keys], place=person.place[:500], created_at=now,
        )
        for prospect, person, keys in doubts
    ]  # fmt: skip
    if rows:
        Doubt.objects.bulk_create(rows, ignore_conflicts=True)


def note_pairs(*, team: Team, pairs: Iterable[tuple[Prospect, Prospect, str]], now: datetime) -> None:
    """Records that one row has keys of. What was suggested or decided before stays so."""
    ids = [(min(one.pk, other.pk), max(one.pk, other.pk), place) for one, other, place in pairs if one.pk and other.pk]
    _store(team=team, pairs=ids, reason=MergeSuggestion.Reason.ROW, now=now)


def _store(*, team: Team, pairs: Iterable[tuple[int, int, str]], reason: str, now: datetime) -> int:
    rows = [
        MergeSuggestion(team=team, first_id=first, second_id=second, reason=reason, place=place[:500], created_at=now)
        for first, second, place in pairs
    ]
    if rows:
        MergeSuggestion.objects.bulk_create(rows, ignore_conflicts=True, batch_size=500)
    return len(rows)


def look_for_twins(*, batch: ImportBatch, now: datetime) -> int:
    """Suggest pairs of one name at one company, of which an import brought one. Returns how many it found.

    Who has a LinkedIn profile of their own each is not suggested: that is two people of one name.
    """
    new = Prospect.objects.filter(team=batch.team, state=ProspectState.ACTIVE, company__isnull=False)
    if batch.started_at is not None:
        new = new.filter(created_at__gte=batch.started_at)
    twins = (
        new.annotate(
            name=Lower("full_name"), twin=F("company__prospects"), twin_name=Lower("company__prospects__full_name")
        )
        .filter(twin_name=F("name"), company__prospects__state=ProspectState.ACTIVE)
        .exclude(twin=F("pk"))
    )
    pairs = {
        (min(pk, twin), max(pk, twin)) for pk, twin in twins.order_by("pk").values_list("pk", "twin")[: 2 * MOST_PAIRS]
    }
    keys = _keys_of(prospect_ids={pk for pair in pairs for pk in pair})
    likely = [(one, other, "") for one, other in sorted(pairs) if not speaks_against(keys[one], keys[other])]
    return _store(team=batch.team, pairs=likely[:MOST_PAIRS], reason=MergeSuggestion.Reason.NAME_COMPANY, now=now)


def _keys_of(*, prospect_ids: set[int]) -> dict[int, list[Key]]:
    keys: dict[int, list[Key]] = {pk: [] for pk in prospect_ids}
    rows = IdentityKey.objects.filter(prospect__in=prospect_ids).values_list("prospect_id", "kind", "value")
    for prospect_id, kind, value in rows:
        keys[prospect_id].append(Key(KeyKind(kind), value))
    return keys


def decide_doubt(*, member: Member, doubt_id: int, answer: str, now: datetime) -> Doubt | Refusal:
    """Say who a name belongs to.

    same    another name of this prospect; later files under it are about this prospect
    other   somebody else; rows that say so are left out, the keys stay here
    theirs  somebody else, and the shared keys are theirs: the next import makes them a record of their own
    The prospect is written to again once nothing about them is open.
    """
    refused = gate(member=member, capability=Capability.WRITE)
    if refused is not None:
        return refused
    with transaction.atomic():
        row = Doubt.objects.select_for_update().filter(team=member.team, pk=doubt_id).first()
        if row is None:
            return Refusal(code="not-found", message="There is no such question in this team.")
        if answer not in set(Answer):
            return Refusal(code="unknown-answer", message="Say whether it is the same person or somebody else.")
        if row.state != DoubtState.OPEN:
            return Refusal(
                code="decided-already", message=f"This was decided already: {row.get_state_display().lower()}."
            )
        prospect = Prospect.objects.select_for_update().get(pk=row.prospect_id)
        if answer == Answer.THEIRS and not _give_up_keys(prospect, row):
            return Refusal(
                code="last-key",
                message=f"{prospect} is known by nothing else. Add a profile or an address of {prospect} first, "
                "or keep the key here.",
            )
        row.state = DoubtState.SAME if answer == Answer.SAME else DoubtState.OTHER
        row.decided_by, row.decided_at = member.user, now
        if answer == Answer.THEIRS:
            row.delete()  # nothing is shared any more, so nothing is left to be asked or remembered
        else:
            row.save(update_fields=["state", "decided_by", "decided_at"])
        if answer == Answer.SAME:
            _remember_own_name(member, prospect, now)
        _reopen(prospect, now)
        audit.record(
            team=member.team, actor=member.user, action="prospect.identity_decided", target=prospect,
            details={"answer": answer},
        )  # fmt: skip
    return row


def _give_up_keys(prospect: Prospect, row: Doubt) -> bool:
    """Take the shared keys away from the prospect, unless nothing would be left to know them by."""
    shared = {(kind, value) for kind, value in row.keys}
    keys = list(IdentityKey.objects.filter(prospect=prospect))
    gone = [key for key in keys if (key.kind, key.value) in shared]
    if len(gone) == len(keys):
        return False
    IdentityKey.objects.filter(pk__in=[key.pk for key in gone]).delete()
    values = {value for _, value in shared}
    left = [key for key in keys if key not in gone]
    if prospect.email in values:
        prospect.email = next((key.value for key in left if key.kind == KeyKind.EMAIL), "")
    if any(prospect.linkedin_url.casefold().endswith(f"/{value}") for value in values):
        prospect.linkedin_url = ""
    prospect.save(update_fields=["email", "linkedin_url"])
    return True


def _remember_own_name(member: Member, prospect: Prospect, now: datetime) -> None:
    """Once the newer name has taken over, files under the present one are still about this person."""
    Doubt.objects.get_or_create(
        prospect=prospect,
        folded_name=fold_name(prospect.full_name)[:300],
        defaults={
            "team": member.team, "said_name": prospect.full_name, "place": "", "state": DoubtState.SAME,
            "decided_by": member.user, "decided_at": now, "created_at": now,
        },
    )  # fmt: skip


def _reopen(prospect: Prospect, now: datetime) -> None:
    if (
        prospect.state != ProspectState.CONFLICTED
        or Doubt.objects.filter(prospect=prospect, state=DoubtState.OPEN).exists()
    ):
        return
    prospect.state, prospect.conflict, prospect.updated_at = ProspectState.ACTIVE, "", now
    prospect.save(update_fields=["state", "conflict", "updated_at"])
