import pytest
from hypothesis import given
from hypothesis import strategies as st

from messaging.review.domain.differences import Change, difference
from messaging.review.domain.letters import findings, tally
from messaging.review.domain.segments import MarkedClaim, paragraphs
from messaging.verification.contract import Verdict

texts = st.text("ab \n", max_size=60)


@given(before=texts, after=texts)
def test_a_difference_holds_both_texts(before, after):
    pieces = difference(before=before, after=after)
    assert "".join(piece.text for piece in pieces if piece.change is not Change.ADDED) == before
    assert "".join(piece.text for piece in pieces if piece.change is not Change.REMOVED) == after


def test_a_difference_names_the_word_that_changed():
    pieces = difference(before="nine engineers now", after="ten engineers now")
    assert [(piece.change, piece.text) for piece in pieces] == [
        ("removed", "nine"),
        ("added", "ten"),
        ("same", " engineers now"),
    ]


def test_letters_count_the_worst_first():
    letters = "vcvj"
    assert tally(letters) == ((Verdict.CONTRADICTED, 1), (Verdict.JUDGE_CORROBORATED, 1), (Verdict.VERIFIED, 2))
    assert findings(letters) == ((Verdict.CONTRADICTED, 1),)


def claim(number, start, end, verdict="verified"):
    return MarkedClaim(number, start, end, verdict, ("1",))


def shown(text, *claims):
    return [
        [(s.head + s.tail, s.claim.number if s.claim else 0, s.marked) for s in p]
        for p in paragraphs(text=text, claims=claims)
    ]


@pytest.mark.parametrize(
    ("text", "claims", "expected"),
    [
        ("Hi Diego, bye", [claim(1, 3, 8)], [[("Hi ", 0, False), ("Diego", 1, True), (", bye", 0, False)]]),
        ("one\n\ntwo", [claim(1, 0, 8)], [[("one", 1, False)], [("two", 1, True)]]),
        ("abcdef", [claim(1, 0, 4), claim(2, 2, 6)], [[("abcd", 1, True), ("ef", 2, True)]]),
        ("abcdef", [claim(1, 0, 4), claim(2, 2, 6, "contradicted")], [[("ab", 1, True), ("cdef", 2, True)]]),
        (
            "abcdef",
            [claim(1, 0, 6), claim(2, 1, 2, "contradicted")],
            [[("a", 0, False), ("b", 2, True), ("cdef", 1, True)]],
        ),
        ("one two six", [claim(1, 4, 7), claim(2, 0, 11)], [[("one two six", 2, True)]]),
        (
            "one two",
            [claim(1, 0, 7, "undeclared"), claim(2, 4, 7, "contradicted")],
            [[("one", 1, True), (" ", 0, False), ("two", 2, True)]],
        ),
        ("abc", [claim(1, 0, 3), claim(2, 0, 3, "undeclared")], [[("abc", 2, True)]]),
        ("abc", [claim(1, 1, 1)], [[("abc", 0, False)]]),
        ("", [], []),
    ],
)
def test_a_text_is_cut_at_its_claims(text, claims, expected):
    assert shown(text, *claims) == expected


@given(
    text=st.text("ab \n", max_size=40), spans=st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=6)
)
def test_no_word_is_lost_or_doubled(text, spans):
    claims = [claim(number, *sorted(span)) for number, span in enumerate(spans)]
    joined = "".join(s.head + s.tail for p in paragraphs(text=text, claims=claims) for s in p)
    assert joined.split() == text.split() or joined.replace("\n", "").replace(" ", "") == "".join(text.split())


def test_the_last_word_of_a_claim_stays_with_its_mark():
    segment = paragraphs(text="a claim of words", claims=[claim(1, 2, 16)])[0][1]
    assert (segment.head, segment.tail) == ("claim of ", "words")
