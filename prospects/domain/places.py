"""Countries in a location and names of languages, in the languages that profiles are written in (CLDR, by Babel)."""

from __future__ import annotations

from functools import lru_cache

from babel import Locale, UnknownLocaleError
from babel.languages import get_official_languages

_LOCALES = ("en", "de", "fr", "es", "pt", "it", "nl", "sv", "da", "pl", "ja", "zh", "ar", "ru")
_ALSO = {
    "usa": "US",
    "u.s.": "US",
    "united states of america": "US",
    "uk": "GB",
    "england": "GB",
    "scotland": "GB",
    "wales": "GB",
    "great britain": "GB",
    "the netherlands": "NL",
    "holland": "NL",
    "uae": "AE",
    "czech republic": "CZ",
    "schweiz": "CH",
}
#: What people there write in at work, where CLDR's list of official languages says too much or too little.
_AT_WORK = {
    "US": ("en",),
    "GB": ("en",),
    "AU": ("en",),
    "IN": ("en",),
    "IE": ("en",),
    "PH": ("en",),
    "ES": ("es",),
    "MX": ("es",),
    "AR": ("es",),
    "CL": ("es",),
    "LU": ("fr", "de"),
}
_MOST = 3


@lru_cache(maxsize=1)
def _territories() -> dict[str, str]:
    names = dict(_ALSO)
    for locale in _LOCALES:
        for code, name in Locale(locale).territories.items():
            if len(code) == 2 and code.isalpha():
                names.setdefault(name.casefold(), code)
    return names


@lru_cache(maxsize=1)
def _language_names() -> dict[str, str]:
    names: dict[str, str] = {}
    for locale in _LOCALES:
        for code, name in Locale(locale).languages.items():
            if len(code) <= 3:
                names.setdefault(name.casefold(), code)
    return names


def territory_of(location: str) -> str:
    """The ISO code of the country that a location ends in ("Hamburg, Germany" → "DE"), "" when it names none."""
    parts = [part.strip().casefold() for part in location.replace("·", ",").split(",")]
    return next((code for part in reversed(parts) if (code := _territories().get(part, ""))), "")


def languages_of_place(territory: str) -> tuple[str, ...]:
    """The official languages of a country, the main one first; () when unknown."""
    if not territory:
        return ()
    if territory in _AT_WORK:
        return _AT_WORK[territory]
    return tuple(code.replace("_", "-") for code in get_official_languages(territory)[:_MOST])


def name_of_language(code: str) -> str:
    """The English name of a language code; the code itself where it has none."""
    if not code:
        return ""
    try:
        return str(Locale.parse(code, sep="-").get_display_name("en") or code)
    except (UnknownLocaleError, ValueError):
        return str(Locale("en").languages.get(code, code))


def language_named(name: str) -> str:
    """The code of a language by its name in any supported language ("Französisch" → "fr"), "" when unknown."""
    return _language_names().get(name.casefold().split("(")[0].strip(), "")
