"""One connection a server for a batch of messages from several mailboxes."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Self

from messaging.delivery.channels.smtp.transport import SmtpServer, SmtpTransport
from messaging.delivery.ports import Outcome, Parcel, RefusedTemporary

#: Connections kept open at once.
MOST = 8


class ByAccount:
    """Hands each parcel to the server of its account; use it as a context manager.

    server_of: the account's server as it is now, or why it cannot be used, by account id.
    """

    def __init__(self, *, server_of: Callable[[int], SmtpServer | str]) -> None:
        self._server_of = server_of
        self._open: dict[SmtpServer, SmtpTransport] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for transport in self._open.values():
            transport.close()
        self._open.clear()

    def hand_over(self, *, parcel: Parcel) -> Outcome:
        server = self._server_of(parcel.account_id)
        if isinstance(server, str):
            return RefusedTemporary(server)
        return self._transport(server).hand_over(parcel=parcel)

    def _transport(self, server: SmtpServer) -> SmtpTransport:
        kept = self._open.get(server)
        if kept is None:
            if len(self._open) >= MOST:
                oldest = next(iter(self._open))
                self._open.pop(oldest).close()
            kept = self._open[server] = SmtpTransport(server=server)
        return kept
