"""How to address one person: language, formality and tone, decided from evidence, with the reasons."""

from __future__ import annotations

import re
from dataclasses import dataclass

from messaging.writing.languages.reader import load, resolve
from prospects.domain.evidence import Dossier, Kind

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
    """

    language: str
    formality: str = INFORMAL
    tone: str = "plain"
    reasons: tuple[str, ...] = ()


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


def decide_style(*, dossier: Dossier, language: str, tone: str = "plain", formality: str = "") -> Style:
    """The style for this person. formality "" lets the evidence decide; raises UnsupportedLanguage."""
    code = resolve(language)
    if not code:
        raise UnsupportedLanguage(f"No language data for {language!r}.")
    texts = _own_texts(dossier)
    address, reason = _formality(texts, code, formality)
    reasons = [reason]
    if tone == "plain" and _brief_writer(texts):
        tone = "crisp"
        reasons.append("They write in short sentences, so the message does too.")
    return Style(language=code, formality=address, tone=tone, reasons=tuple(reasons))
