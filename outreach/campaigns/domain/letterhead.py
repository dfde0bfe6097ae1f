"""What may stand in a signature and an address: who writes and how to reach them. Statements belong where they are checked."""

from __future__ import annotations

import re

from outreach.campaigns.domain.offer import Sender

MOST_LINES = 6
MOST_CHARACTERS = 100
_LINK = re.compile(r"https://[A-Za-z0-9.-]+\.[A-Za-z]{2,}(?::\d{1,5})?(?:/[\x21-\x7e]*)?\Z")
_WORD = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*")
#: Phone numbers, addresses and links, taken out before the words are looked at.
_REACH = re.compile(r"\S+@\S+|https?://\S+|\b(?:[a-z0-9-]{2,}\.){1,3}[a-z]{2,}(?:/\S*)?|\+?\d[\d ()/.-]*")
_LABELS = frozenset(
    [
        "tel",
        "telephone",
        "phone",
        "mobile",
        "mob",
        "cell",
        "office",
        "direct",
        "fax",
        "email",
        "e-mail",
        "mail",
        "web",
        "website",
        "www",
        "linkedin",
        "skype",
        "whatsapp",
        "signal",
        "telefon",
        "mobil",
        "büro",
        "téléphone",
        "portable",
        "móvil",
        "teléfono",
        "telefono",
        "cellulare",
        "telefoon",
        "mobiel",
        "telemóvel",
        "he",
        "him",
        "his",
        "she",
        "her",
        "hers",
        "they",
        "them",
        "theirs",
        "and",
        "und",
        "et",
        "y",
        "e",
        "en",
        "at",
        "of",
        "for",
        "the",
        "bei",
        "von",
        "de",
        "der",
        "van",
        "di",
        "dr",
        "prof",
        "ing",
        "dipl",
        "mba",
        "phd",
        "msc",
        "bsc",
        "t",
        "m",
        "p",
        "f",
        "e",
        "w",
    ]
)


def signature_fault(*, sender: Sender, language: str | None = None) -> str:
    """Why a signature cannot be printed under every message, "" when all can. Nothing in it is verified.

    language: only the one printed in that language.
    """
    if language is not None:
        return _signature_fault(sender=sender, signature=sender.signature_in(language))
    faults = (
        _signature_fault(sender=sender, signature=text) for text in (sender.signature, *sender.signatures.values())
    )
    return next((fault for fault in faults if fault), "")


def _signature_fault(*, sender: Sender, signature: str) -> str:
    fault = address_fault(text=signature)
    if fault:
        return fault
    known = {word for text in (sender.full_name, sender.title, sender.company) for word in _words(text)}
    other = [word for word in _words(_REACH.sub(" ", signature)) if word not in known | _LABELS]
    if other:
        return (
            f"“{other[0]}” is neither the sender's name, title or company nor a way to reach them. "
            "Statements belong into the offer or the proof points, where they are checked."
        )
    return ""


def link_fault(*, url: str) -> str:
    """What is wrong with a link that is printed under messages, "" when nothing is."""
    if url and not _LINK.match(url):
        return "Give a whole address that begins with https://, without spaces."
    return ""


def address_fault(*, text: str) -> str:
    """The same for an address: a few short lines, and nothing asked or exclaimed."""
    lines = text.strip().splitlines()
    if len(lines) > MOST_LINES or any(len(line) > MOST_CHARACTERS for line in lines):
        return f"Write at most {MOST_LINES} lines of at most {MOST_CHARACTERS} characters."
    if any(sign in text for sign in "?!"):
        return "Leave out questions and exclamations."
    return ""


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text.replace("’", "'"))]
