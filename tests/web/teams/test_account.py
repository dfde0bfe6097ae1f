"""Signing out and changing the password."""

from __future__ import annotations

from django.core import mail
from django.test import Client
from django.urls import reverse

from outreach.teams.access import Member
from tests.people import PASSWORD, signed_in


def test_signing_out_needs_a_post_and_ends_the_session(admin: Member) -> None:
    client = signed_in(user=admin.user)
    client.get(reverse("account_logout"))
    assert client.get("/t/north/").status_code == 200
    client.post(reverse("account_logout"))
    assert client.get("/t/north/")["Location"].startswith(reverse("account_login"))


def test_changing_the_password_needs_the_old_one(admin: Member) -> None:
    admin.user.set_password(PASSWORD)
    admin.user.save()
    client, new = signed_in(user=admin.user), "another long phrase 7"
    form = {"oldpassword": "wrong", "password1": new, "password2": new}
    client.post(reverse("account_change_password"), form)
    admin.user.refresh_from_db()
    assert admin.user.check_password(PASSWORD)
    client.post(reverse("account_change_password"), {**form, "oldpassword": PASSWORD})
    admin.user.refresh_from_db()
    assert admin.user.check_password(new)


def test_a_forgotten_password_is_mailed_to_accounts_only_and_says_the_same_to_all(admin: Member) -> None:
    pages = [
        Client().post(reverse("account_reset_password"), {"email": email}, follow=True).text
        for email in (admin.user.email, "nobody@people.example")
    ]
    assert pages[0] == pages[1]
    assert [letter.to for letter in mail.outbox] == [[admin.user.email]]


def test_an_htmx_fragment_asked_by_a_stranger_sends_the_whole_page_to_sign_in(admin: Member) -> None:
    headers = {"HX-Request": "true", "HX-Current-URL": "http://testserver/t/north/search/?q=x"}
    answer = Client().get("/t/north/counts/", headers=headers)
    assert answer.status_code == 204
    assert answer["HX-Redirect"] == f"{reverse('account_login')}?next=/t/north/search/%3Fq%3Dx"
