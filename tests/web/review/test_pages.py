"""The queue and the review screen, as a browser asks for them, with and without htmx."""

import re
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from messaging.models import Approval, Draft
from messaging.review import services
from messaging.review.queries.queue import Lane
from messaging.writing import second_reading
from tests.factories import BODY, FALSE_BODY, a_draft, a_prospect
from tests.people import a_member, a_team, signed_in
from tests.services.review.scenes import Scene, a_scene, state
from tests.services.writing.judges import TestJudge

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
POSTS = ("approve", "undo", "reject", "changes", "edit", "check", "evidence", "regenerate", "skip", "comment", "take-over")
GETS = ("", "/difference")


@pytest.fixture
def scene() -> Scene:
    return a_scene()


def root(scene: Scene) -> str:
    return f"/t/{scene.draft.team.slug}/review/"


def page(scene: Scene) -> str:
    return f"{root(scene)}{scene.draft.pk}"


def html(response) -> str:
    return response.content.decode()


def hidden(text: str, action: str) -> dict[str, str]:
    """The hidden fields of the form that posts to `action`."""
    form = next(part for part in text.split("<form")[1:] if f'{action}"' in part.split(">")[0] or f"{action}?" in part.split(">")[0])
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form.split("</form>")[0]))


def reviewer(scene: Scene) -> Client:
    return signed_in(user=scene.reviewer.user)


@pytest.mark.parametrize("failure", ["The model did not answer in time.", ""])
def test_the_screen_says_when_the_judge_was_not_heard(scene, failure):
    second_reading.read_again(draft_id=scene.draft.pk, judge=TestJudge(failure=failure), now=timezone.now())
    shown = html(reviewer(scene).get(page(scene)))
    assert ("The judge was not heard." in shown) is bool(failure)
    assert not failure or f"{failure} Nothing was lifted; every claim stands as the rules decided it." in shown


@pytest.mark.parametrize("lane", ["", *Lane])
def test_every_lane_is_a_page(scene, lane):
    response = reviewer(scene).get(root(scene), {"lane": lane} if lane else {})
    assert response.status_code == 200
    assert "my decisions" in html(response)


def test_the_queue_names_person_campaign_and_verdicts(scene):
    text = html(reviewer(scene).get(root(scene)))
    for words in ("Diego Armenta Ruiz", scene.draft.campaign.name, "verified", "Pipewren", "free"):
        assert words in text


def test_the_queue_answers_htmx_with_the_table_alone(scene):
    text = html(reviewer(scene).get(root(scene), headers=HTMX))
    assert "<html" not in text
    assert "Diego Armenta Ruiz" in text


@pytest.mark.parametrize(("query", "found"), [
    ({"channel": "email"}, True), ({"channel": "inmail"}, False), ({"language": "en"}, True), ({"language": "de"}, False),
    ({"campaign": "nothing"}, False), ({"lane": "blocked"}, False), ({"lane": "nonsense"}, True), ({"after": "x"}, True),
])
def test_filters_narrow_the_queue(scene, query, found):
    assert ("Diego Armenta Ruiz" in html(reviewer(scene).get(root(scene), query))) is found


def test_the_queue_costs_the_same_however_many_rows_it_has(scene):
    client = reviewer(scene)
    client.get(root(scene))
    with CaptureQueriesContext(connection) as few:
        client.get(root(scene))
    for _ in range(4):
        a_draft(campaign=scene.draft.campaign)
    with CaptureQueriesContext(connection) as many:
        client.get(root(scene))
    assert len(many) == len(few) <= 12


def test_the_screen_costs_the_same_however_long_the_queue_is(scene):
    client = reviewer(scene)
    client.get(page(scene))
    with CaptureQueriesContext(connection) as few:
        client.get(page(scene))
    for _ in range(4):
        a_draft(campaign=scene.draft.campaign)
    with CaptureQueriesContext(connection) as many:
        client.get(page(scene))
    assert len(many) == len(few) <= 28


def test_the_screen_shows_claims_with_their_evidence(scene):
    text = html(reviewer(scene).get(page(scene)))
    assert re.search(r'<a class="claim" data-v="verified" data-note="n\d" data-ev="2"', text)
    assert 'id="e2"' in text
    assert "Best regards" in text
    assert "yours until" in text


def test_a_finding_is_named_in_the_line_and_keeps_approve_disabled():
    scene = a_scene(body=FALSE_BODY)
    text = html(reviewer(scene).get(page(scene)))
    assert 'data-v="contradicted"' in text
    assert 'data-key="a" aria-disabled="true"' in text
    assert "waits for 1 open finding" in text


def test_other_peoples_text_is_escaped():
    scene = a_scene()
    evil = "<script>alert(1)</script>"
    draft = a_draft(
        campaign=scene.draft.campaign, prospect=a_prospect(team=scene.draft.team, full_name=f"Eve {evil}"),
        body=f"{BODY}\n\n{evil}", subject=evil,
    )
    text = html(reviewer(scene).get(f"{root(scene)}{draft.pk}"))
    assert evil not in text
    assert "&lt;script&gt;" in text


def test_the_payload_is_shown_with_its_hash_and_without_a_link(scene):
    text = html(reviewer(scene).get(page(scene)))
    dialog = text.split('id="payload"')[1].split("</dialog>")[0]
    assert hidden(text, "/approve")["payload"] in dialog
    assert "List-Unsubscribe" in dialog
    assert "<a " not in dialog


def test_approving_opens_the_next_one_and_offers_to_undo(scene):
    following = a_draft(campaign=scene.draft.campaign)
    client = reviewer(scene)
    text = html(client.get(page(scene)))
    response = client.post(f"{page(scene)}/approve", hidden(text, "/approve"))
    assert Approval.objects.get().draft_id == scene.draft.pk
    target = urlsplit(response["Location"])
    assert target.path == f"{root(scene)}{following.pk}"
    assert parse_qs(target.query)["done"] == [str(scene.draft.pk)]
    assert f"{scene.draft.pk}/undo" in html(client.get(response["Location"]))


def test_htmx_gets_the_columns_and_the_address(scene):
    response = reviewer(scene).get(page(scene), headers=HTMX)
    assert "<html" not in html(response)
    assert response["HX-Retarget"] == "#main"
    assert response["HX-Push-Url"] == page(scene)


def test_undo_brings_it_back(scene):
    client = reviewer(scene)
    client.post(f"{page(scene)}/approve", hidden(html(client.get(page(scene))), "/approve"))
    client.post(f"{page(scene)}/undo")
    assert state(scene.draft) == "ready"


def test_a_payload_that_changed_meanwhile_answers_422_with_what_to_do(scene):
    client = reviewer(scene)
    fields = hidden(html(client.get(page(scene))), "/approve")
    type(scene.draft.prospect).objects.update(full_name="Somebody Else")
    response = client.post(f"{page(scene)}/approve", fields)
    assert response.status_code == 422
    assert "has changed since you saw it" in html(response)
    assert not Approval.objects.exists()


def test_rejecting_needs_a_reason_and_keeps_the_dialog_open(scene):
    client = reviewer(scene)
    fields = hidden(html(client.get(page(scene))), "/reject")
    response = client.post(f"{page(scene)}/reject", fields | {"reason": "7"})
    assert response.status_code == 422
    assert 'id="reject" aria-labelledby="rj-t" open' in html(response)
    assert client.post(f"{page(scene)}/reject", fields | {"reason": "4"}).status_code == 302
    assert state(scene.draft) == "rejected"


def test_editing_works_as_a_plain_form(scene):
    client = signed_in(user=scene.writer.user)
    text = html(client.get(page(scene), {"edit": "1"}))
    assert "<textarea" in text
    fields = hidden(text, "/edit")
    saved = client.post(f"{page(scene)}/edit", fields | {"subject": "Pipewren", "body": BODY.replace("short", "brief")})
    assert saved.status_code == 302
    assert Draft.objects.get(pk=scene.draft.pk).current.author_kind == "person"


def test_an_empty_message_answers_422_and_keeps_what_was_typed(scene):
    client = signed_in(user=scene.writer.user)
    fields = hidden(html(client.get(page(scene), {"edit": "1"})), "/edit")
    response = client.post(f"{page(scene)}/edit", fields | {"subject": "Kept words", "body": ""})
    assert response.status_code == 422
    assert "Kept words" in html(response)


def test_a_reviewer_is_warned_before_an_edit_costs_the_right_to_approve(scene):
    assert "Saving makes you an author" in html(reviewer(scene).get(page(scene), {"edit": "1"}))
    assert "Saving makes you an author" not in html(signed_in(user=scene.writer.user).get(page(scene), {"edit": "1"}))


def test_verdicts_come_while_one_types_and_nothing_is_stored(scene):
    response = reviewer(scene).post(f"{page(scene)}/check", {"subject": "", "body": FALSE_BODY})
    assert 'data-v="contradicted"' in html(response)
    assert Draft.objects.get(pk=scene.draft.pk).current_id == scene.draft.current_id


@pytest.mark.parametrize("body", ["", "x" * 30_000, "\x01\u202e"])
def test_anything_may_be_typed(scene, body):
    assert reviewer(scene).post(f"{page(scene)}/check", {"body": body}).status_code == 200


EVIDENCE = {"kind": "position", "text": "Chief Technology Officer, Pipewren", "title": "Chief Technology Officer",
            "place": "Pipewren", "occurred": "2026-10", "url": "https://pipewren.example/team"}


def test_evidence_is_added_by_a_form():
    scene = a_scene(body=FALSE_BODY)
    client = signed_in(user=scene.writer.user)
    fields = hidden(html(client.get(page(scene))), "/evidence")
    today = timezone.localdate().isoformat()
    response = client.post(f"{page(scene)}/evidence", fields | EVIDENCE | {"observed_at": today})
    assert response.status_code == 302, html(response)
    assert "Chief Technology Officer, Pipewren" in html(client.get(page(scene)))


@pytest.mark.parametrize(("changes", "words"), [
    ({"occurred": "last year"}, "2026-11"), ({"url": ""}, "where it can be seen"), ({"text": ""}, "required"),
    ({"observed_at": "?"}, "valid date"),
])
def test_evidence_that_cannot_be_read_answers_422_and_names_the_field(scene, changes, words):
    client = reviewer(scene)
    fields = hidden(html(client.get(page(scene))), "/evidence") | EVIDENCE | {"observed_at": "2026-11-30"} | changes
    response = client.post(f"{page(scene)}/evidence", fields)
    assert response.status_code == 422
    assert words in html(response)


def test_regenerating_takes_it_out_of_the_queue(scene):
    client = reviewer(scene)
    fields = hidden(html(client.get(page(scene))), "/regenerate")
    assert client.post(f"{page(scene)}/regenerate", fields | {"instruction": ""}).status_code == 422
    assert client.post(f"{page(scene)}/regenerate", fields | {"instruction": "Warmer."}).status_code == 302
    assert "There is no text yet" not in html(client.get(root(scene)))
    assert state(scene.draft) == "waiting"


def test_a_comment_is_shown(scene):
    client = signed_in(user=scene.writer.user)
    client.post(f"{page(scene)}/comment", {"text": "Is he still there?"})
    assert "Is he still there?" in html(client.get(page(scene)))


def test_somebody_elses_lease_is_shown_and_can_be_taken_over(scene):
    services.open_draft(member=scene.second, draft_id=scene.draft.pk, now=timezone.now())
    client = reviewer(scene)
    text = html(client.get(page(scene)))
    assert "Mara Manager has it open" in text
    assert 'data-key="e"' not in text
    client.post(f"{page(scene)}/take-over")
    assert "yours until" in html(client.get(page(scene)))


def test_the_difference_to_the_machines_text_is_marked(scene):
    services.edit(
        member=scene.writer, draft_id=scene.draft.pk, revision_id=scene.draft.current_id, subject="Pipewren",
        body=BODY.replace("short", "brief"), now=timezone.now(),
    )
    text = html(reviewer(scene).get(f"{page(scene)}/difference"))
    assert "<del>short</del><ins>brief</ins>" in text


def test_reviewing_one_by_one_begins_with_the_draft_due_first(scene):
    a_draft(campaign=scene.draft.campaign, now=timezone.now() + timedelta(days=1))
    response = reviewer(scene).get(f"{root(scene)}next")
    assert response["Location"] == page(scene)


def test_a_draft_without_text_says_so(scene):
    Draft.objects.filter(pk=scene.draft.pk).update(current=None, state="writing")
    assert "There is no text yet" in html(reviewer(scene).get(page(scene)))


@pytest.mark.parametrize("path", [*(f"/{name}" for name in POSTS), *GETS])
def test_outsiders_find_nothing(scene, path):
    outsider = signed_in(user=a_member(team=a_team(), role="admin").user)
    method = outsider.get if path in GETS else outsider.post
    assert method(f"{page(scene)}{path}").status_code == 404


@pytest.mark.parametrize("path", [*(f"/{name}" for name in POSTS), *GETS])
def test_analysts_are_told_that_they_may_not(scene, path):
    analyst = signed_in(user=a_member(team=scene.draft.team, role="analyst").user)
    method = analyst.get if path in GETS else analyst.post
    assert method(f"{page(scene)}{path}").status_code == 403


@pytest.mark.parametrize("path", [*(f"/{name}" for name in POSTS), *GETS])
def test_nobody_gets_in_without_signing_in(scene, path):
    method = Client().get if path in GETS else Client().post
    response = method(f"{page(scene)}{path}")
    assert response.status_code == 302
    assert "/accounts/login" in response["Location"]


@pytest.mark.parametrize("name", POSTS)
def test_nothing_is_decided_by_a_get(scene, name):
    assert reviewer(scene).get(f"{page(scene)}/{name}").status_code == 405


def test_a_draft_of_another_team_is_not_found_by_its_number(scene):
    other = a_scene()
    assert reviewer(scene).get(f"{root(scene)}{other.draft.pk}").status_code == 404
    assert reviewer(scene).post(f"{root(scene)}{other.draft.pk}/approve").status_code == 404


def test_the_last_approval_can_be_taken_back_from_the_queue(scene):
    client = reviewer(scene)
    response = client.post(f"{page(scene)}/approve", hidden(html(client.get(page(scene))), "/approve"))
    assert response["Location"] == f"{root(scene)}?done={scene.draft.pk}"
    text = html(client.get(response["Location"]))
    assert 'data-key="z"' in text
    assert f"{scene.draft.pk}/undo" in text


def test_htmx_leaves_the_screen_for_the_queue_as_a_whole_page(scene):
    client = reviewer(scene)
    fields = hidden(html(client.get(page(scene))), "/approve")
    response = client.post(f"{page(scene)}/approve", fields, headers=HTMX)
    assert response["HX-Redirect"] == f"{root(scene)}?done={scene.draft.pk}"


def test_a_lane_is_exported_inert_and_without_texts(scene):
    type(scene.draft.prospect).objects.update(full_name="=cmd|' /C calc'!A0")
    response = reviewer(scene).get(f"{root(scene)}export.csv")
    lines = b"".join(response).decode("utf-8-sig").splitlines()
    assert lines[0].startswith("draft,person,title")
    assert f"{scene.draft.pk},'=cmd|" in lines[1]
    assert "shared support inbox" not in lines[1]


@pytest.mark.parametrize("path", ["", "export.csv", "next"])
def test_lists_are_for_members_with_the_right(scene, path):
    analyst = a_member(team=scene.draft.team, role="analyst")
    outsider = a_member(team=a_team(), role="admin")
    assert signed_in(user=analyst.user).get(root(scene) + path).status_code == 403
    assert signed_in(user=outsider.user).get(root(scene) + path).status_code == 404
    assert Client().get(root(scene) + path).status_code == 302
