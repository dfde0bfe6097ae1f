"""A model's answer is read with exact spans, mended where form alone is wrong, and refused with a reason otherwise."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messaging.hooks.domain.kinds import Layer
from messaging.verification.contract import ClaimType
from messaging.writing.domain.schema import (
    ANALYSIS_SCHEMA,
    GENERATION_SCHEMA,
    Analysis,
    Generation,
    Malformed,
    read_analysis,
    read_generation,
)

ANSWER = {
    "subject": [{"kind": "glue", "text": "Kilns", "claim_type": None, "arguments": [], "evidence": []}],
    "body": [
        {"kind": "glue", "text": "Hi Ana,\n\n", "claim_type": None, "arguments": [], "evidence": []},
        {
            "kind": "claim",
            "text": "You run the plant at Claywork. ",
            "claim_type": "title",
            "arguments": [{"name": "company", "value": "Claywork"}],
            "evidence": ["3"],
        },
        {"kind": "question", "text": "Shall we talk?\n", "claim_type": None, "arguments": [], "evidence": []},
    ],
    "layers": ["contextual"],
    "motivation": {"reading": "Less scrap.", "evidence": ["4"], "confidence": 0.7},
}


def answer(**changes):
    return {**ANSWER, **changes}


def segment(text="Hello.", kind="glue", **rest):
    return {"kind": kind, "text": text, **rest}


def test_texts_joined_are_the_message_and_spans_fit_it():
    read = read_generation(answer=ANSWER)
    assert (read.subject, read.body) == ("Kilns", "Hi Ana,\n\nYou run the plant at Claywork. Shall we talk?")
    (claim,) = read.declared
    assert read.body[claim.start : claim.end] == "You run the plant at Claywork."
    assert (claim.type, claim.arguments, claim.evidence) == (ClaimType.TITLE, {"company": "Claywork"}, ("3",))
    assert read.layers == (Layer.CONTEXTUAL,)
    assert read.motivation.confidence == 0.7


WRAPPED = {
    "plain": "{}",
    "in a code fence": "```json\n{}\n```",
    "with words around": "Here you are:\n{}\nI hope it fits!",
}


@pytest.mark.parametrize("form", WRAPPED.values(), ids=WRAPPED.keys())
def test_an_answer_is_found_in_its_wrapping(form):
    read = read_generation(answer=form.replace("{}", json.dumps(ANSWER)))
    assert isinstance(read, Generation)
    assert read.body == read_generation(answer=ANSWER).body


MALFORMED = {
    "empty": ("", "empty"),
    "prose": ("I cannot help with that.", "no JSON object"),
    "cut off": (json.dumps(ANSWER)[:-40], "cut off"),
    "body is text": (json.dumps(answer(body="Hi")), "list of segments"),
    "no body": (json.dumps(answer(body=[])), "body is empty"),
    "blank body": (json.dumps(answer(body=[segment("  ")])), "body is empty"),
    "text missing": (json.dumps(answer(body=[{"kind": "glue"}])), "segment 1 of body"),
    "segment is text": (json.dumps(answer(body=["Hi"])), "must be an object"),
    "unknown kind": (json.dumps(answer(body=[segment(kind="poem")])), "claim, question, offer, glue"),
    "too many": (json.dumps(answer(body=[segment()] * 61)), "more than 60"),
    "too long": (json.dumps(answer(body=[segment("x" * 13_000)])), "longer than"),
}


@pytest.mark.parametrize(("text", "words"), MALFORMED.values(), ids=MALFORMED.keys())
def test_a_malformed_answer_says_what_is_wrong(text, words):
    read = read_generation(answer=text)
    assert isinstance(read, Malformed)
    assert words in read.reason


CITATIONS = [
    (["7"], ("7",)),
    ([7], ("7",)),
    (["[7]", "#8"], ("7", "8")),
    ("7", ("7",)),
    (["post1", "post1"], ("post1",)),
    (["positions[0]"], ("positions[0]",)),
    (None, ()),
    ([True, {}, "a b"], ()),
]


@pytest.mark.parametrize(("written", "refs"), CITATIONS)
def test_citations_are_read_however_they_are_written(written, refs):
    read = read_generation(answer=answer(body=[segment(kind="claim", evidence=written, claim_type="title")]))
    assert read.declared[0].evidence == refs


def test_a_claim_of_unknown_type_stays_a_claim():
    read = read_generation(answer=answer(body=[segment(kind="claim", claim_type="gossip", evidence=["1"])]))
    assert read.declared[0].type is ClaimType.OTHER


def test_sentences_joined_without_a_blank_are_parted():
    body = [segment("One.", kind="claim", evidence=["1"]), segment("Two.", kind="claim", evidence=["2"])]
    read = read_generation(answer=answer(body=body))
    assert read.body == "One. Two."
    assert [read.body[claim.start : claim.end] for claim in read.declared] == ["One.", "Two."]


CONFIDENCE = [(0.4, 0.4), (7, 1.0), (-1, 0.0), ("high", 0.0), (None, 0.0), (True, 0.0)]


@pytest.mark.parametrize(("given_as", "read_as"), CONFIDENCE)
def test_confidence_is_a_number_from_nought_to_one_or_none_at_all(given_as, read_as):
    read = read_generation(answer=answer(motivation={"reading": "x", "evidence": [], "confidence": given_as}))
    assert read.motivation.confidence == read_as


def test_analysis_is_read_with_its_hooks_in_order():
    data = {"reasoning": "…", "hooks": [{"evidence": "[2]", "why": "fresh"}, {"evidence": None}], "motivation": None}
    read = read_analysis(answer=json.dumps(data))
    assert isinstance(read, Analysis)
    assert [hook.evidence for hook in read.hooks] == ["2"]
    assert isinstance(read_analysis(answer='{"hooks": "2"}'), Malformed)


@pytest.mark.parametrize("schema", [GENERATION_SCHEMA, ANALYSIS_SCHEMA])
def test_schemas_are_closed_and_require_every_key_as_strict_modes_ask(schema):
    def walk(node):
        if isinstance(node, dict):
            if node.get("type") == "object":
                assert node["additionalProperties"] is False
                assert set(node["required"]) == set(node["properties"])
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(json.loads(json.dumps(dict(schema))))


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["kind", "text", "body", "evidence"]), inner)
    ),
    max_leaves=20,
)


@given(subject=anything, body=anything, layers=anything, motivation=anything)
def test_no_answer_can_break_the_reading(subject, body, layers, motivation):
    data = {"subject": subject, "body": body, "layers": layers, "motivation": motivation}
    read = read_generation(answer=data)
    if isinstance(read, Generation):
        for one in read.segments:
            assert getattr(read, one.field_name)[one.start : one.end] == one.text
    read_analysis(answer={"hooks": body, "motivation": motivation})
