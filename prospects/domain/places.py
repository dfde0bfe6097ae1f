"""Countries in a location and names of languages, in the languages that profiles are written in (CLDR, by Babel)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

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
    "CH": ("de", "fr", "it"),
    "BE": ("nl", "fr"),
    "CA": ("en",),
    "FI": ("fi",),
    "NO": ("nb",),
    "ZA": ("en",),
    "SG": ("en",),
    "PK": ("en", "ur"),
    "HK": ("zh", "en"),
}
_MOST = 3
#: Where a part of a country writes another language than most of it.
_PARTS: Mapping[str, Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "CH": {
            **dict.fromkeys(("geneva", "genève", "genf", "lausanne", "vaud", "neuchâtel", "jura", "sion", "valais"), ("fr",)),
            **dict.fromkeys(("ticino", "tessin", "lugano", "bellinzona", "locarno"), ("it",)),
        },
        "BE": {
            **dict.fromkeys(("wallonia", "wallonie", "walloon region", "liège", "namur", "charleroi", "mons"), ("fr",)),
            **dict.fromkeys(
                ("flanders", "vlaanderen", "flemish region", "antwerp", "antwerpen", "ghent", "gent", "leuven", "bruges", "brugge", "hasselt"),
                ("nl",),
            ),
            **dict.fromkeys(("brussels", "bruxelles", "brussel", "brussels region"), ("fr", "nl")),
        },
        "CA": dict.fromkeys(("quebec", "québec", "montreal", "montréal", "laval", "gatineau", "sherbrooke"), ("fr",)),
    }
)  # fmt: skip
#: Cities that profiles name without their country.
_CITIES = {
    city: code
    for code, cities in {
        "DE": "berlin|hamburg|munich|münchen|cologne|köln|frankfurt|stuttgart|düsseldorf|leipzig",
        "AT": "vienna|wien", "CH": "zurich|zürich|geneva|genève|lausanne", "FR": "paris|lyon|marseille|toulouse|lille|nantes",
        "GB": "london|manchester|edinburgh", "IE": "dublin", "ES": "madrid|barcelona|valencia|sevilla", "IT": "milan|milano|rome|roma|turin|torino",
        "NL": "amsterdam|rotterdam|utrecht|eindhoven|the hague|den haag", "BE": "brussels|bruxelles|antwerp", "PT": "lisbon|lisboa|porto",
        "BR": "são paulo|sao paulo|rio de janeiro|belo horizonte|curitiba", "US": "san francisco|new york|new york city|los angeles|chicago|boston|seattle|austin",
        "PL": "warsaw|warszawa|kraków", "SE": "stockholm|gothenburg|göteborg", "DK": "copenhagen|københavn", "NO": "oslo", "FI": "helsinki",
    }.items()
    for city in cities.split("|")
}  # fmt: skip
#: What profiles write around the name of a city.
_AROUND = re.compile(
    r"\b(?:greater|metropolitan|metro|bay|area|region|et périphérie|und umgebung|y alrededores|e região|e dintorni|en omgeving)\b"
)


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


@lru_cache(maxsize=8_192)
def territory_of(location: str) -> str:
    """The ISO code of the country that a location ends in ("Hamburg, Germany" → "DE"), "" when it names none."""
    parts = _parts_of(location)
    country = next((code for part in reversed(parts) if (code := _territories().get(part, ""))), "")
    return country or next((code for part in parts if (code := _CITIES.get(part, ""))), "")


def _parts_of(location: str) -> list[str]:
    parts = (" ".join(_AROUND.sub(" ", part.casefold()).split()) for part in location.replace("·", ",").split(","))
    return [part for part in parts if part]


@lru_cache(maxsize=8_192)
def languages_of_place(territory: str, location: str = "") -> tuple[str, ...]:
    """The official languages of a country, the main one first, or of the part of it that a location names; () when unknown."""
    if not territory:
        return ()
    known = _PARTS.get(territory, {})
    part = next((known[part] for part in _parts_of(location) if part in known), None)
    if part is not None:
        return part
    if territory in _AT_WORK:
        return _AT_WORK[territory]
    return tuple(code.replace("_", "-") for code in get_official_languages(territory)[:_MOST])


@lru_cache(maxsize=1_024)
def name_of_language(code: str) -> str:
    """The English name of a language code; the code itself where it has none."""
    if not code:
        return ""
    try:
        return str(Locale.parse(code, sep="-").get_display_name("en") or code)
    except (UnknownLocaleError, ValueError):
        return str(Locale("en").languages.get(code.split("-", maxsplit=1)[0], code))


def language_named(name: str) -> str:
    """The code of a language by its name in any supported language ("Französisch" → "fr"), "" when unknown."""
    return _language_names().get(name.casefold().split("(")[0].strip(), "")
