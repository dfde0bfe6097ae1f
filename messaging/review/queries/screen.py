"""Everything the review screen shows of one draft."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from messaging.models import Comment, Decision, DecisionKind, Draft, DraftState, Revision
from messaging.review.domain.approval import refusal_of
from messaging.review.domain.evidence_cards import TITLES, Age, Run, age_of, used_words, whose
from messaging.review.domain.payload import readable
from messaging.review.domain.waiting import score, waited
from messaging.review.queries.facts import Standing, quality_of, standing_of
from messaging.review.queries.message import Message, message_of
from messaging.review.queries.outgoing import Outgoing, outgoing_of
from messaging.review.queries.queue import CHANGEABLE, OPEN, Filters, Lane, drafts_in, lane_counts, order_of, with_rows
from messaging.review.queries.rows import Row, row_of
from messaging.review.queries.undoable import Undoable, undoable_of
from messaging.writing.dossiers import thaw
from outreach.campaigns.models import Channel
from outreach.teams.access import Member
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from prospects.domain.evidence import OWN_WORDS, Evidence, Kind
from prospects.models import Evidence as EvidenceRow

EARLIER, LATER = 3, 16
MOST_HISTORY = 20


@dataclass(frozen=True)
class Score:
    name: str
    value: float

    @property
    def words(self) -> str:
        return score(self.value)


@dataclass(frozen=True)
class HookScores:
    total: str
    layer: str
    reason: str
    parts: tuple[Score, ...]


@dataclass(frozen=True)
class Card:
    """A piece of evidence. url: the page it was taken from, "" for a file."""

    number: str
    title: str
    whose: str
    age: Age
    runs: tuple[Run, ...]
    quoted: bool
    source: str
    url: str
    hook: HookScores | None
    cited: bool


@dataclass(frozen=True)
class Screen:
    draft: Draft
    revision: Revision
    standing: Standing
    refusal: Refusal | None
    outgoing: Outgoing | Refusal
    message: Message
    cards: tuple[Card, ...]
    rest: tuple[Card, ...]
    comments: tuple[Comment, ...]
    history: tuple[Decision, ...]
    counts: dict[Lane, int]
    rows: tuple[Row, ...]
    next_id: int | None
    undoable: Undoable | None
    costs_approval: bool
    kept_out: bool
    waited: str

    @property
    def payload(self) -> Outgoing | None:
        return None if isinstance(self.outgoing, Refusal) else self.outgoing

    @property
    def payload_text(self) -> str:
        return self.payload.content.decode().replace("\r\n", "\n") if self.payload else ""

    @property
    def payload_reads(self) -> str:
        """What an e-mail's encoded bytes say; LinkedIn's are plain text already."""
        is_email = self.payload and self.draft.channel == Channel.EMAIL
        return readable(content=self.payload.content) if self.payload and is_email else ""

    @property
    def open(self) -> bool:
        return self.draft.state in OPEN and not self.kept_out

    @property
    def changeable(self) -> bool:
        return self.draft.state in CHANGEABLE and not self.kept_out

    @property
    def judge_unheard(self) -> str:
        """Why a judge that was asked about this text did not answer, "" when it did or nobody asked."""
        judged = self.standing.checked.judged if self.standing.checked else None
        return str(judged.get("failure") or "") if judged else ""

    @property
    def lapsed(self) -> str:
        """Why the last approval ended by itself, while nothing was decided since."""
        return self.history[0].note if self.history and self.history[0].kind == DecisionKind.LAPSED else ""


def screen_of(
    *, draft: Draft, token: str, member: Member, lane: Lane, filters: Filters, done: int | None, now: datetime
) -> Screen | None:
    """Thirteen queries, two more where an approval may be undone; None for a draft that has no text yet.

    token: of the draft's opt-out link. done: the draft decided just before.
    """
    revision = draft.current
    if revision is None:
        return None
    standing = standing_of(draft=draft, revision=revision, seen_revision=revision.pk, member=member, now=now)
    rows = _window(draft=draft, member=member, lane=lane, filters=filters, now=now)
    cards = _cards(standing=standing, now=now)
    lease = standing.facts.lease
    decided = done or (draft.pk if draft.state == DraftState.APPROVED else None)
    return Screen(
        draft=draft,
        revision=revision,
        standing=standing,
        refusal=_refusal(standing=standing, member=member),
        outgoing=outgoing_of(
            draft=draft, revision=revision, policy=standing.policy, thread=standing.thread, token=token
        ),
        message=message_of(
            draft=draft,
            subject=revision.subject,
            body=revision.body,
            claims=standing.claims,
            quality=quality_of(revision=revision, checked=standing.checked),
        ),
        cards=tuple(card for card in cards if card.cited),
        rest=tuple(card for card in cards if not card.cited),
        comments=tuple(draft.comments.select_related("user").order_by("-id")[:MOST_HISTORY]),
        history=tuple(draft.decisions.select_related("user", "reason").order_by("-id")[:MOST_HISTORY]),
        counts=lane_counts(member=member, now=now),
        rows=tuple(row_of(draft=row, member=member, policy=standing.policy, now=now) for row in rows),
        next_id=_next(rows=rows, draft=draft, member=member, now=now),
        undoable=undoable_of(member=member, draft_id=decided, now=now) if decided else None,
        costs_approval=member.may(Capability.REVIEW)
        and not standing.facts.is_author
        and standing.facts.four_eyes.edit_costs_approval,
        kept_out=bool(lease and lease.keeps_out(user_id=member.user.pk, now=now)),
        waited=waited(now - draft.ready_at) if draft.ready_at else "",
    )


def _refusal(*, standing: Standing, member: Member) -> Refusal | None:
    if not member.may(Capability.REVIEW):
        return Refusal("not-allowed", "a reviewer approves it")
    return refusal_of(standing.facts)


def _window(*, draft: Draft, member: Member, lane: Lane, filters: Filters, now: datetime) -> tuple[Draft, ...]:
    """The rows around the draft in its lane's order; the lane's first ones when it is not in it."""
    lane_rows = with_rows(filters.apply(drafts_in(member=member, lane=lane, now=now)))
    order = order_of(lane)
    if order == ("-id",):
        later = lane_rows.filter(pk__lte=draft.pk).order_by("-id")
        earlier = lane_rows.filter(pk__gt=draft.pk).order_by("id")
    elif draft.review_due_at is None:
        return tuple(lane_rows.order_by(*order)[: EARLIER + LATER])
    else:
        due = draft.review_due_at
        later = lane_rows.filter(review_due_at__gte=due).exclude(review_due_at=due, pk__lt=draft.pk).order_by(*order)
        earlier = lane_rows.filter(review_due_at__lte=due).exclude(review_due_at=due, pk__gte=draft.pk)
        earlier = earlier.order_by("-review_due_at", "-id")
    return (*reversed(earlier[:EARLIER]), *later[:LATER])


def _next(*, rows: tuple[Draft, ...], draft: Draft, member: Member, now: datetime) -> int | None:
    """The following row that nobody else has open; else one before it."""
    free = [row for row in rows if row.pk != draft.pk and not _taken(row, member, now)]
    at = next((place for place, row in enumerate(rows) if row.pk == draft.pk), -1)
    after = [row.pk for row in rows[at + 1 :] if row in free]
    return after[0] if after else free[0].pk if free else None


def _taken(row: Draft, member: Member, now: datetime) -> bool:
    lease = getattr(row, "review_lease", None)
    return bool(lease and lease.user_id != member.user.pk and lease.until > now)


def _cards(*, standing: Standing, now: datetime) -> tuple[Card, ...]:
    frozen = standing.revision.dossier
    items = thaw(frozen=frozen, send_by=frozen.created_at.date()).items
    spans: dict[str, list[str]] = {}
    for claim in standing.claims:
        for ref in claim.evidence:
            spans.setdefault(ref, []).append(claim.span)
    hooks = {hook["ref"]: hook for hook in standing.draft.hooks}
    return tuple(
        _card(
            item=item,
            row=standing.evidence.get(int(item.row_id or 0)),
            spans=spans.get(item.ref),
            hook=_scores(hooks.get(item.ref)),
            observed_days=standing.policy.observed_days_position,
            now=now,
        )
        for item in items
    )


def _card(
    *,
    item: Evidence,
    row: EvidenceRow | None,
    spans: list[str] | None,
    hook: HookScores | None,
    observed_days: int,
    now: datetime,
) -> Card:
    url = (row.source_url if row else "") or (item.source if item.source.startswith(("http://", "https://")) else "")
    return Card(
        number=item.ref,
        title=TITLES[item.kind],
        whose=whose(item),
        age=age_of(item=item, state=row.state if row else "current", today=now.date(), observed_days=observed_days),
        runs=used_words(text=item.text, spans=spans or ()),
        quoted=item.kind in OWN_WORDS or item.kind is Kind.RESHARE,
        source=item.source,
        url=url,
        hook=hook,
        cited=spans is not None,
    )


def _scores(hook: dict[str, object] | None) -> HookScores | None:
    if not hook:
        return None
    parts = tuple(Score(name, float(str(hook[name]))) for name in ("recency", "relevance", "uniqueness"))
    return HookScores(score(float(str(hook["score"]))), str(hook["layer"]), str(hook.get("reason", "")), parts)


def model_text_of(*, member: Member, draft_id: int) -> tuple[Revision, Revision] | None:
    """The machine's newest text and the current one; None while there are none."""
    draft = Draft.objects.filter(team=member.team, pk=draft_id).select_related("current").first()
    if draft is None or draft.current is None:
        return None
    machine = draft.revisions.exclude(author_kind="person").order_by("-number").first()
    return (machine, draft.current) if machine else None
