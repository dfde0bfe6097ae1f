"""Who may not be enrolled, as a table."""

from dataclasses import replace

import pytest

from messaging.enrolment.domain.exclusions import EXPLANATION, Candidate, Why, allows, exclusion_of, language_for

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
