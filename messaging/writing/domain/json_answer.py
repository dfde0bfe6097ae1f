"""Finding the JSON object in what a model said, and mending what models get wrong about JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

#: Longer answers are not searched: a message is two thousand characters at most.
MOST_CHARACTERS = 200_000
#: Nothing optional stands before the lazy part: an answer of blanks would be gone through once for each of them.
_FENCE = re.compile(r"```(?:json)?(.*?)```", re.DOTALL | re.IGNORECASE)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
#: What no database and no letter holds: a zero byte, half of a pair.
_UNHEARD = re.compile(r"[\x00\ud800-\udfff]")
_CONTROL = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


@dataclass(frozen=True, slots=True)
class Found:
    """The object; how says what had to be done to read it, "" when nothing."""

    data: dict[str, Any]
    how: str = ""


@dataclass(frozen=True, slots=True)
class NotFound:
    """Why there is no object in the answer."""

    reason: str


def _candidates(text: str) -> Iterator[tuple[str, str]]:
    yield text, ""
    for match in _FENCE.finditer(text):
        yield match.group(1).strip(), "taken from a code fence"
    first, last = text.find("{"), text.rfind("}")
    if first != -1 and last > first:
        inner = text[first : last + 1]
        yield inner, "taken from between other words"
        yield _TRAILING_COMMA.sub(r"\1", inner), "without trailing commas"
        yield _TRAILING_COMMA.sub(r"\1", _escaped(inner)), "with line breaks escaped"


def _escaped(text: str) -> str:
    """Raw line breaks and tabs inside strings become escapes."""
    out, inside, skip = [], False, False
    for character in text:
        if inside and not skip and character in _CONTROL:
            out.append(_CONTROL[character])
            continue
        if character == '"' and not skip:
            inside = not inside
        skip = inside and character == "\\" and not skip
        out.append(character)
    return "".join(out)


def storable(text: str) -> str:
    """The text without zero bytes and without halves of a pair, which no database takes."""
    return _UNHEARD.sub("", text)


def _only_storable(data: dict[str, Any]) -> bool:
    """Whether each name and text in the data can be stored."""
    left: list[Any] = [data]
    while left:
        one = left.pop()
        if isinstance(one, str) and _UNHEARD.search(one):
            return False
        if isinstance(one, dict):
            left += [*one, *one.values()]
        elif isinstance(one, list):
            left += one
    return True


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON value")


def find_object(text: str) -> Found | NotFound:
    """The one JSON object of an answer. An object that was cut off is not completed: its end is unknown."""
    stripped = text.strip()
    if not stripped:
        return NotFound("the answer is empty")
    if len(stripped) > MOST_CHARACTERS:
        return NotFound(f"the answer is longer than {MOST_CHARACTERS:,} characters")
    for candidate, how in _candidates(stripped):
        try:
            data = json.loads(candidate, parse_constant=_refuse_constant)
        except (ValueError, RecursionError):
            continue
        if isinstance(data, dict):
            return Found(data, how) if _only_storable(data) else NotFound("the answer holds characters that no text has")
    if "{" not in stripped:
        return NotFound("the answer holds no JSON object")
    return NotFound("the JSON object is cut off or broken")
