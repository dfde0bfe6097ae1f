"""Quotations, the sender's facts, statements from nowhere, and other people's records."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from . import markup
from .cases import Kind, Sentence, false, true
from .known import Json, Known
from .wording import Wording

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_FIGURE = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?![\w])")
_QUOTES = re.compile('["“”„«»‘]')


def sentences_of(text: str) -> list[str]:
    """Sentences short and plain enough to be quoted whole."""
    found = [sentence.strip() for sentence in _SENTENCE_END.split(text.replace("\n", " "))]
    return [s for s in found if 5 <= len(s.split()) <= 20 and not _QUOTES.search(s) and s[-1] in ".!?"]


def quotes(known: Known, words: Wording) -> Iterator[Sentence]:
    """The prospect's words, one of them changed, and words that are not the prospect's."""
    own = " ".join(post["text"] for post in known.own_posts)
    frames = words.frames("quote")
    for post in known.own_posts:
        for index, said in enumerate(sentences_of(post["text"])):
            frame = frames[index % len(frames)]
            yield true(frame.format(quote=said), Kind.QUOTE)
            for wrong in _changed(said, own, words):
                yield false(frame.format(quote=wrong), Kind.QUOTE_WORD, part=wrong)
            yield from _dated_quote(known, words, post, said)
    for said in _of_others(known):
        yield from (false(frame.format(quote=said), Kind.OTHERS_WORDS, part=said) for frame in frames)


def _of_others(known: Known) -> Iterator[str]:
    for post in known.reshares:
        yield from sentences_of(post["text"])[:4]
    for news in known.part("news"):
        yield from sentences_of(news["text"])[:2]


def _dated_quote(known: Known, words: Wording, post: Json, said: str) -> Iterator[Sentence]:
    day = date.fromisoformat(post["date"])
    for frame in words.frames("quote_on"):
        yield true(frame.format(when=words.date("on_day", day), quote=said), Kind.QUOTE)
        for wrong in (day - timedelta(days=3), day + timedelta(days=2)):
            when = words.date("on_day", wrong)
            if wrong <= known.day:
                yield false(frame.format(when=when, quote=said), Kind.DATE_SHIFTED, part=when)


def _changed(said: str, own: str, words: Wording) -> Iterator[str]:
    tokens = said.split()
    for one, other in words.listed("swaps"):
        for old, new in ((one, other), (other, one)):
            wrong = re.sub(rf"\b{re.escape(old)}\b", new, said, count=1)
            if wrong not in own:
                yield wrong
    figure = _FIGURE.search(said)
    if figure:
        yield said.replace(figure.group(), _other_figure(figure.group()), 1)
    for index in range(1, len(tokens) - 1, 3):
        wrong = " ".join([*tokens[:index], *tokens[index + 1 :]])
        if len(tokens[index]) > 4 and wrong not in own:
            yield wrong


def _other_figure(figure: str) -> str:
    """A larger figure of the same shape."""
    first = int(figure[0])
    return f"{first + 2}{figure[1:]}" if first < 8 else f"1{figure}"


def sender(known: Known, words: Wording) -> Iterator[Sentence]:
    """The sender's facts as they stand, made bigger, in other units, and invented ones."""
    for fact in known.part("facts"):
        text = fact["text"].rstrip(".") + "."
        yield true(text, Kind.SENDER_FACT)
        figures = _FIGURE.findall(text)
        bounded = any(re.search(rf"\b{re.escape(bound)}\b", text) for bound in words.listed("upper_bounds"))
        for figure in figures if not bounded else []:
            wrong = text.replace(figure, _other_figure(figure), 1)
            yield false(wrong, Kind.SENDER, part=_other_figure(figure))
        for one, other in words.listed("units"):
            wrong = re.sub(rf"(?<!\w){re.escape(one)}(?!\w)", other, text, count=1)
            if wrong != text:
                yield false(wrong, Kind.UNIT, part=other)
    for text in words.listed("sender_invented"):
        yield false(text.format(sender_company=known.raw["sender"]["company"]), Kind.SENDER)


def statements(known: Known, words: Wording) -> Iterator[Sentence]:
    """What nothing in any dossier says, and speech acts, which say nothing."""
    company = known.current["company"]
    kinds = {
        "insertions": Kind.INSERTION,
        "presuppositions": Kind.PRESUPPOSITION,
        "motivations": Kind.MOTIVATION,
    }
    for name, kind in kinds.items():
        for text in words.listed(name):
            yield false(text.format(company=company), kind)
    for text in words.listed("acts"):
        yield true(text, Kind.SPEECH_ACT)


def written(known: Known) -> Iterator[Sentence]:
    """The sentences of the notes, true and with one place falsified."""
    for marked in known.sentences:
        yield from markup.variants(marked)


def of_another(known: Known, other: Known, words: Wording) -> Iterator[Sentence]:
    """True of somebody else."""
    for marked in other.sentences:
        if markup.is_factual(marked):
            yield false(markup.plain(marked), Kind.OTHER_PROSPECT)
    frame = words.frames("title")[0]
    yield false(frame.format(title=other.current["title"], company=other.current["company"]), Kind.OTHER_PROSPECT)
    for post in other.own_posts[:1]:
        for said in sentences_of(post["text"])[:2]:
            yield false(words.frames("quote")[0].format(quote=said), Kind.OTHER_PROSPECT)
