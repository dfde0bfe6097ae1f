"""`verify_messages --judge`: the judge behind its endpoint has its say on files too."""

from __future__ import annotations

import json
import threading
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from messaging.writing.adapters import configured
from tests.domain.verification.cases import GOLD
from tests.services.writing.model_server import Reply, model_server

#: Faithful, and partly in words that the rules cannot follow.
PARAPHRASE = "W2-D8-M05"
FAITHFUL = tuple(
    message["case_id"]
    for message in map(json.loads, (GOLD / "messages.jsonl").read_text(encoding="utf-8").splitlines())
    if (message["language"], message["label"]) == ("en", "faithful")
)


def _run(*case_ids: str, tmp_path: Path, **options: object) -> dict[str, Any]:
    lines = (GOLD / "messages.jsonl").read_text(encoding="utf-8").splitlines()
    file = tmp_path / "messages.jsonl"
    file.write_text("\n".join(line for line in lines if json.loads(line)["case_id"] in case_ids), encoding="utf-8")
    out = StringIO()
    given = {"judge": True, **options}
    call_command("verify_messages", dossiers=GOLD / "dossiers.jsonl", messages=file, json=True, stdout=out, **given)
    return json.loads(out.getvalue().splitlines()[-1])["summary"]


def _yes_to_all(request: dict[str, Any]) -> Reply:
    """Agrees with every claim, with the first words of what it cites as proof."""
    rows = [json.loads(line) for line in request["messages"][-1]["content"].splitlines() if line.startswith("{")]
    texts = {row["evidence"]: row["text"] for row in rows if "evidence" in row}
    answers = [
        {"claim": row["claim"], "holds": True, "quote": texts[row["cited"][0]][:40], "reason": "ok"}
        for row in rows
        if "claim" in row
    ]
    return Reply(json.dumps({"answers": answers}))


def test_what_a_judge_agrees_to_with_proof_passes(tmp_path: Path, settings: Any) -> None:
    with model_server() as server:
        server.will(_yes_to_all)
        settings.OPENAI_BASE_URL = server.url
        alone = _run(*FAITHFUL, tmp_path=tmp_path, judge=False)["total"]["passed"]
        heard = _run(*FAITHFUL, tmp_path=tmp_path)
    assert heard["judge"]["let_through"] >= 1
    assert heard["total"]["passed"] == alone + heard["judge"]["let_through"]


def test_the_judge_is_asked_about_no_more_messages_at_once_than_allowed(tmp_path: Path, settings: Any) -> None:
    open_now, most, lock = 0, 0, threading.Lock()

    def counting(request: dict[str, Any]) -> Reply:
        nonlocal open_now, most
        with lock:
            open_now += 1
            most = max(most, open_now)
        threading.Event().wait(0.05)
        with lock:
            open_now -= 1
        return _yes_to_all(request)

    with model_server() as server:
        server.will(counting)
        settings.OPENAI_BASE_URL = server.url
        everything = [f"W{wave}-D{one}-M{number:02}" for wave in (1, 2) for one in (1, 2, 8) for number in range(1, 9)]
        assert _run(*everything, tmp_path=tmp_path, at_once=2)["judge"]["asked"] > 4
    assert most <= 2


def test_without_an_endpoint_the_judge_is_refused_with_what_to_set(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="OPENAI_BASE_URL"):
        _run(PARAPHRASE, tmp_path=tmp_path)


@pytest.mark.parametrize("named", ["", "judge-1"])
def test_no_judge_sits_unless_the_settings_name_one(settings: Any, named: str) -> None:
    settings.OPENAI_BASE_URL, settings.OPENAI_JUDGE_MODEL = "http://127.0.0.1:9/v1", named
    assert (configured.configured_judge() is not None) == bool(named)
