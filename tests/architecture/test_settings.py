"""A setting that nobody reads is none; one that says nothing of its effect is no better."""

from __future__ import annotations

import ast
from dataclasses import fields

import pytest

from outreach.campaigns.domain.account import FIELDS
from outreach.campaigns.domain.offer import Policy
from outreach.campaigns.domain.policy import policy_fault
from outreach.campaigns.domain.setting import ROW_SETTINGS, SETTINGS, TEAM_SETTINGS, Setting, effects
from outreach.teams.access import page_address
from outreach.teams.models import Team
from tests.architecture.sources import ROOMS, module_name, python_files

#: What changes a setting, checks it on the way in, or hands it on as it is, does not act on it.
NO_READERS = (
    "outreach.home", "outreach.campaigns.services", "outreach.campaigns.models", "outreach.campaigns.migrations",
    "outreach.campaigns.domain.setting", "outreach.campaigns.domain.policy", "outreach.campaigns.domain.weakening",
    "outreach.campaigns.domain.account", "outreach.campaigns.adapters.mail_check", "prospects.services.senders",
)  # fmt: skip
#: These functions hand a setting on in another form; somebody else has to ask for it.
HANDED_ON = {
    "budget_of": {"model_daily_budget", "model_monthly_budget"},
    "model_access_of": {"model_base_url", "model_name"},
    "mail_server_of": {"smtp_host", "smtp_port", "smtp_security", "smtp_user"},
    "mailbox_of": {"imap_host", "imap_port", "imap_security", "imap_user"},
}


def readers() -> dict[str, ast.Module]:
    return {
        name: ast.parse(path.read_text(encoding="utf-8"))
        for path in python_files(*ROOMS)
        if not (name := module_name(path)).startswith(NO_READERS) and ".migrations" not in name
    }


def mentions(tree: ast.Module, key: str) -> bool:
    """As an attribute, or at the end of a lookup in a query ("draft__team__policy__undo_seconds")."""
    return any(
        (isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and node.attr == key)
        or (isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.split("__")[-1] == key)
        for node in ast.walk(tree)
    )


READERS = readers()


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda one: one.key)
def test_every_setting_has_the_reader_that_its_table_names(setting: Setting) -> None:
    assert setting.reader in READERS, "the reader is not a module that acts on settings"
    assert mentions(READERS[setting.reader], setting.key)


@pytest.mark.parametrize("function", HANDED_ON)
def test_what_is_handed_on_is_asked_for_by_those_who_act(function: str) -> None:
    callers = [
        name
        for name, tree in READERS.items()
        if name != "outreach.campaigns.queries"
        and any(isinstance(node, ast.Name) and node.id == function for node in ast.walk(tree))
    ]
    assert callers != []
    handed = next(
        node
        for node in ast.walk(READERS["outreach.campaigns.queries"])
        if isinstance(node, ast.FunctionDef) and node.name == function
    )
    read = {node.attr for node in ast.walk(handed) if isinstance(node, ast.Attribute)}
    assert HANDED_ON[function] <= read


def test_the_finder_finds_a_setting_without_a_reader() -> None:
    assert not any(mentions(tree, "a_setting_nobody_reads") for tree in READERS.values())


def test_every_field_of_policy_and_account_is_in_a_table() -> None:
    assert [one.key for one in TEAM_SETTINGS if one.key not in {field.name for field in fields(Policy)}] == []
    assert {field.name for field in fields(Policy)} == {one.key for one in TEAM_SETTINGS}
    connection = set().union(*HANDED_ON.values())
    preset = {"plan"}  # chooses the three limits beside it, which are what is read
    assert set(FIELDS) - connection - preset == {one.key for one in ROW_SETTINGS if one.of == "account"}
    assert len({one.key for one in SETTINGS}) == len(SETTINGS)


def test_every_setting_says_what_it_does_now_and_its_default_is_allowed() -> None:
    assert policy_fault(Policy()) is None
    for setting, value, effect in effects(Policy()):
        assert value == setting.default
        assert effect.endswith(".") or ": " in effect, setting.key
        assert "{" not in effect, setting.key
        assert len(setting.help) > 20, setting.key
    assert all(setting.label and setting.help for setting in SETTINGS)


@pytest.mark.django_db
def test_every_setting_has_a_page(team: Team) -> None:
    assert [one.key for one in SETTINGS if not page_address(name=one.page, team=team)] == []
