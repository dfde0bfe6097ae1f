"""A real reply (RFC 5322) as the prospect's mail program would write it: for the demonstration's mailbox."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from email import policy
from email.message import EmailMessage
from email.utils import format_datetime

from messaging.replies.domain.mail import parse

#: Answers by one click: label, the text, and whether a machine would send it.
QUICK: dict[str, tuple[str, str, bool]] = {
    "interested": ("Interested", "Sounds good, tell me more. Could you send me some details and a price?", False),
    "not_now": (
        "Not now",
        "Not at the moment, we are in the middle of a migration. Please write to me again in March.",
        False,
    ),
    "unsubscribe": ("Unsubscribe", "Please take me off your list and do not write to me again.", False),
    "out_of_office": (
        "Out of office",
        "I am out of the office and will be back on {back}. Your message is not forwarded.",
        True,
    ),
}


@dataclass(frozen=True, kw_only=True)
class Answering:
    """What the answer needs to know of the mail it answers."""

    original: bytes
    from_name: str
    from_address: str
    text: str
    automatic: bool
    message_id: str
    at: datetime


def answer_to(*, answering: Answering) -> bytes:
    """The reply's bytes: threaded by In-Reply-To and References, with the original quoted below the text."""
    original = parse(answering.original)
    reply = EmailMessage(policy=policy.SMTP)
    reply["From"] = f'"{_plain(answering.from_name)}" <{answering.from_address}>'
    reply["To"] = original.sender
    prefix = "Automatic reply: " if answering.automatic else "Re: "
    reply["Subject"] = prefix + original.subject.removeprefix("Re: ")
    reply["Date"] = format_datetime(answering.at)
    reply["Message-ID"] = answering.message_id
    reply["In-Reply-To"] = original.message_id
    reply["References"] = " ".join((*original.references, original.message_id))
    if answering.automatic:
        reply["Auto-Submitted"] = "auto-replied"
    reply.set_content(
        answering.text.strip()
        + ("" if answering.automatic else _quoted(original.sender, original.text, answering.at))
        + "\n"
    )
    return reply.as_bytes()


def _quoted(sender: str, text: str, at: datetime) -> str:
    lines = "\n".join(f"> {line}" for line in text.replace("\r\n", "\n").splitlines())
    return f"\n\nOn {at:%a, %d %b %Y at %H:%M}, <{sender}> wrote:\n\n{lines}"


def _plain(name: str) -> str:
    return "".join(character for character in name if character.isprintable() and character not in '"\\<>')[:100]
