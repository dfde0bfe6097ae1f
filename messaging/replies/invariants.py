"""What came back is kept as it came, and what it asks for was done."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import CharField, F, Func, Value

from messaging.models import RawMail, Reply
from outreach.teams.domain.invariants import Invariant, Violation
from prospects import suppression


def _changed() -> Iterator[Violation]:
    digest = Func(Func(F("content"), function="sha256"), Value("hex"), function="encode", output_field=CharField())
    for pk in (
        RawMail.objects.alias(found=digest).exclude(sha256=F("found")).order_by("pk").values_list("pk", flat=True)
    ):
        yield Violation(pk, "The raw mail does not have its hash.")


def _not_honoured() -> Iterator[Violation]:
    asked = Reply.objects.filter(kind="unsubscribe").exclude(sender_address="").select_related("team").order_by("pk")
    for reply in asked.iterator(chunk_size=500):
        if suppression.find(team=reply.team, email=reply.sender_address) is None:
            yield Violation(reply.pk, "They asked not to be written to, but are not on the suppression list.")


def _across_teams() -> Iterator[Violation]:
    rows = Reply.objects.filter(delivery__isnull=False).exclude(team=F("delivery__team"))
    for pk in rows.order_by("pk").values_list("pk", flat=True):
        yield Violation(pk, "The reply is matched to a message of another team.")


def invariants() -> tuple[Invariant, ...]:
    return (
        Invariant("raw_mail_hash", RawMail.objects.count, _changed),
        Invariant("opt_outs_are_honoured", Reply.objects.filter(kind="unsubscribe").count, _not_honoured),
        Invariant("replies_stay_in_their_team", Reply.objects.filter(delivery__isnull=False).count, _across_teams),
    )
