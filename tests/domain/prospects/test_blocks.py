"""What is read block by block says the same as the whole file at once, wherever the blocks happen to end."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from prospects.domain.blocks import decode_large
from prospects.domain.json_values import json_values_of
from prospects.domain.reading import Text, Unreadable, decode

_WORDS = st.text(st.sampled_from("aZ9 ,;\"'éß€語😀\r\n\t\ufeff"), max_size=60).map(lambda words: f"name{words}")
_ENCODINGS = st.sampled_from(("utf-8", "utf-8-sig", "utf-16", "cp1252"))
_LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
_VALUES = st.recursive(
    _LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
)
#: Also what is no list: cut off, or with something behind it.
_SPOILS = st.sampled_from(("", "", "", " \n", "]", ",", " 1", "x"))


def in_blocks(text: str, size: int) -> Text:
    blocks = [text[at : at + size] for at in range(0, len(text), size)]
    return Text(encoding="utf-8", blocks=lambda: iter(blocks), lone_returns="\n" not in text)


def told(found: Text | Unreadable) -> object:
    return found if isinstance(found, Unreadable) else (found.text, found.warnings, list(found.lines()))


def values_of(found: Sequence[tuple[int, object]] | Unreadable) -> object:
    return found if isinstance(found, Unreadable) else list(found)


@given(words=_WORDS, encoding=_ENCODINGS, block=st.integers(1, 40))
def test_text_in_blocks_is_the_whole_text(words: str, encoding: str, block: int) -> None:
    data = words.encode(encoding, errors="replace")
    assert told(decode_large(lambda: io.BytesIO(data), block=block)) == told(decode(data))


@given(
    written=st.builds(
        json.dumps, st.lists(_VALUES, max_size=6), indent=st.sampled_from((None, 1)), ensure_ascii=st.booleans()
    ),
    spoil=_SPOILS,
    cut=st.integers(0, 3),
    block=st.integers(1, 30),
)
def test_a_json_list_in_blocks_is_the_whole_list(written: str, spoil: str, cut: int, block: int) -> None:
    text = f"{written[: len(written) - cut] if spoil else written}{spoil}"
    assert values_of(json_values_of(in_blocks(text, block))) == values_of(json_values_of(Text(text)))
