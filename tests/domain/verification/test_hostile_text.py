"""Text of any length and shape is read, and the work grows with its length only."""

import gc
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from messaging.verification.language import Language, available, load
from messaging.verification.titles import title_words

from .cases import dossier, report

SIZE = 100_000
HOSTILE = {
    "one letter": "a" * SIZE,
    "blanks": " " * SIZE,
    "commas": "you, " * (SIZE // 5),
    "quotes": '"' * SIZE,
    "apostrophes": "'s" * (SIZE // 2),
    "numbers": "1,234.56 " * (SIZE // 9),
    "number words": "twenty-two hundred " * (SIZE // 19),
    "titles": "Chief Senior Vice President of " * (SIZE // 31),
    "months": "May 3 2025 June " * (SIZE // 16),
    "negations": "not never no " * (SIZE // 13),
    "greetings": "Hi Sian, " * (SIZE // 9),
    "openings": "would you could you may I " * (SIZE // 26),
    "look-alikes": "ОАсе\u200b" * (SIZE // 5),
    "combining marks": "e" + "\u0301" * SIZE,
    "words of the evidence": "chamber doors Sunday Monday stair units " * (SIZE // 41),
    "line breaks": "\n" * SIZE,
    "dots": "a. " * (SIZE // 3),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_ten_times_the_text_takes_no_more_than_a_multiple_of_ten(name: str) -> None:
    text = HOSTILE[name]
    report("Hi Sian, thank you.")
    short, long = _seconds(text[: SIZE // 10]), _seconds(text)
    assert long < 25 * short + 0.5


#: Words of the language itself, from its own lists, so that its grammar has the most to do.
LISTED = {
    "denials": "negation",
    "grammar": "function",
    "openings of clauses": "clause_openers",
    "questions": "question_openers",
    "greetings of its own": "greetings",
    "talk": "neutral",
    "times told as past": "past_markers",
    "reports": "reporting",
}
CALENDAR = ("months of its own", "numbers in words", "titles of its own", "evidence in a row")


@pytest.mark.parametrize("shape", [*LISTED, *CALENDAR])
@pytest.mark.parametrize("code", available())
def test_no_shape_of_text_takes_a_language_a_second(code: str, shape: str) -> None:
    text = _repeated(_words(load(code), shape))
    # The better of two: a machine that does something else meanwhile is no fault of the text.
    assert any(_seconds(text, code) < 1.0 for _ in range(2))


def _words(language: Language, shape: str) -> str:
    if shape in LISTED:
        return " ".join(sorted(language.words.get(LISTED[shape], ())))
    if shape == "months of its own":
        return " ".join(f"3 {month} 2025" for month in language.times["months"])
    if shape == "numbers in words":
        return " ".join(language.numbers["words"])
    if shape == "titles of its own":
        return " ".join(word.capitalize() for word in sorted(title_words(language)))
    return " ".join(item.text for item in dossier().items)


def _repeated(words: str) -> str:
    return (words + " ") * (SIZE // (len(words) + 1) + 1)


def _seconds(text: str, language: str = "en") -> float:
    # The collector's work grows with everything the test run holds, not with the text.
    gc.collect()
    gc.disable()
    try:
        begun = time.process_time()
        report(text, language=language)
        return time.process_time() - begun
    finally:
        gc.enable()


@given(st.text(max_size=300))
@settings(deadline=None)
def test_no_text_raises(text: str) -> None:
    checked = report(text)
    for claim in checked.claims:
        assert claim.span == text[claim.start : claim.end]
