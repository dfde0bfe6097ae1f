"""Raw mail is read whatever is in it, and never for long."""

from __future__ import annotations

from datetime import date
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from messaging.replies.domain.mail import parse
from messaging.replies.domain.own_text import own_text
from messaging.replies.domain.reading import read

TODAY = date(2026, 11, 4)
DSN = b"""From: MAILER-DAEMON@mx.example\r
Subject: Undelivered Mail Returned to Sender\r
Content-Type: multipart/report; report-type=delivery-status; boundary=b\r
\r
--b\r
Content-Type: text/plain\r
\r
The mail system could not deliver your message.\r
--b\r
Content-Type: message/delivery-status\r
\r
Reporting-MTA: dns; mx.example\r
\r
Final-Recipient: rfc822; Gone@pipewren.example\r
Action: ACTION\r
Status: STATUS\r
Diagnostic-Code: smtp; REASON\r
\r
--b\r
Content-Type: message/rfc822\r
\r
Message-ID: <original@hearthdesk.example>\r
Subject: Hello\r
\r
Hi\r
--b--\r
"""


def dsn(action: str, status: str, reason: str) -> bytes:
    return (
        DSN.replace(b"ACTION", action.encode()).replace(b"STATUS", status.encode()).replace(b"REASON", reason.encode())
    )


@pytest.mark.parametrize(
    ("report", "kind", "dead", "permanent"),
    [
        (dsn("failed", "5.1.1", "550 5.1.1 User unknown"), "bounce", True, True),
        (dsn("failed", "5.7.1", "550 5.7.1 Message rejected as spam"), "bounce", False, True),
        (dsn("failed", "5.2.2", "552 5.2.2 Mailbox full"), "bounce", False, True),
        (dsn("failed", "4.4.1", "connection timed out"), "bounce", False, False),
        (dsn("failed", "5.1.0", "550 5.1.0 sender rejected"), "bounce", False, True),
        (dsn("failed", "5.0.0", "550 5.0.0 Unknown User"), "bounce", True, True),
        (dsn("delayed", "4.4.7", "delivery delayed"), "auto_reply", False, False),
        (dsn("delivered", "2.0.0", "250 OK"), "auto_reply", False, False),
    ],
)
def test_delivery_reports_are_read(report: bytes, kind: str, dead: bool, permanent: bool) -> None:
    reading = read(mail=parse(report), received=TODAY)
    assert reading.bounce is not None
    assert (reading.kind, reading.bounce.address_dead, reading.bounce.permanent) == (kind, dead, permanent)
    assert reading.bounce.recipient == "gone@pipewren.example"


def test_a_bounce_cites_the_message_it_returns() -> None:
    assert parse(dsn("failed", "5.1.1", "no such user")).returned_ids == ("<original@hearthdesk.example>",)


def test_a_complaint_is_told_from_a_bounce() -> None:
    raw = DSN.replace(b"report-type=delivery-status", b"report-type=feedback-report").replace(
        b"message/delivery-status", b"message/feedback-report"
    )
    assert read(mail=parse(raw), received=TODAY).kind == "complaint"


def test_an_accepted_invitation_is_a_meeting() -> None:
    raw = (
        b"From: a@x.example\r\nSubject: Accepted\r\nContent-Type: text/calendar; method=REPLY\r\n\r\nBEGIN:VCALENDAR\r\nMETHOD:REPLY\r\n"
        b"BEGIN:VEVENT\r\nDTSTART:20261110T100000Z\r\nATTENDEE;PARTSTAT=ACCEPTED:mailto:a@x.example\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    )
    reading = read(mail=parse(raw), received=TODAY)
    assert reading.meeting is not None
    assert (reading.intent, reading.meeting.start) == ("meeting_booked", "20261110T100000Z")


def test_html_is_read_without_its_quote() -> None:
    raw = (
        b"Content-Type: text/html; charset=utf-8\r\n\r\n<div>Yes please, send it.</div><div class=gmail_quote>On Tue, 3 Nov 2026, Ann &lt;a@x.example&gt; wrote:"
        b"<blockquote>Reply unsubscribe to stop</blockquote></div>"
    )
    assert read(mail=parse(raw), received=TODAY).text == "Yes please, send it."


@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "x-unknown", "utf-16", ""])
def test_a_broken_charset_still_gives_text(charset: str) -> None:
    raw = f"Content-Type: text/plain; charset={charset}\r\n\r\n".encode() + b"caf\xe9 \xff\xfe ok"
    assert "ok" in parse(raw).text or charset == "utf-16"


def nested(depth: int) -> bytes:
    start = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(depth))
    return start + b"Content-Type: text/plain\r\n\r\nhello\r\n"


HOSTILE = {
    "100 kB of On Monday": b"Subject: x\r\n\r\n" + b"On Monday " * 10_000,
    "5,000 lines of On Monday": b"Subject: x\r\n\r\n" + b"On Monday\r\n" * 5_000,
    "8,000 times Le": b"Subject: x\r\n\r\n" + b"Le " * 8_000,
    "deep MIME": nested(2_000),
    "10,000 recipients": b"To: " + b", ".join(b"a%d@x.example" % n for n in range(10_000)) + b"\r\n\r\nhi",
    "a megabyte of quotes": b"\r\n\r\n" + b"> > > quoted line\r\n" * 60_000,
    "no line breaks": b"\r\n\r\n" + b"please stop " * 80_000,
    "open tags": b"Content-Type: text/html\r\n\r\n" + b"<div><a href='x" * 20_000,
    "encoded words": b"Subject: " + b"=?utf-8?q?=61?= " * 5_000 + b"\r\n\r\nhi",
    "nothing": b"",
    "zeros": b"\x00" * 100_000,
    "dates": b"\r\n\r\nI am out of office, back on " + b"12.11. until 13.11. " * 4_000,
    "colons": b"\r\n\r\n" + b"From: a\r\n" * 20_000,
    "spaces": b"\r\n\r\nnot interested" + b" " * 200_000 + b"\r\nregards",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_mail_is_read_within_a_second(name: str) -> None:
    begun = perf_counter()
    read(mail=parse(HOSTILE[name]), received=TODAY)
    assert perf_counter() - begun < 1


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=600))
def test_no_bytes_raise(raw: bytes) -> None:
    read(mail=parse(b"From: a@b.example\r\n" + raw), received=TODAY)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300))
def test_what_is_kept_was_written(text: str) -> None:
    kept = own_text(text)
    assert all(line.strip() in text.replace("\u200b", "").replace("\ufeff", "") for line in kept.splitlines())
