"""The picture of the pipeline."""

from messaging.enrolment.domain.pipeline import Counts, picture_of, steps_of


def test_nobody_is_counted_twice_or_lost() -> None:
    counts = Counts(
        enrolments={"active": 8, "removed": 2},
        drafts={"ready": 2, "blocked": 1, "approved": 1, "sent": 1, "waiting": 1, "rejected": 1},
        written=6, findings={"contradicted": 1}, deliveries={"sent": 1, "task": 1}, replied=1, to_answer=1,
    )  # fmt: skip
    assert [(step.name, step.count) for step in steps_of(counts=counts)] == [
        ("Enrolled", 10), ("Asked", 7), ("Written", 6), ("Verified", 5), ("Approved", 2), ("Sent", 1), ("Replied", 1),
    ]  # fmt: skip


def test_what_is_stuck_is_told_with_its_reason() -> None:
    told = {
        f"{one.count} {one.what}"
        for step in steps_of(counts=Counts(drafts={"blocked": 2, "ready": 3}, findings={"contradicted": 2}))
        for one in (*step.stuck, *step.waiting)
    }
    assert told == {"2 blocked", "2 with a contradicted finding", "3 to review"}


def test_an_empty_campaign_draws_a_flat_band() -> None:
    picture = picture_of(counts=[0] * 7)
    assert [band.css for band in picture.bands] == ["f0", "f1", "f2"]
    assert len(picture.cuts) == 6


def test_the_band_narrows_with_the_counts() -> None:
    first = picture_of(counts=[10, 5, 5, 5, 2, 1, 0]).bands[0]
    assert first.edge.startswith("0.0,8.0 171.4,8.0 197.4,60.0 342.9,60.0")
