"""What the model must answer, as a JSON schema, and the careful reading of what it did answer.

Reading judges form only. A claim without citations or with a false one is still read: the verifier refuses it
with a reason the model can use.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from messaging.hooks.domain.kinds import Layer
from messaging.verification.contract import ClaimType, DeclaredClaim
from messaging.writing.domain.json_answer import NotFound, find_object

KINDS = ("claim", "question", "offer", "glue")
CLAIM_TYPES = tuple(str(one) for one in ClaimType if one is not ClaimType.UNDECLARED)
MOST_SEGMENTS = 60
MOST_CHARACTERS = 12_000
#: Characters of one reading, and readings of one kind, that are passed on.
MOST_WORDS, MOST_PAIN_POINTS = 400, 5

_REF = re.compile(r"[\w.\[\]:-]+")


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    """A closed object with every key required: what strict modes ask for."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(of: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": dict(of)}


_TEXT: Mapping[str, Any] = MappingProxyType({"type": "string"})
_REFS = _list(_TEXT)
_SEGMENT = _object(
    {
        "kind": {"type": "string", "enum": list(KINDS)},
        "text": {**_TEXT, "description": "exactly as it stands in the message, blanks and line breaks included"},
        "claim_type": {"type": ["string", "null"], "enum": [*CLAIM_TYPES, None]},
        "arguments": _list(_object({"name": dict(_TEXT), "value": dict(_TEXT)})),
        "evidence": _REFS,
    }
)
_MOTIVATION: Mapping[str, Any] = MappingProxyType(
    {
        "anyOf": [
            _object({"reading": dict(_TEXT), "evidence": _REFS, "confidence": {"type": "number"}}),
            {"type": "null"},
        ]
    }
)
_LAYERS = _list({"type": "string", "enum": [str(layer) for layer in Layer]})

#: The message: the texts of `subject` and of `body`, each joined, are the message exactly.
GENERATION_SCHEMA: Mapping[str, Any] = MappingProxyType(
    _object({"subject": _list(_SEGMENT), "body": _list(_SEGMENT), "layers": _LAYERS, "motivation": dict(_MOTIVATION)})
)
#: Stage 2: the candidates weighed one by one, then the choice, then what may move the person and what weighs on them.
ANALYSIS_SCHEMA: Mapping[str, Any] = MappingProxyType(
    _object(
        {
            "considered": _list(
                _object(
                    {
                        "evidence": dict(_TEXT),
                        "recency": {
                            **_TEXT,
                            "description": "how old on the send-by day, and whether that still counts",
                        },
                        "relevance": {**_TEXT, "description": "what of the offer it bears on, or that it does not"},
                        "uniqueness": {
                            **_TEXT,
                            "description": "whose doing or words, and who else could be told the same",
                        },
                    }
                )
            ),
            "hooks": _list(_object({"evidence": dict(_TEXT), "why": dict(_TEXT)})),
            "pain_points": _list(_object({"text": dict(_TEXT), "evidence": _REFS})),
            "motivation": {
                "anyOf": [
                    _object(
                        {
                            "their_content": {**_TEXT, "description": "what they say themselves that bears on it"},
                            "career_stage": {**_TEXT, "description": "where they stand, from their positions"},
                            "reading": {**_TEXT, "description": "what they may therefore want to reach or to stop"},
                            "outcome": {**_TEXT, "description": "the one outcome of the offer that serves it"},
                            "evidence": _REFS,
                            "proof_point": dict(_TEXT),
                            "confidence": {"type": "number"},
                        }
                    ),
                    {"type": "null"},
                ]
            },
        }
    )
)


@dataclass(frozen=True, slots=True)
class ReadSegment:
    """One segment as answered; start and end count code points of its field."""

    field_name: str
    kind: str
    text: str
    start: int
    end: int
    claim_type: ClaimType | None
    arguments: Mapping[str, str]
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Motivation:
    """What may move the person, the evidence that suggests it, and how sure the model is (0 to 1).

    outcome: the one outcome of the offer that serves it; proof_point: what the sender cites for that, or "".
    """

    reading: str
    evidence: tuple[str, ...]
    confidence: float
    proof_point: str = ""
    outcome: str = ""
    career_stage: str = ""


@dataclass(frozen=True, slots=True)
class Generation:
    """A message as a model wrote it. Nothing in it is known to be true."""

    subject: str
    body: str
    segments: tuple[ReadSegment, ...]
    declared: tuple[DeclaredClaim, ...]
    layers: tuple[Layer, ...]
    motivation: Motivation | None
    repaired: str = ""


@dataclass(frozen=True, slots=True)
class ChosenHook:
    evidence: str
    why: str


@dataclass(frozen=True, slots=True)
class PainPoint:
    """A problem that the model reads in the cited evidence; never a fact about the person."""

    text: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Analysis:
    """Stage 2 as a model answered it."""

    hooks: tuple[ChosenHook, ...]
    motivation: Motivation | None
    pain_points: tuple[PainPoint, ...] = ()


@dataclass(frozen=True, slots=True)
class Malformed:
    """Why an answer is no message, in words that the model can act on."""

    reason: str


class _Wrong(ValueError):
    """Where the answer leaves the schema."""


def _found(answer: str | Mapping[str, Any]) -> tuple[Mapping[str, Any], str] | Malformed:
    if isinstance(answer, Mapping):
        return answer, ""
    found = find_object(answer)
    return Malformed(f"No JSON object: {found.reason}.") if isinstance(found, NotFound) else (found.data, found.how)


def _text(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise _Wrong(f"{place} must be text")
    return value


def _refs(value: object) -> tuple[str, ...]:
    """Citations, however they are written: "7", 7, "[7]", "#7", "n: 7" inside a list or alone."""
    values = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    refs = []
    for one in values:
        if isinstance(one, bool) or not isinstance(one, str | int):
            continue
        text = str(one).strip().strip("#").removeprefix("n:").strip()
        bare = text[1:-1] if text.startswith("[") and text.endswith("]") else text
        if bare and _REF.fullmatch(bare):
            refs.append(bare)
    return tuple(dict.fromkeys(refs))


def _arguments(value: object) -> Mapping[str, str]:
    """Arguments as a list of name and value, or as one object."""
    pairs: Iterable[tuple[object, object]] = ()
    if isinstance(value, Mapping):
        pairs = value.items()
    elif isinstance(value, Sequence) and not isinstance(value, str):
        pairs = [(one.get("name"), one.get("value")) for one in value if isinstance(one, Mapping)]
    kept = {str(name): str(held).strip() for name, held in pairs if name and held is not None and str(held).strip()}
    return MappingProxyType(kept)


def _claim_type(value: object) -> ClaimType:
    known = {str(one): one for one in ClaimType}
    return known.get(str(value).strip().casefold(), ClaimType.OTHER)


def _needs_blank(before: str, after: str) -> bool:
    """Two sentences that the model joined without a blank between them."""
    return bool(before and after) and before[-1] in '.!?…”"' and (after[0].isalnum() or after[0] in "“„«")


def _pieces(value: object, field_name: str) -> list[tuple[Mapping[str, Any], str]]:
    if isinstance(value, str):
        raise _Wrong(f"{field_name} must be a list of segments, not one text")
    if value is None:
        return []
    if not isinstance(value, Sequence):
        raise _Wrong(f"{field_name} must be a list of segments")
    if len(value) > MOST_SEGMENTS:
        raise _Wrong(f"{field_name} has more than {MOST_SEGMENTS} segments")
    pieces, before = [], ""
    for number, one in enumerate(value, 1):
        if not isinstance(one, Mapping):
            raise _Wrong(f"segment {number} of {field_name} must be an object")
        text = _text(one.get("text"), f"the text of segment {number} of {field_name}")
        text = f" {text}" if _needs_blank(before, text) else text
        before = text or before
        pieces.append((one, text))
    return pieces


def _kind(value: object, place: str) -> str:
    kind = str(value).strip().casefold()
    if kind not in KINDS:
        raise _Wrong(f"the kind of {place} must be one of {', '.join(KINDS)}, not {kind or 'nothing'}")
    return kind


def _field(value: object, field_name: str) -> tuple[str, tuple[ReadSegment, ...]]:
    """The text of one field, trimmed, and its segments with spans in it."""
    pieces = _pieces(value, field_name)
    joined = "".join(text for _, text in pieces)
    if len(joined) > MOST_CHARACTERS:
        raise _Wrong(f"{field_name} is longer than {MOST_CHARACTERS:,} characters")
    offset = len(joined) - len(joined.lstrip())
    whole = joined.strip()
    segments, at = [], -offset
    for number, (one, text) in enumerate(pieces, 1):
        begin = at + len(text) - len(text.lstrip())
        end = min(at + len(text.rstrip()), len(whole))
        at += len(text)
        if not text.strip():
            continue
        kind = _kind(one.get("kind"), f"segment {number} of {field_name}")
        segments.append(
            ReadSegment(
                field_name=field_name,
                kind=kind,
                text=whole[begin:end],
                start=begin,
                end=end,
                claim_type=_claim_type(one.get("claim_type")) if kind == "claim" else None,
                arguments=_arguments(one.get("arguments")),
                evidence=_refs(one.get("evidence")),
            )
        )
    return whole, tuple(segments)


def _layers(value: object) -> tuple[Layer, ...]:
    named = (
        {str(one).casefold() for one in value} if isinstance(value, Sequence) and not isinstance(value, str) else set()
    )
    return tuple(layer for layer in Layer if layer in named)


def _motivation(value: object) -> Motivation | None:
    if not isinstance(value, Mapping) or not str(value.get("reading") or "").strip():
        return None
    confidence = value.get("confidence")
    sure = float(confidence) if isinstance(confidence, int | float) and not isinstance(confidence, bool) else 0.0
    proof = _refs(value.get("proof_point"))
    return Motivation(
        reading=str(value["reading"]).strip()[:MOST_WORDS],
        evidence=_refs(value.get("evidence")),
        confidence=min(max(sure, 0.0), 1.0) if sure == sure else 0.0,  # noqa: PLR0124 - a NaN is no confidence
        proof_point=proof[0] if proof else "",
        outcome=str(value.get("outcome") or "").strip()[:MOST_WORDS],
        career_stage=str(value.get("career_stage") or "").strip()[:MOST_WORDS],
    )


def _pain_points(value: object) -> tuple[PainPoint, ...]:
    listed = value if isinstance(value, Sequence) and not isinstance(value, str) else ()
    found = (
        PainPoint(str(one.get("text") or "").strip()[:MOST_WORDS], _refs(one.get("evidence")))
        for one in listed
        if isinstance(one, Mapping)
    )
    return tuple(one for one in found if one.text)[:MOST_PAIN_POINTS]


def read_generation(*, answer: str | Mapping[str, Any]) -> Generation | Malformed:
    """The message an answer holds, with exact spans, or why it holds none."""
    found = _found(answer)
    if isinstance(found, Malformed):
        return found
    data, repaired = found
    try:
        subject, in_subject = _field(data.get("subject"), "subject")
        body, in_body = _field(data.get("body"), "body")
    except _Wrong as error:
        return Malformed(f"{str(error)[:1].upper()}{str(error)[1:]}.")
    if not body:
        return Malformed("The body is empty.")
    segments = in_subject + in_body
    declared = tuple(
        DeclaredClaim(
            field_name=one.field_name,
            start=one.start,
            end=one.end,
            type=one.claim_type,
            arguments=one.arguments,
            evidence=one.evidence,
        )
        for one in segments
        if one.claim_type is not None
    )
    return Generation(
        subject=subject,
        body=body,
        segments=segments,
        declared=declared,
        layers=_layers(data.get("layers")),
        motivation=_motivation(data.get("motivation")),
        repaired=repaired,
    )


def read_analysis(*, answer: str | Mapping[str, Any]) -> Analysis | Malformed:
    """The hooks and the motivation an answer names, or why it names none."""
    found = _found(answer)
    if isinstance(found, Malformed):
        return found
    listed = found[0].get("hooks")
    if not isinstance(listed, Sequence) or isinstance(listed, str):
        return Malformed("Hooks must be a list of objects with evidence and why.")
    hooks = []
    for one in listed:
        refs = _refs(one.get("evidence")) if isinstance(one, Mapping) else ()
        if refs:
            hooks.append(ChosenHook(refs[0], str(one.get("why") or "").strip()))
    return Analysis(
        hooks=tuple(hooks),
        motivation=_motivation(found[0].get("motivation")),
        pain_points=_pain_points(found[0].get("pain_points")),
    )
