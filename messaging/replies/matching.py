"""Which message a mail answers: by the ids it cites, the link it quotes, or who sent it. Reads only."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from messaging.delivery.queries import ANSWERABLE
from messaging.models import Delivery, OptOutToken, Payload
from messaging.replies.domain.mail import Mail
from outreach.campaigns.models import SendingAccount
from outreach.teams.models import Team
from prospects.models import Prospect

#: How long after a message an unthreaded mail from the same address still counts as its answer.
ADDRESS_WINDOW = timedelta(days=90)
_TOKEN = re.compile(r"/u/([A-Za-z0-9_-]{16,64})")
_PLUS = re.compile(r"\+([A-Za-z0-9_-]{16,64})@")


@dataclass(frozen=True)
class Match:
    """What was found, and by what."""

    delivery: Delivery | None
    prospect: Prospect | None
    by: str


NOTHING = Match(None, None, "")


def is_own(*, team: Team, mail: Mail) -> bool:
    """Mail that the team itself sent, as found in a Sent folder: it stops nothing."""
    if mail.message_id and Payload.objects.filter(message_id=mail.message_id, draft__team=team).exists():
        return True
    return bool(mail.sender) and SendingAccount.objects.filter(team=team, address__iexact=mail.sender).exists()


def match(*, team: Team, mail: Mail, failed_recipient: str, received_at: datetime) -> Match:
    """The first evidence that points to a message, strongest first."""
    for by, ids in (
        ("in-reply-to", mail.in_reply_to),
        ("references", mail.references),
        ("returned", mail.returned_ids),
    ):
        found = _by_ids(team, ids)
        if found is not None:
            return _with_prospect(found, by)
    found = _by_token(team, mail)
    if found is not None:
        return _with_prospect(found, "token")
    return _by_address(team, failed_recipient or mail.sender, received_at)


def _answerable(team: Team) -> QuerySet[Delivery]:
    return (
        Delivery.objects.filter(team=team, state__in=ANSWERABLE)
        .select_related("prospect", "draft__enrolment", "payload")
        .defer("payload__content")
        .order_by("-id")
    )


def _by_ids(team: Team, ids: tuple[str, ...]) -> Delivery | None:
    if not ids:
        return None
    spellings = {spelling for cited in ids for spelling in (cited, cited.strip("<>"))}
    return _answerable(team).filter(Q(payload__message_id__in=spellings) | Q(transport_id__in=spellings)).first()


def _by_token(team: Team, mail: Mail) -> Delivery | None:
    tokens = [*_TOKEN.findall(mail.text)[:10], *_PLUS.findall(" ".join(mail.recipients))[:10]]
    if not tokens:
        return None
    drafts = OptOutToken.objects.filter(team=team, token__in=tokens, draft__isnull=False).values("draft_id")
    return _answerable(team).filter(draft_id__in=drafts).first()


def _by_address(team: Team, address: str, received_at: datetime) -> Match:
    if not address:
        return NOTHING
    delivery = (
        _answerable(team)
        .filter(Q(payload__recipient__iexact=address) | Q(prospect__email__iexact=address))
        .filter(created_at__gte=received_at - ADDRESS_WINDOW)
        .first()
    )
    if delivery is not None:
        return _with_prospect(delivery, "address")
    prospect = Prospect.objects.filter(team=team, email__iexact=address).order_by("id").first()
    return Match(None, prospect, "address") if prospect is not None else NOTHING


def _with_prospect(delivery: Delivery, by: str) -> Match:
    return Match(delivery, delivery.prospect, by)
