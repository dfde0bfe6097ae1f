"""Approved messages, and a real SMTP server that can break off at a chosen step."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from messaging.delivery import services
from messaging.delivery.channels.smtp.transport import SmtpServer, SmtpTransport, date_header
from messaging.delivery.ports import Outcome, Parcel
from messaging.models import Approval, Delivery
from outreach.campaigns.models import Campaign
from outreach.teams.models import Team
from tests.factories import BODY, NOW, a_campaign, a_draft, a_policy, a_prospect
from tests.people import a_member, a_team
from tests.services.review.scenes import LATER, approved

DUE = LATER + timedelta(minutes=5)


@dataclass
class Fake:
    """A channel that answers what it is told, and remembers what it was given."""

    outcome: Outcome
    taken: list[Parcel] = field(default_factory=list)

    def hand_over(self, *, parcel: Parcel) -> Outcome:
        self.taken.append(parcel)
        return self.outcome


def an_approval(*, team: Team | None = None, campaign: Campaign | None = None, channel: str = "email", now: datetime = NOW) -> Approval:
    """Approved by a reviewer through the review stage; not yet in the outbox."""
    team = team or (campaign.team if campaign else a_team())
    a_policy(team=team)
    campaign = campaign or a_campaign(team=team, channel=channel)
    subject = "" if channel.startswith("linkedin") else "Pipewren"
    draft = a_draft(campaign=campaign, prospect=a_prospect(team=team), body=BODY, subject=subject, now=now)
    return approved(member=a_member(team=team, role="reviewer"), draft=draft, now=now + timedelta(minutes=5))


def a_delivery(*, team: Team | None = None, campaign: Campaign | None = None, channel: str = "email", now: datetime = NOW) -> Delivery:
    """In the outbox, due."""
    approval = an_approval(team=team, campaign=campaign, channel=channel, now=now)
    services.open_deliveries(now=now + timedelta(minutes=10))
    return Delivery.objects.get(approval=approval)


def send(*, transport: object, now: datetime = DUE) -> list[Outcome]:
    return services.send_due(transport=transport, clock=lambda: now, date_header=date_header)  # type: ignore[arg-type]


@dataclass
class Server:
    """What the server did, and what it is to do next: "accept", "drop-rcpt", "drop-data", "451", "550"."""

    behaviour: str = "accept"
    received: list[bytes] = field(default_factory=list)

    async def handle_RCPT(self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]) -> str:  # noqa: N802
        if self.behaviour == "drop-rcpt":
            server.transport.abort()
            return ""
        if self.behaviour == "550":
            return "550 5.1.1 No such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        if self.behaviour == "451":
            return "451 4.3.0 Try later"
        self.received.append(envelope.content)
        if self.behaviour == "drop-data":
            server.transport.abort()
            return ""
        return "250 2.0.0 Queued as 17"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def a_server(behaviour: str = "accept") -> Iterator[tuple[Server, SmtpServer]]:
    """A real SMTP server on this machine."""
    handler = Server(behaviour=behaviour)
    port = free_port()
    controller = Controller(handler, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield handler, SmtpServer(host="127.0.0.1", port=port, timeout=5)
    finally:
        controller.stop()


@contextmanager
def over_smtp(behaviour: str = "accept") -> Iterator[tuple[Server, SmtpTransport]]:
    with a_server(behaviour) as (handler, server), SmtpTransport(server=server) as transport:
        yield handler, transport


