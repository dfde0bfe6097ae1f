"""What a judge may change, and that it may change nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from messaging.verification.contract import CheckedClaim, CheckInput, ClaimType, MessageText, Report, Verdict
from messaging.verification.judge import (
    MOST_EVIDENCE,
    REST,
    Answer,
    Effect,
    Heard,
    Hearing,
    applied,
    as_json,
    from_json,
    hearing_of,
    judged,
    opinions_of,
)
from prospects.domain.dates import partial_date
from prospects.domain.evidence import Actor, Dossier, Evidence, Kind

POST = "Every engineer at Pipewren, me included, does one day of customer support every two weeks."
BODY = "Hi Diego,\n\nYour engineers take turns on the helpdesk. You lead 40 people.\n\nBest,\nNaledi"
TURNS = "take turns on the helpdesk"
PROOF = "does one day of customer support every two weeks"
CHECK = CheckInput(
    MessageText("", BODY, "en", "email"),
    Dossier("d", date(2026, 12, 8), (
        Evidence("post1", Kind.POST, Actor.PROSPECT, POST),
        Evidence("positions[0]", Kind.POSITION, Actor.PROSPECT, "Head of Platform Engineering, Pipewren"),
        Evidence("news1", Kind.COMPANY_NEWS, Actor.COMPANY, "Pipewren opens an office in Monterrey."),
    )),
)  # fmt: skip


def claim(span: str = TURNS, verdict: Verdict = Verdict.UNSUPPORTED, **changes: object) -> CheckedClaim:
    start = BODY.index(span)
    made = CheckedClaim("body", start, start + len(span), span, ClaimType.QUOTE, verdict, "Not in post1.", ("post1",))
    return replace(made, **changes)


RECORDED = (ClaimType.TITLE, ClaimType.DATE, ClaimType.RECENCY, ClaimType.CONNECTION, ClaimType.EDUCATION)


class Says:
    """A judge with one answer to everything it is asked, which it keeps."""

    longest = 1.0

    def __init__(self, *answers: Answer, failure: str = "") -> None:
        self.heard = Heard("m", answers, failure)
        self.asked: list[Hearing] = []

    def hear(self, hearing: Hearing) -> Heard:
        self.asked.append(hearing)
        return self.heard


def verdict_after(given: CheckedClaim, *answers: Answer) -> Verdict:
    report = judged(CHECK, Report((given,), "1"), Says(*answers)).report
    assert len(report.claims) == 1
    return report.claims[0].verdict


YES = Answer(1, holds=True, quote=PROOF)
NO = Answer(1, holds=False, reason="It speaks of one day, not of turns.")


def test_a_paraphrase_is_lifted_with_exact_words_of_its_evidence() -> None:
    report = judged(CHECK, Report((claim(),), "1"), Says(YES)).report
    assert report.passes
    assert report.claims[0].verdict is Verdict.JUDGE_CORROBORATED
    assert PROOF in report.claims[0].reason


@pytest.mark.parametrize(
    "answers",
    [
        (),
        (NO,),
        (Answer(1, holds=True),),
        (Answer(1, holds=True, quote=PROOF.upper()),),
        (Answer(1, holds=True, quote="does one day of support"),),
        (Answer(1, holds=True, quote="Head of Platform Engineering"),),  # a record, which no wording makes truer
        (Answer(1, holds=True, quote="every"),),
        (YES, YES),
        (YES, NO),
        (replace(YES, number=2),),
    ],
    ids=[
        "silent",
        "no",
        "no proof",
        "other case",
        "not exact",
        "a record",
        "a word",
        "twice",
        "both",
        "for no claim",
    ],
)
def test_without_one_clear_yes_and_its_proof_nothing_is_lifted(answers: tuple[Answer, ...]) -> None:
    assert verdict_after(claim(), *answers) is Verdict.UNSUPPORTED


@pytest.mark.parametrize(
    "stays",
    [
        claim(verdict=Verdict.CONTRADICTED),
        claim(verdict=Verdict.UNDECLARED),
        claim(verdict=Verdict.AMBIGUOUS),
        claim(evidence=()),
        claim(evidence=("post1", "gone")),
        claim("You lead 40 people"),
        *(claim(type=kind, evidence=()) for kind in RECORDED),
        *(claim(type=kind, verdict=Verdict.CONTRADICTED) for kind in RECORDED),
    ],
    ids=lambda one: f"{one.verdict}-{one.type}-{'+'.join(one.evidence)}-{one.span[:8]}",
)
def test_what_is_no_unsupported_paraphrase_is_not_even_asked_about(stays: CheckedClaim) -> None:
    judge = Says(YES)
    report = judged(CHECK, Report((stays,), "1"), judge).report
    assert (report.claims, judge.asked) == ((stays,), [])


@pytest.mark.parametrize("kind", RECORDED)
def test_what_rests_on_records_is_lifted_only_by_what_the_rules_name(kind: ClaimType) -> None:
    position = Answer(1, holds=True, quote="Head of Platform Engineering")
    given = claim(type=kind, evidence=("positions[0]",))
    assert verdict_after(given, position) is Verdict.JUDGE_CORROBORATED
    assert verdict_after(given, YES) is Verdict.UNSUPPORTED
    assert verdict_after(claim(type=kind), YES) is Verdict.JUDGE_CORROBORATED
    assert verdict_after(claim(type=kind), position) is Verdict.UNSUPPORTED


def test_the_day_of_an_item_is_a_figure_that_it_gives_for_a_date_alone() -> None:
    dated = replace(CHECK.dossier.items[0], occurred=partial_date("2026-10-05"))
    check = replace(CHECK, dossier=replace(CHECK.dossier, items=(dated,)))
    body = BODY.replace(TURNS, "wrote on 5 October")
    check = replace(check, message=replace(check.message, body=body))
    for kind, lifted in ((ClaimType.DATE, True), (ClaimType.NUMBER, False)):
        start = body.index("wrote on 5 October")
        one = replace(claim(type=kind), start=start, end=start + 18, span="wrote on 5 October")
        assert judged(check, Report((one,), "1"), Says(YES)).report.passes is lifted


def test_opinions_lift_no_contradiction_however_they_came_about() -> None:
    opinions = opinions_of(hearing_of(CHECK, Report((claim(),), "1")), Heard("m", (YES,)))
    assert opinions[0].effect is Effect.LIFTS
    for verdict in (Verdict.CONTRADICTED, Verdict.UNDECLARED, Verdict.AMBIGUOUS):
        report = Report((claim(verdict=verdict),), "1")
        assert applied(report, opinions, CHECK) == report


def test_a_judge_is_not_asked_where_another_finding_blocks_anyway() -> None:
    judge = Says(YES)
    report = Report((claim(), claim("You lead 40 people", Verdict.CONTRADICTED)), "1")
    assert judged(CHECK, report, judge).report == report
    assert judge.asked == []


def test_a_no_with_a_reason_vetoes_what_the_rules_verified() -> None:
    report = judged(CHECK, Report((claim(verdict=Verdict.VERIFIED),), "1"), Says(NO)).report
    assert not report.passes
    assert NO.reason in report.claims[0].reason


@pytest.mark.parametrize("answer", [Answer(1, holds=False), replace(NO, number=7)], ids=["no reason", "no such claim"])
def test_a_no_that_nobody_could_act_on_vetoes_nothing(answer: Answer) -> None:
    assert verdict_after(claim(verdict=Verdict.VERIFIED), answer) is Verdict.VERIFIED


def test_a_silent_judge_leaves_every_verdict_as_the_rules_gave_it() -> None:
    report = Report((claim(), claim("Hi Diego", Verdict.VERIFIED)), "1")
    assert judged(CHECK, report, Says(failure="late")).report == report


@pytest.mark.parametrize(("quote", "span"), [("You lead 40 people", "You lead 40 people"), ("never said", BODY)])
def test_words_outside_all_claims_can_be_vetoed(quote: str, span: str) -> None:
    answer = Answer(REST, holds=False, quote=quote, reason="The number is stated.")
    report = judged(CHECK, Report((claim(verdict=Verdict.VERIFIED),), "1"), Says(answer)).report
    assert [(one.span, one.verdict) for one in report.findings] == [(span, Verdict.UNDECLARED)]


@pytest.mark.parametrize(
    ("kind", "cites", "proof", "lifted"),
    [
        (ClaimType.SENDER, "post1", "school, TU Wien, 2010-2014", True),
        (ClaimType.SENDER, "post1", "Naledi Mokoena, Partnerships Lead", True),
        (ClaimType.SENDER, "positions[0]", "Head of Platform Engineering", False),
        (ClaimType.CONNECTION, "post1", "school, TU Wien, 2010-2014", False),
        (ClaimType.NUMBER, "positions[0]", "Head of Platform Engineering", True),
        (ClaimType.NUMBER, "post1", "Head of Platform Engineering", False),
        (ClaimType.QUOTE, "positions[0]", "Head of Platform Engineering", False),
    ],
)
def test_a_record_proves_what_such_records_tell(kind: ClaimType, cites: str, proof: str, lifted: bool) -> None:
    shared = Evidence("in_common[0]", Kind.IN_COMMON, Actor.OTHER, "school, TU Wien, 2010-2014, 2016-2019")
    sender = Evidence("sender", Kind.SENDER, Actor.SENDER, "Naledi Mokoena, Partnerships Lead, Hearthdesk")
    check = replace(CHECK, dossier=replace(CHECK.dossier, items=(*CHECK.dossier.items, shared, sender)))
    report = Report((claim(type=kind, evidence=(cites,)),), "1")
    after = judged(check, report, Says(Answer(1, holds=True, quote=proof))).report
    assert after.passes is lifted


def test_a_proof_from_an_item_that_was_not_cited_is_cited_from_then_on() -> None:
    given = claim(evidence=("positions[0]",))
    report = judged(CHECK, Report((given,), "1"), Says(YES)).report
    assert report.claims[0].verdict is Verdict.JUDGE_CORROBORATED
    assert report.claims[0].evidence == ("positions[0]", "post1")


def test_a_proof_holds_only_while_its_item_is_in_the_dossier() -> None:
    report = Report((claim(evidence=("positions[0]",)),), "1")
    opinions = from_json(as_json(opinions_of(hearing_of(CHECK, report), Heard("m", (YES,)))))
    without = replace(CHECK, dossier=replace(CHECK.dossier, items=CHECK.dossier.items[1:]))
    assert applied(report, opinions, CHECK).passes
    assert not applied(report, opinions, without).passes


def test_a_figure_is_proved_by_an_item_that_has_it_and_by_no_other() -> None:
    team = Evidence("post2", Kind.POST, Actor.PROSPECT, "We are 40 people on the platform now, me included.")
    check = replace(CHECK, dossier=replace(CHECK.dossier, items=(*CHECK.dossier.items, team)))
    report = Report((claim("You lead 40 people"),), "1")
    for quote, expected in ((team.text[:20], Verdict.JUDGE_CORROBORATED), (PROOF, Verdict.UNSUPPORTED)):
        after = judged(check, report, Says(Answer(1, holds=True, quote=quote))).report
        assert after.claims[0].verdict is expected


@pytest.mark.parametrize(
    ("text", "reckoned"),
    [
        ("Of 1,240 visits 1,200 were in vain, all of them planned.", True),
        ("In Binz it was 190 kilos instead of 150 last summer.", True),
        ("At 60 percent of the desks nobody answers any more.", True),
        ("We were 25 and 15 more came over from the mines.", True),
        ("Of 1,240 visits 1,230 were in vain, all of them planned.", False),
        ("We moved 20 stops in August, all of them by hand.", False),
        ("We moved 20 stops and then 20 more, all by hand.", True),
        (f"We moved {'7' * 9_000} stops and 4 houses in August.", False),
    ],
)
def test_a_figure_may_be_reckoned_from_those_of_one_item(text: str, reckoned: bool) -> None:
    check = replace(CHECK, dossier=replace(CHECK.dossier, items=(Evidence("post1", Kind.POST, Actor.PROSPECT, text),)))
    report = Report((claim("You lead 40 people"),), "1")
    assert judged(check, report, Says(Answer(1, holds=True, quote=text[:30]))).report.passes is reckoned


def test_of_a_very_long_dossier_what_is_cited_is_shown_and_then_what_fits() -> None:
    long = tuple(Evidence(f"long{at}", Kind.POST, Actor.PROSPECT, "a" * (MOST_EVIDENCE // 2)) for at in range(3))
    check = replace(CHECK, dossier=replace(CHECK.dossier, items=(*long, *CHECK.dossier.items)))
    hearing = hearing_of(check, Report((claim(verdict=Verdict.VERIFIED),), "1"))
    assert hearing is not None
    shown = [item.ref for item in hearing.evidence]
    assert "post1" in shown
    assert [ref for ref in shown if ref.startswith("long")] == ["long0"]


def test_each_statement_outside_the_claims_is_a_finding_of_its_own() -> None:
    answers = (
        Answer(REST, holds=False, quote="You lead 40 people", reason="No number is known."),
        Answer(REST, holds=False, quote="Hi Diego", reason="He has another name."),
    )
    report = judged(CHECK, Report((claim(verdict=Verdict.VERIFIED),), "1"), Says(*answers)).report
    assert [one.span for one in report.findings] == ["Hi Diego", "You lead 40 people"]


def test_the_judge_sees_the_dossier_once_and_of_each_claim_its_sentence_and_what_it_cites() -> None:
    judge = Says()
    judged(CHECK, Report((claim(), claim("You lead", Verdict.VERIFIED, evidence=("positions[0]",))), "1"), judge)
    first, second = judge.asked[0].questions
    assert first.sentence == f"Your engineers ⟦{TURNS}⟧."
    assert [[item.ref for item in one.evidence] for one in (first, second)] == [["post1"], ["positions[0]"]]
    assert judge.asked[0].evidence == CHECK.dossier.items


def test_a_refused_message_is_put_before_no_judge() -> None:
    assert hearing_of(CHECK, Report((), "1", refused="No lexicon.")) is None


def test_kept_opinions_hold_for_the_same_words_and_for_fewer_but_not_for_more() -> None:
    kept = from_json(as_json(opinions_of(hearing_of(CHECK, Report((claim(),), "1")), Heard("m", (YES,)))))
    for span, expected in (
        (TURNS, Verdict.JUDGE_CORROBORATED),
        ("on the helpdesk", Verdict.JUDGE_CORROBORATED),
        (f"engineers {TURNS}", Verdict.UNSUPPORTED),
        ("Hi Diego", Verdict.UNSUPPORTED),
    ):
        assert applied(Report((claim(span),), "2"), kept, CHECK).claims[0].verdict is expected
    other = claim(evidence=("news1",))
    assert applied(Report((other,), "2"), kept, CHECK).claims[0].verdict is Verdict.UNSUPPORTED
