"""Who may not be enrolled, as a table."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from messaging.enrolment.domain.exclusions import (
    BY_HAND,
    EXPLANATION,
    Candidate,
    Limits,
    Why,
    allows,
    exclusion_of,
    language_for,
)

FREE = Candidate(
    state="active", suppressed=False, enrolled_here=False, active_elsewhere=False, has_email=True, has_profile=True,
    first_degree=False, language="en",
)  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "channel", "why"),
    [
        ({}, "email", None),
        ({}, "inmail", None),
        ({"state": "erased"}, "email", Why.ERASED),
        ({"state": "conflicted"}, "email", Why.CONFLICTED),
        ({"suppressed": True}, "email", Why.SUPPRESSED),
        ({"suppressed": True, "state": "conflicted"}, "email", Why.SUPPRESSED),
        ({"enrolled_here": True}, "email", Why.ENROLLED_ALREADY),
        ({"active_elsewhere": True}, "email", Why.OTHER_PURPOSE),
        ({"has_email": False}, "email", Why.NO_ADDRESS),
        ({"has_email": False}, "inmail", None),
        ({"has_profile": False}, "inmail", Why.NO_ADDRESS),
        ({"has_profile": False}, "email", None),
        ({"first_degree": True}, "linkedin_connection", Why.ALREADY_CONNECTED),
        ({"first_degree": True}, "linkedin_message", None),
        ({}, "linkedin_message", Why.NOT_CONNECTED),
        ({"language": "de"}, "email", Why.LANGUAGE_NOT_ALLOWED),
        ({"language": ""}, "email", None),
    ],
)
def test_the_first_reason_that_holds_is_told(changes: dict[str, object], channel: str, why: Why | None) -> None:
    found = exclusion_of(
        candidate=replace(FREE, **changes), channel=channel, allowed=("en",), can_be_checked=lambda code: code == "en"
    )
    assert found is why


DAY = date(2026, 11, 2)
BEFORE = DAY - timedelta(days=1)
LIMITS = Limits(rested_since=DAY, fresh_since=DAY, sure_language=True, per_company=2)
SEEN = replace(FREE, role_seen=DAY)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({}, None),
        ({"suppressed": True, "customer": True}, Why.CUSTOMER),
        ({"language": ""}, Why.LANGUAGE_UNKNOWN),
        ({"contacted_on": BEFORE}, None),
        ({"contacted_on": DAY}, Why.CONTACTED_RECENTLY),
        ({"role_seen": None}, Why.STALE),
        ({"role_seen": BEFORE}, Why.STALE),
        ({"company_mates": 1}, None),
        ({"company_mates": 2}, Why.SAME_COMPANY_AND_DAY),
        ({"company_mates": 2, "role_seen": BEFORE, "contacted_on": DAY}, Why.CONTACTED_RECENTLY),
        ({"company_mates": 2, "role_seen": BEFORE}, Why.STALE),
        ({"contacted_on": DAY, "active_elsewhere": True}, Why.OTHER_PURPOSE),
        ({"state": "merged", "suppressed": True}, Why.MERGED),
    ],
)
def test_an_audience_leaves_out_whom_its_limits_name(changes: dict[str, object], why: Why | None) -> None:
    candidate = replace(SEEN, **changes)
    languages = ("en", "de")
    found = exclusion_of(
        candidate=candidate, channel="email", allowed=languages, can_be_checked=languages.__contains__, limits=LIMITS
    )
    assert found is why


@pytest.mark.parametrize(
    "changes", [{"language": ""}, {"contacted_on": DAY}, {"role_seen": None}, {"company_mates": 50}]
)
def test_who_is_chosen_by_hand_is_left_out_by_no_limit(changes: dict[str, object]) -> None:
    candidate = replace(SEEN, **changes)
    languages = ("en", "de")
    for limits in (BY_HAND, Limits(per_company=0)):
        assert (
            exclusion_of(
                candidate=candidate,
                channel="email",
                allowed=languages,
                can_be_checked=languages.__contains__,
                limits=limits,
            )
            is None
        )


def test_a_language_nobody_can_check_is_not_written() -> None:
    german = replace(FREE, language="de")
    why = exclusion_of(candidate=german, channel="email", allowed=(), can_be_checked=lambda code: code == "en")
    assert why is Why.LANGUAGE_NOT_WRITTEN


@pytest.mark.parametrize(
    ("language", "allowed", "may"),
    [
        ("en", (), True),
        ("pt-BR", ("pt",), True),
        ("pt", ("pt-BR",), False),
        ("de", ("en", "de"), True),
        ("fr", ("en",), False),
    ],
)
def test_a_plain_code_allows_its_regions(language: str, allowed: tuple[str, ...], may: bool) -> None:
    assert allows(language=language, allowed=allowed) is may


@pytest.mark.parametrize(
    ("known", "allowed", "written"),
    [("fr", ("en",), "fr"), ("", ("de",), "de"), ("", ("de", "fr"), "en"), ("", (), "en")],
)
def test_an_unknown_language_is_the_campaigns_only_one_or_english(
    known: str, allowed: tuple[str, ...], written: str
) -> None:
    assert language_for(known=known, allowed=allowed) == written


def test_every_reason_is_explained_to_people() -> None:
    assert set(EXPLANATION) == set(Why)
