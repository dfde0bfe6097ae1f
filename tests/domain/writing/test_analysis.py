"""The model's choice of hooks counts as far as scores, evidence and threshold bear it out; prompts are checked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import messaging.writing
from messaging.hooks.domain.kinds import Layer
from messaging.hooks.domain.ranking import rank
from messaging.writing.domain.analysis import settle
from messaging.writing.domain.prompt_text import problems_of, rendered
from messaging.writing.domain.schema import Analysis, ChosenHook, Motivation
from messaging.writing.domain.strategy import StrategyParameters
from prospects.domain.evidence import Actor, Kind
from tests.domain.writing.material import COMPANY, NAME, POSITION, POST, a_dossier, evidence

TALK = evidence("talks[0]", Kind.TALK, "Heat in the kiln", on="2026-10-20", title="Heat in the kiln", event="Kiln Day")
STALE = evidence("post9", Kind.RESHARE, "Lunch.", on="2020-01-01", actor=Actor.OTHER)
DOSSIER = a_dossier(NAME, COMPANY, POSITION, POST, TALK, STALE)
HOOKS = rank(dossier=DOSSIER, value_proposition="")
SURE = Motivation("Less scrap.", ("post1",), 0.8, "facts[0]")


def settled(*refs, motivation=SURE, **changes):
    analysis = Analysis(tuple(ChosenHook(ref, "") for ref in refs), motivation)
    parameters = replace(StrategyParameters(), **changes)
    return settle(analysis=analysis, hooks=HOOKS, dossier=DOSSIER, parameters=parameters)


def test_a_well_scored_choice_comes_first_and_nothing_is_lost():
    answer = settled("talks[0]")
    assert answer.hooks[0].ref == "talks[0]"
    assert set(answer.hooks) == set(HOOKS)
    assert answer.ignored == ()


@pytest.mark.parametrize(("ref", "words"), [("post9", "less than half"), ("post77", "no hook")])
def test_a_choice_that_the_scores_do_not_bear_out_is_ignored_with_its_reason(ref, words):
    answer = settled(ref)
    assert answer.hooks == HOOKS
    assert words in answer.ignored[0]


DROPPED = [
    ({"motivation": None}, "nothing that suggests"),
    ({"motivation": replace(SURE, confidence=0.3)}, "0.30 is below"),
    ({"motivation": replace(SURE, evidence=("company.name",))}, "neither their own words"),
    ({"motivation": replace(SURE, evidence=())}, "neither their own words"),
    ({"layers": (Layer.CONTEXTUAL,)}, "strategy leaves it out"),
]


@pytest.mark.parametrize(("changes", "words"), DROPPED)
def test_motivation_is_dropped_with_its_reason(changes, words):
    answer = settled("post1", **changes)
    assert answer.motivation == ""
    assert words in answer.dropped


def test_a_borne_out_motivation_is_told_as_a_question_or_one_hedged_conditional():
    answer = settled("post1")
    assert answer.dropped == ""
    assert "Less scrap." in answer.motivation
    assert "presupposes nothing" in answer.motivation
    assert "facts[0]" in answer.motivation


@pytest.mark.parametrize("stage", ["writing", "analysis"])
def test_shipped_prompts_may_be_published(stage):
    text = (Path(messaging.writing.__path__[0]) / "prompts" / f"{stage}.md").read_text(encoding="utf-8")
    assert problems_of(text=text, stage=stage) == ()


PROBLEMS = [
    ("", "writing", "empty"),
    ("Cite segments for {{name}}.", "writing", "Unknown variable “name”"),
    ("Cite segments }}.", "writing", "Double braces"),
    ("Cite only.", "writing", "segments"),
    ("Segments only.", "writing", "citations"),
    ("Choose a hook.", "analysis", "confidence"),
    ("x", "dreaming", "no stage"),
    ("cite segment " * 2_000, "writing", "at most"),
]


@pytest.mark.parametrize(("text", "stage", "words"), PROBLEMS)
def test_a_prompt_that_would_break_the_machinery_is_refused(text, stage, words):
    assert any(words in problem.message for problem in problems_of(text=text, stage=stage))


def test_variables_are_filled():
    assert rendered(text="From {{ sender_company }}.", values={"sender_company": "Kilnwatch"}) == "From Kilnwatch."
