"""From rows to the bytes that would leave: the same rows give the same bytes, on the screen and at approval."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from django.conf import settings
from django.urls import reverse

from messaging.models import DeliveryState, Draft, DraftState, Revision
from messaging.review.domain.payload import (
    EmailParts,
    Letterhead,
    LinkedInParts,
    Notice,
    email_payload,
    linkedin_payload,
)
from messaging.review.domain.sources import notice_of
from messaging.writing.dossiers import thaw
from outreach.campaigns.domain.letterhead import signature_fault
from outreach.campaigns.domain.offer import Policy, text_in
from outreach.campaigns.models import Channel
from outreach.campaigns.queries import sender_value
from outreach.teams.domain.refusal import Refusal

_GONE = (DeliveryState.SENT, DeliveryState.ATTESTED, DeliveryState.HANDED_OVER)


@dataclass(frozen=True)
class Thread:
    """Message ids of the earlier steps, oldest first. pending: a step before this one has not gone out."""

    references: tuple[str, ...] = ()
    pending: bool = False


@dataclass(frozen=True)
class Outgoing:
    content: bytes
    sha256: str
    recipient: str
    message_id: str


def thread_of(*, draft: Draft) -> Thread:
    """One query for a follow-up, none for a first message. Steps that were passed over have no draft and hold nothing up."""
    if draft.step == 1:
        return Thread()
    earlier = list(
        Draft.objects.filter(enrolment_id=draft.enrolment_id, step__lt=draft.step)
        .exclude(state__in=(DraftState.CANCELLED, DraftState.REJECTED))
        .order_by("step")
        .values_list("step", "deliveries__state", "deliveries__transport_id", "deliveries__channel")
    )
    sent = [(step, transport, channel) for step, state, transport, channel in earlier if state in _GONE]
    ids = tuple(transport for _step, transport, channel in sent if channel == Channel.EMAIL and transport)
    gone = {step for step, transport, channel in sent if transport or channel != Channel.EMAIL}
    return Thread(references=ids, pending=not gone or any(step not in gone for step, *_rest in earlier))


def recipient_of(*, draft: Draft) -> str:
    return draft.prospect.email if draft.channel == Channel.EMAIL else draft.prospect.linkedin_url


def outgoing_of(*, draft: Draft, revision: Revision, policy: Policy, thread: Thread, token: str) -> Outgoing | Refusal:
    """The payload of a revision. The draft needs prospect, campaign__sender and the campaign's accounts; no query.

    token: of the draft's opt-out link; "" for a channel without links.
    """
    if draft.channel != Channel.EMAIL:
        return _finished(_linkedin(draft, revision, policy), recipient_of(draft=draft), "")
    fault = signature_fault(sender=sender_value(row=draft.campaign.sender), language=draft.language)
    if fault:
        return Refusal("signature", f"The sender's signature: {fault}")
    account = draft.campaign.sending_account(draft.channel)
    message_id = f"<d{draft.pk}.r{revision.pk}.{token[:12]}@{account.address.rpartition('@')[2]}>"
    content = email_payload(
        parts=_email(draft=draft, revision=revision, policy=policy, thread=thread, token=token, message_id=message_id)
    )
    return _finished(content, recipient_of(draft=draft), message_id)


def _finished(content: bytes | Refusal, recipient: str, message_id: str) -> Outgoing | Refusal:
    if isinstance(content, Refusal):
        return content
    return Outgoing(content, hashlib.sha256(content).hexdigest(), recipient, message_id)


def _notice(draft: Draft, revision: Revision, policy: Policy) -> Notice:
    frozen = revision.dossier
    notice = notice_of(
        items=thaw(frozen=frozen, send_by=frozen.created_at.date()).items,
        has_profile=bool(draft.prospect.linkedin_url),
        language=draft.language,
        lawful_basis=policy.lawful_basis,
        frozen_on=frozen.created_at.date(),
    )
    return replace(notice, besides=text_in(policy.notice_texts, draft.language))


def _linkedin(draft: Draft, revision: Revision, policy: Policy) -> bytes | Refusal:
    return linkedin_payload(
        parts=LinkedInParts(
            channel=draft.channel,
            account=draft.campaign.sending_account(draft.channel).address,
            profile_url=draft.prospect.linkedin_url,
            subject=revision.subject,
            body=revision.body,
            language=draft.language,
            notice=_notice(draft, revision, policy),
        )
    )


def _email(
    *, draft: Draft, revision: Revision, policy: Policy, thread: Thread, token: str, message_id: str
) -> EmailParts:
    sender, account = sender_value(row=draft.campaign.sending_person()), draft.campaign.sending_account(draft.channel)
    return EmailParts(
        from_name=account.display_name or sender.full_name,
        from_address=account.address,
        to_name=draft.prospect.full_name,
        to_address=draft.prospect.email,
        subject=revision.subject,
        body=revision.body,
        language=draft.language,
        letterhead=Letterhead(
            full_name=sender.full_name,
            title=sender.title,
            company=sender.company,
            signature=sender.signature_in(draft.language),
            postal_address=policy.postal_address,
            calendar_url=sender.calendar_url,
        ),
        notice=_notice(draft, revision, policy),
        message_id=message_id,
        references=thread.references,
        opt_out_url=settings.BASE_URL.rstrip("/") + reverse("opt_out", kwargs={"token": token}),
        opt_out_mail=account.address,
    )
