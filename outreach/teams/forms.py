"""What a person enters about people."""

from __future__ import annotations

from zoneinfo import available_timezones

from django import forms
from django.utils.translation import gettext_lazy as _

from outreach.teams.models import Role


class InviteForm(forms.Form):
    email = forms.EmailField(label=_("E-mail address"), max_length=254)
    full_name = forms.CharField(
        label=_("Name"), max_length=200, help_text=_("Used for a new account; an account that exists keeps its own.")
    )
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, initial=Role.WRITER)


class AccountForm(forms.Form):
    full_name = forms.CharField(label=_("Name"), max_length=200)
    timezone = forms.ChoiceField(
        label=_("Time zone"), help_text=_("Times are shown in it; the exact instant on hover.")
    )

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        choices = [(name, name.replace("_", " ")) for name in sorted(available_timezones()) if "/" in name]
        self.fields["timezone"].choices = [("UTC", "UTC"), *choices]  # type: ignore[attr-defined]
