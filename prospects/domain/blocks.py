"""Text that is larger than the memory it may take: decoded block by block, in the same steps as `reading.decode`."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from prospects.domain.reading import Text, Unreadable, foreign_of, is_binary, marked_encoding, misfit
from prospects.domain.western import WESTERN, beyond_ascii, high_bytes, western_warnings

Opener = Callable[[], BinaryIO]
BLOCK = 1 << 18


class _Misfit(ValueError):
    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


def bytes_of(opener: Opener, block: int = BLOCK) -> Iterator[bytes]:
    """The file from the beginning, in blocks."""
    with opener() as file:
        while data := file.read(block):
            yield data


def _decoded(opener: Opener, encoding: str, block: int) -> Iterator[str]:
    """Raises _Misfit with the place of the byte, from 0. No block is empty, none holds NUL or the mark of the beginning."""
    western = encoding == "cp1252"
    decoder = codecs.getincrementaldecoder("utf-8" if western else encoding)(errors=WESTERN if western else "strict")
    done, first = 0, True
    for data in bytes_of(opener, block):
        text = _step(decoder, data, done=done, final=False)
        done += len(data)
        if first and text:
            text, first = text.removeprefix("\ufeff"), False
        text = text.replace("\x00", "")
        if text:
            yield text
    rest = _step(decoder, b"", done=done, final=True)
    if rest:
        yield rest


def _step(decoder: codecs.IncrementalDecoder, data: bytes, *, done: int, final: bool) -> str:
    pending = len(decoder.getstate()[0])
    try:
        return decoder.decode(data, final)
    except UnicodeDecodeError as error:
        raise _Misfit(done - pending + error.start) from error


@dataclass(slots=True)
class _Seen:
    """What a pass over all blocks tells."""

    blank: bool = True
    line_feeds: bool = False
    bad: int = 0
    beyond_ascii: int = 0


def _scan(blocks: Iterator[str]) -> _Seen:
    seen = _Seen()
    for block in blocks:
        seen.blank = seen.blank and not block.strip()
        seen.line_feeds = seen.line_feeds or "\n" in block
        seen.bad += block.count("\ufffd")
        seen.beyond_ascii += beyond_ascii(block)
    return seen


def _western_warnings(opener: Opener, seen: _Seen, *, place: int, block: int) -> tuple[str, ...]:
    """Once more through the bytes: in which line the first foreign one stands, and whether there is UTF-8 as well."""
    line, high, done = 1, 0, 0
    for data in bytes_of(opener, block):
        line += data.count(b"\n", 0, max(0, place - done))
        high += high_bytes(data)
        done += len(data)
    return western_warnings(bad=seen.bad, line=line, mixed=seen.beyond_ascii < high)


def decode_large(opener: Opener, *, block: int = BLOCK) -> Text | Unreadable:
    """The text of a file, which is read once to the end and not kept."""
    head = next(bytes_of(opener, max(block, 4_096)), b"")
    foreign = foreign_of(head)
    if foreign is not None:
        return foreign
    encoding = marked_encoding(head) or "utf-8"
    warnings: tuple[str, ...] = ()
    try:
        seen = _scan(_decoded(opener, encoding, block))
    except _Misfit as error:
        if encoding != "utf-8":
            return misfit(encoding, error.place)
        encoding = "cp1252"
        seen = _scan(_decoded(opener, encoding, block))
        warnings = _western_warnings(opener, seen, place=error.place, block=block)
    if seen.blank:
        return Unreadable("The file is empty.")
    text = Text(
        encoding=encoding.removesuffix("-sig"),
        warnings=warnings,
        blocks=lambda: _decoded(opener, encoding, block),
        lone_returns=not seen.line_feeds,
    )
    return (
        Unreadable("This is not a text file. Export it as CSV or JSON and import that.")
        if is_binary(text.head)
        else text
    )
