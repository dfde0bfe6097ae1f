"""The quality rules there are: what each looks for, how grave it is unless a team says otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

BLOCK, WARN = "block", "warn"
LEVELS = (BLOCK, WARN)
#: What the team's policy on length and requests makes warnings of, all at once.
SOFT_RULES = frozenset({"too-long", "too-short", "no-request", "several-requests", "questions"})


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    level   "block" or "warn" as shipped; a rule that grades itself may warn below it
    fixed   no team makes it a warning: the channel would cut the text, or it would embarrass whoever sent it
    group   where people find it
    """

    id: str
    name: str
    level: str
    group: str
    fixed: bool = False


_WORDS, _FORM, _LENGTH, _WHOLE = "Words", "Form", "Length and subject", "The message as a whole"
RULES: tuple[Rule, ...] = (
    Rule("hard-limit", "Longer than the channel takes", BLOCK, _LENGTH, fixed=True),
    Rule("too-long", "Longer than the strategy’s band", BLOCK, _LENGTH),
    Rule("too-short", "Shorter than the strategy’s band", WARN, _LENGTH),
    Rule("subject-limit", "Subject longer than the channel takes", BLOCK, _LENGTH, fixed=True),
    Rule("subject-missing", "No subject where the channel needs one", BLOCK, _LENGTH, fixed=True),
    Rule("subject-long", "Subject that inboxes cut", WARN, _LENGTH),
    Rule("subject-unused", "Subject where the channel shows none", WARN, _LENGTH),
    Rule("subject-thread", "Subject that pretends to be an answer (Re:, Fwd:)", BLOCK, _LENGTH),
    Rule("no-request", "Asks for nothing", BLOCK, _WHOLE),
    Rule("several-requests", "More than one call to action", BLOCK, _WHOLE),
    Rule("questions", "More than two questions", WARN, _WHOLE),
    Rule("depth", "More references than the strategy asks for", WARN, _WHOLE),
    Rule("near-duplicate", "Nearly the same as a message to somebody else", BLOCK, _WHOLE),
    Rule("repeats-thread", "Says again what an earlier message to them said", BLOCK, _WHOLE),
    Rule("nothing-new", "A follow-up that adds nothing to the earlier messages", BLOCK, _WHOLE),
    Rule("must-not-say", "A phrase that the campaign bars", BLOCK, _WHOLE, fixed=True),
    Rule("placeholder", "A field left unfilled: {{name}}, [Company]", BLOCK, _WHOLE, fixed=True),
    Rule("template-smell", "Stock phrases of templates", BLOCK, _WORDS),
    Rule("posted-about", "“I noticed you posted about …”", BLOCK, _WORDS),
    Rule("over-formal", "Over-formal words", WARN, _WORDS),
    Rule("superlative", "Generic superlatives", BLOCK, _WORDS),
    Rule("flattery", "Flattery", WARN, _WORDS),
    Rule("pressure", "Pressure and urgency", BLOCK, _WORDS),
    Rule("jargon", "Jargon", WARN, _WORDS),
    Rule("spam-words", "Words of spam", BLOCK, _WORDS),
    Rule("link", "Links", WARN, _FORM),
    Rule("emoji", "Emoji", WARN, _FORM),
    Rule("exclamation", "Exclamation marks", BLOCK, _FORM),
    Rule("capitals", "Words in capitals", WARN, _FORM),
    Rule("long-sentence", "A sentence of more than 38 words", WARN, _FORM),
    Rule("readability", "Hard to read in this language", WARN, _FORM),
)
BY_ID: Mapping[str, Rule] = MappingProxyType({rule.id: rule for rule in RULES})


def settled_levels(levels: Mapping[str, str]) -> dict[str, str] | str:
    """A team's levels without those that are as shipped; or what is wrong with them, naming the rule."""
    for rule_id, level in levels.items():
        rule = BY_ID.get(rule_id)
        if rule is None:
            return f"There is no quality rule {rule_id!r}."
        if level not in LEVELS:
            return f"{rule.name}: use block or warn, not {level!r}."
        if rule.fixed and level != rule.level:
            return f"{rule.name}: this rule always blocks."
    return {rule_id: level for rule_id, level in sorted(levels.items()) if level != BY_ID[rule_id].level}


def level_of(*, rule_id: str, usual: str, levels: Mapping[str, str], soften: bool = False) -> str:
    """The level a finding has for a team.

    usual   the level the rule itself gave; a team's "block" raises a graded warning, too
    soften  the team shows length and request findings as warnings
    """
    rule = BY_ID.get(rule_id)
    if rule is not None and rule.fixed:
        return usual
    if soften and rule_id in SOFT_RULES and levels.get(rule_id) != BLOCK:
        return WARN
    return levels.get(rule_id, usual)
