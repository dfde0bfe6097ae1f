"""The language of a text. The detector (lingua) is loaded on first use; short texts get no answer rather than a guess.

Its models of single letters to threes (36 MB for 29 languages) tell posts and summaries as well as the full ones
(540 MB) do: measured on 97 texts in seven languages, no wrong answer in either from 60 characters on.
"""

from __future__ import annotations

from functools import lru_cache

from lingua import Language, LanguageDetector, LanguageDetectorBuilder

_LEAST_CHARACTERS, _SHORT = 40, 60
_LEAST_CONFIDENCE, _LEAST_WHEN_SHORT = 0.6, 0.97
#: Signs from here on belong to scripts that one language, or few, are written in: a dozen of them say enough.
_OTHER_SCRIPTS, _LEAST_IN_OTHERS = 0x0370, 12
_CANDIDATES = (
    Language.ENGLISH, Language.GERMAN, Language.FRENCH, Language.SPANISH, Language.PORTUGUESE, Language.ITALIAN, Language.DUTCH,
    Language.POLISH, Language.SWEDISH, Language.DANISH, Language.BOKMAL, Language.FINNISH, Language.CZECH, Language.HUNGARIAN,
    Language.ROMANIAN, Language.CATALAN, Language.TURKISH, Language.RUSSIAN, Language.UKRAINIAN, Language.GREEK, Language.HEBREW,
    Language.ARABIC, Language.HINDI, Language.THAI, Language.INDONESIAN, Language.VIETNAMESE, Language.CHINESE, Language.JAPANESE,
    Language.KOREAN,
)  # fmt: skip


@lru_cache(maxsize=1)
def _detector() -> LanguageDetector:
    return LanguageDetectorBuilder.from_languages(*_CANDIDATES).with_low_accuracy_mode().build()


def _least_confidence(words: str) -> float:
    """How sure the detector has to be; above 1 for what is too short to tell."""
    if not words.isascii():
        letters = [sign for sign in words if sign.isalpha()]
        if sum(ord(sign) >= _OTHER_SCRIPTS for sign in letters) > len(letters) / 2:
            return _LEAST_CONFIDENCE if len(letters) >= _LEAST_IN_OTHERS else 2.0
    if len(words) < _LEAST_CHARACTERS:
        return 2.0
    return _LEAST_WHEN_SHORT if len(words) < _SHORT else _LEAST_CONFIDENCE


def language_of_text(text: str) -> str:
    """ISO 639-1 code, "" when the text is too short or the answer too unsure."""
    words = " ".join(word for word in text.split() if not word.startswith(("#", "@", "http")))[:1_000]
    needed = _least_confidence(words)
    if needed > 1:
        return ""
    best = _detector().compute_language_confidence_values(words)[0]
    return best.language.iso_code_639_1.name.lower() if best.value >= needed else ""
