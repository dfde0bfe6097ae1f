"""Passwords go in, are used, and never come out."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.core.management import call_command
from pytest_django.fixtures import Settings

from messaging.delivery.channels.smtp.configured import server_of_account
from messaging.delivery.channels.smtp.routing import ByAccount
from messaging.delivery.ports import Accepted, RefusedTemporary
from messaging.models import Delivery
from outreach.campaigns import services
from outreach.campaigns.models import Secret, SendingAccount
from outreach.campaigns.queries import model_access_of, open_secret, policy_of
from outreach.teams.access import Member
from outreach.teams.models import AuditEvent, Team
from outreach.vault import Closed, Opened
from tests.mailservers import PASSWORD, USER, smtp_server
from tests.people import a_member
from tests.services.delivery.scenes import a_delivery, send

pytestmark = pytest.mark.django_db
AT = datetime(2026, 12, 1, 9, tzinfo=UTC)
SECRET = "correct-horse-9!"


def a_mailbox(member: Member, **values: object) -> SendingAccount:
    made = services.create_account(
        member=member, kind="smtp", address="nadia@northwind.example", smtp_host="smtp.northwind.example",
        smtp_user="nadia", passwords={"smtp_password": SECRET}, **values,
    )  # fmt: skip
    assert isinstance(made, SendingAccount), made
    return made


def password_of(account: SendingAccount, kind: str = "smtp") -> Opened | Closed:
    return open_secret(team=account.team, kind=kind, account=account)


def test_a_password_is_encrypted_and_only_named_in_the_trail(admin: Member) -> None:
    account = a_mailbox(admin)
    assert password_of(account) == Opened(SECRET)
    assert SECRET not in Secret.objects.get().token
    assert SECRET not in repr(password_of(account))
    events = AuditEvent.objects.values_list("details", flat=True)
    assert SECRET not in str(list(events))
    assert events[0] == {"passwords": ["smtp"]}


def test_a_secret_opens_for_nothing_else(admin: Member, other_team: Team) -> None:
    account = a_mailbox(admin)
    token = Secret.objects.get().token
    other = SendingAccount.objects.create(team=other_team, kind="smtp", address="else@elsewhere.example")
    Secret.objects.create(team=other_team, account=other, kind="smtp", token=token)
    assert isinstance(password_of(other), Closed)
    Secret.objects.create(team=account.team, account=account, kind="imap", token=token)
    assert isinstance(password_of(account, "imap"), Closed)


def test_it_is_left_alone_replaced_and_forgotten(admin: Member) -> None:
    account = a_mailbox(admin)
    edit = {"member": admin, "account_id": account.pk}
    services.edit_account(**edit, daily_cap=20)  # type: ignore[arg-type]
    assert password_of(account) == Opened(SECRET)
    services.edit_account(**edit, passwords={"smtp_password": "another"})  # type: ignore[arg-type]
    assert password_of(account) == Opened("another")
    services.edit_account(**edit, passwords={"smtp_password": ""})  # type: ignore[arg-type]
    assert password_of(account) == Opened("")
    assert not Secret.objects.exists()


def test_another_server_does_not_get_the_password_of_the_first(admin: Member) -> None:
    account = a_mailbox(admin)
    services.edit_account(member=admin, account_id=account.pk, smtp_host="smtp.attacker.example")
    assert password_of(account) == Opened("")
    services.edit_account(
        member=admin, account_id=account.pk, smtp_host="smtp.third.example", passwords={"smtp_password": "third"}
    )
    assert password_of(account) == Opened("third")


def test_another_model_does_not_get_the_key_of_the_first(admin: Member) -> None:
    values = {"model_base_url": "https://models.example.com/v1"}
    assert services.save_model(member=admin, values=values, key="sk-first", now=AT) is None
    access = model_access_of(team=admin.team, policy=policy_of(team=admin.team))
    assert (access.key, access.own) == ("sk-first", True)
    assert "sk-first" not in repr(access)
    services.save_model(member=admin, values={"model_base_url": "https://attacker.example/v1"}, key=None, now=AT)
    assert model_access_of(team=admin.team, policy=policy_of(team=admin.team)).key == ""
    assert "sk-first" not in str(list(AuditEvent.objects.values_list("details", flat=True)))


def test_keys_are_rotated_and_the_old_one_can_go(admin: Member, settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = "first key, long enough", "second key, long enough"
    settings.SECRET_STORE_KEYS = {1: old}
    account = a_mailbox(admin)
    settings.SECRET_STORE_KEYS = {1: old, 2: new}
    assert password_of(account) == Opened(SECRET)
    call_command("rotate_secrets")
    assert "1 secret" in capsys.readouterr().out
    settings.SECRET_STORE_KEYS = {2: new}
    assert password_of(account) == Opened(SECRET)
    settings.SECRET_STORE_KEYS = {3: "a third that knows nothing"}
    lost = password_of(account)
    assert isinstance(lost, Closed)
    assert "Enter it again" in lost.reason
    assert isinstance(server_of_account(account.pk), str)
    assert services.rotate_secrets() == (0, 1)


def _own_server(delivery: Delivery, admin: Member, port: int, password: str = PASSWORD) -> None:
    done = services.edit_account(
        member=admin, account_id=delivery.account_id, smtp_host="127.0.0.1", smtp_port=port, smtp_security="none",
        smtp_user=USER, passwords={"smtp_password": password},
    )  # fmt: skip
    assert isinstance(done, SendingAccount), done


def test_a_message_leaves_by_the_server_of_its_mailbox(settings: Settings) -> None:
    delivery = a_delivery()
    admin = a_member(team=delivery.team, role="admin")
    with smtp_server() as (own, port), smtp_server() as (installations, other_port):
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", other_port
        settings.PRIVATE_SERVERS = frozenset({("127.0.0.1", port)})
        _own_server(delivery, admin, port)
        with ByAccount(server_of=server_of_account) as transport:
            outcomes = send(transport=transport)
        assert [type(one) for one in outcomes] == [Accepted]
        assert (own.users, len(own.received), installations.received) == ([USER], 1, [])
        assert own.received[0].endswith(bytes(delivery.payload.content))
        another = a_delivery(team=delivery.team, campaign=None)
        assert another.account_id != delivery.account_id
        with ByAccount(server_of=server_of_account) as transport:
            send(transport=transport)
        assert (len(own.received), len(installations.received)) == (1, 1)


@pytest.mark.parametrize(("password", "allowed", "words"), [("wrong", True, "refused the login"), (PASSWORD, False, "private")])
def test_what_keeps_it_from_leaving_is_told_and_it_waits(settings: Settings, password: str, allowed: bool, words: str) -> None:
    delivery = a_delivery()
    with smtp_server() as (own, port):
        settings.PRIVATE_SERVERS = frozenset({("127.0.0.1", port)} if allowed else ())
        _own_server(delivery, a_member(team=delivery.team, role="admin"), port, password)
        with ByAccount(server_of=server_of_account) as transport:
            outcomes = send(transport=transport)
    assert isinstance(outcomes[0], RefusedTemporary)
    assert words in outcomes[0].reason
    assert own.received == []
    delivery.refresh_from_db()
    assert (delivery.state, words in delivery.error, password in delivery.error) == ("waiting", True, False)
