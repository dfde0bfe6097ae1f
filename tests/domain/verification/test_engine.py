"""The engine as its callers see it."""

import subprocess
import sys

from messaging.verification.contract import CheckInput, MessageText, Verdict
from messaging.verification.engine import VERIFIER_VERSION, verify

from .cases import dossier


def test_importing_the_verifier_loads_no_django() -> None:
    probe = "import sys, messaging.verification.engine; sys.exit('django' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", probe], check=False).returncode == 0


def test_a_language_without_a_folder_is_refused_with_that_reason() -> None:
    report = verify(CheckInput(MessageText("", "Sveiki!", "lv", "email"), dossier()))
    assert not report.passes
    assert "lv" in report.refused
    assert report.verifier_version == VERIFIER_VERSION


def test_a_verified_claim_is_reported_with_its_evidence() -> None:
    body = "Hi Sian, you have been Deputy Operations Director at Hartwell Precast since 2024."
    report = verify(CheckInput(MessageText("", body, "en", "email"), dossier()))
    assert report.passes, report.findings
    shown = {claim.span: claim.evidence for claim in report.claims if claim.verdict is Verdict.VERIFIED}
    assert shown["Deputy Operations Director"] == ("positions[0]",)
    assert shown["Sian"] == ("full_name",)
