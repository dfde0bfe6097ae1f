"""The judge's say on stored texts: kept with the check, asked outside transactions, never while somebody waits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from random import Random

import pytest
from django.db import connection

from messaging.models import AuthorKind, AuthorshipKind, Claim, Draft, ModelCall, Revision
from messaging.verification.judge import Judge
from messaging.writing import second_reading
from messaging.writing.queries import decided_claims
from messaging.writing.revisions import check_typed, recheck, store_revision
from messaging.writing.services import lease_of, write_due
from messaging.writing.tasks import judge_one, sweep_edits
from outreach.teams.models import Team
from tests.factories import BODY, NOW, SUBJECT, a_campaign, a_draft, a_policy, an_unwritten_draft
from tests.people import a_team, a_user
from tests.services.writing.judges import PROOF, REWORDED, REWORDED_BODY, TestJudge
from tests.services.writing.model_server import ModelServer, Reply, model_server
from tests.services.writing.models import ANALYSIS, FAITHFUL, claim, message, model_at

LATER = NOW + timedelta(minutes=5)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


@pytest.fixture
def draft(team: Team) -> Draft:
    a_policy(team=team)
    return a_draft(campaign=a_campaign(team=team))


def edited(draft: Draft, body: str = REWORDED_BODY) -> Draft:
    revision = store_revision(
        draft=draft, author_kind=AuthorKind.PERSON, subject=SUBJECT, body=body, declared=None,
        authors={a_user(): AuthorshipKind.EDITED}, inherit_from=draft.current, now=NOW,
    )  # fmt: skip
    assert isinstance(revision, Revision)
    draft.refresh_from_db()
    return draft


def read(draft: Draft, judge: Judge) -> bool:
    done = second_reading.read_again(draft_id=draft.pk, judge=judge, now=LATER)
    draft.refresh_from_db()
    return done


def test_an_edit_in_other_words_waits_for_the_judge_and_is_then_shown_as_corroborated(draft: Draft) -> None:
    assert edited(draft).state == "blocked"
    assert second_reading.unread(now=LATER) == (draft.pk,)
    assert read(draft, TestJudge())
    assert (draft.state, draft.open_findings, draft.verdicts.count("j")) == ("ready", 0, 1)
    corroborated = Claim.objects.get(verdict="judge-corroborated")
    assert "judge-1" in corroborated.reason
    assert PROOF in corroborated.reason
    assert second_reading.unread(now=LATER) == ()


def test_a_judge_without_proof_leaves_the_edit_blocked_and_is_not_asked_again(draft: Draft) -> None:
    assert read(edited(draft), TestJudge(proof="does nothing of the kind"))
    assert draft.state == "blocked"
    assert not read(draft, TestJudge())


def test_a_failing_judge_leaves_the_edit_as_the_rules_left_it(draft: Draft) -> None:
    assert read(edited(draft), TestJudge(failure="late"))
    assert draft.state == "blocked"
    assert draft.current is not None
    assert draft.current.checks.latest("pk").judged == {"model": "judge-1", "failure": "late", "opinions": []}
    assert ModelCall.objects.get(stage="judge").outcome == "error"


def test_a_veto_blocks_an_edit_that_the_rules_let_pass(draft: Draft) -> None:
    edited(draft, BODY.replace("Best regards", "Kind regards"))
    assert draft.state == "ready"
    assert read(draft, TestJudge(veto="It does not say so."))
    assert draft.state == "blocked"
    assert "It does not say so." in draft.state_reason


def test_what_was_heard_of_a_text_that_is_no_longer_current_is_dropped(draft: Draft) -> None:
    edited(draft)
    assert not read(draft, TestJudge(before=lambda: edited(draft, BODY.replace("Best regards", "Kind regards"))))
    assert (draft.state, Claim.objects.filter(verdict="judge-corroborated").count()) == ("ready", 0)


@pytest.mark.django_db(transaction=True)
def test_no_transaction_is_open_while_the_judge_thinks(draft: Draft) -> None:
    seen: list[bool] = []
    assert read(edited(draft), TestJudge(before=lambda: seen.append(connection.in_atomic_block)))
    assert seen == [False]


def test_what_the_judge_said_holds_when_the_text_is_checked_again_without_it(draft: Draft) -> None:
    read(edited(draft), TestJudge())
    assert draft.current is not None
    assert recheck(revision=draft.current, now=LATER).passes
    assert recheck(revision=draft.current, now=LATER).judged["model"] == "judge-1"


def test_another_text_with_the_same_words_is_judged_anew(draft: Draft) -> None:
    read(edited(draft), TestJudge())
    edited(draft, REWORDED_BODY.replace("Best regards", "Kind regards"))
    assert draft.state == "blocked"
    assert second_reading.unread(now=LATER) == (draft.pk,)


def test_typing_asks_no_judge_and_shows_the_rules_verdict(draft: Draft) -> None:
    read(edited(draft), TestJudge())
    typed = check_typed(draft=draft, subject=SUBJECT, body=REWORDED_BODY, now=LATER)
    assert not typed.clean  # type: ignore[union-attr]


def test_texts_of_yesterday_and_of_the_composer_are_not_put_before_a_new_judge(draft: Draft) -> None:
    assert second_reading.unread(now=LATER) == ()
    edited(draft)
    assert second_reading.unread(now=NOW + timedelta(days=2)) == ()


def test_without_a_judge_the_sweep_does_nothing(draft: Draft) -> None:
    edited(draft)
    sweep_edits()
    judge_one(draft.pk)
    assert draft.revisions.latest("pk").checks.count() == 1


def test_the_configured_judge_reads_what_the_sweep_finds(draft: Draft, server: ModelServer, settings: object) -> None:
    def yes(request: dict[str, list[dict[str, str]]]) -> Reply:
        asked = [
            json.loads(line) for line in request["messages"][1]["content"].splitlines() if line.startswith('{"claim"')
        ]
        about = next(one["claim"] for one in asked if "shoulders" in one["sentence"].split("⟦")[1].split("⟧")[0])
        return Reply(json.dumps({"answers": [{"claim": about, "holds": True, "quote": PROOF, "reason": "yes"}]}))

    server.will(yes)
    settings.OPENAI_BASE_URL, settings.OPENAI_JUDGE_MODEL = server.url, "judge-2"  # type: ignore[attr-defined]
    edited(draft)
    judge_one(draft.pk)
    draft.refresh_from_db()
    assert draft.state == "ready"
    assert ModelCall.objects.get(stage="judge").model == "judge-2"


def written(draft: Draft, server: ModelServer, judge: Judge) -> Draft:
    write_due(only=[draft.pk], model=model_at(server), judge=judge, now=NOW, rng=Random(7), clock=lambda: NOW)
    draft.refresh_from_db()
    return draft


@pytest.fixture
def unwritten(team: Team) -> Draft:
    a_policy(team=team)
    return an_unwritten_draft(campaign=a_campaign(team=team))


def test_a_models_rewording_is_saved_by_the_judge_before_it_is_stored(unwritten: Draft, server: ModelServer) -> None:
    server.will(ANALYSIS, message(claim(f"{REWORDED} ", "3", kind="quote")))
    draft = written(unwritten, server, TestJudge())
    assert (draft.state, draft.fallback, draft.verdicts.count("j")) == ("ready", False, 1)
    assert [call.stage for call in ModelCall.objects.order_by("pk")] == ["analysis", "judge", "writing"]


def test_a_veto_goes_back_to_the_model_as_a_reason(unwritten: Draft, server: ModelServer) -> None:
    server.will(ANALYSIS, FAITHFUL)
    draft = written(unwritten, server, TestJudge(veto="Not said there."))
    assert draft.current is not None
    assert draft.current.author_kind == AuthorKind.COMPOSER
    assert "Not said there." in str(server.requests[2]["messages"][-1]["content"])


def test_a_lease_outlasts_the_slower_of_model_and_judge() -> None:
    judge = TestJudge()
    judge.longest = 400.0
    assert lease_of(model=None, judge=judge) > timedelta(seconds=400)


def test_reviewers_decisions_become_examples_for_the_judge(draft: Draft) -> None:
    read(edited(draft), TestJudge())
    assert decided_claims(team=draft.team) == ()
    edited(draft, BODY)
    (example,) = decided_claims(team=draft.team)
    assert (example.holds, "shoulders" in example.sentence) == (False, True)
    assert PROOF in example.evidence
    assert decided_claims(team=a_team()) == ()
    judge = TestJudge()
    read(edited(a_draft(campaign=draft.campaign)), judge)
    assert judge.hearings[0].examples == (example,)
