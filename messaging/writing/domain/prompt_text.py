"""Prompt texts and their variables: a text with an unknown or a missing variable is refused before it is published."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

_VARIABLE = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")
_STRAY = re.compile(r"\{\{|\}\}")
LONGEST_PROMPT = 20_000

#: What a prompt may name, by stage. None is required: the task itself follows the prompt.
VARIABLES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "writing": frozenset({"sender_name", "sender_company", "channel", "language"}),
        "analysis": frozenset({"sender_company"}),
    }
)
#: What each stage's prompt must say for the machinery behind it to work, and why.
_NEEDED: Mapping[str, tuple[tuple[str, str], ...]] = MappingProxyType(
    {
        "writing": (("segment", "it must ask for segments"), ("cite", "it must ask for citations")),
        "analysis": (("hook", "it must ask for hooks"), ("confidence", "it must ask for a confidence")),
    }
)


@dataclass(frozen=True, slots=True)
class PromptProblem:
    """Why a text cannot be published, and what to do."""

    message: str


def problems_of(*, text: str, stage: str) -> tuple[PromptProblem, ...]:
    """Everything that is wrong with the text; empty when it may be published."""
    allowed = VARIABLES.get(stage)
    if allowed is None:
        return (PromptProblem(f"There is no stage “{stage}”; use {', '.join(VARIABLES)}."),)
    found = []
    if not text.strip():
        found.append(PromptProblem("The prompt is empty."))
    if len(text) > LONGEST_PROMPT:
        found.append(PromptProblem(f"The prompt has {len(text):,} characters; at most {LONGEST_PROMPT:,}."))
    for name in dict.fromkeys(_VARIABLE.findall(text)):
        if name not in allowed:
            known = ", ".join(sorted(allowed))
            found.append(PromptProblem(f"Unknown variable “{name}”; known: {known}."))
    if _STRAY.search(_VARIABLE.sub("", text)):
        found.append(PromptProblem("Double braces without a variable; write {{name}} or leave them out."))
    lower = text.casefold()
    found += [PromptProblem(f"Missing: {why}.") for word, why in _NEEDED[stage] if text.strip() and word not in lower]
    return tuple(found)


def rendered(*, text: str, values: Mapping[str, str]) -> str:
    """The text with its variables; raises KeyError for one without a value (problems_of finds those before)."""
    return _VARIABLE.sub(lambda match: values[match.group(1)], text)
