"""Web servers verify in several threads at once: none may disturb another's reading."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from messaging.verification.language import load

WORDS = [f"{start}{end}" for start in ("organis", "deploy", "relat", "migrat", "respons") for end in (
    "ation", "ational", "ing", "ed", "ments", "ibility", "iveness", "izations", "fully", "es")]  # fmt: skip


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_words_have_the_same_stems_in_every_thread(hasty: None) -> None:
    language = load("en")
    expected = [language.stems(word) for word in WORDS]
    with ThreadPoolExecutor(max_workers=4) as pool:
        for stems in pool.map(lambda _: [language.stems(word) for word in WORDS], range(40)):
            assert stems == expected
