"""How to address one person: language, formality and tone, decided from evidence, with the reasons."""

from __future__ import annotations

import re
from dataclasses import dataclass

from messaging.writing.languages.reader import load, resolve
from prospects.domain.derived import Derived
from prospects.domain.evidence import Dossier, Kind
from prospects.domain.style import style_of

INFORMAL, FORMAL = "informal", "formal"
SHORT_SENTENCE_WORDS = 9
LEAST_MARKED_TEXTS = 2
_SENTENCE_END = re.compile(r"[.!?…]+")


class UnsupportedLanguage(ValueError):
    """No folder holds this language; the message names those there are."""


@dataclass(frozen=True, slots=True)
class Style:
    """formality  informal or formal (Sie, vous, usted, Lei, u)
    tone       plain, warm or crisp
    reasons    one sentence each, for people
    length     short or long: which half of the length band fits how they write themselves; "" for either
    """

    language: str
    formality: str = INFORMAL
    tone: str = "plain"
    reasons: tuple[str, ...] = ()
    length: str = ""


@dataclass(frozen=True, slots=True)
class Culture:
    """What is usual in a language, beyond words.

    directness  high, medium or low
    order       the moves of a first message, in their order, for people and for a language model
    not_said    turns of phrase that nobody there takes well; no phrase of the composer holds one
    """

    directness: str
    order: str
    not_said: tuple[str, ...]

    @property
    def told(self) -> str:
        """The same in one line, for a language model."""
        never = ", ".join(self.not_said)
        return f"Usual there: directness {self.directness}; in this order: {self.order}. Never: {never}."


def culture_of(language: str) -> Culture:
    """The style sheet of a shipped language."""
    listed = load(language).style["culture"]
    return Culture(listed["directness"], listed["order"], tuple(listed["not_said"]))


def _own_texts(dossier: Dossier) -> tuple[str, ...]:
    return tuple(item.text for item in dossier.of(Kind.POST, Kind.COMMENT, Kind.ABOUT) if item.text)


def _marked(texts: tuple[str, ...], markers: list[str]) -> str:
    """The first marker found, when at least two texts use one: a single one may be somebody's reported question."""
    found = []
    for text in texts:
        used = (marker for marker in markers if re.search(rf"\b{re.escape(marker)}\b", text, re.IGNORECASE))
        found += [marker for marker in [next(used, "")] if marker]
    return found[0] if len(found) >= LEAST_MARKED_TEXTS else ""


def _formality(texts: tuple[str, ...], code: str, wanted: str) -> tuple[str, str]:
    style = load(code).style
    if wanted in (INFORMAL, FORMAL):
        return wanted, f"The campaign asks for {wanted} address."
    informal = _marked(texts, style.get("informal_markers", []))
    formal = _marked(texts, style.get("formal_markers", []))
    if informal and not formal:
        return INFORMAL, f"They address their readers informally themselves (“{informal}”)."
    if formal and not informal:
        return FORMAL, f"They address their readers formally themselves (“{formal}”)."
    usual = str(style["formality"])
    return usual, f"{usual.capitalize()} address is usual in this language between people who have not met."


def _brief_writer(texts: tuple[str, ...]) -> bool:
    sentences = [part.split() for text in texts for part in _SENTENCE_END.split(text) if part.strip()]
    return len(sentences) >= 5 and sum(map(len, sentences)) / len(sentences) < SHORT_SENTENCE_WORDS


def _register(shown: dict[str, Derived], tone: str) -> tuple[str, str]:
    """Warmer where somebody writes casually or with emoji themselves; a strategy's own tone stands."""
    if tone != "plain":
        return tone, ""
    if shown["register"].value == "casual":
        return "warm", "They write casually themselves, so the message is a little warmer."
    if shown["emoji"].value == "many" and shown["register"].value != "formal":
        return "warm", "They use emoji; the message uses none, and is a little warmer."
    return tone, ""


def _length(shown: dict[str, Derived]) -> tuple[str, str]:
    """Which half of the length band fits the length of their own posts."""
    value = shown["length"].value if "length" in shown else ""
    if value in ("short", "long"):
        return value, f"Their posts are {value}: the message takes the {'lower' if value == 'short' else 'upper'} half."
    return "", ""


def decide_style(*, dossier: Dossier, language: str, tone: str = "plain", formality: str = "") -> Style:
    """The style for this person. formality "" lets the evidence decide; raises UnsupportedLanguage."""
    code = resolve(language)
    if not code:
        raise UnsupportedLanguage(f"No language data for {language!r}.")
    texts = _own_texts(dossier)
    address, reason = _formality(texts, code, formality)
    reasons = [reason]
    shown = {one.name: one for one in style_of(dossier.of(Kind.POST, Kind.COMMENT), language=code)}
    if tone == "plain" and _brief_writer(texts):
        tone = "crisp"
        reasons.append("They write in short sentences, so the message does too.")
    elif shown:
        tone, why = _register(shown, tone)
        reasons += [why] * bool(why)
    length, why = _length(shown)
    reasons += [why] * bool(why)
    return Style(language=code, formality=address, tone=tone, reasons=tuple(reasons), length=length)
