"""The complete outgoing message as bytes: what a reviewer sees, approves, and what is sent.

E-mail is an RFC 5322 message in 7-bit ASCII (quoted-printable), so that no mail server has a reason to
recode it. It carries no Date and no trace headers: only those are added when it leaves. Building the same
message twice gives the same bytes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from email import message_from_bytes
from email.errors import HeaderParseError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, default

from messaging.review.domain.footers import words_for
from outreach.teams.domain.refusal import Refusal

#: Header lines longer than this are folded (RFC 5322, 2.1.1); message ids must not be.
_POLICY = SMTP.clone(max_line_length=78)
_LINE_BREAKS = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")
_ADDRESS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+\Z")
_MESSAGE_ID = re.compile(r"<[\x21-\x3b\x3d\x3f-\x7e]{3,250}>\Z")
_URL = re.compile(r"https?://[\x21-\x7e]+\Z")


@dataclass(frozen=True, slots=True)
class Notice:
    """What the footer says about the data. sources: for people ("your LinkedIn profile"); read_on: the latest day.

    besides: what the team adds in this language, "" for nothing.
    """

    sources: tuple[str, ...]
    read_on: date
    lawful_basis: str
    besides: str = ""


@dataclass(frozen=True, slots=True)
class Letterhead:
    """The sender as the footer names it."""

    full_name: str
    title: str
    company: str
    signature: str
    postal_address: str
    calendar_url: str = ""


@dataclass(frozen=True, slots=True)
class EmailParts:
    """Everything an e-mail consists of.

    message_id   with angle brackets, the same for the same revision
    references   message ids of the thread, oldest first; the last one is answered
    opt_out_url  the page behind the unsubscribe link (RFC 8058 posts there)
    opt_out_mail the mailbox that takes objections
    """

    from_name: str
    from_address: str
    to_name: str
    to_address: str
    subject: str
    body: str
    language: str
    letterhead: Letterhead
    notice: Notice
    message_id: str
    references: tuple[str, ...]
    opt_out_url: str
    opt_out_mail: str


def one_line(text: str) -> str:
    """The text without line breaks, control characters and encoded words: nothing in it can begin another header.

    The library decodes "=?utf-8?q?=0D=0ABcc:…?=" before it writes a header, line breaks included.
    """
    return _LINE_BREAKS.sub(" ", text).replace("=?", "= ?").strip()


def _lines(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")).strip("\n")


def footer(*, parts: EmailParts) -> str:
    """Sender, address, source of the data, and the way to object, below the usual "-- "."""
    words, head, notice = words_for(parts.language), parts.letterhead, parts.notice
    signed = _lines(head.signature) or ", ".join(text for text in (head.full_name, head.title, head.company) if text)
    return "\n".join(
        (
            "-- ",
            signed,
            *([one_line(head.calendar_url)] if head.calendar_url else []),
            *([_lines(head.postal_address)] if head.postal_address.strip() else []),
            "",
            words.source.format(sources=", ".join(notice.sources), date=notice.read_on.isoformat()),
            words.basis.format(basis=notice.lawful_basis),
            *([_lines(notice.besides)] if notice.besides.strip() else []),
            words.objection.format(url=parts.opt_out_url),
        )
    )


def _fault(parts: EmailParts) -> Refusal | None:
    for what, address in (("recipient's", parts.to_address), ("sender's", parts.from_address)):
        if not _ADDRESS.match(address):
            return Refusal("address", f"The {what} address {one_line(address)!r} cannot be written to. Correct it.")
    if not all(_MESSAGE_ID.match(text) for text in (parts.message_id, *parts.references)):
        return Refusal(
            "message_id", "A message id of this thread is not well formed; the follow-up cannot be threaded."
        )
    if not _URL.match(parts.opt_out_url):
        return Refusal("opt_out", "The address of the unsubscribe page is not a URL. Set BASE_URL.")
    return None


def email_payload(*, parts: EmailParts) -> bytes | Refusal:
    """The RFC 5322 bytes with CRLF line ends, or why they cannot be made."""
    fault = _fault(parts)
    if fault:
        return fault
    message = EmailMessage(policy=_POLICY)
    message["From"] = _address(parts.from_name, parts.from_address)
    message["To"] = _address(parts.to_name, parts.to_address)
    message["Subject"] = one_line(parts.subject)
    message["Message-ID"] = parts.message_id
    if parts.references:
        message["In-Reply-To"] = parts.references[-1]
        message["References"] = " ".join(parts.references)
    message["List-Unsubscribe"] = f"<{parts.opt_out_url}>, <mailto:{parts.opt_out_mail}?subject=unsubscribe>"
    message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    text = f"{_lines(parts.body)}\n\n{footer(parts=parts)}\n"
    message.set_content(text, subtype="plain", charset="utf-8", cte="quoted-printable")
    return message.as_bytes()


def _address(name: str, address: str) -> Address:
    """The address with the name, where a mail reader finds exactly this one address in it; else without the name.

    Long names are folded, and folding loses quotation marks: "Ruiz, Ana" would become two addresses.
    """
    named = Address(display_name=one_line(name), addr_spec=address)
    return named if _reads_back(named) else Address(addr_spec=address)


def _reads_back(address: Address) -> bool:
    message = EmailMessage(policy=_POLICY)
    message["To"] = address
    try:
        found = message_from_bytes(message.as_bytes(), policy=default)["To"].addresses
    except (IndexError, ValueError, AttributeError, HeaderParseError):
        return False
    return [one.addr_spec for one in found] == [address.addr_spec] and "".join(
        found[0].display_name.split()
    ) == "".join(address.display_name.split())


@dataclass(frozen=True, slots=True)
class LinkedInParts:
    """A message that a person pastes by hand. channel as in outreach.campaigns.models.Channel."""

    channel: str
    account: str
    profile_url: str
    subject: str
    body: str
    language: str
    notice: Notice


#: A connection note has too few characters for a footer.
_WITH_NOTICE = frozenset({"inmail", "linkedin_message"})


def linkedin_text(*, parts: LinkedInParts) -> str:
    """The words to paste: the body, and below it the source of the data and the way to object."""
    if parts.channel not in _WITH_NOTICE:
        return _lines(parts.body)
    words = words_for(parts.language)
    source = words.source.format(sources=", ".join(parts.notice.sources), date=parts.notice.read_on.isoformat())
    return f"{_lines(parts.body)}\n\n--\n{source}\n{words.assisted}"


def linkedin_payload(*, parts: LinkedInParts) -> bytes | Refusal:
    """UTF-8 text: the lines channel, account, to and (for an InMail) subject, an empty line, then the words."""
    if not parts.profile_url:
        return Refusal("address", "The prospect has no LinkedIn profile to write to.")
    head = [
        f"channel: {parts.channel}",
        f"account: {one_line(parts.account)}",
        f"to: {one_line(parts.profile_url)}",
        *([f"subject: {one_line(parts.subject)}"] if parts.channel == "inmail" else []),
    ]
    return "\n".join((*head, "", linkedin_text(parts=parts), "")).encode()


@dataclass(frozen=True, slots=True)
class LinkedInWords:
    profile_url: str
    subject: str
    text: str


def read_linkedin(*, content: bytes) -> LinkedInWords:
    """What to paste, read back from the approved bytes."""
    head, _, text = content.decode().partition("\n\n")
    fields = dict(line.split(": ", 1) for line in head.split("\n"))
    return LinkedInWords(profile_url=fields["to"], subject=fields.get("subject", ""), text=text.removesuffix("\n"))


def readable(*, content: bytes) -> str:
    """An e-mail's bytes with encoded words and quoted-printable undone, for a person who checks what is sent."""
    message = message_from_bytes(content, policy=default)
    head = "\n".join(f"{name}: {value}" for name, value in message.items())
    return f"{head}\n\n{message.get_content()}".replace("\r\n", "\n")
