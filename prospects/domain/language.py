"""Which language to write in: signals weighed to a decision, with confidence and reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from prospects.domain.detection import language_of_text
from prospects.domain.evidence import Evidence, Kind
from prospects.domain.places import language_named, languages_of_place, name_of_language, territory_of

#: Languages in which messages can be written; others are recognised and said to be not yet written.
WRITTEN = ("en", "de", "fr", "es", "pt-BR", "it", "nl")
_OWN_TEXTS = frozenset({Kind.POST, Kind.COMMENT})
_PROFILE_WEIGHT, _POSTS_WEIGHT, _TEXT_WEIGHT, _NATIVE_WEIGHT, _FLUENT_WEIGHT, _PLACE_WEIGHT = (
    3.0,
    3.0,
    1.5,
    1.0,
    0.4,
    1.0,
)
_ENOUGH = 2.5
#: Codes that were given up, and the written form of a language that has two.
_SAME = {"no": "nb", "nn": "nb", "iw": "he", "in": "id", "ji": "yi"}
_NATIVE = (
    "native", "bilingual", "mutter", "maternelle", "nativo", "nativa", "materna", "madrelingua", "moedertaal",
    "langue natale", "bilingue", "zweisprachig", "tweetalig", "c2",
)  # fmt: skip
_FLUENT = ("full professional", "fluent", "verhandlungssicher", "courant", "fluente", "vloeiend", "fließend", "c1")


@dataclass(frozen=True, slots=True)
class Signal:
    """One reason. weight is what it adds for its language."""

    source: str
    code: str
    weight: float
    reason: str


@dataclass(frozen=True, slots=True)
class LanguageDecision:
    """code is "" when nothing is known. confidence 0 to 1: the share of the decided language, less when little is known."""

    code: str
    confidence: float
    signals: tuple[Signal, ...]

    @property
    def written(self) -> bool:
        return self.code in WRITTEN


def _plain_code(code: str) -> str:
    """ "pt_BR" → "pt-BR", "DE" → "de"."""
    language, _, region = code.replace("_", "-").partition("-")
    return f"{language.lower()}-{region.upper()}" if region else language.lower()


def _merge_region(code: str, territory: str) -> str:
    """Portuguese is one language for weighing; English and German of a country are the language itself."""
    language = _plain_code(code).split("-")[0]
    language = _SAME.get(language, language)
    if language == "pt":
        return "pt-PT" if _plain_code(code) == "pt-PT" or territory == "PT" else "pt-BR"
    return language


def _post_signals(items: Sequence[Evidence], territory: str) -> list[Signal]:
    if not any(item.kind in _OWN_TEXTS for item in items):
        return []
    codes = Counter(
        _merge_region(code, territory)
        for item in items
        if item.kind in _OWN_TEXTS and (code := item.language or language_of_text(item.text))
    )
    total = sum(codes.values())
    return [
        Signal(
            "posts",
            code,
            round(_POSTS_WEIGHT * count / total * min(1.0, 0.5 + total / 4), 3),
            f"{count} of {total} posts and comments in {name_of_language(code)}",
        )
        for code, count in codes.most_common()
    ]


def _text_signals(items: Sequence[Evidence], territory: str) -> list[Signal]:
    about = next((item.text for item in items if item.kind is Kind.ABOUT), "")
    code = language_of_text(about) if about else ""
    return (
        [Signal("about", _merge_region(code, territory), _TEXT_WEIGHT, f"summary written in {name_of_language(code)}")]
        if code
        else []
    )


def _profile_signals(items: Sequence[Evidence], territory: str) -> list[Signal]:
    codes = [item.get("code") or item.text for item in items if item.kind is Kind.PROFILE_LANGUAGE]
    return [
        Signal(
            "profile",
            _merge_region(code, territory),
            _PROFILE_WEIGHT,
            f"profile kept in {name_of_language(_plain_code(code))}",
        )
        for code in codes[:1]
        if code
    ]


def _listed_signals(items: Sequence[Evidence], territory: str) -> list[Signal]:
    found = []
    for item in items:
        if item.kind is not Kind.LANGUAGE:
            continue
        code = language_named(item.get("name") or item.text)
        level = item.get("level").casefold()
        weight = _NATIVE_WEIGHT if any(word in level for word in _NATIVE) else 0.0
        weight = weight or (_FLUENT_WEIGHT if any(word in level for word in _FLUENT) else 0.0)
        if code and weight:
            found.append(Signal("listed", _merge_region(code, territory), weight, f"lists {item.text}"))
    return found


@lru_cache(maxsize=8_192)
def _place_signals(location: str, territory: str) -> tuple[Signal, ...]:
    """The main language of a place of several weighs most; what a bilingual place writes stays open."""
    codes = languages_of_place(territory, location)
    parts = [len(codes) - at for at in range(len(codes))]
    return tuple(
        Signal(
            "location",
            _merge_region(code, territory),
            round(_PLACE_WEIGHT * part / sum(parts), 3),
            f"lives in {location}",
        )
        for code, part in zip(codes, parts, strict=True)
    )


def decide_language(items: Iterable[Evidence]) -> LanguageDecision:
    """Weigh profile setting, own texts, listed languages and location. Pure, but loads a detector on first text."""
    known = list(items)
    location = next((item.text for item in known if item.kind is Kind.LOCATION), "")
    territory = territory_of(location)
    signals = [
        *_profile_signals(known, territory),
        *_post_signals(known, territory),
        *_text_signals(known, territory),
        *_listed_signals(known, territory),
        *_place_signals(location, territory),
    ]
    if not signals:
        return LanguageDecision(code="", confidence=0.0, signals=())
    weights: dict[str, float] = {}
    for signal in signals:
        weights[signal.code] = weights.get(signal.code, 0) + signal.weight
    # Of two that weigh the same, the one that can be written, then the one that was said first.
    code, weight = max(weights.items(), key=lambda entry: (round(entry[1], 6), entry[0] in WRITTEN))
    total = sum(weights.values())
    confidence = weight / total * min(1.0, total / _ENOUGH)
    return LanguageDecision(code=code, confidence=round(confidence, 2), signals=tuple(signals))
