"""What the person wrote: quotes, headers of older mails, signatures and disclaimers taken off. Linear in the text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from messaging.replies.domain.folding import fold
from messaging.replies.domain.phrases.every import line_start, whole_line

#: Longer texts are read to here; nobody answers in so many words.
MAX_CHARACTERS = 60_000
MAX_LINES = 3_000
_LONG_LINE = 300
_DASHED = re.compile(r"\s*[-_]{3,}\s*\S.{0,60}?\S?\s*[-_]{3,}\s*$")
_RULE = re.compile(r"\s*_{10,}\s*$")
_CONTACT = re.compile(r"https?://|www\.|\S+@\S+\.\w+|\+?\d[\d ()/.-]{7,}|\||\btel\b|\bmobile?\b", re.IGNORECASE)
_TITLE = re.compile(r"(?:mr|dr|prof|ing|sr|sra|i\.A|i\.V)\.? [A-ZÀ-Þ]")
_SENTENCE_END = re.compile(r"[.!?…:;)\"”]\s*$")
_INITIAL_OR_SHORT = re.compile(r"\b(?:[A-Z]|[A-Z]\.[A-Z]|[A-Z][a-z]{1,3}|[a-z]\.[a-z]|[A-Z]{2,4})\.\s*$")


@dataclass(frozen=True)
class Line:
    """One line with its folded form, which rules read."""

    raw: str
    folded: str

    @property
    def blank(self) -> bool:
        return not self.raw.strip()

    @property
    def quoted(self) -> bool:
        return self.raw.lstrip().startswith((">", "|>"))


def own_text(text: str) -> str:
    """The answer itself. Inline answers are joined by line breaks. Falls back to the text when nothing is left."""
    lines = _lines(text)
    segments = _segments(lines)
    cleaned = [cleaned for segment in segments if (cleaned := _without_signature(segment))]
    if not cleaned:
        cleaned = [_joined(segment) for segment in segments if _joined(segment)]
    return "\n".join(cleaned) or _unquoted(lines)


def _lines(text: str) -> list[Line]:
    plain = text[:MAX_CHARACTERS].replace("\r\n", "\n").replace("\r", "\n").replace("\u200b", "").replace("\ufeff", "")
    return [Line(raw.rstrip(), fold(raw.rstrip())) for raw in plain.split("\n")[:MAX_LINES]]


def _segments(lines: list[Line]) -> list[list[Line]]:
    """Runs of lines between quotes, up to the header of an older mail that hides everything below it."""
    segments: list[list[Line]] = [[]]
    number = 0
    while number < len(lines):
        line = lines[number]
        width = _attribution(lines, number)
        if width:
            number += width
            if not _quote_follows(lines, number):
                break
            segments.append([])
            continue
        if _starts_history(lines, number):
            break
        if line.quoted:
            segments.append([])
        else:
            segments[-1].append(line)
        number += 1
    return [segment for segment in segments if any(not line.blank for line in segment)]


def _attribution(lines: list[Line], number: int) -> int:
    """How many lines a "… wrote:" line takes at this place; 0 when there is none. Clients wrap it over up to three."""
    first = lines[number].folded.strip().lstrip("> ")
    if not first or len(first) > _LONG_LINE:
        return 0
    joined = first
    for width in range(1, 4):
        if joined.endswith(":") and len(joined) < _LONG_LINE and _looks_attributed(joined):
            return width
        following = number + width
        if following >= len(lines) or lines[following].blank or not line_start("attribution_start").match(first):
            return 0
        joined = f"{joined} {lines[following].folded.strip().lstrip('> ')}"
    return 0


def _looks_attributed(joined: str) -> bool:
    return bool(re.search(r"\d|@", joined)) and bool(whole_line("attribution").match(joined))


def _quote_follows(lines: list[Line], number: int) -> bool:
    for line in lines[number : number + 4]:
        if not line.blank:
            return line.quoted
    return False


def _starts_history(lines: list[Line], number: int) -> bool:
    """An Outlook header block, a "forwarded message" line, or a long rule above a header block."""
    line = lines[number]
    if len(line.raw) > _LONG_LINE:
        return False
    if _DASHED.match(line.raw) and re.search(r"[a-z]{5}", line.folded):
        return True
    if _RULE.match(line.raw):
        return any(
            line_start("header_from").match(below.folded.replace("*", "")) for below in lines[number + 1 : number + 4]
        )
    if not line_start("header_from").match(line.folded.replace("*", "")):
        return False
    below = lines[number + 1 : number + 7]
    return sum(1 for other in below if line_start("header_other").match(other.folded.replace("*", ""))) >= 2


def _without_signature(segment: list[Line]) -> str:
    lines = _cut_at_delimiter(segment)
    lines = _cut_at_closing(lines)
    paragraphs = _paragraphs(lines)
    while len(paragraphs) > 1 and _is_disclaimer(paragraphs[-1]):
        paragraphs.pop()
    if len(paragraphs) > 1 and _is_name_block(paragraphs[-1]):
        paragraphs.pop()
    return "\n\n".join("\n".join(line.raw for line in paragraph) for paragraph in paragraphs).strip()


def _cut_at_delimiter(segment: list[Line]) -> list[Line]:
    for number, line in enumerate(segment):
        if line.raw.strip() in ("--", "---", "—", "__") or line_start("mobile").match(line.folded):
            is_mobile = line.raw.strip() not in ("--", "---", "—", "__")
            if is_mobile and len(line.raw) > 60:
                continue
            return segment[:number]
    return segment


def _cut_at_closing(lines: list[Line]) -> list[Line]:
    """From a closing formula on, when only a signature follows it."""
    for number, line in enumerate(lines):
        if number == 0 or line.blank or len(line.raw) > 90:
            continue
        if whole_line("closings").match(line.folded) and _only_signature(lines[number + 1 :]):
            return lines[:number]
    return lines


def _only_signature(rest: list[Line]) -> bool:
    paragraphs = [paragraph for paragraph in _paragraphs(rest) if not _is_disclaimer(paragraph)]
    remaining = [line for paragraph in paragraphs for line in paragraph]
    return len(remaining) <= 12 and all(len(line.raw) <= 100 for line in remaining)


def _paragraphs(lines: list[Line]) -> list[list[Line]]:
    paragraphs: list[list[Line]] = [[]]
    for line in lines:
        if line.blank:
            paragraphs.append([])
        else:
            paragraphs[-1].append(line)
    return [paragraph for paragraph in paragraphs if paragraph]


def _is_disclaimer(paragraph: list[Line]) -> bool:
    return bool(line_start("disclaimers").match(paragraph[0].folded))


def _is_name_block(paragraph: list[Line]) -> bool:
    """Names, titles, firms, addresses: short lines without a sentence, the first of them a name."""
    first = paragraph[0].raw.strip()
    if len(paragraph) > 8 or not (first[:1].isupper() or _TITLE.match(first)):
        return False
    return all(_is_name_line(line) for line in paragraph)


def _is_name_line(line: Line) -> bool:
    raw = line.raw.strip()
    if (_CONTACT.search(raw) and len(raw.split()) <= 10) or line_start("disclaimers").match(line.folded):
        return True
    if len(raw) > 60 or len(raw.split()) > 8:
        return False
    return not _SENTENCE_END.search(raw) or bool(_INITIAL_OR_SHORT.search(raw))


def _joined(segment: list[Line]) -> str:
    return "\n".join(line.raw for line in segment).strip()


def _unquoted(lines: list[Line]) -> str:
    return "\n".join(line.raw for line in lines if not line.quoted).strip()
