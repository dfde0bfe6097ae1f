"""What one language's module holds. Patterns are regular expressions over folded text (no accents, lower case)."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Phrases:
    """The words of one language. Each tuple is joined into one alternation."""

    code: str
    stopwords: str
    months: tuple[str, ...]
    weekdays: tuple[str, ...] = ()
    opt_out: tuple[str, ...] = ()
    #: The whole text is one of these words: an opt-out that stands alone.
    opt_out_alone: tuple[str, ...] = ()
    #: Talk about opting out that is no wish to opt out.
    opt_out_not: tuple[str, ...] = ()
    booked: tuple[str, ...] = ()
    #: Accepts, where the text also names a time.
    accepts: tuple[str, ...] = ()
    refers: tuple[str, ...] = ()
    #: Must be followed by a capitalised name.
    refers_to_name: tuple[str, ...] = ()
    wrong_person: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    #: Asks to be contacted; with a month or season it means later.
    contact_me: tuple[str, ...] = ()
    seasons: dict[str, tuple[int, int]] = field(default_factory=dict)
    pitch: tuple[str, ...] = ()
    interested: tuple[str, ...] = ()
    not_interested: tuple[str, ...] = ()
    annoyed: tuple[str, ...] = ()
    legal: tuple[str, ...] = ()
    praise: tuple[str, ...] = ()
    thanks_only: tuple[str, ...] = ()
    auto_subject: tuple[str, ...] = ()
    auto_body: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    returns: tuple[str, ...] = ()
    until: tuple[str, ...] = ()
    until_inclusive: tuple[str, ...] = ()
    closings: tuple[str, ...] = ()
    mobile: tuple[str, ...] = ()
    disclaimers: tuple[str, ...] = ()
    attribution: tuple[str, ...] = ()
    #: How an attribution that clients wrap over several lines begins.
    attribution_start: tuple[str, ...] = ()
    header_from: tuple[str, ...] = ()
    header_other: tuple[str, ...] = ()
