"""The framework's admin pages are no side entrance."""

import pytest
from django.contrib import admin
from django.test import Client

from outreach.teams.models import User
from tests.people import signed_in

pytestmark = pytest.mark.django_db


def test_no_record_of_the_product_or_of_accounts_can_be_changed_there():
    root = User.objects.create_superuser("root@people.example", "correct horse battery", full_name="Root")
    assert signed_in(user=root).get("/admin/").status_code == 200
    assert admin.site.get_app_list(_request(root)) == []


def _request(user):
    answer = signed_in(user=user).get("/admin/")
    return answer.wsgi_request


def test_it_is_entered_by_the_one_sign_in_that_counts_failures():
    answer = Client().get("/admin/login/")
    assert (answer.status_code, answer["Location"].split("?")[0]) == (302, "/accounts/login/")
