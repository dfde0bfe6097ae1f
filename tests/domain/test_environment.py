"""The readers of environment variables."""

from decimal import Decimal

import pytest

from outreach.environment import Environment, MailServer

DATABASE_FAULTS = [
    ("mysql://u:p@db/name", "does not name a PostgreSQL database"),
    ("postgres://u:p@db/", "names no database"),
    ("postgres://u:p@db/a/b", "names no database"),
    ("postgres://u:p@db:port/name", "is not a URL"),
    ("postgres://u:p@[db/name", "is not a URL"),
    ("db", "does not name a PostgreSQL database"),
]
MAIL_FAULTS = [
    ("imap://mail", "is no SMTP server"),
    ("smtp://", "is no SMTP server"),
    ("smtp://mail?tls=yes", "has an option that is not known"),
    ("smtp://mail?ssl=true", "has an option that is not known"),
]
BROKER_FAULTS = [("http://x", "names no broker that is supported"), ("redis:///0", "names no host")]


def test_a_database_address_is_taken_apart_and_decoded() -> None:
    env = Environment({"DATABASE_URL": "postgres://ann:p%40ss@db.example:6432/foot?sslmode=require"})
    assert env.database("DATABASE_URL") == {
        "NAME": "foot",
        "USER": "ann",
        "PASSWORD": "p@ss",
        "HOST": "db.example",
        "PORT": "6432",
        "OPTIONS": {"sslmode": "require"},
    }
    assert env.faults == []


@pytest.mark.parametrize("url", ["postgres://u@%2Frun%2Fpg/foot", "postgres://u@/foot?host=/run/pg"])
def test_a_database_may_listen_on_a_unix_socket(url: str) -> None:
    assert Environment({"D": url}).database("D")["HOST"] == "/run/pg"


@pytest.mark.parametrize(("url", "problem"), DATABASE_FAULTS)
def test_a_database_address_that_cannot_be_used_is_named(url: str, problem: str) -> None:
    env = Environment({"DATABASE_URL": url})
    env.database("DATABASE_URL")
    assert [(fault.variable, fault.problem) for fault in env.faults] == [("DATABASE_URL", problem)]


@pytest.mark.parametrize(
    ("url", "port", "tls", "ssl"),
    [
        ("smtp://mail", 25, False, False),
        ("smtp://mail?tls=starttls", 587, True, False),
        ("smtp://mail?tls=implicit", 465, False, True),
        ("smtp://mail:2525?tls=none", 2525, False, False),
    ],
)
def test_a_mail_server_has_the_port_of_its_encryption(url: str, port: int, tls: bool, ssl: bool) -> None:
    mail = Environment({"EMAIL_URL": url}).mail("EMAIL_URL")
    assert (mail.port, mail.tls, mail.ssl) == (port, tls, ssl)


@pytest.mark.parametrize(("url", "problem"), MAIL_FAULTS)
def test_a_mail_server_that_cannot_be_used_is_named(url: str, problem: str) -> None:
    env = Environment({"EMAIL_URL": url})
    assert env.mail("EMAIL_URL") == MailServer()
    assert [fault.problem for fault in env.faults] == [problem]


@pytest.mark.parametrize(("url", "problem"), BROKER_FAULTS)
def test_a_broker_that_cannot_be_used_is_named(url: str, problem: str) -> None:
    env = Environment({"BROKER_URL": url})
    assert env.broker("BROKER_URL") == ""
    assert [fault.problem for fault in env.faults] == [problem]


@pytest.mark.parametrize("value", ["maybe", "2", "truth"])
def test_a_switch_is_on_or_off_and_nothing_else(value: str) -> None:
    env = Environment({"DEBUG": value})
    assert env.boolean("DEBUG", default=False) is False
    assert [str(fault) for fault in env.faults] == ["DEBUG is neither true nor false: use true or false"]


@pytest.mark.parametrize("value", ["-1", "0", "601", "ten", "１０", "1e2"])
def test_a_number_outside_its_bounds_is_refused(value: str) -> None:
    env = Environment({"OPENAI_TIMEOUT": value})
    assert env.integer("OPENAI_TIMEOUT", default=60, minimum=1, maximum=600) == 60
    assert len(env.faults) == 1


@pytest.mark.parametrize(
    ("value", "amount", "faults"), [("", "0", 0), ("0.15", "0.15", 0), ("-1", "0", 1), ("free", "0", 1)]
)
def test_an_amount_is_a_number_not_below_nought(value: str, amount: str, faults: int) -> None:
    env = Environment({"OPENAI_PRICE_PROMPT": value})
    assert env.amount("OPENAI_PRICE_PROMPT") == Decimal(amount)
    assert len(env.faults) == faults


def test_a_value_outside_the_list_is_refused() -> None:
    env = Environment({"LOG_LEVEL": "LOUD"})
    assert env.choice("LOG_LEVEL", options=("INFO", "ERROR"), default="INFO") == "INFO"
    assert [fault.remedy for fault in env.faults] == ["use INFO, ERROR"]


def test_a_fault_never_repeats_the_value() -> None:
    env = Environment({"SECRET_KEY": "hunter2", "DATABASE_URL": "hunter2", "EMAIL_URL": "hunter2"})
    env.required("SECRET_KEY", minimum=40, remedy="set a longer one")
    env.database("DATABASE_URL")
    env.mail("EMAIL_URL")
    assert len(env.faults) == 3
    assert all("hunter2" not in str(fault) for fault in env.faults)


def test_an_empty_variable_counts_as_absent() -> None:
    env = Environment({"BASE_URL": "  "})
    assert env.url("BASE_URL", schemes=("https",), default="https://example.com") == "https://example.com"
    assert not env.given("BASE_URL")
