"""What speaks for two records being one person, and against."""

from __future__ import annotations

import pytest

from prospects.domain.identity import Key, KeyKind, own_domain
from prospects.domain.likeness import Agreement, Record, compare, speaks_against, strangers


def slug(value: str) -> Key:
    return Key(KeyKind.LINKEDIN_SLUG, value)


def email(value: str) -> Key:
    return Key(KeyKind.EMAIL, value)


def test_lines_say_what_agrees_differs_or_is_missing() -> None:
    first = Record("Maren Oduya", "VP Sales", "Tarnhelm GmbH", "", (slug("maren"), email("m@a.example")))
    second = Record("maren oduya", "CRO", "TARNHELM", "Bern", (email("m@a.example"), email("x@a.example")))
    found = {line.label: line.agreement for line in compare(first, second)}
    assert found == {
        "Name": Agreement.SAME,
        "Title": Agreement.DIFFERS,
        "Company": Agreement.SAME,
        "Location": Agreement.ONE_SIDED,
        "LinkedIn profile": Agreement.ONE_SIDED,
        "E-mail address": Agreement.SAME,
    }


@pytest.mark.parametrize(
    ("first", "second", "against"),
    [
        ([slug("a")], [slug("b")], True),
        ([slug("a")], [slug("a"), slug("b")], False),
        ([slug("a")], [email("b@x.example")], False),
        ([email("a@x.example")], [email("b@x.example")], False),
        ([], [], False),
    ],
)
def test_two_profiles_speak_for_two_people(first: list[Key], second: list[Key], against: bool) -> None:
    assert bool(speaks_against(first, second)) is against


@pytest.mark.parametrize(
    ("name", "key", "stranger"),
    [
        ("Paolo Conti", email("diego.ruiz@x.example"), True),
        ("Paolo Conti", slug("diego-ruiz-4b1a2"), True),
        ("Paolo Conti", email("paolo.conti@x.example"), False),
        ("Paolo Conti", email("conti.p@x.example"), False),
        ("Paolo Conti", email("p.rossi@x.example"), False),  # one word proves nothing
        ("Madeleine Ers", email("sers@x.example"), False),
        ("Anna Weber", email("sales.office@x.example"), False),
        ("Katherine Bell", email("kate.bell@x.example"), False),
        ("Jörg Müller", email("joerg.mueller@x.example"), False),
        ("Maria Bianchi", email("maria.rossi@x.example"), False),  # married names share the first name
        ("Li Wei", slug("wei-li-77"), False),
    ],
)
def test_keys_that_spell_another_name(name: str, key: Key, stranger: bool) -> None:
    assert bool(strangers(name, [key])) is stranger


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("https://www.acme.example/about", "acme.example"),
        ("someone@gmail.com", ""),
        ("https://acme.github.io", ""),
        ("https://www.linkedin.com/company/acme", ""),
        ("notgmail.com", "notgmail.com"),
        ("no domain", ""),
    ],
)
def test_shared_domains_tell_nobody_apart(text: str, domain: str) -> None:
    assert own_domain(text) == domain
