"""Reading for stage 2: dossiers of a file, ranked without a database; what a team's people share; what was used before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from messaging.hooks.domain.ranking import Hook, rank
from messaging.hooks.domain.rarity import keys_of, rarities
from messaging.models import Claim, Draft, DraftState, SharedCount, SharedThing
from prospects.domain.dossier_json import UnreadableDossier, read_dossier
from prospects.domain.evidence import Dossier, Kind
from prospects.domain.json_text import load_json
from prospects.models import Evidence as EvidenceRow
from prospects.models import Prospect, ProspectState

#: Messages near a person that are looked at for hooks already used, and for how long they count.
MOST_MESSAGES, REMEMBERED = 200, timedelta(days=365)
#: Colleagues in the list are counted up to here.
MOST_COLLEAGUES = 500
#: A message counts as shown from here on.
SHOWN = (DraftState.READY, DraftState.APPROVED, DraftState.SENT)
#: What every message says of a person is not used up by saying it.
NO_HOOK = (Kind.NAME.value, Kind.COMPANY_FACT.value, Kind.POSITION.value, Kind.LANGUAGE.value)


@dataclass(frozen=True, slots=True)
class RankedDossier:
    """The hooks of one dossier of the file, best first."""

    dossier_id: str
    hooks: tuple[Hook, ...]


@dataclass(frozen=True, slots=True)
class UnreadableFile:
    """Why a file could not be ranked, with the line and what to do."""

    message: str


def _objects(text: str) -> list[tuple[str, object]]:
    """Each JSON value of the file with the words that name its place; raises ValueError."""
    try:
        whole = load_json(text)
    except ValueError:
        lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        return [(f"line {number}", _line(number, line)) for number, line in lines]
    entries = whole if isinstance(whole, list) else [whole]
    return [(f"entry {number}", entry) for number, entry in enumerate(entries, 1)]


def _line(number: int, line: str) -> object:
    try:
        return load_json(line)
    except ValueError as error:
        raise ValueError(f"line {number} is not JSON ({error}).") from error


def _ranked(dossier: Dossier) -> RankedDossier:
    return RankedDossier(dossier_id=dossier.dossier_id, hooks=rank(dossier=dossier, value_proposition=""))


def rank_file(*, data: bytes) -> tuple[RankedDossier, ...] | UnreadableFile:
    """Rank every dossier of a .json (one object or a list) or .jsonl file; the sender's offer is the file's own."""
    try:
        objects = _objects(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return UnreadableFile("The file is not UTF-8 text; save it as UTF-8 JSON.")
    except ValueError as error:
        return UnreadableFile(f"Not a dossier file: {error} Give one JSON object, a list, or one object a line.")
    if not objects:
        return UnreadableFile("The file is empty; give one dossier as a JSON object, or one a line.")
    ranked = []
    for place, entry in objects:
        try:
            ranked.append(_ranked(read_dossier(entry)))
        except UnreadableDossier as error:
            return UnreadableFile(f"{place}: {error}")
    return tuple(ranked)


def rarity_for(*, prospect: Prospect, dossier: Dossier) -> Mapping[str, float]:
    """How rare each item is among the team's people, by ref. Three queries at most."""
    keys = keys_of(items=dossier.items)
    held = SharedThing.objects.filter(team=prospect.team_id, key__in=keys) if keys else SharedThing.objects.none()
    counted = SharedCount.objects.filter(team=prospect.team_id).first()
    colleagues = 1
    if prospect.company_id:
        near = Prospect.objects.filter(company=prospect.company_id, state=ProspectState.ACTIVE).values("pk")
        colleagues = near[:MOST_COLLEAGUES].count()
    return rarities(
        dossier=dossier,
        holders=dict(held.values_list("key", "people")),
        people=counted.people if counted else 0,
        colleagues=colleagues,
    )


def used_nearby(*, prospect: Prospect, campaign_id: int, now: datetime) -> Mapping[str, str]:
    """What messages to colleagues, or of other campaigns to this person, have opened with: evidence id or content
    hash → on whom or where. Three queries; messages that were never shown to a reviewer do not count.
    """
    near = Q(prospect=prospect) & ~Q(campaign=campaign_id)
    if prospect.company_id:
        near |= Q(prospect__company=prospect.company_id) & ~Q(prospect=prospect)
    drafts = (
        Draft.objects.filter(near, state__in=SHOWN, team=prospect.team_id, created_at__gte=now - REMEMBERED)
        .filter(current__isnull=False)
        .order_by("-pk")
        .values_list("current", "prospect", "prospect__full_name", "campaign__name")[:MOST_MESSAGES]
    )
    where = {
        revision: f"by the campaign “{campaign}”" if person == prospect.pk else f"on {name} at the same company"
        for revision, person, name, campaign in drafts
    }
    if not where:
        return {}
    used: dict[str, str] = {}
    claims = Claim.objects.filter(checked__revision__in=where).order_by("checked__revision", "pk")
    for revision, ids in claims.values_list("checked__revision", "evidence_ids"):
        used |= {str(one): where[revision] for one in ids}
    hashes = EvidenceRow.objects.filter(pk__in=[int(one) for one in used]).exclude(kind__in=NO_HOOK)
    rows = list(hashes.values_list("pk", "content_hash"))
    return {key: used[str(pk)] for pk, content_hash in rows for key in (str(pk), content_hash)}
