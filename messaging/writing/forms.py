"""What the writing pages take in."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class StartForm(forms.Form):
    """How many drafts to ask for at once."""

    USUAL = 25

    limit = forms.IntegerField(label=_("How many"), min_value=1, max_value=500, initial=USUAL)
