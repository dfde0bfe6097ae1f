"""For every dossier at hand and every channel: verified, clean, within limits, in the right language, no two alike."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from functools import lru_cache
from itertools import combinations
from pathlib import Path

import pytest
from lingua import Language, LanguageDetectorBuilder

from messaging.verification.contract import CheckInput, MessageText
from messaging.verification.engine import verify
from messaging.writing.domain.quality import BLOCK, check_quality
from messaging.writing.domain.quality_alike import NEAR_DUPLICATE, similarity
from messaging.writing.domain.strategy import DEFAULT_BANDS, limits_of
from prospects.domain.dossier_json import read_dossier
from tests.domain.writing.material import CHANNELS, composed

ROOT = Path(__file__).parents[3]
OWN = [ROOT / "tests" / "data" / name / "dossiers.jsonl" for name in ("gold", "unseen_en", "hooks")]
SHARED = Path(os.environ.get("FOOTNOTE_SHARED", ROOT.parent / "shared")) / "gold" / "dossiers.jsonl"
NAMES = {
    "en": "ENGLISH",
    "de": "GERMAN",
    "fr": "FRENCH",
    "es": "SPANISH",
    "pt-BR": "PORTUGUESE",
    "it": "ITALIAN",
    "nl": "DUTCH",
}
#: What a dossier says of us and of names proves nothing about the person.
ABOUT_US = ("facts", "sender", "offer", "full_name", "company")
#: Share of messages (not of notes, which are short) that cite two things and use all three layers.
TWO_CITED, ALL_LAYERS = 0.85, 0.85


@lru_cache(maxsize=4)
def batch(*files: Path):
    """Every message of the batch, each kept apart from all before it: (id, language, channel, dossier, message)."""
    found = []
    for file in files:
        for entry in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
            dossier, language = read_dossier(entry), entry["prospect"]["profile_language"]
            for channel in CHANNELS:
                others = tuple(one[4].body for one in found)
                message = composed(dossier, channel, language=language, others=others)
                found.append((entry["dossier_id"], language, channel, dossier, message))
    return found


BATCHES = [
    pytest.param(OWN, id="our own"),
    pytest.param(
        [SHARED], id="shared", marks=pytest.mark.skipif(not SHARED.is_file(), reason="no shared dossiers here")
    ),
]


@pytest.mark.parametrize("files", BATCHES)
def test_every_message_is_verified_with_and_without_its_declarations(files):
    for name, language, channel, dossier, message in batch(*files):
        text = MessageText(subject=message.subject, body=message.body, language=language, channel=channel)
        for declared in (message.declared, None):
            report = verify(CheckInput(text, dossier, declared))
            assert report.passes, (name, channel, [(one.span, one.reason) for one in report.findings])


@pytest.mark.parametrize("files", BATCHES)
def test_no_message_breaks_a_rule_or_a_limit(files):
    for name, language, channel, _, message in batch(*files):
        limits = limits_of(channel=channel)
        findings = check_quality(
            subject=message.subject,
            body=message.body,
            channel=channel,
            language=language,
            band=DEFAULT_BANDS[channel],
            limits=limits,
        )
        assert [one for one in findings if one.level == BLOCK] == [], (name, channel)
        assert {one.rule for one in findings} <= {"too-short", "readability"}, (name, channel)
        assert len(message.body) <= limits.body


@pytest.mark.parametrize("files", BATCHES)
def test_a_detector_hears_the_language_meant(files):
    detector = LanguageDetectorBuilder.from_languages(*(getattr(Language, name) for name in NAMES.values())).build()
    for name, language, channel, _, message in batch(*files):
        assert detector.detect_language_of(message.body).name == NAMES[language], (name, channel, message.body)


@pytest.mark.parametrize("files", BATCHES)
def test_no_two_of_the_batch_are_alike(files, capsys):
    written = batch(*files)
    nearest = max(
        (similarity(one[4].body, other[4].body), one[0], one[2], other[0], other[2])
        for one, other in combinations(written, 2)
    )
    with capsys.disabled():
        sys.stdout.write(f"\n{len(written)} messages, most alike: {nearest[0]:.2f} ({' '.join(nearest[1:])})\n")
    assert nearest[0] < NEAR_DUPLICATE


@pytest.mark.parametrize("files", BATCHES)
def test_messages_cite_and_layer_what_the_evidence_allows(files, capsys):
    count: Counter[tuple[str, str]] = Counter()
    for _, language, channel, _, message in batch(*files):
        cited = {ref for claim in message.declared for ref in claim.evidence if not ref.startswith(ABOUT_US)}
        figures = {
            "all": 1,
            "one cited": len(cited) >= 1,
            "two cited": len(cited) >= 2,
            "layers": len(message.layers) == 3,
        }
        for group in (channel, language, "not notes" if channel != "linkedin_connection" else "notes"):
            count.update({(group, figure): int(holds) for figure, holds in figures.items()})
    with capsys.disabled():
        for group in dict.fromkeys(group for group, _ in count):
            sys.stdout.write(f"\n{group:20}" + "".join(f"  {figure} {count[group, figure]:3}" for figure in figures))
    written = count["not notes", "all"]
    assert count["not notes", "one cited"] == written
    assert count["not notes", "two cited"] >= TWO_CITED * written
    assert count["not notes", "layers"] >= ALL_LAYERS * written
