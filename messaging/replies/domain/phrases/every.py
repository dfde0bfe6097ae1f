"""All languages together, each group joined into one compiled expression."""

from __future__ import annotations

import re
from functools import cache

from messaging.replies.domain.phrases.de import DE
from messaging.replies.domain.phrases.en import EN
from messaging.replies.domain.phrases.es import ES
from messaging.replies.domain.phrases.form import Phrases
from messaging.replies.domain.phrases.fr import FR
from messaging.replies.domain.phrases.it import IT
from messaging.replies.domain.phrases.nl import NL
from messaging.replies.domain.phrases.pt import PT

LANGUAGES: tuple[Phrases, ...] = (EN, DE, FR, ES, PT, IT, NL)


@cache
def expression(group: str) -> re.Pattern[str]:
    """Any phrase of a group, in any language. People answer in another language than they were written to."""
    parts = [part for language in LANGUAGES for part in getattr(language, group)]
    return re.compile("|".join(f"(?:{part})" for part in parts))


@cache
def whole_line(group: str) -> re.Pattern[str]:
    """A line that consists of a phrase of the group, with punctuation around it."""
    parts = [part for language in LANGUAGES for part in getattr(language, group)]
    return re.compile(rf"\W*(?:{'|'.join(parts)})\W*$")


@cache
def line_start(group: str) -> re.Pattern[str]:
    """A line that begins with a phrase of the group."""
    parts = [part for language in LANGUAGES for part in getattr(language, group)]
    return re.compile(rf"\s*(?:{'|'.join(parts)})")
