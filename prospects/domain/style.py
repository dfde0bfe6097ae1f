"""How somebody writes, concluded from their own posts and comments: length, register, emoji, how they address people."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from prospects.domain.derived import Derived, resting_on
from prospects.domain.evidence import Evidence, Kind

#: Words of a post from which on it is medium, and long.
MEDIUM_WORDS, LONG_WORDS = 40, 120
_MOST_READ = 60
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_EMOJI = re.compile("[\U0001f300-\U0001faff☀-➿\U0001f1e6-\U0001f1ff]")
_CONTRACTION = re.compile(
    r"\b(?:i'm|it's|don't|can't|won't|we're|you're|that's|didn't|isn't|let's|gonna|wanna|i've|we've|y'all)\b"
)
_CASUAL: Mapping[str, str] = {
    "en": "hey guys folks yeah yep awesome stoked super lol btw gonna wanna kinda cool crazy wow nope tbh",
    "de": "hey leute moin krass geil mega cool echt nee jo super hammer wow",
    "fr": "hey coucou super cool franchement bref ouais trop génial wow potes",
    "es": "hola genial mola guay tíos brutal vaya super increíble wow",
    "pt": "oi galera legal demais bora cara show massa valeu super incrível",
    "it": "ciao ragazzi fantastico super figo dai mitico wow pazzesco",
    "nl": "hoi hey jongens mooi gaaf super lekker echt joh wow",
}
_FORMAL: Mapping[str, str] = {
    "en": "furthermore moreover therefore sincerely regarding hereby accordingly nevertheless esteemed pursuant",
    "de": "ferner hiermit diesbezüglich demzufolge gleichwohl sowie geschätzte verehrte nichtsdestotrotz",
    "fr": "néanmoins toutefois cordialement veuillez conformément ainsi également honneur",
    "es": "asimismo cordialmente estimados mediante conforme honor agradezco no_obstante",
    "pt": "outrossim cordialmente prezados mediante conforme honra agradeço todavia",
    "it": "altresì cordialmente gentili mediante pertanto onore ringrazio tuttavia",
    "nl": "tevens hierbij derhalve geachte desalniettemin betreffende hoogachtend",
}
#: Words that address the reader formally and familiarly. What is also another word of the language is left out.
_ADDRESS: Mapping[str, tuple[str, str]] = {
    "de": ("Sie Ihnen Ihre Ihrem Ihren Ihrer", "du dich dir dein deine deinen euch euer eure ihr"),
    "fr": ("vous votre vos", "tu toi ton tes"),
    "es": ("usted ustedes", "tú te ti tu tus vosotros vosotras os vuestro vuestra"),
    "pt": ("senhor senhora senhores senhoras", "você vocês tu te teu tua"),
    "it": ("Lei Suo Sua Le", "tu ti te tuo tua voi vi vostro vostra"),
    "nl": ("u uw", "je jij jou jouw jullie"),
}
#: Where only the capital tells "Sie" and "Lei" from "sie" and "lei"; a sentence's first word has it always.
_TOLD_BY_CAPITAL = frozenset({"de", "it"})


@dataclass(frozen=True, slots=True)
class _Text:
    """One own text with its words as written, and its language ("" where unknown)."""

    item: Evidence
    words: tuple[str, ...]
    language: str


def style_of(items: Sequence[Evidence], *, language: str = "") -> tuple[Derived, ...]:
    """Empty without words of their own. `language` is that of texts whose own language nothing says."""
    own = [item for item in items if item.kind in {Kind.POST, Kind.COMMENT} and item.text.strip()]
    own.sort(key=lambda item: item.occurred.last.toordinal() if item.occurred else 0, reverse=True)
    texts = [
        _Text(item, tuple(_WORD.findall(_plain(item.text))), (item.language or language)[:2].casefold())
        for item in own[:_MOST_READ]
    ]
    texts = [text for text in texts if text.words]
    if not texts:
        return ()
    found = (_length(texts), _register(texts), _emoji(texts), _address(texts))
    return tuple(item for item in found if item is not None)


def _plain(text: str) -> str:
    """Without links, hashtags and names that are linked: they are not how somebody writes."""
    return re.sub(r"https?://\S+|[#@]\w+", " ", text.replace("’", "'"))


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _length(texts: Sequence[_Text]) -> Derived | None:
    posts = [text for text in texts if text.item.kind is Kind.POST]
    if not posts:
        return None
    middle = round(median(len(text.words) for text in posts))
    value = "short" if middle < MEDIUM_WORDS else "medium" if middle < LONG_WORDS else "long"
    words = f"{value.capitalize()} posts: {middle} words in the middle of {_number(len(posts), 'post')}"
    return Derived("length", value, words, resting_on(text.item for text in posts))


def _emoji(texts: Sequence[_Text]) -> Derived:
    using = [text for text in texts if _EMOJI.search(text.item.text)]
    number = sum(len(_EMOJI.findall(text.item.text)) for text in using)
    if not using:
        return Derived(
            "emoji", "none", f"No emoji in {_number(len(texts), 'text')}", resting_on(text.item for text in texts)
        )
    value = "many" if number >= 2 * len(texts) else "some"
    words = f"{_number(number, 'emoji').removesuffix('s')} in {len(using)} of {_number(len(texts), 'text')}"
    return Derived("emoji", value, words, resting_on(text.item for text in using))


def _marks(text: _Text) -> tuple[int, int]:
    """(casual, formal) marks of one text."""
    lowered = [word.casefold() for word in text.words]
    casual = _count(lowered, _CASUAL, text.language) + len(_CONTRACTION.findall(_plain(text.item.text).casefold()))
    casual += min(text.item.text.count("!"), 3) // 2 + bool(_EMOJI.search(text.item.text))
    return casual, _count(lowered, _FORMAL, text.language)


def _count(words: Sequence[str], listed: Mapping[str, str], language: str) -> int:
    known = set(listed.get(language, "").split())
    return sum(word in known for word in words)


def _register(texts: Sequence[_Text]) -> Derived:
    """Casual or formal where the marks of one outweigh those of the other by two; neutral says that neither shows."""
    marked = {text.item.content_hash: _marks(text) for text in texts}
    address = _address(texts)
    casual, formal = (sum(pair[side] for pair in marked.values()) for side in (0, 1))
    formal += 2 * (address is not None and address.value == "formal")
    if casual - formal >= 2:
        side, value, words = 0, "casual", "Casual: contractions, exclamation or everyday words"
    elif formal - casual >= 2:
        side, value, words = 1, "formal", "Formal: set phrases or formal address"
    else:
        return Derived(
            "register",
            "neutral",
            "Neutral: neither casual nor formal marks stand out",
            resting_on(text.item for text in texts),
        )
    rows = [text.item for text in texts if marked[text.item.content_hash][side]]
    evidence = resting_on(rows) or (address.evidence if address else ())
    return Derived("register", value, words, evidence)


def _address(texts: Sequence[_Text]) -> Derived | None:
    """Formal or familiar, by the words that address the reader; None in languages without the difference, or unsaid."""
    formal = [text for text in texts if _addresses(text, 0)]
    familiar = [text for text in texts if _addresses(text, 1)]
    if not formal and not familiar:
        return None
    named = {0: _shown(formal, 0), 1: _shown(familiar, 1)}
    if formal and familiar:
        words = f"Addresses readers both ways: {named[0]} and {named[1]}"
        return Derived("address", "mixed", words, resting_on(text.item for text in (*formal, *familiar)))
    side, rows = (0, formal) if formal else (1, familiar)
    value = "formal" if side == 0 else "familiar"
    words = f"Addresses readers {'formally' if side == 0 else 'familiarly'}: {named[side]}"
    return Derived("address", value, words, resting_on(text.item for text in rows))


def _addresses(text: _Text, side: int) -> list[str]:
    pair = _ADDRESS.get(text.language)
    if pair is None:
        return []
    listed = set(pair[side].split())
    if text.language in _TOLD_BY_CAPITAL and side == 0:
        return [word for at, word in enumerate(text.words) if word in listed and not _begins(text, at)]
    return [word for word in text.words if word.casefold() in listed]


def _begins(text: _Text, at: int) -> bool:
    """Whether a word begins the text or a sentence of it."""
    rest, lead = _plain(text.item.text), ""
    for word in text.words[: at + 1]:
        lead, _, rest = rest.partition(word)
    return at == 0 or any(sign in lead for sign in ".!?:\n…")


def _shown(texts: Sequence[_Text], side: int) -> str:
    words = dict.fromkeys(word for text in texts for word in _addresses(text, side))
    return "“" + "”, “".join(list(words)[:3]) + "”" if words else ""
