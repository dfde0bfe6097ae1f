"""A declaration can make the reading stricter, never softer."""

from messaging.verification.contract import CheckInput, ClaimType, DeclaredClaim, MessageText, Report
from messaging.verification.engine import verify

from .cases import dossier

BODY = "You are a Staff SRE at Brightloom. You found eleven queries that used 40% of the CPU."
LIE = "You are a Principal SRE at Brightloom."


def _declared(body: str, span: str, arguments: dict[str, str], *evidence: str) -> Report:
    start = body.index(span)
    claim = DeclaredClaim("body", start, start + len(span), ClaimType.TITLE, arguments, evidence)
    return verify(CheckInput(MessageText("", body, "en", "email"), dossier("W1-D2"), declared=(claim,)))


def test_a_declaration_with_the_right_evidence_passes() -> None:
    title = {"title": "Staff Site Reliability Engineer"}
    assert _declared(BODY, "You are a Staff SRE at Brightloom.", title, "positions[0]").passes


def test_evidence_that_does_not_support_the_arguments_is_found() -> None:
    findings = _declared(BODY, "eleven queries", {"count": "eleven"}, "positions[0]").findings
    assert [claim.span for claim in findings] == ["eleven queries"]


def test_evidence_that_is_not_in_the_dossier_is_found() -> None:
    assert "post9" in _declared(BODY, "eleven queries", {}, "post9").findings[0].reason


def test_a_declared_lie_stays_a_lie() -> None:
    assert not _declared(LIE, LIE, {"title": "Staff Site Reliability Engineer"}, "positions[0]").passes


def test_a_span_outside_the_text_is_found() -> None:
    claim = DeclaredClaim("body", 5, 5000, ClaimType.TITLE, {}, ("positions[0]",))
    message = MessageText("", BODY, "en", "email")
    assert not verify(CheckInput(message, dossier("W1-D2"), declared=(claim,))).passes
