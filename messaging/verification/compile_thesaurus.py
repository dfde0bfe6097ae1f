"""Compile a public thesaurus into a language folder's thesaurus.txt (a developer's tool).

    python -m messaging.verification.compile_thesaurus en wordnet FOLDER    (data.* and index.* of WordNet 3.1)
    python -m messaging.verification.compile_thesaurus de mythes FILE.dat   (a LibreOffice thesaurus)
    python -m messaging.verification.compile_thesaurus fr mythes FILE.dat 14   (words with longer lists left out)

Each line is a stem and the stems that may stand for it. Only pairs that name each other are kept, so that
a wider term is no synonym of a narrower one.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import permutations
from pathlib import Path

from messaging.verification.language import FOLDER, Language, load

_SENSES = {"noun": 3, "verb": 4, "adj": 4, "adv": 4}
_LARGEST_GROUP = 12
_REMARK = re.compile(r"\([^)]*\)")


def main(arguments: list[str]) -> None:
    """Write thesaurus.txt of the language named first, from the source named after it."""
    code, source, place, *longest = arguments
    language = load(code)
    skipped = tuple(language.settings.get("thesaurus_skip", "").split())
    largest = int(language.settings.get("thesaurus_sense", 0))
    groups = (
        _wordnet(Path(place)) if source == "wordnet" else _mythes(Path(place), skipped, largest, *map(int, longest))
    )
    if largest:
        groups = ([word for word in group if language.known(word)] for group in groups)
    pairs = _pairs(groups, language)
    lines = [f"{stem} {' '.join(sorted(others))}" for stem, others in sorted(pairs.items())]
    (FOLDER / code / "thesaurus.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _pairs(groups: Iterable[list[str]], language: Language) -> dict[str, set[str]]:
    """Pairs of stems, without words that the folder lists as grammar or as meaning nothing."""
    idle = language.words["function"] | language.words["negation"]
    found: dict[str, set[str]] = defaultdict(set)
    for group in groups:
        words = [word for word in dict.fromkeys(group) if word.isalpha() and len(word) > 2 and word not in idle]
        for one, other in permutations(words[:_LARGEST_GROUP], 2):
            for stem in language.stems(one):
                found[stem] |= language.stems(other) - {stem}
    return {stem: others for stem, others in found.items() if others}


def _wordnet(folder: Path) -> Iterator[list[str]]:
    """Synsets by their words' most frequent senses, close adjectives, and derivations."""
    for pos, letter in (("noun", "n"), ("verb", "v"), ("adj", "a"), ("adv", "r")):
        frequent = _frequent_senses(folder / f"index.{pos}", _SENSES[pos])
        synsets = {f"{offset}{letter}": (words, links) for offset, words, links in _synsets(folder / f"data.{pos}")}
        for name, (words, links) in synsets.items():
            usual = [word for word in words if name[:-1] in frequent.get(word, ())]
            if len(usual) > 1:
                yield usual
            if pos == "adj":
                for linked in links.get("&", ()):
                    others = synsets.get(linked.replace("s", "a"), ((), {}))[0]
                    near = [word for word in others if linked[:-1] in frequent.get(word, ())]
                    for word in usual[:1]:
                        yield [word, *near]
    yield from _derivations(folder)


def _frequent_senses(path: Path, limit: int) -> dict[str, tuple[str, ...]]:
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            continue
        parts = line.split()
        offsets = [part for part in parts[3:] if len(part) == 8 and part.isdigit()]
        found[parts[0]] = tuple(offsets[:limit])
    return found


def _synsets(path: Path) -> Iterator[tuple[str, list[str], dict[str, list[str]]]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            continue
        parts = line.partition("|")[0].split()
        count = int(parts[3], 16)
        words = [parts[4 + 2 * at].partition("(")[0].lower() for at in range(count)]
        at = 4 + 2 * count
        links: dict[str, list[str]] = defaultdict(list)
        for number in range(int(parts[at])):
            symbol, offset, pos = parts[at + 1 + 4 * number : at + 4 + 4 * number]
            links[symbol].append(offset + pos)
        yield parts[0], words, links


def _derivations(folder: Path) -> Iterator[list[str]]:
    """ "decide" and "decision": word by word, as WordNet links them."""
    words: dict[str, list[str]] = {}
    links: list[tuple[str, str, int, int]] = []
    for pos, letter in (("noun", "n"), ("verb", "v"), ("adj", "a"), ("adv", "r")):
        for line in (folder / f"data.{pos}").read_text(encoding="utf-8").splitlines():
            if line.startswith(" "):
                continue
            parts = line.partition("|")[0].split()
            count = int(parts[3], 16)
            name = parts[0] + letter
            words[name] = [parts[4 + 2 * at].partition("(")[0].lower() for at in range(count)]
            at = 4 + 2 * count
            for number in range(int(parts[at])):
                symbol, offset, target, which = parts[at + 1 + 4 * number : at + 5 + 4 * number]
                if symbol in ("+", "\\"):
                    links.append((name, offset + target.replace("s", "a"), *divmod(int(which, 16), 256)))
    for name, target, mine, theirs in links:
        if target in words and mine and theirs:
            yield [words[name][mine - 1], words[target][theirs - 1]]


def _mythes(path: Path, skipped: tuple[str, ...], largest: int, longest: int = 0) -> Iterator[list[str]]:
    """Pairs that name each other in a LibreOffice thesaurus.

    `skipped` are remarks in brackets that leave a word out (wider, narrower, coarse); `largest` leaves out senses with
    more words than that, and `longest` words with more synonyms: they have many senses, which such lists mix.
    """
    raw = path.read_bytes()
    encoding, _, rest = raw.partition(b"\n")
    lines = rest.decode(encoding.decode("ascii").strip() or "utf-8", errors="replace").splitlines()
    listed: dict[str, set[str]] = defaultdict(set)
    at = 0
    while at < len(lines):
        head, _, count = lines[at].rpartition("|")
        senses = int(count) if count.strip().isdigit() else 0
        for line in lines[at + 1 : at + 1 + senses]:
            members = [_member(part, skipped) for part in line.split("|")[1:]]
            if not largest or len(members) <= largest:
                listed[head.strip().lower()].update(member for member in members if member)
        at += 1 + senses
    for word, others in listed.items():
        for other in others:
            if (
                word in listed.get(other, ())
                and word < other
                and not 0 < longest < max(len(others), len(listed[other]))
            ):
                yield [word, other]


def _member(part: str, skipped: tuple[str, ...]) -> str:
    """The word without its remarks in brackets; "" when a remark is one to skip."""
    remarks = " ".join(_REMARK.findall(part)).lower()
    return "" if any(name in remarks for name in skipped) else _REMARK.sub("", part).strip().lower()


if __name__ == "__main__":
    main(sys.argv[1:])
