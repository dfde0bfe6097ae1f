"""The table of roles."""

import pytest

from outreach.teams.domain.capabilities import Capability, capabilities_of, refusal_for


@pytest.mark.parametrize(
    ("role", "letters"),
    [
        ("writer", "view import write send reply analyse"),
        ("reviewer", "view review write analyse"),
        ("manager", "view import write review send reply manage analyse"),
        ("admin", "view import write review send reply manage admin analyse"),
        ("analyst", "view analyse"),
        ("", ""),
        ("owner", ""),
    ],
)
def test_a_role_may_do_exactly_what_the_table_says(role: str, letters: str) -> None:
    assert capabilities_of(role=role) == frozenset(letters.split())


@pytest.mark.parametrize("capability", list(Capability))
def test_a_refusal_names_the_roles_that_would_do(capability: Capability) -> None:
    refusal = refusal_for(capability=capability)
    assert refusal.code == "not-allowed"
    assert "admin" in refusal.message
