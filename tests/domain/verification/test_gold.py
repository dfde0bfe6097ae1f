"""The labelled set as a floor: it may rise, never fall. Prints what it measured."""

import json
import sys

import pytest

from messaging.verification import batch
from messaging.verification.scoring import Scores

from .cases import GOLD

#: language: share of bad messages blocked, share located, share of good ones passing
FLOORS = {
    "en": (1.0, 0.95, 0.5),
    "de": (1.0, 0.8, 0.6),
    "es": (1.0, 0.6, 0.75),
    "fr": (1.0, 0.7, 0.3),
    "it": (1.0, 0.7, 0.4),
    "nl": (1.0, 0.8, 0.6),
    "pt-BR": (1.0, 0.8, 0.0),
}


def _scores(language: str) -> Scores:
    known = batch.dossiers(batch.records((GOLD / "dossiers.jsonl").read_bytes(), "dossiers"), "dossiers")
    listed = batch.records((GOLD / "messages.jsonl").read_bytes(), "messages")
    scores = Scores()
    for case in batch.cases([record for record in listed if record.value["language"] == language], known, "messages"):
        assert isinstance(case, batch.Case)
        scores.add(case.given, batch.line_of(case.case_id, batch.check(case), 0.0))
    return scores


@pytest.mark.parametrize("language", FLOORS)
def test_the_labelled_set_stays_above_its_floor(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    total = _scores(language).total
    shares = (total.blocked / total.bad, total.located / total.bad, total.passed / total.good)
    with capsys.disabled():
        sys.stdout.write(f"\n{language}: blocked {shares[0]:.3f}, located {shares[1]:.3f}, passing {shares[2]:.3f}\n")
    assert all(share >= floor for share, floor in zip(shares, FLOORS[language], strict=True)), shares


def test_a_summary_counts_groups_with_intervals() -> None:
    summary = _scores("en").summary()
    rate = summary["total"]["blocked_rate"]
    assert rate["low"] <= rate["share"] <= rate["high"] <= 1.0
    assert json.loads(json.dumps(summary))["groups"]["kind"]["title"]["bad"] >= 5
