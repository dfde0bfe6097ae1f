"""What tells one person or company from another."""

from __future__ import annotations

import pytest

from prospects.domain.identity import (
    domain_of,
    email_keys,
    normalized_company,
    post_id,
    profile_keys,
    profile_url,
    slug_key,
    urn_key,
)


@pytest.mark.parametrize(
    "address",
    [
        "https://www.linkedin.com/in/th%C3%A9o-b",
        "https://www.linkedin.com/in/Théo-B/",
        "http://linkedin.com/in/th%c3%a9o-b?trk=public",
        "de.linkedin.com/in/THÉO-B#x",
        "www.linkedin.com/in/théo-b",
    ],
)
def test_a_profile_has_one_key_however_it_is_spelled(address: str) -> None:
    assert [key.value for key in profile_keys(address)] == ["théo-b"]


def test_the_urns_of_one_member_are_one_key() -> None:
    lead = profile_keys("https://www.linkedin.com/sales/lead/ACwAAAexample01,NAME_SEARCH,ab12")
    profile = profile_keys("https://www.linkedin.com/in/ACoAAAexample01")
    assert lead == profile
    assert urn_key("urn:li:fsd_profile:ACoAAAexample01") == lead[0]


@pytest.mark.parametrize(
    "address", ["", "https://www.linkedin.com/company/x", "https://example.com/in/x", "linkedin.com/feed"]
)
def test_other_addresses_are_no_profiles(address: str) -> None:
    assert profile_keys(address) == ()


def test_the_address_to_open_comes_from_the_best_key() -> None:
    keys = (*profile_keys("https://www.linkedin.com/in/ACoAAAexample01"), *profile_keys("linkedin.com/in/maren"))
    assert profile_url(keys) == "https://www.linkedin.com/in/maren"


def test_addresses_are_found_in_what_people_type() -> None:
    assert [key.value for key in email_keys("Maren <MAREN@Tarnhelm.example>; a@b.example ::: a@b.example")] == [
        "maren@tarnhelm.example",
        "a@b.example",
    ]


@pytest.mark.parametrize(
    ("name", "normalized"),
    [
        ("Tarnhelm Logistics GmbH", "tarnhelm logistics"),
        ("Vexelle S.A.S.", "vexelle"),
        ('Acme "Widgets", LLC', "acme widgets"),
        ("Firma Müller GmbH & Co. KG", "firma muller"),
        ("Sadaf Retail Co. W.L.L.", "sadaf retail"),
        ("青禾数据科技有限公司", "青禾数据科技有限公司"),
        ("AG", "ag"),
        ("  ", ""),
    ],
)
def test_company_names_are_compared_without_case_marks_and_legal_form(name: str, normalized: str) -> None:
    assert normalized_company(name) == normalized


def test_a_longer_name_is_another_company() -> None:
    assert normalized_company("Tarnhelm") != normalized_company("Tarnhelm Logistics")


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("https://www.tarnhelm.example/x", "tarnhelm.example"),
        ("a@b.example", "b.example"),
        ("no domain", ""),
        ("localhost", ""),
    ],
)
def test_a_domain_is_read_from_any_address(text: str, domain: str) -> None:
    assert domain_of(text) == domain


def test_posts_go_by_their_number() -> None:
    assert (
        post_id("https://www.linkedin.com/feed/update/urn%3Ali%3Ashare%3A7261000000000000001") == "7261000000000000001"
    )
    assert (
        post_id("https://www.linkedin.com/posts/ex2_pricing-activity-7261000000000000001-abcd") == "7261000000000000001"
    )


def test_a_bare_profile_name_is_a_key() -> None:
    assert slug_key(" Maren-Oduya ") == slug_key("https://www.linkedin.com/in/maren-oduya/")
