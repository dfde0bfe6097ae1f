"""The pages of the settings."""

from __future__ import annotations

import re

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import DjangoAssertNumQueries

from outreach.campaigns.models import PolicyChange, SenderIdentity, SendingAccount, TeamPolicy
from outreach.campaigns.queries import policy_of
from outreach.teams.access import Member
from outreach.teams.audit import record
from outreach.teams.models import AuditEvent, Membership, Team, User
from tests.people import PASSWORD, a_member, a_team, a_user, signed_in

POLICY = {
    "quality_blocks": "on", "observed_days_position": 90, "observed_days_company": 365, "observed_days_common": 730,
    "review_target_hours": 12, "self_approval_delay": 10, "undo_seconds": 60, "send_by_days": 10,
}  # fmt: skip


def url(name: str, **values: object) -> str:
    return reverse(name, kwargs={"team": "north", **values})


@pytest.fixture
def client(admin: Member) -> Client:
    return signed_in(user=admin.user)


PAGES = {
    "teams:people": {"admin"},
    "teams:audit": {"admin"},
    "home:settings:accounts": {"admin"},
    "home:settings:new_account": {"admin"},
    "home:settings:policy": {"admin", "manager"},
    "home:settings:days": {"admin", "manager"},
    "home:settings:model": {"admin"},
    "home:settings:privacy": {"admin", "manager"},
    "home:settings:reasons": {"admin", "manager"},
    "home:settings:overview": {"admin", "manager"},
    "home:settings:senders": {"admin", "manager"},
    "home:settings:new_sender": {"admin", "manager"},
    "teams:account": {"admin", "manager", "writer", "reviewer", "analyst"},
}


@pytest.mark.parametrize("role", ["admin", "manager", "writer", "reviewer", "analyst"])
def test_each_page_opens_for_the_roles_that_have_it_and_names_them_to_the_others(team: Team, role: str) -> None:
    visitor = signed_in(user=a_member(team=team, role=role).user)
    for name, roles in PAGES.items():
        page = visitor.get(url(name))
        assert page.status_code == (200 if role in roles else 403), name
        if role not in roles:
            assert "which the role" in page.text
            assert url(name) not in page.text.split("<main")[0]


def test_the_settings_open_on_the_first_page_of_the_role(team: Team) -> None:
    first = {
        role: signed_in(user=a_member(team=team, role=role).user).get(url("teams:settings"))["Location"]
        for role in ("admin", "manager", "writer")
    }
    assert list(first.values()) == [url("teams:people"), url("home:settings:policy"), url("teams:account")]


def test_an_invited_person_sets_a_password_through_the_mailed_link_once(client: Client) -> None:
    client.post(url("teams:people"), {"email": "ines@people.example", "full_name": "Ines Novak", "role": "reviewer"})
    (letter,) = mail.outbox
    assert letter.to == ["ines@people.example"]
    link = re.search(r"http://testserver(/\S+)", str(letter.body))
    assert link
    theirs = Client()
    form = theirs.get(link.group(1), follow=True)
    theirs.post(form.request["PATH_INFO"], {"password1": PASSWORD, "password2": PASSWORD}, follow=True)
    assert User.objects.get(email="ines@people.example").check_password(PASSWORD)
    assert "no longer works" in Client().get(link.group(1), follow=True).text
    assert Client().login(username="ines@people.example", password=PASSWORD)


def test_a_person_with_an_account_gets_no_password_link(client: Client) -> None:
    user = a_user(email="ines@people.example")
    user.set_password(PASSWORD)
    user.save()
    client.post(url("teams:people"), {"email": user.email, "full_name": "x", "role": "writer"})
    assert "/password/" not in str(mail.outbox[0].body)


def test_a_faulty_invitation_keeps_what_was_typed_and_says_what_is_wrong(client: Client) -> None:
    page = client.post(url("teams:people"), {"email": "no address", "full_name": "Ines Novak", "role": "writer"})
    assert page.status_code == 422
    assert 'value="Ines Novak"' in page.text
    assert "valid email address" in page.text


def test_changing_a_role_and_shutting_out_are_told_and_recorded(client: Client, team: Team) -> None:
    other = Membership.objects.get(user=a_member(team=team, role="writer").user)
    said = client.post(url("teams:change_role", pk=other.pk), {"role": "analyst"}, follow=True).text
    assert "in the team, as analyst" in said
    assert (
        "shut out, as of now" in client.post(url("teams:set_active", pk=other.pk), {"active": "no"}, follow=True).text
    )
    assert set(AuditEvent.objects.values_list("action", flat=True)) == {"member.role_changed", "member.deactivated"}


def test_a_stricter_policy_holds_at_once_and_the_trail_shows_from_what_to_what(client: Client, team: Team) -> None:
    client.post(url("home:settings:policy"), {**POLICY, "four_eyes": "on", "send_by_days": 5})
    policy = policy_of(team=team)
    assert (policy.four_eyes, policy.send_by_days, policy.review_target_hours) == (True, 5, 12)
    assert "Send by days 7 → 5" in client.get(url("teams:audit")).text


def test_a_weaker_policy_waits_for_somebody_else_to_confirm_it(client: Client, team: Team) -> None:
    second = a_member(team=team, role="manager")
    said = client.post(url("home:settings:policy"), POLICY, follow=True).text
    assert "waits for another manager or administrator" in said
    assert "You asked for this on" in said
    policy = policy_of(team=team)
    assert (policy.four_eyes, policy.send_by_days, policy.review_target_hours) == (True, 7, 12)
    change = PolicyChange.objects.get()
    confirm = url("home:settings:confirm_policy", pk=change.pk)
    assert "You asked for this change yourself" in client.post(confirm, follow=True).text
    assert policy_of(team=team).four_eyes
    client.force_login(second.user)
    assert "waits for a second person" in client.get(url("home:front")).text
    page = client.get(url("home:settings:policy")).text
    assert "Four eyes: yes → no" in page
    assert "Confirmed." in client.post(confirm, follow=True).text
    policy = policy_of(team=team)
    assert (policy.four_eyes, policy.send_by_days) == (False, 10)


def test_a_weaker_policy_is_declined_and_taken_back(client: Client, team: Team) -> None:
    a_member(team=team, role="manager")
    for _again in range(2):
        client.post(url("home:settings:policy"), POLICY)
        change = PolicyChange.objects.get(state="waiting")
        client.post(url("home:settings:decline_policy", pk=change.pk))
    assert policy_of(team=team).four_eyes
    assert not PolicyChange.objects.filter(state="waiting").exists()
    assert client.post(url("home:settings:confirm_policy", pk=change.pk)).status_code == 404


@pytest.mark.parametrize("role", ["writer", "reviewer", "analyst", None])
def test_only_managers_of_the_team_decide_on_a_policy(client: Client, team: Team, role: str | None) -> None:
    a_member(team=team, role="manager")
    client.post(url("home:settings:policy"), POLICY)
    change = PolicyChange.objects.get()
    client.force_login(a_member(team=team if role else a_team(), role=role or "admin").user)
    for name in ("confirm_policy", "decline_policy"):
        answer = client.post(url(f"home:settings:{name}", pk=change.pk))
        assert answer.status_code == (403 if role else 404)
    change.refresh_from_db()
    assert (change.state, policy_of(team=team).four_eyes) == ("waiting", True)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("send_by_days", 0),
        ("send_by_days", 61),
        ("undo_seconds", -1),
        ("observed_days_position", "soon"),
        ("observed_days_company", 0),
    ],
)
def test_a_policy_out_of_range_is_refused_beside_its_field(
    client: Client, team: Team, field: str, value: object
) -> None:
    page = client.post(url("home:settings:policy"), {**POLICY, field: value})
    assert page.status_code == 422
    assert f'id="id_{field}_error"' in page.text
    assert not TeamPolicy.objects.filter(team=team).exists()


def test_a_sender_is_made_changed_and_recorded(client: Client, team: Team) -> None:
    client.post(
        url("home:settings:new_sender"), {"full_name": "Nadia Ferrante", "company": "Northwind", "signature": "Nadia"}
    )
    row = SenderIdentity.objects.get(team=team)
    client.post(
        url("home:settings:sender", pk=row.pk), {"full_name": "Nadia Ferrante", "company": "Northwind", "title": "CTO"}
    )
    row.refresh_from_db()
    assert (row.title, row.signature) == ("CTO", "")
    assert list(AuditEvent.objects.order_by("id").values_list("action", flat=True)) == [
        "sender.created",
        "sender.changed",
    ]


def test_an_account_is_made_once_and_keeps_its_address(client: Client, team: Team) -> None:
    entered = {"kind": "smtp", "address": "nadia@northwind.example", "daily_cap": 40, "note_limit": 200}
    client.post(url("home:settings:new_account"), entered)
    assert "already" in client.post(url("home:settings:new_account"), entered).text
    row = SendingAccount.objects.get(team=team)
    client.post(
        url("home:settings:account", pk=row.pk), {**entered, "address": "other@northwind.example", "daily_cap": 5}
    )
    row.refresh_from_db()
    assert (row.address, row.daily_cap, row.active) == ("nadia@northwind.example", 5, False)


@pytest.mark.parametrize(
    "entered",
    [
        {"kind": "smtp", "address": "nadia"},
        {"kind": "smtp", "address": "nadia@northwind.example", "display_name": "Nadia\r\nBcc: x@x.example"},
        {"kind": "pigeon", "address": "nadia@northwind.example"},
        {"kind": "smtp", "address": "nadia@northwind.example", "daily_cap": 0},
    ],
)
def test_an_account_that_could_not_send_is_refused(client: Client, team: Team, entered: dict[str, object]) -> None:
    page = client.post(url("home:settings:new_account"), {"daily_cap": 40, "note_limit": 200, **entered})
    assert page.status_code == 422
    assert not SendingAccount.objects.filter(team=team).exists()


def test_senders_and_accounts_of_another_team_do_not_exist(client: Client, other_team: Team) -> None:
    sender = SenderIdentity.objects.create(team=other_team, full_name="Eve", company="South")
    account = SendingAccount.objects.create(team=other_team, kind="smtp", address="eve@south.example")
    for address in (url("home:settings:sender", pk=sender.pk), url("home:settings:account", pk=account.pk)):
        assert [client.get(address).status_code, client.post(address).status_code] == [404, 404]


def test_the_trail_is_filtered_by_action_and_walked_by_page(client: Client, admin: Member) -> None:
    for number in range(60):
        record(team=admin.team, actor=admin.user, action=f"x.{'odd' if number % 2 else 'even'}", target=admin.team)
    record(team=admin.team, actor=None, action="y.once", target=admin.team)
    page = client.get(url("teams:audit"), {"action": "y.once"}).text
    assert "by a rule" in page
    assert "X odd</b>" not in page
    first = client.get(url("teams:audit")).text
    assert first.count('class="dot"') == 50
    following = re.search(r'rel="next" href="(\?[^"]+)"', first)
    assert following
    assert client.get(url("teams:audit") + following.group(1).replace("&amp;", "&")).text.count('class="dot"') == 11


@pytest.mark.parametrize("many", [1, 20])
def test_the_list_of_people_costs_the_same_however_many_there_are(
    client: Client, team: Team, django_assert_num_queries: DjangoAssertNumQueries, many: int
) -> None:
    for _ in range(many):
        a_member(team=team)
    with django_assert_num_queries(4):  # session, user, membership, people
        client.get(url("teams:people"))


def test_one_s_own_name_and_time_zone_change_how_times_are_shown(client: Client, admin: Member) -> None:
    record(team=admin.team, actor=None, action="x.y", target=admin.team)
    client.post(url("teams:account"), {"full_name": "Ada", "timezone": "Pacific/Auckland"})
    assert re.search(r'title="[^"]*NZ[DS]T"', client.get(url("teams:audit")).text)


def test_a_form_without_its_token_is_refused(admin: Member) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(admin.user, backend="django.contrib.auth.backends.ModelBackend")
    page = strict.post(url("teams:people"), {"email": "ines@people.example"})
    assert page.status_code == 403
    assert "too old" in page.text


def test_settings_pages_hold_no_inline_script_style_or_handler(client: Client) -> None:
    for name in PAGES:
        assert not re.search(
            r"<style|<script(?![^>]*\ssrc=)|\sstyle=|\son[a-z]+=|javascript:", client.get(url(name)).text
        )
