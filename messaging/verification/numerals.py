"""Numbers in words and digits, with unit, rounding and what they measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from messaging.verification.language import Language
from messaging.verification.tokens import Token

#: Length of a unit of time in days.
TIME_UNITS = {
    "minute": 1 / 1440,
    "hour": 1 / 24,
    "day": 1.0,
    "week": 7.0,
    "fortnight": 14.0,
    "month": 30.4375,
    "quarter": 91.3125,
    "year": 365.25,
    "decade": 3652.5,
}


_LONGEST_INFLECTION = 2
#: Words that are remembered as beginning a number or none.
_MOST_KNOWN = 60_000


@dataclass(frozen=True, slots=True)
class Quantity:
    """Tokens first (inclusive) to last (exclusive) say a number.

    unit      "%", a currency code, a key of TIME_UNITS, "fraction", "times", or "" for a plain count
    rounding  "", "about", "under" (the true value is lower) or "over" (it is higher)
    weak      an article that may mean one ("a week", "one")
    ordinal   "second", "3rd"
    per       the unit of time of a rate ("38% a year"), else ""
    """

    first: int
    last: int
    value: float
    unit: str = ""
    rounding: str = ""
    weak: bool = False
    ordinal: bool = False
    per: str = ""

    @property
    def days(self) -> float:
        """The length in days of a duration, else 0."""
        return self.value * TIME_UNITS.get(self.unit, 0.0)


def quantities(tokens: Sequence[Token], language: Language) -> list[Quantity]:
    """All numbers of a token sequence, in order."""
    found: list[Quantity] = []
    at = 0
    while at < len(tokens):
        quantity = None if _begins_none(tokens[at], language) else _read(tokens, at, language)
        if quantity is None:
            at += 1
            continue
        found.append(quantity)
        at = max(quantity.last, at + 1)
    return found


def _begins_none(token: Token, language: Language) -> bool:
    """Whether the word, wherever it stands, begins no number: most words, and settled once for each."""
    if not token.word:
        return False
    known: dict[str, bool] = language.compiled.setdefault("numbers.none", {})
    found = known.get(token.text)
    if found is None:
        if len(known) >= _MOST_KNOWN:
            known.clear()
        found = known[token.text] = not _may_begin(token, language)
    return found


def _may_begin(token: Token, language: Language) -> bool:
    numbers = language.numbers
    named = token.lower in numbers.get("ordinals", {}) or token.lower in numbers.get("specials", {})
    currency = any(sign.startswith(token.text) for sign in numbers.get("currency_signs", {}))
    suffixed = any(token.lower.find(suffix, 2) > 0 for suffix in numbers.get("suffixes", {}))
    return named or currency or suffixed or bool(_word_values(token.lower, language))


def _read(tokens: Sequence[Token], at: int, language: Language) -> Quantity | None:
    start, currency = _currency_before(tokens, at, language)
    value, end, weak, ordinal = _value(tokens, start, language)
    if value is None or _another_word(tokens, start, end, language):
        return _special(tokens, at, language)
    value, end, scaled = _scale(tokens, value, end, language)
    value, end = _and_a_half(tokens, value, end, language)
    aged = _age(tokens, end, language)
    settled = currency or aged > end or (weak and _part_of(tokens, end, language))
    unit, end = (currency, aged) if settled else _unit(tokens, end, language)
    value, end = _and_a_half(tokens, value, end, language, unit)
    if not unit and not ordinal:
        whole, after = _whole(tokens, value, end, language)
        if whole and 0 < value < whole:
            return Quantity(at, after, value / whole, "fraction", _rounding(tokens, at, after, language) or "about")
        if end + 1 < len(tokens) and tokens[end].text == "-":
            end += tokens[end + 1].lower in language.numbers.get("fractions", {})
    if weak and not scaled and not unit and not _fraction(tokens, end, language, weak=True):
        return None
    if not unit:
        fraction = _fraction(tokens, end, language, weak=weak)
        if fraction:
            return Quantity(
                at, end + 1, value * fraction, "fraction", _rounding(tokens, at, end + 1, language), weak=weak
            )
    rounding, per = _rounding(tokens, at, end, language), _per(tokens, end, language)
    return Quantity(at, end, value, unit, rounding, weak=weak, ordinal=ordinal, per=per)


def _age(tokens: Sequence[Token], end: int, language: Language) -> int:
    """End of "-year-old" behind a number, which is told without a unit elsewhere ("Aisha, nineteen"); else `end`."""
    for phrase in language.numbers.get("age_phrases", []):
        parts = phrase.split()
        if [token.lower for token in tokens[end : end + len(parts)]] == parts:
            return end + len(parts)
    return end


def _part_of(tokens: Sequence[Token], end: int, language: Language) -> bool:
    """ "A quarter of cases" is a part, "a quarter" alone a time."""
    if end + 1 >= len(tokens) or tokens[end].lower not in language.numbers.get("fractions", {}):
        return False
    return language.has("partitive", tokens[end + 1].lower)


def _another_word(tokens: Sequence[Token], at: int, end: int, language: Language) -> bool:
    """ "Sei" (six, you are), "neuf" (nine, new): a number only before a word that may be counted."""
    if end != at + 1 or tokens[at].lower not in language.numbers.get("ambiguous", []):
        return False
    following = tokens[end] if end < len(tokens) else None
    counted = following is not None and following.word and not following.capital
    return not counted or (following is not None and language.has("function", following.lower))


def _currency_before(tokens: Sequence[Token], at: int, language: Language) -> tuple[int, str]:
    signs = language.numbers.get("currency_signs", {})
    for size in (2, 1):  # "R$" is two tokens
        end = at + size
        code = signs.get("".join(token.text for token in tokens[at:end]), "")
        if code and end < len(tokens) and tokens[end].kind == "number" and tokens[end - 1].end - tokens[at].start <= 3:
            return end, code
    return at, ""


def _value(tokens: Sequence[Token], at: int, language: Language) -> tuple[float | None, int, bool, bool]:
    """(value, end, weak, ordinal) of the number that begins here."""
    token = tokens[at]
    if token.kind == "number":
        value = parse_digits(token.text, language.settings.get("decimal", "."))
        suffix = tokens[at + 1] if at + 1 < len(tokens) else None
        ordinal = bool(
            suffix
            and suffix.start == token.end
            and suffix.lower in language.numbers.get("ordinal_suffixes", [])
            and suffix.word
        )
        return value, at + 1 + ordinal, False, ordinal
    if not token.word:
        return None, at, False, False
    ordinals = language.numbers.get("ordinals", {})
    if token.lower in ordinals:
        return float(ordinals[token.lower]), at + 1, False, True
    parts, end = _number_words(tokens, at, language)
    if not parts:
        return None, at, False, False
    weak = len(parts) == 1 and token.lower in language.numbers.get("weak", [])
    return _evaluate(parts), end, weak, False


def parse_digits(text: str, decimal: str) -> float | None:
    """ "8,4" or "1.200" by the language's decimal sign; the other sign groups thousands.

    A language without one uses both signs for both: the last sign is decimal unless three digits follow it.
    """
    plain = text.replace(" ", "").replace("\u202f", "").replace("'", "")
    decimal = decimal or _decimal_of(plain)
    group = "," if decimal == "." else "."
    if group in plain:
        head, *groups = plain.split(group)
        tail = groups[-1].split(decimal)[0] if groups else ""
        plain = plain.replace(group, "") if len(tail) == 3 and len(head) <= 3 else plain.replace(group, ".")
    plain = plain.replace(decimal, ".").replace(":", ".")
    try:
        return float(plain)
    except ValueError:
        return None


def _decimal_of(text: str) -> str:
    last = max(text.rfind("."), text.rfind(","))
    if last < 0:
        return "."
    other = "," if text[last] == "." else "."
    grouped = len(text) - last == 4 and text[0] != "0" and other not in text
    return other if grouped else text[last]


def _number_words(tokens: Sequence[Token], at: int, language: Language) -> tuple[list[float], int]:
    """Values of consecutive number words that form one number, hyphens and joiners between them skipped."""
    parts: list[float] = []
    end = at
    while end < len(tokens):
        skip = end
        while parts and skip + 1 < len(tokens) and skip < end + 3 and _joins(tokens[skip], parts, language):
            skip += 1
        found = _word_values(tokens[skip].lower, language) if tokens[skip].word else []
        if not found or (parts and not _continues(parts, found[0])):
            break
        parts += found
        end = skip + 1
    return parts, end


def _joins(token: Token, parts: list[float], language: Language) -> bool:
    if token.text == "-":
        return True
    return token.lower in language.numbers.get("joiners", []) and parts[-1] >= language.numbers.get("joiner_after", 100)


def _continues(parts: list[float], value: float) -> bool:
    """Whether the value can extend the number: twenty + one, two + hundred, four + twenty (quatre-vingts)."""
    last = parts[-1]
    if value >= 100:
        return last < value or last >= 1000  # "dos mil quinientos"
    if last >= 100:
        return True
    return (last >= 20 and value < 20 and last % 10 == 0) or (last == 4 and value == 20) or (last == 1 and value == 0)


def _word_values(word: str, language: Language, shortest: int = 6) -> list[float]:
    table = language.numbers.get("words", {})
    if word in table:
        return [float(table[word])]
    if not language.numbers.get("joined", False) or len(word) < shortest:
        return []
    return _segments(word[:80], table, tuple(language.numbers.get("joiners", [])))


def _segments(word: str, table: dict[str, float], joiners: tuple[str, ...]) -> list[float]:
    """Split "zweihundertzwölf" into listed words, longest first; [] when a rest remains."""
    reached: dict[int, list[float]] = {0: []}
    for at in range(len(word)):
        if at not in reached:
            continue
        for end in range(len(word), at + 1, -1):
            piece = word[at:end]
            if end in reached:
                continue
            if piece in table:
                reached[end] = [*reached[at], float(table[piece])]
            elif piece in joiners and at:
                reached[end] = reached[at]
    return reached.get(len(word), [])


def _evaluate(parts: list[float]) -> float:
    total = current = 0.0
    for value in parts:
        if value >= 1000:
            total += max(current, 1.0) * value
            current = 0.0
        elif value == 100:
            current = max(current, 1.0) * value
        elif value == 20 and current % 100 == 4:
            current += 76
        else:
            current += value
    return total + current


def _per(tokens: Sequence[Token], end: int, language: Language) -> str:
    """ "38% *a year*", "one day *per week*": directly behind, or behind the noun that is counted."""
    linked = end < len(tokens) and language.has("name_linkers", tokens[end].lower)  # "1,1 milhão de devoluções por ano"
    for at in (end, end + 1, end + 2)[: 2 + linked]:
        if at + 1 < len(tokens) and tokens[at].lower in language.numbers.get("per_words", []):
            unit = str(language.numbers.get("units", {}).get(tokens[at + 1].lower, ""))
            if unit in TIME_UNITS:
                return unit
    return ""


def _and_a_half(
    tokens: Sequence[Token], value: float, end: int, language: Language, unit: str = "year"
) -> tuple[float, int]:
    """ "Two and a half years"; behind the unit ("dos años y medio") only when it is one of time."""
    if unit not in TIME_UNITS:
        return value, end
    for phrase in language.numbers.get("half_phrases", []):
        parts = phrase.split()
        if [token.lower for token in tokens[end : end + len(parts)]] == parts:
            return value + 0.5, end + len(parts)
    return value, end


def _scale(tokens: Sequence[Token], value: float, end: int, language: Language) -> tuple[float, int, bool]:
    """ "8.4 million", "5m", "1.2 bn"."""
    scales = language.numbers.get("scales", {})
    scaled = False
    while end < len(tokens) and tokens[end].lower in scales:
        money = end + 1 < len(tokens) and tokens[end + 1].text in language.numbers.get("currency_signs", {})
        if len(tokens[end].lower) == 1 and tokens[end].start != tokens[end - 1].end and not money:
            break
        value *= float(scales[tokens[end].lower])
        end += 1
        if end + 1 < len(tokens) and tokens[end].text == "." and tokens[end - 1].lower in language.abbreviations:
            end += 1  # "22 Mio. Euro"
        scaled = True
    return value, end, scaled


def _unit(tokens: Sequence[Token], end: int, language: Language) -> tuple[str, int]:
    units = language.numbers.get("units", {})
    at = end
    if at < len(tokens) and tokens[at].text == "-":
        at += 1
        for suffix, unit in language.numbers.get("suffixes", {}).items():
            if at < len(tokens) and tokens[at].lower.startswith(suffix):
                return str(unit), at + 1
    skipped = language.numbers.get("unit_skips", [])
    if at + 1 < len(tokens) and tokens[at].lower in skipped and tokens[at + 1].lower in units:
        at += 1
    if at < len(tokens):
        pair = tokens[at].lower + " " + tokens[at + 1].lower if at + 1 < len(tokens) else ""
        if pair in units:
            return str(units[pair]), at + 2
        if tokens[at].lower in units:
            return str(units[tokens[at].lower]), at + 1
    return "", end


def _fraction(tokens: Sequence[Token], end: int, language: Language, *, weak: bool) -> float:
    """ "two thirds", "a third of": the denominator as a factor, 0 when it is an ordinal after all."""
    table = language.numbers.get("fractions", {})
    if end >= len(tokens) or tokens[end].lower not in table:
        return 0.0
    following = tokens[end + 1] if end + 1 < len(tokens) else None
    followers = language.numbers.get("fraction_followers", [])
    if weak and following is not None and following.word and following.lower not in followers:
        return 0.0
    return float(table[tokens[end].lower])


def _whole(tokens: Sequence[Token], part: float, end: int, language: Language) -> tuple[float, int]:
    """ "seven in ten", "one repeat guest in three": the round number behind it, 0 when there is none."""
    for ahead in (end, end + 1, end + 2) if part == 1.0 or "ratio_gap" in language.numbers else (end,):
        for phrase in language.numbers.get("ratio_words", []):
            if ahead > end and language.has("name_linkers", phrase):
                continue
            found = _whole_after(tokens, part, ahead, phrase.split(), language)
            if found[0]:
                return found
    return 0.0, end


def _whole_after(
    tokens: Sequence[Token], part: float, end: int, words: list[str], language: Language
) -> tuple[float, int]:
    after = end + len(words)
    if after >= len(tokens) or [token.lower for token in tokens[end:after]] != words:
        return 0.0, end
    value, last, weak, ordinal = _value(tokens, after, language)
    if value is None or weak or ordinal:
        return 0.0, end
    round_one = value in (3.0, 4.0, 5.0, 10.0, 100.0, 1000.0) or (part == 1.0 and 2 <= value <= 50)
    return (value, last) if round_one else (0.0, end)


def _special(tokens: Sequence[Token], at: int, language: Language) -> Quantity | None:
    """Words that are a number by themselves: "twice", "half", "nineties" are listed with value and unit."""
    lower = tokens[at].lower
    entry = language.numbers.get("specials", {}).get(lower)
    if not isinstance(entry, list):
        return _with_suffix(tokens, at, language)
    unit, end = str(entry[1]), at + 1
    if unit == "fraction" and end < len(tokens) and language.means("opinion", tokens[end].keys):
        return None  # "meio incômodo": rather awkward
    if unit == "fraction":
        following, after = _unit(tokens, at + 1, language)
        while not following and after < len(tokens) and tokens[after].lower in language.numbers.get("weak", []):
            following, after = _unit(tokens, after + 1, language)
        if following in TIME_UNITS:
            unit, end = following, after
    return Quantity(at, end, float(entry[0]), unit, _rounding(tokens, at, end, language))


def _with_suffix(tokens: Sequence[Token], at: int, language: Language) -> Quantity | None:
    """ "vierköpfig", "zweimal", "driemaal": a number and what it counts in one word, however it is inflected."""
    word = tokens[at].lower
    for suffix, unit in language.numbers.get("suffixes", {}).items():
        cut = word.rfind(suffix, 2)
        if cut > 0 and len(word) - cut - len(suffix) <= _LONGEST_INFLECTION:
            parts = _word_values(word[:cut], language, shortest=2)
            if parts:
                return Quantity(at, at + 1, _evaluate(parts), str(unit), _rounding(tokens, at, at + 1, language))
    return None


def _rounding(tokens: Sequence[Token], first: int, last: int, language: Language) -> str:
    """The rounding word just before ("nearly", "more than") or after ("-odd", "or so") the number."""
    before = _rounded_by(tokens, first, language, after=False)
    return before[0] or _rounded_by(tokens, last, language, after=True)[0]


def _rounded_by(tokens: Sequence[Token], at: int, language: Language, *, after: bool) -> tuple[str, int]:
    """The kind of rounding that a listed phrase beside `at` (the longest) means, and how many tokens the phrase has."""
    found = ("", 0)
    if (after and at >= len(tokens)) or (not after and at <= 0):
        return found
    nearest = tokens[at if after else at - 1].lower
    for kind, parts in _rounding_phrases(language, after=after).get(nearest, ()):
        beside = tokens[at : at + len(parts)] if after else tokens[max(0, at - len(parts)) : at]
        if len(parts) > found[1] and [token.lower for token in beside] == parts:
            found = kind, len(parts)
    return found


def _rounding_phrases(language: Language, *, after: bool) -> dict[str, list[tuple[str, list[str]]]]:
    """The listed phrases, in order, by their word next to the number."""
    name = f"numbers.rounding.{after}"
    found: dict[str, list[tuple[str, list[str]]]] | None = language.compiled.get(name)
    if found is None:
        found = {}
        table = language.numbers.get("rounding", {})
        for kind in ("over", "under", "about"):
            for phrase in table.get(f"{kind}_after" if after else kind, []):
                parts = phrase.split()
                found.setdefault(parts[0] if after else parts[-1], []).append((kind, parts))
        language.compiled[name] = found
    return found


def rounding_words(tokens: Sequence[Token], number: Quantity, language: Language) -> int:
    """How many tokens after the number belong to it, as in "fifty-odd"."""
    return _rounded_by(tokens, number.last, language, after=True)[1]


def words_before(tokens: Sequence[Token], number: Quantity, language: Language) -> int:
    """How many tokens before the number round it, as in "more than fifty"."""
    return _rounded_by(tokens, number.first, language, after=False)[1]
