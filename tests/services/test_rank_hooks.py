"""rank_hooks prints exactly one JSON object for one dossier, needs no database, and refuses what it cannot read."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

GOLD = Path(__file__).parents[1] / "data" / "gold" / "dossiers.jsonl"
KEYS = {"evidence_id", "layer", "score", "recency", "relevance", "uniqueness", "reason"}


def printed(path, **options):
    out = StringIO()
    call_command("rank_hooks", dossier=str(path), stdout=out, **options)
    return out.getvalue()


def one_dossier(folder):
    path = folder / "one.json"
    path.write_text(GOLD.read_text(encoding="utf-8").splitlines()[0], encoding="utf-8")
    return path


def test_one_dossier_gives_one_object_best_first(tmp_path):
    (line,) = printed(one_dossier(tmp_path), json=True).splitlines()
    answer = json.loads(line)
    assert set(answer) == {"hooks"}
    assert all(set(hook) == KEYS for hook in answer["hooks"])
    assert answer["hooks"][0]["evidence_id"] == "post1"


def test_several_dossiers_give_a_line_each_with_their_id():
    lines = [json.loads(line) for line in printed(GOLD, json=True).splitlines()]
    assert len(lines) == 15
    assert lines[0]["dossier_id"] == "W1-D2"


def test_people_get_a_table_with_the_reasons(tmp_path):
    assert "Their own post" in printed(one_dossier(tmp_path))


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"prospect": 3}'])
def test_what_cannot_be_read_ends_with_status_two(tmp_path, content):
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    with pytest.raises(CommandError) as refused:
        printed(path, json=True)
    assert refused.value.returncode == 2


def test_a_missing_file_ends_with_status_two(tmp_path):
    with pytest.raises(CommandError, match="No such file") as refused:
        printed(tmp_path / "none.json")
    assert refused.value.returncode == 2
