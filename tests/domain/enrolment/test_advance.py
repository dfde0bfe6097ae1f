"""What becomes of somebody whose message was sent, as a table."""

from datetime import UTC, datetime, timedelta

import pytest

from messaging.enrolment.domain.advance import ENDED, LOOK_AGAIN, NOT_SAID, Place, connection_of, place_of
from outreach.campaigns.domain.sequence import Step

SENT = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
ONE = Step(1, "linkedin_connection")
AFTER = {
    "always": Step(2, "email", wait_days=3),
    "connected": Step(2, "linkedin_message", wait_days=3, condition="connected"),
    "not_connected": Step(2, "email", wait_days=3, condition="not_connected"),
    "no_reply": Step(2, "email", wait_days=3, condition="no_reply"),
}
THREE = Step(3, "email", wait_days=4)


def day(number: float) -> datetime:
    return SENT + timedelta(days=number)


@pytest.mark.parametrize(
    ("condition", "connected", "on", "place"),
    [
        ("always", None, 2.9, Place(1, day(3))),
        ("always", None, 3, Place(2, day(3), moved=True)),
        ("always", False, 9, Place(2, day(3), moved=True)),
        ("connected", None, 2, Place(1, day(3))),
        ("connected", None, 3, Place(1, day(3) + LOOK_AGAIN, reason=NOT_SAID)),
        ("connected", True, 3, Place(2, day(3), moved=True)),
        ("connected", False, 3, Place(1, day(7), reason="Step 2 was passed over: The connection was not accepted.")),
        ("connected", False, 7, Place(3, day(7), reason="Step 2 was passed over: The connection was not accepted.", moved=True)),
        ("not_connected", None, 3, Place(1, day(3) + LOOK_AGAIN, reason=NOT_SAID)),
        ("not_connected", False, 3, Place(2, day(3), moved=True)),
        ("not_connected", True, 3, Place(1, day(7), reason="Step 2 was passed over: The connection was accepted.")),
        ("no_reply", None, 3, Place(2, day(3), moved=True)),
    ],
)
def test_where_somebody_stands_after_their_first_message(condition: str, connected: bool | None, on: float, place: Place) -> None:
    steps = (ONE, AFTER[condition], THREE)
    assert place_of(steps=steps, step=1, sent_at=SENT, connected=connected, replied=False, now=day(on)) == place


@pytest.mark.parametrize("condition", AFTER)
def test_an_answer_ends_it_whatever_comes_next(condition: str) -> None:
    place = place_of(steps=(ONE, AFTER[condition]), step=1, sent_at=SENT, connected=True, replied=True, now=day(9))
    assert (place.state, place.step, place.moved) == ("replied", 1, False)


def test_after_the_last_message_an_answer_is_waited_for() -> None:
    waits = place_of(steps=(ONE,), step=1, sent_at=SENT, connected=None, replied=False, now=day(1))
    assert waits == Place(1, day(14))
    over = place_of(steps=(ONE,), step=1, sent_at=SENT, connected=None, replied=False, now=day(14))
    assert (over.state, over.reason) == ("finished", ENDED)


@pytest.mark.parametrize(("recorded", "said", "known"), [(True, None, True), (True, False, True), (False, None, None), (False, True, True), (False, False, False)])
def test_a_recorded_connection_is_worth_more_than_what_was_said(recorded: bool, said: bool | None, known: bool | None) -> None:
    assert connection_of(first_degree=recorded, said=said) is known
