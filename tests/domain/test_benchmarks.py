"""A benchmark prints what operators compare: every figure beside a baseline of the same run."""

from __future__ import annotations

from outreach.scripts.bench import FIELDS
from tests.benchmarks import verification


def test_verification_is_measured_on_messages_and_dossiers_of_the_stated_size() -> None:
    inputs = verification._inputs("en")
    assert len(inputs) >= 30
    assert all(80 <= len(check.message.body.split()) <= 130 for check in inputs)
    assert {len(check.dossier.items) for check in inputs} == {verification.ITEMS}


def test_a_line_has_the_fields_that_are_printed() -> None:
    line = verification._line("x", 3.0, 2.0, "ms", "one")
    assert tuple(line) == FIELDS
    assert line["ratio"] == 1.5
