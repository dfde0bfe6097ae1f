"""The promises of approval and sending, checked over what is stored."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.db.models import CharField, Count, Exists, F, Func, OuterRef, Q, QuerySet, Value
from django.db.models.functions import TruncDate

from messaging.delivery.domain.transport_headers import equals_approved
from messaging.delivery.queries import GONE_OUT
from messaging.models import (
    Approval,
    Authorship,
    CaughtMail,
    Claim,
    Delivery,
    DeliveryState,
    Draft,
    DraftState,
    Payload,
)
from outreach.teams.domain.invariants import Invariant, Violation
from outreach.teams.models import Team
from prospects import suppression
from prospects.domain.identity import email_keys
from prospects.domain.suppression import targets_of

BATCH = 500
LICENSED = ("verified", "judge-corroborated")
_BEGUN = (*GONE_OUT, DeliveryState.CLAIMED, DeliveryState.UNCONFIRMED)


def _rule(name: str, rows: QuerySet, broken: QuerySet, detail: str) -> Invariant:
    """A rule that one query decides."""

    def violations() -> Iterator[Violation]:
        for pk in broken.order_by("pk").values_list("pk", flat=True).iterator():
            yield Violation(pk, detail)

    return Invariant(name, rows.count, violations)


def _digest(field: str) -> Func:
    sha256 = Func(F(field), function="sha256")
    return Func(sha256, Value("hex"), function="encode", output_field=CharField())


def _begun() -> QuerySet[Delivery]:
    return Delivery.objects.filter(state__in=_BEGUN)


def _approval_rules() -> tuple[Invariant, ...]:
    approvals = Approval.objects.all()
    bad_claims = Claim.objects.filter(checked=OuterRef("checked")).exclude(verdict__in=LICENSED)
    authors = Authorship.objects.filter(revision=OuterRef("revision"), user=OuterRef("approved_by"))
    return (
        _rule(
            "payload_hash",
            Payload.objects.all(),
            Payload.objects.alias(found=_digest("content")).exclude(sha256=F("found")),
            "The payload's bytes do not have its hash.",
        ),
        _rule(
            "approval_binds_payload",
            approvals,
            approvals.exclude(
                payload_sha256=F("payload__sha256"), revision=F("payload__revision"), draft=F("payload__draft")
            ),
            "The approval names another hash, revision or draft than its payload.",
        ),
        _rule(
            "approved_was_verified",
            approvals,
            approvals.filter(Q(checked__passes=False) | ~Q(checked__revision=F("revision")) | Exists(bad_claims)),
            "The check behind the approval does not pass.",
        ),
        _rule(
            "approver_is_no_author",
            approvals,
            approvals.filter(Exists(authors), self_approved=False),
            "The approver shaped the text.",
        ),
    )


def _delivery_rules() -> tuple[Invariant, ...]:
    begun = _begun()
    once = Delivery.objects.values("approval").annotate(n=Count("pk")).filter(n__gt=1).values("approval")
    return (
        _rule(
            "one_delivery_per_approval",
            Delivery.objects.all(),
            Delivery.objects.filter(approval__in=once),
            "The approval has more than one delivery.",
        ),
        _rule(
            "delivery_carries_its_approval",
            Delivery.objects.all(),
            Delivery.objects.exclude(
                payload=F("approval__payload"),
                draft=F("approval__draft"),
                channel=F("payload__channel"),
                account=F("payload__account"),
            ),
            "The delivery carries another payload, draft, channel or account than was approved.",
        ),
        _rule(
            "sent_under_a_standing_approval",
            begun,
            begun.filter(approval__lapsed_at__isnull=False).exclude(
                Q(approval__lapsed_at__gte=F("claimed_at"))
                | Q(claimed_at__isnull=True, approval__lapsed_at__gte=F("sent_at"))
            ),
            "The approval had lapsed before the hand-over began.",
        ),
        _rule(
            "sent_by_its_date",
            begun,
            begun.filter(claimed_at__isnull=False)
            .alias(day=TruncDate("claimed_at"))
            .filter(day__gt=F("approval__send_by")),
            "The hand-over began after the send-by date.",
        ),
        _rule(
            "gone_out_has_a_time",
            Delivery.objects.filter(state__in=GONE_OUT),
            Delivery.objects.filter(state__in=GONE_OUT, sent_at__isnull=True),
            "It is sent, but nobody knows when.",
        ),
        _rule(
            "one_team_throughout",
            Delivery.objects.all(),
            Delivery.objects.exclude(
                team=F("draft__team"), draft__team=F("prospect__team"), prospect__team=F("account__team")
            ),
            "The delivery, its draft, its prospect and its account are not of one team.",
        ),
    )


def _draft_rules() -> tuple[Invariant, ...]:
    drafts = Draft.objects.all()
    standing = Approval.objects.filter(draft=OuterRef("pk"), lapsed_at__isnull=True)
    gone = Delivery.objects.filter(draft=OuterRef("pk"), state__in=GONE_OUT)
    under_way = Delivery.objects.filter(draft=OuterRef("pk"), state__in=[DeliveryState.WAITING, DeliveryState.TASK])
    ended = ("replied", "removed")
    return (
        _rule(
            "approved_draft_has_an_approval",
            drafts.filter(state=DraftState.APPROVED),
            drafts.filter(~Exists(standing), state=DraftState.APPROVED).exclude(
                Exists(Delivery.objects.filter(draft=OuterRef("pk"), state__in=[*_BEGUN, DeliveryState.CANCELLED]))
            ),
            "The draft is approved without a standing approval.",
        ),
        _rule(
            "sent_draft_went_out",
            drafts.filter(state=DraftState.SENT),
            drafts.filter(~Exists(gone), state=DraftState.SENT),
            "The draft is sent without a delivery that went out.",
        ),
        _rule(
            "gone_out_draft_is_sent",
            drafts.filter(Exists(gone)),
            drafts.filter(Exists(gone)).exclude(state=DraftState.SENT),
            "A delivery went out, but its draft is not sent.",
        ),
        _rule(
            "nothing_waits_after_the_end",
            drafts.filter(enrolment__state__in=ended),
            drafts.filter(Exists(under_way), enrolment__state__in=ended),
            "A delivery waits although the enrolment has ended.",
        ),
    )


def _suppression_violations() -> Iterator[Violation]:
    """Nothing was begun for somebody who was suppressed before. Hashes only: the list holds no addresses."""
    for team in Team.objects.filter(suppressions__isnull=False).distinct().order_by("pk"):
        rows: list[tuple[int, str, datetime]] = []
        begun = _begun().filter(team=team, channel="email").order_by("pk")
        for pk, recipient, at in begun.values_list("pk", "payload__recipient", "claimed_at").iterator():
            if at is not None:
                rows.append((pk, recipient, at))
            if len(rows) == BATCH:
                yield from _suppressed_before(team, rows)
                rows = []
        yield from _suppressed_before(team, rows)


def _suppressed_before(team: Team, rows: list[tuple[int, str, datetime]]) -> Iterator[Violation]:
    candidates = {pk: targets_of(keys=email_keys(recipient), companies=[]) for pk, recipient, _ in rows}
    found = suppression.among(team=team, candidates=candidates)
    for pk, _, at in rows:
        if pk in found and found[pk].created_at < at:
            yield Violation(pk, f"Suppressed since {found[pk].created_at.isoformat()}, handed over after that.")


def _caught_violations() -> Iterator[Violation]:
    """What the catch-all received is what was approved, and came once a recipient."""
    seen: set[tuple[str, str]] = set()
    for mail in CaughtMail.objects.exclude(message_id="").order_by("pk").iterator(chunk_size=BATCH):
        approved = Payload.objects.filter(message_id=mail.message_id, approval__isnull=False).order_by("-pk").first()
        if approved is None:
            if Payload.objects.filter(message_id=mail.message_id).exists():
                yield Violation(mail.pk, "It was received, but nobody approved it.")
            continue
        if not equals_approved(received=bytes(mail.content), approved=bytes(approved.content)):
            yield Violation(mail.pk, f"The received bytes are not those of payload {approved.pk}.")
        if (mail.message_id, mail.recipient) in seen:
            yield Violation(mail.pk, "The message was received twice.")
        seen.add((mail.message_id, mail.recipient))


def invariants() -> tuple[Invariant, ...]:
    return (
        *_approval_rules(),
        *_delivery_rules(),
        *_draft_rules(),
        Invariant("nothing_sent_after_suppression", _begun().count, _suppression_violations),
        Invariant("received_equals_approved", CaughtMail.objects.count, _caught_violations),
    )
