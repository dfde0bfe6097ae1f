"""verify_messages: one line per message, a summary at the end, and an exit status that says what happened."""

import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

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
    with pytest.raises(CommandError, match=r"line 1: not JSON .*column 1") as caught:
        _run_lines(tmp_path, b"not json", b"nor this", status=0)
    assert caught.value.returncode == 2
    with pytest.raises(CommandError, match=r"none\.jsonl"):
        _run(tmp_path, MESSAGE, dossiers=tmp_path / "none.jsonl")
    with pytest.raises(CommandError, match="no records"):
        _run_lines(tmp_path, b"", status=0)


GOOD = json.dumps({**MESSAGE, "case_id": "good", "body": "Hi Sian, thank you for reading."}).encode()


def _run_lines(
    tmp_path: Path, *lines: bytes, dossiers: bytes | None = None, status: int = 1
) -> tuple[list[dict[str, Any]], str]:
    """The lines printed for a file of these lines, and the last word on standard error, when it ends with that status."""
    messages, known, out = tmp_path / "messages.jsonl", GOLD / "dossiers.jsonl", StringIO()
    messages.write_bytes(b"\n".join(lines))
    if dossiers is not None:
        known = tmp_path / "dossiers.jsonl"
        known.write_bytes(dossiers)
    try:
        call_command("verify_messages", dossiers=known, messages=messages, json=True, stdout=out)
    except CommandError as error:
        if error.returncode != status:
            raise
        return [json.loads(line) for line in out.getvalue().splitlines()], str(error)
    return [json.loads(line) for line in out.getvalue().splitlines()], ""


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        (b'{"case_id": "C1", "body": ', r"line 2: not JSON \(Expecting value at column 27\)"),
        (b"[1, 2", r"line 2: not JSON .*column 6"),
        (b"[1, 2]", r"line 2: not a JSON object, but a list at column 1"),
        (b"null", r"line 2: not a JSON object, but null"),
        (b'{"case_id": "C\xe91"}', r"line 2: not UTF-8 text at column 15; save the file as UTF-8"),
        (b"[" * 100_000, r"line 2: not JSON \(nested too deeply at column 1\)"),
        (b'{"case_id": "C1", "body": 7}', r"line 2 \(C1\): 'body' must be text"),
        (b'{"case_id": "C1", "body": "Hi", "dossier_id": "nobody"}', r"line 2: no dossier 'nobody'"),
        (b'{"case_id": "C1", "body": "Hi", "dossier_id": "W2-D1", "channel": "fax"}', r"line 2: channel 'fax'"),
    ],
)
def test_a_broken_line_blocks_that_message_alone(tmp_path: Path, broken: bytes, says: str) -> None:
    lines, error = _run_lines(tmp_path, GOOD, broken, b"", GOOD)
    assert [line["verdict"] for line in lines[:-1]] == ["pass", "block", "pass"]
    assert re.search(says, lines[1]["findings"][0]["reason"])
    assert lines[1]["case_id"] in {"C1", "line 2"}
    assert lines[-1]["summary"]["messages"] == 2
    assert lines[-1]["summary"]["unmatched"] == 1
    assert "1 of 3 messages could not be checked" in error


def test_a_broken_dossier_blocks_its_messages_alone(tmp_path: Path) -> None:
    gold = (GOLD / "dossiers.jsonl").read_bytes().splitlines()
    mine = next(line for line in gold if b'"W2-D1"' in line)
    broken = json.dumps({**json.loads(mine), "dossier_id": "other", "as_of": "someday"}).encode()
    about_other = GOOD.replace(b"W2-D1", b"other")
    dossiers = b"\n".join([b"{oops", broken, mine])
    lines, error = _run_lines(tmp_path, GOOD, about_other, dossiers=dossiers)
    assert [line["verdict"] for line in lines[:-1]] == ["pass", "block"]
    assert re.search(r"its dossier cannot be read: .*line 2: .*as_of", lines[1]["findings"][0]["reason"])
    assert len(lines[-1]["summary"]["unreadable_dossiers"]) == 2
    assert "line 1: not JSON" in error


def test_an_id_that_occurs_twice_names_no_dossier(tmp_path: Path) -> None:
    mine = next(line for line in (GOLD / "dossiers.jsonl").read_bytes().splitlines() if b'"W2-D1"' in line)
    lines, _ = _run_lines(tmp_path, GOOD, dossiers=mine + b"\n" + mine)
    assert "'W2-D1' occurs twice (line 1 and line 2)" in lines[0]["findings"][0]["reason"]


def test_the_summary_says_what_was_taken_for_what(tmp_path: Path) -> None:
    bad = {
        **MESSAGE, "case_id": "B1", "label": "hallucinated", "body": "Hi Sian, you are Operations Director.",
        "errors": [{"kind": "title", "span": "Operations Director"}, {"kind": "date", "span": "nowhere in it"}],
    }  # fmt: skip
    passed = {**bad, "case_id": "B2", "body": "Hi Sian, thank you.", "errors": [{"kind": "title", "span": "thank you"}]}
    stopped = {**bad, "case_id": "F1", "label": "faithful", "errors": []}
    summary = _run(tmp_path, bad, passed, stopped)[-1]["summary"]
    assert summary["confusion"] == {  # type: ignore[index]
        "date": {"blocked elsewhere": {"count": 1, "examples": ["B1"]}},
        "title": {"passed": {"count": 1, "examples": ["B2"]}, "title": {"count": 1, "examples": ["B1"]}},
    }
    [(name, cell)] = summary["stopped_by"].items()  # type: ignore[index]
    assert name == "contradicted title"
    assert cell["count"] == 1
    assert cell["examples"][0]["case_id"] == "F1"
    assert cell["examples"][0]["span"] == "Operations Director"


def test_without_json_the_same_is_readable(tmp_path: Path) -> None:
    bad = {
        **MESSAGE, "case_id": "B1", "label": "hallucinated", "body": "Hi Sian, you are Operations Director.",
        "errors": [{"kind": "title", "span": "Operations Director"}],
    }  # fmt: skip
    file, out = tmp_path / "messages.jsonl", StringIO()
    good = {**json.loads(GOOD), "label": "faithful"}
    stopped = {**bad, "case_id": "F1", "label": "faithful", "errors": []}
    file.write_text("\n".join(json.dumps(line) for line in (bad, good, stopped)), encoding="utf-8")
    call_command("verify_messages", dossiers=GOLD / "dossiers.jsonl", messages=file, stdout=out)
    shown = out.getvalue()
    assert re.search(r"^title +1 +1  100\.0% \(20\.[67]% to 100\.0%\)", shown, re.MULTILINE)
    assert re.search(r"^en +1 +1  100\.0% .* 2 +1  50\.0% \(9\.[45]% to 90\.5%\)$", shown, re.MULTILINE)
    assert re.search(r"^  title +title +1  B1$", shown, re.MULTILINE)
    assert re.search(r"^    F1: “Operations Director” The record says", shown, re.MULTILINE)
    assert "{" not in shown
