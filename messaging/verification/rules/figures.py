"""Numbers: value, unit and what they measure; listed derivations and rounding in the right direction."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from messaging.verification.contract import ClaimType, Verdict
from messaging.verification.facts import Fact
from messaging.verification.language import Language
from messaging.verification.naming import opening
from messaging.verification.numerals import TIME_UNITS, Quantity
from messaging.verification.reading import Clause
from messaging.verification.rules import derived
from messaging.verification.rules.base import Draft, Situation, refs
from messaging.verification.rules.lengths import is_day, is_pronoun, lasts_otherwise, said_again, stands_alone
from messaging.verification.rules.measures import (
    Recorded,
    counted_after,
    first_of_pair,
    from_to,
    measures_alike,
    shares_figure_topic,
)
from messaging.verification.rules.tenure import tenure_holds, years_apart
from messaging.verification.statements import FactSentence
from prospects.domain.evidence import Actor, Kind

#: "A deal of 24 million" leaves the currency out.
_MUCH_MONEY = 100_000
_PAIR = 2


def check(situation: Situation) -> list[Draft]:
    """One draft for each number that states something."""
    drafts = []
    for number in situation.reading.numbers:
        clause = situation.reading.clause_at(number.first)
        if not _is_act(number, clause, situation):
            drafts.append(_given_once(number, clause, situation) or _check_number(number, clause, situation))
    return [draft for draft in drafts if draft is not None]


def _given_once(number: Quantity, clause: Clause, situation: Situation) -> Draft | None:
    """ "Hired 57, and 57 are still there": a figure given once that the sentence gives for two things."""
    fact = situation.best[situation.reading.clauses.index(clause)] or situation.primary
    if clause.open or is_day(number, situation) or fact is None or not said_again(number, fact, situation):
        return None
    reason = f"{opening(fact)} gives the figure {_said(number, situation)} once; the sentence gives it for two things."
    return _draft(number, clause, Verdict.UNSUPPORTED, reason, fact, hint=_figures(fact))


def _is_act(number: Quantity, clause: Clause, situation: Situation) -> bool:
    """ "Twenty minutes", "one line": lengths of a proposed talk and articles state nothing."""
    tokens = situation.reading.tokens
    if any(tokens[index].tags & {"title", "handled", "quoted"} for index in range(number.first, number.last)):
        return True
    if is_pronoun(number, situation):
        return True
    if number.weak and number.unit not in (*TIME_UNITS, "fraction"):
        return True
    if number.ordinal and number.value <= 3:
        return True
    if clause.open and (number.unit in TIME_UNITS or number.value <= 2 or is_day(number, situation)):
        return True
    return "hedged" in clause.moods and number.unit in ("minute", "hour")


def _check_number(number: Quantity, clause: Clause, situation: Situation) -> Draft | None:
    near = _facts_for(clause, situation)
    other = lasts_otherwise(number, clause, situation)
    for fact in () if other and number.weak else near:
        if _supported(number, clause, fact, situation):
            return _draft(number, clause, Verdict.VERIFIED, f"{opening(fact)} gives this figure.", fact)
    apart = years_apart(number, situation)
    if apart is not None:
        return _draft(number, clause, Verdict.VERIFIED, f"{opening(apart)} gives the years of both.", apart)
    if other:
        reason = f"{opening(other)} gives another length of time for this than “{_said(number, situation)}”."
        return _draft(number, clause, Verdict.UNSUPPORTED, reason, other, hint=_figures(other))
    if _needs_no_figure(number, clause, situation):
        return None
    giving = next((fact for fact in near if (number.value, number.unit) in fact.figures), None)
    nearest = giving or next((fact for fact in near if fact.numbers()), None)
    if nearest is None:
        return _draft(
            number, clause, Verdict.UNSUPPORTED, f"No evidence gives the figure {_said(number, situation)}.", None
        )
    return _draft(
        number,
        clause,
        Verdict.CONTRADICTED
        if not giving and _same_measure(number, nearest, situation) and not derived.may_follow(number, nearest)
        else Verdict.UNSUPPORTED,
        f"{opening(nearest)} does not give the figure {_said(number, situation)} for this.",
        nearest,
        hint=_figures(nearest),
    )


def _needs_no_figure(number: Quantity, clause: Clause, situation: Situation) -> bool:
    """A tenure by arithmetic, an article that is no figure, a count of the record's own items."""
    lasting = number if number.unit in TIME_UNITS else _with_unit(number, situation)
    if lasting is not None and tenure_holds(lasting, clause, situation):
        return True
    if number.weak and not number.rounding:
        return True
    few = number.value <= 2 and not number.unit and situation.reading.subject_line
    return few or _counts_items(number, situation)


def _facts_for(clause: Clause, situation: Situation) -> tuple[Fact, ...]:
    """Facts the clause speaks of, the sender's together and never for the prospect; in an act or heading all."""
    near, last = list(situation.near(clause)), list[Fact]()
    about_sender = clause.subject == "self" or any(fact.evidence.actor is Actor.SENDER for fact in near[:3])
    if not clause.subject and not about_sender:
        last = [fact for fact in situation.facts.all if fact.evidence.actor is Actor.SENDER]
        near = [fact for fact in near if fact.evidence.actor is not Actor.SENDER]
    elif clause.subject in ("you", "company", "person") or not about_sender:
        near = [fact for fact in near if fact.evidence.actor is not Actor.SENDER]
    else:
        near += [fact for fact in situation.facts.all if fact.evidence.actor is Actor.SENDER]
    if clause.subject != "self":
        near += situation.facts.of(Kind.COMPANY_FACT, Kind.HEADLINE, Kind.ABOUT)
    if clause.subject == "you":
        near += [fact for fact, _, still in situation.facts.positions if still]
    near += _with_figures(situation)
    if any(situation.language.has("post_nouns", token.lower) for token in clause.tokens):
        near += situation.facts.of(Kind.POST, Kind.COMMENT)
    if clause.open or situation.reading.subject_line or not near:
        near += situation.facts.all
    return tuple({fact.ref: fact for fact in near + last}.values())


def _with_figures(situation: Situation) -> list[Fact]:
    """ "From sixteen days to nine": texts about the prospect that give two figures of the sentence."""
    said = {(number.value, number.unit) for number in situation.reading.numbers if not number.weak}
    return [
        fact
        for fact in situation.facts.all
        if fact.evidence.actor is not Actor.SENDER and len(said & fact.figures) >= _PAIR
    ]


def _supported(number: Quantity, clause: Clause, fact: Fact, situation: Situation) -> bool:
    if number.rounding and (_during(number, situation) or _compared(number, situation)):
        unrounded = replace(number, rounding="")
        return _supported(unrounded, clause, fact, situation) or _gives(number, clause, fact, situation)
    return _gives(number, clause, fact, situation)


def _gives(number: Quantity, clause: Clause, fact: Fact, situation: Situation) -> bool:
    named = bool(counted_after(number, situation))
    number = _with_currency(number, situation)
    for sentence, recorded in fact.numbers():
        if recorded.weak and not number.weak and not recorded.unit:
            continue  # an article: "um dono" gives no figure
        same = _same(number, recorded, sentence, fact, named=named) or _names_limit(number, recorded, situation)
        if same and (clause.open or measures_alike(number, Recorded(recorded, sentence, fact), situation)):
            return True
    if _ends_pair(number, clause, fact, situation) or derived.part_and_whole(number, fact, situation):
        return True
    if derived.by_arithmetic(number, fact, situation) or derived.by_difference(number, fact, situation):
        return True
    topical = shares_figure_topic(number, fact, situation)
    falls = any(situation.language.means("falls", token.keys) for token in clause.tokens if token.word)
    falling = situation.language if falls and topical else None
    complement = _is_complement(number, situation) or derived.told_of_the_rest(clause, fact, situation)
    if _changed(number, clause, fact, situation):
        return True
    return _derived(number, fact, complement=complement, topical=topical, changing=falling)


def _changed(number: Quantity, clause: Clause, fact: Fact, situation: Situation) -> bool:
    """By what share, or how many points, something in the text went up or down."""
    if number.unit == "points":
        return any(_close(number.value, gap, number.rounding, "") for gap in derived.points_changed(fact, situation))
    said = _in_base(number)
    if said is None or said[1] != "%":
        return False
    rounding = number.rounding or ("about" if number.unit == "fraction" else "")
    return any(_close(said[0], share, rounding, "") for share in derived.shares_changed(clause, fact, situation))


def _with_unit(number: Quantity, situation: Situation) -> Quantity | None:
    """ "Almost three years, and before that more than four": the unit of time is that of the number before."""
    before = [other for other in situation.reading.numbers if other.last <= number.first]
    if number.unit or not before or before[-1].unit not in TIME_UNITS or not stands_alone(number, situation):
        return None
    return replace(number, unit=before[-1].unit)


def _compared(number: Quantity, situation: Situation) -> bool:
    """ "38% reporting matters more than 4% clicking": two figures of one kind are compared, and none is rounded."""
    if number.rounding != "over" or situation.reading.tokens[number.first - 1].kind != "word":
        return False
    clause = situation.reading.clause_at(number.first)
    other = [one for one in situation.reading.numbers if clause.first <= one.first < number.first]
    return bool(other) and other[-1].unit == number.unit and not other[-1].rounding


def _during(number: Quantity, situation: Situation) -> bool:
    """ "Block by block over six years": behind a word of content, a word that can mean "during" rounds nothing."""
    before = situation.reading.tokens[max(0, number.first - 2) : number.first]
    if number.unit not in TIME_UNITS or len(before) < 2:
        return False
    governs = before[0].word and not situation.language.has("function", before[0].lower)
    return situation.language.has("during", before[1].lower) and governs


def _with_currency(number: Quantity, situation: Situation) -> Quantity:
    """ "180 euros of screen against 60,000 of crane": a sum goes on with the currency named before it."""
    clause = situation.reading.clause_at(number.first)
    before = [other for other in situation.reading.numbers if clause.first <= other.first < number.first]
    unit = before[-1].unit if before else ""
    money = len(unit) == 3 and unit.isupper()
    return replace(number, unit=unit) if money and not number.unit and not number.ordinal else number


def _ends_pair(number: Quantity, clause: Clause, fact: Fact, situation: Situation) -> bool:
    """ "From 9.5% to 5.2%": where the first holds, the second is the next one of that unit in the same text."""
    first = first_of_pair(number, situation)
    if first is None or not _supported(first, clause, fact, situation):
        return False
    alike = [value for sentence, value in fact.numbers() if value.unit == number.unit and not value.ordinal]
    return any(
        _close(first.value, one.value, first.rounding, one.rounding)
        and _close(number.value, other.value, number.rounding, other.rounding)
        and number.per in ("", other.per)
        for one, other in pairwise(alike)
    )


def _is_complement(number: Quantity, situation: Situation) -> bool:
    before = situation.reading.tokens[max(0, number.first - 2) : number.first]
    return any(situation.language.has("complement", token.lower) for token in before)


def _same_measure(number: Quantity, fact: Fact, situation: Situation) -> bool:
    content = counted_after(number, situation)
    return any(
        recorded.unit == number.unit and any(not token.keys.isdisjoint(sentence.keys) for token in content)
        for sentence, recorded in fact.numbers()
    )


def _same(said: Quantity, recorded: Quantity, sentence: FactSentence, fact: Fact, *, named: bool) -> bool:
    """Equal in value and unit, or rounded with a rounding word in the right direction."""
    if said.ordinal != recorded.ordinal or (said.per and said.per != recorded.per):
        return False
    if (
        said.unit != recorded.unit
        and (recorded.unit == "times" or not (named and recorded.unit))
        and "" in (said.unit, recorded.unit)
        and _unit_understood(said, recorded, sentence, fact)
    ):
        return _close(said.value, recorded.value, said.rounding, recorded.rounding)
    mine, true = _in_base(said), _in_base(recorded)
    if mine is None or true is None or mine[1] != true[1]:
        return False
    return _close(mine[0], true[0], said.rounding, recorded.rounding)


def _names_limit(said: Quantity, recorded: Quantity, situation: Situation) -> bool:
    """ "Your rule of the 48 hours": the article points to the figure of "more than 48 hours"."""
    before = situation.reading.tokens[said.first - 1] if said.first else None
    pointed = before is not None and situation.language.has("definite", before.lower)
    bare = bool(recorded.rounding) and not said.rounding and not recorded.ordinal
    return pointed and bare and said.unit == recorded.unit and abs(said.value - recorded.value) < 1e-9


def _unit_understood(said: Quantity, recorded: Quantity, sentence: FactSentence, fact: Fact) -> bool:
    """ "Three weeks and it took one": a unit of time that the text gives once and leaves out again."""
    unit = said.unit or recorded.unit
    if unit == "times":
        return True  # "twenty-two rides" are 22 times that somebody rode; what is counted is compared beside it
    if len(unit) == 3 and unit.isupper():
        # "A crane costs 60,000 euros; the screen, 180"
        named = any(number.unit == unit and number is not recorded for number in sentence.numbers)
        return said.value >= _MUCH_MONEY or (bool(said.unit) and named)
    if unit == "%":
        return any(number.unit == unit for number in sentence.numbers)
    return unit in TIME_UNITS and any(number.unit == unit for _, number in fact.numbers())


def _in_base(number: Quantity) -> tuple[float, str] | None:
    """Durations in days, fractions in per cent."""
    if number.unit in TIME_UNITS:
        return number.days, "time"
    if number.unit == "fraction":
        return number.value * 100, "%"
    return number.value, number.unit


def _close(said: float, true: float, rounding: str, recorded: str) -> bool:
    equal = abs(said - true) <= max(abs(true) * 0.002, 1e-9)
    if equal:
        return rounding in ("", "about", recorded) and (rounding != "" or recorded in ("", "about", "over"))
    if rounding == "about":
        return abs(said - true) <= 0.08 * max(abs(true), 1e-9)
    if rounding == "over":
        return true * 0.8 <= said < true
    if rounding == "under":
        return true < said <= true * 1.25
    return False


def _derived(number: Quantity, fact: Fact, *, complement: bool, topical: bool, changing: Language | None) -> bool:
    """Listed derivations: a share of two counts, what is left of a share, a multiple."""
    if number.unit in ("%", "fraction"):
        return _share(number, fact, complement=complement, topical=topical, changing=changing)
    if number.unit == "times":
        multiples = [whole / part for part, whole in _pairs(fact)] if topical else []
        return any(_close(number.value, multiple, number.rounding or "about", "") for multiple in multiples)
    return False


def _pairs(fact: Fact) -> list[tuple[float, float]]:
    """Smaller and larger of two counts that the text gives in one breath: in one sentence or the next."""
    plain = [
        (at, recorded.value)
        for at, sentence in enumerate(fact.sentences)
        for recorded in sentence.numbers
        if not recorded.unit and not recorded.ordinal
    ]
    return [
        (part, whole) for here, part in plain for there, whole in plain if abs(here - there) <= 1 and 0 < part < whole
    ]


def _changes(fact: Fact, language: Language) -> list[float]:
    """By how many per cent the text says that something fell ("from 140 to 52")."""
    return [
        (one.value - other.value) / one.value * 100
        for sentence in fact.sentences
        for one, other in pairwise(sentence.numbers)
        if one.unit == other.unit != "%" and one.value > other.value > 0 and from_to(one, sentence.tokens, language)
    ]


def _share(number: Quantity, fact: Fact, *, complement: bool, topical: bool, changing: Language | None) -> bool:
    said = number.value * 100 if number.unit == "fraction" else number.value
    derived = topical if number.unit == "fraction" else bool(number.rounding)
    if derived and any(_close(said, part / whole * 100, number.rounding, "") for part, whole in _pairs(fact)):
        return True
    changes = _changes(fact, changing) if changing else []
    if any(_close(said, change, number.rounding, "") for change in changes):
        return True
    left = [100 - recorded.value for _, recorded in fact.numbers() if recorded.unit == "%"]
    return complement and any(_close(said, rest, number.rounding, "") for rest in left)


def _counts_items(number: Quantity, situation: Situation) -> bool:
    """ "Two posts", "both plants": as many as the record lists."""
    words = situation.language.words
    after = situation.reading.tokens[number.last : number.last + 3]
    counted = {
        "post_words": ("post", "comment"),
        "talk_words": ("talk",),
        "award_words": ("award",),
        "position_words": ("position",),
    }
    shared = sum(fact.evidence.kind is Kind.IN_COMMON for fact in situation.facts.all)
    if situation.reading.named("mutual") and any(token.lower in words.get("shared_words", ()) for token in after):
        return 0 < number.value <= shared  # "two things in common"
    for name, kinds in counted.items():
        if any(token.lower in words.get(name, frozenset()) for token in after):
            count = sum(fact.evidence.kind.value in kinds for fact in situation.facts.all)
            return abs(count - number.value) < 1e-9
    return False


def _said(number: Quantity, situation: Situation) -> str:
    tokens = situation.reading.tokens[number.first : number.last]
    return " ".join(token.text for token in tokens)


def _figures(fact: Fact) -> str:
    said = [
        " ".join(token.text for token in sentence.tokens[recorded.first : recorded.last + 1])
        for sentence, recorded in fact.numbers()
    ]
    return f"Its figures: {', '.join(said[:8])}." if said else ""


def _draft(
    number: Quantity, clause: Clause, verdict: Verdict, reason: str, fact: Fact | None, *, hint: str = ""
) -> Draft:
    kind = ClaimType.NUMBER
    theirs = fact is not None and fact.evidence.actor is Actor.SENDER
    if clause.subject == "self" or theirs:
        kind = ClaimType.SENDER
    if verdict is Verdict.VERIFIED:
        return Draft(number.first, number.last, kind, verdict, reason, refs([fact] if fact else []))
    first, last = max(clause.first, number.first - 1), min(clause.last, number.last + 4)
    return Draft(first, last, kind, verdict, reason, refs([fact] if fact else []), hint)
