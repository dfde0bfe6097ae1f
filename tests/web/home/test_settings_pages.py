"""Sending days, privacy, language model, reasons, mailboxes: what a person enters, and what never comes back."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import DjangoAssertNumQueries, Settings

from messaging.models import RejectionReason
from messaging.review.services import reasons_of
from outreach.campaigns.models import ClosedDay, PolicyChange, Secret, SenderIdentity, SendingAccount
from outreach.campaigns.queries import open_secret, policy_of
from outreach.teams.access import Member
from outreach.teams.models import AuditEvent, Team
from outreach.vault import Opened
from tests.mailservers import PASSWORD, USER, Mailbox, imap_server, smtp_server
from tests.people import a_member, a_team, signed_in

SECRET = "never-shown-anywhere-7"
MAILBOX = {
    "kind": "smtp", "address": "nadia@northwind.example", "daily_cap": 40, "smtp_host": "smtp.northwind.example",
    "smtp_port": 587, "smtp_security": "starttls", "smtp_user": "nadia", "smtp_password": SECRET,
    "imap_host": "imap.northwind.example", "imap_user": "nadia", "imap_password": SECRET, "active": "on",
}  # fmt: skip
MODEL = {"model_base_url": "https://models.example.com/v1", "model_daily_budget": 5, "model_monthly_budget": 50}


def url(name: str, **values: object) -> str:
    return reverse(f"home:settings:{name}", kwargs={"team": "north", **values})


@pytest.fixture
def client(admin: Member) -> Client:
    return signed_in(user=admin.user)


def test_no_page_and_no_trail_ever_shows_a_secret(client: Client, team: Team) -> None:
    client.post(url("new_account"), MAILBOX)
    client.post(url("model"), {**MODEL, "model_key": SECRET})
    account = SendingAccount.objects.get(team=team)
    assert Secret.objects.count() == 3
    assert open_secret(team=team, kind="imap", account=account) == Opened(SECRET)
    pages = [url("account", pk=account.pk), url("accounts"), url("model"), url("overview"), reverse("teams:audit", kwargs={"team": "north"})]
    texts = [client.get(page).text for page in pages]
    # What is wrong elsewhere on the form does not bring the password back either.
    texts.append(client.post(url("account", pk=account.pk), {**MAILBOX, "daily_cap": 0}).text)
    texts.append(client.post(url("model"), {**MODEL, "model_key": SECRET, "model_daily_budget": -1}).text)
    assert [text for text in texts if SECRET in text] == []
    assert SECRET not in str(list(AuditEvent.objects.values_list("details", flat=True)))
    assert "A password is kept" in texts[0]
    assert "A key is kept" in texts[2]


def test_an_empty_password_stays_and_a_tick_forgets(client: Client, team: Team) -> None:
    client.post(url("new_account"), MAILBOX)
    account = SendingAccount.objects.get(team=team)
    client.post(url("account", pk=account.pk), {**MAILBOX, "smtp_password": "", "imap_password": ""})
    assert Secret.objects.count() == 2
    client.post(
        url("account", pk=account.pk), {**MAILBOX, "smtp_password": "", "imap_password": "", "forget_passwords": "on"}
    )
    assert not Secret.objects.exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("smtp_host", "https://smtp.northwind.example"),
        ("smtp_host", "smtp.northwind.example:587"),
        ("smtp_port", 70000),
        ("imap_user", ""),
        ("smtp_security", "maybe"),
        ("daily_cap", 0),
        ("address", "nadia"),
    ],
)
def test_a_mailbox_with_a_fault_is_refused_beside_the_field(client: Client, team: Team, field: str, value: object) -> None:
    page = client.post(url("new_account"), {**MAILBOX, field: value})
    assert page.status_code == 422
    assert f'id="id_{field}_error"' in page.text
    assert not SendingAccount.objects.filter(team=team).exists()
    assert not Secret.objects.exists()


def test_a_test_of_the_connection_says_what_is_wrong_until_it_is_mended(client: Client, team: Team, settings: Settings) -> None:
    with smtp_server() as (_handler, port), imap_server(Mailbox()) as imap_port:
        settings.PRIVATE_SERVERS = frozenset({("127.0.0.1", port), ("127.0.0.1", imap_port)})
        here = {
            **MAILBOX, "smtp_host": "127.0.0.1", "smtp_port": port, "smtp_security": "none", "smtp_user": USER,
            "imap_host": "127.0.0.1", "imap_port": imap_port, "imap_security": "none", "imap_user": USER,
            "imap_password": PASSWORD,
        }  # fmt: skip
        client.post(url("new_account"), here)
        account = SendingAccount.objects.get(team=team)
        said = client.post(url("check_account", pk=account.pk), follow=True).text
        assert "refuses the login" in said
        assert "connection fails" in client.get(url("accounts")).text
        client.post(url("account", pk=account.pk), {**here, "smtp_password": PASSWORD})
        assert "Not tested since the last change" in client.get(url("account", pk=account.pk)).text
        said = client.post(url("check_account", pk=account.pk), headers={"HX-Request": "true"}).text
    assert "Sending and reading both work" in said
    assert "<html" not in said
    assert list(AuditEvent.objects.filter(action="account.tested").values_list("details", flat=True)) == [
        {"found": ["smtp: login"]}, {"found": []},
    ]  # fmt: skip


def test_a_linkedin_plan_sets_the_limits_that_are_left_empty(client: Client, team: Team) -> None:
    entered = {"kind": "linkedin", "address": "nadia-ferrante", "daily_cap": 20, "active": "on"}
    client.post(url("new_account"), {**entered, "plan": "sales_navigator"})
    row = SendingAccount.objects.get(team=team)
    assert (row.note_limit, row.monthly_notes, row.plan) == (300, 0, "sales_navigator")
    client.post(url("account", pk=row.pk), {**entered, "plan": "free", "monthly_notes": 3})
    row.refresh_from_db()
    assert (row.note_limit, row.monthly_notes, row.weekly_invitations) == (200, 3, 80)


def test_closed_days_come_and_go(client: Client, team: Team) -> None:
    day = timezone.localdate() + timedelta(days=30)
    assert "None ahead" in client.get(url("days")).text
    client.post(url("add_day"), {"day": day.isoformat(), "label": "Works outing"})
    assert "Works outing" in client.get(url("days")).text
    assert client.post(url("add_day"), {"day": day.isoformat()}).status_code == 422
    assert "choose a day from today" in client.post(url("add_day"), {"day": "2020-01-01"}).text
    row = ClosedDay.objects.get(team=team)
    client.post(url("remove_day", pk=row.pk))
    assert not ClosedDay.objects.exists()
    assert client.post(url("remove_day", pk=row.pk)).status_code == 404


def test_days_and_country_are_saved_and_their_effect_is_told(client: Client, team: Team) -> None:
    page = client.get(url("overview")).text
    assert "E-mail waits while it is weekend for the prospect." in page
    assert "not the default" not in page
    client.post(url("days"), {"send_on_weekends": "on", "home_country": "IE"})
    policy = policy_of(team=team)
    assert (policy.send_on_weekends, policy.send_on_holidays, policy.home_country) == (True, False, "IE")
    page = client.get(url("overview")).text
    assert "E-mail leaves on weekends too." in page
    assert page.count("not the default") == 2


def test_a_notice_of_ones_own_waits_for_a_second_person(client: Client, team: Team) -> None:
    a_member(team=team, role="manager")
    notice = "Questions: privacy@northwind.example"
    entered = {"postal_address": "1 Harbour Road, Cork", "lawful_basis": "consent", "notice_texts_en": notice}
    said = client.post(url("privacy"), entered, follow=True).text
    assert "waits for another manager" in said
    policy = policy_of(team=team)
    assert (policy.postal_address, policy.notice_texts) == ("1 Harbour Road, Cork", {})
    assert PolicyChange.objects.get().changes == {"notice_texts": [{}, {"en": notice}]}
    page = client.post(url("privacy"), {**entered, "notice_texts_de": "Kaufen Sie jetzt!"})
    assert page.status_code == 422
    assert 'id="id_notice_texts_de_error"' in page.text


def test_a_sender_has_signatures_by_language_and_a_calendar(client: Client, team: Team) -> None:
    entered = {"full_name": "Nadia Ferrante", "company": "Northwind", "signature": "Nadia Ferrante"}
    client.post(
        url("new_sender"),
        {**entered, "signatures_de": "Nadia Ferrante\nTelefon 030 1234", "calendar_url": "https://cal.example/nadia"},
    )
    row = SenderIdentity.objects.get(team=team)
    assert (row.signatures, row.calendar_url) == ({"de": "Nadia Ferrante\nTelefon 030 1234"}, "https://cal.example/nadia")
    wrong = {**entered, "calendar_url": "javascript:alert(1)", "signatures_fr": "Le meilleur logiciel"}
    page = client.post(url("sender", pk=row.pk), wrong)
    assert page.status_code == 422
    assert "meilleur" in page.text
    assert "begins with https" in client.post(url("sender", pk=row.pk), {**entered, "calendar_url": "javascript:alert(1)"}).text


def test_reasons_are_added_retired_and_brought_back(client: Client, team: Team) -> None:
    client.post(url("reasons"), {"label": "We know them already"})
    added = RejectionReason.objects.get(team=team, label="We know them already")
    assert added in reasons_of(team=team)
    assert "on the list" in client.post(url("reasons"), {"label": "we know them ALREADY"}).text
    client.post(url("reasons"), {"label": "A ninth"})
    assert "Retire one first" in client.post(url("reasons"), {"label": "A tenth"}).text
    client.post(url("set_reason", pk=added.pk), {"active": "no"})
    assert added not in reasons_of(team=team)
    for row in reasons_of(team=team):
        said = client.post(url("set_reason", pk=row.pk), {"active": "no"}, follow=True).text
    assert "One reason has to stay" in said
    client.post(url("set_reason", pk=added.pk), {"active": "yes"})
    assert added in reasons_of(team=team)


def test_the_model_is_tried_and_its_faults_are_told_in_words(client: Client, team: Team) -> None:
    assert "embedded composer" in client.post(url("try_model"), follow=True).text
    client.post(url("model"), {**MODEL, "model_base_url": "http://127.0.0.1:9/v1"})
    said = client.post(url("try_model"), headers={"HX-Request": "true"}).text
    assert "PRIVATE_SERVERS" in said
    assert "<html" not in said
    page = client.post(url("model"), {**MODEL, "model_base_url": "models.example.com"})
    assert 'id="id_model_base_url_error"' in page.text
    policy = policy_of(team=team)
    assert (policy.model_daily_budget, policy.model_base_url) == (5, "http://127.0.0.1:9/v1")


POSTS = ("check_account", "try_model", "add_day", "remove_day", "set_reason")


@pytest.mark.parametrize("name", POSTS)
def test_outsiders_find_nothing_and_others_are_told_who_may(team: Team, admin: Member, name: str) -> None:
    account = SendingAccount.objects.create(team=team, kind="smtp", address="n@north.example", smtp_host="mail.example")
    rows = {
        "check_account": account, "set_reason": reasons_of(team=team)[0],
        "remove_day": ClosedDay.objects.create(team=team, day=timezone.localdate()),
    }  # fmt: skip
    values = {"pk": rows[name].pk} if name in rows else {}
    outsider = signed_in(user=a_member(team=a_team(), role="admin").user)
    assert outsider.post(url(name, **values)).status_code == 404
    for role in ("writer", "reviewer", "analyst"):
        assert signed_in(user=a_member(team=team, role=role).user).post(url(name, **values)).status_code == 403
    # Rows of another team, asked for through one's own.
    other = a_member(team=a_team(slug="elsewhere"), role="admin")
    if values:
        address = reverse(f"home:settings:{name}", kwargs={"team": "elsewhere", **values})
        assert signed_in(user=other.user).post(address).status_code == 404
    assert ClosedDay.objects.exists()


def test_pages_stay_cheap(client: Client, team: Team, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    SendingAccount.objects.bulk_create(
        SendingAccount(team=team, kind="smtp", address=f"n{number}@north.example") for number in range(40)
    )
    for name in ("overview", "days", "privacy", "model", "accounts", "reasons"):
        client.get(url(name))
        with django_assert_max_num_queries(10):
            client.get(url(name))
