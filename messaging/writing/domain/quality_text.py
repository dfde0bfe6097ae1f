"""A message as the quality rules look at it. Quotations are the reader's words: blanked out, lengths kept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from messaging.writing.languages.reader import load, resolve

#: How much of one sentence is looked at from its end: requests stand there, and hostile sentences have no end.
SENTENCE_TAIL = 400
#: Places of one finding that are marked.
MOST_SPANS = 8

_QUOTED = re.compile(r"[“„«][^“”„«»]{0,600}[”“»]|\"[^\"\n]{0,600}\"")
_SENTENCE = re.compile(r"[^.!?…\n]+(?:[.!?…](?=\w)[^.!?…\n]*)*[.!?…]*")


@dataclass(frozen=True, slots=True)
class Span:
    """Where a finding is: code points of "subject" or "body"."""

    field_name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """words: without surrounding space; start counts code points of the body."""

    words: str
    start: int

    @property
    def tail(self) -> str:
        return self.words[-SENTENCE_TAIL:]

    @property
    def span(self) -> Span:
        return Span("body", self.start, self.start + len(self.words))


@dataclass(frozen=True, slots=True)
class ReadText:
    """unquoted and sentences are of the body; rules: the language's own, empty where there are none."""

    code: str
    subject: str
    body: str
    unquoted: str
    sentences: tuple[Sentence, ...]
    rules: Mapping[str, Any]

    @property
    def whole(self) -> str:
        """Subject and body in one, as `spans` counts it."""
        return f"{self.subject}\n{self.unquoted}"

    def span(self, start: int, end: int) -> Span:
        """A place of `whole` as one of the subject or the body; what begins in the subject ends there."""
        first = len(self.subject) + 1
        if start < first:
            return Span("subject", start, min(end, len(self.subject)))
        return Span("body", start - first, end - first)

    def spans(self, matches: Iterable[re.Match[str]]) -> tuple[Span, ...]:
        """The first few."""
        return tuple(self.span(*match.span()) for match, _ in zip(matches, range(MOST_SPANS), strict=False))


def _blank(match: re.Match[str]) -> str:
    return " …".ljust(len(match.group()))


def read_text(*, subject: str, body: str, language: str) -> ReadText:
    """Linear in the length of the text."""
    code = resolve(language)
    unquoted = _QUOTED.sub(_blank, body)
    sentences = []
    for match in _SENTENCE.finditer(unquoted):
        words = match.group()
        if words.strip():
            sentences.append(Sentence(words.strip(), match.start() + len(words) - len(words.lstrip())))
    return ReadText(code, subject, body, unquoted, tuple(sentences), load(code).quality if code else {})
