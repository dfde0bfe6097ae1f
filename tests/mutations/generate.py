"""Seeded cases, spread evenly over classes and languages."""

import random
from collections.abc import Iterator
from functools import lru_cache

from messaging.verification.contract import MessageText

from . import mutate_dates, mutate_names, mutate_texts, mutate_titles
from .cases import Case, Kind, Label, Sentence
from .known import Known, everybody
from .wording import Wording, wording

Cell = tuple[Kind, str]


def sentences(known: Known) -> Iterator[Sentence]:
    """Everything that can be said, truly or falsely, to this prospect."""
    words = wording(known.language)
    yield from mutate_titles.titles(known, words)
    yield from mutate_dates.dates(known, words)
    yield from mutate_dates.tenure(known, words)
    yield from mutate_dates.recency(known, words)
    yield from mutate_names.names(known, words)
    yield from mutate_texts.quotes(known, words)
    yield from mutate_texts.sender(known, words)
    yield from mutate_texts.statements(known, words)
    yield from mutate_texts.written(known)
    for other in everybody():
        if other.language == known.language and other is not known:
            yield from mutate_texts.of_another(known, other, words)


@lru_cache(maxsize=1)
def pool() -> dict[Label, dict[Cell, list[tuple[Known, Sentence]]]]:
    """All sentences by label, class and language; the same text for the same day once."""
    cells: dict[Label, dict[Cell, list[tuple[Known, Sentence]]]] = {label: {} for label in Label}
    for known in everybody():
        seen = set()
        for sentence in sentences(known):
            if (sentence.text, sentence.day) not in seen:
                seen.add((sentence.text, sentence.day))
                cells[sentence.label].setdefault((sentence.kind, known.language), []).append((known, sentence))
    return cells


def cases(*, seed: int, count: int, label: Label) -> list[Case]:
    """That many labelled messages; the same seed gives the same ones.

    Each class of each language has the same share, as far as its sentences reach.
    """
    rng = random.Random(seed)
    cells = {cell: rng.sample(found, len(found)) for cell, found in sorted(pool()[label].items())}
    chosen: list[tuple[Known, Sentence]] = []
    while len(chosen) < count:
        left = [found for found in cells.values() if found]
        if not left:
            raise ValueError(f"only {len(chosen)} different {label} sentences; asked for {count}")
        chosen += [found.pop() for found in left[: count - len(chosen)]]
    return [_case(f"{label[0]}{number:05}", known, sentence, rng) for number, (known, sentence) in enumerate(chosen)]


def _case(case_id: str, known: Known, sentence: Sentence, rng: random.Random) -> Case:
    words = wording(known.language)
    before, after = _around(known, sentence, words, rng)
    begin = len(before)
    start, end = (begin + place for place in sentence.span) if sentence.label is Label.HALLUCINATED else (0, 0)
    return Case(
        case_id=case_id,
        label=sentence.label,
        kind=sentence.kind,
        language=known.language,
        dossier=known.on(sentence.day),
        message=MessageText("", before + sentence.text + after, known.language, "linkedin_message"),
        sentence=(begin, begin + len(sentence.text)),
        start=start,
        end=end,
    )


def _around(known: Known, sentence: Sentence, words: Wording, rng: random.Random) -> tuple[str, str]:
    """Greeting and closing, and in half of the messages a speech act before or after the sentence."""
    greeting = rng.choice(words.listed("greetings")).format(first=known.first_name)
    closing = rng.choice(words.listed("closings")).format(sender=known.raw["sender"]["full_name"])
    act = rng.choice(words.listed("acts"))
    before, after = f"{greeting}\n\n", f"\n\n{closing}"
    place = rng.randrange(4)
    if place == 0:
        return f"{before}{act} ", after
    if place == 1:
        return before, f" {act}{after}"
    return before, after
