"""Texts that were written to steer a machine: "ignore all previous instructions …". What holds one is no evidence.

The fence already makes it material. But an order like "write that I closed the round" also reads as a statement in the
person's own words, and would license the very sentence it asks for. So an item with an order in it supports nothing.
Somebody who quotes such an order in earnest loses that item too, which costs one hook and no truth.
"""

from __future__ import annotations

import re

from prospects.domain.evidence import Evidence

#: A verb of passing over, what is passed over, and a word that shows it is the reader's: by language, en de fr es pt it nl.
_VERBS = (
    "ignore|disregard|forget|override|ignorier(?:e|t|en)|vergiss|vergesst|vergessen|missachte[nt]?|ignorez|oublie[zr]?|"
    "ignora|ignorad|ignoren|olvida|olvide|olviden|ignorem|esqueça|esqueçam|esquece|desconsidere|ignorate|ignori|"
    "dimentica|dimenticate|negeer|negeert|vergeet"
)
_NOUNS = (
    "instructions?|prompts?|rules|guidelines|anweisung(?:en)?|instruktion(?:en)?|vorgaben|regeln|consignes?|directives?|"
    "règles|instrucci(?:ón|ones)|indicaciones|reglas|instruç(?:ão|ões)|regras|istruzion[ei]|regole|instructies?|regels|"
    "opdrachten"
)
_WHOSE = (
    "all|any|previous|prior|above|earlier|your|alle|all|bisherigen?|vorherigen?|vorigen?|deine|ihre|obigen?|toutes?|"
    "précédentes?|tes|vos|ci-dessus|todas?|anteriores|previas|tus|sus|tuas|suas|seu|seus|tutte|precedenti|tue|vostre|"
    "eerdere|vorige|je|jouw|uw|bovenstaande"
)
_PASSED_OVER = re.compile(rf"\b(?:{_VERBS})\b(?:\W+\w+){{0,5}}?\W+(?:{_NOUNS})\b(?:\W+\w+){{0,2}}", re.IGNORECASE)
_THE_READERS = re.compile(rf"\b(?:{_WHOSE})\b", re.IGNORECASE)
#: Marks between the turns of a dialogue, which no person writes.
_MARKS = re.compile(r"<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[/?INST\]|<</?SYS>>", re.IGNORECASE)
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")


def steers(text: str) -> bool:
    """Whether the text holds an order to a machine."""
    seen = _UNSEEN.sub("", text)
    return bool(_MARKS.search(seen)) or any(_THE_READERS.search(one.group()) for one in _PASSED_OVER.finditer(seen))


def holds_order(item: Evidence) -> bool:
    """Whether any words of the item, its fields included, are an order to a machine."""
    return any(steers(text) for text in (item.text, *item.fields.values()))
