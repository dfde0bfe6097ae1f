"""Sentences from phrases and facts, and the message from sentences, with exact spans."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from messaging.hooks.domain.kinds import Layer
from messaging.verification.contract import ClaimType, DeclaredClaim

_SLOT = re.compile(r"\{(\w+)\}")
_CLOSERS = "”“’»\"')\u00a0\u202f"
_ENDS = ".!?…"
_SPACE = re.compile(r"\s+")
PARAGRAPH, SPACE = "\n\n", " "


def one_line(text: str) -> str:
    """The text with every run of white space as one blank."""
    return _SPACE.sub(" ", text).strip()


def _ends_sentence(text: str) -> bool:
    return text.rstrip(_CLOSERS).endswith(tuple(_ENDS))


def slots_in(template: str) -> frozenset[str]:
    """Names of the slots that a template uses."""
    return frozenset(_SLOT.findall(template))


def filled(template: str, slots: Mapping[str, str]) -> str | None:
    """The template with its slots; None when one is missing. A full stop is not doubled after a slot's own."""
    out, at = "", 0
    for match in _SLOT.finditer(template):
        out = _joined(out, template[at : match.start()])
        value = slots.get(match.group(1), "")
        if not value:
            return None
        out, at = out + value, match.end()
    return _joined(out, template[at:])


def _joined(out: str, literal: str) -> str:
    """The literal after what stands already; its full stop, or one behind its quotation mark, may be there already."""
    if out.endswith(",") and literal.startswith((".", ",", ":", ";", ")")):
        out = out[:-1]
    bare = literal.lstrip(_CLOSERS)
    if bare.startswith(".") and _ends_sentence(out):
        return out + literal[: len(literal) - len(bare)] + bare[1:]
    return out + literal


def at_company(company: str, style: Mapping[str, Any]) -> str:
    """ "at Claywork" in the language; some take the gender of the company's first word ("no Grupo", "na Loja")."""
    first = company.split(" ", 1)[0].casefold()
    form = style.get("at_company_by_first_word", {}).get(first, style["at_company"])
    return str(form).format(company=company) if company else ""


def in_running_text(title: str, style: Mapping[str, Any]) -> str:
    """A title as it stands inside a sentence: "Directrice industrielle adjointe" begins small in French.

    Only one of this language whose other words are small already: what somebody capitalises on purpose stays.
    """
    first, _, rest = title.partition(" ")
    small = first.casefold() in style.get("title_heads", ()) and rest == rest.lower()
    return title[:1].lower() + title[1:] if small else title


@dataclass(frozen=True, slots=True)
class Segment:
    """One piece of the message. kind: claim, question, offer or glue; a claim names its type and evidence."""

    kind: str
    text: str
    type: ClaimType | None = None
    arguments: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    evidence: tuple[str, ...] = ()
    layer: Layer | None = None

    def lowered(self, keep: Iterable[str]) -> Segment:
        """The segment with a small first letter, unless its first word keeps its capital or is a name it tells."""
        word = self.text.split(" ", 1)[0].rstrip(".,;:!?")
        if not word or word in keep or not word[0].isalpha() or word[1:] != word[1:].lower():
            return self
        if any(value and self.text.startswith(value) for value in self.arguments.values()):
            return self
        return replace(self, text=self.text[0].lower() + self.text[1:])


@dataclass(frozen=True, slots=True)
class Laid:
    """A text and the claims in it, spans counted in code points of that text."""

    text: str
    declared: tuple[DeclaredClaim, ...]
    layers: tuple[Layer, ...]


def lay_out(*, field_name: str, paragraphs: Sequence[Sequence[tuple[str, Segment]]]) -> Laid:
    """Join paragraphs of (separator, segment): the separator stands before its segment within a paragraph."""
    text, declared, layers = "", [], []
    for paragraph in paragraphs:
        for place, (separator, segment) in enumerate(paragraph):
            if text:
                text += separator if place else PARAGRAPH
            start = len(text)
            text += segment.text
            if segment.type is not None:
                declared.append(
                    DeclaredClaim(
                        field_name=field_name,
                        start=start,
                        end=len(text),
                        type=segment.type,
                        arguments=segment.arguments,
                        evidence=segment.evidence,
                    )
                )
            if segment.layer is not None and segment.layer not in layers:
                layers.append(segment.layer)
    ordered = tuple(layer for layer in Layer if layer in layers)
    return Laid(text=text, declared=tuple(declared), layers=ordered)
