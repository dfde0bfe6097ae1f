"""The language of a text. The detector (lingua) is loaded on first use; short texts get no answer rather than a guess."""

from __future__ import annotations

from functools import lru_cache

from lingua import Language, LanguageDetector, LanguageDetectorBuilder

_LEAST_CHARACTERS = 25
_LEAST_CONFIDENCE = 0.6
_CANDIDATES = (
    Language.ENGLISH,
    Language.GERMAN,
    Language.FRENCH,
    Language.SPANISH,
    Language.PORTUGUESE,
    Language.ITALIAN,
    Language.DUTCH,
    Language.POLISH,
    Language.SWEDISH,
    Language.DANISH,
    Language.TURKISH,
    Language.RUSSIAN,
    Language.ARABIC,
    Language.CHINESE,
    Language.JAPANESE,
)


@lru_cache(maxsize=1)
def _detector() -> LanguageDetector:
    return LanguageDetectorBuilder.from_languages(*_CANDIDATES).build()


def language_of_text(text: str) -> str:
    """ISO 639-1 code, "" when the text is too short or the answer too unsure."""
    words = " ".join(word for word in text.split() if not word.startswith(("#", "@", "http")))
    if len(words) < _LEAST_CHARACTERS:
        return ""
    best = _detector().compute_language_confidence_values(words[:1_000])[0]
    return best.language.iso_code_639_1.name.lower() if best.value >= _LEAST_CONFIDENCE else ""
