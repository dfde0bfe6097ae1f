"""The messages before a follow-up, as the rules read them."""

from __future__ import annotations

from collections.abc import Iterable

from messaging.models import Check, Claim, Delivery, Draft, DraftState, Revision
from messaging.writing.domain.thread import Said, Thread
from messaging.writing.dossiers import thaw

#: Steps that count as said: approved texts go out as they are.
_SAID = (DraftState.APPROVED, DraftState.SENT)


def thread_of(*, draft: Draft) -> Thread:
    """What was said to the person in this campaign before this step. No query for a first message, else four."""
    if draft.step == 1:
        return Thread()
    earlier = list(
        Draft.objects.filter(enrolment=draft.enrolment_id, step__lt=draft.step, state__in=_SAID, current__isnull=False)
        .select_related("current__dossier")
        .order_by("step")
    )
    revisions = [one.current for one in earlier if one.current is not None]
    cited = _cited(revisions)
    sent = dict(
        Delivery.objects.filter(draft__in=earlier, sent_at__isnull=False)
        .order_by("sent_at")
        .values_list("draft", "sent_at__date")
    )
    return Thread(
        tuple(
            Said(
                step=one.step,
                channel=one.channel,
                subject=revision.subject,
                body=revision.body,
                sent_on=sent.get(one.pk),
                cited=cited[revision.pk],
            )
            for one, revision in zip(earlier, revisions, strict=True)
        )
    )


def _cited(revisions: Iterable[Revision]) -> dict[int, frozenset[str]]:
    """Row ids and content hashes of what each text rests on, by revision: what its author declared, or, for a
    person's text, what the newest check found."""
    texts = {revision.pk: revision for revision in revisions}
    refs = {pk: {ref for claim in one.declared or () for ref in claim["evidence"]} for pk, one in texts.items()}
    by_hand = [pk for pk, one in texts.items() if one.declared is None]
    newest: dict[int, int] = dict(
        Check.objects.filter(revision__in=by_hand).order_by("pk").values_list("revision", "pk")
    )
    owners = {check: revision for revision, check in newest.items()}
    for check, evidence in Claim.objects.filter(checked__in=owners).values_list("checked", "evidence"):
        refs[owners[check]].update(evidence)
    found = {}
    for pk, revision in texts.items():
        frozen = revision.dossier
        items = thaw(frozen=frozen, send_by=frozen.created_at.date()).items
        names = [name for item in items if item.ref in refs[pk] for name in (item.row_id, item.content_hash)]
        found[pk] = frozenset(filter(None, names))
    return found
