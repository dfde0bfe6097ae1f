"""The pages of the prospects room, by role and by team."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from outreach.teams.access import Member
from outreach.teams.models import Team
from prospects.models import Evidence, ImportBatch, ImportState, Prospect, Suppression
from prospects.tasks import run_imports
from tests.files import ARCHIVE, CONNECTIONS
from tests.people import a_member, signed_in
from tests.services.prospects.imports import connections, dossier, imported, only_prospect

MAREN = "Maren,Oduya,https://www.linkedin.com/in/maren-oduya,m@tarnhelm.example,Tarnhelm,VP Sales,16 Dec 2024"


def url(team: Team, name: str, **arguments: object) -> str:
    return reverse(f"prospects:{name}", kwargs={"team": team.slug, **arguments})


@pytest.fixture
def writer(team: Team) -> Member:
    return a_member(team=team, role="writer")


@pytest.fixture
def client(writer: Member) -> Client:
    return signed_in(user=writer.user)


@pytest.fixture
def maren(team: Team, writer: Member) -> Prospect:
    imported(team=team, data=connections(MAREN), owner=writer.user)
    return only_prospect(team)


def handed_in(client: Client, team: Team, data: bytes, name: str) -> ImportBatch:
    answer = client.post(url(team, "import"), {"file": SimpleUploadedFile(name, data)})
    assert answer.status_code == 302, answer.content
    return ImportBatch.objects.filter(team=team).latest("id")


def test_the_list_shows_people_with_role_and_company(client: Client, team: Team, maren: Prospect) -> None:
    page = client.get(url(team, "list")).content.decode()
    assert "Maren Oduya" in page
    assert "VP Sales" in page


@pytest.mark.parametrize("words", ["maren", "OD", "vp sal", "tarn", "Tarnhelm GmbH", "mar oduya"])
def test_people_are_found_by_beginnings_of_name_title_and_company(
    client: Client, team: Team, maren: Prospect, words: str
) -> None:
    assert "Maren Oduya" in client.get(url(team, "list"), {"q": words}).content.decode()


@pytest.mark.parametrize("words", ["paolo", "!!!", "' OR 1=1 --", "a:* | b", "\\"])
def test_a_search_without_a_match_says_so(client: Client, team: Team, maren: Prospect, words: str) -> None:
    answer = client.get(url(team, "list"), {"q": words})
    assert answer.status_code == 200
    assert "Maren" not in answer.content.decode()


def test_filters_that_make_no_sense_are_ignored(client: Client, team: Team, maren: Prospect) -> None:
    answer = client.get(
        url(team, "list"), {"language": "xx", "company": "abc", "state": "?", "after": "broken", "q": "\x00"}
    )
    assert "Maren Oduya" in answer.content.decode()


def test_pages_of_the_list_follow_each_other(client: Client, team: Team) -> None:
    rows = [f"Person,Nr{n:03},https://www.linkedin.com/in/p{n},,X,CEO," for n in range(120)]
    imported(team=team, data=connections(*rows))
    first = client.get(url(team, "list"))
    second = client.get(url(team, "list") + "?after=" + first.context["page"].next)
    names = [row.full_name for row in (*first.context["page"].rows, *second.context["page"].rows)]
    assert len(names) == len(set(names)) == 100


def test_the_list_costs_three_queries_beside_the_frame(
    client: Client, team: Team, maren: Prospect, django_assert_max_num_queries
) -> None:
    with django_assert_max_num_queries(3 + 3):  # session, user and membership are the frame's
        client.get(url(team, "list"), {"q": "maren"})


def test_a_prospects_page_costs_the_same_with_much_evidence(
    client: Client, team: Team, django_assert_max_num_queries
) -> None:
    posts = [{"id": f"post{n}", "date": "2026-11-05", "kind": "post", "text": f"Post {n}"} for n in range(60)]
    imported(team=team, data=dossier(posts=posts), name="d.json")
    with django_assert_max_num_queries(3 + 11):
        client.get(url(team, "detail", pk=only_prospect(team).pk))


def test_a_prospects_page_tells_own_words_from_others(client: Client, team: Team) -> None:
    posts = [
        {"id": "post1", "date": "2026-11-05", "kind": "post", "text": "My own <b>words</b>."},
        {"id": "post2", "date": "2026-11-04", "kind": "reshare", "text": "Other words.", "original_author": "Ola"},
    ]
    imported(team=team, data=dossier(posts=posts), name="d.json")
    page = client.get(url(team, "detail", pk=only_prospect(team).pk)).content.decode()
    assert "My own &lt;b&gt;words&lt;/b&gt;." in page
    assert "never quoted as theirs" in page


def test_a_file_is_shown_before_anything_is_written(client: Client, team: Team) -> None:
    batch = handed_in(client, team, ARCHIVE.read_bytes(), ARCHIVE.name)
    page = client.get(url(team, "batch", pk=batch.pk)).content.decode()
    assert "LinkedIn archive" in page
    assert "Priyanka Raghavan-Holt" in page
    assert Prospect.objects.count() == 0


def test_a_started_import_is_worked_on_and_ends_by_itself(client: Client, team: Team, writer: Member) -> None:
    batch = handed_in(client, team, CONNECTIONS.read_bytes(), CONNECTIONS.name)
    client.post(url(team, "start", pk=batch.pk), {"whose": writer.user.pk})
    waiting = client.get(url(team, "progress", pk=batch.pk), headers={"HX-Request": "true"}).content.decode()
    assert "every 1s" in waiting
    assert run_imports() == 1
    done = client.get(url(team, "progress", pk=batch.pk), headers={"HX-Request": "true"}).content.decode()
    assert "every 1s" not in done
    assert Prospect.objects.filter(team=team, first_degree=True).count() == 8


def test_a_prepared_file_is_not_imported_by_itself(client: Client, team: Team) -> None:
    handed_in(client, team, CONNECTIONS.read_bytes(), CONNECTIONS.name)
    assert run_imports() == 0


def test_a_cancelled_import_can_be_resumed(client: Client, team: Team, writer: Member) -> None:
    batch = handed_in(client, team, CONNECTIONS.read_bytes(), CONNECTIONS.name)
    client.post(url(team, "start", pk=batch.pk), {"whose": writer.user.pk})
    client.post(url(team, "cancel", pk=batch.pk))
    assert run_imports() == 0
    client.post(url(team, "resume", pk=batch.pk))
    run_imports()
    batch.refresh_from_db()
    assert (batch.state, batch.created) == (ImportState.DONE, 8)


def test_a_prospects_own_archive_names_a_prospect_of_the_team(client: Client, team: Team) -> None:
    batch = handed_in(client, team, ARCHIVE.read_bytes(), ARCHIVE.name)
    answer = client.post(url(team, "start", pk=batch.pk), {"whose": "prospect", "prospect": "nobody-here"})
    assert answer.status_code == 422
    assert "No prospect of this team" in answer.content.decode()


def test_an_archive_cannot_be_put_on_somebody_of_another_team(client: Client, team: Team, other_team: Team) -> None:
    stranger = a_member(team=other_team)
    batch = handed_in(client, team, ARCHIVE.read_bytes(), ARCHIVE.name)
    assert client.post(url(team, "start", pk=batch.pk), {"whose": stranger.user.pk}).status_code == 422


@pytest.mark.parametrize(
    ("data", "said"), [(b"", "empty"), (b"%PDF-1.7", "PDF"), (b"PK\x03\x04broken", "ZIP archive is broken")]
)
def test_a_file_that_cannot_be_read_says_what_to_do(client: Client, team: Team, data: bytes, said: str) -> None:
    batch = handed_in(client, team, data, "x.csv")
    assert said in client.get(url(team, "batch", pk=batch.pk)).content.decode()


def test_problem_rows_are_downloaded_inert(client: Client, team: Team) -> None:
    row = '"=HYPERLINK(""http://evil.example"",""x"")",Quill,https://www.linkedin.com/in/q,,=cmd|x,+49 40 000,'
    batch = imported(team=team, data=connections(row))
    body = client.get(url(team, "problems", pk=batch.pk)).content.decode("utf-8-sig")
    assert "'=HYPERLINK" in body
    assert "'=cmd|x" in body
    assert ",+49 40 000," in body


def test_a_person_is_suppressed_with_a_reason(client: Client, team: Team, maren: Prospect) -> None:
    client.post(url(team, "suppress", pk=maren.pk), {"reason": "asked by phone"})
    assert set(Suppression.objects.values_list("kind", flat=True)) == {"email", "profile"}
    assert "suppressed: asked by phone" in client.get(url(team, "detail", pk=maren.pk)).content.decode()


def test_a_suppression_needs_a_reason(client: Client, team: Team, maren: Prospect) -> None:
    assert client.post(url(team, "suppress", pk=maren.pk), {"reason": ""}).status_code == 422
    assert Suppression.objects.count() == 0


def test_evidence_is_added_by_paste(client: Client, team: Team, maren: Prospect) -> None:
    data = {"what": "post", "text": "We moved.", "url": "https://www.linkedin.com/posts/x", "occurred": "2026-11"}
    assert client.post(url(team, "add_evidence", pk=maren.pk), data).status_code == 302
    row = Evidence.objects.get(kind="post")
    assert (row.text, row.occurred_first.isoformat(), row.occurred_last.isoformat()) == (
        "We moved.",
        "2026-11-01",
        "2026-11-30",
    )


def test_evidence_without_a_source_is_refused(client: Client, team: Team, maren: Prospect) -> None:
    answer = client.post(url(team, "add_evidence", pk=maren.pk), {"what": "post", "text": "We moved."})
    assert answer.status_code == 422
    assert "Say where it was seen" in answer.content.decode()


def test_a_language_is_chosen_and_given_back(client: Client, team: Team, maren: Prospect) -> None:
    client.post(url(team, "language", pk=maren.pk), {"code": "de"})
    maren.refresh_from_db()
    assert (maren.language, maren.language_chosen) == ("de", True)


@pytest.mark.parametrize(
    ("role", "name", "allowed"),
    [
        ("analyst", "list", True),
        ("analyst", "import", False),
        ("reviewer", "import", False),
        ("writer", "import", True),
        ("analyst", "suppressions", True),
    ],
)
def test_roles_open_pages(team: Team, role: str, name: str, allowed: bool) -> None:
    answer = signed_in(user=a_member(team=team, role=role).user).get(url(team, name))
    assert answer.status_code == (200 if allowed else 403)


def test_an_analyst_changes_nothing(team: Team, maren: Prospect) -> None:
    analyst = signed_in(user=a_member(team=team, role="analyst").user)
    for name in ("suppress", "language", "identity"):
        assert analyst.post(url(team, name, pk=maren.pk), {"reason": "x", "code": "de"}).status_code == 403
    assert (
        analyst.post(url(team, "suppressions"), {"kind": "email", "value": "a@b.example", "reason": "x"}).status_code
        == 422
    )
    assert Suppression.objects.count() == 0


def test_only_managers_lift_a_suppression(client: Client, team: Team, maren: Prospect) -> None:
    client.post(url(team, "suppress", pk=maren.pk), {"reason": "asked"})
    row = Suppression.objects.first()
    assert client.post(url(team, "lift", pk=row.pk), {"reason": "typo"}).status_code == 403
    manager = signed_in(user=a_member(team=team, role="manager").user)
    manager.post(url(team, "lift", pk=row.pk), {"reason": "typo"})
    assert not Suppression.objects.filter(pk=row.pk).exists()


def test_what_is_another_teams_does_not_exist(team: Team, other_team: Team, maren: Prospect) -> None:
    outsider = signed_in(user=a_member(team=other_team, role="admin").user)
    batch = ImportBatch.objects.get(team=team)
    row = Evidence.objects.filter(prospect=maren).first()
    assert outsider.get(url(other_team, "detail", pk=maren.pk)).status_code == 404
    assert outsider.get(url(other_team, "batch", pk=batch.pk)).status_code == 404
    assert outsider.get(url(other_team, "problems", pk=batch.pk)).status_code == 404
    assert outsider.post(url(other_team, "suppress", pk=maren.pk), {"reason": "x"}).status_code == 404
    assert outsider.post(url(other_team, "retract", pk=maren.pk, row=row.pk), {"reason": "x"}).status_code == 404
    assert outsider.post(url(other_team, "cancel", pk=batch.pk)).status_code == 404


def test_a_list_of_customers_is_taken_by_file_with_its_problem_rows(client: Client, team: Team) -> None:
    file = SimpleUploadedFile("customers.csv", b"Email,Company\nm@corva.example,Corva Pay\nwrong,\n")
    page = client.post(url(team, "suppression_file"), {"file": file, "kind": "customer"}).content.decode()
    assert "2 rows, 2 added" in page
    assert "Row 3" in page
    bad = SimpleUploadedFile("x.csv", b"Name\nMaya\n")
    assert client.post(url(team, "suppression_file"), {"file": bad, "kind": "customer"}).status_code == 422
    reviewer = signed_in(user=a_member(team=team, role="reviewer").user)
    assert reviewer.post(url(team, "suppression_file"), {"kind": "customer"}).status_code == 403


_LINKS = {
    "javascript:alert(1)": "Forecasts need one definition of a stage.",
    "https://a.example/2": "Pricing is a promise that finance has to keep.",
}


def test_what_a_file_calls_an_address_is_no_link_unless_it_is_one_of_the_web(client: Client, team: Team) -> None:
    header = "postUrl,postContent,action,author,authorUrl,profileUrl,timestamp,postTimestamp\n"
    maren = "Post,Maren Oduya,https://www.linkedin.com/in/maren-oduya,https://www.linkedin.com/in/maren-oduya"
    seen = "2024-11-20T09:00:00.000Z,2024-11-19T14:02:55.000Z\n"
    rows = (f"{link},{words},{maren},{seen}" for link, words in _LINKS.items())
    imported(team=team, data=header + "".join(rows), name="result.csv")
    page = client.get(url(team, "detail", pk=only_prospect(team).pk))
    assert 'href="https://a.example/2"' in page.content.decode()
    assert 'href="javascript' not in page.content.decode()
    assert set(Evidence.objects.filter(kind="post").values_list("source_url", flat=True)) == {"", "https://a.example/2"}
