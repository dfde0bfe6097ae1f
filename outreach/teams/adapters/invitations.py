"""Invitations by mail, through the account library, which owns all mail about accounts."""

from __future__ import annotations

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.urls import reverse

from outreach.teams.models import Team, User


class MailedInvitations:
    """The link goes to the invited person only: whoever saw it could take the account."""

    def send(self, *, user: User, team: Team, invited_by: User) -> str:
        context = {
            "name": user.get_short_name(),
            "team": team.name,
            "invited_by": str(invited_by),
            "set_password_url": "" if user.has_usable_password() else set_password_link(user),
            "sign_in_url": settings.BASE_URL + reverse("account_login"),
        }
        try:
            get_adapter().send_mail("account/email/invitation", user.email, context)
        except OSError as error:  # refused, timed out, no such host; the mail library's errors are of this kind
            return str(error) or type(error).__name__
        return ""


def set_password_link(user: User) -> str:
    """Works once, and for PASSWORD_RESET_TIMEOUT seconds."""
    key = app_settings.PASSWORD_RESET_TOKEN_GENERATOR().make_token(user)
    path = reverse("account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(user), "key": key})
    return settings.BASE_URL + path
