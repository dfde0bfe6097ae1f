"""The entries of a JSON document or of JSON lines. Those of a large text are read anew by each loop over them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import overload

from prospects.domain.reading import MAX_LINE_CHARACTERS, BrokenTable, Text, Unreadable, scrub

Entry = tuple[int, object]
_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


class Entries(Sequence[Entry]):
    """Entries that are too many to be held. Only the beginning can be cut out."""

    def __init__(self, read: Callable[[], Iterator[Entry]], count: int) -> None:
        self._read, self._count = read, count

    def __iter__(self) -> Iterator[Entry]:
        return self._read()

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Entry, ...]: ...
    def __getitem__(self, index: int | slice) -> Entry | tuple[Entry, ...]:
        if isinstance(index, int):
            return next(islice(self._read(), range(self._count)[index], None))
        return tuple(islice(self._read(), *index.indices(self._count)))


class _TooNested(ValueError):
    pass


def _loads(text: str) -> object:
    try:
        value: object = json.loads(text)
        return _scrubbed(value) if "\\u" in text else value
    except RecursionError as error:
        raise _TooNested("it is nested too deeply") from error


def _scrubbed(value: object) -> object:
    """Without the signs that no text may hold: NUL and halves of surrogate pairs, which JSON can spell."""
    if isinstance(value, str):
        return scrub(value)
    if isinstance(value, list):
        return [_scrubbed(entry) for entry in value]
    if isinstance(value, dict):
        return {scrub(key): _scrubbed(entry) for key, entry in value.items()}
    return value


def json_values_of(text: Text) -> Sequence[Entry] | Unreadable:
    """(line, value) of JSON lines, or (index from 1, entry) of one document; a document's list is its entries."""
    if text.large:
        return _large_list(text) if text.head.lstrip()[:1] == "[" else _large_lines(text)
    return _whole(text.text)


def _whole(text: str) -> tuple[Entry, ...] | Unreadable:
    try:
        whole = _loads(text)
    except ValueError as error:
        return _whole_lines(text, error)
    entries = whole if isinstance(whole, list) else [whole]
    return tuple(enumerate(entries, 1))


def _whole_lines(text: str, whole_error: ValueError) -> tuple[Entry, ...] | Unreadable:
    values = tuple(_entries_of_lines(enumerate(text.split("\n"), 1)))
    return _not_json(whole_error) if _mostly_broken(values) else values


def _not_json(error: ValueError) -> Unreadable:
    return Unreadable(f"The file is not JSON: {_fault(error)}. Mend it there and import it again.")


def _mostly_broken(values: Iterator[Entry] | Sequence[Entry]) -> bool:
    count = bad = 0
    for _, value in values:
        count += 1
        bad += isinstance(value, Unreadable)
    return bad == count or (count > 1 and (count - bad) * 2 < count)


def _entries_of_lines(lines: Iterator[Entry]) -> Iterator[Entry]:
    for number, line in lines:
        if not isinstance(line, str) or not line.strip():
            continue
        try:
            yield number, _loads(line)
        except ValueError as error:
            yield number, Unreadable(f"it is not JSON ({_fault(error)})")


def _fault(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"line {error.lineno}, column {error.colno}: {error.msg}"
    if "integer string conversion" in str(error):
        return "a number has more digits than any number that is meant"
    return str(error)[:120]


def _large_lines(text: Text) -> Sequence[Entry] | Unreadable:
    """JSON lines; where the first line is no value of its own, one document, which has to be held."""
    try:
        _loads(next((line for line in text.lines() if line.strip()), ""))
    except BrokenTable:
        return _whole(text.text)
    except ValueError:
        return _whole(text.text)

    def read() -> Iterator[Entry]:
        return _entries_of_lines(enumerate(text.lines(), 1))

    try:
        count = bad = 0
        for _, value in read():
            count, bad = count + 1, bad + isinstance(value, Unreadable)
    except BrokenTable as error:
        return Unreadable(str(error))
    if bad * 2 > count:
        return Unreadable(f"{bad} of the {count} lines are not JSON. Mend them and import the file again.")
    return Entries(read, count)


def _large_list(text: Text) -> Sequence[Entry] | Unreadable:
    def read() -> Iterator[Entry]:
        return enumerate(_list_entries(text.blocks()), 1)

    try:
        return Entries(read, sum(1 for _ in read()))
    except ValueError as error:
        # Lines of lists, or a fault: the place of it is told by reading the text as a whole.
        return _not_json(error) if isinstance(error, _TooNested) else _whole(text.text)


def _list_entries(blocks: Iterator[str]) -> Iterator[object]:
    """The entries of a JSON list, one after the other. Raises ValueError where it is none."""
    buffer, place = next(blocks, "").lstrip(), 1
    opened = True
    while True:
        buffer, place = _past_space(buffer, place, blocks)
        sign = buffer[place : place + 1]
        if sign == "]":
            break
        if not opened:
            if sign != ",":
                raise ValueError("the list is not closed")
            buffer, place = _past_space(buffer, place + 1, blocks)
        value, buffer, place = _next_value(buffer, place, blocks)
        opened = False
        yield value
    buffer, place = _past_space(buffer, place + 1, blocks)
    if place < len(buffer):
        raise ValueError("there is more after the list")


def _past_space(buffer: str, place: int, blocks: Iterator[str]) -> tuple[str, int]:
    while True:
        match = _SPACE.match(buffer, place)
        place = match.end() if match else place
        if place < len(buffer):
            return buffer, place
        more = next(blocks, "")
        if not more:
            return buffer, place
        buffer, place = more, 0


def _next_value(buffer: str, place: int, blocks: Iterator[str]) -> tuple[object, str, int]:
    buffer, place = buffer[place:], 0
    while True:
        try:
            value, end = _DECODER.raw_decode(buffer, 0)
            if end < len(buffer):  # at the very end a number may go on
                return (_scrubbed(value) if "\\u" in buffer[:end] else value), buffer, end
        except RecursionError as error:
            raise _TooNested("it is nested too deeply") from error
        except ValueError:
            if len(buffer) > MAX_LINE_CHARACTERS:
                raise
        more = next(blocks, "")
        if not more:
            raise ValueError("the list is not closed")
        # Doubling keeps a long entry from being read again at each block.
        parts = [buffer, more]
        size = len(more)
        while size < len(buffer) and (more := next(blocks, "")):
            parts.append(more)
            size += len(more)
        buffer = "".join(parts)
