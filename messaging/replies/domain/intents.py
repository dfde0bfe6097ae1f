"""The intent of a person's answer. Each rule reads the answer and speaks or stays silent."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from messaging.replies.domain.dates import mentions, season_in
from messaging.replies.domain.folding import fold
from messaging.replies.domain.phrases.every import expression, whole_line

#: Rules read the head and the tail of a very long answer.
MAX_READ = 4_000


class Intent(StrEnum):
    INTERESTED = "interested"
    MEETING_BOOKED = "meeting_booked"
    QUESTION = "question"
    REFERRAL = "referral"
    NOT_NOW = "not_now"
    NOT_INTERESTED = "not_interested"
    WRONG_PERSON = "wrong_person"
    UNSUBSCRIBE = "unsubscribe"
    OTHER = "other"


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What the rules read. folded: `text` as rules spell it, bounded to MAX_READ."""

    text: str
    folded: str
    subject: str
    received: date


@dataclass(frozen=True)
class Found:
    """What a rule said, and the words that made it."""

    intent: Intent
    because: str
    confidence: float = 0.9


def bounded(text: str) -> str:
    return text if len(text) <= MAX_READ else f"{text[: MAX_READ // 2]}\n{text[-MAX_READ // 2 :]}"


_FORWARD_PREFIX = re.compile(r"^\s*(?:fw|fwd|wg|tr|rv|enc|i|doorst|vs)\s*:", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:no|not|non|nao|nicht|keine?n?|geen|niet|pas|never|sans|sem|sin|ohne|nunca|mai)(?: \w+)? $")
#: A day this far ahead, in a sentence that asks to be contacted, means later.
FAR = timedelta(days=21)


def intent_of(answer: Answer) -> Found:
    """The first rule that speaks. Opt-outs before all; what names another person before what says yes or no."""
    if not re.search(r"[a-z0-9\u0370-\uffff]", answer.folded) or not answer.text.strip():
        return Found(Intent.OTHER, "No words.", 0.7)
    for rule in (_opt_out, _short_thanks, _booked, _forwarded, _wrong_person, _referral, _pitch, _later, _yes_or_no):
        found = rule(answer)
        if found is not None:
            return found
    return Found(Intent.OTHER, "", 0.4)


def hit(group: str, folded: str) -> str:
    match = expression(group).search(folded)
    return match.group(0).strip() if match else ""


def _opt_out(answer: Answer) -> Found | None:
    if whole_line("opt_out_alone").match(answer.folded) or (
        len(answer.folded) < 3 and fold(answer.subject).strip() == "unsubscribe"
    ):
        return Found(Intent.UNSUBSCRIBE, answer.text.strip(), 0.99)
    for match in expression("opt_out").finditer(answer.folded):
        if not any(
            other.start() <= match.end() and match.start() <= other.end()
            for other in expression("opt_out_not").finditer(answer.folded)
        ):
            return Found(Intent.UNSUBSCRIBE, answer.text[match.start() : match.end()].strip(), 0.95)
    return None


def _short_thanks(answer: Answer) -> Found | None:
    if len(answer.folded) < 60 and whole_line("thanks_only").match(answer.folded.strip()):
        return Found(Intent.OTHER, answer.text.strip(), 0.8)
    return None


_CLOCK = re.compile(
    r"\b\d{1,2} ?(?:[:.h] ?\d{2}\b|h\b|uhr\b|uur\b|am\b|pm\b|ore\b)|\b(?:a las|alle|as|at|um|om|a) \d{1,2}\b|\bkwart\b|\bhalf \w+\b"
)


def _booked(answer: Answer) -> Found | None:
    timed = bool(_CLOCK.search(answer.folded)) or any(
        m.precision == "day" for m in mentions(text=answer.text, received=answer.received)
    )
    if hit("pitch", answer.folded):
        return None
    booked, accepts = hit("booked", answer.folded), hit("accepts", answer.folded)
    if booked and (timed or accepts):
        return Found(Intent.MEETING_BOOKED, booked, 0.9)
    if accepts and timed and not hit("later", answer.folded) and not _asks(answer.folded):
        return Found(Intent.MEETING_BOOKED, accepts, 0.75)
    return None


def _asks(folded: str) -> bool:
    return "?" in folded or "\u037e" in folded


def _forwarded(answer: Answer) -> Found | None:
    if _FORWARD_PREFIX.match(answer.subject) and not hit("not_interested", answer.folded):
        return Found(Intent.REFERRAL, answer.subject, 0.8)
    return None


def _wrong_person(answer: Answer) -> Found | None:
    wrong = hit("wrong_person", answer.folded)
    if not wrong:
        return None
    if _address_in(answer.text) or _names_someone(answer.text, answer.folded):
        return Found(Intent.REFERRAL, wrong, 0.7)
    return Found(Intent.WRONG_PERSON, wrong, 0.85)


def _referral(answer: Answer) -> Found | None:
    pointer = hit("refers", answer.folded)
    if _address_in(answer.text) and (pointer or len(answer.folded) < 400):
        return Found(Intent.REFERRAL, _address_in(answer.text), 0.9)
    if pointer and not _wants(answer.folded):
        return Found(Intent.REFERRAL, pointer, 0.8)
    if _names_someone(answer.text, answer.folded) and not _asks(answer.folded):
        return Found(Intent.REFERRAL, _name_after_pointer(answer.text, answer.folded), 0.75)
    return None


def _wants(folded: str) -> bool:
    return bool(_yes(folded)) and not hit("not_interested", folded)


def _yes(folded: str) -> str:
    """The first sign of interest that no negation stands before."""
    for match in expression("interested").finditer(folded):
        if not _NEGATED.search(folded[max(0, match.start() - 16) : match.start()]):
            return match.group(0).strip()
    return ""


_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_NAME = re.compile(
    r"\s*(?:(?:Frau|Herrn?|Mr\.?|Mrs\.?|Ms\.?|Mme|M\.|Sra?\.|Dr\.?|Ing\.|a|o|la|el|il|le)\s+)?((?:Frau|Herrn?|Sra?\.)?\s?[A-ZÀ-Þ][\w'’-]+(?:\s+[A-ZÀ-Þ][\w'’-]+){0,2})"
)


def _address_in(text: str) -> str:
    match = _EMAIL.search(text)
    return match.group(0).rstrip(".") if match else ""


def _name_after_pointer(text: str, folded: str) -> str:
    for match in expression("refers_to_name").finditer(folded):
        name = _NAME.match(text, match.end())
        if name:
            return name.group(1).strip()
    return ""


def referred_to(answer: Answer) -> str:
    """An address, a name after a pointing word, or whom a forwarded mail calls by name at its beginning."""
    called = re.match(r"([A-ZÀ-Þ][\w'’-]+),", answer.text) if _FORWARD_PREFIX.match(answer.subject) else None
    pointed = _address_in(answer.text) or _name_after_pointer(answer.text, answer.folded)
    return pointed or (called.group(1) if called else "")


def _names_someone(text: str, folded: str) -> bool:
    return bool(_name_after_pointer(text, folded))


def _pitch(answer: Answer) -> Found | None:
    pitch = hit("pitch", answer.folded)
    return Found(Intent.OTHER, pitch, 0.7) if pitch else None


def _later(answer: Answer) -> Found | None:
    later = hit("later", answer.folded) or season_in(answer.folded)
    named = [m for m in mentions(text=answer.text, received=answer.received) if m.day > answer.received]
    asks_back = hit("contact_me", answer.folded)
    otherwise = hit("not_interested", answer.folded) or _yes(answer.folded) or _asks(answer.folded)
    if later and (asks_back or named or not otherwise) and not _urgent(answer.folded):
        return Found(Intent.NOT_NOW, later, 0.8 if asks_back or named else 0.65)
    far = [m for m in named if m.precision == "month" or m.day > answer.received + FAR]
    wants = _wants(answer.folded) and not far
    if named and asks_back and not _asks(answer.folded) and not wants and not _urgent(answer.folded):
        return Found(Intent.NOT_NOW, answer.text[named[-1].start : named[-1].end], 0.7)
    return None


def _urgent(folded: str) -> bool:
    """Asks for it now in spite of an absence or a date."""
    return bool(
        re.search(
            r"\b(?:call|ring) me\b|\brufen sie mich\b|\bappelez moi\b|\bmi chiami\b|\bllamame\b|\bme liga\b", folded
        )
    ) and bool(
        re.search(
            r"\btomorrow\b|\bhier an\b|\bdemain\b|\bdopo le\b|\bamanha\b|\btoday\b|\bmanana\b|\bheute\b|\bmorgen\b|\bpure qui\b|\bvandaag\b",
            folded,
        )
    )


def _yes_or_no(answer: Answer) -> Found | None:
    yes, no = _yes(answer.folded), hit("not_interested", answer.folded)
    if no and not (yes and _asks(answer.folded)):
        last_no = max(m.start() for m in expression("not_interested").finditer(answer.folded))
        last_yes = max((m.start() for m in expression("interested").finditer(answer.folded)), default=-1)
        if last_no >= last_yes:
            return Found(Intent.NOT_INTERESTED, no, 0.85)
    if yes:
        return Found(Intent.INTERESTED, yes, 0.85)
    if _asks(answer.folded):
        return Found(Intent.QUESTION, answer.text[: answer.text.find("?") + 1][-120:].strip(), 0.75)
    if no:
        return Found(Intent.NOT_INTERESTED, no, 0.8)
    return None
