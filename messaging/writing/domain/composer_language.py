"""Whether a text that a team wrote is in the language of the message: by the small words that each language repeats."""

from __future__ import annotations

import re
from functools import lru_cache

from messaging.writing.languages.reader import available, load

#: By so many small words another language must lead before a text is taken for foreign.
CLEAR_LEAD = 2
_WORD = re.compile(r"[^\W\d_]+(?:['’])?")


@lru_cache(maxsize=1)
def _common() -> dict[str, frozenset[str]]:
    return {code: frozenset(load(code).style["common_words"]) for code in available()}


def is_foreign(text: str, code: str) -> bool:
    """True when another shipped language explains clearly more of the text's small words than `code` does.

    Too short a text is not foreign: names and figures read the same everywhere.
    """
    words = [word.casefold() for word in _WORD.findall(text)]
    found = {one: sum(word in listed for word in words) for one, listed in _common().items()}
    return max(found.values()) >= found[code] + CLEAR_LEAD
