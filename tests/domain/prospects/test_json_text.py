"""JSON of files that anybody may have written."""

import json

import pytest

from prospects.domain.json_text import load_json


def test_half_a_surrogate_pair_becomes_one_character_so_that_offsets_stay() -> None:
    assert load_json('{"a\\ud800": ["x \\udfff y", 1]}') == {"a\ufffd": ["x \ufffd y", 1]}


def test_a_whole_pair_stays_what_it_is() -> None:
    assert load_json('"\\ud83d\\ude00"') == "\N{GRINNING FACE}"


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "nonsense", ""])
def test_what_cannot_be_read_says_so_in_one_way(text: str) -> None:
    with pytest.raises(json.JSONDecodeError):
        load_json(text)
