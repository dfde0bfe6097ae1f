"""Counted claims are added up by one field; a bar is as long as what was stopped."""

from __future__ import annotations

from analytics.domain.truth import Counted, bars, groups, truth_height

ROWS = (
    Counted("title", "contradicted", "en", "model", "2026-11-23", 3),
    Counted("title", "verified", "de", "model", "2026-11-23", 7),
    Counted("recency", "unsupported", "en", "person", "2026-11-30", 6),
    Counted("other", "judge-corroborated", "en", "model", "2026-11-30", 4),
)


def test_classes_are_listed_by_what_was_stopped() -> None:
    classes = groups(rows=ROWS, field="type")
    assert [(one.name, one.read, one.stopped) for one in classes] == [("recency", 6, 6), ("title", 10, 3), ("other", 4, 0)]
    assert classes[1].share is not None
    assert classes[1].share.low < 0.3 < classes[1].share.high


def test_weeks_are_listed_in_order() -> None:
    assert [one.name for one in groups(rows=ROWS, field="week", by_name=True)] == ["2026-11-23", "2026-11-30"]


def test_a_bar_is_as_long_as_its_share_of_the_longest_and_nothing_stopped_has_none() -> None:
    drawn = bars(classes=groups(rows=ROWS, field="type"))
    assert [round(bar.label_x) for bar in drawn] == [462, 297]
    assert truth_height(classes=groups(rows=ROWS, field="type")) == 68
