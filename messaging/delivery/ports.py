"""What stands between the outbox and a channel: a parcel goes in, one of four outcomes comes out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, kw_only=True)
class Parcel:
    """What is handed over. `content` is the approved payload, byte for byte; `headers` are transport headers only.

    account_id: of the mailbox it leaves from, whose server takes it.
    """

    sender: str
    recipient: str
    content: bytes
    message_id: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    account_id: int = 0


@dataclass(frozen=True)
class Accepted:
    """The channel took responsibility. `transport_id` is the id that answers will cite."""

    transport_id: str
    detail: str = ""


@dataclass(frozen=True)
class RefusedPermanent:
    """Refused, and asking again would be refused again. `address_dead`: the recipient does not exist."""

    reason: str
    address_dead: bool = False


@dataclass(frozen=True)
class RefusedTemporary:
    """Certainly not accepted, but asking again may help."""

    reason: str


@dataclass(frozen=True)
class Ambiguous:
    """It may or may not have been accepted. Never repeated without a person."""

    reason: str


Outcome = Accepted | RefusedPermanent | RefusedTemporary | Ambiguous


class Transport(Protocol):
    """A channel that software may send on. It answers with an outcome and raises nothing for expected failures."""

    def hand_over(self, *, parcel: Parcel) -> Outcome: ...
