"""Mail comes in, is kept, matched, read and acted upon; people match, correct and close."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import make_msgid

from django.db import transaction
from django.db.models import F, Q

from messaging.delivery.queries import ANSWERABLE
from messaging.models import (
    CaughtMail,
    Delivery,
    Enrolment,
    EnrolmentState,
    Mailbox,
    Payload,
    RawMail,
    Reply,
    ReplyState,
)
from messaging.replies import matching
from messaging.replies.actions import act
from messaging.replies.domain.answering import Answering, answer_to
from messaging.replies.domain.intents import Intent
from messaging.replies.domain.mail import Mail, parse
from messaging.replies.domain.reading import CLASSIFIER_VERSION, Kind, Reading, read
from messaging.replies.matching import Match
from messaging.replies.ports import Came, MailReader, Place, Unreadable
from outreach.campaigns.models import SendingAccount
from outreach.campaigns.queries import mailbox_of
from outreach.teams import audit
from outreach.teams.access import Member, gate
from outreach.teams.domain.capabilities import Capability
from outreach.teams.domain.refusal import Refusal
from outreach.teams.models import Team
from outreach.vault import Closed

#: Bigger mail is refused at the door; nobody answers with so much, and reading stops long before.
MAX_RAW = 25_000_000


#: A mailbox is read as often as this, so many of them a wake-up, so many mails at once.
PAUSE = timedelta(seconds=50)
MOST_MAILBOXES = 200
MAILS_AT_ONCE = 100


@dataclass(frozen=True, kw_only=True)
class Fetched:
    """What reading a mailbox brought: mails kept, mails left where they are, and why it ended early."""

    taken: int = 0
    left: int = 0
    error: str = ""


@dataclass(frozen=True, kw_only=True)
class Ingested:
    """What became of a raw mail. `reply` is None for the team's own mail. `again`: it was known already."""

    raw: RawMail
    reply: Reply | None
    actions: tuple[str, ...] = ()
    own: bool = False
    again: bool = False


def ingest(
    *, team: Team, raw: bytes, source: str, received_at: datetime, now: datetime, delivery: Delivery | None = None
) -> Ingested | Refusal:
    """Keep the mail, then match, read and act. The same bytes twice are one mail.

    delivery: what it answers, where the caller knows (pasted text); never taken from the mail itself.
    """
    if not raw.strip():
        return Refusal("empty", "The mail is empty.")
    if len(raw) > MAX_RAW:
        return Refusal("too-big", f"The mail has {len(raw):,} bytes; at most {MAX_RAW:,} are taken.")
    with transaction.atomic():
        kept, created = RawMail.objects.get_or_create(
            team=team,
            sha256=hashlib.sha256(raw).hexdigest(),
            defaults={"source": source, "content": raw, "received_at": received_at},
        )
        known = None if created else Reply.objects.filter(raw=kept).select_related("delivery").first()
        if known is not None:
            return Ingested(raw=kept, reply=known, actions=tuple(known.actions), again=True)
        mail = parse(raw)
        if delivery is None and matching.is_own(team=team, mail=mail):
            return Ingested(raw=kept, reply=None, own=True, again=not created)
        return _store(team=team, kept=kept, mail=mail, delivery=delivery, now=now)


def _store(*, team: Team, kept: RawMail, mail: Mail, delivery: Delivery | None, now: datetime) -> Ingested:
    reading = read(mail=mail, received=kept.received_at.date())
    failed_recipient = reading.bounce.recipient if reading.bounce is not None else ""
    found = (
        Match(delivery, delivery.prospect, "person")
        if delivery is not None
        else matching.match(team=team, mail=mail, failed_recipient=failed_recipient, received_at=kept.received_at)
    )
    reply = Reply(
        team=team,
        raw=kept,
        delivery=found.delivery,
        prospect=found.prospect,
        matched_by=found.by,
        state=ReplyState.NEW if found.prospect is not None else ReplyState.UNMATCHED,
        sender_address=mail.sender,
        subject=mail.subject,
        received_at=kept.received_at,
        kind=reading.kind,
        classifier_version=CLASSIFIER_VERSION,
    )
    _take_reading(reply, reading)
    reply.save()
    actions = act(reply=reply, actor=None, now=now)
    audit.record(
        team=team,
        actor=None,
        action="reply.received",
        target=reply,
        details={"kind": reply.kind, "intent": reply.intent, "matched_by": found.by},
        content=reading.text,
    )
    return Ingested(raw=kept, reply=reply, actions=tuple(actions))


def _take_reading(reply: Reply, reading: Reading) -> None:
    reply.kind, reply.intent, reply.sentiment = reading.kind, reading.intent, reading.sentiment
    reply.read_as = reading.intent
    reply.confidence, reply.text, reply.language = reading.confidence, reading.text, reading.language
    reply.return_date, reply.follow_up_on = reading.return_date, reading.follow_up
    reply.referral_to, reply.because = reading.referral_to[:320], reading.because[:2_000]
    reply.bounce = reading.bounce.as_json() if reading.bounce is not None else None
    reply.meeting = reading.meeting.as_json() if reading.meeting is not None else None
    reply.classifier_version = CLASSIFIER_VERSION


@transaction.atomic
def read_again(*, team: Team, after: int = 0, limit: int = 200, now: datetime) -> int:
    """Run this classifier over mail read by an older one, by raw mail id. Returns the last id, 0 when done.

    What a person corrected stays. What follows newly (an opt-out now understood) is done; nothing is undone.
    """
    raws = list(RawMail.objects.filter(team=team, pk__gt=after).order_by("pk")[:limit])
    replies = {
        reply.raw_id: reply
        for reply in Reply.objects.select_for_update(of=("self",))
        .filter(raw__in=raws)
        .select_related("team", "delivery__payload", "prospect")
    }
    for kept in raws:
        reply = replies.get(kept.pk)
        if reply is not None and reply.corrected_by_id is None and reply.classifier_version != CLASSIFIER_VERSION:
            mail = parse(bytes(kept.content))
            _take_reading(reply, read(mail=mail, received=kept.received_at.date()))
            reply.save()
            act(reply=reply, actor=None, now=now)
    return raws[-1].pk if len(raws) == limit else 0


@transaction.atomic
def resume_due(*, now: datetime) -> int:
    """People who are back: their enrolments go on."""
    return Enrolment.objects.filter(state=EnrolmentState.PAUSED, paused_until__lte=now.date()).update(
        state=EnrolmentState.ACTIVE, paused_until=None, state_reason=""
    )


def _locked(*, member: Member, reply_id: int) -> Reply | Refusal:
    refused = gate(member=member, capability=Capability.REPLY)
    if refused is not None:
        return refused
    reply = (
        Reply.objects.select_for_update(of=("self",))
        .select_related("team", "delivery__payload", "prospect")
        .filter(team=member.team, pk=reply_id)
        .first()
    )
    return reply or Refusal("not-found", "There is no such reply in this team's inbox.")


@transaction.atomic
def correct(*, member: Member, reply_id: int, intent: Intent, now: datetime) -> Reply | Refusal:
    """A person's reading replaces the classifier's, which is kept beside it. What follows from it is done."""
    reply = _locked(member=member, reply_id=reply_id)
    if isinstance(reply, Refusal):
        return reply
    before = reply.intent
    reply.intent, reply.corrected_by, reply.confidence = intent, member.user, 1.0
    if intent is Intent.UNSUBSCRIBE:
        reply.kind = Kind.UNSUBSCRIBE
    elif reply.kind == Kind.UNSUBSCRIBE:
        reply.kind = Kind.HUMAN
    reply.save(update_fields=["intent", "corrected_by", "confidence", "kind"])
    act(reply=reply, actor=member.user, now=now)
    audit.record(
        team=member.team,
        actor=member.user,
        action="reply.corrected",
        target=reply,
        details={"from": before, "to": str(intent)},
    )
    return reply


@transaction.atomic
def assign(*, member: Member, reply_id: int, delivery_id: int, now: datetime) -> Reply | Refusal:
    """A person says which message an unmatched mail answers."""
    reply = _locked(member=member, reply_id=reply_id)
    if isinstance(reply, Refusal):
        return reply
    delivery = (
        Delivery.objects.select_related("prospect", "payload")
        .filter(team=member.team, pk=delivery_id, state__in=ANSWERABLE)
        .first()
    )
    if delivery is None:
        return Refusal("no-such-message", "There is no sent message with this number in your team's outbox.")
    reply.delivery, reply.prospect, reply.matched_by = delivery, delivery.prospect, "person"
    reply.state = ReplyState.NEW
    reply.save(update_fields=["delivery", "prospect", "matched_by", "state"])
    act(reply=reply, actor=member.user, now=now)
    audit.record(team=member.team, actor=member.user, action="reply.matched", target=reply)
    return reply


@transaction.atomic
def set_state(*, member: Member, reply_id: int, state: ReplyState) -> Reply | Refusal:
    """Mark as answered or closed, or open it again."""
    reply = _locked(member=member, reply_id=reply_id)
    if isinstance(reply, Refusal):
        return reply
    reply.state = state
    reply.save(update_fields=["state"])
    audit.record(team=member.team, actor=member.user, action=f"reply.{state}", target=reply)
    return reply


def paste(*, member: Member, delivery_id: int, text: str, now: datetime) -> Ingested | Refusal:
    """An answer from a channel that the product does not read (LinkedIn), pasted by a person."""
    refused = gate(member=member, capability=Capability.REPLY)
    if refused is not None:
        return refused
    delivery = (
        Delivery.objects.select_related("prospect", "payload")
        .filter(team=member.team, pk=delivery_id, state__in=ANSWERABLE)
        .first()
    )
    if delivery is None:
        return Refusal("no-such-message", "There is no sent message with this number in your team's outbox.")
    if not text.strip():
        return Refusal("empty", "Paste what they wrote.")
    head = f"Subject: \nX-Pasted-For: {delivery.pk}\nContent-Type: text/plain; charset=utf-8\n\n"
    return ingest(
        team=member.team,
        raw=head.encode() + text.encode("utf-8"),
        source="pasted",
        received_at=now,
        now=now,
        delivery=delivery,
    )


def answer_as_prospect(
    *, member: Member, caught: CaughtMail, payload: Payload, text: str, automatic: bool = False, now: datetime
) -> Ingested | Refusal:
    """Demonstration: answer a caught message as its recipient would, through the same door as all mail."""
    refused = gate(member=member, capability=Capability.REPLY)
    if refused is not None:
        return refused
    if not text.strip():
        return Refusal("empty", "Write what they would answer.")
    raw = answer_to(
        answering=Answering(
            original=bytes(caught.content),
            from_name=payload.draft.prospect.full_name,
            from_address=caught.recipient,
            text=text,
            automatic=automatic,
            message_id=make_msgid(domain="answers.example"),
            at=now,
        )
    )
    return ingest(team=member.team, raw=raw, source="catchall", received_at=now, now=now)


def mailboxes_due(*, now: datetime) -> list[int]:
    """Accounts whose mailbox is to be read now, the longest unread first."""
    accounts = SendingAccount.objects.filter(active=True).exclude(imap_host="")
    new = accounts.filter(mailbox__isnull=True).values_list("pk", flat=True)[:MOST_MAILBOXES]
    Mailbox.objects.bulk_create((Mailbox(account_id=pk) for pk in new), ignore_conflicts=True)
    waiting = accounts.filter(Q(mailbox__read_at__isnull=True) | Q(mailbox__read_at__lte=now - PAUSE))
    order = F("mailbox__read_at").asc(nulls_first=True)
    return list(waiting.order_by(order, "pk").values_list("pk", flat=True)[:MOST_MAILBOXES])


def read_mailbox(*, account_id: int, reader: MailReader, now: datetime) -> Fetched | None:
    """Take in the answers that came to one mailbox; None when another worker reads it. The network is outside transactions.

    Only mail that answers or concerns somebody who was written to is kept: the rest of a mailbox is nobody's business.
    """
    mine = Mailbox.objects.filter(Q(read_at__isnull=True) | Q(read_at__lte=now - PAUSE), account_id=account_id)
    before = Mailbox.objects.filter(account_id=account_id).select_related("account__team").first()
    if before is None or not mine.update(read_at=now):
        return None
    server = mailbox_of(account=before.account)
    if server is None or isinstance(server, Closed):
        Mailbox.objects.filter(pk=before.pk).update(error=server.reason if server else "")
        return Fetched(error=server.reason if server else "")
    taken = left = 0
    since = before.read_at - timedelta(days=1) if before.read_at else None
    try:
        for came in reader.read(
            server=server, place=Place(before.uid_validity, before.last_uid), since=since, limit=MAILS_AT_ONCE
        ):
            ours = bool(came.content) and _take_in(account=before.account, came=came, now=now)
            taken, left = taken + ours, left + (not ours and bool(came.content or came.too_big))
            # After each: a worker that dies has lost nothing, and the same mail twice is one.
            Mailbox.objects.filter(pk=before.pk).update(uid_validity=came.place.validity, last_uid=came.place.last_uid)
    except Unreadable as failed:
        Mailbox.objects.filter(pk=before.pk).update(error=str(failed))
        return Fetched(taken=taken, left=left, error=str(failed))
    Mailbox.objects.filter(pk=before.pk).update(error="")
    return Fetched(taken=taken, left=left)


def _take_in(*, account: SendingAccount, came: Came, now: datetime) -> bool:
    """Whether the mail was ours, and is kept."""
    mail, received = parse(came.content), came.received_at or now
    if matching.is_own(team=account.team, mail=mail):
        return False
    reading = read(mail=mail, received=received.date())
    failed = reading.bounce.recipient if reading.bounce is not None else ""
    found = matching.match(team=account.team, mail=mail, failed_recipient=failed, received_at=received)
    if found.prospect is None:
        return False
    done = ingest(team=account.team, raw=came.content, source="imap", received_at=received, now=now)
    return isinstance(done, Ingested)
