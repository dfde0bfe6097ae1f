"""Names of people as exports hold them: credentials, emoji, nicknames, particles, CJK order, and nobody at all."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from prospects.domain.name_words import (
    COMPOUND_SURNAMES,
    CREDENTIALS,
    GENERATIONS,
    HONORIFICS,
    NICKNAMES,
    NOBODY,
    PARTICLES,
    PRONOUNS,
)

_BRACKETED = re.compile(r'[(\[{\uff08](.*?)[)\]}\uff09]|[\u201c"\u00ab](.*?)[\u201d"\u00bb]')
_CUT = re.compile(r"\s[|\u2022\u00b7/]\s|\s[\u2013\u2014-]\s|[|\u2022]")
_BORN = re.compile(r"\b(?:n[ée]e|geb\.?|born|nata)\s+(.+)", re.IGNORECASE)
_SPACE = re.compile(r"\s+")
_NOT_ALNUM = re.compile(r"[^a-zA-Z0-9]+")
_FORMULA = re.compile(r"[=@]|[+-]\s*\d|[+-].*[(!|]")
#: Characters; longer is a text that got into the wrong column, and would break every page that shows it.
LONGEST = 300
_EDGES = " .,;:*_~#"
#: One word in which there is nothing to clean, cut off or recase.
_PLAIN = re.compile(r"[A-Z][a-z]+")


@dataclass(frozen=True, slots=True)
class PersonName:
    """A cleaned name. `raw` is what the source wrote; `former` a birth name, `nickname` a name in brackets."""

    full: str
    first: str
    last: str
    suffix: str = ""
    nickname: str = ""
    former: str = ""
    raw: str = ""


@dataclass(frozen=True, slots=True)
class NoName:
    """There is nobody of that name; `reason` completes "skipped: …"."""

    reason: str


def _is_kept(sign: str) -> bool:
    category = unicodedata.category(sign)
    if category in {"So", "Sk", "Cs", "Co", "Cn", "Sm"}:
        return False
    return category not in {"Cf", "Cc"} or sign == "\u200c"


def strip_symbols(text: str) -> str:
    """Emoji, flags, dingbats, zero-width and control characters removed; spaces folded."""
    spaced = "".join(" " if sign.isspace() else sign for sign in text)
    kept = "".join(sign for sign in spaced if _is_kept(sign) and not "\ufe00" <= sign <= "\ufe0f")
    return _SPACE.sub(" ", kept).strip()


def fold_name(text: str) -> str:
    """For comparing: accents, case and punctuation folded, words sorted out by single spaces."""
    if text.isascii():
        return " ".join(_NOT_ALNUM.sub(" ", text).lower().split())
    plain = unicodedata.normalize("NFKD", text.replace("ß", "ss").replace("ø", "o").replace("Ø", "O").replace("ł", "l"))
    letters = "".join(sign if sign.isalnum() else " " for sign in plain if not unicodedata.combining(sign))
    return _SPACE.sub(" ", letters.casefold()).strip()


def _is_cjk(text: str) -> bool:
    letters = [sign for sign in text if sign.isalpha()]
    return bool(letters) and all(
        "\u3040" <= sign <= "\u30ff" or "\u3400" <= sign <= "\u9fff" or "\uac00" <= sign <= "\ud7af" for sign in letters
    )


def _bare(token: str) -> str:
    return token.strip(_EDGES).replace(".", "").casefold()


def _is_credential(token: str) -> bool:
    words = [_bare(word) for word in token.split()]
    return bool(words) and all(word in CREDENTIALS or word in GENERATIONS or not word for word in words)


def _take_brackets(text: str) -> tuple[str, str, str]:
    """The text without its brackets, a nickname, and a former name found in them."""
    nickname = former = ""
    for match in _BRACKETED.finditer(text):
        inner = (match.group(1) or match.group(2) or "").strip()
        born = _BORN.match(inner)
        if born:
            former = born.group(1).strip()
        elif not _is_pronoun(inner) and not _is_credential(inner) and inner.replace("-", "").isalpha():
            nickname = nickname or inner
    return _SPACE.sub(" ", _BRACKETED.sub(" ", text)).strip(), nickname, former


def _is_pronoun(text: str) -> bool:
    words = re.split(r"[/,\s]+", text.casefold())
    return bool(words) and all(word in PRONOUNS for word in words)


def _take_honorifics(text: str) -> str:
    words = text.split()
    while len(words) > 1 and _bare(words[0]) in HONORIFICS:
        words.pop(0)
    return " ".join(words)


def _take_trailing_suffixes(words: list[str]) -> tuple[list[str], list[str]]:
    suffixes: list[str] = []
    while len(words) > 1:
        bare, last = _bare(words[-1]), words[-1]
        generation = bare in GENERATIONS and (len(words) > 2 or last.endswith("."))
        title = bare in CREDENTIALS and len(words) > 2 and any(sign.isupper() for sign in last[1:])
        if not (generation or title):
            break
        suffixes.insert(0, words.pop())
    return words, suffixes


def _split_commas(text: str) -> tuple[str, str, list[str]]:
    """(first part, part after "Last, First", credentials)."""
    parts = [part.strip() for part in re.split("[,\uff0c\u060c]", text) if part.strip()]
    if not parts:
        return "", "", []
    credentials = [part for part in parts[1:] if _is_credential(part)]
    others = [part for part in parts[1:] if not _is_credential(part)]
    return parts[0], others[0] if others else "", credentials


def _recase(word: str) -> str:
    return re.sub(r"[^\W\d_]+", lambda match: match.group(0).capitalize(), word)


def _fix_capitals(text: str) -> str:
    letters = [sign for sign in text if sign.isalpha()]
    shouted = len(letters) > 3 and all(sign.isupper() for sign in letters)
    return " ".join(_recase(word) for word in text.split()) if shouted else text


def _split_cjk(text: str) -> tuple[str, str]:
    words = text.split()
    if len(words) > 1:
        return " ".join(words[1:]), words[0]
    surname = text[:2] if text[:2] in COMPOUND_SURNAMES and len(text) > 2 else text[:1]
    return (text[len(surname) :], surname) if len(text) > 1 else (text, "")


def _split_western(text: str) -> tuple[str, str]:
    words = text.split()
    if len(words) < 2:
        return text, ""
    start = next((index for index, word in enumerate(words) if index and _bare(word) in PARTICLES), 1)
    if start == len(words) - 1 and _bare(words[start]) in PARTICLES:
        start = 1
    return " ".join(words[:start]), " ".join(words[start:])


def _nobody(raw: str) -> NoName | None:
    folded = fold_name(raw)
    if not raw.strip():
        return NoName("it has no name")
    if len(raw) > LONGEST:
        return NoName(f"its name {raw.strip()[:40] + '…'!r} is longer than {LONGEST} characters")
    if _FORMULA.match(raw.strip()):
        return NoName(f"its name {raw.strip()[:40]!r} is a formula, not a name")
    if folded in NOBODY:
        return NoName(f"{raw.strip()!r} stands for someone who is hidden or gone")
    if "@" in raw or "://" in raw:
        return NoName(f"its name {raw.strip()[:40]!r} is an address, not a name")
    return None


def _is_plain(raw: str) -> bool:
    return _PLAIN.fullmatch(raw) is not None and len(raw) <= LONGEST and raw.lower() not in NOBODY


@lru_cache(maxsize=4_096)
def read_name(raw: str) -> PersonName | NoName:
    """A person's name from one cell."""
    if _is_plain(raw):
        return PersonName(full=raw, first=raw, last="", raw=raw)
    nobody = _nobody(raw)
    if nobody:
        return nobody
    text, nickname, former = _take_brackets(strip_symbols(_CUT.split(raw, maxsplit=1)[0]))
    before, after, credentials = _split_commas(text)
    text = _take_honorifics(f"{after} {before}" if after else before)
    if after:
        words, trailing = _take_trailing_suffixes(after.split())
        text = " ".join([*words, before])
    else:
        words, trailing = _take_trailing_suffixes(text.split())
        text = " ".join(words)
    text = _take_honorifics(_fix_capitals(text)).strip(_EDGES.replace(".", ""))
    if not any(sign.isalpha() for sign in text):
        return NoName(f"its name {raw.strip()[:40]!r} has no letters")
    first, last = _split_cjk(text) if _is_cjk(text) else _split_western(text)
    suffix = ", ".join(_recase(part) if _bare(part) in {"jr", "sr"} else part for part in [*trailing, *credentials])
    return PersonName(
        full=text, first=first, last=last, suffix=suffix, nickname=nickname, former=former, raw=raw.strip()
    )


def _join(first: str, last: str) -> str:
    if _is_cjk(first) and _is_cjk(last):
        return last + first
    return " ".join(part for part in (first, last) if part)


def name_from_parts(first: str, last: str) -> PersonName | NoName:
    """A person's name from a column for the first and one for the last name; the columns' split is kept."""
    both = f"{first} {last}"
    if _is_plain(first) and _is_plain(last) and both.lower() not in NOBODY and len(both) <= LONGEST:
        return PersonName(full=both, first=first, last=last, raw=both)
    return _from_any_parts(first, last)


def _from_any_parts(first: str, last: str) -> PersonName | NoName:
    raw = " ".join(part.strip() for part in (first, last) if part.strip())
    for part in (first, last):
        nobody = _nobody(part) if part.strip() else None
        if nobody and fold_name(part) not in {"member", "linkedin"}:
            return nobody
    whole = _nobody(raw)
    if whole:
        return whole
    if not first.strip() or not last.strip():
        return read_name(first or last)
    given, family = read_name(first), read_name(last)
    if isinstance(given, NoName):
        return read_name(last)
    if isinstance(family, NoName) or (_is_credential(last) and any(sign.isupper() for sign in last.strip()[1:])):
        return read_name(first)
    return PersonName(
        full=_join(given.full, family.full),
        first=given.full,
        last=family.full,
        suffix=", ".join(filter(None, (given.suffix, family.suffix))),
        nickname=given.nickname or family.nickname,
        former=given.former or family.former,
        raw=raw,
    )


def _given_agree(one: str, other: str) -> bool:
    if not one or not other:
        return True
    if one.startswith(other) or other.startswith(one):
        return True
    return any({one, other} <= group for group in NICKNAMES)


def _script(text: str) -> str:
    letter = next((sign for sign in text if sign.isalpha()), "a")
    return unicodedata.name(letter, "LATIN").split(" ")[0]


def names_agree(one: PersonName, other: PersonName) -> bool:
    """Whether two names can be one person's, given that a key already says so.

    A new surname is life; another given name is another person. Initials, nicknames, and names in
    different scripts cannot disagree.
    """
    if _script(one.full) != _script(other.full):
        return True
    folded, wanted = fold_name(one.full).split(), fold_name(other.full).split()
    if sorted(folded) == sorted(wanted):
        return True
    if set(folded) <= set(wanted) or set(wanted) <= set(folded):
        return True
    firsts = {fold_name(name).split(" ")[0] for name in (one.first, one.nickname) if name}
    others = {fold_name(name).split(" ")[0] for name in (other.first, other.nickname) if name}
    return any(_given_agree(a, b) for a in firsts for b in others)
