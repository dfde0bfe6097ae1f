"""A follow-up repeats nothing and adds something; the table shows what counts as saying it again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

import pytest

from messaging.hooks.domain.ranking import Layer, rank
from messaging.writing.domain.thread import NO_THREAD, Said, Thread, check_thread, fresh_hooks, layers_for, repeated
from prospects.domain.dates import DateInterval
from prospects.domain.evidence import Actor, Dossier, Evidence, Kind

TODAY = date(2026, 11, 20)
REQUEST = "Would you be open to a short call about the curing chambers next week?"
FIRST = (
    "Hi Ana,\n\nYou wrote that scrap fell by 4 per cent after you closed the chamber doors. "
    "Our sensors watch curing chambers around the clock. " + REQUEST + "\n\nBest regards,\nMara Holt"
)


def item(ref, kind, text, *, days_ago=None, actor=Actor.PROSPECT):
    day = TODAY - timedelta(days=days_ago) if days_ago is not None else None
    return Evidence(
        ref=ref, kind=kind, actor=actor, text=text, row_id=ref, occurred=DateInterval(day, day) if day else None
    )


POST = item("1", Kind.POST, "Scrap fell by 4 per cent after we closed the chamber doors.", days_ago=30)
TALK = item("2", Kind.TALK, "What a curing chamber does at night", days_ago=90)
NEWER = item("3", Kind.POST, "Night shift found the second curing chamber cold again, 9 degrees.", days_ago=2)
PROOF = item("4", Kind.PROOF_POINT, "Two precast plants halved their scrap.", actor=Actor.SENDER)
ROLE = item("5", Kind.POSITION, "Plant manager", days_ago=900)
DOSSIER = Dossier(dossier_id="d", send_by=TODAY, items=(POST, TALK, NEWER, PROOF, ROLE))
THREAD = Thread((Said(1, "email", "Doors", FIRST, TODAY - timedelta(days=10), frozenset({"1", POST.content_hash})),))


@dataclass
class Claimed:
    evidence: tuple[str, ...]


AGAIN = {
    "the same sentence": ("You wrote that scrap fell by 4 per cent after you closed the chamber doors.", True),
    "a word changed": ("You wrote that scrap fell by 4 per cent after closing the chamber doors.", True),
    "the offer again": ("Our sensors watch curing chambers all around the clock.", True),
    "the order changed": ("After you closed the chamber doors, scrap fell by 4 per cent, you wrote.", True),
    "the greeting": ("Hi Ana,", False),
    "the closing": ("Best regards,\nMara Holt", False),
    "the campaign's request": (REQUEST, False),
    "another subject": ("In March you spoke about what a curing chamber does at night.", False),
    "a short question": ("Shall we talk?", False),
}


@pytest.mark.parametrize(("body", "again"), AGAIN.values(), ids=AGAIN.keys())
def test_what_says_the_same_again(body, again):
    assert bool(repeated(body=body, thread=THREAD, free=(REQUEST,))) is again


CHECKS = {
    "a new hook": ("At night your chamber does something else.", ("2",), []),
    "a proof point": ("Two precast plants halved their scrap.", ("4",), []),
    "the old hook": ("The doors, once more.", ("1",), [("nothing-new", "block")]),
    "only the role": ("You manage a plant.", ("5",), [("nothing-new", "block")]),
    "the old words": (
        "You wrote that scrap fell by 4 per cent after you closed the chamber doors.",
        ("1", "2"),
        [("repeats-thread", "block")],
    ),
}


@pytest.mark.parametrize(("body", "evidence", "found"), CHECKS.values(), ids=CHECKS.keys())
def test_a_follow_up_adds_something(body, evidence, found):
    findings = check_thread(body=body, claims=[Claimed(evidence)], dossier=DOSSIER, thread=THREAD, request=REQUEST)
    assert [(one.rule, one.level) for one in findings] == found


def test_where_nothing_new_is_known_it_is_only_a_warning():
    dossier = Dossier(dossier_id="d", send_by=TODAY, items=(POST, ROLE))
    (finding,) = check_thread(body="Shall we talk?", claims=[], dossier=dossier, thread=THREAD)
    assert (finding.rule, finding.level) == ("nothing-new", "warn")


def test_a_first_message_has_no_thread_to_repeat():
    assert check_thread(body=FIRST, claims=[], dossier=DOSSIER, thread=NO_THREAD) == ()


def test_used_hooks_are_gone_and_what_happened_since_comes_first():
    hooks = rank(dossier=DOSSIER, value_proposition="Sensors that watch curing chambers for concrete.")
    fresh = fresh_hooks(hooks=hooks, dossier=DOSSIER, thread=THREAD)
    assert "1" not in {hook.ref for hook in fresh}
    assert fresh[0].ref == "3"
    assert "new since the last message" in fresh[0].reason
    assert fresh_hooks(hooks=hooks, dossier=DOSSIER, thread=NO_THREAD) == hooks


SUBJECTS = [
    (("email", "Doors"), "email", "Re: Doors"),
    (("email", "AW: Doors"), "email", "Re: Doors"),
    (("email", ""), "email", ""),
    (("linkedin_message", ""), "email", ""),
    (("email", "Doors"), "linkedin_message", ""),
]


@pytest.mark.parametrize(("said", "channel", "subject"), SUBJECTS)
def test_a_reply_keeps_the_subject_of_the_conversation(said, channel, subject):
    assert Thread((Said(1, said[0], said[1], "x"),)).subject(channel) == subject


ROLE_ONLY = (Layer.CONTEXTUAL,)


@pytest.mark.parametrize(
    ("items", "thread", "layers"),
    [
        ((POST, NEWER, ROLE), NO_THREAD, ROLE_ONLY),
        ((POST, NEWER, ROLE, PROOF), THREAD, ROLE_ONLY),
        ((POST, NEWER, ROLE), THREAD, tuple(Layer)),
        ((POST, ROLE), THREAD, ROLE_ONLY),
    ],
    ids=["a first message", "a proof point is left", "only another layer is left", "nothing is left"],
)
def test_a_follow_up_leaves_its_strategy_only_where_that_has_nothing_new_to_say(items, thread, layers):
    dossier = Dossier(dossier_id="d", send_by=TODAY, items=items)
    fresh = fresh_hooks(hooks=rank(dossier=dossier, value_proposition="chambers"), dossier=dossier, thread=thread)
    assert layers_for(hooks=fresh, layers=ROLE_ONLY, dossier=dossier, thread=thread) == layers
