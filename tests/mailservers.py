"""Real mail servers on this machine: SMTP by aiosmtpd, IMAP (RFC 3501, RFC 2087) spoken line by line over a socket."""

from __future__ import annotations

import datetime as dt
import ipaddress
import socket
import socketserver
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

USER, PASSWORD = "naledi", "open sesame 42"


@dataclass(frozen=True)
class Certificates:
    """A server's side and a client's that trusts it; `stranger` trusts only the system's authorities."""

    server: ssl.SSLContext
    client: ssl.SSLContext
    stranger: ssl.SSLContext


def certificates(folder: Path, *, host: str = "localhost", days: int = 30) -> Certificates:
    """Signed by themselves, for that host, valid for so many days from yesterday; below nought: expired."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    begun = dt.datetime.now(dt.UTC) - dt.timedelta(days=10)
    names: list[x509.GeneralName] = [x509.DNSName(host)]
    if host == "localhost":
        names.append(x509.IPAddress(ipaddress.ip_address("127.0.0.1")))
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begun)
        .not_valid_after(begun + dt.timedelta(days=10 + days))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    public, private = folder / "public.pem", folder / "private.pem"
    public.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(public, private)
    client = ssl.create_default_context()
    client.load_verify_locations(public)
    return Certificates(server, client, ssl.create_default_context())


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class SmtpHandler:
    """Takes mail of those who are logged in. to_mail: what MAIL FROM is answered."""

    to_mail: str = "250 OK"
    received: list[bytes] = field(default_factory=list)
    users: list[str] = field(default_factory=list)

    async def handle_MAIL(self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]) -> str:  # noqa: N802
        if self.to_mail.startswith("250"):
            envelope.mail_from = address
        return self.to_mail

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        self.received.append(envelope.content)
        return "250 2.0.0 Queued"

    def login(self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: object) -> AuthResult:
        given = (getattr(data, "login", b"").decode(), getattr(data, "password", b"").decode())
        self.users.append(given[0])
        return AuthResult(success=given == (USER, PASSWORD), handled=False)


@contextmanager
def smtp_server(
    *, starttls: ssl.SSLContext | None = None, implicit: ssl.SSLContext | None = None, to_mail: str = "250 OK"
) -> Iterator[tuple[SmtpHandler, int]]:
    """On 127.0.0.1; with its port. Logins are checked: USER, PASSWORD."""
    handler = SmtpHandler(to_mail=to_mail)
    port = free_port()
    controller = Controller(
        handler, hostname="127.0.0.1", port=port, ssl_context=implicit, tls_context=starttls,
        authenticator=handler.login, auth_require_tls=False,
    )  # fmt: skip
    controller.start()
    try:
        yield handler, port
    finally:
        controller.stop()


@dataclass
class Mailbox:
    """What the IMAP server holds and how it behaves. quota: used and all, in KiB; None: the server knows no quotas."""

    messages: list[bytes] = field(default_factory=list)
    quota: tuple[int, int] | None = None
    to_login: str = ""
    to_open: str = ""
    commands: list[str] = field(default_factory=list)
    validity: int = 7
    first_uid: int = 1


class _Imap(socketserver.StreamRequestHandler):
    server: _ImapServer

    def handle(self) -> None:
        self.box = self.server.box
        self._say("* OK ready")
        while line := self.rfile.readline():
            tag, _space, rest = line.decode().strip().partition(" ")
            word, _space, rest = rest.partition(" ")
            self.box.commands.append(word.upper())
            if not self._answer(tag, word.upper(), rest):
                return

    def _say(self, text: str) -> None:
        self.wfile.write(text.encode() + b"\r\n")

    def _answer(self, tag: str, word: str, rest: str) -> bool:
        if word == "LOGOUT":
            self._say("* BYE")
            self._say(f"{tag} OK bye")
            return False
        answer = getattr(self, f"_{word.lower()}", None)
        self._say(f"{tag} {answer(rest) if answer else 'BAD unknown command'}")
        return True

    def _capability(self, _rest: str) -> str:
        self._say("* CAPABILITY IMAP4rev1" + (" QUOTA" if self.box.quota else ""))
        return "OK done"

    def _login(self, rest: str) -> str:
        if self.box.to_login:
            return self.box.to_login
        right = rest in (f'{USER} "{PASSWORD}"', f'"{USER}" "{PASSWORD}"')
        return "OK logged in" if right else "NO [AUTHENTICATIONFAILED] Authentication failed."

    def _examine(self, _rest: str) -> str:
        if self.box.to_open:
            return self.box.to_open
        self._say(f"* {len(self.box.messages)} EXISTS")
        self._say(f"* OK [UIDVALIDITY {self.box.validity}] UIDs valid")
        self._say(f"* OK [UIDNEXT {self.box.first_uid + len(self.box.messages)}] next")
        return "OK [READ-ONLY] opened"

    def _uid(self, rest: str) -> str:
        word, _space, rest = rest.partition(" ")
        listed = dict(enumerate(self.box.messages, start=self.box.first_uid))
        if word == "SEARCH":
            first = int(rest.split()[1].partition(":")[0]) if rest.startswith("UID") else 0
            # As RFC 3501 has it: "n:*" holds the newest in any case.
            found = [uid for uid in listed if uid >= first] or list(listed)[-1:]
            self._say("* SEARCH " + " ".join(map(str, found)))
            return "OK done"
        uid = int(rest.split()[0])
        if "SIZE" in rest:
            self._say(f"* 1 FETCH (RFC822.SIZE {len(listed[uid])} UID {uid})")
            return "OK done"
        self.wfile.write(
            f'* 1 FETCH (UID {uid} INTERNALDATE "02-Dec-2026 10:00:00 +0000" BODY[] {{{len(listed[uid])}}}\r\n'.encode()
        )
        self.wfile.write(listed[uid])
        self._say(")")
        return "OK done"

    def _getquotaroot(self, _rest: str) -> str:
        used, everything = self.box.quota or (0, 0)
        self._say('* QUOTAROOT INBOX ""')
        self._say(f'* QUOTA "" (STORAGE {used} {everything})')
        return "OK done"


class _ImapServer(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, box: Mailbox, context: ssl.SSLContext | None) -> None:
        self.box, self._context = box, context
        super().__init__(("127.0.0.1", 0), _Imap)

    def get_request(self) -> tuple[socket.socket, object]:
        plain, address = super().get_request()
        plain.settimeout(10)
        return (self._context.wrap_socket(plain, server_side=True), address) if self._context else (plain, address)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that gives up is what is tested."""


@contextmanager
def imap_server(box: Mailbox, *, implicit: ssl.SSLContext | None = None) -> Iterator[int]:
    """With its port."""
    with _ImapServer(box, implicit) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        try:
            yield int(server.server_address[1])
        finally:
            server.shutdown()


@contextmanager
def listening(*, closes: bool) -> Iterator[int]:
    """A port where somebody listens and says nothing, or hangs up at once."""
    done = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.1)

        def serve() -> None:
            held = []
            while not done.is_set():
                try:
                    taken, _address = listener.accept()
                except TimeoutError:
                    continue
                except OSError:
                    return
                if closes:
                    taken.close()
                else:
                    held.append(taken)
            for one in held:
                one.close()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield int(listener.getsockname()[1])
        finally:
            done.set()
            thread.join(2)
