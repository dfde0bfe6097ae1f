"""verify_messages: one line per message, a summary at the end, and an exit status that says what happened."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from .cases import GOLD

MESSAGE = {"case_id": "C1", "dossier_id": "W2-D1", "language": "en", "channel": "email", "subject": "", "body": ""}


def _run(tmp_path: Path, *messages: object, dossiers: Path = GOLD / "dossiers.jsonl") -> list[dict[str, object]]:
    file = tmp_path / "messages.jsonl"
    file.write_text("\n".join(json.dumps(message) for message in messages), encoding="utf-8")
    out = StringIO()
    call_command("verify_messages", dossiers=dossiers, messages=file, json=True, stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_each_message_gets_a_line_and_the_summary_comes_last(tmp_path: Path) -> None:
    lines = _run(
        tmp_path,
        {**MESSAGE, "body": "Hi Sian, thank you for reading."},
        {**MESSAGE, "case_id": "C2", "body": "Hi Sian, as Operations Director you decide."},
    )
    assert [line.get("verdict") for line in lines] == ["pass", "block", None]
    finding = lines[1]["findings"][0]  # type: ignore[index]
    assert (finding["field"], finding["span"], finding["kind"]) == ("body", "Operations Director", "title")
    assert lines[2]["summary"]["messages"] == 2  # type: ignore[index]


def test_offsets_count_code_points_of_the_text_as_given(tmp_path: Path) -> None:
    body = "Hi Sian, \U0001f600 as Operations\u200b Director you decide."
    finding = _run(tmp_path, {**MESSAGE, "body": body})[0]["findings"][0]  # type: ignore[index]
    assert body[finding["start"] : finding["end"]] == "Operations\u200b Director"


def test_an_unknown_dossier_is_blocked_and_ends_with_status_one(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="1 of 1") as caught:
        _run(tmp_path, {**MESSAGE, "dossier_id": "nobody"})
    assert caught.value.returncode == 1


def test_what_cannot_be_read_at_all_ends_with_status_two(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="record 1") as caught:
        _run(tmp_path, {"case_id": "C1"})
    assert caught.value.returncode == 2
    with pytest.raises(CommandError, match=r"none\.jsonl"):
        _run(tmp_path, MESSAGE, dossiers=tmp_path / "none.jsonl")
