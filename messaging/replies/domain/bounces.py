"""Delivery reports (RFC 3464), bounces in prose, and complaints (ARF, RFC 5965)."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass

from messaging.replies.domain.folding import fold
from messaging.replies.domain.mail import Mail

_ROBOT = re.compile(
    r"^(?:mailer-?daemon|post_?master|mail\.delivery\.system|mail-?daemon|bounces?|mdaemon|noreply-dsn)\b"
)
_STATUS = re.compile(r"\b([245])\.(\d{1,3})\.(\d{1,3})\b")
_ADDRESS = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_SUBJECT = re.compile(
    r"undeliver|delivery (?:status|failure|has failed|incomplete|problem)|returned mail|mail (?:delivery|system) (?:failed|error|failure)|failure notice|could not be delivered|mail failure|(?:failed|failure) delivery|error sending your mail|"
    r"unzustellbar|nicht zugestellt|non remis|echec|no entregado|devuelto|nao entregue|non recapitat|mancata consegna|onbestelbaar|niet bezorgd"
)
_DEAD = re.compile(
    r"user unknown|unknown (?:user|recipient|mailbox)|no such (?:user|recipient|mailbox|address)|does(?: not|n't) exist|mailbox (?:not found|unavailable|does not)|"
    r"recipient (?:not found|address rejected: user)|address (?:not found|does not exist|unknown)|invalid (?:recipient|mailbox)|"
    r"host (?:or domain name )?not found|domain (?:not found|does not exist)|nobody by that name|wasn't found at|usuario desconocido|no existe|utilisateur inconnu|unbekannt(?:er)? (?:benutzer|empfanger)|existiert nicht"
)
_DEAD_STATUS = {("5", "1", "1"), ("5", "1", "2"), ("5", "1", "3"), ("5", "1", "6"), ("5", "1", "10"), ("5", "4", "4")}
#: A disabled account (5.2.1) may come back: it is no dead address.
#: Words that make a permanent answer one about policy or space, not about the address.
_NOT_THE_ADDRESS = re.compile(
    r"spam|blocked|blacklist|policy|reputation|quota|mailbox (?:is )?full|over quota|too (?:large|big|many)|sender (?:rejected|denied|address rejected)|not authori[sz]ed|dmarc|spf|dkim|disabled|suspended|inactive|locked|greylist|rate limit|throttl"
)


@dataclass(frozen=True, kw_only=True)
class Bounce:
    """failed: it did not arrive. address_dead: the address does not exist (a permanent refusal may be about policy)."""

    action: str
    failed: bool
    permanent: bool
    address_dead: bool
    status: str = ""
    recipient: str = ""
    reason: str = ""

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def is_complaint(*, mail: Mail) -> bool:
    return mail.report_type == "feedback-report" or bool(mail.feedback.strip())


def bounce_of(*, mail: Mail) -> Bounce | None:
    """None when it is no delivery report. A report of success or delay is one that did not fail."""
    if mail.report.strip():
        return _from_report(mail)
    if _looks_like_bounce(mail):
        return _from_prose(mail)
    return None


def _from_report(mail: Mail) -> Bounce:
    fields = {
        name.lower(): value.strip()
        for name, value in re.findall(r"(?m)^([\w-]+):[ \t]*(.*(?:\n[ \t].*)*)", mail.report)
    }
    action = fields.get("action", "failed").split()[0].lower() if fields.get("action") else "failed"
    recipient = _first(_ADDRESS, fields.get("final-recipient", "") or fields.get("original-recipient", ""))
    diagnostic = " ".join(fields.get("diagnostic-code", "").split())
    status = _first(_STATUS, fields.get("status", "")) or _first(_STATUS, diagnostic)
    return _bounce(
        action, status, recipient, diagnostic or f"{action} {status}", fold(diagnostic + " " + mail.text[:3_000])
    )


def _from_prose(mail: Mail) -> Bounce:
    text = mail.text[:6_000]
    status = _first(_STATUS, text)
    recipient = next((address.lower() for address in _ADDRESS.findall(text) if address.lower() != mail.sender), "")
    reason = next(
        (line.strip() for line in text.splitlines() if _STATUS.search(line) or _DEAD.search(fold(line))), mail.subject
    )
    return _bounce("failed", status, mail.header("x-failed-recipients") or recipient, reason[:300], fold(text))


def _bounce(action: str, status: str, recipient: str, reason: str, folded: str) -> Bounce:
    failed = action == "failed"
    dead_words = bool(_DEAD.search(folded))
    policy = bool(_NOT_THE_ADDRESS.search(fold(reason)))
    parts = tuple(status.split(".")) if status else ()
    dead = (
        failed
        and not status.startswith("4")
        and ((parts in _DEAD_STATUS and not policy) or (dead_words and not policy))
    )
    permanent = failed and (status.startswith("5") or dead)
    return Bounce(
        action=action,
        failed=failed,
        permanent=permanent,
        address_dead=dead,
        status=status,
        recipient=recipient.lower()[:320],
        reason=reason[:300],
    )


def _looks_like_bounce(mail: Mail) -> bool:
    robot = not mail.sender or bool(_ROBOT.match(mail.sender)) or mail.header("return-path").strip() == "<>"
    titled = bool(_SUBJECT.search(fold(mail.subject)))
    return (
        robot and (titled or mail.report_type == "delivery-status" or bool(mail.header("x-failed-recipients")))
    ) or (mail.report_type == "delivery-status")


def _first(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match.group(0) if match else ""
