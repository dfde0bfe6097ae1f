"""Titles: equal seniority, function and scope after normalisation; never fuzzy, never upwards."""

from __future__ import annotations

from messaging.verification.contract import ClaimType, Verdict
from messaging.verification.facts import Fact, plain
from messaging.verification.naming import opening, partly
from messaging.verification.reading import Clause
from messaging.verification.rules.base import Draft, Situation, refs
from messaging.verification.rules.meant import MOST_MEANT, holding
from messaging.verification.titles import (
    TitleMention,
    canonical,
    level_only,
    recorded_titles,
    same_title,
    title_words,
)
from messaging.verification.tokens import Token
from prospects.domain.evidence import Kind

#: A company so few words behind a title is the one that it was held at.
_COMPANY_REACH = 4
_NAME_REACH = 4
#: Words behind a title that must stand behind it in the offer too.
_OFFER_REACH = 3
_CLOSE = 4
_OWN = (Kind.POSITION, Kind.HEADLINE, Kind.ABOUT, Kind.AWARD)


def check(situation: Situation) -> list[Draft]:
    """One draft for each title in the sentence; marks its tokens so that no other rule reads them as content."""
    drafts = [_check(mention, situation) for mention in situation.reading.titles if not _quoted(mention, situation)]
    cited = {ref for draft in drafts if draft is not None for ref in draft.evidence}
    situation.cited += [fact for fact in situation.facts.all if fact.ref in cited]
    for mention in situation.reading.titles:
        for token in situation.reading.tokens[mention.first : mention.last]:
            token.tags.add("title")
    return [draft for draft in drafts if draft is not None]


def _quoted(mention: TitleMention, situation: Situation) -> bool:
    """ "Payer plus vite sans trésorier miracle": words between quotation marks are read as a quotation."""
    return all("quoted" in token.tags for token in situation.reading.tokens[mention.first : mention.last])


def _check(mention: TitleMention, situation: Situation) -> Draft | None:
    clause = situation.reading.clause_at(mention.first)
    job = _wanted(mention, clause, situation)
    if job:
        return _verified(mention, job)
    if any(match.last == mention.first for match in situation.reading.named("as_self")):
        return _of_writer(mention, situation)
    owner = _owner(mention, clause, situation)
    if owner == "colleague":
        return _of_someone(mention, situation, (Kind.COLLEAGUE, Kind.COMPANY_NEWS), "a colleague")
    if owner == "sender":
        return _of_someone(mention, situation, (Kind.SENDER,), "the sender")
    if owner == "person":
        return _of_someone(mention, situation, (Kind.COLLEAGUE, Kind.IN_COMMON, Kind.COMPANY_NEWS), "this person")
    return _of_prospect(mention, clause, situation, certain=owner == "prospect")


def _wanted(mention: TitleMention, clause: Clause, situation: Situation) -> Fact | None:
    """ "You are looking for a Data Engineer": the open position of that title, beside a word for hiring."""
    language = situation.language
    if not any(language.means("of_job", token.keys) for token in clause.tokens if token.word):
        return None
    for fact in situation.facts.of(Kind.JOB):
        titles = recorded_titles(fact.evidence.get("title"), language)
        if any(same_title(mention.parts, title) for title in titles):
            return fact
    return None


def _owner(mention: TitleMention, clause: Clause, situation: Situation) -> str:
    """Whose title it is: the nearest person named in the sentence, the sender, or the prospect."""
    tokens = situation.reading.tokens
    if mention.first and "your" in tokens[mention.first - 1].tags and not _names_role(mention, situation):
        return "colleague"
    for reach in (3, 8):
        around = (
            tokens[max(clause.first, mention.first - reach) : mention.first] + tokens[mention.last : mention.last + 3]
        )
        for token in reversed(around):
            if token.tags & {"you", "your", "prospect"}:
                return "prospect"
            if "person" in token.tags:
                return "person"
    before = tokens[max(0, mention.first - 5) : mention.first]
    if any("person" in token.tags for token in before) and not any("you" in token.tags for token in before):
        return "person"
    if clause.subject == "self" and not situation.reading.named("as_you"):
        return "sender"
    return "prospect" if clause.subject == "you" or situation.reading.named("as_you") else ""


def _names_role(mention: TitleMention, situation: Situation) -> bool:
    """ "Your Staff SRE role" is the prospect's own; "your CTO" is somebody else."""
    after = situation.reading.tokens[mention.last : mention.last + 2]
    return any(situation.language.means("role_words", token.keys) for token in after)


def _of_writer(mention: TitleMention, situation: Situation) -> Draft:
    """ "I write to you as Head of Platform": read as the sender's post, even where the prospect holds it."""
    for fact, titles in situation.facts.titles_of_others:
        if fact.evidence.kind is Kind.SENDER and any(same_title(mention.parts, title) for title in titles):
            return _verified(mention, fact)
    reason = f"This reads as if the sender were “{_said(mention, situation)}”; no evidence gives the sender that title."
    return _draft(mention, Verdict.UNSUPPORTED, reason, ())


def _of_someone(mention: TitleMention, situation: Situation, kinds: tuple[Kind, ...], who: str) -> Draft | None:
    named = _people_beside(mention, situation)
    for fact, titles in situation.facts.titles_of_others:
        if named and fact.evidence.kind in kinds and named.isdisjoint(fact.names):
            continue
        if fact.evidence.kind in kinds and any(same_title(mention.parts, title) for title in titles):
            return _verified(mention, fact)
    written = _written(mention, situation, kinds)
    if written and not (named and _has_other_title(named, situation)):
        return _verified(mention, written)
    if any(same_title(mention.parts, title) for _, titles, _ in situation.facts.positions for title in titles):
        return None
    if Kind.SENDER in kinds and _of_the_offer(mention, situation):
        return None
    said = _said(mention, situation)
    reason = f"No evidence gives {who} the title “{said}”."
    return _draft(mention, Verdict.UNSUPPORTED, reason, _naming(mention, situation))


def _of_the_offer(mention: TitleMention, situation: Situation) -> bool:
    """Whether the words are the offer's, with what follows them there: "a size adviser for shops" is a thing to buy."""
    said = [token.lower for token in situation.reading.tokens[mention.first : mention.last + _OFFER_REACH]]
    if len(said) < mention.last - mention.first + _OFFER_REACH:
        return False
    offers = (sentence for fact in situation.facts.of(Kind.OFFER) for sentence in fact.sentences)
    return any(
        [token.lower for token in sentence.tokens[at : at + len(said)]] == said
        for sentence in offers
        for at in range(len(sentence.tokens))
    )


def _naming(mention: TitleMention, situation: Situation) -> tuple[Fact, ...]:
    """Evidence with a word of the title: the only one that can show that it is borne, or is no title here."""
    return tuple(holding(situation.reading.tokens[mention.first : mention.last], situation)[:MOST_MEANT])


def _people_beside(mention: TitleMention, situation: Situation) -> frozenset[str]:
    """Words of the names of people right before or behind the title."""
    tokens = situation.reading.tokens
    beside = tokens[max(0, mention.first - _NAME_REACH) : mention.first] + tokens[mention.last : mention.last + 3]
    return frozenset(plain(token.text) for token in beside if "person" in token.tags)


def _has_other_title(named: frozenset[str], situation: Situation) -> bool:
    """Whether a record gives that person a title; then a text that merely holds another one is about someone else."""
    return any(not named.isdisjoint(fact.names) for fact, _ in situation.facts.titles_of_others)


def _of_prospect(mention: TitleMention, clause: Clause, situation: Situation, *, certain: bool) -> Draft | None:
    positions = situation.facts.positions
    there = _at_named_company(mention, clause, situation)
    if there:
        positions = tuple(entry for entry in positions if entry[0] in there)
    matching = [
        (fact, still)
        for fact, titles, still in positions
        if any(same_title(mention.parts, t) or level_only(mention.parts, t, situation.language) for t in titles)
    ]
    held = [
        fact
        for fact, still in matching
        if still
        or (_past(clause, situation) and not _current(mention, situation))
        or (not still and _on_the_way(mention, situation))
    ]
    if held:
        return _verified(mention, held[0])
    if matching:
        return _former(mention, matching[0][0], situation, certain=certain and _beside_you(mention, situation))
    other = _someone_elses(mention, situation)
    written = None if other and certain else _written(mention, situation, _OWN if certain else tuple(Kind))
    elsewhere = written and (_held_elsewhere(written, there, clause, situation) or not _says_company(written, there))
    if elsewhere:
        written = None
    if written or (other and not certain):
        return _verified(mention, written or other)
    if not certain and (clause.open or "hedged" in clause.moods):
        return None
    if other and other.evidence.kind is Kind.SENDER and _set_beside(mention, clause, situation):
        return _verified(mention, other)
    return _never_held(mention, other, situation, certain=certain and _beside_you(mention, situation))


def _beside_you(mention: TitleMention, situation: Situation) -> bool:
    """ "You, Head of X", "as Head of X you": nothing stands between that could be whose title it is."""
    tokens = situation.reading.tokens
    around = tokens[max(0, mention.first - _CLOSE) : mention.first] + tokens[mention.last : mention.last + _CLOSE]
    told = bool(situation.reading.named("as_you"))
    stated = not situation.reading.clause_at(mention.first).moods & {"open", "hedged"}
    return stated and (told or any(token.tags & {"you", "your", "prospect"} for token in around))


def _set_beside(mention: TitleMention, clause: Clause, situation: Situation) -> bool:
    """ "Comparing notes, a founder and a former teacher": in an act, a title of the sender beside another one."""
    before = situation.reading.tokens[max(clause.first, mention.first - _NAME_REACH) : mention.first]
    apart = any(token.kind == "sign" for token in situation.reading.tokens[max(0, mention.first - 2) : mention.first])
    return clause.open and apart and not any("you" in token.tags for token in before)


def _held_elsewhere(written: Fact, there: list[Fact], clause: Clause, situation: Situation) -> bool:
    """A title in the text of another company's position, or of one that has ended and is said of today."""
    if written.evidence.kind is not Kind.POSITION:
        return False
    ended = bool(written.evidence.get("end")) and not _past(clause, situation)
    return ended or bool(there and not any(written is fact for fact in there))


def _never_held(mention: TitleMention, other: Fact | None, situation: Situation, *, certain: bool) -> Draft:
    current = [fact for fact, _, still in situation.facts.positions if still]
    held = "; ".join(fact.evidence.get("title") for fact in current) or "no open position"
    reason = f"The record says “{held}”, not “{_said(mention, situation)}”."
    if other:
        reason += f" That is {other.evidence.get('full_name')}."
    known = tuple(current[:1])
    verdict = Verdict.CONTRADICTED if known and certain else Verdict.UNSUPPORTED
    cited = known if verdict is Verdict.CONTRADICTED else (*known, *_naming(mention, situation))
    return _draft(mention, verdict, reason, cited, f"Current title: {held}.")


def _former(mention: TitleMention, fact: Fact, situation: Situation, *, certain: bool) -> Draft:
    reason = f"“{_said(mention, situation)}” was held until {partly(fact.evidence.get('end'))}; the sentence says it of today."
    verdict = Verdict.CONTRADICTED if certain else Verdict.UNSUPPORTED
    return _draft(mention, verdict, reason, (fact,), "Say it as a former position.")


def _current(mention: TitleMention, situation: Situation) -> bool:
    """ "Your current role as …" is no former one, whatever else the sentence tells."""
    beside = situation.reading.tokens[max(0, mention.first - 3) : mention.last + 2]
    return any(situation.language.has("current", token.lower) for token in beside)


def _past(clause: Clause, situation: Situation) -> bool:
    tokens = [token for token in situation.reading.tokens if token.word]
    return any(situation.language.has("past_markers", token.lower) for token in tokens) or any(
        "time" in token.tags for token in clause.tokens
    )


def _on_the_way(mention: TitleMention, situation: Situation) -> bool:
    """ "From working student to generalist and, since November, …": a title that the sentence leads on from."""
    language, tokens = situation.language, situation.reading.tokens
    before = tokens[max(0, mention.first - 2) : mention.first]
    later = any(other.first >= mention.last for other in situation.reading.titles)
    if not later:
        return False
    if any(language.has("path_from", token.lower) for token in before):
        return any(language.has("path_to", token.lower) for token in tokens[mention.last :])
    reached = any(language.has("path_to", token.lower) for token in before)
    return reached and any(language.has("path_from", token.lower) for token in tokens[: mention.first])


def _someone_elses(mention: TitleMention, situation: Situation) -> Fact | None:
    for fact, titles in situation.facts.titles_of_others:
        if any(same_title(mention.parts, title) for title in titles):
            return fact
    return None


def _written(mention: TitleMention, situation: Situation, kinds: tuple[Kind, ...]) -> Fact | None:
    """A text of those kinds that holds the same canonical words side by side."""
    size = mention.last - mention.first
    for fact in situation.facts.of(*kinds):
        for sentence in fact.sentences:
            if not sentence.lowers.isdisjoint(situation.language.words.get("reporting", frozenset())):
                continue  # "reports to the Operations Director" names somebody else's title
            if _holds_title(sentence.tokens, size, mention, situation):
                return fact
    return None


def _holds_title(tokens: list[Token], size: int, mention: TitleMention, situation: Situation) -> bool:
    """The words side by side, and no further title word beside them: "Deputy Director" does not hold "Director"."""
    words = title_words(situation.language)
    lowers = [token.lower for token in tokens if token.word]
    for at in range(len(lowers)):
        if at and lowers[at - 1] in words:
            continue
        for length in range(max(1, size - 1), size + 3):
            if at + length < len(lowers) and lowers[at + length] in words:
                continue
            if canonical(lowers[at : at + length], situation.language) == mention.parts:
                return not _goes_on([token for token in tokens if token.word], at + length, tokens, situation)
    return False


def _goes_on(words: list[Token], end: int, tokens: list[Token], situation: Situation) -> bool:
    """ "Leiter Schadenservice Nichtleben" is not Leiter Schadenservice, where nouns straight behind are scope."""
    if not situation.language.titles.get("apposition", False) or end >= len(words):
        return False
    last, following = words[end - 1], words[end]
    apart = any(last.end <= token.start < following.start for token in tokens)
    company = plain(following.text) in situation.facts.company_words | situation.facts.organisations
    return following.capital and not apart and not company


def _at_named_company(mention: TitleMention, clause: Clause, situation: Situation) -> list[Fact]:
    """The positions at the company that the clause names: the first one behind the title, else any of them."""
    places: dict[str, int] = {}
    for at, token in enumerate(clause.tokens, clause.first):
        if token.capital and (at >= mention.last or plain(token.text) not in places):
            places[plain(token.text)] = at
    found = []
    for fact, _, _ in situation.facts.positions:
        words = [plain(part) for part in fact.evidence.get("company").replace("-", " ").split()]
        if words and words[0] in places and sum(word in places for word in words) * 2 >= len(words):
            found.append((places[words[0]], fact))
    behind = [at for at, _ in found if mention.last <= at <= mention.last + _COMPANY_REACH]
    return [fact for at, fact in found if not behind or at == min(behind)]


def _says_company(fact: Fact, there: list[Fact]) -> bool:
    """Whether the text that holds the title names that company too."""
    names = {plain(position.evidence.get("company").split()[0]) for position in there}
    return not there or fact in there or not names.isdisjoint(fact.lowers)


def _said(mention: TitleMention, situation: Situation) -> str:
    return " ".join(token.text for token in situation.reading.tokens[mention.first : mention.last])


def _verified(mention: TitleMention, fact: Fact | None) -> Draft:
    if fact is None:
        raise ValueError("a verified title needs its evidence")
    return Draft(
        mention.first,
        mention.last,
        ClaimType.TITLE,
        Verdict.VERIFIED,
        f"{opening(fact)} gives this title.",
        refs([fact]),
    )


def _draft(mention: TitleMention, verdict: Verdict, reason: str, facts: tuple[Fact, ...], hint: str = "") -> Draft:
    return Draft(mention.first, mention.last, ClaimType.TITLE, verdict, reason, refs(facts), hint)
