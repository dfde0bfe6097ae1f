"""What a reply means: kind, intent, sentiment, language, dates. Rules over data; opt-outs are looked for first."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import cache

from messaging.replies.domain.bounces import Bounce, bounce_of, is_complaint
from messaging.replies.domain.calendar import Meeting, meeting_of
from messaging.replies.domain.dates import follow_up_date, return_date
from messaging.replies.domain.folding import fold
from messaging.replies.domain.intents import MAX_READ, Answer, Intent, bounded, hit, intent_of, referred_to
from messaging.replies.domain.mail import Mail
from messaging.replies.domain.own_text import own_text
from messaging.replies.domain.phrases.every import LANGUAGES, expression

CLASSIFIER_VERSION = "rules-1"
#: Below this a person decides.
SURE = 0.6


class Kind(StrEnum):
    HUMAN = "human"
    AUTO_REPLY = "auto_reply"
    BOUNCE = "bounce"
    COMPLAINT = "complaint"
    UNSUBSCRIBE = "unsubscribe"


class Sentiment(StrEnum):
    POSITIVE = "positive"
    NEUTRAL = "neutral"
    NEGATIVE = "negative"


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What was read. `because`: the words that decided. confidence in 0..1; under SURE a person looks."""

    kind: Kind
    intent: Intent = Intent.OTHER
    sentiment: Sentiment = Sentiment.NEUTRAL
    confidence: float = 0.9
    text: str = ""
    language: str = ""
    return_date: date | None = None
    follow_up: date | None = None
    referral_to: str = ""
    because: str = ""
    bounce: Bounce | None = None
    meeting: Meeting | None = None


def read(*, mail: Mail, received: date) -> Reading:
    """The whole reading of one message; every step is a pure rule."""
    bounce = bounce_of(mail=mail)
    if is_complaint(mail=mail):
        return Reading(
            kind=Kind.COMPLAINT,
            intent=Intent.UNSUBSCRIBE,
            sentiment=Sentiment.NEGATIVE,
            confidence=0.99,
            because="A feedback report of the mailbox provider.",
            bounce=bounce,
        )
    if bounce is not None and bounce.failed:
        return Reading(
            kind=Kind.BOUNCE, confidence=0.95, because=bounce.reason, bounce=bounce, text=own_text(mail.text)[:MAX_READ]
        )
    text = own_text(mail.text)
    reading = _read_text(mail=mail, text=text, received=received)
    if bounce is not None:
        return replace(reading, kind=Kind.AUTO_REPLY, intent=Intent.OTHER, bounce=bounce, because=bounce.reason)
    meeting = meeting_of(calendar=mail.calendar)
    if meeting is not None and meeting.accepted and reading.kind is Kind.HUMAN:
        return replace(
            reading, intent=Intent.MEETING_BOOKED, meeting=meeting, confidence=0.97, because="An accepted invitation."
        )
    return reading


def _read_text(*, mail: Mail, text: str, received: date) -> Reading:
    folded = fold(bounded(text))
    back, language = return_date(text=bounded(text), received=received), language_of(text=folded)
    answer = Answer(text=bounded(text), folded=folded, subject=mail.subject, received=received)
    if automatic(mail=mail, folded=folded):
        left = expression("left").search(folded) or expression("left").search(fold(mail.subject))
        return Reading(
            kind=Kind.AUTO_REPLY,
            intent=Intent.WRONG_PERSON if left else Intent.OTHER,
            confidence=0.95,
            because=left.group(0) if left else mail.subject,
            text=text,
            language=language,
            return_date=back,
            referral_to=referred_to(answer),
        )
    found = intent_of(answer)
    sentiment = sentiment_of(text=text, folded=folded, intent=found.intent)
    kind = Kind.UNSUBSCRIBE if found.intent is Intent.UNSUBSCRIBE else Kind.HUMAN
    later = found.intent is Intent.NOT_NOW
    referred = found.intent in (Intent.REFERRAL, Intent.WRONG_PERSON)
    return Reading(
        kind=kind,
        intent=found.intent,
        sentiment=sentiment,
        confidence=found.confidence,
        because=found.because,
        follow_up=follow_up_date(text=bounded(text), received=received) if later else None,
        referral_to=referred_to(answer) if referred else "",
        text=text,
        language=language,
        return_date=back,
    )


_REPLY_PREFIX = re.compile(r"^\s*(?:re|aw|sv|antw|r|res|odp|rif)(?:\[\d+\])?\s*:", re.IGNORECASE)


def automatic(*, mail: Mail, folded: str) -> bool:
    """RFC 3834 and what vendors do instead. X-Auto-Response-Suppress and Precedence: bulk alone prove nothing."""
    submitted = mail.header("auto-submitted").lower().strip()
    if submitted and not submitted.startswith("no"):
        return True
    if any(
        mail.header(name) for name in ("x-autoreply", "x-autorespond", "x-autoresponder", "x-auto-reply", "x-vacation")
    ):
        return True
    if mail.header("precedence").lower().strip() in ("auto_reply", "auto-reply"):
        return True
    subject = fold(mail.subject).strip()
    if not _REPLY_PREFIX.match(subject) and _starts_automatic(subject):
        return True
    return bool(expression("auto_body").search(folded)) and len(folded) < 1_500


def _starts_automatic(subject: str) -> bool:
    start = re.match(r"[\W_]*", subject)
    return bool(expression("auto_subject").match(subject, start.end() if start else 0))


_SMILES = re.compile(
    "[\U0001f600-\U0001f60f\U0001f642\U0001f60d\U0001f44d\U0001f44f\U0001f389\U0001f64c\U0001f929\u2764]|[:;]-?\\)|\\^\\^"
)


def sentiment_of(*, text: str, folded: str, intent: Intent) -> Sentiment:
    """Anger and legal threats first; a polite no stays neutral."""
    letters = [character for character in text if character.isalpha()]
    shouting = len(letters) > 12 and sum(1 for letter in letters if letter.isupper()) > 0.7 * len(letters)
    if shouting or hit("annoyed", folded) or (intent is Intent.UNSUBSCRIBE and hit("legal", folded)):
        return Sentiment.NEGATIVE
    praises = bool(hit("praise", folded)) or bool(_SMILES.search(text))
    if praises and intent not in (Intent.QUESTION, Intent.UNSUBSCRIBE, Intent.WRONG_PERSON):
        return Sentiment.POSITIVE
    return Sentiment.POSITIVE if intent in (Intent.INTERESTED, Intent.MEETING_BOOKED) else Sentiment.NEUTRAL


_TELLING = ("opt_out_alone", "thanks_only", "interested", "not_interested", "booked", "opt_out", "mobile")


def language_of(*, text: str) -> str:
    """By the little words, then by phrases only one language has; empty when the text is too short to say."""
    words = re.findall(r"[a-z']+", text[:2_000])
    scores = {code: sum(1 for word in words if word in known) for code, known in _stopwords().items()}
    ranked = sorted(scores, key=lambda code: scores[code], reverse=True)
    if scores[ranked[0]] - scores[ranked[1]] >= 2:
        return ranked[0]
    for code, telling in _telling_phrases().items():
        scores[code] += len(telling.findall(text[:2_000]))
    best = max(scores, key=lambda code: scores[code])
    return best if scores[best] >= 1 else ""


@cache
def _stopwords() -> dict[str, frozenset[str]]:
    return {language.code: frozenset(language.stopwords.split()) for language in LANGUAGES}


@cache
def _telling_phrases() -> dict[str, re.Pattern[str]]:
    return {
        language.code: re.compile(
            "|".join(rf"\b(?:{part})\b" for group in _TELLING for part in getattr(language, group))
        )
        for language in LANGUAGES
    }
