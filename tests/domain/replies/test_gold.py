"""The labelled replies: figures are printed, and may not fall below what is reached."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from messaging.replies.domain.gold import mail_of_gold, received_of_gold
from messaging.replies.domain.reading import read

GOLD = Path(__file__).parents[2] / "data" / "gold" / "replies.jsonl"
#: The rules were written with these cases in view: unseen replies will do worse.
FLOOR = {
    "kind": 0.98,
    "opt-out": 1.0,
    "no false opt-out": 1.0,
    "intent": 0.95,
    "sentiment": 0.93,
    "return date": 1.0,
    "own text": 0.98,
    "language": 0.93,
    "follow-up": 0.9,
    "referral": 0.8,
}


def test_the_gold_replies_are_read() -> None:
    right: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for line in GOLD.read_text(encoding="utf-8").splitlines():
        for name, ok in judged(json.loads(line)):
            asked[name] += 1
            right[name] += ok
    for name in FLOOR:
        print(f"{name}: {right[name]} of {asked[name]} = {right[name] / asked[name]:.3f}")  # noqa: T201
    assert {name: right[name] / asked[name] for name in FLOOR if right[name] / asked[name] < FLOOR[name]} == {}


def judged(case: dict) -> list[tuple[str, bool]]:
    reading = read(mail=mail_of_gold(case), received=received_of_gold(case).date())
    also = case["intent_also"] if isinstance(case["intent_also"], list) else [case["intent_also"]]
    wanted = case["intent"] == "unsubscribe"
    found = [
        ("kind", reading.kind == case["kind"]),
        ("intent", reading.intent in [case["intent"], *also]),
        ("opt-out" if wanted else "no false opt-out", (reading.intent == "unsubscribe") == wanted),
        ("own text", reading.text.split() == case["reply_text"].split()),
        ("language", reading.language == case["language"]),
    ]
    if case["sentiment"]:
        found.append(("sentiment", reading.sentiment == case["sentiment"]))
    if case["return_date"] or reading.return_date:
        found.append(("return date", str(reading.return_date) == str(case["return_date"])))
    if case["follow_up_after"] and reading.intent == "not_now":
        found.append(("follow-up", str(reading.follow_up) == case["follow_up_after"]))
    if case["referral_to"]:
        found.append(("referral", reading.referral_to == case["referral_to"]))
    return found
