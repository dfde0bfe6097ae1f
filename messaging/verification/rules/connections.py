"""Connections: only what is recorded, with the predicate that the record licenses."""

from __future__ import annotations

from messaging.verification.contract import ClaimType, Verdict
from messaging.verification.facts import Fact, plain
from messaging.verification.naming import opening
from messaging.verification.patterns import Match
from messaging.verification.rules.base import Draft, Situation, refs
from messaging.verification.rules.matching import situation_mask
from messaging.verification.rules.meant import MOST_MEANT, meant
from messaging.verification.tokens import Token
from prospects.domain.dates import DateInterval, partial_date
from prospects.domain.evidence import PROSE, Actor, Kind

_RULES = ("mutual", "referral", "met", "met_over", "heard", "both_at", "i_was_at", "same_time", "same_school")
_DENIABLE = ("met", "heard", "both_at", "i_was_at")
_NEVER = {
    "referral": "No evidence records that anyone suggested, introduced or recommended this contact.",
    "met": "No evidence records that sender and prospect met, spoke or wrote before.",
    "met_over": "No evidence records that sender and prospect met, spoke or wrote before.",
    "heard": "The record says that both were at the event, not that the sender saw or heard this.",
}


#: A word of that length names an event by itself ("Schadenforum").
_UNMISTAKABLE = 10
#: So does a shorter one that no dictionary has ("GreenTech").
_COINED = 7
#: Longer words in capitals are names written loudly.
_ACRONYM = 4


def check(situation: Situation) -> list[Draft]:
    """One draft for each phrase that claims a relation between sender and prospect."""
    drafts: list[Draft] = []
    for match in situation.reading.named(*_RULES):
        if match.name == "referral" and _prospect_speaks(match, situation):
            continue
        if match.name in _DENIABLE and _denied(match, situation):
            continue
        if _harmless(match, situation):
            continue
        draft = _check(match, situation)
        drafts.append(draft)
        situation.cited += [fact for fact in situation.facts.all if fact.ref in draft.evidence]
        for token in situation.reading.tokens[match.first : match.last]:
            if not _unheard_of(token, situation):
                token.tags.add("handled")
    return drafts


def _unheard_of(token: Token, situation: Situation) -> bool:
    """Whether it is a name, or a misspelt one, that neither dictionary nor dossier has: the relation does not cover it."""
    if not token.capital or len(token.text) <= _ACRONYM or situation.language.known(token.lower):
        return False
    return not situation_mask(token, situation) and not token.tags & {"time", "number", "prospect", "sender", "company"}


def _prospect_speaks(match: Match, situation: Situation) -> bool:
    """ "You said you would …": nobody recommends; "Holger hat Sie mir empfohlen" has somebody before the "you"."""
    before = situation.reading.tokens[situation.reading.clause_at(match.first).first : match.first]
    told_first = situation.language.settings.get("verb_second", False) and any("person" in t.tags for t in before)
    return bool(before) and "you" in before[-1].tags and not told_first


def _denied(match: Match, situation: Situation, *, reach: int = 1) -> bool:
    """ "I was not there", "não nos conhecemos": that there was no meeting needs no record."""
    before = situation.reading.tokens[max(0, match.first - reach) : match.first + 1]
    return any("negation" in token.tags for token in before)


def _harmless(match: Match, situation: Situation) -> bool:
    """Where the sender works, a guess that the record allows, a talk to come, and turns of phrase claim no relation."""
    if match.name == "i_was_at":
        return _names_own_firm(match, situation)
    if match.name == "met" and (_perhaps(match, situation) or _asked(match, situation)):
        return True
    if match.name == "met_over" and _proposed(match, situation):
        return True
    # "gave me pause" is no introduction
    return match.name == "referral" and "idiom" in situation.reading.tokens[match.last - 1].tags


def _names_own_firm(match: Match, situation: Situation) -> bool:
    """ "I am an adviser at Voelwarm": where the sender works is a fact of theirs, no event."""
    clause = situation.reading.clause_at(match.first)
    told = any("sender" in token.tags for token in clause.tokens)
    return told and not any(
        token.tags & {"you", "your"} for token in situation.reading.tokens[match.first : match.last]
    )


def _proposed(match: Match, situation: Situation) -> bool:
    """ "Would you like to talk over a coffee", "a question for a coffee, perhaps": a talk to come."""
    clause = situation.reading.clause_at(match.first)
    reading, language = situation.reading, situation.language
    asked = reading.sentence.question or any(
        clause.first <= one.first < clause.last for one in reading.named("request", "offer", "conditional", "hedge")
    )
    told = any(language.has(name, token.lower) for token in clause.tokens for name in ("past_markers", "plural_self"))
    return asked and not told and bool(clause.moods & {"open", "hedged"})


def _perhaps(match: Match, situation: Situation) -> bool:
    """ "Perhaps we met there": a guess, where the record has a place at which both were in the same years."""
    if "hedged" not in situation.reading.clause_at(match.first).moods:
        return False
    return any(shared_years(fact) for fact in _places_shared(situation))


def _asked(match: Match, situation: Situation) -> bool:
    """ "Or shall we rather speak?": a question in the present; a language takes part once it lists `past_forms`."""
    clause, language = situation.reading.clause_at(match.first), situation.language
    if not (clause.open and situation.reading.sentence.question and "past_forms" in language.words):
        return False
    told = any(language.has(name, token.lower) for token in clause.tokens for name in ("past_forms", "past_markers"))
    return not told


def _check(match: Match, situation: Situation) -> Draft:
    if match.name in _NEVER:
        return _draft(match, situation, Verdict.UNSUPPORTED, _NEVER[match.name], _told(match, situation))
    if match.name == "mutual":
        return _mutual(match, situation)
    if match.name in ("both_at", "i_was_at"):
        return _event(match, situation)
    return _years(match, situation)


def _mutual(match: Match, situation: Situation) -> Draft:
    mutual = [fact for fact in situation.facts.of(Kind.IN_COMMON) if fact.evidence.get("kind") == "mutual_connection"]
    clause = situation.reading.clause_at(match.first)
    named = _people_named(clause.first, clause.last, situation)
    elsewhere = named or _people_named(0, len(situation.reading.tokens), situation)
    if not elsewhere:
        if mutual:
            return _draft(match, situation, Verdict.VERIFIED, "A mutual connection is recorded.", tuple(mutual))
        return _shared_place(match, situation)
    known = [fact for fact in mutual if any(run <= _name_words(fact) for run in elsewhere)]
    strangers = [run for run in named if not any(run <= _name_words(fact) for fact in mutual)]
    if known and not strangers:
        reason = f"{opening(known[0])} records this mutual connection."
        return _draft(match, situation, Verdict.VERIFIED, reason, tuple(known))
    who = ", ".join(fact.evidence.get("full_name") for fact in mutual) or "nobody"
    reason = f"The recorded mutual connection is {who}."
    return _draft(match, situation, Verdict.CONTRADICTED, reason, tuple(mutual), hint=f"Say {who}.")


def _shared_place(match: Match, situation: Situation) -> Draft:
    recorded = situation.facts.of(Kind.IN_COMMON)
    shared = tuple(fact for fact in recorded if _touched(fact, situation))
    if not shared and any(situation.language.has("shared_words", token.lower) for token in situation.reading.tokens):
        shared = recorded  # "two things in common": how many has a rule of its own
    if shared:
        return _draft(match, situation, Verdict.VERIFIED, f"{opening(shared[0])} records this.", shared)
    return _draft(match, situation, Verdict.UNSUPPORTED, "No such connection is recorded.", _maybe(match, situation))


def _told(match: Match, situation: Situation) -> tuple[Fact, ...]:
    """No record holds a talk or an introduction: only a text that the words are taken from could show it."""
    near = meant(situation.reading.clause_at(match.first), situation)
    return tuple(fact for fact in near if fact.evidence.kind in PROSE and fact.evidence.actor is not Actor.SENDER)


def _maybe(match: Match, situation: Situation) -> tuple[Fact, ...]:
    """What could show that the words claim a recorded relation, or none: the records, and what the clause is about."""
    clause = situation.reading.clause_at(match.first)
    return (*situation.facts.of(Kind.IN_COMMON), *meant(clause, situation)[:MOST_MEANT])


def _name_words(fact: Fact) -> frozenset[str]:
    item = fact.evidence
    text = f"{item.get('full_name')} {item.get('company')}"
    return frozenset(plain(part) for part in text.replace("-", " ").split())


def _people_named(first: int, last: int, situation: Situation) -> list[frozenset[str]]:
    """Each run of words of people's names; the sender's own and the prospect's are not meant."""
    runs: list[set[str]] = []
    before = -2
    for at in range(first, last):
        token = situation.reading.tokens[at]
        if "person" not in token.tags or "sender" in token.tags:
            continue
        if at > before + 1:
            runs.append(set())
        runs[-1].add(plain(token.text))
        before = at
    return [frozenset(run) for run in runs]


def _touched(fact: Fact, situation: Situation) -> bool:
    """Whether the sentence names the event, school or employer."""
    parts = fact.evidence.get("name").replace(",", " ").split()
    if _by_acronym(parts, situation) or _by_phrase(fact, situation):
        return True
    names = [plain(part) for part in parts]
    distinctive = {name for name in names if len(name) > 3 and not name.isdigit()}
    language = situation.language
    named = {name for name in distinctive if not language.means("of_education", language.keys(name))}
    distinctive = named or distinctive  # "Cardiff" is enough for Cardiff University
    said = {plain(token.text) for token in situation.reading.tokens if token.word}
    keys = {key for token in situation.reading.tokens for key in token.keys}
    hits = sum(name in said or not situation.language.keys(name).isdisjoint(keys) for name in distinctive)
    longest = max(distinctive, key=len, default="")
    unmistakable = len(longest) >= _UNMISTAKABLE or (len(longest) >= _COINED and not situation.language.known(longest))
    return (hits >= min(2, len(distinctive)) and hits > 0) or (unmistakable and longest in said)


def _by_phrase(fact: Fact, situation: Situation) -> bool:
    """ "TU/e" for "TU Eindhoven": names that a language lists for one another."""
    said = {key for token in situation.reading.tokens if "phrase" in token.tags for key in token.keys if key[:1] == "#"}
    told = [token for sentence in fact.sentences for token in sentence.tokens if "phrase" in token.tags]
    return any(not said.isdisjoint(token.keys) for token in told)


def _by_acronym(parts: list[str], situation: Situation) -> bool:
    """ "At ETH", of "ETH Zürich"; not "at TU", which a language lists among its `generic_names`."""
    generic = situation.language.words.get("generic_names")
    short = {plain(part) for part in parts if part.isupper() and 2 <= len(part) <= _ACRONYM}
    if generic is None or not short:
        return False
    said = {plain(token.text) for token in situation.reading.tokens if token.text.isupper()}
    return not said.isdisjoint(short - generic)


def _event(match: Match, situation: Situation) -> Draft:
    events = [fact for fact in situation.facts.of(Kind.IN_COMMON) if fact.evidence.get("kind") == "event"]
    named = [fact for fact in events if _touched(fact, situation)]
    if not named and match.name == "i_was_at" and len(events) == 1 and not _other_place(situation):
        named = events
    if not named:
        places = [fact for fact in _places_shared(situation) if fact.evidence.get("sender_years")]
        told = [fact for fact in places if _touched(fact, situation)]
        if told:
            return _draft(match, situation, Verdict.VERIFIED, f"{opening(told[0])} records this.", (told[0],))
    if not named:
        return _draft(
            match, situation, Verdict.UNSUPPORTED, "No shared event of that name is recorded.", _maybe(match, situation)
        )
    if match.name == "i_was_at" and not named[0].evidence.get("sender_role"):
        return _draft(
            match, situation, Verdict.UNSUPPORTED, "It is not recorded that the sender was there.", (named[0],)
        )
    return _draft(match, situation, Verdict.VERIFIED, f"{opening(named[0])} records that both were there.", (named[0],))


def _other_place(situation: Situation) -> bool:
    """Whether the sentence names something that no event of the record is called."""
    names = [fact.evidence.get("name") for fact in situation.facts.of(Kind.IN_COMMON)]
    events = {key for name in names for word in name.split() for key in situation.language.keys(plain(word))}
    keys = situation.facts.entity_keys | events  # "aux Rencontres" is enough for the only event there is
    return any("capital" in token.tags and keys.isdisjoint(token.keys) for token in situation.reading.tokens[1:])


def _places_shared(situation: Situation) -> list[Fact]:
    wanted = ("school", "employer", "group")
    return [fact for fact in situation.facts.of(Kind.IN_COMMON) if fact.evidence.get("kind") in wanted]


def _years(match: Match, situation: Situation) -> Draft:
    shared = _places_shared(situation)
    if not shared:
        reason = "No shared school or employer is recorded."
        return _draft(match, situation, Verdict.UNSUPPORTED, reason, _maybe(match, situation))
    if match.name == "same_school":
        return _draft(match, situation, Verdict.VERIFIED, f"{opening(shared[0])} records this.", tuple(shared))
    apart = _denied(match, situation, reach=2)
    for fact in shared:
        if (shared_years(fact) is not None) is not apart:
            return _draft(match, situation, Verdict.VERIFIED, f"{opening(fact)} records these years.", (fact,))
    fact = shared[0]
    years = f"{fact.evidence.get('sender_years')} and {fact.evidence.get('prospect_years')}"
    return _draft(match, situation, Verdict.CONTRADICTED, f"The recorded years are {years}.", (fact,))


def shared_years(fact: Fact) -> tuple[DateInterval, DateInterval] | None:
    """First and last date of the time that both spent at the recorded place; None when the years do not meet."""
    mine, theirs = _parts(fact.evidence.get("sender_years")), _parts(fact.evidence.get("prospect_years"))
    if not mine or not theirs or mine[0].first > theirs[-1].last or theirs[0].first > mine[-1].last:
        return None
    return max(mine[0], theirs[0], key=lambda day: day.first), min(mine[-1], theirs[-1], key=lambda day: day.last)


def _parts(text: str) -> list[DateInterval]:
    """The years of a range, in order; none when one of them cannot be read."""
    parts = [partial_date(part) for part in text.replace("\u2013", "-").split("-") if part.strip()]
    known = [part for part in parts if part is not None]
    return known if len(known) == len(parts) else []


def _draft(
    match: Match, situation: Situation, verdict: Verdict, reason: str, facts: tuple[Fact, ...], *, hint: str = ""
) -> Draft:
    clause = situation.reading.clause_at(match.first)
    first, last = match.first, match.last
    if verdict is not Verdict.VERIFIED:
        first, last = min(clause.first, first), max(last, min(clause.last, last + 6))
    return Draft(first, last, ClaimType.CONNECTION, verdict, reason, refs(facts), hint)
