"""What a test of a mailbox finds, against real servers that fail in every way there is."""

from __future__ import annotations

import ssl
from contextlib import ExitStack
from pathlib import Path

import pytest

from outreach.campaigns.adapters.mail_check import RealMailChecker
from outreach.campaigns.domain.mail_server import MailServer
from outreach.campaigns.ports import Finding
from outreach.egress import Guard
from tests.mailservers import (
    PASSWORD,
    USER,
    Certificates,
    Mailbox,
    certificates,
    free_port,
    imap_server,
    listening,
    smtp_server,
)

ADDRESS = "naledi@hearthdesk.example"


@pytest.fixture
def tls(tmp_path: Path) -> Certificates:
    return certificates(tmp_path)


def a_checker(port: int, context: ssl.SSLContext | None = None, timeout: float = 5) -> RealMailChecker:
    """May reach this one port of this machine, where every name leads."""
    guard = Guard(resolve=lambda _host, _port: ["127.0.0.1"], allow=frozenset({("127.0.0.1", port)}))
    return RealMailChecker(guard=guard, context=context, timeout=timeout)


def sending(
    port: int, security: str = "none", *, context: ssl.SSLContext | None = None, user: str = "", password: str = "",
    host: str = "localhost", timeout: float = 5,
) -> Finding | None:  # fmt: skip
    server = MailServer(host, port, security, user, password)
    return a_checker(port, context, timeout).sending(server=server, address=ADDRESS)


def reading(
    port: int, security: str = "none", *, context: ssl.SSLContext | None = None, user: str = USER, password: str = PASSWORD
) -> Finding | None:
    return a_checker(port, context).reading(server=MailServer("localhost", port, security, user, password))


def code(finding: Finding | None) -> str:
    return finding.code if finding else "works"


def test_sending_works_with_each_encryption_and_login(tls: Certificates) -> None:
    with smtp_server(starttls=tls.server) as (handler, port):
        assert sending(port, "starttls", context=tls.client, user=USER, password=PASSWORD) is None
        assert sending(port) is None
        assert handler.users == [USER]
        assert handler.received == []
    with smtp_server(implicit=tls.server) as (_handler, port):
        assert sending(port, "implicit", context=tls.client, user=USER, password=PASSWORD) is None


def test_a_refused_login_says_so_and_does_not_repeat_the_password(tls: Certificates) -> None:
    with smtp_server(starttls=tls.server) as (_handler, port):
        found = sending(port, "starttls", context=tls.client, user=USER, password="wrong and secret")
    assert code(found) == "login"
    assert found is not None
    assert "Check user and password" in found.text
    assert "secret" not in found.text


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("452 4.2.2 Mailbox full", "quota"),
        ("552 5.2.2 Over quota", "quota"),
        ("553 5.7.1 Sender address rejected: not owned by user", "refused-sender"),
        ("451 4.3.0 Try later", "busy"),
        ("550 5.7.0 quota exceeded", "quota"),
    ],
)
def test_what_the_server_says_of_the_address_is_told(answer: str, expected: str) -> None:
    with smtp_server(to_mail=answer) as (_handler, port):
        found = sending(port)
    assert code(found) == expected
    assert found is not None
    assert answer.split(" ", 1)[1].rstrip(".") in found.text


def test_certificates_are_checked_and_the_fault_is_named(tmp_path: Path, tls: Certificates) -> None:
    with smtp_server(implicit=tls.server) as (_handler, port):
        assert code(sending(port, "implicit", context=tls.stranger)) == "certificate"
    for name, words, made in (
        ("expired", "has expired", {"days": -2}),
        ("other", "is not one of localhost", {"host": "other.example"}),
    ):
        folder = tmp_path / name
        folder.mkdir()
        wrong = certificates(folder, **made)  # type: ignore[arg-type]
        with smtp_server(implicit=wrong.server) as (_handler, port):
            found = sending(port, "implicit", context=wrong.client)
        assert code(found) == "certificate"
        assert found is not None
        assert words in found.text


def test_the_wrong_encryption_is_told_from_no_server(tls: Certificates) -> None:
    with smtp_server() as (_handler, port):
        assert code(sending(port, "implicit", context=tls.client)) == "tls"
        found = sending(port, "starttls", context=tls.client)
        assert code(found) == "tls"
        assert found is not None
        assert "offers no STARTTLS" in found.text
    with smtp_server(implicit=tls.server) as (_handler, port):
        assert code(sending(port, "starttls", context=tls.client, timeout=1)) in ("closed", "timeout")


def test_the_network_in_words() -> None:
    port = free_port()
    found = sending(port)
    assert code(found) == "refused"
    assert found is not None
    assert f"Nothing listens on localhost:{port}" in found.text
    with ExitStack() as stack:
        silent, rude = stack.enter_context(listening(closes=False)), stack.enter_context(listening(closes=True))
        assert code(sending(silent, timeout=0.3)) == "timeout"
        assert code(sending(rude)) == "closed"


def test_names_nobody_knows_and_private_networks() -> None:
    def unknown(_host: str, _port: int) -> list[str]:
        raise OSError("Name or service not known")

    server = MailServer("smtp.nowhere.example", 587, "starttls")
    for checker, expected, words in (
        (RealMailChecker(guard=Guard(resolve=unknown)), "dns", "Check the spelling"),
        (RealMailChecker(guard=Guard(resolve=lambda _h, _p: ["10.0.0.5"])), "not-allowed", "PRIVATE_SERVERS"),
        (RealMailChecker(guard=Guard(resolve=lambda _h, _p: ["8.8.8.8", "127.0.0.1"])), "not-allowed", "PRIVATE_SERVERS"),
    ):
        for found in (checker.sending(server=server, address=ADDRESS), checker.reading(server=server)):
            assert code(found) == expected
            assert found is not None
            assert words in found.text


def test_reading_works_and_changes_nothing(tls: Certificates) -> None:
    box = Mailbox(quota=(10, 1000))
    with imap_server(box) as port:
        assert reading(port) is None
    assert "EXAMINE" in box.commands
    assert {"SELECT", "STORE", "EXPUNGE"}.isdisjoint(box.commands)
    with imap_server(Mailbox(), implicit=tls.server) as port:
        assert reading(port, "implicit", context=tls.client) is None


@pytest.mark.parametrize(
    ("box", "expected"),
    [
        (Mailbox(to_login="NO [AUTHENTICATIONFAILED] Invalid credentials"), "login"),
        (Mailbox(to_login="NO [OVERQUOTA] Quota exceeded"), "quota"),
        (Mailbox(to_open="NO [NONEXISTENT] no such mailbox"), "inbox"),
        (Mailbox(quota=(97, 100)), "quota"),
        (Mailbox(quota=(90, 100)), "works"),
    ],
)
def test_what_the_mailbox_says_is_told(box: Mailbox, expected: str) -> None:
    with imap_server(box) as port:
        assert code(reading(port)) == expected


def test_reading_fails_in_words_too(tls: Certificates) -> None:
    assert code(reading(free_port())) == "refused"
    with imap_server(Mailbox()) as port:
        assert code(reading(port, password="wrong")) == "login"
        assert code(reading(port, password="pässwörd")) == "login"
        assert code(reading(port, "implicit", context=tls.client)) == "tls"
        assert code(reading(port, "starttls", context=tls.client)) == "tls"
    with imap_server(Mailbox(), implicit=tls.server) as port:
        assert code(reading(port, "implicit", context=tls.stranger)) == "certificate"
    with listening(closes=True) as port:
        assert code(reading(port)) == "closed"
