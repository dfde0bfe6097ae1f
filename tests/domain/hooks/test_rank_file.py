"""A dossier file is ranked line by line; what cannot be read is named with its place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from messaging.hooks.queries import UnreadableFile, rank_file

GOLD = Path(__file__).parents[2] / "data" / "gold" / "dossiers.jsonl"


def test_every_line_of_the_gold_file_is_ranked_best_first():
    ranked = rank_file(data=GOLD.read_bytes())
    assert len(ranked) == 15
    for one in ranked:
        assert [hook.score for hook in one.hooks] == sorted((hook.score for hook in one.hooks), reverse=True)


def test_one_object_and_a_list_are_read_too():
    first = json.loads(GOLD.read_text(encoding="utf-8").splitlines()[0])
    alone = rank_file(data=json.dumps(first, indent=1).encode())
    listed = rank_file(data=json.dumps([first]).encode())
    assert alone == listed


UNREADABLE = {
    "empty": (b"", "empty"),
    "not UTF-8": (b"\xff\xfe{", "UTF-8"),
    "not JSON": (b'{"a": 1}\n{"b": ', "line 2"),
    "not a dossier": (b'{"prospect": {}}', "as_of"),
    "a list of words": (b'["x"]', "entry 1"),
}


@pytest.mark.parametrize(("data", "words"), UNREADABLE.values(), ids=UNREADABLE.keys())
def test_unreadable_file_says_what_is_wrong(data, words):
    answer = rank_file(data=data)
    assert isinstance(answer, UnreadableFile)
    assert words in answer.message
