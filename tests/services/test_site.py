"""The site answers from a real database."""

import pytest
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db


def test_the_login_page_asks_for_an_email_address(client: Client) -> None:
    page = client.get(reverse("account_login"))
    assert page.status_code == 200
    assert b'type="email"' in page.content


def test_every_page_carries_the_content_policy(client: Client) -> None:
    assert "default-src 'self'" in client.get(reverse("account_login"))["Content-Security-Policy"]


def test_nobody_signs_up_by_themselves(client: Client) -> None:
    answer = client.post(reverse("account_signup"), {"email": "eve@example.com", "password1": "long enough 42!"})
    assert b"closed" in answer.content.lower()
