"""What is said of today rests on an observation that is young enough on the day of sending, and only for so long."""

from datetime import date, timedelta

import pytest

from messaging.verification.contract import CheckInput, MessageText, Report, Verdict
from messaging.verification.engine import verify
from messaging.verification.judge import hearing_of
from prospects.domain.dates import partial_date
from prospects.domain.evidence import Actor, Dossier, Evidence, Kind

SEND_BY = date(2026, 12, 15)
LIMIT = {"position": 180}


def _position(ref: str, seen: date | None, **fields: str) -> Evidence:
    text = f"{fields['title']} at {fields['company']}, {fields['start']} to {fields.get('end', 'today')}"
    started = partial_date(fields["start"])
    return Evidence(ref, Kind.POSITION, Actor.PROSPECT, text, fields, started, seen)


def _dossier(seen: date | None) -> Dossier:
    name = {"full_name": "Mira Aalto", "first_name": "Mira", "last_name": "Aalto"}
    post = "We moved our nightly builds to the morning, and the queue is empty by nine."
    return Dossier(
        "d",
        SEND_BY,
        (
            Evidence("1", Kind.NAME, Actor.PROSPECT, "Mira Aalto", name, None, seen),
            _position("2", seen, title="Head of Platform", company="Brightloom", start="2021-03"),
            _position("3", seen, title="Site Reliability Engineer", company="Norrvik", start="2017-05", end="2021-02"),
            Evidence("4", Kind.POST, Actor.PROSPECT, post, {}, partial_date("2026-12-01"), seen),
        ),
    )


def _report(body: str, *, days: int | None, language: str = "en", limit: dict[str, int] | None = None) -> Report:
    seen = None if days is None else SEND_BY - timedelta(days=days)
    message = MessageText("", body, language, "email")
    return verify(CheckInput(message, _dossier(seen), max_observed_days=LIMIT if limit is None else limit))


PRESENT = [
    ("en", "As Head of Platform at Brightloom you will know this."),
    ("en", "You are Head of Platform at Brightloom."),
    ("en", "Your role as Head of Platform caught my eye."),
    ("en", "You work at Brightloom."),
    ("en", "How do you at Brightloom plan builds?"),
    ("en", "You have been Head of Platform for more than five years."),
    ("en", "You have been at Brightloom since March 2021."),
    ("de", "Sie sind Head of Platform bei Brightloom."),
    ("nl", "U bent Head of Platform bij Brightloom."),
    ("fr", "Vous êtes Head of Platform chez Brightloom."),
    ("it", "Lei è Head of Platform in Brightloom."),
    ("es", "Usted es Head of Platform en Brightloom."),
    ("pt-BR", "Você é Head of Platform na Brightloom."),
]


@pytest.mark.parametrize(("language", "body"), PRESENT)
def test_a_claim_of_today_needs_a_recent_observation(language: str, body: str) -> None:
    fresh = _report(body, days=180, language=language)
    assert fresh.passes, [(claim.span, claim.reason) for claim in fresh.findings]
    assert fresh.valid_until == SEND_BY
    stale = _report(body, days=181, language=language)
    assert not stale.passes
    [reason] = {claim.reason for claim in stale.findings}
    assert reason == (
        "The position Head of Platform at Brightloom was last seen on 17 Jun 2026, 181 days before the day of sending; "
        "what is said of today may be 180 days old."
    )
    assert {claim.verdict for claim in stale.findings} == {Verdict.UNSUPPORTED}
    assert {claim.hint for claim in stale.findings} == {"Refresh the profile."}
    assert {claim.evidence for claim in stale.findings} == {()}  # so that no judge is asked either


@pytest.mark.parametrize(
    "body",
    [
        "You joined Brightloom in March 2021.",
        "You became Head of Platform at Brightloom in March 2021.",
        "Before, you were Site Reliability Engineer at Norrvik.",
        "You wrote that you moved your nightly builds to the morning.",
        "Would you have fifteen minutes next week?",
    ],
)
def test_what_was_stays_true_however_old_the_observation(body: str) -> None:
    report = _report(body, days=2000)
    assert report.passes, [(claim.span, claim.reason) for claim in report.findings]


@pytest.mark.parametrize(
    "body", ["You are Head of Platform at Brightloom.", "Your role as Head of Platform stood out."]
)
def test_a_record_that_nobody_dated_supports_nothing_of_today(body: str) -> None:
    report = _report(body, days=None)
    assert not report.passes
    assert "Nobody recorded when the position Head of Platform at Brightloom was seen" in report.findings[0].reason


@pytest.mark.parametrize(("days", "until"), [(0, 180), (30, 150), (179, 1)])
def test_the_observation_limits_how_long_the_text_stays_true(days: int, until: int) -> None:
    report = _report("You are Head of Platform at Brightloom.", days=days)
    assert report.valid_until == SEND_BY + timedelta(days=until)


@pytest.mark.parametrize(("earliest", "passes"), [(-7, True), (-6, True), (-5, False), (0, False)])
def test_it_may_go_out_while_the_observation_is_young_enough(earliest: int, passes: bool) -> None:
    message = MessageText("", "You are Head of Platform at Brightloom.", "en", "email")
    seen = SEND_BY - timedelta(days=186)
    check = CheckInput(message, _dossier(seen), max_observed_days=LIMIT, earliest=SEND_BY + timedelta(days=earliest))
    report = verify(check)
    assert report.passes is passes
    assert report.valid_until == (SEND_BY - timedelta(days=6) if passes else None)


def test_without_a_limit_nothing_ages() -> None:
    report = _report("You are Head of Platform at Brightloom.", days=5000, limit={})
    assert report.passes
    assert report.valid_until is None


def test_each_kind_has_its_own_limit() -> None:
    assert _report("You are Head of Platform at Brightloom.", days=200, limit={"position": 365, "headline": 30}).passes
    assert _report("You are Head of Platform at Brightloom.", days=200, limit={"headline": 30}).passes


def test_a_length_of_time_holds_until_its_next_year() -> None:
    report = _report("You have been Head of Platform for nearly six years.", days=0, limit={})
    assert report.passes
    assert report.valid_until is not None
    assert date(2027, 2, 1) <= report.valid_until <= date(2027, 3, 31)  # it began in March 2021


def test_no_second_reader_lifts_a_claim_of_today_that_is_too_old() -> None:
    body = "You are Head of Platform at Brightloom."
    message = MessageText("", body, "en", "email")
    check = CheckInput(message, _dossier(SEND_BY - timedelta(days=400)), max_observed_days=LIMIT)
    assert hearing_of(check, verify(check)) is None
