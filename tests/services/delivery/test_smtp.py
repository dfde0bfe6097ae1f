"""Over a real server: equal bytes, and certain refusals told from doubt."""

from __future__ import annotations

import pytest

from messaging.delivery.channels.smtp.transport import SmtpServer, SmtpTransport
from messaging.delivery.domain.transport_headers import equals_approved, without_transport_headers
from messaging.delivery.ports import Accepted, Ambiguous, Parcel, RefusedPermanent, RefusedTemporary
from tests.services.delivery.scenes import a_delivery, over_smtp, send

CONTENT = b"Subject: Hi\r\nTo: b@x.example\r\n\r\n.leading dot\r\n..\r\nend\r\n"


def a_parcel(content: bytes = CONTENT, recipient: str = "b@x.example") -> Parcel:
    return Parcel(sender="a@x.example", recipient=recipient, content=content, message_id="<1@x.example>", headers=(("Date", "Tue, 01 Dec 2026 09:00:00 +0000"),))


@pytest.mark.django_db
def test_the_server_receives_the_approved_bytes() -> None:
    delivery = a_delivery()
    with over_smtp() as (server, transport):
        send(transport=transport)
    approved = bytes(delivery.payload.content)
    assert server.received[0].startswith(b"Date: ")
    assert server.received[0] == server.received[0][: server.received[0].index(b"\r\n") + 2] + approved
    assert equals_approved(received=server.received[0], approved=approved)


def test_dots_and_line_ends_arrive_as_they_are() -> None:
    with over_smtp() as (server, transport):
        assert isinstance(transport.hand_over(parcel=a_parcel()), Accepted)
    assert without_transport_headers(content=server.received[0]) == CONTENT


@pytest.mark.parametrize(
    ("behaviour", "outcome", "received"),
    [("drop-rcpt", RefusedTemporary, 0), ("drop-data", Ambiguous, 1), ("451", RefusedTemporary, 0), ("550", RefusedPermanent, 0)],
)
def test_the_outcome_says_whether_it_may_have_been_accepted(behaviour: str, outcome: type, received: int) -> None:
    with over_smtp(behaviour) as (server, transport):
        assert isinstance(transport.hand_over(parcel=a_parcel()), outcome)
    assert len(server.received) == received


def test_a_dead_address_is_told_from_other_refusals() -> None:
    with over_smtp("550") as (_, transport):
        refused = transport.hand_over(parcel=a_parcel())
    assert isinstance(refused, RefusedPermanent)
    assert refused.address_dead


def test_no_server_is_a_temporary_refusal() -> None:
    with SmtpTransport(server=SmtpServer(host="127.0.0.1", port=1, timeout=1)) as transport:
        assert isinstance(transport.hand_over(parcel=a_parcel()), RefusedTemporary)


def test_one_connection_serves_a_batch_and_survives_a_refusal() -> None:
    with over_smtp() as (server, transport):
        transport.hand_over(parcel=a_parcel())
        server.behaviour = "550"
        transport.hand_over(parcel=a_parcel())
        server.behaviour = "accept"
        assert isinstance(transport.hand_over(parcel=a_parcel()), Accepted)
    assert len(server.received) == 2


@pytest.mark.parametrize("content", [b"Subject: x\n\nbare line feeds\n", b"Subject: x\r\n\r\nno end"])
def test_bytes_that_a_server_would_have_to_change_are_refused(content: bytes) -> None:
    with over_smtp() as (server, transport):
        assert isinstance(transport.hand_over(parcel=a_parcel(content)), RefusedPermanent)
    assert server.received == []
