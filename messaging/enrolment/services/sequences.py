"""People on their way through the steps: advanced when their message was sent, and moved by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from messaging.enrolment.domain.advance import Place, connection_of, place_of
from messaging.enrolment.queries import LIVE
from messaging.enrolment.queries.steps import sent_days, sequences_of
from messaging.enrolment.services import REMOVED, UNSENT
from messaging.models import Draft, DraftState, Enrolment, EnrolmentState, Reply
from outreach.campaigns.models import Campaign, CampaignStatus
from outreach.campaigns.queries import sequence_of
from outreach.teams.access import Member, gate
from outreach.teams.audit import record
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal

#: People looked at in one transaction.
AT_ONCE = 500
PAUSED = "Paused by hand."
MOVED = "Moved to another step."
_ANSWERS = ("human", "unsubscribe", "complaint")


class Action(StrEnum):
    PAUSE = "pause"
    RESUME = "resume"
    REMOVE = "remove"
    MOVE = "move"
    CONNECTED = "connected"
    NOT_CONNECTED = "not-connected"


@dataclass(frozen=True, slots=True)
class Acted:
    """How many were changed, and how many were not, by the sentence that says why."""

    changed: int
    left: tuple[tuple[str, int], ...] = ()


def advance_due(*, now: datetime, limit: int = AT_ONCE, campaign: Campaign | None = None) -> int:
    """Look at people whose message of the present step has gone out and whose time has come. Returns how many.

    campaign: only its people.

    One transaction and a fixed number of queries; who is locked elsewhere is looked at the next time.
    """
    sent = Draft.objects.filter(enrolment=OuterRef("pk"), step=OuterRef("step"), state=DraftState.SENT)
    of_campaign = Q() if campaign is None else Q(campaign=campaign)
    answered = Reply.objects.filter(delivery__draft__enrolment=OuterRef("pk"), kind__in=_ANSWERS)
    with transaction.atomic():
        rows = list(
            Enrolment.objects.select_for_update(skip_locked=True, of=("self",))
            .filter(
                of_campaign, Exists(sent), state=EnrolmentState.ACTIVE, due_at__lte=now,
                campaign__status=CampaignStatus.RUNNING,
            )
            .annotate(answered=Exists(answered))
            .select_related("prospect", "campaign__team")
            .order_by("due_at", "pk")[:limit]
        )
        days = sent_days(enrolments=rows)
        sequences = sequences_of(campaigns={row.campaign_id for row in rows})
        moved: Counter[Campaign] = Counter()
        for row in rows:
            place = place_of(
                steps=sequences.get(row.campaign_id, ()),
                step=row.step,
                sent_at=days.get((row.pk, row.step), row.due_at),
                connected=connection_of(first_degree=row.prospect.first_degree, said=row.connected),
                replied=bool(row.answered),
                now=now,
            )
            _put(row, place)
            moved[row.campaign] += place.moved
        Enrolment.objects.bulk_update(rows, ["step", "due_at", "state", "state_reason"])
        for of, number in moved.items():
            if number:
                record(
                    team=of.team, actor=None, action="enrolments.advanced", target=of,
                    details={"people": number},
                )  # fmt: skip
    return len(rows)


def _put(row: Enrolment, place: Place) -> None:
    row.step, row.due_at, row.state, row.state_reason = place.step, place.due_at, place.state, place.reason[:300]


def act_on(
    *, member: Member, campaign: Campaign, enrolment_ids: Sequence[int], action: Action, step: int = 0, now: datetime
) -> Acted | Refusal:
    """Do one thing to some people of the campaign. Who cannot be is told with the reason; the others are done.

    step: where `move` puts them. A fixed number of queries, one event in the trail.
    """
    refused = gate(member=member, capability=Capability.WRITE)
    if refused is not None:
        return refused
    if campaign.team_id != member.team.pk:
        return Refusal("not-found", "There is no such campaign in your team.")
    if len(enrolment_ids) > AT_ONCE:
        return Refusal("too-many", f"Choose at most {AT_ONCE} people at once.")
    if action is Action.MOVE and step not in {one.position for one in sequence_of(campaign=campaign)}:
        return Refusal("no-such-step", "Choose one of the steps of the sequence.")
    with transaction.atomic():
        found = (
            Enrolment.objects.select_for_update(of=("self",))
            .filter(team=member.team, campaign=campaign, pk__in=enrolment_ids)
            .order_by("pk")
        )
        rows = list(found)
        drafts = _drafts_of(rows)
        reasons = {row.pk: _why_not(row, drafts.get(row.pk, ()), action, step) for row in rows}
        fit = [row for row in rows if reasons[row.pk] is None]
        _do(fit, action=action, step=step, now=now)
        left = Counter(reason for reason in reasons.values() if reason is not None)
        missing = len(set(enrolment_ids)) - len(rows)
        if missing:
            left["They are not in this campaign."] = missing
        if fit:
            record(
                team=member.team, actor=member.user, action=f"enrolments.{action.replace('-', '_')}", target=campaign,
                details={"enrolments": [row.pk for row in fit], **({"step": step} if action is Action.MOVE else {})},
            )  # fmt: skip
    return Acted(len(fit), tuple(left.most_common()))


def _drafts_of(rows: Sequence[Enrolment]) -> dict[int, list[Draft]]:
    found: dict[int, list[Draft]] = {}
    drafts: QuerySet[Draft] = Draft.objects.select_for_update(of=("self",)).filter(enrolment__in=rows).order_by("pk")
    for draft in drafts.only("pk", "enrolment_id", "step", "state"):
        found.setdefault(draft.enrolment_id, []).append(draft)
    return found


def _why_not(row: Enrolment, drafts: Sequence[Draft], action: Action, step: int) -> str | None:
    if row.state not in LIVE:
        return f"They are no longer written to here: {row.get_state_display().lower()}."
    if action is Action.PAUSE and row.state == EnrolmentState.PAUSED and row.paused_until is None:
        return "They are paused already."
    if action is Action.RESUME and row.state == EnrolmentState.ACTIVE:
        return "They are not paused."
    if action in (Action.REMOVE, Action.MOVE) and any(draft.state == DraftState.APPROVED for draft in drafts):
        return "A message to them is approved; take the approval back first."
    return _why_not_there(row, drafts, step) if action is Action.MOVE else None


def _why_not_there(row: Enrolment, drafts: Sequence[Draft], step: int) -> str | None:
    if row.step == step:
        return "They are at this step already."
    if any(draft.step == step for draft in drafts):
        return "They have had a draft of this step already."
    if step > 1 and not any(draft.state == DraftState.SENT and draft.step < step for draft in drafts):
        return "Nothing was sent to them yet; a follow-up needs a message before it."
    return None


def _do(rows: Sequence[Enrolment], *, action: Action, step: int, now: datetime) -> None:
    chosen = Enrolment.objects.filter(pk__in=[row.pk for row in rows])
    if action is Action.PAUSE:
        chosen.update(state=EnrolmentState.PAUSED, state_reason=PAUSED, paused_until=None)
    elif action is Action.RESUME:
        chosen.update(state=EnrolmentState.ACTIVE, state_reason="", paused_until=None)
    elif action is Action.REMOVE:
        _cancel(rows, REMOVED)
        chosen.update(state=EnrolmentState.REMOVED, state_reason=REMOVED, paused_until=None)
    elif action is Action.MOVE:
        _cancel(rows, MOVED)
        chosen.update(step=step, due_at=now, state_reason="")
    else:
        chosen.update(connected=action is Action.CONNECTED, due_at=now)


def _cancel(rows: Sequence[Enrolment], reason: str) -> None:
    Draft.objects.filter(enrolment__in=rows, state__in=UNSENT).update(
        state=DraftState.CANCELLED, state_reason=reason, lease_token=None, lease_until=None
    )
