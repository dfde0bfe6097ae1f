"""classify_reply and ingest_mail, as scripts use them."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from messaging.models import RawMail
from tests.people import a_team
from tests.services.replies.scenes import a_mail, a_sent


def printed(*arguments: str) -> list[dict]:
    out = StringIO()
    call_command(*arguments, "--json", stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_raw_mail_and_mbox_are_classified_without_a_database(tmp_path: Path) -> None:
    one = tmp_path / "one.eml"
    one.write_bytes(a_mail(text="Please take me off your list."))
    box = tmp_path / "box"
    box.write_bytes(b"".join(b"From a@x.example Tue Dec  1 09:00:00 2026\n" + a_mail(text=text) + b"\n" for text in ("Sounds good, call me.", "No thanks.")))
    lines = printed("classify_reply", str(one), str(box))
    assert [line["intent"] for line in lines] == ["unsubscribe", "interested", "not_interested"]
    assert {"file", "kind", "intent", "sentiment", "confidence", "text", "language", "bounce", "return_date", "meeting"} <= set(lines[0])


def test_json_lines_keep_their_case_and_a_broken_line_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text('{"case_id": "a1", "body": "What does it cost?", "received": "2026-11-04T09:00:00+00:00"}\nnonsense\n')
    out, err = StringIO(), StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("classify_reply", str(file), "--json", stdout=out, stderr=err)
    assert ended.value.code == 1
    assert json.loads(out.getvalue())["case_id"] == "a1"
    assert "line 2" in err.getvalue() or "line 2" in capsys.readouterr().err


def test_a_missing_file_cannot_be_read_at_all(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        call_command("classify_reply", str(tmp_path / "none.eml"), "--json", stderr=StringIO())
    assert ended.value.code == 2


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"Just words: no\n", b"[1, 2]"])
def test_a_file_that_is_no_mail_is_refused_as_unreadable(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "picture.eml"
    file.write_bytes(data)
    out, err = StringIO(), StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("classify_reply", str(file), "--json", stdout=out, stderr=err)
    assert (ended.value.code, out.getvalue()) == (2, "")
    assert "no mail" in err.getvalue()


def test_a_line_nested_too_deeply_is_named_like_any_broken_one(tmp_path: Path) -> None:
    file = tmp_path / "deep.jsonl"
    file.write_text('{"a": ' + "[" * 100_000)
    err = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("classify_reply", str(file), "--json", stdout=StringIO(), stderr=err)
    assert ended.value.code == 1
    assert "line 1" in err.getvalue()


@pytest.mark.django_db
def test_a_file_that_is_no_mail_is_not_stored(tmp_path: Path) -> None:
    file = tmp_path / "picture.eml"
    file.write_bytes(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(SystemExit) as ended:
        call_command("ingest_mail", str(file), "--team", a_team().slug, "--json", stdout=StringIO(), stderr=StringIO())
    assert ended.value.code == 2
    assert not RawMail.objects.exists()


@pytest.mark.django_db
def test_ingested_mail_says_what_it_matched_and_did(tmp_path: Path) -> None:
    delivery = a_sent()
    file = tmp_path / "answer.eml"
    file.write_bytes(a_mail(text="Take me off your list.", sender=delivery.payload.recipient, answers=delivery.payload.message_id))
    line = printed("ingest_mail", str(file), "--team", delivery.team.slug)[0]
    assert (line["matched_delivery"], line["kind"]) == (delivery.pk, "unsubscribe")
    assert "suppressed" in line["actions"]
    assert RawMail.objects.count() == 1
